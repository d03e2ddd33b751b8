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
