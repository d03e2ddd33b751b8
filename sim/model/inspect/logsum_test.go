package inspect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/model/scalefit"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// TestExpectedLogSum compares scalefit.ExpectedLogSum with the mean of sampled log-sum-exps, below
// and above the standard deviation √(2 ln n) at which softmax freezes.
func TestExpectedLogSum(t *testing.T) {
	const draws = 20_000
	r := rand.New(rand.NewPCG(101, 102))
	for _, c := range []struct {
		keys  int
		sigma float64
	}{{2, 1}, {64, 0.5}, {64, 3}, {64, 12}, {512, 2}} {
		mean, square := 0.0, 0.0
		for range draws {
			sum := 0.0
			for range c.keys {
				sum += math.Exp(c.sigma * r.NormFloat64())
			}
			x := math.Log(sum)
			mean += x / draws
			square += x * x / draws
		}
		se := math.Sqrt((square - mean*mean) / draws)
		if got := scalefit.ExpectedLogSum(c.keys, c.sigma); math.Abs(got-mean) > 4.5*se {
			t.Errorf("%d keys, σ = %v: got %v, want %v ± %v", c.keys, c.sigma, got, mean, se)
		}
	}
}

// TestLogSumsAgainstRows compares estimates from log-sum-exps with the queries and keys that they
// come from. For σ ≤ 3 and 1024 keys, the mean over files must agree within 3 %, and the bounds
// must contain the largest logit.
func TestLogSumsAgainstRows(t *testing.T) {
	const rows, keys, d, files = 256, 1024, 64, 8
	r := rand.New(rand.NewPCG(103, 104))
	for _, sigma := range []float64{0.3, 1, 2, 3} {
		for _, isCausal := range []bool{false, true} {
			ratio := 0.0
			for range files {
				q, k := sampleVectors(r, rows, d, normal), sampleVectors(r, keys, d, normal)
				sums, keyCounts := make([]float64, rows), make([]int, rows)
				variances, largest := 0.0, math.Inf(-1)
				for i := range rows {
					keyCounts[i] = keys
					if isCausal { // as for the last rows of a longer text
						keyCounts[i] = keys - rows + i + 1
					}
					sum, mean, square := 0.0, 0.0, 0.0
					for j := range keyCounts[i] {
						x := sigma / math.Sqrt(d) * dot(q.Row(i), k.Row(j))
						sum += math.Exp(x)
						mean += x / float64(keyCounts[i])
						square += x * x / float64(keyCounts[i])
						largest = max(largest, x)
					}
					sums[i] = math.Log(sum)
					variances += (square - mean*mean) / rows
				}
				h := EstimateLogSums([][]float64{sums}, keyCounts)
				if float64(h.MaxLogitLo) > largest || float64(h.MaxLogitHi) < largest {
					t.Errorf("σ = %v: the largest logit %v is not in [%v, %v]", sigma, largest, h.MaxLogitLo,
						h.MaxLogitHi)
				}
				if !h.LogitSD.SE.Present() {
					t.Errorf("σ = %v: the estimate has no error", sigma)
				}
				ratio += float64(h.LogitSD.Value) / math.Sqrt(variances) / files
			}
			t.Logf("σ = %v, causal %v: ratio %v", sigma, isCausal, ratio)
			if math.Abs(ratio-1) > 0.03 {
				t.Errorf("σ = %v, causal %v: the estimates are %.4f times the standard deviation of rows, want 1 ± 0.03",
					sigma, isCausal, ratio)
			}
		}
	}
}

// TestLogSumsOfTexts checks the label, the error and the effective keys beyond √(2 ln n), where
// only the largest logits contribute to a log-sum-exp.
func TestLogSumsOfTexts(t *testing.T) {
	const texts, rows, keys = 8, 64, 64
	r := rand.New(rand.NewPCG(105, 106))
	for _, sigma := range []float64{1, 6, 20} {
		keyCounts, sums := slices.Repeat([]int{keys}, rows), make([][]float64, texts)
		for text := range sums {
			for range rows {
				sum := 0.0
				for range keys {
					sum += math.Exp(sigma * r.NormFloat64())
				}
				sums[text] = append(sums[text], math.Log(sum))
			}
		}
		h := EstimateLogSums(sums, keyCounts)
		if e := h.LogitSD; math.Abs(float64(e.Value)-sigma) > 5*float64(e.SE) || float64(e.SE) > 0.05*sigma {
			t.Errorf("σ is %v ± %v, want %v", e.Value, e.SE, sigma)
		}
		want := 1 / theory.NewSoftmax(keys, sigma).Collision
		if e := h.EffectiveKeys; math.Abs(float64(e.Value)-want) > 5*float64(e.SE) || !(e.SE > 0) || e.Lo >= e.Hi {
			t.Errorf("σ = %v: effective keys are %v ± %v, want %v", sigma, e.Value, e.SE, want)
		}
		label := names.LabelSpread
		if sigma > theory.FreezingSigma(keys) {
			label = names.LabelConcentrated
		}
		if h.Label != label {
			t.Errorf("σ = %v: the label is %q, want %q", sigma, h.Label, label)
		}
	}
}

// TestLogSumsUndecided checks what is not known: σ of log-sum-exps that are not above ln n, the
// error of few rows, and the largest logit if the limit is between its bounds.
func TestLogSumsUndecided(t *testing.T) {
	logKeys := math.Log(64)
	for name, c := range map[string]struct {
		sums []float64
		want string // part of the diagnosis of the first gate
	}{
		"zero logits":   {slices.Repeat([]float64{logKeys}, 64), noExcessText},
		"negative mean": {slices.Repeat([]float64{logKeys - 1}, 64), noExcessText},
		"few rows":      {[]float64{logKeys + 0.4, logKeys + 0.6}, unknownErrorText},
	} {
		h := EstimateLogSums([][]float64{c.sums}, slices.Repeat([]int{64}, len(c.sums)))
		j := SummariseLogSums([]LogSumHead{h}).Judge(Gate{Lo: 0.1, Hi: 10, Alpha: 1e-3, Beta: 1e-3}, nil)
		if j.Verdict != result.Undecided || j.Gates[0].Diagnosis != c.want || h.LogitSD.SE.Present() {
			t.Errorf("%s: got %+v for %+v, want undecided, %q", name, j.Gates[0], h, c.want)
		}
	}
	h := LogSumHead{Texts: 1, MaxLogitLo: 2, MaxLogitHi: 6}
	for limit, want := range map[float64]result.Verdict{1.9: result.Fail, 2: result.Undecided, 5.9: result.Undecided,
		6: result.Pass} {
		j := SummariseLogSums([]LogSumHead{h}).Judge(Gate{MaxLogit: limit}, nil)
		if j.Verdict != want || len(j.Gates) != 1 {
			t.Errorf("limit %v: got %+v, want %v", limit, j, want)
		}
	}
}
