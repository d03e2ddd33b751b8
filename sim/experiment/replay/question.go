package replay

import (
	"fmt"
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Question identifies a row of a cell, and the components with which its scores are computed.
type Question struct {
	Seed       uint64
	Cell       experiment.Cell
	Row        int64
	Components Components
}

// Answer has the scores of one row and its softmax under each scaling.
type Answer struct {
	Cell       string        `json:"cell"`
	Seed       uint64        `json:"seed"`
	Row        int64         `json:"row"` // counted from 0
	Params     result.Params `json:"params"`
	Components Components    `json:"components"`
	Scores     []float32     `json:"scores"` // q·k of every key
	Scalings   []Softmax     `json:"scalings"`
}

// Softmax describes the softmax of a row of scores under one scaling.
type Softmax struct {
	Scaling       result.Params `json:"scaling"` // exponent, rule or temperature
	Factor        result.Number `json:"factor"`  // logit/score; null at a temperature of 0
	Logits        []float64     `json:"logits"`  // empty at a temperature of 0
	Weights       []float64     `json:"weights"`
	MaxWeight     float64       `json:"max_weight"`
	EntropyRatio  float64       `json:"entropy_ratio"`
	RelativeTrace float64       `json:"relative_trace"` // R
	// KeyGradient is the norm of the gradient by the keys, divided by its value for uniform weights
	// and logits with standard deviation 1. It is null at a temperature of 0.
	KeyGradient result.Number `json:"relative_key_gradient"`
	Label       string        `json:"label"`
}

// Ask samples the row again, from the stream of the first attempt, and measures it under all
// scalings of the cell. It returns an error if q.Row is negative, or if the rows of the cell cannot
// be sampled again (see [Open]).
func Ask(q Question) (*Answer, error) {
	if q.Row < 0 {
		return nil, fmt.Errorf("there is no row %d; they count from 0", q.Row)
	}
	row, err := SampleRow(q.Seed, 0, q.Cell, q.Row)
	if err != nil {
		return nil, err
	}
	return q.Answer(row), nil
}

// Answer measures the row of the question, which has been sampled already.
func (q Question) Answer(row Row) *Answer {
	a := &Answer{Cell: q.Cell.ID, Seed: q.Seed, Row: q.Row, Params: q.Cell.Params(), Components: q.Components,
		Scores: row.Scores(q.Components)}
	a.Scalings = names.Map(rows.Scalings(q.Cell),
		func(s rows.Scaling) Softmax { return Measure(a.Scores, s, row.Size(q.Components)) })
	return a
}

// Measure returns the softmax of scores under a scaling. It uses the same float32 sums as the
// experiments, so the weights add up to 1 within about 10⁻⁷. size is the result of [Row.Size].
func Measure(scores []float32, scaling rows.Scaling, size float64) Softmax {
	lanes := make([][kernel.Width]float32, len(scores))
	for j, s := range scores {
		lanes[j][0] = s
	}
	var peaks kernel.Peaks
	var sums kernel.RowSums
	var measured [kernel.Width]attention.Row
	kernel.FindPeaks(lanes, &peaks)
	kernel.SumRows(lanes, &peaks, scaling.Factor, &sums)
	attention.FillRows(&sums, len(scores), &measured)

	r := &measured[0]
	m := Softmax{
		Scaling:       scaling.Params(),
		Factor:        result.Number(scaling.Factor),
		Logits:        []float64{},
		MaxWeight:     r.MaxWeight,
		EntropyRatio:  min(1, r.Entropy/elementary.Log(float64(len(scores)))),
		RelativeTrace: r.RelativeTrace(),
	}
	limits := rows.NewLimits(len(scores))
	gradient := float64(scaling.Factor * size * r.JacobianNorm)
	m.KeyGradient = result.Number(limits.RelativeGradient(gradient))
	if scaling.Hard() {
		m.Factor, m.KeyGradient = result.Absent(), result.Absent()
		gradient = math.Inf(1) // a row without gradients is never dead
	}
	m.Label = limits.Label(r.Collision, gradient)
	for _, s := range scores {
		gap := float64(s) - float64(peaks.First[0])
		if !scaling.Hard() {
			m.Logits = append(m.Logits, float64(scaling.Factor*float64(s)))
		}
		m.Weights = append(m.Weights, float64(r.MaxWeight*elementary.Exp(float64(scaling.Factor*gap))))
	}
	return m
}
