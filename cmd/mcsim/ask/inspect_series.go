package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/model/series"
	"mcsim/sim/result"
)

// inspectSeries measures each file by itself, and prints the trends over the files, or the
// comparison of two files.
func (f *inspectFlags) inspectSeries(c *cobra.Command, paths []string, outputs Outputs) error {
	owner := fmt.Sprintf("one model; here are %d files with models of their own", len(paths))
	if err := refuseFlags(c, owner, "plan", "rows", "format", "sink"); err != nil {
		return err
	}
	report := inspection.Series{Series: series.Series{Alpha: f.gate.Alpha, Limit: f.gate.MaxLogit, By: f.by}}
	if len(paths) != 2 {
		report.By = cmp.Or(f.by, "step")
	}
	switch {
	case f.junit == "-":
		return errors.New("--junit - is for one model; name a file")
	case f.mapPath != "" && report.By == "":
		return errors.New("--map of two files needs --by, such as --by step")
	}
	bar := show.NewCounter(c.ErrOrStderr(), len(paths))
	defer bar.End()
	for _, path := range paths {
		if err := f.addPoint(c, &report, path, len(paths)); err != nil {
			return err
		}
		bar.Add(1)
	}
	bar.End()
	if err := report.Evaluate(); err != nil {
		return err
	}
	encode := func() ([]byte, error) { return outputs.EncodeSeries(&report) }
	if err := f.write(c.OutOrStdout(), &report, report.Points[0].Keys, encode, outputs); err != nil {
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
	x := math.NaN() // two files that are compared have no number
	if report.By != "" {
		x, err = series.ReadCoordinate(files, path, report.By)
		if err != nil {
			return err
		}
	}
	if f.hasOnlyLogSums(files) {
		return fmt.Errorf("%s: has only log-sum-exps, which are inspected one file at a time", path)
	}
	forFile := *f // measure sets the scale and the mask of this file in it
	forFile.progress = io.Discard
	answer, err := forFile.measure(c, files, []string{path})
	if err != nil {
		if strings.HasPrefix(err.Error(), path) {
			return err
		}
		return fmt.Errorf("%s: %w", path, err)
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
	if f.hasGate() {
		gate := f.gate
		gate.Alpha /= float64(count)
		judgement := answer.Judge(gate, answer.Applied)
		answer.Judgement = &judgement
	}
	p := series.NewPoint(path, x, answer.Summary)
	p.Causal, p.Array = forFile.options.Causal, answer.QueryName
	report.Add(p, answer)
	return nil
}
