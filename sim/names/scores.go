package names

// Quantities of the score S = q·k, and of what a scale leaves of its variance.
const (
	ScoreMean             = "score_mean"
	ScoreVariance         = "score_variance"
	ScoreVarianceSE       = "score_variance_se"
	ScoreVarianceSEBlocks = "score_variance_se_blocks"
	ScoreSkewness         = "score_skewness"
	ScoreExcessKurtosis   = "score_excess_kurtosis"
	ScoreMeanSquare       = "score_mean_square"
	NormalDifference      = "normal_difference"
	ExactKS               = "exact_ks"
	ExactKSLimit          = "exact_ks_limit"
	ExactKSP              = "exact_ks_p"
	ScaledVariance        = "scaled_variance"
	ScaledMeanSquare      = "scaled_mean_square"
	VarianceSlope         = "variance_slope"
	FlatExponent          = "flat_exponent"
	UnitExponent          = "unit_exponent"
	LocalExponent         = "local_exponent"
)

// Statistic reports whether a quantity is what a test works out of the draws, which is no
// estimate of anything and has no error.
func Statistic(quantity string) bool {
	return quantity == ExactKS || quantity == ExactKSLimit || quantity == ExactKSP
}

// Sources that many entries share.
const (
	vaswani       = "Vaswani et al., Attention Is All You Need (2017, arXiv 1706.03762), section 3.2.1 and its footnote"
	scoreTheory   = "mcsim, sim/theory/score.go"
	alignedTheory = "mcsim, sim/theory/alignment.go"
	exactLaw      = "mcsim, sim/theory/kolmogorov.go"
)

// scores are the quantities of the score itself.
var scores = []Entry{
	{Name: ScoreMean, Title: "mean of the score", Unit: pure, Range: anyNumber, Formula: "E S", Source: scoreTheory,
		Definition: "The mean of the score S = q·k over the pairs that were drawn; 0 for independent components of mean 0. In alignment it is the score of the aligned key, with the mean ρ·d_k."},
	{Name: ScoreVariance, Title: "variance of the score", Unit: pure, Range: notNegative, Formula: "Var S = d_k", Source: vaswani,
		Definition: "The variance of the score S = q·k over the pairs that were drawn, with the divisor n − 1; the formula is for independent components of mean 0 and variance 1. The estimator gram takes the mean of S² over the products of all queries with all keys of a matrix, since the mean of S is known to be 0. In alignment it is the variance of the aligned key's score. In depth it is taken over the keys of a row, after the scale, as a mean over rows and stacks.",
		stack:      "the variance over the keys of a row of scores after the scale, as a mean over its rows."},
	{Name: ScoreVarianceSE, Title: "standard error of the variance by the sample's own kurtosis", Unit: pure, Range: notNegative, Formula: "s²·√(2/(n−1) + g/n), g the excess kurtosis of the sample", Source: scoreTheory,
		Definition: "The standard error of the measured variance s² as the sample alone would tell it, without knowledge of the law. The theory beside it is the exact standard error."},
	{Name: ScoreVarianceSEBlocks, Title: "standard error of the variance by the scatter of blocks", Unit: pure, Range: notNegative, Formula: "sd(b)/√B, b the mean of S² in each of B blocks", Source: "mcsim, sim/experiment/scores",
		Definition: "The standard error of the measured variance as the scatter between blocks of draws tells it, or between matrices for the estimator gram: the standard deviation of their means of S² over the root of their number. It has limits by χ², or none where blocks are few or far from normal."},
	{Name: ScoreSkewness, Title: "skewness of the score", Unit: pure, Range: anyNumber, Formula: "E(S − E S)³/(Var S)^(3/2)", Source: scoreTheory,
		Definition: "The third central moment of the score over the 3/2 power of its variance. It is 0 where the law of the score is symmetric."},
	{Name: ScoreExcessKurtosis, Title: "excess kurtosis of the score", Unit: pure, Range: "≥ −2", Formula: "E(S − E S)⁴/(Var S)² − 3 = (κ² − 3)/d_k", Source: scoreTheory,
		Definition: "The fourth central moment of the score over the square of its variance, less 3, which is what a normal law has. The closed form is for independent components; on the sphere it is −6/(d_k + 2)."},
	{Name: ScoreMeanSquare, Title: "mean square of the aligned key's score", Unit: pure, Range: notNegative, Formula: "E S² = ρ²d_k² + d_k(1 + ρ²(κ − 2))", Source: alignedTheory,
		Definition: "The mean of the squared score of the aligned key k = ρq + √(1−ρ²)z, its squared mean and its variance together. The closed form is for independent components of q whose fourth moment is κ, and independent z; on the sphere the second term is d_k(1 − ρ²). A key that has the correlation ρ by another construction has another variance."},
	{Name: NormalDifference, Title: "signed difference of the score's law from the normal one, at x*", Unit: pure, Range: "−1/2..1/2", Formula: "(share of |S| ≤ x*·√d_k − (2Φ(x*) − 1))/2", Source: "mcsim, sim/theory/normality.go",
		Definition: "Half the difference between the share of scores within ±x*·√d_k and the share that the normal law N(0, d_k) has there, which is the difference F − Φ of the two distribution functions at x*. Theory has the two farthest apart at x*, so that the expected value is their Kolmogorov distance; an estimate can fall below 0. For normal components only."},
	{Name: ExactKS, Title: "Kolmogorov distance of the scores to their exact law, times √N", Unit: pure, Range: notNegative, Formula: "√N·max |F_N(x_j) − j/256| over j = 1..255", Source: exactLaw,
		Definition: "The largest difference between the share of the N scores below x_j and j/256, times √N, where x_j is the number below which a score lies with the chance j/256 by its exact law. It says whether the draws have that law. For independent pairs of normal components only, and for 1280 pairs or more."},
	{Name: ExactKSLimit, Title: "what that distance exceeds once in twenty times", Unit: pure, Range: notNegative, Source: exactLaw,
		Definition: "The number that exact_ks exceeds with a chance of 5 % if the scores have their exact law: the 95 % quantile of the largest of a Brownian bridge at 255 equally spaced times, which is a little below that of Kolmogorov's law, 1.358."},
	{Name: ExactKSP, Title: "p-value of that distance", Unit: pure, Range: fraction, Source: exactLaw,
		Definition: "The chance of an exact_ks as large as this one or larger if the scores have their exact law, by the law of the largest of a Brownian bridge at 255 equally spaced times."},
}

