package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// world is texts whose tokens are autoregressive, and heads with fixed weights that see them.
type world struct {
	texts, heads, keyHeads int // no heads of keys are as many as of queries
	rows, d                int
	phi                    float64 // correlation of neighbouring tokens
	tokens                 int     // components of tokens that all heads project; 0 for heads with vectors of their own
	textSD, headSD         float64 // standard deviations of the logarithm of the variance over texts, and over heads
	paired, causal         bool
	absent                 bool // whether no error should be given
}

// truths are the scaled variance and the exponent of each head, and last of all.
type truths struct{ variance, exponent []float64 }

// walk returns rows of which each is correlated with the one before.
func walk(r *rand.Rand, rows, d int, phi float64) Vectors {
	v := drawn(r, rows, d, normal)
	for i := 1; i < rows; i++ {
		for c := range d {
			v.Row(i)[c] = phi*v.Row(i - 1)[c] + math.Sqrt(1-phi*phi)*v.Row(i)[c]
		}
	}
	return v
}

// project multiplies tokens with weights.
func project(x, weights Vectors) Vectors {
	v := Vectors{x.Rows, weights.Rows, make([]float64, x.Rows*weights.Rows)}
	for i := range x.Rows {
		for c := range weights.Rows {
			v.Row(i)[c] = elementary.Dot(x.Row(i), weights.Row(c)) / math.Sqrt(float64(x.Dimension))
		}
	}
	return v
}

// layer is the fixed weights of a world.
type layer struct {
	world
	queries, keys []Vectors
	size          []float64 // of queries
	truths
}

// fix draws the weights and works out the truth. Of isotropic tokens the variance of q·k is
// |W_QᵀW_K|², and the mean squares of components those of the weights.
func (w world) fix(r *rand.Rand) layer {
	l := layer{world: w}
	if l.keyHeads == 0 {
		l.keyHeads = w.heads
	}
	for h := range w.heads {
		l.queries = append(l.queries, drawn(r, w.d, max(1, w.tokens), normal))
		if h < l.keyHeads {
			l.keys = append(l.keys, drawn(r, w.d, max(1, w.tokens), normal))
		}
		l.size = append(l.size, math.Exp(w.headSD*r.NormFloat64()/2))
	}
	d, width := float64(w.d), float64(w.tokens)
	var variances, exponents float64
	for h := range w.heads {
		variance, exponent := 1.0, 0.5
		if q, k := l.queries[h], l.keys[h*l.keyHeads/w.heads]; w.tokens > 0 {
			square, ofQ, ofK := 0.0, 0.0, 0.0
			for a := range w.d {
				for b := range w.d {
					square += elementary.Dot(q.Row(a), q.Row(b)) * elementary.Dot(k.Row(a), k.Row(b))
				}
				ofQ += elementary.SumOfSquares(q.Row(a)) / d
				ofK += elementary.SumOfSquares(k.Row(a)) / d
			}
			variance, exponent = square/(width*width*d), math.Log(square/ofQ/ofK)/(2*math.Log(d))
		}
		variance *= l.size[h] * l.size[h] * math.Exp(w.textSD*w.textSD/2)
		l.variance, l.exponent = append(l.variance, variance), append(l.exponent, exponent)
		variances += variance / float64(w.heads)
		exponents += exponent / float64(w.heads)
	}
	l.variance, l.exponent = append(l.variance, variances), append(l.exponent, exponents)
	return l
}

// options are those that a world is looked at with.
func (w world) options() Options {
	return Options{Scale: 1 / math.Sqrt(float64(w.d)), Workers: 1, Texts: w.texts, Paired: w.paired, Causal: w.causal}
}

// draw measures new tokens.
func (l layer) draw(t *testing.T, r *rand.Rand) Summary {
	t.Helper()
	var parts []Part
	for range l.texts {
		scale := math.Exp(l.textSD * r.NormFloat64() / 2)
		x := walk(r, l.rows, max(1, l.tokens), l.phi)
		vectors := func(weights Vectors) Vectors {
			if l.tokens > 0 {
				return project(x, weights)
			}
			return walk(r, l.rows, l.d, l.phi)
		}
		var keys []Vectors
		for _, weights := range l.keys {
			keys = append(keys, vectors(weights))
		}
		for h, weights := range l.queries {
			q := vectors(weights)
			for i := range q.Data {
				q.Data[i] *= scale * l.size[h]
			}
			parts = append(parts, measured(t, q, keys[h*l.keyHeads/l.heads], l.options()))
		}
	}
	return Summarise(parts, l.heads, l.options())
}

