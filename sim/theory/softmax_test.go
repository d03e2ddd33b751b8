package theory

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// readTable reads a file of testdata: numbers by column, with words as NaN.
func readTable(t *testing.T, name string) []map[string]float64 {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatal(name, len(lines), err)
	}
	var rows []map[string]float64
	for _, line := range lines[1:] {
		row := map[string]float64{}
		for i, head := range lines[0] {
			x, err := strconv.ParseFloat(line[i], 64)
			if err != nil {
				x = math.NaN()
			}
			row[head] = x
		}
		rows = append(rows, row)
	}
	return rows
}

// columns are the values of a Softmax under the names of testdata/softmax.csv.
func columns(s Softmax) map[string]float64 {
	return map[string]float64{
		"max_weight": s.MaxWeight, "max_square": s.MaxSquare, "collision": s.Collision, "cube": s.Cube,
		"fourth": s.Fourth, "collision_square": s.CollisionSquare, "log_sum": s.LogSum, "entropy": s.Entropy,
		"jacobian_square": s.JacobianSquare,
	}
}

// testdata/softmax.csv is exact to 1e-13 or better.
func TestSoftmaxAgainstMpmath(t *testing.T) {
	rows := readTable(t, "softmax.csv")
	if len(rows) != 54 {
		t.Fatalf("%d rows, want 54", len(rows))
	}
	for _, row := range rows {
		keys, sigma := int(row["keys"]), row["sigma"]
		s := SoftmaxOf(keys, sigma)
		for name, got := range columns(s) {
			tolerance := 1e-11
			if name == "log_sum" {
				tolerance *= 1 + sigma
			}
			if !(math.Abs(got-row[name]) <= tolerance) {
				t.Errorf("n = %d, σ = %v: %s is %.15g, want %.15g", keys, sigma, name, got, row[name])
			}
		}
		if got, want := s.Trace, 1-row["collision"]; !(math.Abs(got-want) <= 1e-11) {
			t.Errorf("n = %d, σ = %v: the trace is %.15g, want %.15g", keys, sigma, got, want)
		}
	}
}

// testdata/softmax_reference.csv has ten significant digits, so half a unit of
// the last is at most 5e-10 of the value. Its σ are rounded likewise, but the
// labels say what they stand for.
func TestSoftmaxAgainstReference(t *testing.T) {
	rows := readTable(t, "softmax_reference.csv")
	if len(rows) != 24 {
		t.Fatalf("%d rows, want 24", len(rows))
	}
	exact := []float64{1 / math.Sqrt(512), 1, math.Sqrt(8), 8, 16, math.Sqrt(512)}
	for i, row := range rows {
		keys, sigma := int(row["n"]), exact[i/4]
		if math.Abs(sigma/row["sigma"]-1) > 1e-9 {
			t.Fatalf("row %d is of σ = %v", i, row["sigma"])
		}
		s := SoftmaxOf(keys, sigma)
		mean, square := NormalMaximum(keys)
		uniform := 1 - 1/float64(keys)
		narrow, wide := NarrowSoftmax(keys, sigma), WideSoftmax(keys, sigma)
		for name, got := range map[string]float64{
			"E_max": s.MaxWeight, "E_max2": s.MaxSquare, "E_sum_a2": s.Collision, "E_sum_a3": s.Cube,
			"E_sum_a4": s.Fourth, "E_sum_a2_sq": s.CollisionSquare, "E_entropy": s.Entropy,
			"E_entropy_over_lnn": s.EntropyRatio(), "E_lnZ": s.LogSum, "E_trJ": s.Trace,
			"E_ai_1mai": s.Trace / float64(keys), "E_JF2": s.JacobianSquare, "E_offmax_trJ": s.OffMaximum(),
			"trJ_survival":    s.GradientSurvival(),
			"JF_rms_survival": math.Sqrt(s.JacobianSquare / (uniform / float64(keys))),
			"offmax_survival": s.OffMaximum() / (uniform * uniform),
			"m_n":             mean,
			"E_M2":            square,
			"sigma_c":         FreezingSigma(keys),
			"small_E_max":     narrow.MaxWeight,
			"large_E_max":     wide.MaxWeight,
			"large_E_H":       wide.Entropy,
			"large_E_JF2":     wide.JacobianSquare,
		} {
			want, ok := row[name]
			if name == "small_E_max" && sigma > 1 {
				continue // nor is it any approximation there
			}
			// Differences of rounded numbers near 1, and some digits that the
			// table's own quadrature lacks, come on top.
			if !ok || !(math.Abs(got-want) <= 5e-10*math.Abs(want)+1e-10) {
				t.Errorf("n = %d, σ = %v: %s is %.12g, the table has %.10g", keys, sigma, name, got, want)
			}
		}
	}
}

