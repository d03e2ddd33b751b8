package plan

import (
	"fmt"
	"maps"
	"slices"

	"mcsim/sim/experiment"
)

// subtractEarlier returns entries for the cells of e that no earlier entry samples. Settings can
// make entries overlap; without settings it returns e itself. It fails if e has scalings of a
// common cell that the earlier entry does not have.
func (c Change) subtractEarlier(e Entry, before []Entry) ([]Entry, error) {
	parts := []Entry{e}
	changed := slices.ContainsFunc(e.Experiment.Axes, func(a experiment.Axis) bool {
		return !a.Shared && c.setting(e.Experiment, a.Name) != nil
	})
	if !changed || e.Experiment.ReadsFrom != "" {
		return parts, nil
	}
	for _, earlier := range before {
		var rest []Entry
		for _, part := range parts {
			outside, inside := part.subtract(earlier)
			if inside && part.hasScalingsBeyond(earlier) {
				return nil, fmt.Errorf("after %s it samples cells that an earlier entry samples under other scalings; "+
					"give both entries the same scalings, for example with --set %s.AXIS=VALUES, or edit the plan",
					c.settingSources(e.Experiment), e.Experiment.Name)
			}
			rest = append(rest, outside...)
		}
		parts = rest
	}
	return parts, nil
}

// subtract returns entries that together sample the cells of e that earlier does not sample. There
// is one entry for each axis on which e has values that earlier lacks: these values, combined with
// the common values of the axes before it and all values of the axes after it. inside reports
// whether earlier samples some cells of e.
func (e Entry) subtract(earlier Entry) (outside []Entry, inside bool) {
	if e.Experiment != earlier.Experiment {
		return []Entry{e}, false
	}
	rest := e
	for _, a := range e.Experiment.Axes {
		if a.Shared {
			continue
		}
		var common, missing []experiment.AxisValue
		for _, v := range e.Values[a.Name] {
			if slices.Contains(earlier.Values[a.Name], v) {
				common = append(common, v)
			} else {
				missing = append(missing, v)
			}
		}
		if len(common) == 0 {
			return []Entry{e}, false
		}
		if len(missing) > 0 {
			outside = append(outside, rest.withValues(a.Name, missing))
		}
		rest = rest.withValues(a.Name, common)
	}
	return outside, true
}

// withValues returns a copy of the entry with other values of an axis.
func (e Entry) withValues(axis string, values []experiment.AxisValue) Entry {
	e.Values = maps.Clone(e.Values)
	e.Values[axis] = values
	return e
}

// hasScalingsBeyond reports whether e has scalings that earlier does not have.
func (e Entry) hasScalingsBeyond(earlier Entry) bool {
	for axis, values := range e.shared() {
		if slices.ContainsFunc(values,
			func(v experiment.AxisValue) bool { return !slices.Contains(earlier.Values[axis], v) }) {
			return true
		}
	}
	return false
}
