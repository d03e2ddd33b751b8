package names

// Quantities of heads at initialisation, of layer-normed tokens.
const (
	QueryVariance         = "query_variance"
	KeyVariance           = "key_variance"
	LogitVariance         = "logit_variance"
	LogitSD               = "logit_sd"
	HeadVariance          = "head_variance"
	HeadSpread            = "head_spread"
	SameTokenVariance     = "same_token_variance"
	SameTokenMean         = "same_token_mean"
	SameTokenMeanVariance = "same_token_mean_variance"
	ParticipationRatio    = "participation_ratio"
)

// Quantities of rules, and the operations that they take.
const (
	LogitVarianceSlope = "logit_variance_slope"
	Flat               = "flat"
	Multiplications    = "multiplications"
	Additions          = "additions"
	Divisions          = "divisions"
	SquareRoots        = "square_roots"
	Tanhs              = "tanhs"
)

// Quantities of tokens in a stack of layers.
const (
	TokenVariance = "token_variance"
	TokenCosine   = "token_cosine"
)

// Sources that many entries share.
const (
	headTheory   = "mcsim, sim/weights/head.go"
	spreadTheory = "mcsim, sim/weights/spread.go"
	ruleTheory   = "mcsim, sim/rule/variance.go"
	depthPlace   = "mcsim, sim/experiment/inits"
)

// heads are the quantities of heads at initialisation.
var heads = []Entry{
	{Name: QueryVariance, Title: "mean square of a component of a query", Unit: pure, Range: notNegative, Formula: "E|q|²/d_k", Source: headTheory,
		Definition: "The mean square of a component of a query over components, tokens and draws of the weights; its mean is 0."},
	{Name: KeyVariance, Title: "mean square of a component of a key", Unit: pure, Range: notNegative, Formula: "E|k|²/d_k; in mismatch ½·E(q·k − q·k')²", Source: headTheory,
		Definition: "The mean square of a component of a key over components, tokens and draws of the weights; its mean is 0. In mismatch it is something else: the part of Var(q·k) by which the keys of one query differ, half the mean squared difference of two of their scores. The rest all keys have in common, and softmax does not see it."},
	{Name: LogitVariance, Title: "variance of the logit", Unit: pure, Range: notNegative, Formula: "Var(c·q·k), c the scale; E(logit²) under other rules", Source: headTheory,
		Definition: "In init it is the mean square of the logit, q·k under the framework's own scale, over pairs of different tokens and draws of the weights; its mean is 0. In rules it is the variance of the logit that the rule makes of an independent query and key: of the score times the factor where the rule is one, and else the mean square, since the mean is 0."},
	{Name: LogitSD, Title: "standard deviation of the logit", Unit: pure, Range: notNegative, Formula: "√(logit variance)", Source: headTheory,
		Definition: "The root of the logit variance: in init, of the mean square of the logit over pairs of different tokens and draws of the weights."},
	{Name: HeadVariance, Title: "logit variance over all tokens, from the drawn weights", Unit: pure, Range: notNegative, Formula: "c²·E tr(Q·K), Q = E qqᵀ and K = E kkᵀ over tokens, c the scale", Source: spreadTheory,
		Definition: "The mean over draws of the weights of a head's mean square logit over all tokens that there can be, which follows from the drawn weights without drawing tokens. It is expected to be the logit variance, and its error is known exactly."},
	{Name: HeadSpread, Title: "relative variance of the logits' mean square from head to head", Unit: pure, Range: notNegative, Formula: "Var T/(E T)², T = tr(Q·K)", Source: spreadTheory,
		Definition: "How much heads differ: the variance over draws of the weights of a head's mean square logit over all tokens, over the square of its mean."},
	{Name: SameTokenVariance, Title: "mean square of a token's logit with itself", Unit: pure, Range: notNegative, Formula: "E(c·q·k)² of one token", Source: headTheory,
		Definition: "The mean square of the logit that a token's query has with the same token's key, over tokens and draws of the weights."},
	{Name: SameTokenMean, Title: "mean of a token's logit with itself", Unit: pure, Range: anyNumber, Formula: "E(c·q·k) of one token", Source: headTheory,
		Definition: "The mean of the logit that a token's query has with the same token's key, over tokens and draws of the weights. Over draws it is 0."},
	{Name: SameTokenMeanVariance, Title: "variance over draws of a token's mean logit with itself", Unit: pure, Range: notNegative, Formula: "Var(c·tr(W_Q·W_KᵀΣ) + c·b_Q·b_K)", Source: headTheory,
		Definition: "The variance over draws of the weights of the mean, over all tokens that there can be, of a token's logit with itself. The mean follows from the drawn weights without drawing tokens."},
	{Name: ParticipationRatio, Title: "effective number of independent directions of tokens", Unit: "direction", Range: "≥ 1", Formula: "(tr Σ)²/tr Σ² = d_model − 1, Σ the covariance of tokens", Source: headTheory,
		Definition: "How many directions the tokens fill: the inverse of the mean squared cosine between two different tokens. A number of equally long, independent directions has itself."},
}

// logits are the quantities of rules.
var logits = []Entry{
	{Name: LogitVarianceSlope, Title: "slope of a rule's variance on d_k, both as logarithms", Unit: pure, Range: anyNumber, Formula: "d ln Var(logit)/d ln d_k", Source: ruleTheory,
		Definition: "The slope of a straight line through the logarithm of a rule's logit variance over ln d_k, fitted to the cells with d_k ≥ 2 whose variance has an interval and is known to 5 %, each weighted by the inverse of its squared error."},
	{Name: Flat, Title: "whether a rule's variance is flat in d_k", Unit: pure, Range: "0 or 1", Source: ruleTheory,
		Definition: "1 if the 95 % interval of the slope of the rule's variance lies within the tolerance of 0, 0 if it lies outside, and absent where neither can be said."},
	operation(Multiplications, "multiplications"),
	operation(Additions, "additions"),
	operation(Divisions, "divisions"),
	operation(SquareRoots, "square roots"),
	operation(Tanhs, "hyperbolic tangents"),
}

// operation defines the count of one operation of arithmetic.
func operation(name, plural string) Entry {
	return Entry{Name: name, Title: plural + " that a rule takes", Unit: pure, Range: notNegative, Source: "mcsim, sim/rule/operations.go",
		Definition: "The number of " + plural + " that a rule takes, for each pair of a query and a key, or once for each vector, as the row says. It is counted from the formula, not measured."}
}

// tokens are the quantities of tokens in a stack of layers.
var tokens = []Entry{
	{Name: TokenVariance, Title: "mean square of a component of a token", Unit: pure, Range: notNegative, Formula: "E|x|²/width", Source: depthPlace,
		Definition: "The mean square of a component of the tokens that reach a layer, before its norm, over components, tokens and stacks.",
		stack:      "the mean square of a component of the tokens that reach it, over components and tokens."},
	{Name: TokenCosine, Title: "mean cosine between two tokens", Unit: pure, Range: "−1..1", Formula: "E x·x'/(|x||x'|)", Source: depthPlace,
		Definition: "The mean cosine of the angle between two different tokens that reach a layer, over pairs of tokens and stacks: 1 if all have become the same. A token of length 0 counts as at right angles to all.",
		stack:      "the mean cosine of the angle between two different tokens that reach it, over pairs of tokens."},
}
