package names

// The labels of rows, or of a setting by its median row, by the gradient survival R.
const (
	LabelHealthy = "healthy"
	LabelFading  = "fading"
	LabelDying   = "dying"
	LabelDead    = "dead"
)

// labelSource is where rows get their labels.
const labelSource = "mcsim, sim/experiment/rows"

// labels go from the most that survives to the least.
var labels = []Entry{
	label(LabelHealthy, "R ≥ 0.5", "At least half"),
	label(LabelFading, "0.05 ≤ R < 0.5", "From a twentieth to half"),
	label(LabelDying, "0.001 ≤ R < 0.05", "From a thousandth to a twentieth"),
	label(LabelDead, "R < 0.001", "Less than a thousandth"),
}

// label is the entry of the rows whose R lies within bounds: what survives of the gradient
// is such a share.
func label(name, bounds, share string) Entry {
	return Entry{Name: name, Title: name, Range: bounds, Source: labelSource,
		Definition: share + " of the gradient that equal weights would let through survives softmax."}
}