// scaledScores are those of what a scale leaves of it.
var scaledScores = []Entry{
	{Name: ScaledVariance, Title: "variance of the scaled score", Unit: pure, Range: notNegative, Formula: "Var(S/d_k^p) = d_k^(1−2p)", Source: vaswani,
		Definition: "The variance of the score after the scale that the row names: a division by d_k^p, or a rule. In mismatch p is 1/2. In init it is the mean of (q·k)²/d_k over pairs of different tokens and draws of the weights, whatever scale the framework itself uses."},
	{Name: ScaledMeanSquare, Title: "mean square of the aligned key's scaled score", Unit: pure, Range: notNegative, Formula: "E S²/d_k^(2p)", Source: alignedTheory,
		Definition: "The mean square of the aligned key's score after the scale that the row names."},
	{Name: VarianceSlope, Title: "slope of the variance on d_k, both as logarithms", Unit: pure, Range: anyNumber, Formula: "d ln Var(S/d_k^p)/d ln d_k = 1 − 2p", Source: "mcsim, sim/experiment/scores",
		Definition: "The slope of a straight line through ln Var(S/d_k^p) over ln d_k, fitted to the cells of a law with d_k ≥ 2 whose variance is known to 5 %, each weighted by the inverse of its squared error. There is one fit for all exponents, moved by −2p, so their errors are one error."},
	{Name: FlatExponent, Title: "exponent that keeps the variance flat in d_k", Unit: pure, Range: anyNumber, Formula: "½·d ln Var S/d ln d_k = 1/2", Source: "mcsim, sim/experiment/scores",
		Definition: "The exponent p for which the variance of S/d_k^p does not change with d_k, by the fitted slope: half the slope at p = 0."},
	{Name: UnitExponent, Title: "exponent that makes the variance one", Unit: pure, Range: anyNumber, Formula: "ln Var S/(2 ln d_k)", Source: "mcsim, sim/experiment/scores",
		Definition: "The exponent p for which S/d_k^p has the variance 1 at this d_k; in alignment, for which the mean square of the aligned key's score is 1."},
	{Name: LocalExponent, Title: "exponent that keeps the aligned key's score between neighbouring d_k", Unit: pure, Range: anyNumber, Formula: "½·d ln E S²/d ln d_k", Source: alignedTheory,
		Definition: "The exponent p that keeps the mean square of the aligned key's scaled score the same at two neighbouring d_k: half the slope of ln E S² on ln d_k between them. The row stands at their geometric mean; a line of theory has the derivative."},
}
