package weights

import (
	"math"
	"testing"

	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/stream"
)

// shapeOf is what a law is told apart by: its kurtosis, and where it ends, in
// standard deviations; Inf for one without an end.
type shapeOf struct{ kurtosis, end float64 }

// A normal law cut at ±2 has the variance V = 1 − 4φ(2)/(2Φ(2) − 1) and the fourth
// moment 3 − 28φ(2)/(2Φ(2) − 1), by parts.
var (
	ofUniform   = shapeOf{1.8, math.Sqrt(3)}
	ofNormal    = shapeOf{3, math.Inf(1)}
	ofTruncated = func() shapeOf {
		share := math.Erf(2 / math.Sqrt2)
		edge := math.Exp(-2) / math.Sqrt(2*math.Pi) / share
		variance := 1 - 4*edge
		return shapeOf{(3 - 28*edge) / (variance * variance), 2 / math.Sqrt(variance)}
	}()
)

// entryLaws are the laws of entries by the sources of the schemes; orthogonal
// columns have none.
var entryLaws = map[string]shapeOf{
	"glorot-uniform": ofUniform, "glorot-normal": ofNormal, "glorot-fused": ofUniform, "torch-mha": ofUniform,
	"he-normal": ofNormal, "he-uniform": ofUniform, "he-fan-out": ofNormal, "lecun-normal": ofNormal,
	"torch-linear": ofUniform, "normal-0.02": ofNormal, "tf-truncated-0.02": ofTruncated, "torch-truncated-0.02": ofNormal,
	"t5": ofNormal, "mup": ofNormal, "mup-8": ofNormal, "mup-zero-query": ofNormal, "keras": ofUniform, "keras-before-2026": ofUniform,
	"flax": ofTruncated, "haiku": ofTruncated, "neox-small": ofNormal, "qk-norm": ofNormal, "gemma2-27b": ofNormal,
}

// keyEntries are entries of W_K of many draws, over the standard deviation that the
// scheme says they have.
func keyEntries(h Head, draws int) []float64 {
	d := NewDrawer(h)
	cell := stream.Open(stream.Key{Seed: 5, Cell: h.Scheme.Name})
	var values []float64
	for i := range draws {
		var lanes stream.Lanes
		cell.Block(&lanes, uint64(i))
		d.Draw(&lanes)
		p, rows := &d.sides[1], h.Shape.Model // a single chunk, which is still there
		for c := range h.Shape.Key {
			for t := range rows {
				w := float64(p.w[c/kernel.Width*rows+t][c%kernel.Width])
				values = append(values, w*p.sd/math.Sqrt(h.Key.Variance))
			}
		}
	}
	return values
}

// The entries of every scheme have the variance, the kurtosis and the end of the
// law that its source names, and the closed forms take that kurtosis.
func TestLawsOfEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 200 000 entries of each initialisation")
	}
	for _, s := range table {
		want, ok := entryLaws[s.Name]
		switch {
		case s.Orthogonal() && ok:
			t.Errorf("%s: the table of laws has %+v", s.Name, want)
		case s.Orthogonal():
			continue // TestColumnsAreOrthonormal
		case !ok: // nobody has read its source for this table
			want = shapeOf{s.Law.Kurtosis(), math.NaN()}
		}
		h := s.At(Shape{200, 20})
		values := keyEntries(h, 50)
		m, greatest := moments.Of(values, moments.MaxOrder), 0.0
		for _, x := range values {
			greatest = max(greatest, math.Abs(x))
		}
		n := float64(len(values)) // 200 000; a kurtosis is known to √(24/n) at most, a variance to √(2/n)
		if v := m.Variance(); math.Abs(v-1) > 5*math.Sqrt(2/n) {
			t.Errorf("%s: the variance is %v of what it should be", s.Name, v)
		}
		if k := m.Standard(4); math.Abs(k-want.kurtosis) > 5*math.Sqrt(24/n) || math.Abs(h.Key.Kurtosis-want.kurtosis) > 1e-9 {
			t.Errorf("%s: the kurtosis is %v, in theory %v, want %v", s.Name, k, h.Key.Kurtosis, want.kurtosis)
		}
		switch {
		case math.IsInf(want.end, 1) && greatest < 4: // one of 16 000 is beyond it
			t.Errorf("%s: the greatest of %v entries is %v standard deviations", s.Name, n, greatest)
		case !math.IsInf(want.end, 1) && (greatest > want.end*(1+1e-6) || greatest < 0.999*want.end):
			t.Errorf("%s: the greatest entry is %v standard deviations, the law ends at %v", s.Name, greatest, want.end)
		}
	}
}
