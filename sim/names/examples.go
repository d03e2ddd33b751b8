package names

// Steps of worked examples that code names, of which each has a matrix.
const (
	StepQueries = "queries"
	StepKeys    = "keys"
	StepValues  = "values"
	StepScores  = "scores"
	StepLogits  = "logits"
	StepSum     = "sum"
	StepWeights = "weights"
	StepBlend   = "blend"
)

// The sources whose numbers are recomputed. Pages cite them by these names.
const (
	SourceSeries = "series-5of9"
	SourceNotes  = "notes-pytorch"
)
