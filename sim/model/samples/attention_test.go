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

// Weights made by softmax, and by mistakes for it, are judged as they were made.
func TestWeights(t *testing.T) {
	const d = 64
	m := newModel(51, 4, 4, 4, 32, d)
	scaled := func(factor float64) values { return m.pairs(func(p at) float64 { return factor * p.score }) }
	causal := m.pairs(func(p at) float64 {
		if p.key > p.query {
			return math.Inf(-1)
		}
		return p.score / 8
	})
	each := func(v values, f func(i int, w float64) float64) values {
		out := values{shape: v.shape}
		for i, w := range v.data {
			out.data = append(out.data, f(i, w))
		}
		return out
	}
	// along makes weights of which those a stride apart, count of them, sum to 1.
	along := func(stride, count int) values {
		v := each(scaled(1./8), func(_ int, x float64) float64 { return math.Exp(x) })
		return each(v, func(i int, w float64) float64 {
			first, sum := i-i/stride%count*stride, 0.0
			for j := range count {
				sum += v.data[first+j*stride]
			}
			return w / sum
		})
	}
	r := rand.New(rand.NewPCG(52, 53))
	right := m.softmax(scaled(1. / 8))
	dropped := each(m.softmax(causal), func(_ int, w float64) float64 { return w / 0.8 * float64(min(1, r.IntN(5))) })
	for name, c := range map[string]struct {
		arrays map[string]values
		want   result.Verdict
		says   string
		from   string
	}{
		"right":           {map[string]values{"attentions": right}, result.Pass, "", "weights"},
		"named as logits": {map[string]values{"logits": right}, result.Pass, "", "weights"},
		"causal":          {map[string]values{"attn_weights": m.softmax(causal)}, result.Pass, "", "weights"},
		"of their logits": {map[string]values{"weights": m.softmax(causal), "logits": causal}, result.Pass, "", "logits"},
		"no scale": {map[string]values{"probs": m.softmax(scaled(1))}, result.Fail, "the scale is forgotten",
			"weights"},
		"along queries": {map[string]values{"weights": along(32, 32)}, result.Fail, "softmax runs along queries",
			"weights"},
		"along heads": {map[string]values{"weights": along(32*32, 4), "logits": scaled(1. / 8)}, result.Fail,
			"softmax runs along heads", "logits"},
		"dropout": {map[string]values{"weights": dropped}, result.Fail, "dropout, since 2", "weights"},
		"scaled behind": {map[string]values{"weights": each(m.softmax(scaled(1)), func(_ int,
			w float64) float64 {
			return w / 8
		})}, result.Fail, "by the same number behind softmax, 0.125", "weights"},
		"of half the logits": {map[string]values{"weights": m.softmax(scaled(1. / 16)), "logits": scaled(1. / 8)},
			result.Fail, "softmax gets 0.5 times the logits", "logits"},
		"of other logits": {map[string]values{"weights": m.softmax(m.pairs(func(p at) float64 { return 2 * r.NormFloat64() })),
			"logits": scaled(1. / 8)}, result.Fail, "not softmax of the logits", "logits"},
		"with a sink": {map[string]values{"weights": each(right,
			func(i int, w float64) float64 { return w * (0.5 + 0.4*float64(i/32%7)/7) })}, result.Pass, "a sink", "weights"},
	} {
		t.Run(name, func(t *testing.T) {
			_, a, err := look(t, m.arrays(c.arrays), inspect.Options{})
			simtest.Must(t, err)
			if a.Verdict != c.want || a.Source != c.from || !strings.Contains(a.Diagnosis, c.says) || c.says == "" && a.Diagnosis != "" {
				t.Errorf("%s by %s: %q, want %s by %s and %q", a.Verdict, a.Source, a.Diagnosis, c.want, c.from, c.says)
			}
		})
	}
}

// Rows of zeros are named and left out: what is left is judged as if it were alone.
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
			logits := padded.pairs(func(p at) float64 { return p.score / 4 })
			got, a, err := look(t, padded.arrays(map[string]values{"logits": logits}), o)
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
			want, _, err := look(t, short.arrays(nil), o)
			simtest.Must(t, err)
			if got.Overall.Variance != want.Overall.Variance || a.Verdict != result.Pass {
				t.Errorf("%+v, want %+v; %+v", got.Overall.Variance, want.Overall.Variance, a)
			}
			if caveats := strings.Join(got.Caveats, ", "); !strings.Contains(caveats,
				"192 rows of queries and 192 of keys are 0") {
				t.Errorf("caveats %q", caveats)
			}
		})
	}
}

// Products that float16 does not hold are counted, and infinite numbers are named with their place.
func TestOverflow(t *testing.T) {
	m := newModel(56, 1, 1, 1, 16, 64)
	for i := range m.q {
		m.q[i], m.k[i] = math.Round(100*m.q[i]), math.Round(60*m.k[i])
	}
	beyond := 0
	m.pairs(func(p at) float64 {
		if math.Abs(p.score) > 65504 {
			beyond++
		}
		return 0
	})
	all := m.arrays(nil)
	for name, v := range all {
		v.half = true
		all[name] = v
	}
	out, _, err := look(t, all, inspect.Options{})
	simtest.Must(t, err)
	caveats := strings.Join(out.Caveats, "; ")
	want := []string{fmt.Sprintf("%d of 256 products q·k are beyond 65504", beyond), "none is beyond it after the scale"}
	for _, w := range want {
		if beyond == 0 || !strings.Contains(caveats, w) {
			t.Errorf("%d beyond: %q does not say %q", beyond, caveats, w)
		}
	}
	all["logits"] = m.pairs(func(p at) float64 {
		if p.score > 65504 {
			return math.Inf(1)
		}
		return p.score
	})
	_, _, err = look(t, all, inspect.Options{})
	if err == nil || !strings.Contains(err.Error(), "text 0, head 0: logits has +Inf for query ") ||
		!strings.Contains(err.Error(), "float16 ends at 65504") {
		t.Errorf("%v", err)
	}
}

// Queries and keys are brought to a length before the product.
func TestLength(t *testing.T) {
	m := newModel(57, 8, 2, 2, 32, 16)
	for i := range m.q {
		m.q[i] *= 5
	}
	cosine := m.pairs(func(p at) float64 {
		q, k := m.vector(m.q, 2, p.text, p.head, p.query), m.vector(m.k, 2, p.text, p.head, p.key)
		return 10 * p.score / math.Sqrt(elementary.SumOfSquares(q)*elementary.SumOfSquares(k))
	})
	out, a, err := look(t, m.arrays(map[string]values{"logits": cosine}), inspect.Options{Length: 1, Scale: 10})
	simtest.Must(t, err)
	// The cosine of random directions has the variance 1/d_k.
	if v := out.Overall.ScaledVariance; a.Verdict != result.Pass || !(math.Abs(float64(v.Value)-100./16) < 5*float64(v.SE)) {
		t.Errorf("%v ± %v: %+v", v.Value, v.SE, a)
	}
	judged(t, m.arrays(map[string]values{"logits": cosine}), inspect.Options{}, result.Undecided,
		"say --scale \"cosine(10)\"")
	for i := range cosine.data {
		cosine.data[i] *= 0.4 // √16 times the cosine
	}
	judged(t, m.arrays(map[string]values{"logits": cosine}), inspect.Options{}, result.Undecided, "say --scale qk-norm")
}