// covered counts the intervals that are given, and those that hold the truth.
type covered struct{ asked, given, held float64 }

// count adds an interval.
func (c *covered) count(e Estimate, truth float64) {
	c.asked++
	if e.SE.Present() {
		c.given++
		if float64(e.Lo) <= truth && truth <= float64(e.Hi) {
			c.held++
		}
	}
}

// spread is by how many standard deviations of a count a share may be off: once in 2000 counts.
const spread = 3.3

// simulate checks that the intervals of a world hold the truth in 93 to 97 % of so many draws, of
// each head and of all, or that none is given; and that a gate of 5 % around the truth fails in 5 %
// at most.
func (w world) simulate(t *testing.T, draws int) {
	t.Helper()
	r := rand.New(rand.NewPCG(61, 62))
	l := w.fix(r)
	counts := map[string]*covered{"variance of a head": {}, "variance of all": {}, "p of a head": {}, "p of all": {}}
	fails, edge := 0.0, 0.1
	least, most := math.Inf(1), 0.0
	for _, v := range l.variance[:w.heads] {
		least, most = min(least, math.Sqrt(v)), max(most, math.Sqrt(v))
	}
	for range draws {
		s := l.draw(t, r)
		for h, head := range append(s.Heads, Head{Numbers: s.All}) {
			who := " of a head"
			if h == w.heads {
				who = " of all"
			}
			counts["variance"+who].count(head.Scaled, l.variance[h])
			counts["p"+who].count(head.Exponent, l.exponent[h])
		}
		gate := Gate{Lo: least * (1 - edge), Hi: most * (1 + edge), Alpha: 0.05, Beta: 0.05}
		if s.Judge(gate, nil).Verdict == result.Fail {
			fails += 1 / float64(draws)
		}
	}
	n := float64(draws)
	if fails > 0.05+spread*math.Sqrt(0.05*0.95/n) {
		t.Errorf("a gate that holds the truth fails in %.3f of %d draws", fails, draws)
	}
	for name, c := range counts {
		t.Logf("%s: given %.3f, held %.3f", name, c.given/c.asked, c.held/c.given)
		if w.absent {
			if c.given > 0.01*c.asked {
				t.Errorf("%s: an interval is given in %.3f", name, c.given/c.asked)
			}
			continue
		}
		share := c.held / c.given
		if c.given < 0.95*c.asked || share < 0.93-spread*math.Sqrt(0.93*0.07/n) ||
			share > 0.97+spread*math.Sqrt(0.97*0.03/n) {
			t.Errorf("%s: intervals hold the truth in %.3f of %d draws, and are given in %.3f", name, share, draws,
				c.given/c.asked)
		}
	}
}

// simulateAll simulates worlds.
func simulateAll(t *testing.T, draws int, worlds []world) {
	t.Helper()
	for _, w := range worlds {
		t.Run(fmt.Sprintf("%+v", w), func(t *testing.T) { w.simulate(t, draws) })
	}
}

// TestIntervals is a short simulation; its long form has more draws and worlds.
func TestIntervals(t *testing.T) {
	simulateAll(t, 120, []world{
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.9, absent: true},
		{texts: 1, heads: 2, rows: 256, d: 16, phi: 0.9, tokens: 32},
		{texts: 1, heads: 2, rows: 64, d: 16, tokens: 32},
		{texts: 2, heads: 2, rows: 32, d: 16},
		{texts: 4, heads: 2, rows: 32, d: 16, textSD: 0.5},
		{texts: 12, heads: 2, rows: 32, d: 16, phi: 0.9},
	})
}

