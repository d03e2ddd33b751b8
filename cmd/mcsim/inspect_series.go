package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/junit"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/model/series"
	"mcsim/sim/result"
)

// axis returns the name of the axis over the files.
func (f *inspectFlags) axis() string {
	if f.by == "" {
		return "step"
	}
	return f.by
}

// inspectSeries measures each file by itself, and prints the trends over the files, or the
// comparison of two files.
func (f *inspectFlags) inspectSeries(c *cobra.Command, paths []string, shutdown *program.Shutdown) error {
	for _, name := range []string{"plan", "rows", "format", "sink"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for one model; here are %d files with models of their own", name, len(paths))
		}
	}
	report := inspection.Series{Alpha: f.gate.Alpha, Limit: f.gate.MaxLogit}
	if f.junit == "-" {
		return errors.New("--junit - is for one model; name a file")
	}
	if len(paths) != 2 || f.by != "" {
		report.By = f.axis()
	}
	bar := sampling.NewCounter(c.ErrOrStderr(), len(paths))
	defer bar.End()
	for _, path := range paths {
		if err := f.addPoint(c, &report, path, len(paths)); err != nil {
			return err
		}
		bar.Add(1)
	}
	bar.End()
	if report.By != "" {
		if err := series.Sort(report.Points); err != nil {
			return err
		}
	}
	if err := series.Check(report.Points, report.By == "" || report.By == "width"); err != nil {
		return err
	}
	report.Evaluate()
	if err := f.writeSeries(&report, shutdown); err != nil {
		return err
	}
	if err := report.Print(c.OutOrStdout(), inspection.Format{JSON: f.json, CSV: f.csv}); err != nil {
		return err
	}
	return program.ExitWith(report.Verdict())
}

// addPoint measures a file, judges it if the flags request it, and adds it to the report.
func (f *inspectFlags) addPoint(c *cobra.Command, report *inspection.Series, path string, count int) error {
	files, err := tensor.Open(path)
	if err != nil {
		return err
	}
	defer files.Close()
	x := result.Absent()
	if report.By != "" {
		number, err := series.ReadCoordinate(files, path, report.By)
		if err != nil {
			return err
		}
		if report.By == "width" && !(number > 0) {
			return fmt.Errorf("%s: the width is %v; it must be above 0", path, number)
		}
		x = result.Number(number)
	}
	if f.hasOnlyLogSums(files) {
		return fmt.Errorf("%s: has only log-sum-exps, which are inspected one file at a time", path)
	}
	forFile := *f // measure sets the scale and the mask of this file in it
	forFile.progress = io.Discard
	answer, err := forFile.measure(c, files, []string{path})
	if err != nil {
		if !strings.HasPrefix(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return err
	}
	if a := answer.Applied; a != nil && a.Verdict != result.Pass {
		isOther := a.SE.Present() && math.Abs(float64(a.Factor/a.Scale)-1) >= scalefit.FactorTolerance
		if isOther && a.Verdict == result.Fail && f.scale == "" {
			return fmt.Errorf("%s: %s; give --scale", path, inspection.DescribeFactor(a))
		}
		if a.Diagnosis != "" {
			answer.Caveats = append(answer.Caveats, path+": "+inspection.DescribeFactor(a))
		}
	}
	p := series.NewPoint(path, float64(x), answer.Summary)
	p.Causal = forFile.options.Causal
	if f.hasGate() {
		gate := f.gate
		gate.Alpha /= float64(count)
		judgement := answer.Judge(gate, answer.Applied)
		p.Judgement = &judgement
	}
	report.Add(p, answer)
	return nil
}

// writeSeries writes the files that the flags name.
func (f *inspectFlags) writeSeries(report *inspection.Series, shutdown *program.Shutdown) error {
	if f.mapPath != "" {
		if report.By == "" {
			return errors.New("--map of two files needs --by, such as --by step")
		}
		text, err := f.drawSeries(report)
		if err != nil {
			return err
		}
		if err := shutdown.ReplaceFile(f.mapPath, text); err != nil {
			return err
		}
	}
	if f.junit != "" {
		text, err := junit.EncodeSeries(report)
		if err != nil {
			return err
		}
		if err := shutdown.ReplaceFile(f.junit, text); err != nil {
			return err
		}
	}
	if f.summary == "" {
		return nil
	}
	return shutdown.ReplaceFile(f.summary, []byte(report.MarkdownSummary()))
}
