package names

// A number format is not suitable for an attention row if a score overflows with a probability
// above MaxOverflow, or if the median of the total variation between the exact and the rounded
// weights is above MaxVariation.
const (
	MaxOverflow  = 1e-6
	MaxVariation = 0.01
)
