package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/samples"
	"mcsim/sim/result"
)

// hasOnlyLogSums reports whether the files have log-sum-exps, but no queries and keys, and the flags
// request nothing else.
func (f *inspectFlags) hasOnlyLogSums(files *tensor.Files) bool {
	if f.weights.isAnySet() || f.arrays != (samples.Names{}) || !samples.HasLogSums(files) {
		return false
	}
	_, err := samples.Find(files, f.arrays, f.heads, f.keyHeads)
	return errors.Is(err, samples.ErrNoArrays)
}

// inspectLogSums measures log-sum-exps, judges them if the flags request it, and prints the result.
func (f *inspectFlags) inspectLogSums(c *cobra.Command, files *tensor.Files) error {
	for _, name := range []string{"check", "plan", "gate-entropy", "map", "junit", "summary", "csv", "paired", "scale",
		"sink", "format"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for queries and keys; here are only log-sum-exps", name)
		}
	}
	keys := 0
	if c.Flags().Changed("keys") {
		keys = f.weights.Tokens
	}
	heads, about, err := samples.MeasureLogSums(files, keys, f.options.Causal)
	if err != nil {
		return err
	}
	report := &inspection.LogSumReport{Subject: about, Heads: heads}
	verdict := result.Pass
	if f.hasGate() {
		judgement := inspect.JudgeLogSums(heads, f.gate)
		report.Judgement, verdict = &judgement, judgement.Verdict
	}
	stdout := c.OutOrStdout()
	if err := show.Print(stdout, f.json, report, func() { report.Print(stdout) }); err != nil {
		return err
	}
	return program.ExitWith(verdict)
}
