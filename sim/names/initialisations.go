package names

import "fmt"

// The initialisations of W_Q and W_K.
const (
	InitGlorotUniform     = "glorot-uniform"
	InitGlorotNormal      = "glorot-normal"
	InitGlorotFused       = "glorot-fused"
	InitTorchMHA          = "torch-mha"
	InitHeNormal          = "he-normal"
	InitHeUniform         = "he-uniform"
	InitHeFanOut          = "he-fan-out"
	InitLeCunNormal       = "lecun-normal"
	InitTorchLinear       = "torch-linear"
	InitNormal002         = "normal-0.02"
	InitTFTruncated002    = "tf-truncated-0.02"
	InitTorchTruncated002 = "torch-truncated-0.02"
	InitT5                = "t5"
	InitOrthogonal        = "orthogonal"
	InitMuP               = "mup"
	InitMuP8              = "mup-8"
	InitMuPZeroQuery      = "mup-zero-query"
	InitKeras             = "keras"
	InitKerasBefore2026   = "keras-before-2026"
	InitFlax              = "flax"
	InitHaiku             = "haiku"
	InitNeoXSmall         = "neox-small"
	InitQKNorm            = "qk-norm"
	InitGemma2            = "gemma2-27b"
)

// Initialisation says what one way to draw W_Q and W_K is, and whose.
type Initialisation struct {
	Name      string
	Title     string // what it is, in words
	Framework string // whose it is
	Source    string // repository@commit, file:lines
	Note      string // what else a user should know; may be empty
	Formulas  Formulas
}

// Formulas are the closed forms as text, with D for d_model, d for d_k and H
// for the number of heads.
type Formulas struct {
	Entry string // variance of an entry; of W_Q and of W_K where they differ
	Query string // query_variance
	Key   string // key_variance
	Scale string
	Logit string // logit_variance
}

// InitialisationOf returns the texts of an initialisation; one that has none is its own
// title, as Of says.
func InitialisationOf(name string) Initialisation {
	for _, i := range initialisations {
		if i.Name == name {
			return i
		}
	}
	return Initialisation{Name: name, Title: name}
}

// initialisationEntries are the initialisations as entries of the table.
func initialisationEntries() []Entry {
	var entries []Entry
	for _, i := range initialisations {
		f := i.Formulas
		e := Entry{Name: i.Name, Title: i.Title, Source: i.Source, Definition: sentence(i.Title + "; " + i.Framework),
			Formula: fmt.Sprintf("variance of an entry %s, of a query %s, of a key %s, of a logit %s under the scale %s", f.Entry, f.Query, f.Key, f.Logit, f.Scale)}
		if i.Note != "" {
			e.Definition += " " + i.Note
		}
		entries = append(entries, e)
	}
	return entries
}

// Texts that many rows share. A source is a repository at a commit or tag, and files with
// their lines, by their whole path so that pages can link to them.
const (
	torchInit  = "pytorch/pytorch@v1.13.0 torch/nn/init.py"
	rootText   = "1/√d"
	smallText  = "D/2500"
	fanInText  = "1/D"
	smallLogit = "(D/2500)²"
)

// one are the formulas of a scheme whose queries, keys and logits have variance 1.
func one(entry string) Formulas { return Formulas{entry, "1", "1", rootText, "1"} }

