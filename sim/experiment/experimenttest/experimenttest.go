// Package experimenttest draws cells for the tests of experiments, and holds what they
// give against other numbers within stated errors: [PointOf] makes a cell of values as a plan
// has them, [Drawn] draws its first blocks, [Held] compares.
package experimenttest

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/result"
	"mcsim/sim/stream"
	"mcsim/sim/theory"
)

// Drawn is the first blocks of a cell, merged.
func Drawn(c experiment.Cell, blocks int) moments.Node {
	_, all := Runs(c, 11, 1, blocks)
	return all
}

// Taught is the cell with what its pilot teaches, which is then drawn but once, as for so
// many units.
func Taught(c experiment.Cell, units int64) experiment.Cell {
	c.Units = units
	c.Learn(c.Pilot())
	return c
}

// PointOf is the cell of an experiment at values as a plan has them: drawn axes
// that are left out have their default, shared ones all of theirs.
func PointOf(t testing.TB, e *experiment.Experiment, values map[string]string) experiment.Cell {
	t.Helper()
	at, shared := map[string]experiment.Value{}, map[string][]experiment.Value{}
	for i := range e.Axes {
		a := &e.Axes[i]
		texts := a.Default
		if text, ok := values[a.Name]; ok {
			texts = strings.Split(text, " ")
		}
		for _, text := range texts {
			v, err := a.ParseAll(text)
			if err != nil {
				t.Fatal(err)
			}
			at[a.Name] = v[0]
			shared[a.Name] = append(shared[a.Name], v...)
		}
		if a.Shared {
			delete(at, a.Name)
		} else {
			delete(shared, a.Name)
		}
	}
	c := experiment.NewCell(e, at)
	c.Shared, c.Tolerance = shared, 0.05
	return c
}

// Runs are runs of a cell one after the other, of so many blocks each, and all of them
// merged: how often the intervals of a run hold a truth tells whether they are honest.
func Runs(c experiment.Cell, seed uint64, runs, blocks int) (each []moments.Node, all moments.Node) {
	open, block := stream.Open(stream.Key{Seed: seed, Cell: c.Experiment.Stream(c)}), c.Experiment.Open(c)
	var d experiment.Draw
	for i := range runs * blocks {
		d.Begin(open, int64(i))
		if n := block(&d); i%blocks == 0 {
			each = append(each, n)
		} else {
			each[i/blocks] = moments.MergeNodes(each[i/blocks], n)
		}
	}
	all = each[0]
	for _, n := range each[1:] {
		all = moments.MergeNodes(all, n)
	}
	return each, all
}

// RowAt is the row of a quantity at a shared parameter.
func RowAt(t testing.TB, f experiment.Findings, quantity, axis string, at any) result.Estimate {
	t.Helper()
	for _, r := range f.Rows {
		if r.Quantity == quantity && r.Params[axis] == at {
			return r
		}
	}
	t.Fatalf("no row %s at %s %v", quantity, axis, at)
	return result.Estimate{}
}

// DrawnRows draws at least as many rows of a cell.
func DrawnRows(c experiment.Cell, rows int64) moments.Node {
	units := c.Experiment.BlockUnits(c)
	return Drawn(c, int((rows+units-1)/units))
}

// Table reads a file of numbers with a heading; what is no number is left out.
func Table(t testing.TB, path string) []map[string]float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]float64
	for _, line := range lines[1:] {
		row := map[string]float64{}
		for i, name := range lines[0] {
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				row[name] = x
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Held counts comparisons.
type Held int

// mostSE is how many standard errors two numbers may be apart: of a thousand
// normal ones, one is with a chance of 0.7 %. All seeds are fixed, so a test
// gives the same answer always.
const mostSE = 4.5

// Hold holds a number against another, with the standard error of the difference.
func (l *Held) Hold(t testing.TB, got, want, se float64, format string, args ...any) {
	t.Helper()
	if z := math.Abs(got-want) / se; got != want && !(z <= mostSE) {
		t.Errorf("%s is %v, %.2f standard errors (%.3g) from %v", fmt.Sprintf(format, args...), got, z, se, want)
	}
	*l++
}

// HoldShares holds two counted shares against each other. Where one of the two
// outcomes is rare, one of all its k hits is of the first count with the chance
// n/(n+m), which makes the count binomial; elsewhere the difference is normal.
func (l *Held) HoldShares(t testing.TB, share, n, other, m float64, format string, args ...any) {
	t.Helper()
	pooled := (float64(share*n) + float64(other*m)) / (n + m)
	if rare := min(pooled, 1-pooled) * (n + m); rare >= 100 {
		l.Hold(t, share, other, math.Sqrt(pooled*(1-pooled)*(1/n+1/m)), format, args...)
		return
	}
	if pooled > 0.5 {
		share, other = 1-share, 1-other
	}
	k, hits := math.Round(share*n), math.Round(share*n)+math.Round(other*m)
	const tail = 3.4e-6 // beyond 4.5 standard errors
	lo, hi := theory.ClopperPearson(int64(k), max(int64(hits), 1), tail)
	if at := n / (n + m); at < lo || at > hi {
		t.Errorf("%s: %v of %v, and %v of all %v", fmt.Sprintf(format, args...), k, n, k, hits)
	}
	*l++
}
