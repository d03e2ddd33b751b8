package names

import "fmt"

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
	MaxWeightAbove90Percent = MaxWeight + aboveMiddle + "90" + percentEnd
	MaxWeightAbove99Percent = MaxWeight + aboveMiddle + "99" + percentEnd
	KeysAbove1Percent       = keysStart + aboveMiddle + "1" + percentEnd
	KeysAbove5Percent       = keysStart + aboveMiddle + "5" + percentEnd
)

// ofRow defines a quantity of a row, and how rows are summed up.
func ofRow(row, over string, e Entry) Entry {
	e.row, e.Definition = row, row+" "+over
	return e
}

// How rows are summed up.
const (
	meanOverRows = "The value is its mean over rows."
	rootOverRows = "The value is the root of the mean of its square over rows; quantiles are those of the norm itself."
)

// rowComputation is where the numbers of a row are made.
const rowComputation = "mcsim, sim/attention/row.go"

// weights are the quantities of a row's weights.
var weights = []Entry{
	ofRow("The greatest of the weights that a query gives to its keys.", meanOverRows+" In depth it is the mean over the rows of a layer and over stacks.", Entry{
		Name: MaxWeight, Title: "greatest weight", Unit: pure, Range: fraction, Formula: "max α", Source: rowComputation, stack: "the greatest weight of a row, as a mean over its rows."}),
	ofRow("How evenly a query shares its weight among its keys: 0 if one key has all, ln n if all n have the same.", meanOverRows, Entry{
		Name: Entropy, Title: "entropy of the weights", Unit: "nat", Range: "0..ln n", Formula: "−Σ α ln α", Source: rowComputation}),
	ofRow("The entropy of the weights over ln n, its greatest value: 0 if one key has all the weight, 1 if all have the same.", meanOverRows, Entry{
		Name: EntropyRatio, Title: "entropy of the weights over its greatest value", Unit: pure, Range: fraction, Formula: "−Σ α ln α/ln n", Source: rowComputation}),
	ofRow("The sum of the squared weights: the chance that two keys which are drawn by the weights are the same one.", meanOverRows, Entry{
		Name: Collision, Title: "sum of squared weights", Unit: pure, Range: fraction, Formula: "Σα²", Source: rowComputation}),
	ofRow("The number of keys that, with equal weights, would have the same sum of squared weights. It is not the exponential of the entropy.", meanOverRows, Entry{
		Name: EffectiveKeys, Title: "effective number of keys", Unit: "key", Range: "1..n", Formula: "1/Σα²", Source: rowComputation}),
	ofRow("The weight that a query gives to the key of the given rank among its keys: rank 1 has the greatest score.", meanOverRows, Entry{
		Name: RankedWeight, Title: "weight of the key of a rank", Unit: pure, Range: fraction, Formula: "α of the key of a rank", Source: "mcsim, sim/experiment/softmax/weigh.go"}),
	{Name: PartialScore, Lines: true, Title: "sum of the first products of a score", Unit: pure, Range: anyNumber, Formula: "Σ q_i·k_i over the first components", Source: "mcsim, sim/experiment/softmax/walks.go",
		Definition: "What the score of one key has become after so many components: the sum of the products of the first components of query and key. It stands in lines through what was drawn only."},
	{Name: AlignedWeight, Title: "weight of the aligned key", Unit: pure, Range: fraction, Formula: "E α₁", Source: alignedTheory,
		Definition: "The weight that softmax gives to the aligned key, the first of its row, as a mean over rows."},
	{Name: AlignedFirstShare, Title: "share of rows in which the aligned key is first", Unit: pure, Range: fraction, Formula: "P(s₁ > s_i for all i > 1)", Source: alignedTheory,
		Definition: "The share of rows in which the aligned key has a greater score than every other key. No scale changes it."},
	{Name: FreezingSigma, Lines: true, Title: "standard deviation at which softmax freezes", Unit: pure, Range: notNegative, Formula: "√(2 ln n)", Source: "B. Derrida, Random-energy model: an exactly solvable model of disordered systems (1981)",
		Definition: "The standard deviation of independent normal logits at which, in the limit of many keys, a few keys begin to take all the weight. It stands in lines of theory only."},
}

