package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/series"
	"mcsim/sim/result"
)

const indexName = "model.safetensors.index.json"

// listFiles returns the files of the arguments, and whether each file is a model of its own: if --by
// is given, if a folder has several files, or if the first two files have an array with the same
// name. Otherwise all files together are one model.
func (f *inspectFlags) listFiles(paths []string) (all []string, areModels bool, err error) {
	areModels = f.by != ""
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			all = append(all, path)
			continue
		}
		inFolder, err := listFolder(path)
		if err != nil {
			return nil, false, err
		}
		if len(inFolder) == 0 {
			return nil, false, fmt.Errorf("%s: is a folder without a .npz or .safetensors file", path)
		}
		all, areModels = append(all, inFolder...), areModels || len(paths) > 1 || len(inFolder) > 1
	}
	isRepeated := len(all) > 1 && all[0] == all[1] // is refused below, where the files are opened
	if !areModels && len(all) > 1 && !isRepeated {
		areModels, err = haveCommonArray(all[0], all[1])
	}
	return all, areModels, err
}

// listFolder returns the .npz and .safetensors files of a folder and of its subfolders. If a folder
// has an index of shards, it returns only the index.
func listFolder(dir string) (files []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, indexName)); err == nil {
		return []string{filepath.Join(dir, indexName)}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch extension := filepath.Ext(path); {
		case e.IsDir():
			inner, err := listFolder(path)
			if err != nil {
				return nil, err
			}
			files = append(files, inner...)
		case extension == ".npz" || extension == ".safetensors":
			files = append(files, path)
		}
	}
	return files, nil
}

// haveCommonArray reports whether two files have an array with the same name.
func haveCommonArray(a, b string) (bool, error) {
	filesA, err := tensor.Open(a)
	if err != nil {
		return false, err
	}
	defer filesA.Close()
	filesB, err := tensor.Open(b)
	if err != nil {
		return false, err
	}
	defer filesB.Close()
	return slices.ContainsFunc(filesA.Names(), filesB.Has), nil
}

// axis returns the name of the axis over the files.
func (f *inspectFlags) axis() string {
	if f.by == "" {
		return "step"
	}
	return f.by
}

// readCoordinate returns the number of a file on the axis: of the array with the name of the axis, or
// after this name in the path, such as step100 or width=256. A folder "checkpoint-100" counts as a
// step.
func (f *inspectFlags) readCoordinate(files *tensor.Files, path string) (float64, error) {
	axis := f.axis()
	number, isSaved := 0.0, files.Has(axis)
	if isSaved {
		saved, err := files.Scalar(axis)
		if err != nil {
			return 0, err
		}
		number = saved
	}
	names := regexp.QuoteMeta(axis)
	if axis == "step" {
		names = "step|iter|iteration|checkpoint|ckpt"
	}
	pattern := regexp.MustCompile(`(?i)(?:^|[^a-z])(?:global_)?(?:` + names + `)s?[-_=. ]?([0-9]+(?:\.[0-9]+)?)`)
	matches := pattern.FindAllStringSubmatch(strings.TrimSuffix(path, filepath.Ext(path)), -1)
	switch {
	case len(matches) == 0 && !isSaved:
		return 0, fmt.Errorf("%s: has no number after %q in its name, and no array %q; give --by NAME", path, axis, axis)
	case len(matches) == 0:
		return number, nil
	}
	named, err := strconv.ParseFloat(matches[len(matches)-1][1], 64)
	if err == nil && isSaved && named != number {
		err = fmt.Errorf("%s: its array %q is %v, but its name says %v", path, axis, number, named)
	}
	return named, err
}

// inspectSeries measures each file by itself, and prints the trends over the files, or the
// comparison of two files.
func (f *inspectFlags) inspectSeries(c *cobra.Command, paths []string, shutdown *program.Shutdown) error {
	for _, name := range []string{"plan", "junit", "rows"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for one model; here are %d files with models of their own", name, len(paths))
		}
	}
	report := inspection.Series{Alpha: f.gate.Alpha, Limit: f.gate.MaxLogit}
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
		if err := sortPoints(report.Points); err != nil {
			return err
		}
	}
	if err := series.Check(report.Points, report.By != "" && report.By != "step"); err != nil {
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
		number, err := f.readCoordinate(files, path)
		if err != nil {
			return err
		}
		x = result.Number(number)
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
	p := series.NewPoint(path, float64(x), answer.Summary)
	if f.hasGate() {
		gate := f.gate
		gate.Alpha /= float64(count)
		judgement := answer.Judge(gate, answer.Applied)
		p.Judgement = &judgement
	}
	report.Add(p, answer)
	return nil
}

// sortPoints sorts points by their coordinates. The files must be given in this order, or in the
// order of their names, as the pattern of a shell gives them.
func sortPoints(points []series.Point) error {
	compareX := func(a, b series.Point) int { return cmp.Compare(a.X, b.X) }
	compareNames := func(a, b series.Point) int { return strings.Compare(a.File, b.File) }
	isOrdered := slices.IsSortedFunc(points, compareX) || slices.IsSortedFunc(points, compareNames)
	for i, p := range points[1:] {
		if !isOrdered && p.X < points[i].X {
			return fmt.Errorf("%s: its number %v is out of order after %v of %s; give files in the order of their numbers "+
				"or names", p.File, p.X, points[i].X, points[i].File)
		}
	}
	slices.SortStableFunc(points, compareX)
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
	if f.summary == "" {
		return nil
	}
	return shutdown.ReplaceFile(f.summary, []byte(report.MarkdownSummary()))
}
