package plan

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/statistics/gate"
)

// readEntry reads one experiment with its grid. Its tolerance and rates default to the plan's.
func (r *planReader) readEntry(p *Plan, n ast.Node, path string) (Entry, error) {
	e := Entry{Tolerance: p.Tolerance, Gated: true, Values: map[string][]experiment.AxisValue{}}
	x, err := r.readExperiment(n, path)
	if err != nil {
		return e, err
	}
	e.Experiment = x
	entryRates := gate.Rates{Alpha: p.Alpha, Beta: p.Beta}
	r.positions = map[axisValue]position{}
	seen, err := r.ReadMapping(n, path, r.entryFields(&e, &entryRates))
	if err != nil {
		return e, err
	}
	if seen["alpha"] != nil || seen["beta"] != nil {
		e.Rates = &entryRates
	}
	if seen["samples"] != nil && seen["rel_se"] != nil {
		err := errors.New("samples and rel_se exclude each other")
		return e, r.NewError(seen["rel_se"], markup.JoinPath(path, "rel_se"), err)
	}
	if err := r.change.applySettings(&e); err != nil {
		return e, err
	}
	if err := e.fillDefaults(); err != nil {
		return e, r.NewError(n, path, err)
	}
	return e, nil
}

// entryFields returns the keys of an entry. An experiment that samples nothing refuses the keys
// that say how to sample.
func (r *planReader) entryFields(e *Entry, entryRates *gate.Rates) []markup.Field {
	x := e.Experiment
	nameSchema := func() map[string]any { return map[string]any{"const": x.Name} }
	headline := ""
	if x.Sampler != nil {
		headline = x.Sampler.Headline
	}
	fields := []markup.Field{
		{Key: "experiment", Read: ignoreNode, Schema: nameSchema}, // readExperiment has read it
		r.numberField("tolerance", "of the gates of this entry, in place of the plan's tolerance", &e.Tolerance,
			experiment.Tolerances),
		r.numberField("alpha", "for the gates of this entry only, in place of their part of the plan's alpha",
			&entryRates.Alpha, experiment.Rates),
		r.numberField("beta", "for the gates of this entry only, in place of the plan's beta",
			&entryRates.Beta, experiment.Rates),
		{Key: "gate", Doc: "false: measure, but do not judge", Read: r.readBoolean(&e.Gated), Schema: booleanSchema},
		integerField(r, "samples",
			"number of units of each cell, in place of the number that the rates require; rounded up to whole blocks",
			&e.Samples, 1, MaxSamples),
		r.numberField("rel_se", "relative standard error of "+headline+" to reach, in place of samples", &e.RelativeSE,
			experiment.RelativeErrors),
	}
	for i := range x.Axes {
		fields = append(fields, r.axisField(x, &x.Axes[i], e.Values))
	}
	if x.ReadsFrom == "" {
		return fields
	}
	refuse := func(n ast.Node, path string) error {
		return r.NewError(n, path,
			fmt.Errorf("has no meaning here: %s samples nothing, it reads every cell of %s", x.Name, x.ReadsFrom))
	}
	for i := range fields {
		f := &fields[i]
		a := x.Axis(f.Key)
		isSampledAxis := a != nil && !a.Shared
		if f.Key == "samples" || f.Key == "rel_se" || isSampledAxis {
			f.Schema, f.Read = nil, refuse
		}
	}
	return fields
}

func ignoreNode(ast.Node, string) error { return nil }

// readExperiment returns the experiment of the entry, which determines the other keys of the entry.
func (r *planReader) readExperiment(n ast.Node, path string) (*experiment.Experiment, error) {
	pairs, err := r.Pairs(n, path)
	if err != nil {
		return nil, err
	}
	for _, pair := range pairs {
		if pair.Key.GetToken().Value != "experiment" {
			continue
		}
		path := markup.JoinPath(path, "experiment")
		var e *experiment.Experiment
		err := readWith(r, &e, all.Lookup)(pair.Value, path)
		return e, err
	}
	return nil, r.NewError(n, path, errors.New("lacks the key experiment"))
}

// axisField returns the key of an axis, whose value is one value or a list.
func (r *planReader) axisField(x *experiment.Experiment, a *experiment.Axis,
	values map[string][]experiment.AxisValue) markup.Field {
	read := func(n ast.Node, path string) error {
		return r.ReadOneOrList(n, path, markup.MaxSize,
			func(n ast.Node, path string) error { return r.readAxisValue(a, n, path, values) })
	}
	return markup.Field{Key: a.Name, Read: read,
		Schema: func() map[string]any { return axisSchema(a, x.CartesianScalings) }}
}

// readAxisValue reads one value of an axis, or a range.
func (r *planReader) readAxisValue(a *experiment.Axis, n ast.Node, path string,
	valuesByAxis map[string][]experiment.AxisValue) error {
	return r.ScalarReader(func(text string) error {
		values, err := a.ParseAll(text)
		if err != nil {
			return err
		}
		for _, v := range values {
			if first, ok := r.positions[axisValue{a.Name, v}]; ok {
				return fmt.Errorf("%v stands here a second time, first in %s", v, first.path)
			}
			r.positions[axisValue{a.Name, v}] = position{n, path}
			valuesByAxis[a.Name] = append(valuesByAxis[a.Name], v)
		}
		return nil
	})(n, path)
}
