//go:build long

package floor

import (
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// TestFalseAlarms checks the false-alarm rate of each tolerance at a third of alpha = 3·10⁻³ and
// 3·10⁻⁴: heads and groups of four heads beyond the tolerance from 512 other heads. A tolerance
// that is absent has no alarms. The lower limit
// of the rate (Clopper and Pearson) must not be above it. The rates of the means are far below.
func TestFalseAlarms(t *testing.T) {
	const heads, sampled = 51200, 512
	for _, c := range []struct {
		d, keys          int
		sigma            float64
		queryKey, values string
	}{
		{64, 64, 1, names.FormatNVFP4, names.FormatNVFP4},
		{64, 64, 4, names.FormatNVFP4, names.FormatNVFP4},
		{64, 256, 1, names.FormatNVFP4, names.FormatBFloat16},
		{16, 8, 1, names.FormatNVFP4, names.FormatNVFP4},
		{64, 64, 2, names.FormatMXFP8, names.FormatMXFP8},
		{64, 64, 8, names.FormatMXFP4, names.FormatMXFP4},
		{64, 64, 1, names.FormatInt8Tensor, names.FormatInt8Tensor},
		{32, 32, 1, names.FormatFloat16, names.FormatFloat16},
	} {
		s := newNormal(t, c.d, c.keys)
		s.Sigma = c.sigma
		sample := sampleHeads(t, s, Operands{Lookup(c.queryKey), Lookup(c.values), Lookup(c.values)}, heads)
		for _, rate := range []float64{1e-3, 1e-4} {
			for _, testHeads := range []int{1, 4} {
				var alarms [len(Errors{})]int64
				tests := int64(0)
				for first := 0; first < heads; first += 2 * sampled {
					test := Test{Heads: int64(testHeads), Rows: 16, Alpha: float64(len(alarms)) * rate}
					bounds := Bounds(sample[first:first+sampled], test)
					others := sample[first+sampled : first+2*sampled]
					for i := 0; i < sampled; i += testHeads {
						tests++
						for kind := range alarms {
							if testError(others[i:i+testHeads], kind) > float64(bounds[kind].Tolerance) {
								alarms[kind]++
							}
						}
					}
				}
				for kind, count := range alarms {
					if low, _ := theory.ClopperPearson(count, tests, 0.001); low > rate {
						t.Errorf("%+v: error %d: %d alarms in %d tests of %d heads, want a rate of %v", c, kind, count,
							tests, testHeads, rate)
					}
				}
				t.Logf("%+v: %d heads, rate %v: %v alarms in %d tests", c, testHeads, rate, alarms, tests)
			}
		}
	}
}

// testError returns the largest error of the heads, or the mean over heads of another error.
func testError(heads []Errors, kind int) (x float64) {
	for _, e := range heads {
		if kind == Largest {
			x = max(x, e[kind])
		} else {
			x += e[kind] / float64(len(heads))
		}
	}
	return x
}
