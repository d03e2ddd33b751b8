package cost_test

import (
	"testing"

	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// gpt2 returns a layer of GPT-2 small.
func gpt2(n int64) cost.Layer {
	return cost.Layer{Context: n, Model: 768, Key: 64, Value: 64, Heads: 12, KeyHeads: 12, Bits: 16}
}

// TestSizesThatNanoGPTPrints compares with the table that transformer_sizing.ipynb of
// karpathy/nanoGPT (commit 0bb96d3) prints for one layer of GPT-2 small and 1024 tokens: numbers of
// weights, and operations of products.
func TestSizesThatNanoGPTPrints(t *testing.T) {
	l := gpt2(1024)
	for _, c := range []struct {
		row   string
		parts []string
		want  int64
	}{
		{"attention/kqv", []string{names.PartQueries, names.PartKeys, names.PartValues}, 3623878656},
		{"attention/scores", []string{names.PartScores}, 1610612736},
		{"attention/reduce", []string{names.PartBlend}, 1610612736},
		{"attention/proj", []string{names.PartOutput}, 1207959552},
		{"attention", append(append([]string{}, cost.Projections...), cost.Products...), 8053063680},
	} {
		if got := l.Operations(c.parts...); got != c.want {
			t.Errorf("%s: %d, printed is %d", c.row, got, c.want)
		}
	}
	if got, want := l.WeightBytes(), int64(2*(1769472+589824)); got != want { // attention/kqv and attention/proj
		t.Errorf("the weights take %d bytes, their printed numbers %d", got, want)
	}
}

// TestCountsOfELECTRA compares with the counts of ELECTRA's flops_computation.py
// (google-research/electra, commit 62e478a), which has five operations per score for softmax and
// one for the scale: for each token of a text of 512 tokens, BERT-base (768 components) and
// BERT-large (1024).
func TestCountsOfELECTRA(t *testing.T) {
	for _, hidden := range []int64{768, 1024} {
		const s = 512
		heads := hidden / 64
		l := cost.Layer{Context: s, Model: hidden, Key: 64, Value: 64, Heads: heads, KeyHeads: heads, Bits: 32}
		want := map[string]int64{
			// kqv: 3 · 2 · h · kqv
			names.PartQueries: 2 * hidden * hidden, names.PartKeys: 2 * hidden * hidden,
			names.PartValues: 2 * hidden * hidden,
			names.PartScores: 2 * hidden * s, names.PartSoftmax: 5 * s * heads, names.PartScale: s * heads,
			names.PartBlend: 2 * hidden * s, names.PartOutput: 2 * hidden * hidden,
		}
		for _, p := range l.Parts() {
			if p.Operations != s*want[p.Name] {
				t.Errorf("%d components: %s takes %d, there it is %d", hidden, p.Name, p.Operations, s*want[p.Name])
			}
		}
	}
}

// TestCacheOfOPT compares with Kwon et al., “Efficient memory management for large language model
// serving with PagedAttention”
// (2023), section 3: keys and values of one token have 800 KB in
// OPT-13B, which has 40 layers of
// 5120 components, in half precision.
func TestCacheOfOPT(t *testing.T) {
	l := cost.Layer{Context: 1, Model: 5120, Key: 128, Value: 128, Heads: 40, KeyHeads: 40, Bits: 16}
	if got := 40 * l.CacheBytes(); got != 800<<10 {
		t.Errorf("%d bytes", got)
	}
}
