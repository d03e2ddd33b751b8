package rows

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
)

// extremeScores returns rows that samples hardly ever have, one in each lane.
func extremeScores(keys int) [][kernel.Width]float32 {
	scores := make([][kernel.Width]float32, keys)
	negative := float32(math.Copysign(0, -1))
	tiny := float32(math.SmallestNonzeroFloat32)
	for j := range scores {
		first, last, odd := j == 0, j == keys-1, j&1 == 1
		pick := func(is bool, a, b float32) float32 {
			if is {
				return a
			}
			return b
		}
		scores[j] = [kernel.Width]float32{
			pick(odd, 1e38, -1e38), pick(first, 1e38, -1e38), pick(last, 1e38, -1e38), pick(last, -1e38, 1e38),
			1e38, -1e38, pick(odd, negative, 0), pick(odd, 0, negative),
			3, pick(j < 2, 7, 1), pick(last, 1e38, 0), pick(first, tiny, 0),
			pick(odd, tiny, -tiny), float32(j) * 1e36, float32(keys-j) * 30, pick(first, 100, 100-1e-5),
		}
	}
	return scores
}

// TestRowsOfExtremeScores checks that every number of a row is in its range, whatever the scores
// and the scale.
func TestRowsOfExtremeScores(t *testing.T) {
	scalings := newScalings(0, 1e-38, 1e-36, 1e-3, 1, 32, 1e6, 1e37, hardFactor)
	for _, keys := range []int{2, 3, 8, 17, 100} {
		scores := extremeScores(keys)
		var peaks kernel.Peaks
		kernel.FindPeaks(scores, &peaks)
		tally := NewTally(keys, scalings, 1, moments.Node{})
		tally.Add(scores, &peaks, nil, nil)
		n := float64(keys)
		const rounding = 70 * 0x1p-24 // of Σe³, by the bound in package kernel
		ranges := [Means][2]float64{
			meanWeight: {1 / n, 1}, meanEntropy: {0, math.Log(n)}, meanTrace: {0, 1}, meanEffective: {1, n},
			meanAbove1: {0, n}, meanAbove5: {0, 20}, meanJacobian: {0, 0.5},
			meanKey: {0, 0.5e74}, // σ²‖J‖_F², since the scores are not products
		}
		for i, s := range scalings {
			for lane := range kernel.Width {
				for column, between := range ranges {
					x := tally.values[i*Means+column][lane]
					if !(x >= between[0]*(1-rounding) && x <= between[1]*(1+rounding)) {
						t.Errorf("%d keys, lane %d times %v: column %d is %v, outside %v", keys, lane, s.Factor, column,
							x, between)
					}
				}
				if s.Factor == 0 {
					if x := tally.values[i*Means+meanWeight][lane]; x != 1/n {
						t.Errorf("%d keys, lane %d: the weight at factor 0 is %v", keys, lane, x)
					}
				}
			}
		}
		for i, h := range tally.Node(false).Histograms {
			if h.Total() != kernel.Width {
				t.Errorf("histogram %d counts %d rows", i, h.Total())
			}
		}
	}
}

// TestHardTies checks that temperature 0 divides all weight equally among the m largest scores.
func TestHardTies(t *testing.T) {
	const keys = 128
	for _, ties := range []int{1, 2, 3, 7, 19, 21, 99, 101, 128} {
		scores := make([][kernel.Width]float32, keys)
		for j := range scores {
			for lane := range kernel.Width {
				scores[j][lane] = float32(lane) - 1 - float32(j)
				if (j+lane)%keys < ties {
					scores[j][lane] = float32(lane) // one of the largest, anywhere in the row
				}
			}
		}
		var peaks kernel.Peaks
		kernel.FindPeaks(scores, &peaks)
		tally := NewTally(keys, []Scaling{{TemperatureAxis.Name, experiment.AxisValue{}, hardFactor}}, 1,
			moments.Node{})
		tally.Add(scores, &peaks, nil, nil)
		m := float64(ties)
		countAbove := func(share float64) float64 {
			if 1/m > share {
				return m
			}
			return 0
		}
		want := [Means]float64{
			meanWeight: 1 / m, meanEntropy: math.Log(m), meanTrace: (1 - 1/m) / (1 - 1.0/keys), meanEffective: m,
			meanAbove1: countAbove(0.01), meanAbove5: countAbove(0.05), meanJacobian: 1 / m * (1 - 1/m),
		}
		for column, x := range want {
			for lane := range kernel.Width {
				if got := tally.values[column][lane]; math.Abs(got-x) > 16*0x1p-52*max(x, 1) {
					t.Errorf("%d ties: column %d is %v, want %v", ties, column, got, x)
				}
			}
		}
	}
}
