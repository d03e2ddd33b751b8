package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/rule"
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

// check refuses flags that say the same thing twice: a published model has a shape of its own.
func (f *modelFlags) check(c *cobra.Command) error {
	err := flag.Exclusive(c, "init-sd", "init")
	for _, of := range []string{"d-model", "d-k", "heads", "kv-heads"} {
		err = cmp.Or(err, flag.Exclusive(c, "model", of))
	}
	return err
}

// head is the head that the flags describe, and the published model, if it is one's.
func (f *modelFlags) head() (h weights.Head, m weights.Model, err error) {
	asked := map[string]experiment.Value{}
	for name, a := range f.axes {
		if asked[name], err = a.Axis.Parse(a.Axis.Probe); err != nil {
			return h, m, err
		}
		for _, v := range a.Values {
			asked[name] = v
		}
	}
	if f.model == "" {
		m.Layer, err = f.layer(asked)
	} else if m, err = weights.LookupModel(f.model); err != nil {
		err = fmt.Errorf("--model: %w", err)
	}
	if err != nil {
		return h, m, err
	}
	name := asked[names.ParamInit].Name
	if len(f.axes[names.ParamInit].Values) == 0 {
		name = cmp.Or(m.Init, name)
	}
	scheme, _ := weights.Lookup(name) // of the axis, or of a model
	if f.sd > 0 {
		scheme = weights.Own(f.sd)
	}
	if all := m.Heads * m.Key; scheme.Orthogonal() && all > m.Layer.Model {
		return h, m, fmt.Errorf("--heads: %d columns of %d components cannot be orthogonal: heads times d_k is at most d_model", all, m.Layer.Model)
	}
	h = scheme.In(m.Layer)
	if f.norm != "" {
		h.Raw, m.RMS = f.norm == noNorm, f.norm == rmsNorm
	}
	return h, m, nil
}

// layer is that of the flags. What a plan refuses of a shape is refused here, unless --heads
// says that it is another one.
func (f *modelFlags) layer(asked map[string]experiment.Value) (l weights.Layer, err error) {
	if f.heads == 0 {
		if err := inits.Experiment.Refuse(experiment.NewCell(inits.Experiment, asked), false); err != nil {
			return l, f.axes.Blame(err)
		}
	}
	l = weights.Shape{Model: int(asked[names.ParamModel].Number), Key: int(asked[names.ParamDimension].Number)}.Layer()
	l.Heads = cmp.Or(f.heads, l.Heads)
	l.KeyHeads = cmp.Or(f.keyHeads, l.Heads)
	if l.Heads%l.KeyHeads != 0 {
		return l, fmt.Errorf("--kv-heads: %d heads of queries cannot share %d of keys evenly", l.Heads, l.KeyHeads)
	}
	return l, nil
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
