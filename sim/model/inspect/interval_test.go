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

// world describes texts of autoregressive tokens and heads with fixed weights.
type world struct {
	texts, heads, keyHeads int     // keyHeads is 0 if there are as many heads of keys as of queries
	rows, d                int     // rows of a text, and d_k
	phi                    float64 // correlation of neighbouring tokens
	tokens                 int     // dimension of tokens, which all heads project; 0 if heads are independent
	textSD, headSD         float64 // standard deviations, between texts and between heads, of the log variance
	paired, causal         bool
	withoutIntervals       bool // whether rows are so dependent that no intervals can be given
}

// truths holds the true scaled variance and exponent of each head, and their means last.
type truths struct{ variance, exponent []float64 }

// sampleWalk returns rows of an autoregressive series: neighbouring rows have the correlation phi.
func sampleWalk(r *rand.Rand, rows, d int, phi float64) Vectors {
	v := sampleVectors(r, rows, d, normal)
	for i := 1; i < rows; i++ {
		for c := range d {
			v.Row(i)[c] = phi*v.Row(i - 1)[c] + math.Sqrt(1-phi*phi)*v.Row(i)[c]
		}
	}
	return v
}

// projectTokens returns the products of tokens with the rows of weights, divided by the root of the
// dimension of tokens.
func projectTokens(x, weights Vectors) Vectors {
	v := Vectors{x.Rows, weights.Rows, make([]float64, x.Rows*weights.Rows)}
	for i := range x.Rows {
		for c := range weights.Rows {
			v.Row(i)[c] = elementary.Dot(x.Row(i), weights.Row(c)) / math.Sqrt(float64(x.Dimension))
		}
	}
	return v
}

// fixedLayer is a world with the weights that were sampled for it, and their truths.
type fixedLayer struct {
	world
	queryWeights, keyWeights []Vectors // W_Q and W_K of each head
	queryScales              []float64 // factor of the queries of each head
	truths
}

// sampleWeights samples the weights and computes the truths. For isotropic tokens the variance of
// q·k is |W_QᵀW_K|², and the mean square of a component of q or k is the squared length of its row
// of weights.
func (w world) sampleWeights(r *rand.Rand) fixedLayer {
	l := fixedLayer{world: w}
	if l.keyHeads == 0 {
		l.keyHeads = w.heads
	}
	for h := range w.heads {
		l.queryWeights = append(l.queryWeights, sampleVectors(r, w.d, max(1, w.tokens), normal))
		if h < l.keyHeads {
			l.keyWeights = append(l.keyWeights, sampleVectors(r, w.d, max(1, w.tokens), normal))
		}
		l.queryScales = append(l.queryScales, math.Exp(w.headSD*r.NormFloat64()/2))
	}
	d, width := float64(w.d), float64(w.tokens)
	var variances, exponents float64
	for h := range w.heads {
		variance, exponent := 1.0, 0.5
		if q, k := l.queryWeights[h], l.keyWeights[h*l.keyHeads/w.heads]; w.tokens > 0 {
			square, querySquare, keySquare := 0.0, 0.0, 0.0
			for a := range w.d {
				for b := range w.d {
					square += elementary.Dot(q.Row(a), q.Row(b)) * elementary.Dot(k.Row(a), k.Row(b))
				}
				querySquare += elementary.SumOfSquares(q.Row(a)) / d
				keySquare += elementary.SumOfSquares(k.Row(a)) / d
			}
			variance, exponent = square/(width*width*d), math.Log(square/querySquare/keySquare)/(2*math.Log(d))
		}
		variance *= l.queryScales[h] * l.queryScales[h] * math.Exp(w.textSD*w.textSD/2)
		l.variance, l.exponent = append(l.variance, variance), append(l.exponent, exponent)
		variances += variance / float64(w.heads)
		exponents += exponent / float64(w.heads)
	}
	l.variance, l.exponent = append(l.variance, variances), append(l.exponent, exponents)
	return l
}

func (w world) options() Options {
	return Options{Scale: 1 / math.Sqrt(float64(w.d)), Workers: 1, Texts: w.texts, Paired: w.paired, Causal: w.causal}
}

// sampleSummary samples tokens and measures all heads.
func (l fixedLayer) sampleSummary(t *testing.T, r *rand.Rand) Summary {
	t.Helper()
	var parts []HeadText
	for range l.texts {
		scale := math.Exp(l.textSD * r.NormFloat64() / 2)
		x := sampleWalk(r, l.rows, max(1, l.tokens), l.phi)
		newVectors := func(weights Vectors) Vectors {
			if l.tokens > 0 {
				return projectTokens(x, weights)
			}
			return sampleWalk(r, l.rows, l.d, l.phi)
		}
		var keys []Vectors
		for _, weights := range l.keyWeights {
			keys = append(keys, newVectors(weights))
		}
		for h, weights := range l.queryWeights {
			q := newVectors(weights)
			for i := range q.Data {
				q.Data[i] *= scale * l.queryScales[h]
			}
			parts = append(parts, measure(t, q, keys[h*l.keyHeads/l.heads], l.options()))
		}
	}
	return Summarise(parts, l.heads, l.options())
}