// TestTextCoverage checks intervals of means of a few skewed numbers, as variances of texts are: of
// lognormal numbers, and of squares of normal ones, whose standard deviation is √2 times their
// mean.
func TestTextCoverage(t *testing.T) {
	const draws = 4000
	for name, number := range map[string]func(r *rand.Rand) float64{
		"normal":    func(r *rand.Rand) float64 { return 1 + 0.1*r.NormFloat64() },
		"lognormal": func(r *rand.Rand) float64 { return math.Exp(0.5*r.NormFloat64() - 0.125) },
		"square":    func(r *rand.Rand) float64 { x := r.NormFloat64(); return x * x },
	} {
		for _, texts := range []int{2, 4, 7, 8, 16, 64} {
			r := rand.New(rand.NewPCG(63, 64))
			var c covered
			for range draws {
				each := make([]float64, texts)
				for i := range each {
					each[i] = number(r)
				}
				c.count(meanOver(each).positive(), 1)
			}
			room := spread * math.Sqrt(0.93*0.07/draws)
			if share := c.held / draws; c.given < draws || share < 0.93-room || share > 0.97+room {
				t.Errorf("%d %s texts: intervals hold the truth in %.3f", texts, name, share)
			}
		}
	}
}

// TestPace compares the variance of means of autoregressive series with what batches show, if as
// many rows are independent as their correlation time (1+φ)/(1−φ) says; and the correlation that
// neighbours show with φ², that of squares.
func TestPace(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for _, phi := range []float64{0.5, 0.8, 0.9} {
		const rows, count = 400, 1000
		p := sampleSize{rows, rows * (1 - phi) / (1 + phi)}.batching(rows)
		var means []float64
		variances, near := 0.0, 0.0
		for i := range count {
			xs := walk(r, rows, 1, phi).Data
			means = append(means, elementary.Sum(xs)/rows)
			variances += p.varianceOfMean(xs) / count
			if i < 20 {
				v := walk(r, rows, 16, phi)
				near += measured(t, v, walk(r, rows, 16, 0), Options{Scale: 1}).lag1 / 20
			}
		}
		if ratio := variances / variance(means); math.Abs(ratio-1) > 5*math.Sqrt(2.0/count) {
			t.Errorf("φ = %v: batches show %v of the variance of means", phi, ratio)
		}
		if math.Abs(near-phi*phi) > 0.06 {
			t.Errorf("φ = %v: what neighbours add is correlated by %v, want %v", phi, near, phi*phi)
		}
	}
	if few := (sampleSize{400, 12}).batching(256); !math.IsNaN(few.factor) {
		t.Errorf("12 independent rows have an error: %+v", few)
	}
}

// TestFalseAlarm counts how often independent rows are called alike: the limit for a rate of 10 %
// must hold about that, of 1 head and of 12, and that of 10⁻⁴ never in these draws.
func TestFalseAlarm(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for _, w := range []world{{texts: 1, heads: 1, rows: 24, d: 8}, {texts: 1, heads: 12, keyHeads: 3, rows: 16, d: 8},
		{texts: 1, heads: 1, rows: 12, d: 1}} {
		const draws = 400
		loud, alarms := 0.0, 0
		for range draws {
			var parts []Part
			var k Vectors
			for h := range w.heads {
				if h%max(1, w.heads/max(1, w.keyHeads)) == 0 {
					k = drawn(r, w.rows, w.d, normal)
				}
				parts = append(parts, measured(t, drawn(r, w.rows, w.d, normal), k, w.options()))
			}
			for _, p := range parts {
				if p.dof > 0 && p.z > theory.StudentQuantile(0.1/float64(comparisons*w.heads), p.dof) {
					loud += 1.0 / draws
					break
				}
			}
			if by, _ := effectiveSize(parts); by > 0 {
				alarms++
			}
		}
		if room := spread * math.Sqrt(0.1*0.9/draws); loud > 0.1+room || loud < 0.02 && w.d > 1 {
			t.Errorf("%+v: alike at a rate of 10 %% in %.3f", w, loud)
		}
		if alarms > 1 { // twice in a thousand tests
			t.Errorf("%+v: %d false alarms in %d", w, alarms, draws)
		}
	}
}
