// Package ledger has the words of ledgers of claims: what a claim can be, how it can be
// settled, what comes of it, and where the words that texts use in place of numbers begin.
// The table of package names holds all of them.
package ledger

// Line is a word with what it means.
type Line struct{ Name, Title, Definition, Formula string }

// The kinds of claims, by what settles them.
const (
	Deterministic = "deterministic"
	ClosedForm    = "closed-form"
	Counted       = "cost"
	Quadrature    = "quadrature"
	MonteCarlo    = "monte-carlo"
	OfDocument    = "document"
)

// What is found of a claim.
const (
	Holds      = "holds"
	Rounding   = "holds to rounding"
	Imprecise  = "imprecise"
	Wrong      = "wrong"
	NotSettled = "not settled"
)

// How a published number is hedged.
const (
	Exactly = "exactly"
	About   = "about"
	Roughly = "roughly"
)

// Whether a condition is met.
const (
	Met   = "met"
	Unmet = "not met"
	Open  = "open"
)

// The words that texts use in place of numbers.
const (
	WordNearOneHot   = "near one-hot"
	WordOneHotRow    = "one-hot row"
	WordNearUniform  = "near uniform"
	WordDiffuse      = "diffuse"
	WordSmooth       = "smooth"
	WordAllButGone   = "all but gone"
	WordMost         = "most"
	WordNearlyAll    = "nearly all"
	WordOrdinary     = "ordinary"
	WordAboutOne     = "about one"
	WordAboutTheSame = "about the same"
)

// The functions that settle claims.
const (
	FunctionWeights               = "weights"
	FunctionScaledScores          = "scaled_scores"
	FunctionRowMaxWeight          = "row_max_weight"
	FunctionRowEntropy            = "row_entropy"
	FunctionRowEntropyRatio       = "row_entropy_ratio"
	FunctionRowSurvival           = "row_survival"
	FunctionRowJacobianNorm       = "row_jacobian_norm"
	FunctionWinnerGradient        = "winner_gradient"
	FunctionLargestEntropy        = "largest_entropy"
	FunctionJacobianEntries       = "jacobian_entries"
	FunctionJacobianDifference    = "jacobian_difference"
	FunctionTemperatureDifference = "temperature_difference"
	FunctionBlendOf               = "blend_of"
	FunctionSumsOfRows            = "sums_of_rows"
	FunctionRowVariance           = "row_variance"
	FunctionRowSD                 = "row_sd"
	FunctionMeanOfScore           = "mean_of_score"
	FunctionVarianceOfScore       = "variance_of_score"
	FunctionSDOfScore             = "sd_of_score"
	FunctionUnitFactor            = "unit_factor"
	FunctionShareBeyond           = "share_beyond"
	FunctionDistanceFromNormal    = "distance_from_normal"
	FunctionProductMoments        = "product_moments"
	FunctionSecondMoment          = "second_moment"
	FunctionExpectedSurvival      = "expected_survival"
	FunctionPrintedVariance       = "printed_variance"
	FunctionVarianceOfRule        = "variance_of_rule"
	FunctionVarianceOfComponent   = "variance_of_component"
	FunctionUnscaledLogitSD       = "unscaled_logit_sd"
	FunctionAttentionShapes       = "attention_shapes"
	FunctionAttentionDifference   = "attention_difference"
	FunctionAsymmetry             = "asymmetry"
	FunctionLeastWeight           = "least_weight"
	FunctionScoreDefined          = "score_defined"
	FunctionScoreProducts         = "score_products"
	FunctionScaleProducts         = "scale_products"
	FunctionPairProducts          = "pair_products"
	FunctionStoredScores          = "stored_scores"
	FunctionGrowthOfPairs         = "growth_of_pairs"
	FunctionProductsOfMatrices    = "products_of_matrices"
)

// Verdicts, Kinds and Hedges are the values in their order.
var (
	Verdicts = []string{Wrong, Imprecise, NotSettled, Rounding, Holds}
	Kinds    = []string{Deterministic, ClosedForm, Counted, Quadrature, MonteCarlo, OfDocument}
	Hedges   = []string{Exactly, About, Roughly}
)