// coverageCount counts estimates (total), estimates with an interval (present), and intervals that
// contain the truth (covering).
type coverageCount struct{ total, present, covering float64 }

// count adds an estimate.
func (c *coverageCount) count(e Estimate, truth float64) {
	c.total++
	if e.SE.Present() {
		c.present++
		if float64(e.Lo) <= truth && truth <= float64(e.Hi) {
			c.covering++
		}
	}
}

// maxDeviations is the allowed deviation of a count in standard deviations, exceeded with
// probability 1/2000.
const maxDeviations = 3.3

// simulate checks that intervals contain the truth in 93 to 97 % of draws, for each head and for
// the mean over heads; if withoutIntervals is set, it checks that there are no intervals. It also
// checks that a gate whose band contains the truth fails in at most 5 % of draws.
func (w world) simulate(t *testing.T, draws int) {
	t.Helper()
	r := rand.New(rand.NewPCG(61, 62))
	l := w.sampleWeights(r)
	counts := map[string]*coverageCount{"variance of a head": {}, "variance of all": {}, "p of a head": {},
		"p of all": {}}
	const bandMargin = 0.1 // relative distance of the edges of the band from the truths
	fails := 0.0
	minSD, maxSD := math.Inf(1), 0.0
	for _, v := range l.variance[:w.heads] {
		minSD, maxSD = min(minSD, math.Sqrt(v)), max(maxSD, math.Sqrt(v))
	}
	for range draws {
		s := l.sampleSummary(t, r)
		for h, head := range append(s.Heads, Head{Estimates: s.Overall}) {
			suffix := " of a head"
			if h == w.heads {
				suffix = " of all"
			}
			counts["variance"+suffix].count(head.ScaledVariance, l.variance[h])
			counts["p"+suffix].count(head.Exponent, l.exponent[h])
		}
		gate := Gate{Lo: minSD * (1 - bandMargin), Hi: maxSD * (1 + bandMargin), Alpha: 0.05, Beta: 0.05}
		if s.Judge(gate, nil).Verdict == result.Fail {
			fails += 1 / float64(draws)
		}
	}
	n := float64(draws)
	if fails > 0.05+maxDeviations*math.Sqrt(0.05*0.95/n) {
		t.Errorf("a gate whose band contains the truth fails in a proportion %.3f of %d draws, want 0.05 at most",
			fails, draws)
	}
	for name, c := range counts {
		present := c.present / c.total
		t.Logf("%s: proportion with an interval %.3f, coverage %.3f", name, present, c.covering/c.present)
		if w.withoutIntervals {
			if c.present > 0.01*c.total {
				t.Errorf("%s: a proportion %.3f of draws has an interval, want 0.01 at most", name, present)
			}
			continue
		}
		if c.present < 0.95*c.total {
			t.Errorf("%s: a proportion %.3f of draws has an interval, want 0.95 at least", name, present)
		}
		coverage := c.covering / c.present
		minCoverage := 0.93 - maxDeviations*math.Sqrt(0.93*0.07/n)
		maxCoverage := 0.97 + maxDeviations*math.Sqrt(0.97*0.03/n)
		if coverage < minCoverage || coverage > maxCoverage {
			t.Errorf("%s: a proportion %.3f of intervals contains the truth, want %.3f to %.3f", name, coverage,
				minCoverage, maxCoverage)
		}
	}
}

// simulateAll simulates each world in a subtest.
func simulateAll(t *testing.T, draws int, worlds []world) {
	t.Helper()
	for _, w := range worlds {
		t.Run(fmt.Sprintf("%+v", w), func(t *testing.T) { w.simulate(t, draws) })
	}
}

// TestIntervals is a short form of TestIntervalsLong, with fewer draws and worlds.
func TestIntervals(t *testing.T) {
	simulateAll(t, 120, []world{
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.9, withoutIntervals: true},
		{texts: 1, heads: 2, rows: 256, d: 16, phi: 0.9, tokens: 32},
		{texts: 1, heads: 2, rows: 64, d: 16, tokens: 32},
		{texts: 2, heads: 2, rows: 32, d: 16},
		{texts: 4, heads: 2, rows: 32, d: 16, textSD: 0.5},
		{texts: 12, heads: 2, rows: 32, d: 16, phi: 0.9},
	})
}

