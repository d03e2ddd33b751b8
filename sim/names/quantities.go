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

// Quantities of a row of softmax: the weights α that a query gives to its keys,
// and their Jacobian J = diag(α) − ααᵀ.
const (
	MaxWeight         = "max_weight"
	Entropy           = "entropy"
	EntropyRatio      = "entropy_ratio"
	Collision         = "collision"
	EffectiveKeys     = "effective_keys"
	RankedWeight      = "ranked_weight"
	PartialScore      = "partial_score"
	GradientSurvival  = "gradient_survival"
	JacobianNorm      = "jacobian_norm"
	OffPeakTrace      = "off_peak_trace"
	KeyGradient       = "key_gradient"
	QueryGradient     = "query_gradient"
	AlignedWeight     = "aligned_weight"
	AlignedFirstShare = "aligned_first_share"
	FreezingSigma     = "freezing_sigma"
)

// Shares of rows and counts of keys that are reported.
const (
	HealthyShare            = LabelHealthy + shareEnd
	FadingShare             = LabelFading + shareEnd
	DyingShare              = LabelDying + shareEnd
	DeadShare               = LabelDead + shareEnd
	MaxWeightAbove90Percent = "max_weight_above_90_percent"
	MaxWeightAbove99Percent = "max_weight_above_99_percent"
	KeysAbove1Percent       = "keys_above_1_percent"
	KeysAbove5Percent       = "keys_above_5_percent"
)

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

// Quantities of what a format of few digits makes of scores and weights.
const (
	TotalVariation = "total_variation"
	Overflow       = "overflow"
	Headroom       = "headroom"
)

// Quantities of an attention layer that are counted.
const (
	AttentionOperations = "attention_operations"
	AttentionBytes      = "attention_bytes"
	AttentionGrowth     = "attention_growth"
	AttentionCrossing   = "attention_crossing"
)

// Quantities of the simulator itself: components as they are drawn, and how often
// intervals and gates are right.
const (
	ComponentMean     = "component_mean"
	ComponentVariance = "component_variance"
	ComponentKurtosis = "component_kurtosis"
	LagCorrelation    = "lag_correlation"
	QKCorrelation     = "qk_correlation"
	LaneCorrelation   = "lane_correlation"
	Coverage          = "coverage"
	FalseFail         = "false_fail"
	FalsePass         = "false_pass"
)

// Quantities of a document as a whole.
const (
	IntervalShare  = "interval_share"
	Clusters       = "clusters"
	ZScore         = "z_score"
	ZLimit         = "z_limit"
	ZLargest       = "z_largest"
	ZDistance      = "z_distance"
	ZSquares       = "z_squares"
	PValue         = "p_value"
	RejectionLevel = "rejection_level"
)

// Quantities of training.
const (
	LearningRate        = "learning_rate"
	LowestRate          = "lowest_rate"
	HighestRate         = "highest_rate"
	RateSlope           = "rate_slope"
	TuningLoss          = "tuning_loss"
	RelativeLoss        = "relative_loss"
	StepsToThreshold    = "steps_to_threshold"
	ReachedShare        = "reached_share"
	StepsRatio          = "steps_ratio"
	StepsDifference     = "steps_difference"
	LargestLogit        = "largest_logit"
	RootSurvival        = "root_gradient_survival"
	RootKeyGradient     = "root_key_gradient"
	GradientOverEpsilon = "gradient_over_epsilon"
	LearntExponent      = "learnt_exponent"
)

// Statistic reports whether a quantity is what a test works out of the draws, which is no
// estimate of anything and has no error.
func Statistic(quantity string) bool {
	return quantity == ExactKS || quantity == ExactKSLimit || quantity == ExactKSP
}
