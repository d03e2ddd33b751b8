package names

// Answers to a parameter that is a question.
const (
	Yes = "yes"
	No  = "no"
)

// Words of texts that code names.
const (
	TermQuery = "query"
	TermGram  = "Gram estimator"
)

// Values of the parameter estimator, and what stands in that column for counts
// and for points of theory.
const (
	EstimatorDirect = "direct"
	EstimatorGram   = "gram"
	EstimatorCount  = "count"
	EstimatorTheory = "theory"
)

// Values of the parameters temperature, scale, limit, per and edge.
const (
	TemperatureInfinite = "infinite"
	TemperatureNumber   = "inf"
	ScaleRoot           = "sqrt(d_k)"
	ScaleUnscaled       = "unscaled"
	LimitNarrow         = "narrow"
	LimitWide           = "wide"
	PerPair             = "pair"
	PerVector           = "vector"
	EdgeLower           = "lower"
	EdgeUpper           = "upper"
)

// How a theory is known: values of the column theory_kind.
const (
	TheoryExact      = "exact"
	TheoryQuadrature = "quadrature"
	TheoryLimit      = "limit"
	TheoryNone       = "none"
)

// CurveDrawn is the kind of a line that is no theory; a line of theory has the kind of that.
const CurveDrawn = "drawn"

// What a gate expects of its estimate.
const (
	ExpectInside  = "inside"
	ExpectOutside = "outside"
	ExpectAtLeast = "at least"
	ExpectAtMost  = "at most"
)

// What a gate says.
const (
	VerdictPass      = "pass"
	VerdictFail      = "fail"
	VerdictUndecided = "undecided"
)

// What a comparison says of a row or of all: values of the field verdict of compare.
const (
	ComparedEqual    = "equal"
	ComparedWithin   = "~"
	ComparedDiffers  = "differs"
	ComparedUnjudged = "not judged"
)

// What the draws of two rows have to do with each other: values of the field draws.
const (
	DrawsSame    = "same"
	DrawsNested  = "nested"
	DrawsApart   = "apart"
	DrawsTangled = "tangled"
)

// What a judgement rests on: values of the field basis.
const (
	BasisRows  = "rows"
	BasisNodes = "nodes"
	BasisDraws = "draws"
)

// What the column n counts.
const (
	UnitPair       = "pair"
	UnitRow        = "row"
	UnitStack      = "stack"
	UnitWeightDraw = "weight draw"
	UnitComponent  = "component"
	UnitRun        = "run"
)

// The tests of agreement: values of the parameter test.
const (
	TestLargest      = "largest"
	TestDistribution = "distribution"
	TestSquares      = "squares"
	TestJoint        = "joint"
)

// The kinds of interval whose coverage is counted: values of the parameter interval.
const (
	CoveredMean           = "mean, exact error"
	CoveredVariance       = "variance, exact error"
	CoveredVarianceOwn    = "variance, own error"
	CoveredVarianceBlocks = "variance, error from blocks"
	CoveredOwnError       = "own error of the variance"
	CoveredBlocksError    = "error from blocks"
	CoveredSkewness       = "skewness"
	CoveredKurtosis       = "excess kurtosis"
	CoveredUnitExponent   = "unit exponent"
	CoveredSlope          = "slope"
)

// The parts of an attention layer: values of the parameter part. First its steps, then
// steps that are told together, then what is stored.
const (
	PartQueries     = "query projection"
	PartKeys        = "key projection"
	PartValues      = "value projection"
	PartScores      = "scores"
	PartScale       = "scaling"
	PartSoftmax     = "softmax"
	PartBlend       = "blend"
	PartOutput      = "output projection"
	PartProjections = "projections"
	PartProducts    = "scores and blend"
	PartWhole       = "whole layer"
	PartScoreMatrix = "score matrix"
	PartScoreTiles  = "score tiles"
	PartCache       = "keys and values"
	PartWeights     = "weights"
)

// Their values, and what n counts.
const (
	VariantPlain      = "plain"
	VariantCopying    = "copying"
	VariantTwoLayers  = "two-layers"
	VariantNormalised = "qk-norm"
	VariantAdditive   = "additive-scores"
	VariantHalfRoot   = "half-root"
	VariantFixed      = "mup"
	OptimiserDescent  = "sgd"
	OptimiserAdam     = "adam"
	TrainedQueryKey   = "queries-keys"
	TrainedAll        = "all-weights"
	ChosenBest        = "best-rate"
	ChosenShared      = "shared-rate"
	ChosenAny         = "any-rate"
	UnitSeed          = "seed"
)
