package theory

import (
	"math"
	"testing"
)

// TestBridgeTail compares BridgeTail with scipy.stats.kstwobign.sf of SciPy 1.10.1.
func TestBridgeTail(t *testing.T) {
	for _, c := range [][2]float64{{0.5, 0.9639452436648751}, {1, 0.2699996716773546}, {2, 0.0006709252557796953}} {
		if got := BridgeTail(c[0]); math.Abs(got-c[1]) > 1e-12 {
			t.Errorf("x = %v: got %v, want %v", c[0], got, c[1])
		}
	}
	if a, b := BridgeTail(1-1e-12), BridgeTail(1); math.Abs(a-b) > 1e-9 { // one by each series
		t.Errorf("the two series differ by %v at x = 1, want 0", a-b)
	}
}

// probabilityWithin computes P(|B(j/m)| ≤ x for all j) by m steps of integration over points in
// (−x, x). It propagates the density of a walk of normal steps that stays within the bounds ±x, and
// returns this density at 0 after the last step over the density at 0 of a walk without bounds. The
// range between the bounds is split into panels of 16 points.
func probabilityWithin(x float64, m, points int) float64 {
	var rule quadrature
	rule.addPanels(-1, 1, 2*16/float64(points))
	nodes, weight := rule.points, rule.weights
	points = len(nodes)
	kernel := make([]float64, points*points)
	step := math.Sqrt(float64(m) / (2 * math.Pi))
	for i := range points {
		for j := range points {
			gap := x * (nodes[i] - nodes[j])
			kernel[i*points+j] = step * math.Exp(-gap*gap*float64(m)/2) * weight[j] * x
		}
	}
	density, next := make([]float64, points), make([]float64, points)
	for i := range density {
		density[i] = step * math.Exp(-x*x*nodes[i]*nodes[i]*float64(m)/2)
	}
	for range m - 2 {
		for i := range next {
			var sum float64
			for j, p := range density {
				sum += kernel[i*points+j] * p
			}
			next[i] = sum
		}
		density, next = next, density
	}
	var densityAt0 float64
	for i, p := range density {
		densityAt0 += p * weight[i] * x * step * math.Exp(-x*x*nodes[i]*nodes[i]*float64(m)/2)
	}
	return densityAt0 * math.Sqrt(2*math.Pi)
}

// TestGridTail compares GridTail, which uses Siegmund's shift, with repeated integration. The
// integration itself is compared for m = 2 with P(|B(½)| > x), where B(½) is normal with variance
// ¼.
func TestGridTail(t *testing.T) {
	if got, want := 1-probabilityWithin(0.7, 2, 200), math.Erfc(1.4/math.Sqrt2); math.Abs(got-want) > 1e-12 {
		t.Errorf("m = 2: integration gives %v, want %v", got, want)
	}
	if testing.Short() {
		t.Skip("integrates many times")
	}
	for _, x := range []float64{0.5, 0.8, 1.1, GridQuantile(0.05, 256), 1.6, 2} {
		want := 1 - probabilityWithin(x, 256, 160)
		if finer := 1 - probabilityWithin(x, 256, 224); math.Abs(finer-want) > 1e-6*want {
			t.Fatalf("x = %v: integration gives %v with 160 points but %v with 224, want equal values", x, want, finer)
		}
		if got := GridTail(x, 256); math.Abs(got/want-1) > 0.005 {
			t.Errorf("x = %v: GridTail is %v, want %v", x, got, want)
		}
	}
	q := GridQuantile(0.05, 256)
	if got := GridTail(q, 256); math.Abs(got-0.05) > 1e-12 {
		t.Errorf("GridTail at GridQuantile of 0.05 is %v, want 0.05", got)
	}
	if q >= 1.3581 {
		t.Errorf("the 95 %% quantile is %v, want less than 1.3581, the quantile of sup|B|", q)
	}
}

// TestScoreQuantiles compares the quantiles at d = 2 with the quantiles of Laplace's distribution
// with scale 1, whose standard deviation is √2.
func TestScoreQuantiles(t *testing.T) {
	const m = 64
	q := ScoreQuantiles(2, m)
	if len(q) != m-1 {
		t.Fatalf("got %d quantiles, want %d", len(q), m-1)
	}
	if q[m/2-1] != 0 {
		t.Errorf("the median is %v, want 0", q[m/2-1])
	}
	for j := m/2 + 1; j < m; j++ {
		want := -math.Log(2*(1-float64(j)/m)) / math.Sqrt2
		if math.Abs(q[j-1]-want) > 1e-10*want+1e-13 || q[m-j-1] != -q[j-1] {
			t.Errorf("quantiles of %d/%d and %d/%d: got %v and %v, want ±%v", j, m, m-j, m, q[j-1], q[m-j-1], want)
		}
	}
}
