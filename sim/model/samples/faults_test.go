package samples

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// Beside a bias every head, layer, text and row counts, however many there are.
func TestFactorsBesideBias(t *testing.T) {
	distance := func(p at) float64 { return math.Abs(float64(p.query-p.key)) / float64(2+p.head) }
	table := rand.New(rand.NewPCG(61, 62))
	bias := make([]float64, 32*32)
	for i := range bias {
		bias[i] = table.NormFloat64()
	}
	for name, c := range map[string]struct {
		texts, heads, rows int
		logit              func(at) float64
		want               result.Verdict
		says               string
	}{
		"sound": {2, 20, 16, func(p at) float64 { return p.score/8 - distance(p) }, result.Pass, "ALiBi"},
		"head 18": {2, 20, 16, func(p at) float64 {
			if p.head == 18 {
				return p.score/4 - distance(p)
			}
			return p.score/8 - distance(p)
		}, result.Fail, "at head 18 it is 0.25, 2 times that of most"},
		"text 9": {10, 2, 16, func(p at) float64 {
			if p.text == 9 {
				return p.score/4 - distance(p)
			}
			return p.score/8 - distance(p)
		}, result.Fail, "at text 9 it is 0.25"},
		"rows from 64 on": {1, 2, 128, func(p at) float64 {
			if p.query >= 64 {
				return p.score/4 - distance(p)
			}
			return p.score/8 - distance(p)
		}, result.Fail, "differs from row to row"},
		"rows in turns": {8, 2, 32, func(p at) float64 {
			return p.score/8*(0.9+0.2*float64(p.query%2)) - distance(p)
		}, result.Undecided, "and more is added to the logits, or the factor varies"},
		"heads of a table": {8, 4, 32, func(p at) float64 {
			return p.score/8*(1+float64(p.head%2)) + bias[p.query*32+p.key]
		}, result.Fail, "the same in all texts, as of BEiT and Swin; the factor differs from head to head"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(63, c.texts, c.heads, c.heads, c.rows, 64)
			judged(t, m.arrays(map[string]values{"logits": m.pairs(c.logit)}), inspect.Options{}, c.want, c.says)
		})
	}
}

// judged holds a verdict, and what it says, against what is wanted; says may be empty.
func judged(t *testing.T, all map[string]values, o inspect.Options, want result.Verdict, says string) {
	t.Helper()
	_, a, err := look(t, all, o)
	simtest.Must(t, err)
	if a.Verdict != want || !strings.Contains(a.Diagnosis, says) || says == "" && a.Diagnosis != "" {
		t.Errorf("%s: %q, want %s and %q", a.Verdict, a.Diagnosis, want, says)
	}
}

// Weights are compared with softmax of the logits, however small they are, and zeros behind softmax
// are no sink.
func TestWeightsBesideLogits(t *testing.T) {
	m := newModel(64, 2, 2, 2, 64, 64)
	other := newModel(65, 2, 2, 2, 64, 64)
	r := rand.New(rand.NewPCG(66, 67))
	scaled := func(m *model, factor float64) values {
		return m.pairs(func(p at) float64 { return factor * p.score })
	}
	logits := scaled(m, 1./8)
	right := m.softmax(logits)
	change := func(v values, f func(i int, w float64) float64) values {
		out := values{shape: v.shape, data: slices.Clone(v.data)}
		for i, w := range out.data {
			out.data[i] = f(i, w)
		}
		return out
	}
	behind := func(i int) bool { return i%64 > i/64%64 }
	masked := change(right, func(i int, w float64) float64 {
		if behind(i) {
			return 0
		}
		return w
	})
	causal := m.softmax(change(logits, func(i int, x float64) float64 {
		if behind(i) {
			return math.Inf(-1)
		}
		return x
	}))
	kept := make([]float64, len(right.data))
	for i := range kept {
		kept[i] = float64(min(1, r.IntN(100)))
	}
	sink := func(i int, w float64) float64 { return w * (0.5 + 0.4*float64(i/64%7)/7) }
	both := change(logits, func(_ int, x float64) float64 { return math.Exp(x) })
	for i := 0; i < len(both.data); i += 64 * 64 {
		block := both.data[i : i+64*64]
		sum := elementary.Sum(block)
		for j := range block {
			block[j] /= sum
		}
	}
	cool := m.pairs(func(p at) float64 { return p.score / 240 })
	for name, c := range map[string]struct {
		logits, weights values
		want            result.Verdict
		says            string
	}{
		"sink": {logits, change(right, sink), result.Pass, "the same part of softmax(logits) in a row"},
		"other logits with a sink": {logits, change(m.softmax(scaled(other, 1./8)), sink), result.Fail,
			"not softmax of the logits"},
		"mask behind softmax": {logits, masked, result.Fail, "are set to 0 behind softmax, by a mask"},
		"mask behind, alone":  {values{}, masked, result.Fail, "are set to 0 behind softmax, by a mask"},
		"dropout of a hundredth": {logits, change(right, func(i int, w float64) float64 { return w * kept[i] / 0.99 }),
			result.Fail, "dropout, since"},
		"dropout without rescaling": {logits, change(right, func(i int, w float64) float64 { return w * kept[i] }),
			result.Fail, "are set to 0 behind softmax"},
		"along queries and keys": {logits, both, result.Fail, "softmax runs along more than keys"},
		"sink alone": {values{}, change(right, sink), result.Pass,
			"a sink, a mask behind softmax, or dropout; not checked"},
		"cool, of other rows": {cool, m.softmax(scaled(other, 1./240)), result.Fail, "not softmax of the logits"},
		"cool, uniform":       {cool, m.softmax(scaled(m, 0)), result.Fail, "softmax gets 0 times the logits"},
		"logits before the mask": {logits, causal, result.Pass,
			"the logits are saved before the mask, or it is dropout; not checked"},
		"logits before the scale": {scaled(m, 1), right, result.Pass, "judged by the weights, softmax of q·k times 0.125"},
		"logits less the row's most": {change(logits,
			func(i int, x float64) float64 { return x - slices.Max(logits.data[i/64*64:i/64*64+64]) }), right, result.Pass, ""},
	} {
		t.Run(name, func(t *testing.T) {
			others := map[string]values{"weights": c.weights}
			scale := 0.0
			if c.logits.shape != nil {
				others["logits"] = c.logits
			}
			if strings.HasPrefix(name, "cool") {
				scale = 1. / 240
			}
			judged(t, m.arrays(others), inspect.Options{Scale: scale}, c.want, c.says)
		})
	}
}