// initialisations are in the order of their table.
var initialisations = []Initialisation{
	{Name: InitGlorotUniform, Title: "Glorot uniform, head by head (D to d)", Framework: "generic",
		Source:   torchInit + ":303-327 (fan_in = D, fan_out = d)",
		Formulas: Formulas{"2/(D+d)", "2D/(D+d)", "2D/(D+d)", rootText, "(2D/(D+d))²"}},
	{Name: InitGlorotNormal, Title: "Glorot normal, head by head (D to d)", Framework: "generic",
		Source:   torchInit + ":330-353 (fan_in = D, fan_out = d)",
		Formulas: Formulas{"2/(D+d)", "2D/(D+d)", "2D/(D+d)", rootText, "(2D/(D+d))²"}},
	{Name: InitGlorotFused, Title: "Glorot uniform, all heads in one matrix (D to Hd = D)", Framework: "generic; tensor2tensor transformer_base",
		Source:   torchInit + ":303-327; tensorflow/tensor2tensor@bafdc1b tensor2tensor/utils/optimize.py:395-397, tensor2tensor/models/transformer.py:1785-1787",
		Note:     "In the original Transformer LayerNorm stands behind the layer: its first layer sees tokens of mean square 1.5, and so a logit variance of 2.25.",
		Formulas: one("2/(D+Hd) = 1/D")},
	{Name: InitTorchMHA, Title: "nn.MultiheadAttention, packed in_proj_weight (3D × D)", Framework: "PyTorch",
		Source:   "pytorch/pytorch@v1.13.0 torch/nn/modules/activation.py:968,989-998 (fan_out = 3D)",
		Note:     "The packed matrix counts three times the outputs, so the variance is half that of three matrices; with kdim or vdim other than D it is not packed and the variance is 1.",
		Formulas: Formulas{"2/(D+3D) = 1/(2D)", "1/2", "1/2", rootText, "1/4"}},
	{Name: InitHeNormal, Title: "He normal, fan in, gain √2", Framework: "generic",
		Source:   torchInit + ":415-451",
		Formulas: Formulas{"2/D", "2", "2", rootText, "4"}},
	{Name: InitHeUniform, Title: "He uniform, fan in, gain √2", Framework: "generic",
		Source:   torchInit + ":366-412",
		Formulas: Formulas{"2/D", "2", "2", rootText, "4"}},
	{Name: InitHeFanOut, Title: "He normal, fan out, head by head, gain √2", Framework: "generic",
		Source:   torchInit + ":415-451 (mode=fan_out)",
		Note:     "All heads in one matrix give 4.",
		Formulas: Formulas{"2/d", "2D/d", "2D/d", rootText, "(2D/d)²"}},
	{Name: InitLeCunNormal, Title: "LeCun normal, fan in", Framework: "generic",
		Source:   "variance 1/fan_in; " + torchInit + ":415-451 with gain 1",
		Formulas: one(fanInText)},
	{Name: InitTorchLinear, Title: "nn.Linear as it comes: uniform weights and bias within ±1/√D", Framework: "PyTorch",
		Source:   "pytorch/pytorch@v1.13.0 torch/nn/modules/linear.py:107-111",
		Note:     "What the query makes of the key's bias is the same for all keys, which softmax does not see; without bias the logit variance is 1/9.",
		Formulas: Formulas{"1/(3D), and of the bias", "(1+1/D)/3", "(1+1/D)/3", rootText, "((1+1/D)/3)²"}},
	{Name: InitNormal002, Title: "normal of standard deviation 0.02", Framework: "GPT-2, nanoGPT, Megatron, Hugging Face ports of BERT and Llama",
		Source:   "openai/gpt-2@9b63575 src/model.py:50,53,94; karpathy/nanoGPT@3adf61e model.py:67,164; Hugging Face configuration_llama.py initializer_range=0.02; NVIDIA/Megatron-LM@d98e8a6 megatron/core/transformer/transformer_config.py:400, megatron/core/utils.py:862-864; EleutherAI/gpt-neox@ea7aefd megatron/neox_arguments/neox_args.py:352,391-401",
		Note:     "Meta's own Llama has no initialisation in its code (meta-llama/llama@689c7f2 llama/model.py:207-234): 0.02 is the one of the port.",
		Formulas: Formulas{"0.02²", smallText, smallText, rootText, smallLogit}},
	{Name: InitTFTruncated002, Title: "truncated normal of 0.02, cut at two standard deviations and not rescaled", Framework: "BERT (TensorFlow)",
		Source:   "google-research/bert@eedf571 modeling.py:375-377,671,679,702-703",
		Note:     "The ports draw a plain normal of 0.02, whose logit variance is 1.67 times as large.",
		Formulas: Formulas{"0.773741·0.02²", "0.773741·D/2500", "0.773741·D/2500", rootText, "(0.773741·D/2500)²"}},
	{Name: InitTorchTruncated002, Title: "trunc_normal_(std=0.02), cut at ±2", Framework: "PyTorch, as in ViT",
		Source:   torchInit + ":157 (a and b are the cuts themselves)",
		Note:     "The cut is at 100 standard deviations: there is none.",
		Formulas: Formulas{"0.02²", smallText, smallText, rootText, smallLogit}},
	{Name: InitT5, Title: "W_Q of variance 1/(Dd), W_K of 1/D, no score scale", Framework: "T5 (mesh-tensorflow, Hugging Face)",
		Source:   "tensorflow/mesh@da90793 mesh_tensorflow/transformer/attention.py:436-441,495-496; Hugging Face modeling_t5.py; tensorflow/tensor2tensor@bafdc1b tensor2tensor/layers/common_attention.py:4403-4405,4701-4702",
		Note:     "The scale is folded into W_Q: the same at initialisation, but not the same updates.",
		Formulas: Formulas{"1/(Dd) of W_Q, 1/D of W_K", "1/d", "1", "1", "1"}},
	{Name: InitOrthogonal, Title: "orthonormal columns, uniform over all such matrices", Framework: "generic",
		Source:   torchInit + ":454",
		Formulas: one(fanInText)},
	{Name: InitMuP, Title: "variance 1/D, score scale 1/d", Framework: "muP",
		Source:   "microsoft/mup@1981497 examples/Transformer/model.py:291,465, README.md:71-72; EleutherAI/gpt-neox@ea7aefd megatron/model/transformer.py:369-370; NVIDIA/Megatron-LM@d98e8a6 megatron/core/transformer/transformer_config.py:471-476,2538-2543",
		Note:     "Vanishes as d grows at initialisation, by design.",
		Formulas: Formulas{fanInText, "1", "1", "1/d", "1/d"}},
	{Name: InitMuP8, Title: "variance 1/D, score scale 8/d", Framework: "muP",
		Source:   "microsoft/mup@1981497 README.md:74-76",
		Note:     "Equals 1/√d at d = 64 alone.",
		Formulas: Formulas{fanInText, "1", "1", "8/d", "64/d"}},
	{Name: InitMuPZeroQuery, Title: "W_Q of zeros, W_K of variance 1/D, score scale 1/d", Framework: "muP",
		Source:   "microsoft/mup@1981497 examples/Transformer/model.py:291,296-303,465, README.md:224-229",
		Note:     "Attention begins exactly uniform.",
		Formulas: Formulas{"0 of W_Q, 1/D of W_K", "0", "1", "1/d", "0"}},
	{Name: InitKeras, Title: "MultiHeadAttention, Glorot uniform over D and Hd", Framework: "Keras from 534a1e7 on (2026-04-29)",
		Source:   "keras-team/keras@534a1e7 keras/src/layers/attention/multi_head_attention.py:119,168, keras/src/layers/core/einsum_dense.py:165-194,1757-1765, keras/src/initializers/random_initializers.py:675-682 (fan_in = D, fan_out = Hd)",
		Formulas: one("2/(D+Hd) = 1/D")},
	{Name: InitKerasBefore2026, Title: "MultiHeadAttention, Glorot uniform of a kernel (D, H, d) taken for a convolution", Framework: "Keras up to April 2026",
		Source:   "keras-team/keras@dce56d1, the commit before PR #22789: keras/src/layers/attention/multi_head_attention.py:119,168, keras/src/initializers/random_initializers.py:629-636 (fan_in = HD, fan_out = dD)",
		Formulas: Formulas{"2/(D(H+d))", "2/(H+d)", "2/(H+d)", rootText, "(2/(H+d))²"}},
	{Name: InitFlax, Title: "MultiHeadDotProductAttention, LeCun normal, cut at two standard deviations and rescaled", Framework: "Flax",
		Source:   "google/flax@18f8f31 flax/linen/attention.py:130,389, flax/linen/linear.py:49,144-151; jax-ml/jax@cec06d1 jax/_src/nn/initializers.py:353",
		Formulas: one(fanInText)},
	{Name: InitHaiku, Title: "hk.Linear, truncated normal of 1/√D, cut at two standard deviations and not rescaled", Framework: "Haiku",
		Source:   "google-deepmind/dm-haiku@f4d858a haiku/_src/basic.py:175-177, haiku/_src/initializers.py:97-131, haiku/_src/attention.py:101-106",
		Note:     "hk.MultiHeadAttention itself asks for w_init; VarianceScaling(s) there gives s².",
		Formulas: Formulas{"0.773741/D", "0.773741", "0.773741", rootText, "0.598676"}},
	{Name: InitNeoXSmall, Title: "small_init, normal of √(2/(5D))", Framework: "GPT-NeoX configurations",
		Source:   "EleutherAI/gpt-neox@ea7aefd megatron/model/init_functions.py:146-149, configs/125M.yml:27",
		Formulas: Formulas{"2/(5D)", "2/5", "2/5", rootText, "4/25"}},
	{Name: InitQKNorm, Title: "RMSNorm without gain on q and k, head by head, whatever the variance of the weights", Framework: "Qwen3",
		Source: "Qwen3 Technical Report (2025, arXiv 2505.09388), Hugging Face modeling_qwen3.py (q_norm and k_norm of head_dim); NVIDIA/Megatron-LM@d98e8a6 megatron/core/transformer/transformer_config.py:256-260 (RMSNorm or LayerNorm, as normalization says)",
		Note: "|q|² = |k|² = d, so that no logit exceeds √d. Drawn with weights of variance 1/D. Others normalise otherwise: OLMo 2 by one RMSNorm over all heads together; " +
			"Flax (normalize_qk, google/flax@18f8f31 flax/linen/attention.py:373,554) and ViT-22B (Dehghani et al. 2023, arXiv 2302.05442) by a LayerNorm, which also takes the mean away and leaves d/(d−1). " +
			"How the variance scatters from head to head is not given: behind the norm the weights alone do not tell it.",
		Formulas: one("any")},
	{Name: InitGemma2, Title: "normal of 0.02, score scale 1/√144", Framework: "Gemma 2 27B",
		Source:   "Hugging Face configuration_gemma2.py query_pre_attn_scalar; keras-team/keras-hub PR #1701 (144 = hidden_dim/num_query_heads)",
		Note:     "The scale is not 1/√d at d = 128; 0.02 is the port's initializer_range.",
		Formulas: Formulas{"0.02²", smallText, smallText, "1/12", "d·(D/2500)²/144"}},
}
