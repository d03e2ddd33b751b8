package example

import (
	"math"
	"strconv"

	"mcsim/sim/attention"
	"mcsim/sim/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// printedRow is a row of logits that a source prints, with its weights.
type printedRow struct {
	id, source string
	scores     []float64 // of which the logits are, divided by √512; none where the logits are given
	logits     []string
	exact      bool // the logits are scores that the source chose, which nothing was rounded to
	weights    []string
	// largest and entropy of the weights, and the largest entropy, where the source has them.
	largest, entropy, most string
}

// scoresDivided is d_k of the scores that the sources divide.
const scoresDivided = 512

// printedRows are the rows that the sources print, in the order of the sources.
var printedRows = []printedRow{
	{id: "units", source: names.SourceSeries, exact: true,
		logits: []string{"2.0", "1.0", "1.0"}, weights: []string{"0.50", "0.25", "0.25"}},
	{id: "tens", source: names.SourceSeries, exact: true,
		logits: []string{"20", "10", "10"}, weights: []string{"0.99", "0.005", "0.005"}},
	{id: "hundreds", source: names.SourceSeries, exact: true,
		logits: []string{"200", "100", "100"}, weights: []string{"1.00", "0.00", "0.00"}},
	{id: "hundreds-scaled", source: names.SourceSeries, scores: []float64{200, 100, 100},
		logits: []string{"8.8", "4.4", "4.4"}, weights: []string{"0.90", "0.05", "0.05"}},
	{id: "eight-keys", source: "lesson-widget",
		logits:  []string{"-0.11", "0.29", "0.85", "1.01", "-0.30", "-1.17", "0.32", "1.12"},
		weights: []string{"7.0%", "10.4%", "18.2%", "21.5%", "5.8%", "2.4%", "10.7%", "23.9%"},
		largest: "24%", entropy: "1.90", most: "2.08"},
	{id: "close-scores", source: names.SourceNotes, exact: true,
		logits: []string{"20", "22", "18", "21"}, weights: []string{"0.018", "0.731", "0.002", "0.249"}},
	{id: "close-scores-scaled", source: names.SourceNotes, scores: []float64{20, 22, 18, 21},
		logits: []string{"0.88", "0.97", "0.80", "0.93"}, weights: []string{"0.227", "0.249", "0.210", "0.314"}},
	{id: "spread-scores", source: names.SourceNotes, exact: true,
		logits: []string{"-15", "8", "22", "-3"}, weights: []string{"0.00", "0.00", "1.00", "0.00"}},
	{id: "spread-scores-scaled", source: names.SourceNotes, scores: []float64{-15, 8, 22, -3},
		logits: []string{"-0.66", "0.35", "0.97", "-0.13"}, weights: []string{"0.12", "0.32", "0.47", "0.20"}},
}

// example recomputes the row: logits of the scores, weights of the logits as printed, and
// what is said of the weights.
func (r printedRow) example() result.Example {
	row := []string{"row"}
	keys := make([]string, len(r.logits))
	for j := range keys {
		keys[j] = strconv.Itoa(j + 1)
	}
	given, _ := readAll(r.logits)
	logits := matrix(names.StepLogits, given, row, keys)
	logits.Source, logits.Printed = r.source, r.logits // which nobody judges: they are where the row begins
	e := of(r.id)
	if r.scores != nil {
		scores := matrix(names.StepScores, r.scores, row, keys)
		scores.Source = r.source
		divided := names.Each(r.scores, func(s float64) float64 { return s / math.Sqrt(scoresDivided) })
		logits = against(matrix(names.StepLogits, divided, row, keys), r.source, r.logits, nil)
		e.Steps = append(e.Steps, scores)
	}
	weights := append([]float64(nil), given...)
	attention.Softmax(weights)
	var rounded *bounds
	if !r.exact {
		rounded = &bounds{}
		corners(r.logits, func(weights []float64) { rounded.hold(0, weights) })
	}
	sharpness := measures(attention.Of(weights, 1, 1, 1, len(weights)), []int{len(weights)}, row)
	if r.largest != "" {
		sharpness = against(sharpness, r.source, []string{r.largest, r.entropy, "", ""}, nil)
	}
	e.Steps = append(e.Steps, logits, against(matrix(names.StepWeights, weights, row, keys), r.source, r.weights, rounded), sharpness)
	if r.most != "" {
		most := matrix("largest_entropy", []float64{elementary.Log(float64(len(given)))}, row, []string{names.Entropy})
		e.Steps = append(e.Steps, against(most, r.source, []string{r.most}, nil))
	}
	return e
}
