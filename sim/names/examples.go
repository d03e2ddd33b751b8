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
	SourceBlog   = "blog-root-dimension"
	SourceMatrix = "lesson-matrix"
)

// examples are in the order of a document.
var examples = []Entry{
	{Name: ExampleThreeTokens, Title: "attention of three tokens", Formula: "softmax(QKᵀ/√d_k)V",
		Definition: "Attention of three tokens with four components, step by step. Queries and keys are chosen so that the logits are those that a source prints, which has no queries and keys."},
	{Name: ExampleOneRow, Title: "softmax of one row", Formula: "α_j = e^(s_j)/Σe^(s_l)",
		Definition: "Softmax of the first row of the three tokens: exponentials, their sum, and what each is of it."},
	{Name: ExampleScaledTwice, Title: "logits divided by √d_k twice", Formula: "softmax(QKᵀ/d_k)",
		Definition: "The weights of the three tokens if their scores are divided by √d_k a second time."},
	{Name: ExamplePrintedWeights, Title: "blend by printed weights",
		Definition: "What the printed weights of the first token make of the values, as if they were right."},
	{Name: ExampleOneHot, Title: "all weight on one key",
		Definition: "The blend of a row of which one key has all the weight: it is the value of that key."},
	{Name: ExampleUniform, Title: "equal weights",
		Definition: "The blend of a row whose logits are equal: the mean of all values."},
	{Name: ExampleGradient, Title: "Jacobian of one row", Formula: "J = diag(α) − ααᵀ",
		Definition: "The Jacobian of the weights of the first token, and the sums of its rows."},
	{Name: ExampleTenfold, Title: "Jacobian of a row of ten times the logits", Formula: "J = diag(α) − ααᵀ",
		Definition: "The same with all logits of the row multiplied by ten, so that one key has nearly all the weight."},
	{Name: ExampleShifted, Title: "five added to all logits of a row",
		Definition: "The weights of the first token after five is added to each of its logits."},
	{Name: ExampleCommonMean, Title: "one vector added to all keys",
		Definition: "The three tokens with one and the same vector added to every key, so that the keys have another mean."},
	{Name: ExampleCausal, Title: "three tokens under a causal mask",
		Definition: "The three tokens where each sees itself and those before it alone."},
	{Name: ExampleHead1, Title: "first of two heads",
		Definition: "The first of two heads that share the components of the three tokens: it has the first half of them, and divides by the root of its own number."},
	{Name: ExampleHead2, Title: "second of two heads",
		Definition: "The second of the two heads, with the other half of the components."},
	{Name: ExampleScaleOutside, Title: "gradient where scores are divided", Formula: "s = q·k/√d_k",
		Definition: "The gradient of the first component of the first token's blend where scores are divided by √d_k, and what a step against it makes of the logits."},
	{Name: ExampleScaleInside, Title: "gradient where queries are divided", Formula: "s = (q/√d_k)·k",
		Definition: "The same where the queries themselves are smaller by √d_k and scores are not divided, as if W_Q had taken in the scale."},
	{Name: ExampleUnits, Title: "softmax of 2, 1 and 1", Definition: "A row of a source, and its weights."},
	{Name: ExampleTens, Title: "softmax of 20, 10 and 10", Definition: "A row of a source, and its weights."},
	{Name: ExampleHundreds, Title: "softmax of 200, 100 and 100", Definition: "A row of a source, and its weights."},
	{Name: ExampleHundredsScaled, Title: "softmax of 200, 100 and 100, divided by √512", Definition: "A row of a source after its scale, and its weights."},
	{Name: ExampleClose, Title: "softmax of 20, 22, 18 and 21", Definition: "A row of a source, and its weights."},
	{Name: ExampleCloseScaled, Title: "softmax of 20, 22, 18 and 21, divided by √512", Definition: "A row of a source after its scale, and its weights."},
	{Name: ExampleSpread, Title: "softmax of −15, 8, 22 and −3", Definition: "A row of a source, and its weights."},
	{Name: ExampleSpreadScaled, Title: "softmax of −15, 8, 22 and −3, divided by √512", Definition: "A row of a source after its scale, and its weights."},
	{Name: ExampleEightKeys, Title: "softmax of eight logits", Definition: "A row of a source with eight keys: its weights, the largest of them, and their entropy."},
}

