// Package formats has the words of numbers of few digits: the formats, where attention has
// its scale, what it computes in the format, and what is said of a format then. The table
// of package names holds all of them.
package formats

// The formats that numbers are stored in.
const (
	Float32        = "float32"
	BFloat16       = "bfloat16"
	Float16        = "float16"
	E4M3Saturating = "e4m3fn-saturating"
	E4M3NaN        = "e4m3fn-nan"
	E5M2           = "e5m2"
)

// E4M3 is the format of texts that leave open what lies beyond its greatest number.
const E4M3 = "e4m3fn"

// Where the scale stands.
const (
	After  = "after-product"
	Before = "before-product"
	Split  = "on-each"
)

// What is computed in the format.
const (
	Practice = "practice"
	Worst    = "worst-case"
)

// What is said of a format: it fails where it overflows more often than MostOverflow, or
// where the median of the total variation is above MostVariation.
const (
	Fails         = "fails"
	Holds         = "does not fail"
	Unsettled     = "undecided by its interval"
	MostOverflow  = 1e-6
	MostVariation = 0.01
)

// ScaleExample is what rounding a scale does.
const ScaleExample = "d_k^(−1/4) of d_k = 80 is 0.3344, and in e5m2 0.3125: with that on query and key logits are 12.7 % too small."
