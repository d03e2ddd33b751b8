package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/attention/rule"
	"mcsim/sim/attention/weights"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
)

// modelFlags describe a head of a model at initialisation: its shape, or a published
// model's, how its weights are drawn, its scale and its norm.
type modelFlags struct {
	axes            cmdline.Axes
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
	f.axes = cmdline.Axes{}
	for i := range inits.Experiment.Axes {
		a := &inits.Experiment.Axes[i]
		f.axes[a.Name] = cmdline.AddAxis(c, a, a.Doc()+" (default "+a.Probe+")")
	}
	flags.StringVar(&f.model, "model", "", "released `NAME`, listed by mcsim models, whose shape, initialisation, norm, scale and context are taken")
	flags.Var(cmdline.Integer(&f.heads, 1, weights.MostModel), "heads", names.Of(names.GroupParameter, names.ParamHeads).Title+" (default d_model/d_k); without --d-k, d_k is d_model divided by it")
	flags.Var(cmdline.Integer(&f.keyHeads, 1, weights.MostModel), "kv-heads", names.Of(names.GroupParameter, names.ParamKeyHeads).Title+" (default as many as --heads, of which it is a divisor)")
	flags.Var(cmdline.Number(&f.sd, deviation), "init-sd", "standard deviation of normal entries of W_Q and W_K, in place of --init")
	flags.StringVar(&f.scale, "scale", "", cmdline.Scale+", or qk-norm(g) or cosine(s) (default that of --init)")
	cmdline.AddChoice(c, &f.norm, "norm", "`KIND` of norm before W_Q and W_K (default the model's, or "+layerNorm+")", norms)
	cmdline.CompleteWith(c, "model", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return models.Names(), cobra.ShellCompDirectiveNoFileComp // of a table that few commands read
	})
	cmdline.CompleteValues(c, "scale", rule.Scales()...)
}

// deviation reads a standard deviation of entries.
func deviation(text string) (float64, error) {
	sd, err := experiment.Number(text)
	if err == nil && !(sd >= leastSD && sd <= mostSD) {
		err = fmt.Errorf("%s is not in %v..%v", text, leastSD, float64(mostSD))
	}
	return sd, err
}

// modelLists are what the flags take: ways to write a scale, and initialisations with what
// each is. Models have a command of their own.
func modelLists() string {
	var b strings.Builder
	fmt.Fprintln(&b, cmdline.ScalesHelp())
	fmt.Fprintln(&b, "\nInitialisations:")
	for _, name := range weights.Names() {
		show.Paragraph(&b, "  "+name, 24, names.InitialisationOf(name).Title)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// check refuses flags that say the same thing twice: a published model has a shape of its own.
func (f *modelFlags) check(c *cobra.Command) error {
	err := cmdline.RefuseTogether(c, "init-sd", "init")
	for _, of := range []string{"d-model", "d-k", "heads", "kv-heads"} {
		err = cmp.Or(err, cmdline.RefuseTogether(c, "model", of))
	}
	return err
}

// head is the head that the flags describe, and the released model, if it is one's.
func (f *modelFlags) head() (h weights.Head, m models.Model, err error) {
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
	} else {
		m, err = f.released()
	}
	if err != nil {
		return h, m, err
	}
	if f.model != "" && !f.initialised() {
		return f.normed(m.Head(), m)
	}
	m.Evidence = "" // whatever the ledger knows of its own
	if h, err = f.drawn(m.Layer, asked[names.ParamInit].Name); err != nil {
		return h, m, err
	}
	return f.normed(h, m)
}

// normed has tokens behind the norm of the flag, if there is one.
func (f *modelFlags) normed(h weights.Head, m models.Model) (weights.Head, models.Model, error) {
	if f.norm != "" {
		h.Raw, m.RMS = f.norm == noNorm, f.norm == rmsNorm
	}
	return h, m, nil
}

// initialised reports whether the flags say how weights are drawn.
func (f *modelFlags) initialised() bool { return f.sd > 0 || len(f.axes[names.ParamInit].Values) > 0 }

// released is the model of --model, of which the ledger must know what the flags do not say.
func (f *modelFlags) released() (models.Model, error) {
	m, err := models.Lookup(f.model)
	switch {
	case err != nil:
	case m.Model == 0 || m.Key == 0:
		err = fmt.Errorf("the shape of the heads of %s is not in the ledger", m.Name)
	case !m.Drawn() && !f.initialised():
		err = fmt.Errorf("how %s draws W_Q and W_K is not known; say --init or --init-sd", m.Name)
	}
	if err != nil {
		return m, fmt.Errorf("--model: %w", err)
	}
	return m, nil
}

// drawn is the head of a layer whose weights are drawn as the flags say, or as the initialisation
// of that name.
func (f *modelFlags) drawn(l weights.Layer, init string) (weights.Head, error) {
	scheme, _ := weights.Lookup(init) // of the axis
	if f.sd > 0 {
		scheme = weights.Own(f.sd)
	}
	if all := l.Heads * l.Key; scheme.Orthogonal() && all > l.Model {
		return weights.Head{}, fmt.Errorf("--heads: %d columns of %d components cannot be orthogonal: heads times d_k is at most d_model", all, l.Model)
	}
	return scheme.In(l), nil
}

// layer returns the shape that the flags give. With --heads and without --d-k, d_k is d_model over the
// heads. What a plan refuses of a shape is refused here, unless --heads says that it is another one.
func (f *modelFlags) layer(asked map[string]experiment.Value) (l weights.Layer, err error) {
	if width := int(asked[names.ParamModel].Number); f.heads > 0 && len(f.axes[names.ParamDimension].Values) == 0 {
		if width%f.heads != 0 {
			return l, notDivisible(width, f.heads)
		}
		asked[names.ParamDimension], err = f.axes[names.ParamDimension].Axis.Parse(strconv.Itoa(width / f.heads))
		if err != nil {
			return l, fmt.Errorf("--heads: d_k = d_model/heads: %w", err)
		}
	}
	if f.heads == 0 {
		if err := inits.Experiment.Refuse(experiment.NewCell(inits.Experiment, asked), false); err != nil {
			return l, f.axes.NameFlag(err)
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
	if r, err := rule.Parse(f.scale, experiment.Number); err == nil {
		if factor, ok := r.NormalisedFactor(h.Shape.Key); ok {
			h.Normalised, h.Scale = true, factor
			return nil
		}
	}
	r, err := rule.ParseScale(f.scale, experiment.Number)
	if errors.Is(err, rule.ErrScale) {
		err = fmt.Errorf("%w, qk-norm(g), cosine(s)", err) // which only this command takes
	}
	if err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	h.Scale, _ = r.Factor(h.Shape.Key, keys)
	return nil
}