// Logits of few digits, of a scale by rows, below float16, of q·k without its norm or of keys of other
// heads are judged by what they are. A soft cap of trained models shows at logits of variance 1, and one
// that changes no logit by a thousandth does not count.
func TestOtherLogits(t *testing.T) {
	m := newModel(69, 8, 2, 2, 32, 64)
	large := newModel(70, 2, 2, 2, 32, 64)
	for i := range large.q {
		large.q[i] *= 3000
	}
	shared := newModel(54, 4, 8, 2, 32, 32)
	byKeys := func(keyHead func(head int) int) func(at) float64 {
		return func(p at) float64 {
			q := shared.vector(shared.q, 8, p.text, p.head, p.query)
			return elementary.Dot(q, shared.vector(shared.k, 2, p.text, keyHead(p.head), p.key)) / math.Sqrt(32)
		}
	}
	fresh := newModel(68, 4, 4, 4, 32, 64)
	capped := func(limit float64) func(at) float64 {
		return func(p at) float64 { return limit * math.Tanh(p.score/8/limit) }
	}
	byRows := func(p at) float64 {
		if p.key > p.query {
			return math.Inf(-1)
		}
		return 0.4 * math.Log(float64(p.query+1)) * p.score / 8
	}
	for name, c := range map[string]struct {
		model   *model
		logit   func(at) float64
		options inspect.Options
		want    result.Verdict
		says    string
	}{
		"rounded to a twentieth": {m, func(p at) float64 { return math.Round(p.score/8*20) / 20 }, inspect.Options{},
			result.Pass, ""},
		"log-n": {m, byRows, inspect.Options{Scale: 0.4 * math.Log(32) / 8, Causal: true,
			Factor: func(keys int) float64 { return 0.4 * math.Log(float64(keys)) / 8 }}, result.Pass, ""},
		"−∞ of overflow": {large, func(p at) float64 {
			if p.score < -maxHalf {
				return math.Inf(-1)
			}
			return p.score / 8
		}, inspect.Options{}, result.Fail, "−∞ where q·k is below −65504"},
		"neighbours share keys": {shared, byKeys(func(h int) int { return h / 4 }), inspect.Options{}, result.Pass, ""},
		"keys of heads in turns": {shared, byKeys(func(h int) int { return h % 2 }), inspect.Options{}, result.Fail,
			"head h uses the keys of head h % 2, where neighbouring heads share them: h // 4"},
		"keys of the last head first": {shared, byKeys(func(h int) int { return 1 - h/4 }), inspect.Options{}, result.Fail,
			"head 0 uses the keys of head 1, not 0"},
		"soft cap of 30":   {fresh, capped(30), inspect.Options{}, result.Fail, "a soft cap of about 30"},
		"soft cap of 50":   {fresh, capped(50), inspect.Options{}, result.Fail, "a soft cap of about 50"},
		"soft cap of 1000": {fresh, capped(1000), inspect.Options{}, result.Pass, ""},
		"norm forgotten": {m, func(p at) float64 { return p.score / 8 }, inspect.Options{Length: 8}, result.Fail,
			"the norm of --scale is not applied"},
		"keys in turns": {m, func(p at) float64 { return p.score / 8 * (0.7 + 0.6*float64(p.key%2)) },
			inspect.Options{}, result.Undecided, "a bias, or noise"},
		"multiplied by a mask": {m, func(p at) float64 { return p.score / 8 * float64(min(1, p.key%4)) }, inspect.Options{},
			result.Fail, "exactly 0 where q·k is not"},
	} {
		t.Run(name, func(t *testing.T) {
			judged(t, c.model.arrays(map[string]values{"logits": c.model.pairs(c.logit)}), c.options, c.want, c.says)
		})
	}
}