// steps are in the order in which examples take them.
var steps = []Entry{
	{Name: StepQueries, Title: "what each token asks with", Formula: "Q", Definition: "A row for each token that asks, a column for each component."},
	{Name: StepKeys, Title: "what each token is found by", Formula: "K", Definition: "A row for each token that is asked, a column for each component."},
	{Name: StepValues, Title: "what each token passes on", Formula: "V", Definition: "A row for each token that is asked, a column for each component of what it passes on."},
	{Name: StepScores, Title: "products of queries with keys", Formula: "QKᵀ", Definition: "The product of each query with each key: a row for each query, a column for each key."},
	{Name: StepLogits, Title: "scores after their scale", Formula: "QKᵀ/√d_k", Definition: "The scores after their scale, which softmax is given."},
	{Name: StepExponentials, Title: "e to the power of each logit", Formula: "e^s", Definition: "The exponential of each logit."},
	{Name: StepSum, Title: "all exponentials of a row added up", Formula: "Σe^s", Definition: "The sum of the exponentials of a row."},
	{Name: StepWeights, Title: "what softmax makes of the logits", Formula: "softmax(s)", Definition: "The part of each key in the sum of the exponentials of its row."},
	{Name: StepBlend, Title: "weighted averages of the values", Formula: "αV", Definition: "The values averaged by the weights of each row."},
	{Name: StepMeasures, Title: "how sharp the weights are", Definition: "How sharp each row of weights is, by quantities of the table of results."},
	{Name: StepLargest, Title: "entropy of equal weights", Formula: "ln n", Definition: "The entropy of equal weights, which no row of as many keys exceeds."},
	{Name: StepJacobian, Title: "derivative of the weights by the logits", Formula: "J = diag(α) − ααᵀ", Definition: "The derivative of each weight of a row by each of its logits."},
	{Name: StepRowSums, Title: "sums of the rows of the Jacobian", Formula: "Σ_j J_(ij)", Definition: "What the entries of each row of the Jacobian add up to, which is 0 but for rounding."},
	{Name: StepLogitGradient, Title: "gradient by the logits", Formula: "∂L/∂s", Definition: "The derivative of a loss by each logit of a row."},
	{Name: StepQueryGradient, Title: "gradient by the query", Formula: "∂L/∂q", Definition: "The derivative of a loss by each component of a query."},
	{Name: StepDescent, Title: "change of the logits by a step against the gradient", Formula: "−(∂L/∂q)·k_j/√d_k", Definition: "What a change of the query by minus its gradient makes of each logit."},
	{Name: StepSigned, Title: "change of the logits by a step of fixed size", Formula: "−sign(∂L/∂q)·k_j/√d_k", Definition: "What a change of each component of the query by one, against the sign of its gradient, makes of each logit: the direction of the first step of Adam."},
}

// printed are what a number of a source can be, and the sources.
var printed = []Entry{
	{Name: PrintedRight, Title: "right to its digits", Definition: "Rounded to as many digits, the number that the inputs give is the printed one."},
	{Name: PrintedNear, Title: "within the rounding of the inputs", Definition: "Not the number that the printed inputs give, but one that they give somewhere within what they were rounded from."},
	{Name: PrintedWrong, Title: "not what the inputs give", Definition: "No inputs that round to the printed ones give a number that rounds to the printed one."},
	{Name: SourceSeries, Title: "Transformer Series (5/9)", Definition: "A text of a series on transformers: the fifth of nine, on the scale of scores and the step from weights to values."},
	{Name: SourceWidget, Title: "Why divide by √d_k, a lesson with a slider", Definition: "A lesson with a row of eight keys whose scale the reader can change."},
	{Name: SourceNotes, Title: "Why Scale by √d_k?, notes with a demonstration", Definition: "Notes with two rows of four scores and a demonstration in PyTorch."},
	{Name: SourceBlog, Title: "Why do we normalize by the root of the dimension in attention?, a post", Definition: "A post of a blog, of 23 November 2025, that derives the scale."},
	{Name: SourceMatrix, Title: "Scaled Dot-Product Attention, a lesson in matrices", Definition: "A lesson on attention of a whole text at once, and on what it costs."},
}
