package names

// The rules that make a logit of a query and a key.
const (
	RulePower         = "power"
	RuleHalfRoot      = "sqrt(d_k/2)"
	RuleTemperature   = "temperature"
	RuleLearned       = "learned"
	RuleLogKeys       = "log-n"
	RuleCosine        = "cosine"
	RuleKeyNormalised = "key-normalised"
	RuleQKNorm        = "qk-norm"
	RuleSoftCap       = "soft-cap"
	RuleAdditive      = "additive"
)

// rules are in the order of their table. S is q·k, n the number of keys.
var rules = []Entry{
	{Name: RulePower, Title: "division by a power of d_k", Formula: "S/d_k^p", Range: "p in -4..4",
		Source:     "p = 1/2: Vaswani et al., Attention Is All You Need (2017, arXiv 1706.03762); p = 1: Yang et al., Tensor Programs V (2022, arXiv 2203.03466)",
		Definition: "The score is divided by d_k^p. p = 0 leaves it as it is, p = 1/2 is the scale of standard attention."},
	{Name: RuleHalfRoot, Title: "division by √(d_k/2)", Formula: "S/√(d_k/2)",
		Source:     "Glorioso et al., Zamba: A Compact 7B SSM Hybrid Model (2024, arXiv 2405.16712), as Hugging Face has it: class ZambaAttention, huggingface/transformers@70179949f789 src/transformers/models/zamba/modeling_zamba.py:220-229,241",
		Definition: "The score is divided by √(d_k/2), which leaves a variance of 2."},
	{Name: RuleTemperature, Title: "division by a constant T", Formula: "S/T", Range: "T in 1e-6..1e6",
		Source:     "Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network (2015, arXiv 1503.02531)",
		Definition: "The score is divided by a temperature T that does not depend on d_k."},
	{Name: RuleLearned, Title: "division by √d_k, times a learned c", Formula: "c·S/√d_k", Range: "c in 1e-6..1e6",
		Source:     "Lee, Lee and Song, Vision Transformer for Small-Size Datasets (2021, arXiv 2112.13492)",
		Definition: "The score is divided by √d_k and multiplied by a factor c that the layer learns; once learned it is a constant."},
	{Name: RuleLogKeys, Title: "division by √d_k, times ln n", Formula: "s·ln n·S/√d_k", Range: "s in 1e-6..1e6",
		Source:     "Chiang and Cholak, Overcoming a Theoretical Limitation of Self-Attention (2022, arXiv 2202.12172)",
		Definition: "The score is divided by √d_k and multiplied by the logarithm of the number of keys n and by a factor s, so that long rows do not become even."},
	{Name: RuleCosine, Title: "cosine of the angle, times s", Formula: "s·S/(|q||k|)", Range: "s in 1e-6..1e6",
		Source:     "Henry et al., Query-Key Normalization for Transformers (2020, arXiv 2010.04245); Liu et al., Swin Transformer V2 (2022, arXiv 2111.09883)",
		Definition: "The cosine of the angle between query and key is multiplied by a factor s. It is 0 where one of them is 0."},
	{Name: RuleKeyNormalised, Title: "division by the length of the key", Formula: "S/|k|",
		Source:     "no published source is known: it is the cosine with the length of the query left in, and stands here for comparison",
		Definition: "The score is divided by the length of the key. It is 0 where the key is."},
	{Name: RuleQKNorm, Title: "RMSNorm of query and key, then division by √d_k", Formula: "g·√d_k·S/(|q||k|)", Range: "g in 1e-6..1e6",
		Source:     "RMSNorm of each head: Qwen Team, Qwen3 Technical Report (2025, arXiv 2505.09388); LayerNorm of q and k: Dehghani et al., Scaling Vision Transformers to 22 Billion Parameters (2023, arXiv 2302.05442)",
		Definition: "Query and key are each divided by their root mean square, multiplied by gains whose product is g, and the score of the two is divided by √d_k. A LayerNorm, which takes the mean away too, leaves d_k/(d_k − 1) times the variance."},
	{Name: RuleSoftCap, Title: "division by √d_k, bent by tanh so that it stays below c", Formula: "c·tanh(S/(c√d_k))", Range: "c in 1e-6..1e6",
		Source:     "Gemma Team, Gemma 2 (2024, arXiv 2408.00118)",
		Definition: "The score is divided by √d_k and bent by c·tanh(x/c), so that its size never exceeds c."},
	{Name: RuleAdditive, Title: "a network of one hidden layer in place of the product", Formula: "wᵀtanh(W_q q + W_k k)", Range: "d_a a whole number in 1..4096",
		Source:     "Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and Translate (2015, arXiv 1409.0473); weights by Glorot and Bengio (2010)",
		Definition: "Query and key go through a network of one hidden layer of d_a units, d_k of them where nothing is said. Its weights are drawn by the uniform rule of Glorot and Bengio."},
}