// Other are the kinds, verdicts, hedges and outcomes.
var Other = []Line{
	{Deterministic, "claim about given numbers", "A claim that is settled by computing with the numbers that are printed.", ""},
	{ClosedForm, "claim about a formula", "A claim that is settled by a closed form, exact or at some points of it.", ""},
	{Counted, "claim about what attention costs", "A claim that is settled by counting operations or numbers.", ""},
	{Quadrature, "claim about an expected value", "A claim that is settled by numerical integration.", ""},
	{MonteCarlo, "claim about what is drawn", "A claim that is settled by rows that are drawn, with their errors.", ""},
	{OfDocument, "claim about what texts say", "A claim that no computation settles: its verdict rests on evidence, has a date, and never counts as computed.", ""},
	{Holds, "what is claimed is so", "The published number is the computed one, or the literal conditions of the claim are met.", ""},
	{Rounding, "published number that is right to its digits", "The published number is not the computed one, but agrees with it within its own rounding, that of the printed inputs, and what its hedge allows.", ""},
	{Imprecise, "claim that holds only in a weaker sense", "The literal conditions of a claim are not met, and its weakened ones are.", ""},
	{Wrong, "what is claimed is not so", "The published number is not what its inputs can give, or no conditions of the claim are met.", ""},
	{NotSettled, "claim that nothing here settles", "Rows that a claim reads are not drawn, their interval lies on both sides of a threshold, or no evidence is given for it.", ""},
	{Exactly, "published number that is not rounded", "A published number that stands for a formula, and allows no rounding.", ""},
	{About, "published number that allows two halves of its last digit", "A published number that is said to be approximate: it may be off by one in its last digit, in place of half of one.", ""},
	{Roughly, "published number that allows 5 %", "A published number that is said to be rough: it may be off by 5 % of itself beyond its rounding.", ""},
	{Met, "condition that is met", "The whole interval of what a condition reads lies where the condition wants it.", ""},
	{Unmet, "condition that is not met", "The whole interval of what a condition reads lies where the condition does not want it.", ""},
	{Open, "condition that nothing decides", "What a condition reads is not drawn, has no interval, or has one that lies on both sides of a threshold.", ""},
}

// Word is one that texts use in place of a number: it is earned from Least on, where that
// is not 0, and below Most, where that is not 0.
type Word struct {
	Name        string
	Least, Most float64
	Title       string
}

// Words are all of them. The labels of survival are those that figures have.
var Words = []Word{
	{WordNearOneHot, 0.9, 0, "greatest weight of 0.9 or more"},
	{WordOneHotRow, 0.99, 0, "greatest weight of 0.99 or more"},
	{WordNearUniform, 0.95, 0, "entropy of at least 95 % of that of equal weights"},
	{WordDiffuse, 0.5, 0, "entropy of at least half of that of equal weights"},
	{WordSmooth, 0.5, 0, "survival of the gradient of 0.5 or more, as of a healthy row"},
	{WordAllButGone, 0, 0.01, "less than 1 %"},
	{WordMost, 0.5, 0, "half or more"},
	{WordNearlyAll, 0.95, 0, "95 % or more"},
	{WordOrdinary, 0.05, 0, "a chance of 5 % or more"},
	{WordAboutOne, 0.8, 1.25, "between 0.8 and 1.25"},
	{WordAboutTheSame, 0.8, 1.25, "a ratio between 0.8 and 1.25"},
}

