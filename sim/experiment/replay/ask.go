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

// Question asks for one row of a cell, under all its scalings.
type Question struct {
	Seed uint64
	Cell experiment.Cell
	Row  int64
	Of   Components
}

// Answer is the row: what was drawn, and what softmax makes of it.
type Answer struct {
	Cell       string        `json:"cell"`
	Seed       uint64        `json:"seed"`
	Row        int64         `json:"row"` // counting from 0
	Params     result.Params `json:"params"`
	Components Components    `json:"components"`
	Scores     []float32     `json:"scores"` // q·k of every key
	Scalings   []Softmax     `json:"scalings"`
}

// Softmax is what softmax makes of a row of scores under one scaling.
type Softmax struct {
	Scaling       result.Params `json:"scaling"` // exponent, rule or temperature
	Factor        result.Number `json:"factor"`  // by which a score is multiplied; null at a temperature of 0
	Logits        []float64     `json:"logits"`  // none at a temperature of 0
	Weights       []float64     `json:"weights"`
	MaxWeight     float64       `json:"max_weight"`
	EntropyRatio  float64       `json:"entropy_ratio"`
	RelativeTrace float64       `json:"relative_trace"` // R
	// the gradient at the keys over that of uniform weights and logits of standard deviation 1;
	// null at a temperature of 0
	KeyGradient result.Number `json:"relative_key_gradient"`
	Label       string        `json:"label"`
}

// Ask draws the row again and measures it.
func Ask(q Question) (*Answer, error) {
	if q.Row < 0 {
		return nil, fmt.Errorf("there is no row %d; they count from 0", q.Row)
	}
	row, err := Alone(q.Seed, 0, q.Cell, q.Row)
	if err != nil {
		return nil, err
	}
	return q.Answer(row), nil
}

// Answer returns the answer for a row that is drawn.
func (q Question) Answer(row Row) *Answer {
	a := &Answer{Cell: q.Cell.ID, Seed: q.Seed, Row: q.Row, Params: q.Cell.Params(), Components: q.Of,
		Scores: row.Scores(q.Of)}
	a.Scalings = names.Map(rows.Scalings(q.Cell),
		func(s rows.Scaling) Softmax { return Measure(a.Scores, s, row.Size(q.Of)) })
	return a
}

// Measure returns what softmax makes of scores, by the sums that the experiments make. These
// are in float32, so that weights add up to 1 within some 10⁻⁷. The size is that of Row.Size.
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
	softmax := Softmax{Scaling: result.Params{scaling.Axis: scaling.Value.Any()}, Factor: result.Number(scaling.Factor),
		Logits: []float64{}, MaxWeight: r.MaxWeight,
		EntropyRatio: min(1, r.Entropy/elementary.Log(float64(len(scores)))), RelativeTrace: r.RelativeTrace()}
	limits := rows.NewLimits(len(scores))
	gradient := float64(scaling.Factor * size * r.JacobianNorm)
	softmax.KeyGradient = result.Number(limits.RelativeGradient(gradient))
	if scaling.Hard() {
		softmax.Factor, softmax.KeyGradient, gradient = result.Absent(), result.Absent(), math.Inf(1)
	}
	softmax.Label = limits.Label(r.Collision, gradient)
	for _, s := range scores {
		gap := float64(s) - float64(peaks.First[0])
		if !scaling.Hard() {
			softmax.Logits = append(softmax.Logits, float64(scaling.Factor*float64(s)))
		}
		softmax.Weights = append(softmax.Weights, float64(r.MaxWeight*elementary.Exp(float64(scaling.Factor*gap))))
	}
	return softmax
}
