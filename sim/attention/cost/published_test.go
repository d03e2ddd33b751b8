package cost_test

import (
	"testing"

	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// gpt2 returns a layer of GPT-2 small for n tokens.
func gpt2(n int64) cost.Layer {
	return cost.Layer{Context: n, Model: 768, Key: 64, Value: 64, Heads: 12, KeyHeads: 12, Bits: 16}
}

// TestSizesThatNanoGPTPrints compares the operations and the number of weights of a layer of GPT-2
// small for 1024 tokens with the table that transformer_sizing.ipynb of karpathy/nanoGPT (commit
// 0bb96d3) prints.
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
			t.Errorf("%s: got %d operations, want %d", c.row, got, c.want)
		}
	}
	const weights = 1769472 + 589824 // attention/kqv and attention/proj
	if got, want := l.WeightBytes(), int64(2*weights); got != want {
		t.Errorf("WeightBytes() = %d, want %d", got, want)
	}
}

// TestCountsOfELECTRA compares the operations of each part with the formulas of ELECTRA's
// flops_computation.py (google-research/electra, commit 62e478a), for texts of 512 tokens and the
// layers of BERT-base (768 components of a token) and BERT-large (1024). The formulas also have
// five operations per score for softmax and one for the scale.
func TestCountsOfELECTRA(t *testing.T) {
	for _, hidden := range []int64{768, 1024} {
		const s = 512
		heads := hidden / 64
		l := cost.Layer{Context: s, Model: hidden, Key: 64, Value: 64, Heads: heads, KeyHeads: heads, Bits: 32}
		want := map[string]int64{ // per token
			names.PartQueries: 2 * hidden * hidden, names.PartKeys: 2 * hidden * hidden,
			names.PartValues: 2 * hidden * hidden,
			names.PartScores: 2 * hidden * s, names.PartSoftmax: 5 * s * heads, names.PartScale: s * heads,
			names.PartBlend: 2 * hidden * s, names.PartOutput: 2 * hidden * hidden,
		}
		for _, p := range l.Parts() {
			if p.Operations != s*want[p.Name] {
				t.Errorf("%d components: %s has %d operations, want %d", hidden, p.Name, p.Operations, s*want[p.Name])
			}
		}
	}
}

// TestCacheOfOPT checks that the keys and values of one token have 800 KB in OPT-13B, which has 40
// layers of 5120 components, in half precision: Kwon et al., “Efficient memory management for large
// language model serving with PagedAttention” (2023), section 3.
func TestCacheOfOPT(t *testing.T) {
	l := cost.Layer{Context: 1, Model: 5120, Key: 128, Value: 128, Heads: 40, KeyHeads: 40, Bits: 16}
	if got := 40 * l.CacheBytes(); got != 800<<10 {
		t.Errorf("the keys and values of one token have %d bytes, want 800 KB", got)
	}
}
