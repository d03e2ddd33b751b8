package floor

import (
	"math"
	"runtime"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// newNormal returns a setting of normal components with logits of standard deviation 1.
func newNormal(t testing.TB, d, keys int) Setting {
	t.Helper()
	normal, err := distribution.Parse(names.DistributionNormal, experiment.Number)
	if err != nil {
		t.Fatal(err)
	}
	return Setting{Distribution: normal, Dimension: d, Keys: keys, Sigma: 1}
}

// sampleHeads returns the errors of the given number of heads.
func sampleHeads(t testing.TB, s Setting, o Operands, heads int) []Errors {
	t.Helper()
	sample, err := s.Sample(t.Context(), o, heads, 7, runtime.NumCPU(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	return sample
}

// TestPublished compares heads with the errors of kernels on a Blackwell GPU in the table of
// https://github.com/Dao-AILab/flash-attention/pull/2582 (d = 128, 16 heads). Its description names
// neither the inputs nor a mask. Normal inputs of variance 1 (torch.randn) without a mask give all
// of its numbers; with a causal mask, 256 keys would give 0.9941 and 0.0164 (NumPy 1.24.2). P and V are in
// bfloat16, or in e4m3 without a block scale. The kernels add in float32 and store the output in
// bfloat16, which is a part of the tolerance of 0.001.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		keys              int
		queryKey, weights string
		cosine, meanError float64
	}{
		{256, names.FormatNVFP4, names.FormatBFloat16, 0.9910, 0.0106},
		{256, names.FormatNVFP4, names.FormatE4M3Tensor, 0.9904, 0.0109},
		{256, names.FormatMXFP8, names.FormatE4M3Tensor, 0.9986, 0.0042},
		{1024, names.FormatNVFP4, names.FormatBFloat16, 0.9908, 0.0055},
		{1024, names.FormatNVFP4, names.FormatE4M3Tensor, 0.9901, 0.0057},
		{1024, names.FormatMXFP8, names.FormatE4M3Tensor, 0.9986, 0.0022},
		{4096, names.FormatNVFP4, names.FormatBFloat16, 0.9906, 0.0028},
		{4096, names.FormatNVFP4, names.FormatE4M3Tensor, 0.9899, 0.0029},
		{4096, names.FormatMXFP8, names.FormatE4M3Tensor, 0.9985, 0.0011},
	} {
		if c.keys > 1024 && testing.Short() {
			continue
		}
		heads := sampleHeads(t, newNormal(t, 128, c.keys),
			Operands{Lookup(c.queryKey), Lookup(c.weights), Lookup(c.weights)}, 64)
		var distance, mean float64
		for _, e := range heads {
			distance += e[Distance] / float64(len(heads))
			mean += e[Mean] / float64(len(heads))
		}
		t.Logf("%d %s %s: %.5f %.5f", c.keys, c.queryKey, c.weights, 1-distance, mean)
		const tolerance = 0.001
		if math.Abs(1-distance-c.cosine) > tolerance || math.Abs(mean-c.meanError) > tolerance {
			t.Errorf("%d keys, %s and %s: got cosine %.4f and mean error %.4f, published are %v and %v", c.keys,
				c.queryKey, c.weights, 1-distance, mean, c.cosine, c.meanError)
		}
	}
}

// TestTensorScaleDependsOnQueries checks that a scale of the whole tensor of queries is from all of
// them. For 4096 queries and keys in INT8 and d_k = 64, forty heads in NumPy 1.24.2 have the cosine
// 0.9998832 ± 0.0000015. The difference may be five standard errors; with a scale from sixteen
// queries it is larger.
func TestTensorScaleDependsOnQueries(t *testing.T) {
	const heads, want, wantSE, maxErrors = 64, 1 - 0.9998832, 1.5e-6, 5
	s, o := newNormal(t, 64, 4096), NewOperands(names.OperandQueryKey, Lookup(names.FormatInt8Tensor), nil)
	for queries, isRight := range map[int]bool{4096: true, 0: false} {
		s.Queries = queries
		var distances []float64
		for _, e := range sampleHeads(t, s, o, heads) {
			distances = append(distances, e[Distance])
		}
		m := moments.New(distances, 2)
		se := math.Hypot(wantSE, math.Sqrt(m.Variance()/heads))
		if got := math.Abs(m.Mean-want) <= maxErrors*se; got != isRight {
			t.Errorf("%d queries: 1 − cosine is %v, want %v ± %v; agreement %v, want %v", queries, m.Mean, want, se, got,
				isRight)
		}
	}
}
