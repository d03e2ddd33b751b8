package names

// A number format fails a row if it overflows with a probability above MaxOverflow, or if the
// median of the total variation is above MaxVariation.
const (
	MaxOverflow  = 1e-6
	MaxVariation = 0.01
)
