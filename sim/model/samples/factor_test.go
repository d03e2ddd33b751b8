package samples

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestLogits checks the verdict, the diagnosis and the factor of logits with common masks, biases
// and mistakes.
func TestLogits(t *testing.T) {
	const d = 64
	scale := 1 / math.Sqrt(d)
	causal := func(masked func(scoredPair) float64) func(scoredPair) float64 {
		return func(p scoredPair) float64 {
			if p.key > p.query {
				return masked(p)
			}
			return scale * p.score
		}
	}
	distance := func(p scoredPair) float64 { return math.Abs(float64(p.query - p.key)) }
	// newNoise returns a source of normal numbers. Each case has its own, since their order is
	// random.
	newNoise := func(stream uint64) func() float64 { return rand.New(rand.NewPCG(21, stream)).NormFloat64 }
	biasNoise, unrelated, smallNoise, someNoise, largeNoise := newNoise(22), newNoise(23), newNoise(24), newNoise(25),
		newNoise(26)
	bias := make([]float64, 4*32*32)
	for i := range bias {
		bias[i] = 2 * biasNoise()
	}
	dropout := rand.New(rand.NewPCG(23, 24))
	for name, c := range map[string]struct {
		texts     int
		logit     func(scoredPair) float64
		want      result.Verdict
		diagnosis string
		factor    float64 // 0 if the factor is not one number
	}{
		"correct": {8, func(p scoredPair) float64 { return scale * p.score }, result.Pass, "", scale},
		"a constant of a row": {8, func(p scoredPair) float64 { return scale*p.score + 7*float64(p.query) },
			result.Pass, "",
			scale},
		"mask of −∞": {8, causal(func(scoredPair) float64 { return math.Inf(-1) }), result.Pass, "",
			scale},
		"mask of −1e4, filled": {8, causal(func(scoredPair) float64 { return -1e4 }), result.Pass, "", scale},
		"mask of −1e4, added": {8, causal(func(p scoredPair) float64 { return scale*p.score - 1e4 }), result.Pass,
			"", scale},
		"mask of −100, added": {8, causal(func(p scoredPair) float64 { return scale*p.score - 100 }), result.Pass,
			"", scale},
		"mask of −1e9": {8, causal(func(scoredPair) float64 { return -1e9 }), result.Pass, "", scale},
		"mask of float32's least": {8, causal(func(scoredPair) float64 { return -math.MaxFloat32 }), result.Pass, "",
			scale},
		"two masks, added": {8, causal(func(p scoredPair) float64 { return scale*p.score - 1e4*float64(1+p.key%2) }),
			result.Pass, "", scale},
		"mask and no scale": {8, func(p scoredPair) float64 {
			if p.key > p.query {
				return p.score - 1e4
			}
			return p.score
		}, result.Fail, "the scale is forgotten", 1},
		"ALiBi": {1, func(p scoredPair) float64 { return scale*p.score - distance(p)/float64(2+p.head) }, result.Pass,
			"ALiBi", scale},
		"ALiBi and a mask": {1, causal(func(scoredPair) float64 { return -1e4 }), result.Pass, "", scale},
		"ALiBi, wrong factor": {1, func(p scoredPair) float64 { return scale*scale*p.score - distance(p)/4 },
			result.Fail,
			"scaled twice", scale * scale},
		"a table of biases": {8,
			func(p scoredPair) float64 { return scale*p.score + bias[(p.head*32+p.query)*32+p.key] },
			result.Pass, "the same in all texts", scale},
		"a bias of the key": {8, func(p scoredPair) float64 { return scale*p.score + bias[p.text*32+p.key] },
			result.Pass,
			"for all queries of a key", scale},
		"SSMax": {8, func(p scoredPair) float64 {
			if p.key > p.query {
				return math.Inf(-1)
			}
			return 0.43 * math.Log(float64(p.query+1)) * scale * p.score
		}, result.Fail, "s·ln n times the scale, s = 0.43", 0},
		"one head halved": {8, func(p scoredPair) float64 {
			if p.head == 2 {
				return scale / 2 * p.score
			}
			return scale * p.score
		}, result.Fail, "at head 2 it is 0.0625, 0.5 times that of most, 0.125", 0},
		"a factor for each head": {8, func(p scoredPair) float64 { return scale * p.score * float64(p.head+1) },
			result.Fail,
			"from head to head, from 0.125 to 0.5", 0},
		"soft cap": {8, func(p scoredPair) float64 { return 5 * math.Tanh(scale*p.score/5) }, result.Fail,
			"a soft cap of about 5: the logits are c·tanh(f·q·k/c), with f = 0.125", 0},
		"soft cap, wide": {8, func(p scoredPair) float64 { return 30 * math.Tanh(p.score/30) }, result.Fail,
			"a soft cap of about 30", 0},
		"temperature of late queries": {8,
			func(p scoredPair) float64 { return scale * p.score * (1 + 0.1*math.Floor(float64(p.query)/16)) },
			result.Fail,
			"from row to row: at query 16 (and 15 more) it is 0.1375, 1.1 times that of most, 0.125", 0},
		"later keys filled with 0": {8, causal(func(scoredPair) float64 { return 0 }), result.Fail, "are 0, not −∞",
			scale},
		"dropout": {8, func(p scoredPair) float64 {
			return scale * p.score / 0.8 * float64(min(1,
				dropout.IntN(5)))
		}, result.Fail, "20 % of the logits are exactly 0: dropout", scale / 0.8},
		"unrelated": {8, func(scoredPair) float64 { return unrelated() }, result.Undecided,
			"no linear relation", 0},
		"all alike": {8, func(scoredPair) float64 { return 3 }, result.Undecided, "too few pairs", 0},
		"noise": {1, func(p scoredPair) float64 { return scale*p.score + 0.02*smallNoise() },
			result.Undecided, "a bias, or noise, seems to be added", scale},
		"noise, not little": {2, func(p scoredPair) float64 { return scale*p.score + 0.3*someNoise() },
			result.Undecided, "a bias, or noise, seems to be added (if q and k are those that are multiplied", scale},
		"noise too large": {1, func(p scoredPair) float64 { return scale*p.score + 3*largeNoise() },
			result.Undecided, "too large to tell the factor", scale},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(31, c.texts, 4, 4, 32, d)
			_, a, err := measureSamples(t, m.arrays(map[string]testArray{"logits": m.computePairs(c.logit)}),
				inspect.Options{})
			simtest.Must(t, err)
			if a.Verdict != c.want || !strings.Contains(a.Diagnosis, c.diagnosis) ||
				c.diagnosis == "" && a.Diagnosis != "" {
				t.Errorf("got %s and %q, want %s and %q", a.Verdict, a.Diagnosis, c.want, c.diagnosis)
			}
			switch {
			case c.factor == 0 && a.SE.Present():
				t.Errorf("the factor is %v ± %v, want no standard error", a.Factor, a.SE)
			case c.factor != 0 && !(math.Abs(float64(a.Factor)-c.factor) <= 1e-9+5*float64(a.SE)):
				t.Errorf("the factor is %v ± %v, want %v", a.Factor, a.SE, c.factor)
			}
		})
	}
}
