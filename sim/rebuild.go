package sim

import (
	"encoding/json"
	"math"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// compareRebuilt makes the document again from its own rows, as far as they
// tell what was drawn, and holds the two against each other: rows that follow
// from others, theory, errors, intervals, curves, cells, gates and budget.
func (v *Verification) compareRebuilt(s *Schedule, doc *result.Document) {
	if doc.Seed != s.Plan.Seed {
		v.mismatch("the plan's seed is %d, the document's %d", s.Plan.Seed, doc.Seed)
	}
	if doc.Kernel < 1 || doc.Kernel > kernel.Version {
		v.mismatch("the document's draws are of kernel %d; this program knows 1 to %d", doc.Kernel, kernel.Version)
	}
	if !v.adoptCells(s, doc) {
		return
	}
	again, err := s.document(rebuilder(s, doc))
	if err != nil {
		v.mismatch("%v", err)
		return
	}
	v.compareRows(again, doc)
	v.compareRest(again, doc)
}

// adoptCells takes the numbers of samples from the document's cells, which
// must be those of the plan.
func (v *Verification) adoptCells(s *Schedule, doc *result.Document) bool {
	var cells []experiment.Cell
	for _, g := range s.groups {
		if g.entry.Experiment.Of == "" {
			cells = append(cells, g.cells...)
		}
	}
	if len(cells) != len(doc.Cells) {
		v.mismatch("the plan has %d cells, the document %d", len(cells), len(doc.Cells))
		return false
	}
	for i, c := range cells {
		was := doc.Cells[i]
		if was.ID != c.ID {
			v.mismatch("cell %d is %s, the document has %s", i+1, c.ID, was.ID)
			return false
		}
		w := Work{Cell: c, Units: was.N, Blocks: was.Blocks}
		if was.Blocks < 1 || w.Drawn() != was.N || was.Unit != c.Experiment.Unit {
			v.mismatch("cell %s: %d blocks hold %d %ss, the document says %d %ss", c.ID, was.Blocks, w.Drawn(), c.Experiment.Unit, was.N, was.Unit)
			return false
		}
		s.Works = append(s.Works, w)
	}
	return true
}

// rebuilder finds a cell's rows by rebuilding its node from the document's
// rows of the experiment that drew it. Where they do not tell enough, it
// repeats the document's own rows.
func rebuilder(s *Schedule, doc *result.Document) func(*experiment.Experiment, experiment.Cell) (experiment.Findings, error) {
	type of struct{ experiment, cell string }
	rows := map[of][]result.Estimate{}
	for _, r := range doc.Estimates {
		k := of{r.Experiment, r.Cell}
		rows[k] = append(rows[k], r)
	}
	drawn := map[string]Work{}
	for _, w := range s.Works {
		drawn[w.Cell.ID] = w
	}
	return func(x *experiment.Experiment, c experiment.Cell) (experiment.Findings, error) {
		w := drawn[c.ID]
		source := w.Cell.Experiment
		if source.Restate != nil {
			return source.Restate(w.Cell, w.Drawn(), rows[of{x.Name, c.ID}]), nil
		}
		if source.Rebuild == nil {
			return repeated(doc, rows[of{x.Name, c.ID}], c), nil
		}
		node := source.Rebuild(w.Cell, w.Drawn(), w.Blocks, experiment.LookupRow(rows[of{source.Name, c.ID}]))
		return x.Rows(c, node), nil
	}
}

// repeated are the document's findings in a cell.
func repeated(doc *result.Document, rows []result.Estimate, c experiment.Cell) experiment.Findings {
	f := experiment.Findings{Rows: rows}
	for _, w := range doc.Warnings {
		if w.Cell == c.ID {
			f.Warnings = append(f.Warnings, w)
		}
	}
	return f
}

// compareRows wants the same rows in the same order, and their numbers to
// agree: exactly but for rounding, against the size of the number or of its
// standard error.
func (v *Verification) compareRows(again, doc *result.Document) {
	if len(again.Estimates) != len(doc.Estimates) {
		v.mismatch("the plan gives %d rows, the document has %d", len(again.Estimates), len(doc.Estimates))
		return
	}
	for i, a := range again.Estimates {
		b := doc.Estimates[i]
		if rowKey(a.Experiment, a.Cell, a.Quantity, a.Params) != rowKey(b.Experiment, b.Cell, b.Quantity, b.Params) {
			v.mismatch("row %d is %s of %s, the document has %s of %s", i+1, a.Quantity, a.Cell, b.Quantity, b.Cell)
			return
		}
		if a.N != b.N || a.Estimator != b.Estimator || a.TheoryKind != b.TheoryKind {
			v.mismatch("%s of %s counts %d (%s, theory %s), the document says %d (%s, theory %s)", a.Quantity, a.Cell, a.N, a.Estimator, a.TheoryKind, b.N, b.Estimator, b.TheoryKind)
		}
		scale := 0.0
		if a.SE.Present() {
			scale = float64(a.SE)
		}
		for _, f := range []struct {
			name string
			a, b result.Number
		}{{"value", a.Value, b.Value}, {"standard error", a.SE, b.SE}, {"theory", a.Theory, b.Theory},
			{"lower bound", a.Lo, b.Lo}, {"upper bound", a.Hi, b.Hi}, {"level", a.Level, b.Level}} {
			if !agrees(f.a, f.b, scale) {
				v.mismatch("%s of %s: the document's %s is %v, its other rows give %v", a.Quantity, rowPoint(a), f.name, f.b, f.a)
			}
		}
	}
}

// rowPoint is a row's cell with the shared parameter that it was evaluated at.
func rowPoint(r result.Estimate) string {
	if p, ok := r.Params.Number("exponent"); ok {
		return r.Cell + ", p = " + experiment.Value{Number: p}.String()
	}
	return r.Cell
}

// agrees reports whether two numbers are the same but for rounding; two absent
// ones are. A scale that is absent is 0.
func agrees(a, b result.Number, scale float64) bool {
	if !a.Present() || !b.Present() {
		return a.Present() == b.Present()
	}
	if math.IsNaN(scale) {
		scale = 0
	}
	x, y := float64(a), float64(b)
	return math.Abs(x-y) <= agreement*max(math.Abs(x), math.Abs(y), scale)
}

// compareRest compares warnings, curves, gates and budget.
func (v *Verification) compareRest(again, doc *result.Document) {
	if len(again.Warnings) != len(doc.Warnings) {
		v.mismatch("the rows give %d warnings, the document has %d", len(again.Warnings), len(doc.Warnings))
	}
	for i := range min(len(again.Warnings), len(doc.Warnings)) {
		if a, b := again.Warnings[i], doc.Warnings[i]; a.Cell != b.Cell || a.Quantity != b.Quantity {
			v.mismatch("warning %d is on %s of %s, the document has %s of %s", i+1, a.Quantity, a.Cell, b.Quantity, b.Cell)
		}
	}
	if len(again.Curves)+len(doc.Curves) > 0 && !sameJSON(again.Curves, doc.Curves) {
		v.mismatch("the lines of theory are not those of the plan")
	}
	if !slices.Equal(again.Schemes, doc.Schemes) || !slices.Equal(again.Models, doc.Models) {
		v.mismatch("what names stand for is not what this program knows")
	}
	a, b := again.Budget, doc.Budget
	if !agrees(a.Alpha, b.Alpha, 0) || !agrees(a.Beta, b.Beta, 0) || a.Gates != b.Gates {
		v.mismatch("the budget is %d gates, α = %v, β = %v; the document says %d, %v, %v", a.Gates, a.Alpha, a.Beta, b.Gates, b.Alpha, b.Beta)
	}
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
