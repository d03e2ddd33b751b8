package gate

import (
	"math"

	"mcsim/sim/elementary"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// Power is the chance with which a gate on a mean of bounded numbers must notice the
// shift that it states: it then does not pass.
const Power = 0.9

// detectable is the smallest shift of what a gate on a mean of bounded numbers judges
// that it notices with the chance Power. The limits of such a gate hold for every law
// and are wide for most, so that this does not follow from its band alone.
//
// The gate passes where the estimate lies between two values. Its law about the shifted
// mean is taken for normal, with the standard error of the row, so that the shift to a
// side leaves the estimate between these values with the chance 1 − Power. Of both
// sides the larger shift is stated; a side on which the quantity ends before is left
// out. It is absent where neither is left, and where even without a shift the gate
// passes no oftener than that.
func detectable(c Check, row result.Estimate, r Rates) result.Number {
	want, _, band := c.At(row.N)
	low, high, any := passing(c, row.N, band, r)
	se := float64(row.SE)
	if math.IsNaN(se) {
		se = 0
	}
	if !any || chanceToPass(want, low, high, se) <= 1-Power {
		return result.Absent()
	}
	largest := result.Absent()
	for _, end := range []float64{c.Bounded.Back(0), c.Bounded.Back(1)} {
		if shift, ok := noticed(want, end, low, high, se); ok && !(shift <= float64(largest)) {
			largest = result.Number(shift)
		}
	}
	return largest
}

// passing are the least and the greatest estimate of n numbers with which the gate
// passes; any is false where there is none. An estimate leaves an edge of the band just
// possible if it lies as far from that edge as an estimate of it may.
func passing(c Check, n int64, band [2]float64, r Rates) (low, high float64, any bool) {
	low, high = c.Bounded.Back(0), c.Bounded.Back(1)
	if band[0] > low {
		_, low = c.Bounded.Reach(band[0], n, r.Beta)
	}
	if band[1] < high {
		high, _ = c.Bounded.Reach(band[1], n, r.Beta)
	}
	return low, high, low < high
}

// noticed is the shift of the mean towards an end of the quantity's range with which the
// gate passes with the chance 1 − Power; ok is false where the end comes before.
func noticed(want, end, low, high, se float64) (shift float64, ok bool) {
	if chanceToPass(end, low, high, se) > 1-Power {
		return 0, false
	}
	at := theory.Farthest(want, end, func(mean float64) bool { return chanceToPass(mean, low, high, se) > 1-Power })
	return math.Abs(at - want), true
}

// chanceToPass is the chance that a normal estimate of that mean and standard error lies
// between low and high.
func chanceToPass(mean, low, high, se float64) float64 {
	if se == 0 {
		if mean >= low && mean <= high {
			return 1
		}
		return 0
	}
	below := func(x float64) float64 { return float64(elementary.Erfc((mean-x)/(se*math.Sqrt2)) / 2) }
	return below(high) - below(low)
}
