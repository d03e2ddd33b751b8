// Package verify judges a document again.
//
// [Document] needs the document's rows alone: it judges the gates again, holds theory
// and standard errors of gated rows against the closed forms, fits the slopes again with
// another program's regression (gonum), makes the rows again that judge the document as a
// whole and the lines that count costs, and compares bounds, cells, seed and budget.
// [Judgement.Remake] makes the whole document again, to the byte, from the nodes that
// the run stored or from draws made anew (remake.go). Only the last is a proof against
// intent, since nodes can be forged with the document. [Judgement.Estimates] and
// [Judgement.Run] compare the files that stand beside it.
package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mcsim/sim/engine/document"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// Judgement is what a second judgement of a document finds.
type Judgement struct {
	Basis  Basis  `json:"basis"`
	Rows   int    `json:"rows"`             // of the document
	Unmade string `json:"unmade,omitempty"` // why the document could not be made again
	// rows that rest on nothing then: they have no gate and are no slope
	Unjudged int            `json:"unjudged"`
	Resting  map[string]int `json:"unjudged_of,omitempty"` // how many they are of each experiment
	Budget   result.Budget  `json:"budget"`
	Gates    []result.Gate  `json:"gates"` // judged again from the rows
	// where the document contradicts itself, or what it was made from
	Mismatches []string               `json:"mismatches"`
	Controls   []schedule.ControlLine `json:"controls"`
	Plan       *plan.Plan             `json:"-"` // of the document
	bare       bool                   // the document has rows alone, as probe writes them
}

// Basis is what a judgement rests on.
type Basis string

const (
	FromRows  Basis = "rows"  // the document's own
	FromNodes Basis = "nodes" // stored by the run, from which the document is made again
	FromDraws Basis = "draws" // made again
)

// Document judges a document again from its rows: gates, closed forms, slopes, bounds, cells and
// seed. It samples nothing. A document whose rows were changed consistently and sealed again
// passes; Judgement.Remake finds that. It fails if the document's plan is not valid.
func Document(doc *result.Document) (*Judgement, error) {
	p, err := plan.Decode(doc.Plan, len(doc.Estimates))
	if err != nil {
		return nil, err
	}
	s := &schedule.Schedule{Plan: p, Entries: schedule.PlannedEntries(p)}
	v := &Judgement{Controls: append([]schedule.ControlLine{}, s.Controls()...), Mismatches: []string{},
		Basis: FromRows, Rows: len(doc.Estimates),
		Plan: p, bare: len(doc.Curves)+len(doc.Examples)+len(doc.Claims) == 0}
	if v.Gates, err = document.Judge(s, doc.Estimates); err != nil {
		v.mismatch("%v", err)
		v.Gates = doc.Gates
	}
	v.compareGates(doc)
	v.compareTheory(s, doc)
	v.compareBounds(doc)
	v.compareSlopes(doc)
	v.compareCells(s, doc)
	v.Budget = document.Budget(s, v.Gates) // now that the cells' numbers are known
	v.compareFields("all gates together", reflect.ValueOf(doc.Budget), reflect.ValueOf(v.Budget))
	v.compareMade(s, doc)
	v.countUnjudged(doc)
	return v, nil
}

// countUnjudged counts the rows that no gate judges and that do not follow from others.
func (v *Judgement) countUnjudged(doc *result.Document) {
	gated := map[string]bool{}
	v.Resting = map[string]int{}
	for _, g := range v.Gates {
		gated[document.RowKey(g.Experiment, g.Cell, g.Quantity, g.Params)] = true
	}
	for _, r := range doc.Estimates {
		if !fitted(r) && !document.OfAgreement(r) &&
			!gated[document.RowKey(r.Experiment, r.Cell, r.Quantity, r.Params)] {
			v.Unjudged++
			v.Resting[r.Experiment]++
		}
	}
}

func (v *Judgement) mismatch(format string, args ...any) {
	v.Mismatches = append(v.Mismatches, fmt.Sprintf(format, args...))
}

// compareGates compares the recorded gates with those that the rows and the plan give.
func (v *Judgement) compareGates(doc *result.Document) {
	if len(v.Gates) != len(doc.Gates) {
		v.mismatch("the plan has %d gates, the document records %d", len(v.Gates), len(doc.Gates))
		return
	}
	for i, g := range v.Gates {
		v.compareFields(fmt.Sprintf("gate %d, %q of %s", i+1, g.Name, g.Cell), reflect.ValueOf(doc.Gates[i]),
			reflect.ValueOf(g))
	}
}

// compact is a value as JSON.
func compact(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("verify: a part of a document that JSON cannot hold")
	}
	return text
}

// compareFields holds what the document records, a struct, against what its rows and its plan
// give, and says in which field they differ first.
func (v *Judgement) compareFields(what string, has, want reflect.Value) {
	for i := range has.NumField() {
		if was, is := compact(has.Field(i).Interface()), compact(want.Field(i).Interface()); !bytes.Equal(was, is) {
			name, _, _ := strings.Cut(has.Type().Field(i).Tag.Get("json"), ",")
			v.mismatch("%s: the document records %s as its %s, its rows and its plan give %s", what, was, name, is)
			return
		}
	}
}

