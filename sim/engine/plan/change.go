package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
)

// Change overrides parts of a plan's text.
type Change struct {
	Tolerance, Alpha, Beta float64 // 0 keeps the value of the plan
	Set                    []Setting
	Selection              []string // experiments to sample; nil keeps the plan's selection
	SelectionSource        string   // the flag that gave Selection, for errors
	MaxCells               int64    // limit on the variants; 0 means DefaultMaxCells
}

// Setting replaces the values of an axis in every entry that has the axis.
type Setting struct {
	Source     string // the flag that gave the setting, for errors
	Experiment string // only entries of this experiment; empty means all
	Axis       string
	Values     []string
}

// wrapError makes an error point at the setting.
func (s *Setting) wrapError(err error) error { return &Error{File: s.Source, Err: err} }

// applyRates replaces the plan's tolerance and error rates.
func (c Change) applyRates(p *Plan) {
	p.Tolerance, p.Alpha, p.Beta = cmp.Or(c.Tolerance, p.Tolerance), cmp.Or(c.Alpha, p.Alpha), cmp.Or(c.Beta, p.Beta)
}

// maxVariants returns the limit on the plan's variants.
func (c Change) maxVariants() float64 { return float64(cmp.Or(c.MaxCells, DefaultMaxCells)) }

// setting returns the setting of an axis of an experiment, or nil. A setting that names the
// experiment takes precedence.
func (c Change) setting(e *experiment.Experiment, axis string) *Setting {
	var found *Setting
	for i := range c.Set {
		s := &c.Set[i]
		if s.Axis == axis && (s.Experiment == e.Name || s.Experiment == "" && found == nil) {
			found = s
		}
	}
	return found
}

// settableAxis returns the named axis if entries of the experiment can give it, else nil.
func settableAxis(e *experiment.Experiment, name string) *experiment.Axis {
	if a := e.Axis(name); a != nil && (e.ReadsFrom == "" || a.Shared) {
		return a
	}
	return nil
}

// validate returns an error for a setting of an axis that no experiment of the plan has, and for a
// repeated setting.
func (c Change) validate(experiments []*experiment.Experiment) error {
	for i, s := range c.Set {
		if slices.ContainsFunc(c.Set[:i],
			func(o Setting) bool { return o.Experiment == s.Experiment && o.Axis == s.Axis }) {
			return s.wrapError(fmt.Errorf("%s is set a second time", s.Axis))
		}
		if err := s.checkKnown(experiments); err != nil {
			return s.wrapError(err)
		}
	}
	return nil
}

// checkKnown returns an error if no experiment of the plan has the setting's experiment or axis.
func (s *Setting) checkKnown(planExperiments []*experiment.Experiment) error {
	var experiments, axes []string
	for _, e := range planExperiments {
		if !slices.Contains(experiments, e.Name) {
			experiments = append(experiments, e.Name)
		}
		if s.Experiment != "" && s.Experiment != e.Name {
			continue
		}
		for _, a := range e.Axes {
			if settableAxis(e, a.Name) != nil && !slices.Contains(axes, a.Name) {
				axes = append(axes, a.Name)
			}
		}
	}
	switch {
	case s.Experiment != "" && !slices.Contains(experiments, s.Experiment):
		return unknownExperiment(s.Experiment, experiments)
	case !slices.Contains(axes, s.Axis):
		return names.UnknownError{Kind: "axis", Name: s.Axis, Names: axes}
	}
	return nil
}

// unknownExperiment returns the error of an experiment that the plan does not have.
func unknownExperiment(name string, planExperiments []string) error {
	switch name {
	case "":
		return fmt.Errorf("the name of an experiment is missing; the plan has %s", strings.Join(planExperiments, ", "))
	case names.ExperimentAgreement, names.ExperimentCost:
		return fmt.Errorf("%s is part of every document and cannot be selected; the plan has %s", name,
			strings.Join(planExperiments, ", "))
	}
	if _, err := all.Lookup(name); err == nil {
		return fmt.Errorf("the plan has no experiment %s; it has %s", name, strings.Join(planExperiments, ", "))
	}
	return names.UnknownError{Kind: "experiment", Name: name, Names: planExperiments}
}

// applySettings applies the settings to an entry.
func (c Change) applySettings(e *Entry) error {
	for i := range e.Experiment.Axes {
		a := settableAxis(e.Experiment, e.Experiment.Axes[i].Name)
		if a == nil {
			continue
		}
		s := c.setting(e.Experiment, a.Name)
		if s == nil {
			continue
		}
		e.Values[a.Name] = nil
		for _, text := range s.Values {
			values, err := a.ParseAll(text)
			if err != nil {
				return s.wrapError(fmt.Errorf("%s: %w", e.Experiment.Name, err))
			}
			for _, v := range values {
				if slices.Contains(e.Values[a.Name], v) {
					return s.wrapError(fmt.Errorf("%v stands here a second time", v))
				}
				e.Values[a.Name] = append(e.Values[a.Name], v)
			}
		}
	}
	return nil
}

// settingSources returns the sources of the settings of an experiment's axes, for errors.
func (c Change) settingSources(e *experiment.Experiment) string {
	var sources []string
	for i := range c.Set {
		if s := &c.Set[i]; settableAxis(e, s.Axis) != nil && c.setting(e, s.Axis) == s {
			sources = append(sources, s.Source)
		}
	}
	return strings.Join(sources, " ")
}
