package names

// Answers to a parameter that is a question.
const (
	Yes = "yes"
	No  = "no"
)

// TermGram is a word of texts.
const TermGram = "Gram estimator"

// Values of the parameter estimator, and what stands in that column for counts
// and for points of theory.
const (
	EstimatorDirect = "direct"
	EstimatorGram   = "gram"
	EstimatorCount  = "count"
	EstimatorTheory = "theory"
)

// Values of the parameters temperature, scale and edge.
const (
	TemperatureInfinite = "infinite"
	ScaleRoot           = "sqrt(d_k)"
	ScaleUnscaled       = "unscaled"
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

// What a comparison says of a row or of all: values of the field verdict of compare.
const (
	ComparedEqual    = "equal"
	ComparedWithin   = "~"
	ComparedDiffers  = "differs"
	ComparedUnjudged = "not judged"
)

// What the column n counts.
const (
	UnitPair       = "pair"
	UnitRow        = "row"
	UnitWeightDraw = "weight draw"
	UnitStack      = "stack"
	UnitComponent  = "component"
	UnitRun        = "run"
)

// TestJoint is one of the tests of agreement: values of the parameter test.
const TestJoint = "joint"

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
	UnitSeed          = "seed"
)
