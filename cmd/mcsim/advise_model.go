package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/rule"
	"mcsim/sim/schedule"
	"mcsim/sim/weights"
)

// modelFlags describe a head of a model at initialisation: its shape, or a published
// model's, how its weights are drawn, its scale and its norm.
type modelFlags struct {
	axes            flag.Axes
	model           string
	heads, keyHeads int     // 0: not said
	sd              float64 // 0: not said
	scale, norm     string
}

// What --norm says of tokens.
const layerNorm, rmsNorm, noNorm = "layernorm", "rmsnorm", "none"

// norms are all of these.
var norms = []string{layerNorm, rmsNorm, noNorm}

// Standard deviations of entries that can be asked for: beyond them nothing is meant.
const leastSD, mostSD = 1e-6, 100

// add makes the flags.
func (f *modelFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.axes = flag.Axes{}
	for i := range inits.Experiment.Axes {
		a := &inits.Experiment.Axes[i]
		f.axes[a.Name] = flag.AddAxis(c, a, a.Doc()+" (default "+a.Probe+")")
	}
	flags.StringVar(&f.model, "model", "", "published `NAME`, listed above, whose shape, initialisation and context are taken")
	flags.Var(flag.Whole(&f.heads, 1, weights.MostModel), "heads", names.Of(names.GroupParameter, names.ParamHeads).Title+" (default d_model/d_k)")
	flags.Var(flag.Whole(&f.keyHeads, 1, weights.MostModel), "kv-heads", names.Of(names.GroupParameter, names.ParamKeyHeads).Title+" (default as many as --heads, of which it is a divisor)")
	flags.Var(flag.Number(&f.sd, deviation), "init-sd", "standard deviation of normal entries of W_Q and W_K, in place of --init")
	flags.StringVar(&f.scale, "scale", "", flag.Scale+" (default that of --init)")
	flag.Choice(c, &f.norm, "norm", "`KIND` of norm that tokens are behind (default the model's, or "+layerNorm+")", norms)
	flag.Offer(c, "model", weights.ModelNames()...)
	flag.Offer(c, "scale", rule.Scales()...)
}

// deviation reads a standard deviation of entries.
func deviation(text string) (float64, error) {
	sd, err := experiment.Number(text)
	if err == nil && !(sd >= leastSD && sd <= mostSD) {
		err = fmt.Errorf("%s is not in %v..%v", text, leastSD, float64(mostSD))
	}
	return sd, err
}

// modelLists are what the flags take: models, ways to write a scale, and initialisations with
// what each is.
func modelLists() string {
	var b strings.Builder
	show.Paragraph(&b, "Models:", 8, strings.Join(weights.ModelNames(), ", ")+".")
	fmt.Fprintln(&b, scales())
	fmt.Fprintln(&b, "\nInitialisations:")
	for _, name := range weights.Names() {
		show.Paragraph(&b, "  "+name, 24, names.InitialisationOf(name).Title)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// head is the head that the flags describe, and the published model, if it is one's.
func (f *modelFlags) head() (h weights.Head, m weights.Model, err error) {
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
	if f.norm != "" {
		h.Raw, m.RMS = f.norm == noNorm, f.norm == rmsNorm
	}
	return h, m, nil
}

// apart refuses flags that say the same thing twice.
func (f *modelFlags) apart() error {
	given := func(axis string) bool { return len(f.axes[axis].Values) > 0 }
	switch {
	case f.model != "" && (given(names.ParamModel) || given(names.ParamDimension) || f.heads > 0 || f.keyHeads > 0):
		return errors.New("--model has a shape of its own; it goes with none of --d-model, --d-k, --heads and --kv-heads")
	case f.sd > 0 && given(names.ParamInit):
		return errors.New("--init-sd and --init exclude each other")
	}
	return nil
}

// layer is the published model's, or that of the flags; asked are the values of the axes.
func (f *modelFlags) layer(m weights.Model) (l weights.Layer, asked map[string][]experiment.Value, err error) {
	asked = map[string][]experiment.Value{}
	for name, a := range f.axes {
		if asked[name] = a.Values; len(a.Values) > 0 {
			continue
		}
		if asked[name], err = a.Axis.ParseAll(a.Axis.Probe); err != nil {
			return l, nil, err
		}
	}
	if m.Name != "" {
		return m.Layer, asked, nil
	}
	size := func(name string) int { return int(asked[name][0].Number) }
	l = weights.Shape{Model: size(names.ParamModel), Key: size(names.ParamDimension)}.Layer()
	if f.heads == 0 {
		if err := f.refused(asked); err != nil {
			return l, nil, err
		}
	}
	l.Heads = cmp.Or(f.heads, l.Heads)
	l.KeyHeads = cmp.Or(f.keyHeads, l.Heads)
	if l.Heads%l.KeyHeads != 0 {
		return l, nil, fmt.Errorf("--kv-heads: %d heads of queries cannot share %d of keys evenly", l.Heads, l.KeyHeads)
	}
	return l, asked, nil
}

// refused is what a plan refuses of such a shape.
func (f *modelFlags) refused(asked map[string][]experiment.Value) error {
	_, err := schedule.New(&plan.Plan{Name: "model", Tolerance: plan.DefaultTolerance, Alpha: plan.DefaultRate, Beta: plan.DefaultRate,
		Entries: []plan.Entry{{Experiment: inits.Experiment, Tolerance: 0.01, Samples: 1, Values: asked}}})
	return f.axes.Blame(err)
}

// scheme is the one of the flags, or the published model's.
func (f *modelFlags) scheme(m weights.Model, asked map[string][]experiment.Value) (*weights.Scheme, error) {
	if f.sd > 0 {
		return weights.Own(f.sd), nil
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

// rescale gives the head the scale of the flag, if there is one, in rows of so many keys.
func (f *modelFlags) rescale(h *weights.Head, keys int) error {
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
