package samples

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestWeights checks the verdict, the diagnosis and the source of the factor for attention weights,
// with and without logits.
func TestWeights(t *testing.T) {
	const d = 64
	m := newModel(51, 4, 4, 4, 32, d)
	scaled := func(factor float64) testArray {
		return m.computePairs(func(p scoredPair) float64 { return factor * p.score })
	}
	causal := m.computePairs(func(p scoredPair) float64 {
		if p.key > p.query {
			return math.Inf(-1)
		}
		return p.score / 8
	})
	transform := func(v testArray, f func(i int, w float64) float64) testArray {
		transformed := testArray{shape: v.shape}
		for i, w := range v.data {
			transformed.data = append(transformed.data, f(i, w))
		}
		return transformed
	}
	// normaliseAlong returns positive numbers such that count of them, at distances of stride in
	// the array, sum to 1.
	normaliseAlong := func(stride, count int) testArray {
		v := transform(scaled(1./8), func(_ int, x float64) float64 { return math.Exp(x) })
		return transform(v, func(i int, w float64) float64 {
			first, sum := i-i/stride%count*stride, 0.0
			for j := range count {
				sum += v.data[first+j*stride]
			}
			return w / sum
		})
	}
	r := rand.New(rand.NewPCG(52, 53))
	correct := m.softmax(scaled(1. / 8))
	unrelated := m.softmax(m.computePairs(func(scoredPair) float64 { return 2 * r.NormFloat64() }))
	dropped := transform(m.softmax(causal),
		func(_ int, w float64) float64 { return w / 0.8 * float64(min(1, r.IntN(5))) })
	for name, c := range map[string]struct {
		arrays    map[string]testArray
		want      result.Verdict
		diagnosis string
		source    string
	}{
		"correct":         {map[string]testArray{"attentions": correct}, result.Pass, "", "weights"},
		"named as logits": {map[string]testArray{"logits": correct}, result.Pass, "", "weights"},
		"causal":          {map[string]testArray{"attn_weights": m.softmax(causal)}, result.Pass, "", "weights"},
		"of their logits": {map[string]testArray{"weights": m.softmax(causal), "logits": causal}, result.Pass, "",
			"logits"},
		"no scale": {map[string]testArray{"probs": m.softmax(scaled(1))}, result.Fail, "the scale is forgotten",
			"weights"},
		"along queries": {map[string]testArray{"weights": normaliseAlong(32, 32)}, result.Fail,
			"softmax runs along queries",
			"weights"},
		"along heads": {map[string]testArray{"weights": normaliseAlong(32*32, 4), "logits": scaled(1. / 8)},
			result.Fail,
			"softmax runs along heads", "logits"},
		"dropout": {map[string]testArray{"weights": dropped}, result.Fail, "dropout, since 2", "weights"},
		"scaled behind": {map[string]testArray{"weights": transform(m.softmax(scaled(1)), func(_ int,
			w float64) float64 {
			return w / 8
		})}, result.Fail, "by the same number after softmax, 0.125", "weights"},
		"of half the logits": {map[string]testArray{"weights": m.softmax(scaled(1. / 16)), "logits": scaled(1. / 8)},
			result.Fail, "softmax gets 0.5 times the logits", "logits"},
		"of other logits": {map[string]testArray{"weights": unrelated, "logits": scaled(1. / 8)}, result.Fail,
			"not softmax of the logits", "logits"},
		"with a sink": {map[string]testArray{"weights": transform(correct,
			func(i int, w float64) float64 { return w * (0.5 + 0.4*float64(i/32%7)/7) })}, result.Pass, "a sink",
			"weights"},
	} {
		t.Run(name, func(t *testing.T) {
			_, a, err := measureSamples(t, m.arrays(c.arrays), inspect.Options{})
			simtest.Must(t, err)
			if a.Verdict != c.want || a.Source != c.source || !strings.Contains(a.Diagnosis, c.diagnosis) ||
				c.diagnosis == "" && a.Diagnosis != "" {
				t.Errorf("got %s by %s and %q, want %s by %s and %q", a.Verdict, a.Source, a.Diagnosis, c.want,
					c.source,
					c.diagnosis)
			}
		})
	}
}

