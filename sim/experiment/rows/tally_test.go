package rows

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
)

// extremeScores returns rows of scores that hardly ever occur in samples, a different one in each
// lane.
func extremeScores(keys int) [][kernel.Width]float32 {
	scores := make([][kernel.Width]float32, keys)
	negative := float32(math.Copysign(0, -1))
	tiny := float32(math.SmallestNonzeroFloat32)
	for j := range scores {
		first, last, odd := j == 0, j == keys-1, j&1 == 1
		pick := func(condition bool, ifTrue, ifFalse float32) float32 {
			if condition {
				return ifTrue
			}
			return ifFalse
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

// TestRowsOfExtremeScores checks that every number of a row of extreme scores is in its range under
// every factor.
func TestRowsOfExtremeScores(t *testing.T) {
	scalings := newScalings(0, 1e-38, 1e-36, 1e-3, 1, 32, 1e6, 1e37, hardFactor)
	for _, keys := range []int{2, 3, 8, 17, 100} {
		scores := extremeScores(keys)
		var peaks kernel.Peaks
		kernel.FindPeaks(scores, &peaks)
		tally := NewTally(keys, scalings, 1, moments.Node{})
		tally.Add(scores, &peaks, nil, nil)
		n := float64(keys)
		const rounding = 70 * 0x1p-24 // bound on the relative error of Σe³, from package kernel
		ranges := [Means][2]float64{
			meanWeight: {1 / n, 1}, meanEntropy: {0, math.Log(n)}, meanTrace: {0, 1}, meanEffective: {1, n},
			meanAbove1: {0, n}, meanAbove5: {0, 20}, meanJacobian: {0, 0.5},
			meanKey: {0, 0.5e74}, // factor²‖J‖_F², since the scores are not products
		}
		for i, s := range scalings {
			for lane := range kernel.Width {
				for column, valid := range ranges {
					x := tally.values[i*Means+column][lane]
					if !(x >= valid[0]*(1-rounding) && x <= valid[1]*(1+rounding)) {
						t.Errorf("%d keys, lane %d, factor %v: column %d: got %v, want a number in %v", keys, lane,
							s.Factor, column, x, valid)
					}
				}
				if s.Factor == 0 {
					if x := tally.values[i*Means+meanWeight][lane]; x != 1/n {
						t.Errorf("%d keys, lane %d, factor 0: the largest weight is %v, want %v", keys, lane, x, 1/n)
					}
				}
			}
		}
		for i, h := range tally.Node(false).Histograms {
			if h.Total() != kernel.Width {
				t.Errorf("histogram %d: got %d rows, want %d", i, h.Total(), kernel.Width)
			}
		}
	}
}

// TestHardTies checks that temperature 0 divides the weight equally among the m largest scores if
// they are equal.
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
		countAbove := func(weight float64) float64 { // number of weights 1/m above the given weight
			if 1/m > weight {
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
					t.Errorf("%d ties, lane %d, column %d: got %v, want %v", ties, lane, column, got, x)
				}
			}
		}
	}
}
