// Package model has the flags that describe a head of a model at initialisation: its
// shape, or a published model's, how its weights are drawn, its scale and its norms.
package model

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/screen"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/rule"
	"mcsim/sim/schedule"
	"mcsim/sim/weights"
)

// Flags are what the user says of a model.
type Flags struct {
	axes            flag.Axes
	model           string
	heads, keyHeads flag.Number
	sd              flag.Number
	scale, norm     string
	normalised      bool
}

// What --norm says of tokens.
const layerNorm, noNorm = "layernorm", "none"

// Standard deviations of entries that can be asked for: beyond them nothing is meant.
const leastSD, mostSD = 1e-6, 100

// Add makes the flags.
func Add(flags *pflag.FlagSet) *Flags {
	f := &Flags{axes: flag.Axes{}}
	for i := range inits.Experiment.Axes {
		a := &inits.Experiment.Axes[i]
		f.axes[a.Name] = &flag.Axis{Axis: a}
		flags.Var(f.axes[a.Name], a.Flag(), a.Doc()+" (default "+a.Probe+")")
	}
	flags.StringVar(&f.model, "model", "", "published `NAME`, listed above, whose shape and initialisation are taken")
	flags.Var(&f.heads, "heads", "heads of queries (default d_model/d_k)")
	flags.Var(&f.keyHeads, "kv-heads", "heads of keys and values, a divisor of --heads (default as many)")
	flags.Var(&f.sd, "init-sd", "standard deviation of normal entries of W_Q and W_K, in place of --init")
	flags.StringVar(&f.scale, "scale", "", "`RULE` by which q·k is scaled, written as above (default that of --init)")
	flags.StringVar(&f.norm, "norm", layerNorm, "`KIND` of norm that tokens are behind: "+layerNorm+" or "+noNorm)
	flags.BoolVar(&f.normalised, names.InitQKNorm, false, "divide every query and key by its root mean square, head by head")
	flag.Offer(flags, "model", weights.ModelNames()...)
	flag.Offer(flags, "scale", rule.Scales()...)
	flag.Offer(flags, "norm", layerNorm, noNorm)
	return f
}

// Lists are what the flags take: models, ways to write a scale, and initialisations with
// what each is.
func Lists() string {
	var b strings.Builder
	screen.Paragraph(&b, "Models:", 8, strings.Join(weights.ModelNames(), ", ")+".")
	screen.Paragraph(&b, "Scales:", 8, rule.Scaling()+".")
	fmt.Fprintln(&b, "\nInitialisations:")
	for _, name := range weights.Names() {
		screen.Paragraph(&b, "  "+name, 24, names.InitialisationOf(name).Title)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Head is the head that the flags describe, in rows of so many keys, and the published
// model, if it is one's.
func (f *Flags) Head(keys int) (h weights.Head, m weights.Model, err error) {
	if err := f.apart(); err != nil {
		return h, m, err
	}
	if f.model != "" {
		if m, err = weights.LookupModel(f.model); err != nil {
			return h, m, fmt.Errorf("--model: %w", err)
		}
	}
	layer, asked, err := f.layer(m)
	if err != nil {
		return h, m, err
	}
	scheme, err := f.scheme(m, asked)
	if err != nil {
		return h, m, err
	}
	if all := layer.Heads * layer.Key; scheme.Orthogonal() && all > layer.Model {
		return h, m, fmt.Errorf("--heads: %d columns of %d components cannot be orthogonal: heads times d_k is at most d_model", all, layer.Model)
	}
	h = scheme.In(layer)
	h.Normalised = h.Normalised || f.normalised
	switch f.norm {
	case layerNorm:
	case noNorm:
		h.Raw = true
	default:
		return h, m, fmt.Errorf("--norm: %q is neither %s nor %s", f.norm, layerNorm, noNorm)
	}
	return h, m, f.rescale(&h, keys)
}

// apart refuses flags that say the same thing twice.
func (f *Flags) apart() error {
	given := func(axis string) bool { return len(f.axes[axis].Values) > 0 }
	switch {
	case f.model != "" && (given(names.ParamModel) || given(names.ParamDimension) || f.heads.Given() || f.keyHeads.Given()):
		return errors.New("--model has a shape of its own; it goes with none of --d-model, --d-k, --heads and --kv-heads")
	case f.sd.Given() && given(names.ParamInit):
		return errors.New("--init-sd and --init exclude each other")
	}
	return nil
}

// layer is the published model's, or that of the flags; asked are the values of the axes.
func (f *Flags) layer(m weights.Model) (l weights.Layer, asked map[string][]experiment.Value, err error) {
	asked = map[string][]experiment.Value{}
	for name, a := range f.axes {
		if asked[name], err = a.Or(a.Axis.Probe); err != nil {
			return l, nil, err
		}
	}
	if m.Name != "" {
		return m.Layer, asked, nil
	}
	size := func(name string) int { return int(asked[name][0].Number) }
	l = weights.Shape{Model: size(names.ParamModel), Key: size(names.ParamDimension)}.Layer()
	if !f.heads.Given() {
		if err := f.refused(asked); err != nil {
			return l, nil, err
		}
	}
	if err := flag.Whole(&f.heads, "heads", 1, weights.MostModel, &l.Heads); err != nil {
		return l, nil, err
	}
	l.KeyHeads = l.Heads
	if err := flag.Whole(&f.keyHeads, "kv-heads", 1, weights.MostModel, &l.KeyHeads); err != nil {
		return l, nil, err
	}
	if l.Heads%l.KeyHeads != 0 {
		return l, nil, fmt.Errorf("--kv-heads: %d heads of queries cannot share %d of keys evenly", l.Heads, l.KeyHeads)
	}
	return l, asked, nil
}

// refused is what a plan refuses of such a shape.
func (f *Flags) refused(asked map[string][]experiment.Value) error {
	_, err := schedule.New(&plan.Plan{Name: "model", Tolerance: plan.DefaultTolerance, Alpha: plan.DefaultRate, Beta: plan.DefaultRate,
		Entries: []plan.Entry{{Experiment: inits.Experiment, Tolerance: 0.01, Samples: 1, Values: asked}}})
	return f.axes.Blame(err)
}

// scheme is the one of the flags, or the published model's.
func (f *Flags) scheme(m weights.Model, asked map[string][]experiment.Value) (*weights.Scheme, error) {
	if f.sd.Given() {
		if sd := f.sd.Value; !(sd >= leastSD && sd <= mostSD) {
			return nil, fmt.Errorf("--init-sd: %s is not in %v..%v", f.sd.Text, leastSD, float64(mostSD))
		}
		return weights.Own(f.sd.Value), nil
	}
	name := asked[names.ParamInit][0].Name
	if len(f.axes[names.ParamInit].Values) == 0 {
		name = cmp.Or(m.Init, name)
	}
	scheme, ok := weights.Lookup(name)
	if !ok {
		return nil, names.UnknownError{Kind: names.ParamInit, Name: name, Names: weights.Names()}
	}
	return scheme, nil
}

// rescale gives the head the scale of the flag, if there is one.
func (f *Flags) rescale(h *weights.Head, keys int) error {
	if f.scale == "" {
		return nil
	}
	r, err := rule.ParseScale(f.scale, experiment.Number)
	if err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	h.Scale, _ = r.Factor(h.Shape.Key, keys)
	return nil
}
