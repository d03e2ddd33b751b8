package plot

import (
	"reflect"
	"slices"

	"mcsim/report/theme"
	"mcsim/sim/names"
)

// StyleOf returns the style of the i-th series of a figure. A scale that is a power of
// d_k has the same style on all figures, and no other series has its colour.
func StyleOf(keys []Key, i int) theme.SeriesStyle {
	if !slices.ContainsFunc(keys, Key.isPower) {
		return theme.NewSeriesStyle(i)
	}
	s, ok := keys[i].exponentStyle()
	if !ok {
		before := slices.DeleteFunc(slices.Clone(keys[:i]), Key.isPower)
		return theme.NonExponentStyle(len(before))
	}
	for _, k := range keys[:i] {
		if other, ok := k.exponentStyle(); ok && reflect.DeepEqual(other, s) {
			return s.WithOtherMarker(len(keys) + i) // two that are nearly equal
		}
	}
	return s
}

// isPower reports whether a series has one power of d_k from 0 to 1 as its scale.
func (k Key) isPower() bool { _, ok := k.exponentStyle(); return ok }

// exponentStyle returns the style of the power of d_k that is the scale of a series.
func (k Key) exponentStyle() (theme.SeriesStyle, bool) {
	switch {
	case k.By == names.ParamExponent:
		if p, ok := k.Value.(float64); ok {
			return theme.ExponentStyle(p)
		}
	case k.By == names.ParamScale && k.Value == names.ScaleUnscaled:
		return theme.ExponentStyle(0)
	case k.By == names.ParamScale && k.Value == names.ScaleRoot:
		return theme.ExponentStyle(0.5)
	}
	return theme.SeriesStyle{}, false
}
