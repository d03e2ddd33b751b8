// Package compare holds two documents against each other, row by row: what is
// the difference, how large is its standard error, and does it stand out when
// all rows are looked at together?
//
// Over m rows that are tested, a difference is significant where it exceeds
// z_{α/2m} of its standard errors. That is Bonferroni's rule, which holds
// whatever the dependence between the rows; Šidák's, which holds for normal
// numbers of any correlation (JASA 62, 1967, 626–633), would gain a factor of
// less than 1 + α/2 in the level, so its assumption is not worth making. Where
// nothing but chance tells the documents apart, a comparison finds anything
// significant with a chance of at most α.
package compare

import (
	"errors"
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Verdict is the result of comparing a row, or all of them.
type Verdict string

const (
	Equal    Verdict = names.ComparedEqual    // the same number
	Within   Verdict = names.ComparedWithin   // another number, but no significant difference
	Differs  Verdict = names.ComparedDiffers  // a significant difference
	Unjudged Verdict = names.ComparedUnjudged // another number, and no honest error to hold it against
)

// Side is a row in one of the documents.
type Side struct {
	N     int64         `json:"n"`
	Value result.Number `json:"value"`
	SE    result.Number `json:"se"`
}

// Row is a row that both documents have.
type Row struct {
	Key
	Params     result.Params `json:"params"`
	Old        Side          `json:"old"`
	New        Side          `json:"new"`
	Difference result.Number `json:"difference"` // new − old
	SE         result.Number `json:"se"`         // of the difference; null where it is not known
	// beyond it the difference is significant; null where it is not tested
	Limit   result.Number `json:"limit"`
	Draws   Draws         `json:"draws"`
	Verdict Verdict       `json:"verdict"`
	Why     string        `json:"why"` // why it is not tested; empty if it is
	// the same number, but of another n, or with another error or theory
	SameValueOnly bool `json:"same_value_only"`

	floor float64 // least error that the limit may be reckoned with
}

// Key identifies a row of a document.
type Key struct {
	Experiment string `json:"experiment"`
	Cell       string `json:"cell"`
	Quantity   string `json:"quantity"`
	Estimator  string `json:"estimator"`
	Point      string `json:"-"` // the params as JSON
}

// Lone is a row that only one document has.
type Lone struct {
	Key
	Params result.Params `json:"params"`
}

// Comparison is the result of comparing two documents.
type Comparison struct {
	Changes []string      `json:"changes"` // what is not the same in plan, seed and kernel
	Alpha   result.Number `json:"alpha"`   // chance that any row differs by chance alone
	Tested  int           `json:"tested"`  // rows that share alpha
	Z       result.Number `json:"z"`       // standard errors beyond which a row differs
	Rows    []Row         `json:"rows"`
	OnlyOld []Lone        `json:"only_old"`
	OnlyNew []Lone        `json:"only_new"`
	Verdict Verdict       `json:"verdict"`
}

// ErrNothingInCommon is the error of two documents that share no row.
var ErrNothingInCommon = errors.New("have no row in common")

// Documents compares the new document with the old one at the family-wise level alpha, in (0, 1).
func Documents(before, after *result.Document, alpha float64) (*Comparison, error) {
	olds, err := index(before)
	if err != nil {
		return nil, fmt.Errorf("the first document %w", err)
	}
	news, err := index(after)
	if err != nil {
		return nil, fmt.Errorf("the second document %w", err)
	}
	c := &Comparison{Changes: changes(before, after), Alpha: result.Number(alpha), Z: result.Absent(), Verdict: Equal,
		OnlyOld: []Lone{}, OnlyNew: []Lone{}}
	for _, r := range before.Estimates {
		k := keyOf(r)
		if other, ok := news[k]; ok {
			c.add(compareRows(k, r, other, relate(before, after, r.Cell)))
		} else {
			c.OnlyOld = append(c.OnlyOld, Lone{k, r.Params})
		}
	}
	for _, r := range after.Estimates {
		k := keyOf(r)
		if _, ok := olds[k]; !ok {
			c.OnlyNew = append(c.OnlyNew, Lone{k, r.Params})
		}
	}
	if len(c.Rows) == 0 {
		return nil, ErrNothingInCommon
	}
	c.judge()
	return c, nil
}

// keyOf returns the key of a row.
func keyOf(r result.Estimate) Key {
	return Key{Experiment: r.Experiment, Cell: r.Cell, Quantity: r.Quantity, Estimator: r.Estimator,
		Point: r.Params.Key()}
}

// index maps the rows of a document by their keys. It refuses two rows of one key.
func index(d *result.Document) (map[Key]result.Estimate, error) {
	rows := map[Key]result.Estimate{}
	for _, r := range d.Estimates {
		k := keyOf(r)
		if _, ok := rows[k]; ok {
			return nil, fmt.Errorf("has two rows %s of %s at %s", k.Quantity, k.Cell, k.Point)
		}
		rows[k] = r
	}
	return rows, nil
}

// add adds a row, and counts it if it can be tested.
func (c *Comparison) add(r Row) {
	c.Rows = append(c.Rows, r)
	if r.SE.Present() && r.Draws != Same {
		c.Tested++
	}
}

// judge divides alpha among the rows that are tested and sets their verdicts.
func (c *Comparison) judge() {
	if c.Tested > 0 {
		c.Z = result.Number(-elementary.Quantile(float64(c.Alpha) / float64(2*c.Tested)))
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		r.judge(float64(c.Z))
		c.Verdict = worse(c.Verdict, r.Verdict)
	}
}

// judge sets the verdict of the row for a limit of z standard errors.
func (r *Row) judge(z float64) {
	if r.Draws == Same {
		r.Limit = 0
	} else if r.SE.Present() {
		r.Limit = result.Number(z * max(float64(r.SE), r.floor))
	}
	switch {
	case r.Old.Value == r.New.Value, !r.Old.Value.Present() && !r.New.Value.Present():
		r.Verdict = Equal
	case !r.Limit.Present():
		r.Verdict = Unjudged
	case math.Abs(float64(r.Difference)) <= float64(r.Limit):
		r.Verdict = Within
	default: // NaN, the difference from an absent number, ends here too
		r.Verdict = Differs
	}
}

// worse returns the more serious of two verdicts, ignoring Unjudged.
func worse(a, b Verdict) Verdict {
	switch {
	case a == Differs || b == Differs:
		return Differs
	case a == Equal && b == Equal:
		return Equal
	}
	return Within
}
