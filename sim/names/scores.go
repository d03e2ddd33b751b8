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
	NormalKS              = "normal_ks"
	ScaledVariance        = "scaled_variance"
	ScaledMeanSquare      = "scaled_mean_square"
	VarianceSlope         = "variance_slope"
	FlatExponent          = "flat_exponent"
	UnitExponent          = "unit_exponent"
	LocalExponent         = "local_exponent"
)
