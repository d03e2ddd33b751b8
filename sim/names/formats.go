package names

// The formats that numbers are stored in.
const (
	FormatFloat32        = "float32"
	FormatBFloat16       = "bfloat16"
	FormatFloat16        = "float16"
	FormatE4M3Saturating = "e4m3fn-saturating"
	FormatE5M2           = "e5m2"
)

// FormatE4M3 is the format of texts that leave open what lies beyond its greatest number.
const FormatE4M3 = "e4m3fn"

// Where the scale stands.
const (
	PlacementAfter  = "after-product"
	PlacementBefore = "before-product"
	PlacementSplit  = "on-each"
)

// What is computed in the format.
const (
	ArithmeticPractice = "practice"
	ArithmeticWorst    = "worst-case"
)

// A format fails where it overflows more often than MostOverflow, or where the median of the
// total variation is above MostVariation.
const (
	MostOverflow  = 1e-6
	MostVariation = 0.01
)