// gradients are those of their derivatives.
var gradients = []Entry{
	ofRow("What softmax lets through of a gradient, called R: the trace of its Jacobian over what that is at equal weights. 1 means that nothing is lost, 0 that one key has all the weight and nothing passes.",
		meanOverRows+" In depth it is the mean over the rows of a layer and over stacks.", Entry{
			Name: GradientSurvival, Title: "gradient survival R", Unit: pure, Range: fraction, Formula: "R = (1 − Σα²)/(1 − 1/n) = tr J/tr J at equal weights", Source: rowComputation, stack: "R of a row, as a mean over its rows."}),
	ofRow("The Frobenius norm of the Jacobian of softmax, the root of the sum of its squared entries. It can be greater than at equal weights.", rootOverRows, Entry{
		Name: JacobianNorm, Title: "norm of the Jacobian", Unit: pure, Range: "0..1/√2", Formula: "√E‖J‖_F², ‖J‖_F² = Σα² − 2Σα³ + (Σα²)²", Source: rowComputation}),
	ofRow("The part of the Jacobian's trace that belongs to the keys beside the one of the greatest weight.", meanOverRows, Entry{
		Name: OffPeakTrace, Title: "trace of the Jacobian off the greatest weight", Unit: pure, Range: fraction, Formula: "Σ α(1 − α) over all keys but that of max α", Source: rowComputation}),
	ofRow("The Frobenius norm of the derivative of the weights by the components of all keys, with the scale c that the row names.", rootOverRows, Entry{
		Name: KeyGradient, Title: "norm of the weights' gradient by the keys", Unit: pure, Range: notNegative, Formula: "√E‖∂α/∂K‖_F², ‖∂α/∂K‖_F = c·|q|·‖J‖_F", Source: "mcsim, sim/theory/softmax_shared.go"}),
	ofRow("The Frobenius norm of the derivative of the weights by the components of the query, with the scale c that the row names.", rootOverRows, Entry{
		Name: QueryGradient, Title: "norm of the weights' gradient by the query", Unit: pure, Range: notNegative, Formula: "√E‖∂α/∂q‖_F², ∂α/∂q = c·J·K", Source: "mcsim, sim/theory/softmax_shared.go"}),
}

// shares are the shares of rows and counts of keys that are reported.
var shares = []Entry{
	labelShare(labels[0]), labelShare(labels[1]), labelShare(labels[2]), labelShare(labels[3]),
	maxWeightAbove(90), maxWeightAbove(99), keysAbove(1), keysAbove(5),
}

// labelShare is the entry of the share of rows of a label.
func labelShare(of Entry) Entry {
	return Entry{Name: LabelShare(of.Name), Title: "share of " + of.Name + " rows", Unit: pure, Range: fraction, Formula: "P(" + of.Range + ")", Source: labelSource,
		Definition: "The share of rows that are " + of.Name + ", by their gradient survival: " + of.Range + "."}
}

// maxWeightAbove is the entry of the share of rows whose greatest weight is above a level.
func maxWeightAbove(percent int) Entry {
	return Entry{Name: MaxWeightAbove(percent), Title: fmt.Sprintf("share of rows with a weight above %d %%", percent), Unit: pure, Range: fraction,
		Formula: fmt.Sprintf("P(max α > %v)", float64(percent)/100), Source: rowComputation,
		Definition: fmt.Sprintf("The share of rows in which one key has more than %d %% of the weight.", percent)}
}

// keysAbove is the entry of the number of keys whose weight is above a level.
func keysAbove(percent int) Entry {
	return Entry{Name: KeysAbove(percent), Title: fmt.Sprintf("keys of a weight above %d %%", percent), Unit: "key", Range: "0..n",
		Formula: fmt.Sprintf("E #{α > %v}", float64(percent)/100), Source: rowComputation,
		Definition: fmt.Sprintf("The number of keys of a row that have more than %d %% of the weight, as a mean over rows.", percent)}
}