// TestPadding checks that rows of zeros are omitted and reported: the variance must equal the
// variance of a file that has only the other rows.
func TestPadding(t *testing.T) {
	m := newModel(55, 8, 2, 2, 32, 16)
	padded := *m
	padded.q, padded.k = append([]float64(nil), m.q...), append([]float64(nil), m.k...)
	for text := range 8 {
		for head := range 2 {
			for i := 20; i < 32; i++ {
				clear(padded.vector(padded.q, 2, text, head, i))
				clear(padded.vector(padded.k, 2, text, head, i))
			}
		}
	}
	for name, o := range map[string]inspect.Options{"all": {}, "causal": {Causal: true}, "paired": {Paired: true}} {
		t.Run(name, func(t *testing.T) {
			logits := padded.computePairs(func(p scoredPair) float64 { return p.score / 4 })
			got, a, err := measureSamples(t, padded.arrays(map[string]testArray{"logits": logits}), o)
			simtest.Must(t, err)
			short := &model{texts: 8, heads: 2, keyHeads: 2, queries: 20, keys: 20, d: 16}
			for text := range 8 {
				for head := range 2 {
					for i := range 20 {
						short.q = append(short.q, m.vector(m.q, 2, text, head, i)...)
						short.k = append(short.k, m.vector(m.k, 2, text, head, i)...)
					}
				}
			}
			want, _, err := measureSamples(t, short.arrays(nil), o)
			simtest.Must(t, err)
			if got.Overall.Variance != want.Overall.Variance || a.Verdict != result.Pass {
				t.Errorf("got the variance %+v and the factor %+v, want the variance %+v and pass",
					got.Overall.Variance, a,
					want.Overall.Variance)
			}
			if caveats := strings.Join(got.Caveats, ", "); !strings.Contains(caveats,
				"192 rows of queries and 192 of keys are 0") {
				t.Errorf("the caveats are %q, want one with the numbers of omitted rows, 192 and 192", caveats)
			}
		})
	}
}

// TestOverflow checks the number of products that are too large for float16, and the error for
// infinite logits.
func TestOverflow(t *testing.T) {
	m := newModel(56, 1, 1, 1, 16, 64)
	for i := range m.q {
		m.q[i], m.k[i] = math.Round(100*m.q[i]), math.Round(60*m.k[i])
	}
	overflowing := 0
	m.computePairs(func(p scoredPair) float64 {
		if math.Abs(p.score) > 65504 {
			overflowing++
		}
		return 0
	})
	arrays := m.arrays(nil)
	for name, v := range arrays {
		v.isFloat16 = true
		arrays[name] = v
	}
	summary, _, err := measureSamples(t, arrays, inspect.Options{})
	simtest.Must(t, err)
	caveats := strings.Join(summary.Caveats, "; ")
	want := []string{fmt.Sprintf("%d of 256 products q·k are beyond 65504", overflowing),
		"none is beyond it after the scale"}
	for _, w := range want {
		if overflowing == 0 || !strings.Contains(caveats, w) {
			t.Errorf("%d products overflow: the caveats are %q, want them to contain %q", overflowing, caveats, w)
		}
	}
	arrays["logits"] = m.computePairs(func(p scoredPair) float64 {
		if p.score > 65504 {
			return math.Inf(1)
		}
		return p.score
	})
	_, _, err = measureSamples(t, arrays, inspect.Options{})
	if err == nil || !strings.Contains(err.Error(), "text 0, head 0: logits has +Inf for query ") ||
		!strings.Contains(err.Error(), "float16 ends at 65504") {
		t.Errorf("the error for infinite logits is %v, want the position and the end of float16", err)
	}
}

// TestLength checks logits of queries and keys that are normalised to one length.
func TestLength(t *testing.T) {
	m := newModel(57, 8, 2, 2, 32, 16)
	for i := range m.q {
		m.q[i] *= 5
	}
	cosine := m.computePairs(func(p scoredPair) float64 {
		q, k := m.vector(m.q, 2, p.text, p.head, p.query), m.vector(m.k, 2, p.text, p.head, p.key)
		return 10 * p.score / math.Sqrt(elementary.SumOfSquares(q)*elementary.SumOfSquares(k))
	})
	summary, a, err := measureSamples(t, m.arrays(map[string]testArray{"logits": cosine}),
		inspect.Options{Length: 1, Scale: 10})
	simtest.Must(t, err)
	// The cosine of random directions has the variance 1/d_k.
	if v := summary.Overall.ScaledVariance; a.Verdict != result.Pass ||
		!(math.Abs(float64(v.Value)-100./16) < 5*float64(v.SE)) {
		t.Errorf("got the scaled variance %v ± %v and the factor %+v, want 100/16 and pass", v.Value, v.SE, a)
	}
	checkJudgement(t, m.arrays(map[string]testArray{"logits": cosine}), inspect.Options{}, result.Undecided,
		"say --scale \"cosine(10)\"")
	for i := range cosine.data {
		cosine.data[i] *= 0.4 // √16 times the cosine
	}
	checkJudgement(t, m.arrays(map[string]testArray{"logits": cosine}), inspect.Options{}, result.Undecided,
		"say --scale qk-norm")
}
