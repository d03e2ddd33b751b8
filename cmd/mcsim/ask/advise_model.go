package ask

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

// modelFlags are the flags that describe a head of a model at initialisation: its shape (or the
// name of a released model), its initialisation, its scale and its norm.
type modelFlags struct {
	axes            cmdline.Axes
	model           string  // name of a released model; empty if not given
	heads, keyHeads int     // 0 if not given
	sd              float64 // 0 if not given
	scale, norm     string
}

// Values of --norm.
const layerNorm, rmsNorm, noNorm = "layernorm", "rmsnorm", "none"

var norms = []string{layerNorm, rmsNorm, noNorm}

func (f *modelFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.axes = cmdline.Axes{}
	for i := range inits.Experiment.Axes {
		a := &inits.Experiment.Axes[i]
		f.axes[a.Name] = cmdline.AddAxis(c, a, a.Doc()+" (default "+a.Probe+")")
	}
	getTitle := func(param string) string { return names.EntryOf(names.GroupParameter, param).Title }
	flags.StringVar(&f.model, "model", "",
		"released `NAME` (see mcsim models), which sets shape, initialisation, norm, scale and context")
	flags.Var(cmdline.NewInteger(&f.heads, 1, weights.MaxModel), "heads",
		getTitle(names.ParamHeads)+" (default: d_model/d_k); without --d-k, d_k is d_model divided by it")
	flags.Var(cmdline.NewInteger(&f.keyHeads, 1, weights.MaxModel), "kv-heads",
		getTitle(names.ParamKeyHeads)+", a divisor of --heads (default: as many)")
	flags.Var(cmdline.NewNumber(&f.sd, parseInitSD), "init-sd",
		"standard deviation of normal entries of W_Q and W_K, in place of --init")
	flags.StringVar(&f.scale, "scale", "",
		cmdline.ScaleUsage+", or qk-norm(g) or cosine(s) (default: the scale of --init)")
	cmdline.AddChoice(c, &f.norm, "norm",
		"`KIND` of norm before W_Q and W_K (default: the model's, or "+layerNorm+")", norms)
	cmdline.CompleteWith(c, "model", cmdline.CompleteNames(models.Names))
	cmdline.CompleteValues(c, "scale", rule.ScaleExamples()...)
	cmdline.Exclude(c, "init", "init-sd")
	cmdline.Exclude(c, "model", "d-model", "d-k", "heads", "kv-heads") // a released model has its own shape
}

// parseInitSD parses the standard deviation of the entries of W_Q and W_K.
func parseInitSD(text string) (float64, error) {
	const minSD, maxSD = 1e-6, 100.0
	sd, err := experiment.Number(text)
	if err == nil && !(sd >= minSD && sd <= maxSD) {
		err = fmt.Errorf("%s is not in %v..%v", text, minSD, maxSD)
	}
	return sd, err
}

