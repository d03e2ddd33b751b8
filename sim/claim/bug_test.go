package claim_test

import (
	"math"
	"testing"

	"mcsim/sim/claim"
	"mcsim/sim/names"
)

// bugRatios has the ratio of the wrong factor to the right one for each bug, as its thread or its
// code gives it.
var bugRatios = map[string]float64{
	"mlc-llm-prefill":         8,
	"llama-cpp-plamo-2":       math.Sqrt(128),
	"monai-cross-attention":   8,
	"transformers-opt":        1. / 8,
	"maxtext-mla-cudnn":       1 / math.Sqrt(192),
	"tpu-inference-deepseek":  1. / 16 / math.Pow(1+0.1*math.Log(40), 2),
	"nanogpt-lecture":         1 / math.Sqrt(6),
	"vit-pytorch":             1. / 4,
	"timm-attention2d":        math.Sqrt(8),
	"ollama-glm-4-moe":        2. / 3,
	"llama-cpp-minicpm-v":     4. / 3,
	"gemma-2-9b":              math.Sqrt(256. / 224),
	"maxtext-mla":             192,
	"transformers-qwen2-vl":   80,
	"transunet-pytorch":       2048,
	"x-transformers-qk-norm":  1. / 6400,
	"transformerlens-mistral": 12,
	"tt-metal-gemma-3":        math.Sqrt(168. / 128),
	"mobius-deepseek-v2":      1 / math.Pow(1+0.0707*math.Log(40), 2),
	"sglang-yarn":             math.Pow(1+0.1*math.Log(128), 2),
	"ipex-llm-padding":        math.Sqrt(40. / 64),
	"sglang-padding":          math.Sqrt(72. / 80),
	"dgl-dotgat":              8,
	"zuppichini-vit":          math.Sqrt(96),
	"flaggems-log2":           math.Log2E,
	"vllm-gemma-2-cap":        1 / math.Tanh(1),
}

// TestMuseum checks the verdict and the ratio of each bug, and that the bugs are not among the
// claims that are counted.
func TestMuseum(t *testing.T) {
	exhibits := claim.JudgeBugs()
	if len(exhibits) != len(bugRatios) {
		t.Errorf("there are %d bugs, want %d", len(exhibits), len(bugRatios))
	}
	for _, e := range exhibits {
		if want := bugRatios[e.Claim.ID]; e.Claim.Verdict != names.ClaimWrong || math.Abs(e.Ratio/want-1) > 1e-7 {
			t.Errorf("%s: the verdict is %q and the ratio %v, want %q and %v", e.Claim.ID, e.Claim.Verdict, e.Ratio,
				names.ClaimWrong, want)
		}
	}
	for _, l := range claim.Embedded() {
		if l.Source == claim.Museum().Source {
			t.Error("the bugs are among the claims that are counted")
		}
	}
}

// weightReferences has the effective keys and the mean largest weight from a simulation of 40,000
// rows of 1024 normal logits with NumPy 1.24.2, whose relative standard errors are at most 0.6 %.
var weightReferences = map[string][2]float64{
	"mlc-llm-prefill":  {1.66740, 0.707447},
	"timm-attention2d": {8.90378, 0.245234},
	"transformers-opt": {1008.1355, 0.00145618},
}

// TestWeightsOfBugs checks the weights of some bugs against a simulation, and that weights are
// concentrated if the ratio is above √(2 ln 1024) = 3.72.
func TestWeightsOfBugs(t *testing.T) {
	for _, e := range claim.JudgeBugs() {
		wantLabel := names.LabelSpread
		if e.Ratio > math.Sqrt(2*math.Log(claim.MuseumKeys)) {
			wantLabel = names.LabelConcentrated
		}
		if e.Bug.Kind == names.BugCap {
			wantLabel = ""
		}
		if e.Label != wantLabel {
			t.Errorf("%s: the label is %q, want %q", e.Claim.ID, e.Label, wantLabel)
		}
		want, isReference := weightReferences[e.Claim.ID]
		isNear := func(x, want float64) bool { return math.Abs(x/want-1) < 0.01 }
		if isReference && !(isNear(1/e.Weights.Collision, want[0]) && isNear(e.Weights.MaxWeight, want[1])) {
			t.Errorf("%s: got %v and %v, want %v", e.Claim.ID, 1/e.Weights.Collision, e.Weights.MaxWeight, want)
		}
	}
}
