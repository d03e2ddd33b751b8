package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
	"mcsim/sim/statistics/theory"
)

func withErrors(se float64, values ...float64) (estimates []inspect.Estimate) {
	for _, v := range values {
		estimates = append(estimates, inspect.Estimate{Value: result.Number(v), SE: result.Number(se),
			Lo: result.Number(v - 1.96*se), Hi: result.Number(v + 1.96*se)})
	}
	return estimates
}

// TestFitLine compares lines with the closed forms of the slope and its error. For x = 1, 2, 3 and
// equal errors s the slope is (y₃ − y₁)/2 and its error s/√2; with the scatter instead of s, the
// square of s is the sum of squared residuals over n − 2 = 1.
func TestFitLine(t *testing.T) {
	x := []float64{1, 2, 3}
	l := FitLine(x, withErrors(0.5, 1, 2, 2.5), 0.05)
	if l.FromScatter || math.Abs(float64(l.Slope)-0.75) > 1e-12 || math.Abs(float64(l.SE)-0.5/math.Sqrt2) > 1e-12 {
		t.Errorf("got the line %+v, want the slope 0.75 ± 0.3536 from the errors", l)
	}
	for name, y := range map[string][]inspect.Estimate{"small errors": withErrors(0.01, 1, 2, 2.5),
		"no errors": withErrors(math.NaN(), 1, 2, 2.5)} {
		l = FitLine(x, y, 0.05)
		residuals := []float64{1 - 13./12, 2 - 22./12, 2.5 - 31./12}
		square := residuals[0]*residuals[0] + residuals[1]*residuals[1] + residuals[2]*residuals[2]
		want := math.Sqrt(square / 2)
		halfWidth := theory.StudentQuantile(0.025, 1) * want
		if !l.FromScatter || math.Abs(float64(l.SE)-want) > 1e-9 || math.Abs(float64(l.Hi)-0.75-halfWidth) > 1e-6 {
			t.Errorf("%s: got the line %+v, want the error %v from the scatter, and Student's interval of 1 degree of freedom",
				name, l, want)
		}
	}
	if l := FitLine(x[:2], withErrors(math.NaN(), 1, 2), 0.05); l.Slope.Present() {
		t.Errorf("two points without errors have the line %+v, want none", l)
	}
}

// TestSlopeCoverage checks that the interval of a slope misses the true slope with the probability
// α if the error is from the scatter, and with at most α if it is from the errors of estimates.
func TestSlopeCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const draws, alpha = 4000, 0.1
	for _, statedError := range []float64{1, math.NaN()} {
		missed := 0
		for range draws {
			var values []float64
			for i := range 6 {
				values = append(values, float64(i)*2+r.NormFloat64())
			}
			l := FitLine([]float64{0, 1, 2, 3, 4, 5}, withErrors(statedError, values...), alpha)
			if l.Lo > 2 || l.Hi < 2 {
				missed++
			}
		}
		margin := 5 * math.Sqrt(alpha*(1-alpha)/draws)
		got, isExact := float64(missed)/draws, math.IsNaN(statedError)
		if got > alpha+margin || isExact && got < alpha-margin {
			t.Errorf("stated error %v: %v of the intervals miss the slope, want %v, or less with errors that are "+
				"increased by the scatter", statedError, got, alpha)
		}
	}
}

// TestCrossing checks interpolated and extrapolated crossings. The ends of an extrapolated interval
// must be where the line is t standard errors away from the limit.
func TestCrossing(t *testing.T) {
	newPoints := func(values ...float64) (points []Point) {
		for i, e := range withErrors(0.5, values...) {
			points = append(points, Point{X: result.Number(i + 1), All: Layer{MaxLogit: e}})
		}
		return points
	}
	c := FindCrossing(newPoints(10, 20, 30), "", 25)
	if c.How != CrossingBetween || c.X != 2.5 || math.Abs(float64(c.Lo)-2.402) > 1e-9 ||
		math.Abs(float64(c.Hi)-2.598) > 1e-9 {
		t.Errorf("got the crossing %+v, want 2.5 in 2.402..2.598", c)
	}
	if c := FindCrossing(newPoints(10, 20, 30), "", 5); c.How != CrossingBefore || c.X.Present() {
		t.Errorf("got the crossing %+v, want one before the first file", c)
	}
	// The interval of the first file, 9.02 to 10.98, contains the limit 9.5.
	if c := FindCrossing(newPoints(10, 20, 30), "", 9.5); c.How != CrossingBefore || c.X.Present() ||
		math.Abs(float64(c.Hi)-1.048) > 1e-9 {
		t.Errorf("got the crossing %+v, want one not after 1.048, where the lower ends reach the limit", c)
	}
	if c := FindCrossing(newPoints(10, 10, 10), "", 50); c.How != CrossingNever {
		t.Errorf("got the crossing %+v of a constant logit, want none", c)
	}
	c = FindCrossing(newPoints(10, 20, 30), "", 50)
	l := FitLine([]float64{1, 2, 3}, withErrors(0.5, 10, 20, 30), 0.05)
	for _, end := range []result.Number{c.Lo, c.Hi} {
		u := float64(end) - 2
		distance := math.Abs(20 + 10*u - 50)
		if want := l.quantile * math.Hypot(0.5/math.Sqrt(3), u*0.5/math.Sqrt2); math.Abs(distance-want) > 1e-6 {
			t.Errorf("at the end %v the line is %v from the limit, want %v", end, distance, want)
		}
	}
	if c.How != CrossingExtrapolated || math.Abs(float64(c.X)-5) > 1e-9 || !(c.Lo < c.X && c.X < c.Hi) {
		t.Errorf("got the crossing %+v, want one at 5, by extrapolation", c)
	}
}