// modelLists returns the part of the help that lists the notations of a scale and the
// initialisations.
func modelLists() string {
	var b strings.Builder
	fmt.Fprintln(&b, cmdline.ScalesHelp())
	fmt.Fprintln(&b, "\nInitialisations:")
	for _, name := range weights.Names() {
		const indent = 24
		show.Paragraph(&b, "  "+name, indent, names.InitialisationOf(name).Title)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// buildHead returns the head that the flags describe, and the model that has the head. The model is
// the released model that the flags name; if they name none, only the layer of the model is set.
func (f *modelFlags) buildHead() (h weights.Head, m models.Model, err error) {
	values := map[string]experiment.AxisValue{}
	for name, flag := range f.axes {
		values[name], err = flag.Axis.Parse(flag.Axis.Probe)
		if err != nil {
			return h, m, err
		}
		for _, v := range flag.Values {
			values[name] = v
		}
	}
	if f.model == "" {
		m.Layer, err = f.buildLayer(values)
	} else {
		m, err = f.lookUpReleased()
	}
	if err != nil {
		return h, m, err
	}
	if f.model != "" && !f.hasInit() {
		h = m.Head()
	} else {
		m.Evidence = "" // the user replaces the model's initialisation
		h, err = f.initialise(m.Layer, values[names.ParamInit].Name)
	}
	if f.norm != "" {
		h.Raw, m.RMS = f.norm == noNorm, f.norm == rmsNorm // both false: LayerNorm
	}
	return h, m, err
}

// hasInit reports whether --init or --init-sd is given.
func (f *modelFlags) hasInit() bool { return f.sd > 0 || len(f.axes[names.ParamInit].Values) > 0 }

// lookUpReleased returns the model of --model. It fails if neither the ledger nor the flags give
// the initialisation.
func (f *modelFlags) lookUpReleased() (models.Model, error) {
	m, err := models.Lookup(f.model)
	if err != nil {
		return m, fmt.Errorf("--model: %w", err)
	}
	if m.Model == 0 || m.Key == 0 {
		return m, fmt.Errorf("--model: the shape of the heads of %s is not in the ledger", m.Name)
	}
	if !m.HasHead() && !f.hasInit() {
		return m, fmt.Errorf("--model: how %s draws W_Q and W_K is not known; say --init or --init-sd", m.Name)
	}
	return m, nil
}

// initialise returns a head of a layer. The head has the initialisation of --init-sd if this flag
// is given, and otherwise the initialisation with the given name.
func (f *modelFlags) initialise(l weights.Layer, name string) (weights.Head, error) {
	scheme, _ := weights.Lookup(name) // the flag --init has accepted the name, so that this cannot fail
	if f.sd > 0 {
		scheme = weights.NewNormal(f.sd)
	}
	if columns := l.Heads * l.Key; scheme.IsOrthogonal() && columns > l.Model {
		return weights.Head{}, fmt.Errorf("--heads: %d columns of %d components cannot be orthogonal: "+
			"heads × d_k must be at most d_model", columns, l.Model)
	}
	return scheme.HeadInLayer(l), nil
}

// buildLayer returns the layer that the flags describe. With --heads and without --d-k, d_k is
// d_model divided by the number of heads. Without --heads, buildLayer refuses the shapes that a
// plan may not have.
func (f *modelFlags) buildLayer(values map[string]experiment.AxisValue) (l weights.Layer, err error) {
	dimension := f.axes[names.ParamDimension]
	width := int(values[names.ParamModel].Number)
	hasDimension := len(dimension.Values) > 0
	if f.heads > 0 && !hasDimension {
		if width%f.heads != 0 {
			return l, notDivisible(width, f.heads)
		}
		values[names.ParamDimension], err = dimension.Axis.Parse(strconv.Itoa(width / f.heads))
		if err != nil {
			return l, fmt.Errorf("--heads: d_k = d_model/heads: %w", err)
		}
	}
	if f.heads == 0 {
		if err := experiment.NewCell(inits.Experiment, values).Refuse(false); err != nil {
			return l, f.axes.NameFlag(err)
		}
	}
	shape := weights.Shape{Model: width, Key: int(values[names.ParamDimension].Number)}
	l = shape.Layer()
	l.Heads = cmp.Or(f.heads, l.Heads)
	l.KeyHeads = cmp.Or(f.keyHeads, l.Heads)
	return l, checkKeyHeads(l.Heads, l.KeyHeads)
}

// checkKeyHeads returns an error if heads of queries cannot share the heads of keys evenly.
func checkKeyHeads(heads, keyHeads int) error {
	if heads%keyHeads != 0 {
		return fmt.Errorf("--kv-heads: %d heads of queries cannot share %d of keys evenly", heads, keyHeads)
	}
	return nil
}

// setScale gives a head the scale of --scale for rows with the given number of keys. Without the
// flag it does nothing.
func (f *modelFlags) setScale(h *weights.Head, keys int) error {
	if f.scale == "" {
		return nil
	}
	if r, err := rule.Parse(f.scale, experiment.Number); err == nil {
		if factor, isNorm := r.NormalisedFactor(h.Shape.Key); isNorm { // qk-norm(g) or cosine(s)
			h.Normalised, h.Scale = true, factor
			return nil
		}
	}
	r, err := rule.ParseScale(f.scale, experiment.Number)
	if errors.Is(err, rule.ErrScale) {
		// The error ends with a list of rules. Only this command accepts two more.
		return fmt.Errorf("--scale: %w, qk-norm(g), cosine(s)", err)
	}
	if err != nil {
		return fmt.Errorf("--scale: %w", err)
	}
	h.Scale, _ = r.Factor(h.Shape.Key, keys)
	return nil
}