// TestTextCoverage checks that 95 % intervals of the mean of a few numbers contain the true mean in
// 93 to 97 % of draws, also if the numbers are skewed like the variances of texts: lognormal
// numbers and squares of normal numbers.
func TestTextCoverage(t *testing.T) {
	const draws = 4000
	for name, newVariance := range map[string]func(r *rand.Rand) float64{ // the mean is 1
		"normal":    func(r *rand.Rand) float64 { return 1 + 0.1*r.NormFloat64() },
		"lognormal": func(r *rand.Rand) float64 { return math.Exp(0.5*r.NormFloat64() - 0.125) },
		"square":    func(r *rand.Rand) float64 { x := r.NormFloat64(); return x * x },
	} {
		for _, texts := range []int{2, 4, 7, 8, 16, 64} {
			r := rand.New(rand.NewPCG(63, 64))
			var c coverageCount
			for range draws {
				variances := make([]float64, texts)
				for i := range variances {
					variances[i] = newVariance(r)
				}
				c.count(newStudentMean(variances).positiveEstimate(), 1)
			}
			margin := maxDeviations * math.Sqrt(0.93*0.07/draws)
			if c.present < draws {
				t.Errorf("%d %s texts: %v of %v draws have an interval, want all", texts, name, c.present, draws)
			}
			if coverage := c.covering / draws; coverage < 0.93-margin || coverage > 0.97+margin {
				t.Errorf("%d %s texts: intervals contain the truth in a proportion %.3f of draws, want %.3f to %.3f",
					texts, name, coverage, 0.93-margin, 0.97+margin)
			}
		}
	}
}

// TestBatching samples autoregressive series with the correlation φ and the correlation time
// (1+φ)/(1−φ). It compares the variance that batches show with the sample variance of the means, to
// 5 standard errors, and lag1 with φ², the correlation of squares, to 0.06.
func TestBatching(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for _, phi := range []float64{0.5, 0.8, 0.9} {
		const rows, count = 400, 1000
		b := sampleSize{rows, rows * (1 - phi) / (1 + phi)}.newBatching(rows)
		var means []float64
		meanVariance, lag1 := 0.0, 0.0
		const measuredSeries = 20 // of which lag1 is measured
		for i := range count {
			xs := sampleWalk(r, rows, 1, phi).Data
			means = append(means, elementary.Sum(xs)/rows)
			meanVariance += b.varianceOfMean(xs) / count
			if i < measuredSeries {
				q := sampleWalk(r, rows, 16, phi)
				lag1 += measure(t, q, sampleWalk(r, rows, 16, 0), Options{Scale: 1}).lag1 / measuredSeries
			}
		}
		if ratio := meanVariance / variance(means); math.Abs(ratio-1) > 5*math.Sqrt(2.0/count) {
			t.Errorf("φ = %v: the variance from batches over the variance of means is %v, want 1", phi, ratio)
		}
		if math.Abs(lag1-phi*phi) > 0.06 {
			t.Errorf("φ = %v: the contributions of neighbours have the correlation %v, want %v", phi, lag1, phi*phi)
		}
	}
	if batches := (sampleSize{400, 12}).newBatching(256); !math.IsNaN(batches.factor) {
		t.Errorf("the factor for an effective sample size of 12 is %v, want NaN", batches.factor)
	}
}

// TestFalseAlarm counts how often independent rows are called dependent, for 1 head and for 12
// heads. The limit for a probability of 10 % must be exceeded in 2 to 10 % of draws, and the limit
// for 10⁻⁴ at most once.
func TestFalseAlarm(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for _, w := range []world{{texts: 1, heads: 1, rows: 24, d: 8}, {texts: 1, heads: 12, keyHeads: 3, rows: 16, d: 8},
		{texts: 1, heads: 1, rows: 12, d: 1}} {
		const draws = 400
		significant, alarms := 0.0, 0
		for range draws {
			var parts []HeadText
			var k Vectors
			for h := range w.heads {
				if h%max(1, w.heads/max(1, w.keyHeads)) == 0 {
					k = sampleVectors(r, w.rows, w.d, normal)
				}
				parts = append(parts, measure(t, sampleVectors(r, w.rows, w.d, normal), k, w.options()))
			}
			for _, p := range parts {
				if p.dof > 0 && p.z > theory.StudentQuantile(0.1/float64(comparisons*w.heads), p.dof) {
					significant += 1.0 / draws
					break
				}
			}
			if z, _ := effectiveSampleSize(parts); z > 0 {
				alarms++
			}
		}
		if maxRate := 0.1 + maxDeviations*math.Sqrt(0.1*0.9/draws); significant > maxRate {
			t.Errorf("%+v: the limit for 10 %% is exceeded at a rate of %.3f, want %.3f at most", w, significant,
				maxRate)
		}
		if significant < 0.02 && w.d > 1 {
			t.Errorf("%+v: the limit for 10 %% is exceeded at a rate of %.3f, want 0.02 at least", w, significant)
		}
		if alarms > 1 { // a second alarm has probability 1/1000
			t.Errorf("%+v: %d false alarms in %d draws, want 1 at most", w, alarms, draws)
		}
	}
}
