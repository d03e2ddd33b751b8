package inspect

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExpectedLogSum compares expectedLogSum with the mean of sampled log-sum-exps, below and above the
// standard deviation √(2 ln n) at which softmax freezes.
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
		if got := expectedLogSum(c.keys, c.sigma); math.Abs(got-mean) > 4.5*se {
			t.Errorf("%d keys, σ = %v: got %v, want %v ± %v", c.keys, c.sigma, got, mean, se)
		}
	}
}

// TestLogSumsAgainstRows compares estimates from log-sum-exps with the queries and keys that they come
// from. For σ ≤ 3 and 1024 keys, the mean over files must agree within 3 %, and the bounds must contain
// the largest logit.
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
				h, err := EstimateLogSums([][]float64{sums}, keyCounts)
				if err != nil {
					t.Fatal(err)
				}
				if float64(h.MaxLogitLo) > largest || float64(h.MaxLogitHi) < largest {
					t.Errorf("σ = %v: the largest logit %v is not in [%v, %v]", sigma, largest, h.MaxLogitLo, h.MaxLogitHi)
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
