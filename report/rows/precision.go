package rows

import (
	"mcsim/sim/names"
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
