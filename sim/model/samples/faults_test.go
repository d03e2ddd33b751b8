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

// TestFactorsWithBias checks that heads, texts and rows with a wrong factor are found although a
// bias is added to the logits.
func TestFactorsWithBias(t *testing.T) {
	distance := func(p scoredPair) float64 { return math.Abs(float64(p.query-p.key)) / float64(2+p.head) }
	r := rand.New(rand.NewPCG(61, 62))
	bias := make([]float64, 32*32)
	for i := range bias {
		bias[i] = r.NormFloat64()
	}
	for name, c := range map[string]struct {
		texts, heads, rows int
		logit              func(scoredPair) float64
		want               result.Verdict
		diagnosis          string
	}{
		"correct": {2, 20, 16, func(p scoredPair) float64 { return p.score/8 - distance(p) }, result.Pass, "ALiBi"},
		"head 18": {2, 20, 16, func(p scoredPair) float64 {
			if p.head == 18 {
				return p.score/4 - distance(p)
			}
			return p.score/8 - distance(p)
		}, result.Fail, "at head 18 it is 0.25, 2 times that of most"},
		"text 9": {10, 2, 16, func(p scoredPair) float64 {
			if p.text == 9 {
				return p.score/4 - distance(p)
			}
			return p.score/8 - distance(p)
		}, result.Fail, "at text 9 it is 0.25"},
		"rows from 64 on": {1, 2, 128, func(p scoredPair) float64 {
			if p.query >= 64 {
				return p.score/4 - distance(p)
			}
			return p.score/8 - distance(p)
		}, result.Fail, "differs from row to row"},
		"odd and even rows": {8, 2, 32, func(p scoredPair) float64 {
			return p.score/8*(0.9+0.2*float64(p.query%2)) - distance(p)
		}, result.Undecided, "and more is added to the logits, or the factor varies"},
		"heads with a table of biases": {8, 4, 32, func(p scoredPair) float64 {
			return p.score/8*(1+float64(p.head%2)) + bias[p.query*32+p.key]
		}, result.Fail, "the same in all texts, as of BEiT and Swin; the factor differs from head to head"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(63, c.texts, c.heads, c.heads, c.rows, 64)
			checkJudgement(t, m.arrays(map[string]testArray{"logits": m.computePairs(c.logit)}), inspect.Options{},
				c.want, c.diagnosis)
		})
	}
}

// checkJudgement checks the verdict on arrays, and that the diagnosis contains a text. If the text
// is empty, the diagnosis must be empty, too.
func checkJudgement(t *testing.T, arrays map[string]testArray, o inspect.Options, want result.Verdict,
	diagnosis string) {
	t.Helper()
	_, a, err := measureSamples(t, arrays, o)
	simtest.Must(t, err)
	if a.Verdict != want || !strings.Contains(a.Diagnosis, diagnosis) || diagnosis == "" && a.Diagnosis != "" {
		t.Errorf("got %s and %q, want %s and %q", a.Verdict, a.Diagnosis, want, diagnosis)
	}
}

// TestWeightsWithLogits checks that weights are compared with the softmax of the logits, also if
// the logits are small, and that weights which are set to 0 after softmax are not mistaken for a
// sink.
func TestWeightsWithLogits(t *testing.T) {
	m := newModel(64, 2, 2, 2, 64, 64)
	other := newModel(65, 2, 2, 2, 64, 64)
	r := rand.New(rand.NewPCG(66, 67))
	scaled := func(m *model, factor float64) testArray {
		return m.computePairs(func(p scoredPair) float64 { return factor * p.score })
	}
	logits := scaled(m, 1./8)
	correct := m.softmax(logits)
	change := func(v testArray, f func(i int, w float64) float64) testArray {
		changed := testArray{shape: v.shape, data: slices.Clone(v.data)}
		for i, w := range changed.data {
			changed.data[i] = f(i, w)
		}
		return changed
	}
	isFuture := func(i int) bool { return i%64 > i/64%64 }
	masked := change(correct, func(i int, w float64) float64 {
		if isFuture(i) {
			return 0
		}
		return w
	})
	causal := m.softmax(change(logits, func(i int, x float64) float64 {
		if isFuture(i) {
			return math.Inf(-1)
		}
		return x
	}))
	kept := make([]float64, len(correct.data))
	for i := range kept {
		kept[i] = float64(min(1, r.IntN(100)))
	}
	sink := func(i int, w float64) float64 { return w * (0.5 + 0.4*float64(i/64%7)/7) }
	normalisedTwice := change(logits, func(_ int, x float64) float64 { return math.Exp(x) })
	for i := 0; i < len(normalisedTwice.data); i += 64 * 64 {
		block := normalisedTwice.data[i : i+64*64]
		sum := elementary.Sum(block)
		for j := range block {
			block[j] /= sum
		}
	}
	smallLogits := m.computePairs(func(p scoredPair) float64 { return p.score / 240 })
	for name, c := range map[string]struct {
		logits, weights testArray
		want            result.Verdict
		diagnosis       string
	}{
		"sink": {logits, change(correct, sink), result.Pass, "a row is softmax(logits) times a number below 1"},
		"other logits with a sink": {logits, change(m.softmax(scaled(other, 1./8)), sink), result.Fail,
			"not softmax of the logits"},
		"mask after softmax": {logits, masked, result.Fail, "are set to 0 after softmax, by a mask"},
		"mask after softmax, without logits": {testArray{}, masked, result.Fail,
			"are set to 0 after softmax, by a mask"},
		"dropout of 1 %": {logits,
			change(correct, func(i int, w float64) float64 { return w * kept[i] / 0.99 }),
			result.Fail, "dropout, since"},
		"dropout without rescaling": {logits, change(correct, func(i int, w float64) float64 { return w * kept[i] }),
			result.Fail, "are set to 0 after softmax"},
		"along queries and keys": {logits, normalisedTwice, result.Fail, "softmax runs along more than keys"},
		"sink, without logits": {testArray{}, change(correct, sink), result.Pass,
			"a sink, a mask after softmax, or dropout; not checked"},
		"small logits, of other rows": {smallLogits, m.softmax(scaled(other, 1./240)), result.Fail,
			"not softmax of the logits"},
		"small logits, uniform weights": {smallLogits, m.softmax(scaled(m, 0)), result.Fail,
			"softmax gets 0 times the logits"},
		"logits before the mask": {logits, causal, result.Pass,
			"the logits are saved before the mask, or it is dropout; not checked"},
		"logits before the scale": {scaled(m, 1), correct, result.Pass,
			"judged by the weights, softmax of q·k times 0.125"},
		"logits minus the row's maximum": {change(logits,
			func(i int, x float64) float64 { return x - slices.Max(logits.data[i/64*64:i/64*64+64]) }), correct,
			result.Pass, ""},
	} {
		t.Run(name, func(t *testing.T) {
			others := map[string]testArray{"weights": c.weights}
			if c.logits.shape != nil {
				others["logits"] = c.logits
			}
			scale := 0.0 // the default of measureSamples
			if strings.HasPrefix(name, "small logits") {
				scale = 1. / 240
			}
			checkJudgement(t, m.arrays(others), inspect.Options{Scale: scale}, c.want, c.diagnosis)
		})
	}
}