// sigmas to test identities at: a grid uneven to every threshold of the rules.
func sigmas() []float64 {
	var out []float64
	for s := 1e-4; s < 2e4; s *= 1.7 {
		out = append(out, s)
	}
	return append(out, 2, math.Nextafter(2, 3))
}

// What the sums work out apart must agree: E Σα_i s_i = σ²(1−A) by Stein's
// lemma, hence E H = E ln Z − σ²(1−A); 1 − A; the Jacobian from its parts; and
// for two keys, whose smaller weight is 1 − max, A = E[max² + (1−max)²].
func TestSoftmaxIdentities(t *testing.T) {
	for _, keys := range []int{2, 3, 5, 8, 64, 777, 4096} {
		before := Softmax{Entropy: math.Inf(1)}
		for i, sigma := range sigmas() {
			s := SoftmaxOf(keys, sigma)
			check := func(what string, got, want, tolerance float64) {
				if !(math.Abs(got-want) <= tolerance) {
					t.Errorf("n = %d, σ = %v: %s is %.15g, want %.15g", keys, sigma, what, got, want)
				}
			}
			check("1 − A", s.Trace, 1-s.Collision, 4e-12)
			check("E H", s.Entropy, s.LogSum-sigma*sigma*s.Trace, 1e-11*(1+sigma)+1e-15*sigma*sigma)
			check("E ‖J‖²", s.JacobianSquare, s.Collision-2*s.Cube+s.CollisionSquare, 1e-12)
			if keys == 2 {
				check("A", s.Collision, 1-2*s.MaxWeight+2*s.MaxSquare, 4e-12)
			}
			if !(s.Collision < s.MaxWeight && s.MaxSquare < s.Collision && s.Fourth < s.Cube && s.Cube < s.Collision &&
				s.Collision*s.Collision <= s.CollisionSquare+1e-12 && s.OffMaximum() > 0) {
				t.Errorf("n = %d, σ = %v: out of order: %+v", keys, sigma, s)
			}
			if i > 0 && sigma > 2.1 && !(s.MaxWeight > before.MaxWeight && s.Trace < before.Trace && s.Entropy < before.Entropy) {
				t.Errorf("n = %d, σ = %v: wider logits are flatter", keys, sigma)
			}
			before = s
		}
	}
}

// dE ln Z/dσ = σ(1−A). The difference over ±h errs by h²/6 times the third
// derivative, which is of order 1 or less.
func TestSlopeOfLogSum(t *testing.T) {
	for _, keys := range []int{2, 8, 64, 4096} {
		for _, sigma := range []float64{0.3, 1, 1.9, 3, 8, 40, 1000} {
			h := 1e-4 * min(1, sigma)
			up, down := SoftmaxOf(keys, sigma+h), SoftmaxOf(keys, sigma-h)
			slope := (up.LogSum - down.LogSum) / (2 * h)
			noise := 1e-12 * (1 + sigma) / h
			if want := sigma * SoftmaxOf(keys, sigma).Trace; !(math.Abs(slope-want) <= h*h+noise) {
				t.Errorf("n = %d, σ = %v: slope %.12g, want %.12g", keys, sigma, slope, want)
			}
		}
	}
}

// twoKeys is the Softmax of two keys whose scores differ by a random number
// with the density 2f(g) for its size g > 0: every quantity is one integral.
func twoKeys(f func(float64) float64, width float64) Softmax {
	var q quadrature
	q.panels(0, min(60, 12*width), min(1, width))
	s := Softmax{Keys: 2}
	covered := 0.0
	for i, g := range q.at {
		w := 2 * q.weight[i] * f(g)
		b := 1 / (1 + math.Exp(g)) // the smaller weight
		a, p := 1-b, b*(1-b)
		covered += w
		s.MaxWeight += w * a
		s.MaxSquare += w * a * a
		s.Collision += w * (1 - 2*p)
		s.Cube += w * (1 - 3*p)
		s.Fourth += w * (1 - 4*p + 2*p*p)
		s.CollisionSquare += w * (1 - 2*p) * (1 - 2*p)
		s.Trace += w * 2 * p
		s.JacobianSquare += w * 4 * p * p
		s.Entropy += w * (math.Log1p(math.Exp(-g)) + g*b)
	}
	for _, x := range []*float64{&s.MaxWeight, &s.MaxSquare, &s.Collision, &s.Cube, &s.Fourth, &s.CollisionSquare} {
		*x += 1 - covered // 1 for larger g
	}
	return s
}

