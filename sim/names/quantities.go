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
	Concentration     = "concentration"
	EffectiveKeys     = "effective_keys"
	RankedWeight      = "ranked_weight"
	PartialScore      = "partial_score"
	KeyWeight         = "key_weight"
	RelativeTrace     = "relative_trace"
	JacobianNorm      = "jacobian_norm"
	KeyGradient       = "key_gradient"
	QueryGradient     = "query_gradient"
	TargetGradient    = "target_gradient"
	TargetSignal      = "target_signal"
	SinkWeight        = "sink_weight"
	AlignedWeight     = "aligned_weight"
	AlignedFirstShare = "aligned_first_share"
)

// Shares of rows and counts of keys that are reported.
const (
	ConcentratedShare       = LabelConcentrated + shareEnd
	DeadShare               = LabelDead + shareEnd
	IdleTargetShare         = "idle_target" + shareEnd
	MaxWeightAbove90Percent = "max_weight_above_90_percent"
	MaxWeightAbove99Percent = "max_weight_above_99_percent"
)

// Quantities of heads at initialisation, of layer-normed tokens.
const (
	KeyVariance   = "key_variance"
	LogitVariance = "logit_variance"
	LogitSD       = "logit_sd"
	HeadVariance  = "head_variance"
	VarianceRatio = "variance_ratio"
)

// FreezingSigma is the limit of theory above which normal logits are concentrated.
const FreezingSigma = "freezing_sigma"

// Quantities of rules, and the operations that they take.
const (
	LogitVarianceSlope = "logit_variance_slope"
)

// Quantities of tokens in a stack of layers.
const (
	TokenCosine = "token_cosine"
)

// Quantities of what a format of few digits makes of scores and weights.
const (
	TotalVariation = "total_variation"
	Headroom       = "headroom"
)

// Quantities of an attention layer that are counted.
const (
	AttentionOperations = "attention_operations"
	AttentionBytes      = "attention_bytes"
	AttentionCrossing   = "attention_crossing"
)

// Quantities of the simulator itself: components as they are drawn, and how often
// intervals and gates are right.
const (
	ComponentMean     = "component_mean"
	ComponentVariance = "component_variance"
	ComponentKurtosis = "component_kurtosis"
	QKCorrelation     = "qk_correlation"
	LaneCorrelation   = "lane_correlation"
	Coverage          = "coverage"
	FalseFail         = "false_fail"
	FalsePass         = "false_pass"
)

// Quantities of a document as a whole.
const (
	IntervalShare    = "interval_share"
	ZLargestEstimate = "z_largest_estimate"
	ZScore           = "z_score"
	ZLimit           = "z_limit"
	PValue           = "p_value"
	RejectionLevel   = "rejection_level"
)

// Quantities of training.
const (
	LearningRate     = "learning_rate"
	TuningLoss       = "tuning_loss"
	RelativeLoss     = "relative_loss"
	StepsToThreshold = "steps_to_threshold"
	ReachedShare     = "reached_share"
	StepsRatio       = "steps_ratio"
)

// Statistic reports whether a quantity is what a test works out of the draws, which is no
// estimate of anything and has no error.
func Statistic(quantity string) bool {
	return quantity == ExactKS || quantity == ExactKSLimit || quantity == ExactKSP
}