// TestOtherLogits checks rounding, a scale that depends on the row, overflow, a missing norm, keys
// of other heads, and soft caps of logits with variance 1. The soft caps of trained models, 30 and
// 50, must be found. A soft cap that changes no logit by 0.1 % must be ignored.
func TestOtherLogits(t *testing.T) {
	m := newModel(69, 8, 2, 2, 32, 64)
	large := newModel(70, 2, 2, 2, 32, 64)
	for i := range large.q {
		large.q[i] *= 3000
	}
	grouped := newModel(54, 4, 8, 2, 32, 32) // four heads of queries for each head of keys
	useKeyHead := func(keyHead func(head int) int) func(scoredPair) float64 {
		return func(p scoredPair) float64 {
			q := grouped.vector(grouped.q, 8, p.text, p.head, p.query)
			return elementary.Dot(q, grouped.vector(grouped.k, 2, p.text, keyHead(p.head), p.key)) / math.Sqrt(32)
		}
	}
	independent := newModel(68, 4, 4, 4, 32, 64)
	capped := func(limit float64) func(scoredPair) float64 {
		return func(p scoredPair) float64 { return limit * math.Tanh(p.score/8/limit) }
	}
	scaleByRow := func(p scoredPair) float64 {
		if p.key > p.query {
			return math.Inf(-1)
		}
		return 0.4 * math.Log(float64(p.query+1)) * p.score / 8
	}
	for name, c := range map[string]struct {
		model     *model
		logit     func(scoredPair) float64
		options   inspect.Options
		want      result.Verdict
		diagnosis string
	}{
		"rounded to a twentieth": {m, func(p scoredPair) float64 { return math.Round(p.score/8*20) / 20 },
			inspect.Options{},
			result.Pass, ""},
		"log-n": {m, scaleByRow, inspect.Options{Scale: 0.4 * math.Log(32) / 8, Causal: true,
			Factor: func(keys int) float64 { return 0.4 * math.Log(float64(keys)) / 8 }}, result.Pass, ""},
		"−∞ of overflow": {large, func(p scoredPair) float64 {
			if p.score < -maxHalf {
				return math.Inf(-1)
			}
			return p.score / 8
		}, inspect.Options{}, result.Fail, "−∞ where q·k is below −65504"},
		"neighbouring heads share keys": {grouped, useKeyHead(func(h int) int { return h / 4 }), inspect.Options{},
			result.Pass, ""},
		"heads use the heads of keys in turn": {grouped, useKeyHead(func(h int) int { return h % 2 }),
			inspect.Options{}, result.Fail,
			"head h uses the keys of head h % 2, where neighbouring heads share them: h // 4"},
		"heads of keys in reverse order": {grouped, useKeyHead(func(h int) int { return 1 - h/4 }), inspect.Options{},
			result.Fail,
			"head 0 uses the keys of head 1, not 0"},
		"soft cap of 30":   {independent, capped(30), inspect.Options{}, result.Fail, "a soft cap of about 30"},
		"soft cap of 50":   {independent, capped(50), inspect.Options{}, result.Fail, "a soft cap of about 50"},
		"soft cap of 1000": {independent, capped(1000), inspect.Options{}, result.Pass, ""},
		"norm forgotten": {m, func(p scoredPair) float64 { return p.score / 8 }, inspect.Options{Length: 8},
			result.Fail,
			"the norm of --scale is not applied"},
		"a factor for odd and even keys": {m,
			func(p scoredPair) float64 { return p.score / 8 * (0.7 + 0.6*float64(p.key%2)) },
			inspect.Options{}, result.Undecided, "a bias, or noise"},
		"multiplied by a mask": {m, func(p scoredPair) float64 { return p.score / 8 * float64(min(1, p.key%4)) },
			inspect.Options{},
			result.Fail, "exactly 0 where q·k is not"},
	} {
		t.Run(name, func(t *testing.T) {
			checkJudgement(t, c.model.arrays(map[string]testArray{"logits": c.model.computePairs(c.logit)}),
				c.options, c.want, c.diagnosis)
		})
	}
}
