package names

import "fmt"

// The formats that numbers are stored in: values of the parameter format.
const (
	FormatFloat32        = "float32"
	FormatBFloat16       = "bfloat16"
	FormatFloat16        = "float16"
	FormatE4M3Saturating = "e4m3fn-saturating"
	FormatE4M3NaN        = "e4m3fn-nan"
	FormatE5M2           = "e5m2"
)

// Where the scale stands: values of the parameter placement.
const (
	PlacementAfter  = "after-product"
	PlacementBefore = "before-product"
	PlacementSplit  = "on-each"
)

// What is computed in the format: values of the parameter arithmetic.
const (
	ArithmeticPractice = "practice"
	ArithmeticWorst    = "worst-case"
)

// Quantities of what a format makes of scores and weights.
const (
	TotalVariation = "total_variation"
	Overflow       = "overflow"
	Headroom       = "headroom"
)

// The labels of a format: it fails where it overflows more often than MostOverflow, or
// where the median of the total variation is above MostVariation.
const (
	LabelFails     = "fails"
	LabelHolds     = "holds"
	LabelUnsettled = "not settled"
	MostOverflow   = 1e-6
	MostVariation  = 0.01
)

// FormatLabel is the label of a format whose scores overflow with the chance overflow, and
// whose median total variation lies between lo and hi. An interval on both sides of
// MostVariation does not settle it.
func FormatLabel(overflow, lo, hi float64) string {
	switch {
	case overflow > MostOverflow || lo > MostVariation:
		return LabelFails
	case hi <= MostVariation:
		return LabelHolds
	}
	return LabelUnsettled
}

// formatSource and precisionSource are where formats and what they make of rows are from.
const (
	formatSource    = "mcsim, sim/precision/format.go"
	precisionSource = "mcsim, sim/experiment/precision"
)

// precisions are the quantities of rows that are computed in a format.
var precisions = []Entry{
	ofRow("How far the weights of a row in a format are from those in float64 of the same query and keys, unrounded: the part of the weight that stands at another key. It is 1 where a row has no weights, because a score is no finite number.", meanOverRows, Entry{
		Name: TotalVariation, Title: "total variation of the weights", Unit: pure, Range: fraction, Formula: "½ Σ |α in the format − α|", Source: precisionSource}),
	{Name: Overflow, Title: "chance that a score overflows its format", Unit: pure, Range: fraction, Formula: "P(|c·q·k| rounds beyond the greatest number)", Source: precisionSource,
		Definition: "The share of scores that, on the way through the format, lie so far out that they round beyond its greatest number. It is counted of the first key of each row. Beside it stands the exact tail of the score of unrounded components, where the score is stored; what rounding changes of it is small where the format is fine."},
	{Name: Headroom, Lines: true, Title: "factor by which scores may grow before they overflow", Unit: pure, Range: notNegative, Formula: "least overflow/limit of c·q·k with P(|c·q·k| > limit) = 10⁻⁶", Source: "mcsim, sim/experiment/precision/tails.go",
		Definition: "How many times as large as those of components of variance 1 the scores that are stored may be before more than one in a million overflows the format, by their exact tail. Below 1 they do so at once. It stands in lines of theory only."},
}

// formatLabels are the labels of formats.
var formatLabels = []Entry{
	{Name: LabelFails, Title: "overflows, or moves the weights", Range: fmt.Sprintf("P(overflow) > %g, or median total variation > %g", MostOverflow, MostVariation), Source: formatLabelSource,
		Definition: "More than one score in a million overflows the format, by the exact tail, or in the median row more than 1 % of the weight stands at another key."},
	{Name: LabelHolds, Title: "neither overflows nor moves the weights", Range: fmt.Sprintf("P(overflow) ≤ %g, and median total variation ≤ %g", MostOverflow, MostVariation), Source: formatLabelSource,
		Definition: "No more than one score in a million overflows the format, by the exact tail, and in the median row no more than 1 % of the weight stands at another key."},
	{Name: LabelUnsettled, Title: "more rows would tell", Range: fmt.Sprintf("an interval on both sides of %g", MostVariation), Source: formatLabelSource,
		Definition: "The interval of the median total variation holds 1 %, and no overflow decides."},
}

// formatLabelSource is where formats get their labels.
const formatLabelSource = "mcsim, sim/names/precision.go"

// precisionValues are the values of the parameters of the experiment precision.
var precisionValues = []Entry{
	{Name: FormatFloat32, Title: "IEEE single precision, 24 digits", Source: formatSource, Definition: "A sign, 8 bits of exponent, and 24 binary digits of which 23 are stored; the greatest number is 3.4·10³⁸, and beyond it lies infinity."},
	{Name: FormatBFloat16, Title: "upper half of single precision, 8 digits", Source: formatSource, Definition: "A sign, 8 bits of exponent, and 8 binary digits of which 7 are stored: float32 without its last 16 bits; the greatest number is 3.4·10³⁸, and beyond it lies infinity."},
	{Name: FormatFloat16, Title: "IEEE half precision, 11 digits", Source: formatSource, Definition: "A sign, 5 bits of exponent, and 11 binary digits of which 10 are stored; the greatest number is 65504, and beyond it lies infinity."},
	{Name: FormatE4M3Saturating, Title: "8 bits, 4 digits, greatest 448, and so beyond it", Source: formatSource, Definition: "A sign, 4 bits of exponent, and 4 binary digits of which 3 are stored; the greatest number is 448, which stands for all beyond it, too."},
	{Name: FormatE4M3NaN, Title: "8 bits, 4 digits, greatest 448, nothing beyond it", Source: formatSource, Definition: "A sign, 4 bits of exponent, and 4 binary digits of which 3 are stored; the greatest number is 448, and what lies beyond becomes NaN, which is no number."},
	{Name: FormatE5M2, Title: "8 bits, 3 digits, greatest 57344", Source: formatSource, Definition: "A sign, 5 bits of exponent, and 3 binary digits of which 2 are stored; the greatest number is 57344, and beyond it lies infinity."},
	{Name: PlacementAfter, Title: "the product is scaled", Definition: "The score q·k is stored in the format, then multiplied by 1/√d_k and stored again."},
	{Name: PlacementBefore, Title: "the query is scaled", Definition: "The query is multiplied by 1/√d_k and stored in the format before its products with keys."},
	{Name: PlacementSplit, Title: "query and key are scaled alike", Definition: "The query and the key are each multiplied by d_k^(−1/4) and stored in the format before their product."},
	{Name: ArithmeticPractice, Title: "stored in the format, added in float32", Definition: "Queries, keys, scaled vectors and scores are stored in the format; products are added in float32, one component after the other, and the scale is a number of float32."},
	{Name: ArithmeticWorst, Title: "stored and added in the format", Definition: "Each product, and each sum of a product with those of the components before it, is rounded to the format, and so is the scale. No matrix unit adds so; it is what the format alone can do."},
}
