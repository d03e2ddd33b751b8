// Package result defines the document that passes from computing to rendering: results.json, its
// estimates as CSV, and its digest. It holds plain data and codecs, and computes nothing.
//
// A [Document] has the plan, the sampled cells, an [Estimate] of every quantity with its standard
// error and its theory, the [Gate]s with their verdicts, and further tables of the report. [Encode]
// writes it. [Decode] reads it, and refuses a document that is truncated or was changed. A [Number]
// may be absent, which is null in JSON.
package result

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Schema is the format of results.json. A reader refuses all other formats.
const Schema = "mcsim/results/4"

// Document is the result of a run. The same plan and seed give the same encoding on every machine.
type Document struct {
	Schema    string          `json:"schema"`
	Digest    string          `json:"digest"` // SHA-256 of the encoding with this field empty
	Kernel    int             `json:"kernel"` // version of the sampled bits
	Seed      uint64          `json:"seed"`
	Plan      json.RawMessage `json:"plan"` // the plan that was run, complete
	Cells     []Cell          `json:"cells"`
	Estimates []Estimate      `json:"estimates"`
	Curves    []Curve         `json:"curves"`
	Gates     []Gate          `json:"gates"`
	Budget    Budget          `json:"budget"`
	Warnings  []Warning       `json:"warnings"`
	Schemes   []Scheme        `json:"schemes,omitempty"`
	Models    []Model         `json:"models,omitempty"`
	Examples  []Example       `json:"examples,omitempty"`
	Claims    []Claim         `json:"claims,omitempty"`

	index *index // index of the estimates; nil before Index
}

// Number is a float64. It is absent, and null in JSON, if it is infinite or NaN.
type Number float64

// Absent returns a Number that is not present.
func Absent() Number { return Number(math.NaN()) }

// Present reports whether n is a finite number.
func (n Number) Present() bool {
	return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0)
}

// MarshalJSON writes null for a number that is not present.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Present() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as an absent number.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Absent()
		return nil
	}
	x, err := strconv.ParseFloat(string(b), 64)
	*n = Number(x)
	return err
}

// Params maps parameters to numbers (float64) or names (string).
type Params map[string]any

// Number returns the named numeric parameter, and whether p has it.
func (p Params) Number(name string) (float64, bool) {
	x, ok := p[name].(float64)
	return x, ok
}

// Text returns the named text parameter, and whether p has it.
func (p Params) Text(name string) (string, bool) {
	s, ok := p[name].(string)
	return s, ok
}

// Key returns the parameters as JSON, to be the key of a map.
func (p Params) Key() string {
	b, err := json.Marshal(p)
	if err != nil {
		panic("result: params that JSON cannot hold")
	}
	return string(b)
}

// Cell is a cell that was sampled.
type Cell struct {
	ID     string `json:"id"`
	Unit   string `json:"unit"`   // unit that N counts
	N      int64  `json:"n"`      // sampled units
	Blocks int64  `json:"blocks"` // blocks of work that make up N
}

// Estimate is one measured quantity with its theory.
type Estimate struct {
	Experiment string `json:"experiment"`
	Cell       string `json:"cell"` // ID of the cell, or a pattern if the quantity combines cells
	Params     Params `json:"params"`
	Quantity   string `json:"quantity"`
	Estimator  string `json:"estimator"`
	N          int64  `json:"n"`
	Value      Number `json:"value"`
	SE         Number `json:"se"`
	Lo         Number `json:"lo"` // bounds of the confidence interval; null if none has this level
	Hi         Number `json:"hi"`
	Level      Number `json:"level"` // confidence level of [Lo, Hi]
	Theory     Number `json:"theory"`
	TheoryKind string `json:"theory_kind"` // exact, quadrature, limit or none
	// Resolution is the width of the bin that a quantile was read from. It is 0 if the width is
	// below a tenth of the standard error, or if nothing was binned.
	Resolution Number `json:"resolution,omitzero"`
}

