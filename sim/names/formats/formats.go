// Package formats has the words of numbers of few digits: the formats, where attention has
// its scale, what it computes in the format, and what is said of a format then. The table
// of package names holds all of them.
package formats

// Line is a word with what it means.
type Line struct{ Name, Title, Definition string }

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

// Values are the words in their order.
var Values = []Line{
	{Float32, "IEEE single precision, 24 digits", "A sign, 8 bits of exponent, and 24 binary digits of which 23 are stored; the greatest number is 3.4·10³⁸, and beyond it lies infinity."},
	{BFloat16, "upper half of single precision, 8 digits", "A sign, 8 bits of exponent, and 8 binary digits of which 7 are stored: float32 without its last 16 bits; the greatest number is 3.4·10³⁸, and beyond it lies infinity."},
	{Float16, "IEEE half precision, 11 digits", "A sign, 5 bits of exponent, and 11 binary digits of which 10 are stored; the greatest number is 65504, and beyond it lies infinity."},
	{E4M3, "8 bits, 4 digits, greatest 448", "A sign, 4 bits of exponent, and 4 binary digits of which 3 are stored, without infinity; the greatest number is 448. What lies beyond it is 448, too, in e4m3fn-saturating, and no number in e4m3fn-nan."},
	{E4M3Saturating, "8 bits, 4 digits, greatest 448, and so beyond it", "A sign, 4 bits of exponent, and 4 binary digits of which 3 are stored; the greatest number is 448, which stands for all beyond it, too."},
	{E4M3NaN, "8 bits, 4 digits, greatest 448, nothing beyond it", "A sign, 4 bits of exponent, and 4 binary digits of which 3 are stored; the greatest number is 448, and what lies beyond becomes no number at all."},
	{E5M2, "8 bits, 3 digits, greatest 57344", "A sign, 5 bits of exponent, and 3 binary digits of which 2 are stored; the greatest number is 57344, and beyond it lies infinity."},
	{After, "the product is scaled", "The score q·k is stored in the format, then multiplied by 1/√d_k and stored again."},
	{Before, "the query is scaled", "The query is multiplied by 1/√d_k and stored in the format before its products with keys."},
	{Split, "query and key are scaled alike", "The query and the key are each multiplied by d_k^(−1/4) and stored in the format before their product."},
	{Practice, "stored in the format, added in float32", "Queries, keys, scaled vectors and scores are stored in the format; products are added in float32, one component after the other, and the scale is a number of float32."},
	{Worst, "stored and added in the format", "Each product, and each sum of a product with those of the components before it, is rounded to the format. So is the scale before anything is multiplied by it: where it is no number of the format, all logits of a row are too large or too small by one factor, as at another temperature. " + ScaleExample + " No matrix unit adds so; it is what the format alone can do."},
	{Fails, "overflows, or moves the weights", "Of a format: more than one score in a million overflows it, by the exact tail, or in the median row more than 1 % of the weight stands at another key."},
	{Holds, "neither overflows nor moves the weights", "Of a format: no more than one score in a million overflows it, by the exact tail, and in the median row no more than 1 % of the weight stands at another key."},
	{Unsettled, "more rows would tell", "Of a format: the interval of the median total variation holds 1 %, or is not known, and no overflow decides."},
}
