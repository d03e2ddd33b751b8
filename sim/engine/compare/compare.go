// Package compare compares two documents, estimate by estimate. It computes the difference, its
// standard error, and whether the difference is significant among all estimates.
//
// If m estimates are tested, a difference is significant if it exceeds z_{α/2m} standard errors;
// z_p is the number that a standard normal number exceeds with probability p. This is Bonferroni's
// rule, which is valid for any dependence between the estimates. If the documents differ only by
// chance, a comparison finds a significant difference with probability at most α. Šidák's rule
// (JASA 62, 1967, 626–633) assumes normal numbers and would increase the level by a factor of less
// than 1 + α/2, which does not justify the assumption.
package compare

import (
	"errors"
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Verdict is the result of comparing one estimate, or all of them.
type Verdict string

const (
	Equal    Verdict = names.ComparedEqual    // the same number
	Within   Verdict = names.ComparedWithin   // another number, but no significant difference
	Differs  Verdict = names.ComparedDiffers  // a significant difference
	Unjudged Verdict = names.ComparedUnjudged // another number, but no standard error of the difference
)

// Side is the estimate in one of the documents.
type Side struct {
	N     int64         `json:"n"`
	Value result.Number `json:"value"`
	SE    result.Number `json:"se"`
}

// EstimatePair is an estimate that both documents have.
type EstimatePair struct {
	EstimateID
	Params     result.Params `json:"params"`
	Old        Side          `json:"old"`
	New        Side          `json:"new"`
	Difference result.Number `json:"difference"` // new − old
	SE         result.Number `json:"se"`         // standard error of the difference; null if it is unknown
	// a larger absolute difference is significant; null if it is not tested
	Limit   result.Number  `json:"limit"`
	Draws   SampleRelation `json:"draws"` // relation between the samples of both estimates
	Verdict Verdict        `json:"verdict"`
	Why     string         `json:"why"` // reason why the pair is not tested; empty if it is
	// the values are equal, but n, the standard error or the theory is not
	SameValueOnly bool `json:"same_value_only"`

	minSE float64 // the limit is computed from SE, but at least from minSE
}

// EstimateID identifies an estimate of a document.
type EstimateID struct {
	Experiment string `json:"experiment"`
	Cell       string `json:"cell"`
	Quantity   string `json:"quantity"`
	Estimator  string `json:"estimator"`
	Point      string `json:"-"` // the parameters as JSON
}

// UnpairedEstimate is an estimate that only one document has.
type UnpairedEstimate struct {
	EstimateID
	Params result.Params `json:"params"`
}

// Comparison is the result of comparing two documents.
type Comparison struct {
	Changes []string           `json:"changes"` // differences in schema, kernel, seed and plan
	Alpha   result.Number      `json:"alpha"`   // probability of any false difference
	Tested  int                `json:"tested"`  // number of estimates that share alpha
	Z       result.Number      `json:"z"`       // limit in standard errors
	Rows    []EstimatePair     `json:"rows"`
	OnlyOld []UnpairedEstimate `json:"only_old"`
	OnlyNew []UnpairedEstimate `json:"only_new"`
	Verdict Verdict            `json:"verdict"`
}

// ErrNothingInCommon is the error of two documents without a common estimate.
var ErrNothingInCommon = errors.New("no estimate in common")

// Documents compares the new document with the old one at the family-wise level alpha, in (0, 1).
func Documents(before, after *result.Document, alpha float64) (*Comparison, error) {
	oldEstimates, err := estimatesByID(before)
	if err != nil {
		return nil, fmt.Errorf("the first document: %w", err)
	}
	newEstimates, err := estimatesByID(after)
	if err != nil {
		return nil, fmt.Errorf("the second document: %w", err)
	}
	c := &Comparison{Changes: describeChanges(before, after), Alpha: result.Number(alpha), Z: result.Absent(),
		Verdict: Equal,
		OnlyOld: []UnpairedEstimate{}, OnlyNew: []UnpairedEstimate{}}
	for _, r := range before.Estimates {
		k := idOf(r)
		if afterEstimate, ok := newEstimates[k]; ok {
			c.addPair(compareEstimates(k, r, afterEstimate, relate(before, after, r.Cell)))
		} else {
			c.OnlyOld = append(c.OnlyOld, UnpairedEstimate{k, r.Params})
		}
	}
	for _, r := range after.Estimates {
		k := idOf(r)
		if _, ok := oldEstimates[k]; !ok {
			c.OnlyNew = append(c.OnlyNew, UnpairedEstimate{k, r.Params})
		}
	}
	if len(c.Rows) == 0 {
		return nil, ErrNothingInCommon
	}
	c.judge()
	return c, nil
}

func idOf(r result.Estimate) EstimateID {
	return EstimateID{Experiment: r.Experiment, Cell: r.Cell, Quantity: r.Quantity, Estimator: r.Estimator,
		Point: r.Params.Key()}
}

// estimatesByID returns the estimates of a document by their IDs. It returns an error if two
// estimates have the same ID.
func estimatesByID(d *result.Document) (map[EstimateID]result.Estimate, error) {
	estimates := map[EstimateID]result.Estimate{}
	for _, r := range d.Estimates {
		k := idOf(r)
		if _, ok := estimates[k]; ok {
			return nil, fmt.Errorf("two estimates %s of %s at %s", k.Quantity, k.Cell, k.Point)
		}
		estimates[k] = r
	}
	return estimates, nil
}

// addPair adds a pair and counts it if it can be tested.
func (c *Comparison) addPair(r EstimatePair) {
	c.Rows = append(c.Rows, r)
	if r.SE.Present() && r.Draws != Same {
		c.Tested++
	}
}

// judge divides alpha among the tested pairs and sets all verdicts.
func (c *Comparison) judge() {
	if c.Tested > 0 {
		c.Z = result.Number(-elementary.Quantile(float64(c.Alpha) / float64(2*c.Tested)))
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		r.setVerdict(float64(c.Z))
		c.Verdict = worseOf(c.Verdict, r.Verdict)
	}
}

// setVerdict sets the limit of the pair to z standard errors, and the verdict.
func (r *EstimatePair) setVerdict(z float64) {
	if r.Draws == Same {
		r.Limit = 0
	} else if r.SE.Present() {
		r.Limit = result.Number(z * max(float64(r.SE), r.minSE))
	}
	switch {
	case isSame(r.Old.Value, r.New.Value):
		r.Verdict = Equal
	case !r.Limit.Present():
		r.Verdict = Unjudged
	case math.Abs(float64(r.Difference)) <= float64(r.Limit):
		r.Verdict = Within
	default: // also if only one of the values is present, since the difference is then NaN
		r.Verdict = Differs
	}
}

// worseOf returns the more serious of two verdicts. Unjudged counts as Within.
func worseOf(a, b Verdict) Verdict {
	switch {
	case a == Differs || b == Differs:
		return Differs
	case a == Equal && b == Equal:
		return Equal
	}
	return Within
}
