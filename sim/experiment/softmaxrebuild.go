package experiment

import (
	"math"

	"mcsim/sim/moments"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// restated makes what one scaling's rows say again from the rows themselves:
// theory, intervals, and the quantities that follow from others.
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
	for _, q := range meanQuantities { // R near 1 may have no error, and Σα² one
		if base := &of.matrices[q.column]; q.of != nil && math.IsNaN(base.Sum[2]) && told[q.name].SE.Present() {
			r := told[q.name]
			factor, _ := q.of(float64(c.keys()))
			mean := base.Mean
			*base = q.independent(result.Estimate{Value: r.Value, SE: r.SE / result.Number(math.Abs(factor)), Level: r.Level}, n/matrix)
			base.Mean = mean
		}
	}
	left := n // of which every row has one label, the last if no other
	for i, name := range shareNames {
		of.shares[i] = countOf(told[name], n)
		if i == dead {
			of.shares[i] = left
		}
		if i >= healthy {
			left = max(0, left-of.shares[i])
		}
	}
	f.addMeans(c, s, of, t, known, gradient)
	f.addShares(c, s, of)
	f.restatedQuantiles(c, s, n, told, gradient)
}

// countOf is how many of n numbers a share is, between none and all of them.
func countOf(r result.Estimate, n int64) int64 {
	if !r.Value.Present() {
		return 0
	}
	return int64(math.Round(float64(min(max(float64(r.Value), 0), 1) * float64(n))))
}

// restatedQuantiles makes the quantiles say again what they can. Histograms are
// not told: of each quantity the quantiles and the ends of their intervals rise,
// a quantile lies in its interval, which makes its error; and Σα² and 1/Σα² are
// what R makes them. With an interval or without is taken over.
func (f *Findings) restatedQuantiles(c Cell, s scaling, n int64, told map[string]result.Estimate, gradient bool) {
	keys := float64(c.keys())
	for _, q := range quantileQuantities(keys) {
		if q.gradient && !gradient {
			continue
		}
		var last result.Estimate
		for i, point := range quantilePoints {
			r := c.scaled(s, q.name+"_"+point.name, n, math.NaN(), math.NaN())
			was, ok := told[r.Quantity]
			if !ok { // which the number of rows will tell
				f.Rows = append(f.Rows, r)
				continue
			}
			r.Value, r.SE, r.Lo, r.Hi, r.Level = was.Value, was.SE, was.Lo, was.Hi, was.Level
			if q.ofSurvival != nil {
				at := point
				if q.falling {
					at = quantilePoints[len(quantilePoints)-1-i]
				}
				r.Value, r.Lo, r.Hi = q.follow(told["gradient_survival_"+at.name])
			}
			if i > 0 {
				r.Value, r.Lo, r.Hi = noLess(r.Value, last.Value), noLess(r.Lo, last.Lo), noLess(r.Hi, last.Hi)
			}
			if r.Level.Present() {
				r.Level, r.Lo, r.Hi = Level, min(r.Lo, r.Value), max(r.Hi, r.Value)
				if certain := r.Value == result.Number(q.back(math.Inf(-1))) || r.Value == result.Number(q.back(math.Inf(1))); r.SE.Present() || !certain {
					r.SE = result.Number(float64(r.Hi-r.Lo) / (2 * levelZ))
				}
			} else {
				r.SE, r.Lo, r.Hi = result.Absent(), result.Absent(), result.Absent()
				f.warn(r, "no interval")
			}
			last = r
			f.Rows = append(f.Rows, r)
		}
	}
}

// follow are a quantile and its interval as those of R give them.
func (q quantileQuantity) follow(of result.Estimate) (value, lo, hi result.Number) {
	at := func(x result.Number) result.Number { return result.Number(q.ofSurvival(float64(x))) }
	if q.falling {
		return at(of.Value), at(of.Hi), at(of.Lo)
	}
	return at(of.Value), at(of.Lo), at(of.Hi)
}

// noLess is x, or what it must not be less than; what is absent stays so.
func noLess(x, least result.Number) result.Number {
	if x < least {
		return least
	}
	return x
}

// independent are the moments of as many independent numbers that give the row
// again.
func (q meanQuantity) independent(r result.Estimate, count int64) moments.Moments {
	if q.root {
		r.SE *= 2 * r.Value
		r.Value *= r.Value
	}
	return ownMoments(r, count)
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
