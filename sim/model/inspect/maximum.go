package inspect

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// maximumBlocks is the number of blocks of a text whose largest scores give the error of the
// largest score. Block i has the i-th eighth of the queries and the i-th eighth of the keys, so
// blocks have no query or key in common.
const maximumBlocks = 8

// blockMaxima holds the largest score of each block.
type blockMaxima [maximumBlocks]float64

// newBlockMaxima returns maxima of no scores.
func newBlockMaxima() (m blockMaxima) {
	for i := range m {
		m[i] = math.Inf(-1)
	}
	return m
}

// join replaces each maximum by the larger one of m and n.
func (m *blockMaxima) join(n blockMaxima) {
	for i, x := range n {
		m[i] = max(m[i], x)
	}
}

// addBlockMaxima adds the scores of a query with the keys of its block. Queries see only the first
// visible keys.
func (s *scorer) addBlockMaxima(m *blockMaxima, panel [][kernel.Width]float32, query, visible int) {
	block := query * maximumBlocks / s.queries.Rows
	start, end := block*s.keys/maximumBlocks, min((block+1)*s.keys/maximumBlocks, visible)
	peak := float32(math.Inf(-1))
	for key := start; key < end; key++ {
		peak = max(peak, panel[key][query%kernel.Width])
	}
	m[block] = max(m[block], s.score(peak, query))
}

// newMaximumEstimate returns the estimate of the expected largest logit of a file, which is the
// mean over all files of this kind. Its value is the largest logit of this file. headTexts holds
// all given heads of the first text, then of the next, and so on.
//
// The distribution of the largest of many logits is nearly Gumbel's (Gumbel, Statistics of
// Extremes, 1958). The largest of several independent Gumbel variables is a Gumbel variable of the
// same standard deviation. So the standard deviation of the maxima of blocks, or of texts, is the
// standard error. For normal logits it decreases slowly with the number of logits, so blocks
// overestimate the error. Of several texts, the larger of both standard deviations is used, since
// few maxima may lie close together by chance.
func newMaximumEstimate(headTexts []HeadText, heads int, scale float64) Estimate {
	var textMaxima []float64
	blockVariance, texts := 0.0, float64(len(headTexts)/heads)
	for text := range slices.Chunk(headTexts, heads) {
		blocks, maxScore := newBlockMaxima(), math.Inf(-1)
		for _, head := range text {
			blocks.join(head.blockMaxima)
			maxScore = max(maxScore, head.maxScore)
		}
		blockVariance += variance(blocks[:]) / texts
		textMaxima = append(textMaxima, maxScore)
	}
	e, maxVariance := undefined, blockVariance
	e.dof = maximumBlocks - 1
	if texts > 1 {
		maxVariance, e.dof = max(blockVariance, variance(textMaxima)), texts-1
	}
	e.Value = result.Number(slices.Max(textMaxima) * scale)
	if math.IsNaN(maxVariance) || math.IsInf(maxVariance, 0) { // no softmax, or a block without pairs
		return e
	}
	e.isMaximum, e.SE = true, result.Number(math.Sqrt(maxVariance)*scale)
	lo, hi := e.interval((1 - coverage) / 2)
	e.Lo, e.Hi = result.Number(lo), result.Number(hi)
	return e
}

// maximumInterval returns the interval of a Gumbel variable's mean, from one value of the variable
// and its estimated standard deviation. The lower limit uses Gumbel's quantile, widened by the
// ratio of Student's and normal quantiles. The upper limit uses Student's quantile, which is larger
// than Gumbel's. It allows for the correlation of the value with the estimated standard deviation,
// both of which are often small together.
func (e Estimate) maximumInterval(tail float64) (lo, hi float64) {
	const eulerGamma = 0.5772156649015329 // mean of the standard Gumbel distribution; its variance is π²/6
	student := theory.StudentQuantile(tail, e.dof)
	gumbel := (-elementary.Log(-elementary.Log(1-tail)) - eulerGamma) * math.Sqrt(6) / math.Pi
	value, se := float64(e.Value), float64(e.SE)
	return value - float64(se*gumbel)*student/-elementary.Quantile(tail), value + float64(student*se)
}
