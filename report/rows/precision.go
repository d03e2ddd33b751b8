package rows

import (
	"math"
	"slices"
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

// FormatVerdict is what is said of the format of a row of the median total variation, by its
// interval and the tail of the score; what the document lacks of them settles nothing.
func FormatVerdict(doc *result.Document, median result.Estimate) string {
	overflow, lo, hi := math.NaN(), math.NaN(), math.NaN()
	if tail, ok := One(doc, Precision(names.Overflow).Within(median.Params)); ok {
		overflow = float64(tail.Theory)
	}
	if median.Level.Present() {
		lo, hi = float64(median.Lo), float64(median.Hi)
	}
	return formats.Verdict(overflow, lo, hi)
}

// Span is some d_k of those that were drawn, each next to the other, at which the same is
// said of a format.
type Span struct {
	Verdict  string
	From, To float64
}

// FormatSpans says over d_k what is said of a format, in ascending order, and at which d_k
// the document has it.
func FormatSpans(doc *result.Document, format, placement, arithmetic string) (spans []Span, dims []float64) {
	f := MedianVariation(format, placement, arithmetic).Within(PrecisionGrid(doc))
	dims = Numbers(Estimates(doc, f), names.ParamDimension)
	for _, d := range dims {
		e, _ := One(doc, f.With(names.ParamDimension, d))
		verdict := FormatVerdict(doc, e)
		if n := len(spans); n > 0 && spans[n-1].Verdict == verdict {
			spans[n-1].To = d
			continue
		}
		spans = append(spans, Span{verdict, d, d})
	}
	return spans, dims
}

// TooFewDigits reports whether a format fails by its digits at a d_k: the median is above
// its limit, though no more than one score in a million overflows.
func TooFewDigits(doc *result.Document, format, placement, arithmetic string) bool {
	f := MedianVariation(format, placement, arithmetic).Within(PrecisionGrid(doc))
	return slices.ContainsFunc(Estimates(doc, f), func(e result.Estimate) bool {
		tail, ok := One(doc, Precision(names.Overflow).Within(e.Params))
		return ok && tail.Theory <= formats.MostOverflow && e.Level.Present() && e.Lo > formats.MostVariation
	})
}

// ScaleEnds returns the median rows of e4m3fn with the scale after the product and on the
// query, at the largest power of 4 that the document has for both: there the scale itself
// is exact.
func ScaleEnds(doc *result.Document) (after, before result.Estimate, ok bool) {
	at := func(placement string) Filter {
		return MedianVariation(formats.E4M3Saturating, placement, formats.Practice).Within(PrecisionGrid(doc))
	}
	for _, d := range slices.Backward(Numbers(Estimates(doc, at(formats.After)), names.ParamDimension)) {
		if fraction, exponent := math.Frexp(d); fraction != 0.5 || exponent%2 == 0 {
			continue
		}
		after, _ = One(doc, at(formats.After).With(names.ParamDimension, d))
		if before, ok = One(doc, at(formats.Before).With(names.ParamDimension, d)); ok {
			return after, before, true
		}
	}
	return after, before, false
}