// Functions are those that settle claims, by their names.
var Functions = []Line{
	{FunctionWeights, "softmax of scores", "The weights that softmax gives to scores, which are divided by √d_k or by a temperature where one is given.", "α_i = e^(s_i)/Σe^(s_j)"},
	{FunctionScaledScores, "scores over the root of d_k", "Scores divided by √d_k.", "s/√d_k"},
	{FunctionRowMaxWeight, "greatest weight of given scores", "The greatest weight of softmax of scores.", "max α"},
	{FunctionRowEntropy, "entropy of given scores", "The entropy of the weights of scores, in nats.", "−Σα ln α"},
	{FunctionRowEntropyRatio, "entropy of given scores over its greatest", "The entropy of the weights of scores over that of equal weights.", "−Σα ln α/ln n"},
	{FunctionRowSurvival, "survival of the gradient of given scores", "The trace of the Jacobian of softmax at scores, over that at equal weights.", "(1 − Σα²)/(1 − 1/n)"},
	{FunctionRowJacobianNorm, "norm of the Jacobian of given scores", "The Frobenius norm of the Jacobian of softmax at scores.", "‖J‖_F"},
	{FunctionWinnerGradient, "entry of the greatest weight in the Jacobian", "The derivative of the greatest weight by its own score.", "α(1 − α)"},
	{FunctionLargestEntropy, "entropy of equal weights", "The entropy of equal weights of so many keys.", "ln n"},
	{FunctionJacobianEntries, "entries of the Jacobian at given weights", "The entries of one row of the Jacobian of softmax, row by number from 1, at given weights.", "α_i(δ_ij − α_j)"},
	{FunctionJacobianDifference, "Jacobian less finite differences", "The greatest difference between the Jacobian of softmax and central differences of its weights.", ""},
	{FunctionTemperatureDifference, "temperature less scale", "The greatest difference between weights at a temperature and those of scores that are divided beforehand: by √d_k where d_k is given, which is then the square of the temperature.", ""},
	{FunctionBlendOf, "values averaged by weights", "The values, each times its weight, added up; the weights are given, or softmax of scores.", "Σα_jv_j"},
	{FunctionSumsOfRows, "sums of rows of numbers", "What each row of given weights adds up to, or the weights that softmax makes of scores.", "Σα"},
	{FunctionRowVariance, "variance of given scores", "The variance of the scores of one row, over n − 1, after their scale.", "Σ(s − s̄)²/(n − 1)"},
	{FunctionRowSD, "standard deviation of given scores", "The root of the variance of the scores of one row.", ""},
	{FunctionMeanOfScore, "mean of q·k", "The mean of q·k for independent components of mean 0.", "0"},
	{FunctionVarianceOfScore, "variance of q·k over a power of d_k", "The variance of q·k/d_k^p for independent components of mean 0 and variance 1, p being 0 where none is given.", "d_k^(1−2p)"},
	{FunctionSDOfScore, "standard deviation of q·k over a power of d_k", "The root of the variance of q·k/d_k^p.", "d_k^(1/2−p)"},
	{FunctionUnitFactor, "factor that makes the variance of q·k one", "What q·k has to be multiplied by so that its variance is 1.", "1/√d_k"},
	{FunctionShareBeyond, "chance that a score is so large", "The chance that q·k of normal components is at least so large in size.", "P(|q·k| ≥ s)"},
	{FunctionDistanceFromNormal, "distance of q·k from the normal law", "Kolmogorov's distance between the law of q·k of normal components and the normal law of variance d_k.", ""},
	{FunctionProductMoments, "mean and variance of one product", "The mean and the variance of the product of two independent components of given means and standard deviations.", "m_qm_k, s_q²s_k² + m_q²s_k² + m_k²s_q²"},
	{FunctionSecondMoment, "mean square of a component", "The mean square of a component of given mean and standard deviation.", "s² + m²"},
	{FunctionExpectedSurvival, "mean survival of normal logits", "The mean survival of the gradient of rows of independent normal logits, by quadrature.", "E R"},
	{FunctionPrintedVariance, "variance that a demonstration prints", "The variance of all products of so many queries with so many keys, with the standard deviation of what is printed: scores that share a query or a key have squares that go together.", ""},
	{FunctionVarianceOfRule, "variance of a rule's logit", "The variance of the logit that a rule makes of normal components, by its closed form.", ""},
	{FunctionVarianceOfComponent, "variance of a component at initialisation", "The variance of a component of a query under an initialisation.", ""},
	{FunctionUnscaledLogitSD, "standard deviation of q·k at initialisation", "The standard deviation of q·k of a head under an initialisation, without a scale.", "√(d_k Var q Var k)"},
	{FunctionAttentionShapes, "shapes of scores and blends", "The rows and columns of the scores and of the blends, of so many tokens.", ""},
	{FunctionAttentionDifference, "attention less plain sums", "The greatest difference between what attention computes and sums that are written out, entry by entry.", ""},
	{FunctionAsymmetry, "scores less their transpose", "The greatest difference between a score and that of the same tokens the other way round, with the same vectors as queries and keys or with others.", ""},
	{FunctionLeastWeight, "least weight of attention", "The least weight that any of so many tokens gives to another, with a causal mask or without.", ""},
	{FunctionScoreDefined, "whether a score exists", "1 if a query and a key of these lengths have a score, else 0.", ""},
	{FunctionScoreProducts, "products of all scores", "How many products of two components all scores of a head take.", "n²d_k"},
	{FunctionScaleProducts, "multiplications of the scale", "How many multiplications the scale takes for each score.", "1"},
	{FunctionPairProducts, "products of scores and blends", "How many products of two numbers scores and blends of a head take.", "n²(d_k + d_v)"},
	{FunctionStoredScores, "scores of a head", "How many scores a head has.", "n²"},
	{FunctionGrowthOfPairs, "growth on doubling the text", "What operations and memory of scores grow by where the text is twice as long.", ""},
	{FunctionProductsOfMatrices, "products of matrices of a head", "How many products of matrices a head takes after its projections.", ""},
}
