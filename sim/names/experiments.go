package names

// The experiments.
const (
	ExperimentVariance    = "variance"
	ExperimentExponents   = "exponents"
	ExperimentSoftmax     = "softmax"
	ExperimentFreezing    = "freezing"
	ExperimentRanks       = "ranks"
	ExperimentPrecision   = "precision"
	ExperimentMismatch    = "mismatch"
	ExperimentAlignment   = "alignment"
	ExperimentRules       = "rules"
	ExperimentDepth       = "depth"
	ExperimentInit        = "init"
	ExperimentTraining    = "training"
	ExperimentHealth      = "health"
	ExperimentControls    = "controls"
	ExperimentCalibration = "calibration"
	ExperimentRepeats     = "repeats"
)

// ExperimentAgreement stands in the rows that judge a document as a whole. No plan names
// it: it reads what all others found.
const ExperimentAgreement = "agreement"

// ExperimentCost stands in the lines that count what attention costs. No plan names it
// either: it draws nothing, and counts the same in every document.
const ExperimentCost = "cost"

// experiments are in the order of their rows. The unit is what their column n
// counts.
var experiments = []Entry{
	{Name: ExperimentVariance, Unit: UnitPair, Title: "mean, variance, skewness and excess kurtosis of q·k",
		Definition: "Draws independent pairs of a query and a key, or matrices of queries and keys, and measures the moments of their scores q·k against theory."},
	{Name: ExperimentExponents, Unit: UnitPair, Title: "scaled variance d_k^(1−2p), slope of log Var(q·k) on log d_k, flat and unit exponent",
		Definition: "Reads the draws of variance and says what a division by d_k^p leaves of Var(q·k), how that grows with d_k, and which exponent keeps it flat, or makes it one. It draws nothing of its own."},
	{Name: ExperimentSoftmax, Unit: UnitRow, Title: "weights, entropy and gradient that softmax makes of a query's scores, at every scale",
		Definition: "Draws rows, each of one query with its keys, and measures the weights that softmax makes of the scores under every scale, how even they are, and how much of a gradient they let through."},
	{Name: ExperimentFreezing, Unit: UnitRow, Title: "weights and entropy that softmax makes of independent normal logits, by keys and standard deviation",
		Definition: "Draws the logits of a row as independent normal numbers of a standard deviation σ, as scores are in the limit of many dimensions, and measures what softmax makes of them. In the limit of many keys n the largest weight stops vanishing at σ = √(2 ln n)."},
	{Name: ExperimentRanks, Unit: UnitRow, Title: "weight of the key of first, second and every further rank, under every exponent",
		Definition: "Draws rows, each of one query with its keys, sorts the weights that softmax makes of the scores, and measures what the key of each rank gets under every exponent. Lines through what was drawn show single rows."},
	{Name: ExperimentPrecision, Unit: UnitRow, Title: "overflow of the scores, and how far the weights move, in float16, bfloat16 and formats of 8 bits",
		Definition: "Draws rows, each of one query with its keys, computes scores and weights in numbers of few digits, as accelerators do and in the worst case, and measures how far the weights are from those in float64. How often a score overflows is known exactly."},
	{Name: ExperimentMismatch, Unit: UnitPair, Title: "mean and variance of q·k for components of other means and variances than 0 and 1, and for correlated ones",
		Definition: "Draws queries and keys whose components do not have mean 0 and variance 1, or depend on each other, and measures what becomes of Var(q·k) = d_k and of the exponent 1/2."},
	{Name: ExperimentAlignment, Unit: UnitRow, Title: "score and weight of one key that is aligned with its query among independent keys, and the exponent that keeps the score's size",
		Definition: "Draws rows in which the first key is k = ρq + √(1−ρ²)z and the others are independent of the query, and measures the score of that key, the exponent that would keep its size, and the weight that softmax gives it."},
	{Name: ExperimentRules, Unit: UnitPair, Title: "variance of the logit that each rule makes of a query and a key, over d_k, and the operations it takes",
		Definition: "Applies every rule to the same queries and keys and measures the variance of the logit, whether it is flat in d_k, and counts the operations of arithmetic that the rule takes."},
	{Name: ExperimentDepth, Unit: UnitStack, Title: "variance of the scores and R along a stack of attention layers with and without scale, residual and norm, at initialisation",
		Definition: "Sends tokens through a stack of attention layers of random weights W_Q, W_K, W_V and W_O, whose entries are independent normal numbers of variance 1/d_k, and measures in each layer its scores, what softmax lets through of a gradient, and how large and how alike the tokens are."},
	{Name: ExperimentInit, Unit: UnitWeightDraw, Title: "variance of queries, keys and logits of layer-normed tokens that an initialisation of W_Q and W_K makes, over weights and in one head",
		Definition: "Draws W_Q and W_K as an initialisation says, with fresh tokens after LayerNorm, and measures the sizes of queries, keys and logits over draws of the weights, and how much they differ from head to head."},
	{Name: ExperimentTraining, Unit: UnitSeed, Title: "steps that training takes under each scale of the scores, at the rate that is best for it",
		Definition: "Trains one attention layer to recall under each scale, on the same seeds and data and at many rates, takes the best rate of each, and compares the steps that the loss takes to a threshold. Few seeds choose the rate, others judge."},
	{Name: ExperimentHealth, Unit: UnitComponent, Title: "mean, variance and κ of a component; correlations of neighbours, of q with k, of lanes",
		Definition: "Looks at the drawn components themselves: whether they have the moments of their law, and whether those that should be independent are uncorrelated."},
	{Name: ExperimentControls, Unit: UnitPair, Title: "deliberately wrong variants, each of which a gate must fail",
		Definition: "Draws components with a deliberate mistake. The gate that should notice it is turned round: its estimate must lie outside the band."},
	{Name: ExperimentCalibration, Unit: UnitRun, Title: "how often intervals hold the truth, and gates fail or pass wrongly, over many small runs",
		Definition: "Repeats small runs of variance and exponents, and counts how often each kind of interval holds the exact value and each gate gives a wrong verdict."},
	{Name: ExperimentRepeats, Unit: UnitPair, Title: "the four numbers of the first page, from fresh draws for each repeat",
		Definition: "Draws pairs of several dimensions anew for each repeat, and measures Var(q·k), the slope of its logarithm on ln d_k, the exponent that makes it flat and what a division by √d_k leaves of it."},
	{Name: ExperimentAgreement, Unit: UnitCell, Title: "whether the document as a whole agrees with theory",
		Definition: "Reads the rows of all other experiments: how many intervals hold their theory, and whether one distance from theory a cell, chosen before anything was drawn, is in standard errors a normal number. It draws nothing, and its tests are no gates."},
	{Name: ExperimentCost, Unit: UnitCell, Title: "operations and bytes of one attention layer, over the number of tokens",
		Definition: "Counts, by formulas, the floating-point operations of the forward pass of one attention layer of a few published models, and the bytes that it stores, over the number of tokens. It draws and measures nothing, and has lines of theory alone."},
}
