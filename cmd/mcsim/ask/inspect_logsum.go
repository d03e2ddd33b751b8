package ask

import (
	"errors"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/samples"
	"mcsim/sim/result"
)

// hasOnlyLogSums reports whether the files have log-sum-exps, but no queries and keys, and the
// flags request nothing else.
func (f *inspectFlags) hasOnlyLogSums(files *tensor.Files) bool {
	if f.weights.isAnySet() || f.arrays != (samples.Names{}) || !samples.HasLogSums(files) {
		return false
	}
	_, err := samples.Find(files, f.arrays, f.heads, f.keyHeads)
	return errors.Is(err, samples.ErrNoArrays)
}

// inspectLogSums measures log-sum-exps, judges them if the flags request it, and prints the result.
func (f *inspectFlags) inspectLogSums(c *cobra.Command, files *tensor.Files, outputs Outputs) error {
	if err := refuseFlags(c, "queries and keys, or weights; the file has only log-sum-exps", "heads", "kv-heads", "d-k",
		"norm", "scale", "sink", "paired", "check", "plan", "gate-entropy", "map", "csv", "format"); err != nil {
		return err
	}
	if f.summary != "" && !f.hasGate() {
		return errors.New("--summary of log-sum-exps requires a gate: give --gate or --gate-max")
	}
	keys := 0
	if c.Flags().Changed("keys") {
		keys = f.weights.Tokens
	}
	heads, about, err := samples.MeasureLogSums(files, keys, f.options.Causal)
	if err != nil {
		return err
	}
	report := &inspection.LogSumReport{Subject: []string{about}, Heads: heads}
	verdict := result.Pass
	if f.hasGate() {
		judgement := inspect.SummariseLogSums(heads).Judge(f.gate, nil)
		report.Judgement, verdict = &judgement, judgement.Verdict
	}
	if f.gate.Hi > 0 {
		report.Caveats = []string{"if logits are normal with mean 0"}
	}
	stdout := c.OutOrStdout()
	encode := func() ([]byte, error) { return outputs.EncodeInspection(report.Verdict()) }
	if err := f.write(stdout, report.Verdict(), heads[0].Keys, encode, outputs); err != nil {
		return err
	}
	if err := show.Print(stdout, f.json, report, func() { report.Print(stdout, f.rows) }); err != nil {
		return err
	}
	return program.ExitWith(verdict)
}
