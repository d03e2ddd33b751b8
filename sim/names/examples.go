package names

// Worked examples of a document: the ids of examples.
const (
	ExampleThreeTokens    = "three-tokens"
	ExampleOneRow         = "one-row"
	ExampleScaledTwice    = "scaled-twice"
	ExamplePrintedWeights = "printed-weights"
	ExampleOneHot         = "one-hot"
	ExampleUniform        = "uniform"
	ExampleGradient       = "gradient"
	ExampleTenfold        = "gradient-of-tenfold-scores"
	ExampleShifted        = "shifted"
	ExampleCommonMean     = "common-mean"
	ExampleCausal         = "causal"
	ExampleHead1          = "head-1"
	ExampleHead2          = "head-2"
	ExampleScaleOutside   = "scale-outside"
	ExampleScaleInside    = "scale-inside"

	ExampleUnits          = "units"
	ExampleTens           = "tens"
	ExampleHundreds       = "hundreds"
	ExampleHundredsScaled = "hundreds-scaled"
	ExampleClose          = "close-scores"
	ExampleCloseScaled    = "close-scores-scaled"
	ExampleSpread         = "spread-scores"
	ExampleSpreadScaled   = "spread-scores-scaled"
	ExampleEightKeys      = "eight-keys"
)

// The steps of worked examples, of which each has a matrix.
const (
	StepQueries       = "queries"
	StepKeys          = "keys"
	StepValues        = "values"
	StepScores        = "scores"
	StepLogits        = "logits"
	StepExponentials  = "exponentials"
	StepSum           = "sum"
	StepWeights       = "weights"
	StepBlend         = "blend"
	StepMeasures      = "measures"
	StepLargest       = "largest_entropy"
	StepJacobian      = "jacobian"
	StepRowSums       = "row_sums"
	StepLogitGradient = "logit_gradient"
	StepQueryGradient = "query_gradient"
	StepDescent       = "logit_change_by_gradient"
	StepSigned        = "logit_change_by_sign"
)

// What a number that a source prints is beside the number that its inputs give.
const (
	PrintedRight = "right"
	PrintedNear  = "within rounding"
	PrintedWrong = "wrong"
)

// The sources whose numbers are recomputed. Pages cite them by these names.
const (
	SourceSeries = "series-5of9"
	SourceWidget = "lesson-widget"
	SourceNotes  = "notes-pytorch"
)
