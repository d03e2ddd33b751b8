package samples

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// newLogSums returns log-sum-exps of rows of normal logits with the standard deviation sigma. If
// isCausal is set, each row has one key more than the row before it, and the last row has the given
// number.
func newLogSums(shape []int, keys int, sigma float64, isCausal bool) testArray {
	r := rand.New(rand.NewPCG(61, 62))
	rows, count := shape[len(shape)-1], 1
	for _, n := range shape {
		count *= n
	}
	a := testArray{shape: shape}
	for i := range count {
		n, sum := keys, 0.0
		if isCausal {
			n = keys - rows + 1 + i%rows
		}
		for range n {
			sum += math.Exp(sigma * r.NormFloat64())
		}
		a.data = append(a.data, math.Log(sum))
	}
	return a
}

// TestMeasureLogSums checks arrays with one to three axes, a saved number of keys, a causal mask
// and layers.
func TestMeasureLogSums(t *testing.T) {
	const keys, sigma = 256, 1.5
	number := func(x float64) testArray { return testArray{shape: []int{1, 1}, data: []float64{x}} }
	newArray := func(isCausal bool, shape ...int) testArray { return newLogSums(shape, keys, sigma, isCausal) }
	for name, c := range map[string]struct {
		arrays   map[string]testArray
		keys     int
		isCausal bool
		heads    int
		titles   string // of all heads
		about    string
	}{
		"rows": {map[string]testArray{"lse": newArray(false, 64)}, keys, false, 1, "head 0",
			"Log-sum-exps: lse, 1 text × 1 head × 64 rows; the last row sees 256 keys."},
		"heads": {map[string]testArray{"softmax_lse": newArray(false, 2, 64)}, keys, false, 2, "head 0; head 1",
			"2 heads"},
		"texts": {map[string]testArray{"softmax_lse": newArray(false, 4, 2, 16)}, keys, false, 2, "head 0; head 1",
			"4 texts × 2 heads × 16 rows"},
		"causal": {map[string]testArray{"softmax_lse": newArray(true, 2, 256)}, keys, true, 2, "head 0; head 1",
			"each row one key more than the row before it (causal)"},
		"saved": {map[string]testArray{"layer0.lse": newArray(true, 2, 256), "layer0.lse_keys": number(keys),
			"layer0.causal": number(1)}, 0, false, 2, "head 0; head 1", "256 keys, and each row one key more"},
		"layers in the order of their numbers": {map[string]testArray{"layer2.lse": newArray(false, 64),
			"layer10.lse": newArray(false, 64)}, keys, false, 2, "layer 2, head 0; layer 10, head 0",
			"layer2.lse and 1 more, 1 text"},
	} {
		t.Run(name, func(t *testing.T) {
			heads, about, err := MeasureLogSums(openArrays(t, c.arrays), c.keys, c.isCausal)
			simtest.Must(t, err)
			var titles []string
			for _, h := range heads {
				titles = append(titles, h.Title())
				e := h.LogitSD
				if math.Abs(float64(e.Value)-sigma) > 5*float64(e.SE) || !(e.SE < 0.05) {
					t.Errorf("%s: σ is %v ± %v, want %v", h.Title(), e.Value, e.SE, sigma)
				}
			}
			if strings.Join(titles, "; ") != c.titles || !strings.Contains(about, c.about) {
				t.Errorf("got %q and %q, want %q and %q", titles, about, c.titles, c.about)
			}
		})
	}
}

// TestLogSumsRefused checks the errors about arrays that cannot be log-sum-exps of rows.
func TestLogSumsRefused(t *testing.T) {
	newArray := func(x float64, shape ...int) testArray {
		a := newLogSums(shape, 64, 1, false)
		a.data[len(a.data)-1] += x
		return a
	}
	number := func(x float64) testArray { return testArray{shape: []int{1, 1}, data: []float64{x}} }
	half := testArray{shape: []int{4}, isFloat16: true, data: []float64{5, 5, 5, 5}}
	for name, c := range map[string]struct {
		arrays   map[string]testArray
		keys     int
		isCausal bool
		want     string
	}{
		"no number of keys": {map[string]testArray{"lse": newArray(0, 8)}, 0, false,
			"lse: say --keys, the number of keys that the last row sees"},
		"number of keys is not whole": {map[string]testArray{"lse": newArray(0, 8), "lse_keys": number(2.5)}, 0, false,
			"lse_keys must be one float, a whole number in 2..16777216"},
		"several numbers of keys": {map[string]testArray{"lse": newArray(0, 8), "lse_keys": newArray(0, 8)}, 0, false,
			"lse_keys must be one float"},
		"four axes": {map[string]testArray{"lse": newArray(0, 2, 2, 8, 1)}, 64, false,
			"it needs texts × heads × rows of type F32 or F64"},
		"half precision": {map[string]testArray{"lse": half}, 64, false, "the type F16; it needs"},
		"NaN": {map[string]testArray{"lse": newArray(math.NaN(), 2, 2, 8)}, 64, false,
			`array "lse": has NaN at [1 1 7]`},
		"row without keys": {map[string]testArray{"lse": newArray(math.Inf(-1), 8)}, 64, false,
			`array "lse": has an infinite number at [7]`},
		"fewer keys than causal rows": {map[string]testArray{"lse": newArray(0, 8)}, 7, true,
			"has 8 rows; under a causal mask the last row sees at least as many keys, not 7"},
		"mask": {map[string]testArray{"layer0.lse": newArray(0, 8), "layer0.masked": number(1)}, 64, false,
			"a mask was given, so the numbers of keys are not known"},
		"layers that differ": {map[string]testArray{"layer0.lse": newArray(0, 8), "layer1.lse": newArray(0, 9)}, 64,
			false,
			"layers judged together must be the same"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := MeasureLogSums(openArrays(t, c.arrays), c.keys, c.isCausal)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got the error %v, want one with %q", err, c.want)
			}
		})
	}
}
