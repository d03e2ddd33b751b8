package names

// A format fails where it overflows more often than MostOverflow, or where the median of the
// total variation is above MostVariation.
const (
	MaxOverflow  = 1e-6
	MaxVariation = 0.01
)
