// Package verify judges a document again.
//
// [Document] needs only the estimates of the document. It judges the gates again, compares theory
// and standard errors of gated estimates with the closed forms, fits the slopes again with gonum's
// regression, and checks bounds, cells, seed and error rates. It also computes again the parts of
// the document that need no samples (again.go).
//
// [Judgement.Remake] builds the whole document again and compares every byte, either from the nodes
// that the run stored or from new samples (remake.go). Only new samples detect a deliberate
// forgery, since nodes can be forged together with the document. [Judgement.Estimates] and
// [Judgement.Run] compare the other files of the run with the document.
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

// Judgement is the result of judging a document again.
type Judgement struct {
	Basis        Basis  `json:"basis"`
	Rows         int    `json:"rows"`             // number of estimates of the document
	WhyNotRemade string `json:"unmade,omitempty"` // reason why the document could not be built again
	// number of estimates that nothing judged: they have no gate, and the document was not built
	// again
	Unjudged             int            `json:"unjudged"`
	UnjudgedByExperiment map[string]int `json:"unjudged_of,omitempty"` // Unjudged by experiment
	Budget               result.Budget  `json:"budget"`
	Gates                []result.Gate  `json:"gates"` // judged again from the estimates
	// contradictions within the document, or between it and its nodes or files
	Mismatches       []string               `json:"mismatches"`
	Controls         []schedule.ControlLine `json:"controls"`
	Plan             *plan.Plan             `json:"-"` // plan of the document
	hasOnlyEstimates bool                   // the document is one of probe, without curves, examples and claims
}

// Basis is the kind of data from which a document was judged.
type Basis string

const (
	FromRows  Basis = "rows"  // the estimates in the document
	FromNodes Basis = "nodes" // the nodes that the run stored
	FromDraws Basis = "draws" // new samples
)

// Document judges a document again from its estimates: gates, closed forms, slopes, bounds, cells
// and seed. It samples nothing. It cannot detect estimates that were changed consistently, with a
// new digest; [Judgement.Remake] can. It returns an error if the plan of the document is not valid.
func Document(doc *result.Document) (*Judgement, error) {
	p, err := plan.Decode(doc.Plan, len(doc.Estimates))
	if err != nil {
		return nil, err
	}
	s := &schedule.Schedule{Plan: p, Entries: schedule.PlannedEntries(p)}
	v := &Judgement{Controls: append([]schedule.ControlLine{}, s.Controls()...), Mismatches: []string{},
		Basis: FromRows, Rows: len(doc.Estimates),
		Plan: p, hasOnlyEstimates: len(doc.Curves)+len(doc.Examples)+len(doc.Claims) == 0}
	if v.Gates, err = document.Judge(s, doc.Estimates); err != nil {
		v.addMismatch("%v", err)
		v.Gates = doc.Gates
	}
	v.compareGates(doc)
	v.compareTheory(s, doc)
	v.compareBounds(doc)
	v.compareSlopes(doc)
	v.compareCells(s, doc)
	v.Budget = document.Budget(s, v.Gates) // after compareCells, which sets the numbers of samples
	v.compareFields("all gates together", reflect.ValueOf(doc.Budget), reflect.ValueOf(v.Budget))
	v.compareDerived(s, doc)
	v.countUnjudged(doc)
	return v, nil
}

// countUnjudged counts the estimates that no gate judges and that are not computed from others.
func (v *Judgement) countUnjudged(doc *result.Document) {
	gated := map[string]bool{}
	v.UnjudgedByExperiment = map[string]int{}
	for _, g := range v.Gates {
		gated[document.EstimateKey(g.Experiment, g.Cell, g.Quantity, g.Params)] = true
	}
	for _, r := range doc.Estimates {
		isComputed := isFitted(r) || document.IsAgreement(r)
		isGated := gated[document.EstimateKey(r.Experiment, r.Cell, r.Quantity, r.Params)]
		if !isComputed && !isGated {
			v.Unjudged++
			v.UnjudgedByExperiment[r.Experiment]++
		}
	}
}

func (v *Judgement) addMismatch(format string, args ...any) {
	v.Mismatches = append(v.Mismatches, fmt.Sprintf(format, args...))
}

// compareGates compares the recorded gates with the gates of the estimates and the plan.
func (v *Judgement) compareGates(doc *result.Document) {
	if len(v.Gates) != len(doc.Gates) {
		v.addMismatch("the plan has %d gates, the document records %d", len(v.Gates), len(doc.Gates))
		return
	}
	for i, g := range v.Gates {
		v.compareFields(fmt.Sprintf("gate %d, %q of %s", i+1, g.Name, g.Cell), reflect.ValueOf(doc.Gates[i]),
			reflect.ValueOf(g))
	}
}

// encode returns a value as JSON.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("verify: a part of the document cannot be encoded as JSON: " + err.Error())
	}
	return text
}

// compareFields compares a recorded struct with the one that the estimates and the plan give, and
// reports the first different field.
func (v *Judgement) compareFields(what string, recorded, expected reflect.Value) {
	for i := range recorded.NumField() {
		got, want := encode(recorded.Field(i).Interface()), encode(expected.Field(i).Interface())
		if !bytes.Equal(got, want) {
			name, _, _ := strings.Cut(recorded.Type().Field(i).Tag.Get("json"), ",")
			v.addMismatch("%s: the document records %s as its %s, but its estimates and plan give %s", what, got, name,
				want)
			return
		}
	}
}

