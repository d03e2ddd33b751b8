package experiment

import (
	"math"
	"strings"

	"mcsim/sim/moments"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// restated makes what one scaling's rows say again from the rows themselves:
// theory, intervals, and the quantities that follow from others. Quantiles,
// whose histograms are not told, are taken over, with an interval or without.
func (f *Findings) restated(c Cell, s scaling, n, matrix int64, rows []result.Estimate, t theory.Softmax, known, gradient bool) {
	of := rowsOf{rows: make([]moments.Moments, rowMeans), matrices: make([]moments.Moments, rowMeans), matrix: matrix, shares: make([]int64, rowShares)}
	told := map[string]result.Estimate{}
	for _, r := range rows {
		told[r.Quantity] = r
	}
	for _, q := range meanQuantities {
		of.rows[q.column].N = n
		if r, ok := told[q.name]; ok && q.of == nil {
			of.matrices[q.column] = q.independent(r, n/matrix)
			of.rows[q.column].Mean = of.matrices[q.column].Mean
		}
	}
	for i, name := range shareNames {
		of.shares[i] = int64(math.Round(float64(told[name].Value) * float64(n)))
	}
	f.addMeans(c, s, of, t, known, gradient)
	f.addShares(c, s, of)
	for _, r := range rows {
		if i := strings.LastIndex(r.Quantity, "_q"); i < 0 || len(r.Quantity) != i+len("_q50") {
			continue
		}
		if !r.Level.Present() {
			f.warn(r, "no interval")
		}
		f.Rows = append(f.Rows, r)
	}
}

// independent are the moments of as many independent numbers that give the row
// again. Whether their kurtosis lets it have an interval, the row itself says.
func (q meanQuantity) independent(r result.Estimate, count int64) moments.Moments {
	value, se := float64(r.Value), float64(r.SE)
	if q.root {
		se *= 2 * value
		value *= value
	}
	kurtosis := 1.0
	if !r.Level.Present() {
		kurtosis = float64(count)
	}
	return momentsLike(count, rowOrder, value, float64(float64(se*se)*float64(count)), 0, kurtosis)
}

// rowsAt are the rows of one scaling among a cell's.
func rowsAt(rows []result.Estimate, s scaling) []result.Estimate {
	var out []result.Estimate
	for _, r := range rows {
		if r.Params[s.axis] == s.value.Any() {
			out = append(out, r)
		}
	}
	return out
}
