package sample

import (
	"maps"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// WithGram returns a document in which the rows from a dimension on are the
// Gram estimator's: besides the direct ones at just this dimension, or instead
// of them from it on.
func WithGram(doc *result.Document, from float64, besides bool) *result.Document {
	out := *doc
	out.Estimates = nil
	for _, e := range doc.Estimates {
		d, _ := e.Params.Number(names.ParamDimension)
		both := e.Quantity == names.ScoreVariance || e.Quantity == names.ScoreMean || e.Quantity == names.ScaledVariance || e.Quantity == names.UnitExponent
		gram := both && d >= from && (!besides || d == from)
		if !gram || besides {
			out.Estimates = append(out.Estimates, e)
		}
		if !gram {
			continue
		}
		params := result.Params{names.ParamEstimator: names.EstimatorGram}
		maps.Copy(params, e.Params)
		e.Params, e.Estimator, e.Cell = params, names.EstimatorGram, e.Cell+"/gram"
		if besides {
			shift := 3 * e.SE
			e.Value, e.Lo, e.Hi = e.Value+shift, e.Lo+shift, e.Hi+shift
		}
		out.Estimates = append(out.Estimates, e)
	}
	out.Gates = nil
	return &out
}
