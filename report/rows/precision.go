package rows

import (
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/names/formats"
	"mcsim/sim/result"
)

// Precision names rows and lines of formats of few digits.
func Precision(quantity string) Filter {
	return Filter{Experiment: names.ExperimentPrecision, Quantity: quantity}
}

// PrecisionGrid returns the law and the number of keys that stand for all.
func PrecisionGrid(doc *result.Document) result.Params {
	return ofOneLaw(doc, Precision(names.Quantile(names.TotalVariation, 0.5)), []string{names.ParamKeys}, names.ParamDimension)
}

// MedianVariation names the total variation of the median row in a format.
func MedianVariation(format, placement, arithmetic string) Filter {
	return Precision(names.Quantile(names.TotalVariation, 0.5)).With(names.ParamFormat, format).
		With(names.ParamPlacement, placement).With(names.ParamArithmetic, arithmetic)
}

// saidFormats are those of which a sentence says how far they move the weights.
var saidFormats = []string{formats.Float16, formats.BFloat16, formats.E4M3Saturating}

// AtMostDimension returns the median rows of float16, bfloat16 and e4m3fn at the largest d_k
// that any of them has, of those that the document has there.
func AtMostDimension(doc *result.Document, placement, arithmetic string) (medians []result.Estimate) {
	var all []result.Estimate
	for _, format := range saidFormats {
		all = append(all, Estimates(doc, MedianVariation(format, placement, arithmetic).Within(PrecisionGrid(doc)))...)
	}
	for _, format := range saidFormats {
		f := MedianVariation(format, placement, arithmetic).Within(PrecisionGrid(doc))
		if e, ok := One(doc, f.With(names.ParamDimension, Largest(all, names.ParamDimension))); ok {
			medians = append(medians, e)
		}
	}
	return medians
}

// PercentOfFormats writes the part of the weight that moves in each row, with its format.
func PercentOfFormats(medians []result.Estimate) string {
	var parts []string
	for _, e := range medians {
		format, _ := e.Params.Text(names.ParamFormat)
		format, _, _ = strings.Cut(format, "-") // what lies beyond the greatest number is another matter
		parts = append(parts, Percent(e)+" in "+format)
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}
