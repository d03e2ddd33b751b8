package names

// The labels of rows, or of a setting by its median row, by the gradient survival R.
const (
	LabelHealthy = "healthy"
	LabelFading  = "fading"
	LabelDying   = "dying"
	LabelDead    = "dead"
)

// labelBounds say which R has the label.
var labelBounds = map[string]string{
	LabelHealthy: "R ≥ 0.5",
	LabelFading:  "0.05 ≤ R < 0.5",
	LabelDying:   "0.001 ≤ R < 0.05",
	LabelDead:    "R < 0.001",
}

const labelSource = "mcsim, sim/experiment/rows"

var labels = []Entry{
	{Name: LabelHealthy, Title: "healthy", Range: labelBounds[LabelHealthy], Source: labelSource,
		Definition: "At least half of the gradient that equal weights would let through survives softmax."},
	{Name: LabelFading, Title: "fading", Range: labelBounds[LabelFading], Source: labelSource,
		Definition: "From a twentieth to half of the gradient that equal weights would let through survives softmax."},
	{Name: LabelDying, Title: "dying", Range: labelBounds[LabelDying], Source: labelSource,
		Definition: "From a thousandth to a twentieth of the gradient that equal weights would let through survives softmax."},
	{Name: LabelDead, Title: "dead", Range: labelBounds[LabelDead], Source: labelSource,
		Definition: "Less than a thousandth of the gradient that equal weights would let through survives softmax."},
}