// tolerance is how near a number that was computed in another way must be.
const tolerance = 1e-9

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b), 1e-300) }

// compareTheory holds the theory and the standard errors of the gated rows
// against the closed forms.
func (v *Judgement) compareTheory(s *schedule.Schedule, doc *result.Document) {
	// what it lacks Judge says
	_ = document.Checked(s, doc.Estimates, func(_ schedule.PlannedEntry, c gate.Check, r *result.Estimate) {
		theory, se, _ := c.Expected(r.N)
		if !near(float64(r.Theory), theory) {
			v.mismatch("%s of %s: the row's theory is %v, the closed form %v", r.Quantity, r.Cell, r.Theory, theory)
		}
		if !math.IsNaN(se) && !(se == 0 && !r.SE.Present()) && !near(float64(r.SE), se) {
			v.mismatch("%s of %s: the row's standard error is %v, the closed form %v", r.Quantity, r.Cell, r.SE, se)
		}
	})
}

// compareBounds holds every number that has bounds within them.
func (v *Judgement) compareBounds(doc *result.Document) {
	for _, r := range doc.Estimates {
		e, ok := names.Lookup(names.GroupQuantity, r.Quantity)
		if x := float64(r.Value); ok && e.IsFraction() && (x < -tolerance || x > 1+tolerance) {
			v.mismatch("%s of %s is %v, and can only lie between 0 and 1", r.Quantity, r.Cell, r.Value)
		}
		if r.SE < 0 {
			v.mismatch("%s of %s has the standard error %v", r.Quantity, r.Cell, r.SE)
		}
	}
}

// fitted reports whether a row is a slope through rows of the document.
func fitted(r result.Estimate) bool {
	return r.Quantity == names.VarianceSlope && r.Experiment == names.ExperimentExponents
}

// compareSlopes fits the slope of every distribution again with gonum's weighted regression.
func (v *Judgement) compareSlopes(doc *result.Document) {
	slopes := map[string]float64{}
	for name, points := range scores.Slopes(doc) {
		if points.Determined() {
			_, slopes[name] = stat.LinearRegression(points.X, points.Y, points.Weight, false)
		}
	}
	for _, r := range doc.Estimates {
		p, _ := r.Params.Number(names.ParamExponent)
		name, _ := r.Params.Text(names.ParamDistribution)
		slope, determined := slopes[name]
		if !fitted(r) || !determined && !r.Value.Present() {
			continue
		}
		if !determined {
			v.mismatch("%s of %s: the rows do not determine it", r.Quantity, r.Cell)
			continue
		}
		if !(math.Abs(float64(r.Value)-(slope-2*p)) <= tolerance) {
			v.mismatch("%s of %s, p = %v: the row says %v, a fit to the rows %v", r.Quantity, r.Cell, p, r.Value,
				slope-2*p)
		}
	}
}

// Verdict is the whole: fail if the document contradicts itself, undecided if it was not made
// again, unless its rows by themselves are enough.
func (v *Judgement) Verdict(rows bool) result.Verdict {
	switch {
	case len(v.Mismatches) > 0:
		return result.Fail
	case v.Basis == FromRows && !rows && v.Budget.Verdict == result.Pass:
		return result.Undecided
	}
	return v.Budget.Verdict
}

// compareCells wants the seed, the cells and their numbers of samples to be those
// of the plan, and takes these numbers for the schedule.
func (v *Judgement) compareCells(s *schedule.Schedule, doc *result.Document) {
	if doc.Seed != s.Plan.Seed {
		v.mismatch("the plan's seed is %d, the document's %d", s.Plan.Seed, doc.Seed)
	}
	if doc.Kernel < 1 || doc.Kernel > kernel.Version {
		v.mismatch("the document's draws are of kernel %d; this program knows 1 to %d", doc.Kernel, kernel.Version)
	}
	cells := document.SampledCells(s)
	if len(cells) != len(doc.Cells) {
		v.mismatch("the plan has %d cells, the document %d", len(cells), len(doc.Cells))
		return
	}
	for i, c := range cells {
		was := doc.Cells[i]
		w := schedule.Job{Cell: &c, Blocks: was.Blocks}
		switch {
		case was.ID != c.ID:
			v.mismatch("cell %d is %s, the document has %s", i+1, c.ID, was.ID)
			return
		case was.Blocks < 1 || w.Units() != was.N || was.Unit != c.Experiment.Unit:
			v.mismatch("cell %s: %d blocks hold %d %ss, the document says %d %ss", c.ID, was.Blocks, w.Units(),
				c.Experiment.Unit, was.N, was.Unit)
			return
		}
		s.Jobs = append(s.Jobs, w)
	}
}