// TestWidthExponent simulates the coordinate check with three widths d_k = 64, 256 and 1024.
// Queries and keys are aligned: each is a normal multiple of one direction of length √d_k, plus
// noise. Then logits keep their size with the scale 1/d_k (right muP), and grow like √d_k with
// 1/√d_k (wrong). At α = 10⁻³ the interval must contain the right exponent and exclude the other,
// in each simulation.
func TestWidthExponent(t *testing.T) {
	const simulations, rows, alpha = 30, 256, 1e-3
	for _, c := range []struct{ scale, right, wrong float64 }{{-1, 0, 0.5}, {-0.5, 0.5, 0}} {
		for seed := range uint64(simulations) {
			var points []Point
			for _, d := range []int{64, 256, 1024} {
				r := rand.New(rand.NewPCG(seed, uint64(d)))
				draw := func() inspect.Vectors {
					v := inspect.Vectors{Rows: rows, Dimension: d, Data: make([]float64, rows*d)}
					for i := range rows {
						z := r.NormFloat64()
						for j := range d {
							v.Row(i)[j] = z + 0.1*r.NormFloat64()
						}
					}
					return v
				}
				o := inspect.Options{Scale: math.Pow(float64(d), c.scale), Workers: 1}
				text, err := inspect.Measure(draw(), draw(), o)
				simtest.Must(t, err)
				points = append(points,
					NewPoint(fmt.Sprint(d), float64(d), inspect.Summarise([]inspect.HeadText{text}, 1, o)))
			}
			e := FitWidth(points, "", alpha).Exponent
			if right := result.Number(c.right); e.Lo > right || e.Hi < right {
				t.Errorf("scale d^%v, seed %d: the interval %v to %v does not contain %v", c.scale, seed, e.Lo, e.Hi,
					c.right)
			}
			if wrong := result.Number(c.wrong); e.Lo <= wrong && wrong <= e.Hi {
				t.Errorf("scale d^%v, seed %d: the interval %v to %v contains %v, want it excluded", c.scale, seed,
					e.Lo, e.Hi,
					c.wrong)
			}
		}
	}
}

// TestCheck checks the refusals of files that are not of one model.
func TestCheck(t *testing.T) {
	point := func(file string, x, dimension int, layers ...string) Point {
		p := Point{File: file, X: result.Number(x), Dimension: dimension}
		for _, name := range layers {
			p.Layers = append(p.Layers, Layer{Name: name})
		}
		return p
	}
	withArray := func(p Point, name string) Point {
		p.Array = name
		return p
	}
	for _, c := range []struct {
		a, b      Point
		mayDiffer bool
		want      string // empty if the points are accepted
	}{
		{point("a", 1, 64, "0", "1"), point("b", 2, 64, "1", "0"), false, ""},
		{point("a", 1, 64, "0", "1"), point("b", 2, 64, "0"), false, "b: layer 1 is missing, which a has"},
		{point("a", 1, 64, "0"), point("b", 2, 64, "0", "1"), false, "a: layer 1 is missing, which b has"},
		{point("a", 1, 64, "0"), point("b", 1, 64, "0"), false, "b: has the same number as a, 1"},
		{point("a", 1, 64, "0"), point("b", 2, 32, "0"), false, "b: has 0 heads of d_k = 32"},
		{point("a", 1, 64, "0"), point("b", 2, 32, "0"), true, ""},
		{withArray(point("a", 1, 64, ""), "layer0.q"), withArray(point("b", 2, 64, ""), "layer1.q"), false,
			`b: its queries are "layer1.q", but those of a are "layer0.q"`},
	} {
		err := Check([]Point{c.a, c.b}, c.mayDiffer)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("files %+v and %+v: error %v, want %q", c.a, c.b, err, c.want)
		}
	}
}

// TestReadCoordinate checks numbers in the names of files.
func TestReadCoordinate(t *testing.T) {
	for name, want := range map[string]string{
		"run/step100.npz": "100", "checkpoint-2000/model.npz": "2000", "iter=3.npz": "3", "step1_000.npz": "one number or two",
		"step1e300.npz": "at most 1e+15", "other.npz": "has no number",
	} {
		x, err := ReadCoordinate(&tensor.Files{}, name, "step")
		if got := fmt.Sprint(x, err); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
