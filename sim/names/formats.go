package names

// A format fails where it overflows more often than MostOverflow, or where the median of the
// total variation is above MostVariation.
const (
	MostOverflow  = 1e-6
	MostVariation = 0.01
)
