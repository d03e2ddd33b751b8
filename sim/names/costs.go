package names

// Quantities of an attention layer that are counted.
const (
	AttentionOperations = "attention_operations"
	AttentionBytes      = "attention_bytes"
	AttentionGrowth     = "attention_growth"
	AttentionCrossing   = "attention_crossing"
)

// costTheory counts.
const costTheory = "mcsim, sim/cost"

// costs are the quantities of lines that count.
var costs = []Entry{
	{Name: AttentionOperations, Title: "floating-point operations of a part of an attention layer", Unit: "operation", Range: notNegative, Source: costTheory, Lines: true,
		Formula:    "scores 2hn²d_k, blend 2hn²d_v, projections 2nD(h + g)(d_k + d_v), scaling hn², softmax 5hn²",
		Definition: "The floating-point operations of the forward pass for one text: a multiplication with the addition that follows it is two, and a comparison, a subtraction, an exponential and a division are one each. Biases, norms and positions are not counted."},
	{Name: AttentionBytes, Title: "bytes that a part of an attention layer stores", Unit: "byte", Range: notNegative, Source: costTheory, Lines: true,
		Formula:    "score matrix bhn², tiles bh(128² + 2n), keys and values bng(d_k + d_v), b the bytes of a number",
		Definition: "The bytes that a layer stores of one text, or of its learned matrices, at so many bytes a number."},
	{Name: AttentionGrowth, Title: "factor by which operations grow where the tokens double", Unit: pure, Range: "2..4", Source: costTheory, Lines: true,
		Formula:    "operations at 2n over those at n",
		Definition: "By what the floating-point operations are multiplied where the text is twice as long."},
	{Name: AttentionCrossing, Title: "where scores and blend cost what the projections do", Unit: "operation", Range: notNegative, Source: costTheory, Lines: true,
		Formula:    "n = D(1 + g/h) with all pairs, 2D(1 + g/h) − 1 under a causal mask",
		Definition: "The number of tokens at which scores and blend together take as many operations as the four projections, and how many these are. Lines of a document count all pairs, as without a mask. In longer texts they take more."},
}
