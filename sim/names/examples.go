package names

// Steps of worked examples that code names, of which each has a matrix.
const (
	StepQueries  = "queries"
	StepKeys     = "keys"
	StepValues   = "values"
	StepScores   = "scores"
	StepLogits   = "logits"
	StepUnscaled = "unscaled_weights"
	StepWeights  = "weights"
	StepBlend    = "output"
)
