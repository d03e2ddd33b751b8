package names

// Answers to a parameter that is a question.
const (
	Yes = "yes"
	No  = "no"
)

// Values of the parameter estimator, and what stands in that column for counts.
const (
	EstimatorDirect = "direct"
	EstimatorGram   = "gram"
	EstimatorCount  = "count"
)

// Values of the parameters temperature, scale, limit, per and edge.
const (
	TemperatureInfinite = "infinite"
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

// What the column n counts.
const (
	UnitPair       = "pair"
	UnitRow        = "row"
	UnitStack      = "stack"
	UnitWeightDraw = "weight draw"
	UnitComponent  = "component"
	UnitRun        = "run"
)

// Gates that other experiments count by their names.
const (
	GateZeroMean        = "zero mean"
	GateUnitVariance    = "unit variance"
	GateNotUnitVariance = "not unit variance"
	GateStandardError   = "standard error"
	GateCoverage        = "coverage"
)
