package samples

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
)

// Limits of studies. A study reads some rows and keys of some texts and heads again, to find why
// logits are not a multiple of q·k.
const (
	maxStudiedRows  = 64 // number of queries, and of keys, of a text
	maxStudiedTexts = 8
	maxStudiedHeads = 16
)

// readStudyRows returns rows of queries of block's head with the given head of keys. They are from
// the first block of each of the first texts; only the head and the layer of block are used.
func (j *judge) readStudyRows(block headBlock, keyHead int, options inspect.Options) (rows []scalefit.Row) {
	for text := range min(j.Texts, maxStudiedTexts) {
		block.text, block.block = text, 0
		vectors := j.reread(block, keyHead, options)
		vectors.queries, vectors.keys = vectors.queries[:min(maxStudiedRows, len(vectors.queries))],
			vectors.keys[:min(maxStudiedRows, len(vectors.keys))]
		vectors.k = inspect.Vectors{Rows: len(vectors.keys), Dimension: vectors.k.Dimension,
			Data: vectors.k.Data[:len(vectors.keys)*vectors.k.Dimension]}
		for i := range vectors.queries {
			rows = append(rows, j.readVisible(new(fits), vectors, i, options))
		}
	}
	return rows
}

// reread reads a block again. If that fails, it sets err and returns no rows.
func (j *judge) reread(block headBlock, keyHead int, options inspect.Options) blockVectors {
	m, err := j.readBlock(block, keyHead, options)
	if err != nil {
		j.err = err
		return blockVectors{}
	}
	return m
}

// readVisible returns row i of a block without masked pairs, which it counts in f.
func (j *judge) readVisible(f *fits, vectors blockVectors, i int, options inspect.Options) scalefit.Row {
	r, err := j.readRow(vectors, i)
	if err != nil {
		j.err = err
		return scalefit.Row{}
	}
	row, _ := f.selectVisible(r, options, j.Dimension)
	return row
}

// hasPartner reports whether item i of count is compared with item i+1. Each item is compared once,
// but if count is odd, the last item but one is compared twice.
func hasPartner(i, count int) bool { return i+1 < count && (i%2 == 0 || i == count-2) }

// addDifferences pairs rows of a block with other rows that have the same bias, and adds the
// difference of the two rows to f. keyHead is the head of keys.
func (j *judge) addDifferences(f *fits, block headBlock, keyHead int, bias scalefit.Bias) {
	if bias.Texts > 0 && !hasPartner(block.text, j.Texts) {
		return
	}
	vectors := j.reread(block, keyHead, j.options)
	partnerVectors := vectors
	if bias.Texts > 0 {
		block.text += bias.Texts
		partnerVectors = j.reread(block, keyHead, j.options)
	}
	for i, query := range vectors.queries {
		partner, found := slices.BinarySearch(partnerVectors.queries, query+bias.Queries)
		if !found || bias.Queries > 0 && !hasPartner(i, len(vectors.queries)) {
			continue
		}
		x, y := bias.Difference(j.readVisible(f, vectors, i, j.options),
			j.readVisible(f, partnerVectors, partner, j.options))
		var line scalefit.Line
		line.Add(x, y, 0, 0)
		f.joinLine(vectors.headBlock, query, j.Queries, line)
	}
}

// findBias returns the first kind of bias that explains the residuals of at least half of the heads
// with large residuals. It also returns the fits of all rows after this bias is removed, or nil if
// no bias explains the residuals.
func (j *judge) findBias() (bias scalefit.Bias, withoutBias *fits) {
	rawFits := j.fits
	for _, bias = range scalefit.Biases {
		f := j.newFits()
		for _, block := range j.headBlocks() {
			j.addDifferences(f, block, block.keyHead(), bias)
		}
		if j.err != nil {
			break
		}
		const minReduction = 0.9  // of the residual variance
		biased, explained := 0, 0 // numbers of heads
		for h, before := range rawFits.heads {
			if before.Residual() <= maxRounding/100*before.YY {
				continue
			}
			biased++
			after := f.heads[h]
			hasEnoughData := after.DoF >= before.DoF/8 && after.XX >= before.XX/1000
			residual := f.rowResiduals[h].sum / f.rowResiduals[h].dof / 2 // differences have twice the variance
			if hasEnoughData && residual <= (1-minReduction)*rawFits.rowResiduals[h].sum/rawFits.rowResiduals[h].dof {
				explained++
			}
		}
		if explained > 0 && 2*explained >= biased {
			return bias, f
		}
	}
	return bias, nil
}

// findCap fits the function limit·tanh(factor·score/limit) to logits and returns both parameters
// and the largest absolute score. It minimises the residual over the steepness, factor/limit, by a
// golden-section search on the logarithmic scale.
func (j *judge) findCap(block headBlock) (limit, factor, maxScore float64) {
	rows := j.readStudyRows(block, block.keyHead(), j.options)
	for _, r := range rows {
		for _, x := range r.X {
			maxScore = max(maxScore, math.Abs(x))
		}
	}
	if j.err != nil || maxScore == 0 {
		return 0, 0, 0
	}
	// fitCurve returns the regression of logits on tanh(steepness·score), whose slope is the limit.
	fitCurve := func(steepness float64) (f scalefit.Line) {
		for _, r := range rows {
			x := slices.Clone(r.X)
			for i := range x {
				x[i] = elementary.Tanh(float64(steepness * x[i]))
			}
			f.Add(x, slices.Clone(r.Y), 0, 0)
		}
		return f
	}
	lo, hi := elementary.Log(0.01/maxScore), elementary.Log(20/maxScore)
	const golden = 0.6180339887498949
	for hi-lo > 1e-6 {
		a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
		if fitCurve(elementary.Exp(a)).Residual() < fitCurve(elementary.Exp(b)).Residual() {
			hi = b
		} else {
			lo = a
		}
	}
	steepness := elementary.Exp((lo + hi) / 2)
	limit = fitCurve(steepness).Slope()
	return limit, limit * steepness, maxScore
}

// findKeyHead returns the head of keys of the layer whose q·k explains the logits of a query head
// best, and the squared correlation of logits and q·k. Both follow from differences of rows, in
// which the bias cancels.
func (j *judge) findKeyHead(block headBlock, bias scalefit.Bias) (head int, squaredCorrelation float64) {
	for k := range block.layer.key.heads {
		f := j.newFits()
		j.addDifferences(f, block, k, bias)
		if line := f.heads[block.head]; line.YY > 0 && 1-line.Residual()/line.YY > squaredCorrelation {
			head, squaredCorrelation = k, 1-line.Residual()/line.YY
		}
	}
	return head, squaredCorrelation
}
