package plot

import (
	"slices"

	"mcsim/report/theme"
	"mcsim/sim/names"
)

// SeriesStyle returns the style of the i-th series of a figure. A series whose scale is a power of
// d_k has the same style in all figures. Other series do not have the colours of powers.
func SeriesStyle(ids []SeriesID, i int) theme.SeriesStyle {
	if !slices.ContainsFunc(ids, SeriesID.isPower) {
		return theme.NewSeriesStyle(i)
	}
	if s, ok := ids[i].exponentStyle(); ok {
		return s
	}
	previous := slices.DeleteFunc(slices.Clone(ids[:i]), SeriesID.isPower)
	return theme.NonExponentStyle(len(previous))
}

// isPower reports whether the scale of a series is a power of d_k with an exponent from 0 to 1.
func (id SeriesID) isPower() bool { _, ok := id.exponentStyle(); return ok }

// exponentStyle returns the style of a series whose scale is a power of d_k; ok is false for
// others.
func (id SeriesID) exponentStyle() (_ theme.SeriesStyle, ok bool) {
	switch {
	case id.Param == names.ParamExponent:
		if p, ok := id.Value.(float64); ok {
			return theme.ExponentStyle(p)
		}
	case id.Param == names.ParamScale && id.Value == names.ScaleUnscaled:
		return theme.ExponentStyle(0)
	case id.Param == names.ParamScale && id.Value == names.ScaleRoot:
		return theme.ExponentStyle(0.5)
	}
	return theme.SeriesStyle{}, false
}