// tolerance is the largest accepted relative difference of a number that is computed in two ways.
const tolerance = 1e-9

func isClose(a, b float64) bool {
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b), 1e-300)
}

// compareTheory compares the theory and the standard errors of gated estimates with the closed
// forms.
func (v *Judgement) compareTheory(s *schedule.Schedule, doc *result.Document) {
	// Missing estimates are ignored here, since document.Judge reports them.
	_ = document.VisitChecks(s, doc.Estimates, func(_ schedule.PlannedEntry, c gate.Check, r *result.Estimate) {
		theory, se, _ := c.Expected(r.N)
		if !isClose(float64(r.Theory), theory) {
			v.addMismatch("%s of %s: its theory is %v, the closed form %v", r.Quantity, r.Cell, r.Theory, theory)
		}
		hasClosedForm := !math.IsNaN(se)
		areBothZero := se == 0 && !r.SE.Present() // an absent standard error means 0
		if hasClosedForm && !areBothZero && !isClose(float64(r.SE), se) {
			v.addMismatch("%s of %s: its standard error is %v, the closed form %v", r.Quantity, r.Cell, r.SE, se)
		}
	})
}

// compareBounds reports proportions outside [0, 1] and negative standard errors.
func (v *Judgement) compareBounds(doc *result.Document) {
	for _, r := range doc.Estimates {
		e, hasEntry := names.Lookup(names.GroupQuantity, r.Quantity)
		isOutside := float64(r.Value) < -tolerance || float64(r.Value) > 1+tolerance
		if hasEntry && e.IsFraction() && isOutside {
			v.addMismatch("%s of %s is %v, but must be between 0 and 1", r.Quantity, r.Cell, r.Value)
		}
		if r.SE < 0 {
			v.addMismatch("%s of %s has the standard error %v", r.Quantity, r.Cell, r.SE)
		}
	}
}

// isFitted reports whether an estimate is a slope that is fitted to other estimates of the
// document.
func isFitted(r result.Estimate) bool {
	return r.Quantity == names.VarianceSlope && r.Experiment == names.ExperimentExponents
}

// compareSlopes fits the slope of every distribution again with gonum's weighted regression.
func (v *Judgement) compareSlopes(doc *result.Document) {
	slopes := map[string]float64{}
	for name, points := range scores.Slopes(doc) {
		if points.IsDetermined() {
			_, slopes[name] = stat.LinearRegression(points.X, points.Y, points.Weight, false)
		}
	}
	for _, r := range doc.Estimates {
		p, _ := r.Params.Number(names.ParamExponent)
		name, _ := r.Params.Text(names.ParamDistribution)
		slope, isDetermined := slopes[name]
		if !isFitted(r) || !isDetermined && !r.Value.Present() {
			continue
		}
		if !isDetermined {
			v.addMismatch("%s of %s: the estimates do not determine it", r.Quantity, r.Cell)
			continue
		}
		if !(math.Abs(float64(r.Value)-(slope-2*p)) <= tolerance) {
			v.addMismatch("%s of %s, p = %v: the document has %v, a fit to its estimates %v", r.Quantity, r.Cell, p,
				r.Value,
				slope-2*p)
		}
	}
}

// Verdict returns fail if there is a mismatch. Otherwise it returns the verdict of the gates, with
// one exception: if the document was judged only from its estimates and estimatesSuffice is false,
// a pass becomes undecided.
func (v *Judgement) Verdict(estimatesSuffice bool) result.Verdict {
	switch {
	case len(v.Mismatches) > 0:
		return result.Fail
	case v.Basis == FromRows && !estimatesSuffice && v.Budget.Verdict == result.Pass:
		return result.Undecided
	}
	return v.Budget.Verdict
}

// compareCells compares the seed, the cells and their units with the plan. It adds a job to the
// schedule for each cell, with the recorded number of blocks.
func (v *Judgement) compareCells(s *schedule.Schedule, doc *result.Document) {
	if doc.Seed != s.Plan.Seed {
		v.addMismatch("the plan's seed is %d, the document's %d", s.Plan.Seed, doc.Seed)
	}
	if doc.Kernel < 1 || doc.Kernel > kernel.Version {
		v.addMismatch("the document was sampled by kernel %d; this program knows kernels 1 to %d", doc.Kernel,
			kernel.Version)
	}
	cells := document.SampledCells(s)
	if len(cells) != len(doc.Cells) {
		v.addMismatch("the plan has %d cells, the document %d", len(cells), len(doc.Cells))
		return
	}
	for i, c := range cells {
		recorded := doc.Cells[i]
		job := schedule.Job{Cell: &c, Blocks: recorded.Blocks}
		switch {
		case recorded.ID != c.ID:
			v.addMismatch("cell %d is %s, the document has %s", i+1, c.ID, recorded.ID)
			return
		case recorded.Blocks < 1 || job.Units() != recorded.N || recorded.Unit != c.Experiment.Unit:
			v.addMismatch("cell %s: %d blocks have %d %ss, but the document says %d %ss", c.ID, recorded.Blocks,
				job.Units(),
				c.Experiment.Unit, recorded.N, recorded.Unit)
			return
		}
		s.Jobs = append(s.Jobs, job)
	}
}
