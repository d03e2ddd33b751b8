package names

import "fmt"

// The labels of rows, or of a setting by its median row, by the gradient survival R.
const (
	LabelHealthy = "healthy"
	LabelFading  = "fading"
	LabelDying   = "dying"
	LabelDead    = "dead"
)

// The two ways in which a setting departs from healthy: its rows are saturated, which is
// fading, dying or dead, or they are too soft.
const (
	LabelSaturated = "saturated"
	LabelTooSoft   = "too soft"
)

// TooSoftBelow is how many times the weight 1/n of equal weights the greatest weight of n
// keys is, on average, where rows begin to be too soft: within a quarter.
const TooSoftBelow = 1 + 1.0/4

// The labels of an initialisation, beside too soft: by its rows, or in tables by the
// standard deviation σ of its logits.
const (
	LabelSafe    = "safe"
	LabelFreezes = "freezes"
)

// SafeFrom and FreezesFrom are the standard deviations of independent normal logits
// between which a row of SafeKeys keys is neither too soft nor saturated, to three digits:
// at about the first the largest weight is 1.25 times that of equal weights on average, at
// about the second the median row keeps half of the gradient that equal weights let through
// (sim/theory, bounds_test).
const (
	SafeKeys    = 8
	SafeFrom    = 0.163
	FreezesFrom = 3.26
)

// labelSource is where rows get their labels.
const labelSource = "mcsim, sim/experiment/rows"

// labels go from the most that survives to the least, then name the two departures.
var labels = []Entry{
	label(LabelHealthy, "R ≥ 0.5", "at least half"),
	label(LabelFading, "0.05 ≤ R < 0.5", "from a twentieth to half"),
	label(LabelDying, "0.001 ≤ R < 0.05", "from a thousandth to a twentieth"),
	label(LabelDead, "R < 0.001", "less than a thousandth"),
	{Group: GroupLabel, Name: LabelSaturated, Title: "less than half of the gradient survives softmax", Range: "R < 0.5", Source: labelSource,
		Definition: "The median row lets less than half of the gradient through that equal weights would: it is fading, dying or dead."},
	{Group: GroupLabel, Name: LabelTooSoft, Title: "softmax hardly tells one key from another", Range: fmt.Sprintf("n·E max α < %v; of an initialisation in tables σ < %g", TooSoftBelow, SafeFrom), Source: settingSource,
		Definition: fmt.Sprintf("The greatest weight of n keys is, on average, within a quarter of 1/n, which it is at equal weights: softmax hardly tells one key from another. The tables call an initialisation too soft where rows of %d keys are, with normal logits: where their standard deviation is below about %g. Advice calls it so where the rows that were asked for are.", SafeKeys, SafeFrom)},
	// Of initialisations, from small logits to large ones, behind too soft.
	{Group: GroupLabel, Name: LabelSafe, Title: "neither too soft nor saturated before training", Range: fmt.Sprintf("R ≥ 0.5 and n·E max α ≥ %v; in tables %g ≤ σ < %g", TooSoftBelow, SafeFrom, FreezesFrom), Source: initSource,
		Definition: fmt.Sprintf("Rows are neither too soft nor saturated. Advice looks at the rows that were asked for. The tables look at rows of %d keys with normal logits, which are safe where the standard deviation of these is from about %g to about %g; longer rows are at these bounds, too.", SafeKeys, SafeFrom, FreezesFrom)},
	{Group: GroupLabel, Name: LabelFreezes, Title: "saturated before training", Range: fmt.Sprintf("R < 0.5; in tables σ ≥ %g", FreezesFrom), Source: initSource,
		Definition: fmt.Sprintf("The median row lets less than half of the gradient through that equal weights would. Advice looks at the rows that were asked for. The tables look at rows of %d keys with normal logits, which freeze where the standard deviation of these is about %g or more.", SafeKeys, FreezesFrom)},
}

// initSource is where initialisations get their labels by their rows.
const initSource = "mcsim, sim/advice/verdict.go"

// settingSource is where settings get the label of one of the two departures.
const settingSource = "mcsim, report/plot/grade.go"

// label is the entry of the rows whose R lies within bounds: what survives of the gradient
// is such a share.
func label(name, bounds, share string) Entry {
	text := share + " of the gradient that equal weights would let through survives softmax"
	return Entry{Group: GroupLabel, Name: name, Title: text, Range: bounds, Source: labelSource, Definition: sentence(text)}
}