func TestTwoKeys(t *testing.T) {
	for _, sigma := range sigmas() {
		width := sigma * math.Sqrt2
		want := twoKeys(func(g float64) float64 {
			return math.Exp(-g*g/(2*width*width)) / (width * math.Sqrt(2*math.Pi))
		}, width)
		got := SoftmaxOf(2, sigma)
		want.LogSum = want.Entropy + sigma*sigma*want.Trace
		for name, x := range columns(got) {
			if y := columns(want)[name]; !(math.Abs(x-y) <= 5e-12*(1+sigma)) && !(math.Abs(x-y) <= 1e-14*sigma*sigma) {
				t.Errorf("σ = %v: %s is %.15g, want %.15g", sigma, name, x, y)
			}
		}
		if !(math.Abs(got.Trace/want.Trace-1) <= 1e-11) {
			t.Errorf("σ = %v: the trace is %.15g, want %.15g", sigma, got.Trace, want.Trace)
		}
	}
}

// Logits that are all equal, infinitely far apart, or almost.
func TestSoftmaxAtTheEnds(t *testing.T) {
	for _, keys := range []int{1, 2, 3, 64, 4096} {
		n := float64(keys)
		for _, sigma := range []float64{0, 1e-300, 1e-12, 1e-8, 1e6, 1e12, 1e100, math.Inf(1)} {
			s := SoftmaxOf(keys, sigma)
			limit := uniformSoftmax(keys)
			slack := math.Sqrt(2 * math.Log(n+1))
			if sigma > 1 && keys > 1 {
				limit = hardSoftmax(keys)
				slack *= 2 / sigma
			} else {
				slack *= sigma
			}
			for name, got := range columns(s) {
				want := columns(limit)[name]
				if name == "log_sum" && sigma > 1 && keys > 1 {
					mean, _ := NormalMaximum(keys)
					if !(math.Abs(got-sigma*mean) <= 1e-11*sigma) && !math.IsInf(sigma, 1) {
						t.Errorf("n = %d, σ = %v: E ln Z is %v", keys, sigma, got)
					}
				} else if !(math.Abs(got-want) <= slack+1e-11) {
					t.Errorf("n = %d, σ = %v: %s is %v, want %v", keys, sigma, name, got, want)
				}
			}
			if r := s.GradientSurvival(); !(r >= 0 && r <= 1+1e-11) || math.IsNaN(s.EntropyRatio()) {
				t.Errorf("n = %d, σ = %v: R = %v", keys, sigma, r)
			}
		}
	}
	for _, bad := range []func(){func() { SoftmaxOf(0, 1) }, func() { SoftmaxOf(2, -1) }, func() { SoftmaxOf(2, math.NaN()) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			bad()
		}()
	}
}

func BenchmarkSoftmax(b *testing.B) {
	for _, keys := range []int{2, 64, 4096} {
		for _, sigma := range []float64{0.01, 1, 4, 8, 1000} {
			b.Run(strconv.Itoa(keys)+"/"+strconv.FormatFloat(sigma, 'g', -1, 64), func(b *testing.B) {
				for b.Loop() {
					softmaxes.Delete(softmaxPoint{keys, sigma})
					SoftmaxOf(keys, sigma)
				}
			})
		}
	}
}

// E Σ(∂α/∂σ)² by another way: for two keys α' = p·(z₁ − z₂) with p = α(1 − α), an
// integral over the gap; for more keys a sum over draws.
func TestSlopeSquare(t *testing.T) {
	for _, sigma := range []float64{0.01, 0.3, 1, 2.5, 9} {
		want := 0.0
		const step = 1.0 / 512
		for gap := -20 + step/2; gap < 20; gap += step { // of z₁ − z₂, of variance 2
			e := math.Exp(-math.Abs(sigma * gap))
			p := e / ((1 + e) * (1 + e))
			want += step * math.Exp(-gap*gap/4) / math.Sqrt(4*math.Pi) * 2 * p * p * gap * gap
		}
		if got := SoftmaxOf(2, sigma).SlopeSquare; math.Abs(got-want) > 1e-11 {
			t.Errorf("two keys, σ = %v: %v, want %v", sigma, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		keys  int
		sigma float64
	}{{3, 0.5}, {3, 4}, {8, 1.5}, {64, 2.5}} {
		const rows = 40_000
		var sum, squares float64
		z, a := make([]float64, c.keys), make([]float64, c.keys)
		for range rows {
			total, mean, slope := 0.0, 0.0, 0.0
			for i := range z {
				z[i] = r.NormFloat64()
				a[i] = math.Exp(c.sigma * z[i])
				total += a[i]
			}
			for i := range z {
				a[i] /= total
				mean += a[i] * z[i]
			}
			for i := range z {
				slope += a[i] * a[i] * (z[i] - mean) * (z[i] - mean)
			}
			sum, squares = sum+slope, squares+slope*slope
		}
		mean := sum / rows
		se := math.Sqrt((squares/rows - mean*mean) / rows)
		if got := SoftmaxOf(c.keys, c.sigma).SlopeSquare; math.Abs(got-mean) > 4.5*se {
			t.Errorf("%d keys, σ = %v: %v, simulated %v ± %v", c.keys, c.sigma, got, mean, se)
		}
	}
}