// Curve is a curve of theory or, if its kind is drawn, a line through samples.
type Curve struct {
	Experiment string   `json:"experiment"`
	Quantity   string   `json:"quantity"`
	Params     Params   `json:"params"`
	Axis       string   `json:"axis"`
	X          []Number `json:"x"`
	Y          []Number `json:"y"`
	Kind       string   `json:"kind"`
}

// Verdict is the verdict of a gate.
type Verdict string

const (
	Pass      Verdict = "pass"
	Fail      Verdict = "fail"
	Undecided Verdict = "undecided"
)

// Worse returns the worse of two verdicts: fail, then undecided, then pass.
func Worse(a, b Verdict) Verdict {
	switch {
	case a == Fail || b == Fail:
		return Fail
	case a == Undecided || b == Undecided:
		return Undecided
	}
	return Pass
}

// Gate is a test with its verdict.
type Gate struct {
	Name       string    `json:"name"`
	Expect     string    `json:"expect"` // inside or outside the band; for proportions: at least, at most
	Experiment string    `json:"experiment"`
	Cell       string    `json:"cell"`
	Params     Params    `json:"params"`
	Quantity   string    `json:"quantity"`
	Value      Number    `json:"value"`
	SE         Number    `json:"se"`
	Lo         Number    `json:"lo"` // bounds of the interval that is compared with the band
	Hi         Number    `json:"hi"`
	Band       [2]Number `json:"band"`
	Verdict    Verdict   `json:"verdict"`
	NToDecide  *int64    `json:"n_to_decide"` // null unless undecided
	// NormalError is the relative error of the normal approximation to the tail probability of the
	// estimate at the limits, before they are corrected for skewness.
	NormalError Number `json:"normal_error"`
	// SingleProduct is the probability that one product of components decides the gate wrongly,
	// divided by the part of the declared error rate that is reserved for this event. It is null if
	// the gate does not need it.
	SingleProduct Number `json:"single_product"`
}

// Budget is the error budget of all gates together.
type Budget struct {
	Alpha Number `json:"alpha"` // P(a gate is not passed | theory holds for all gates)
	Beta  Number `json:"beta"`  // P(all gates pass | a true value is on or beyond the limits)
	Gates int    `json:"gates"`
	// Short counts the gates with fewer samples than Alpha and Beta require. If there are any,
	// Alpha bounds the probability of a failed gate, but not the probability of an undecided one.
	Short   int     `json:"short"`
	Verdict Verdict `json:"verdict"`
}

// Scheme describes an initialisation, or a rule that turns a score into a logit. Formulas are texts
// in which D is d_model, d is d_k, H is the number of heads, and S is q·k.
type Scheme struct {
	Experiment string `json:"experiment"`
	Name       string `json:"name"`
	Title      string `json:"title,omitempty"`
	Framework  string `json:"framework,omitempty"`
	Source     string `json:"source,omitempty"`
	Note       string `json:"note,omitempty"`
	Entry      string `json:"entry,omitempty"` // variance of an entry of the weights
	Query      string `json:"query,omitempty"` // variance of a component of a query
	Key        string `json:"key,omitempty"`   // variance of a component of a key
	Scale      string `json:"scale,omitempty"` // factor of q·k
	Logit      string `json:"logit,omitempty"` // variance of the logit; for a rule the logit itself
}

// Model is a published model whose heads have the shape of heads in the document.
type Model struct {
	Name  string `json:"name"`
	Model int    `json:"d_model"`
	Key   int    `json:"d_k"`
	Heads int    `json:"heads"` // number of query heads; not always d_model/d_k
}

// Warning is a caveat about an estimate.
type Warning struct {
	Cell     string `json:"cell"`
	Quantity string `json:"quantity"`
	Text     string `json:"text"`
}

// AddScheme adds s if the document does not have it.
func (d *Document) AddScheme(s Scheme) {
	if !slices.Contains(d.Schemes, s) {
		d.Schemes = append(d.Schemes, s)
	}
}

// AddModel adds m if the document does not have it.
func (d *Document) AddModel(m Model) {
	if !slices.Contains(d.Models, m) {
		d.Models = append(d.Models, m)
	}
}
