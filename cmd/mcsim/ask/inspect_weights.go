package ask

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/samples"
	"mcsim/sim/model/statedict"
	"mcsim/sim/names"
)

// weightFlags are the flags that describe weights in a state dict.
type weightFlags struct {
	statedict.Options
}

// Numbers of tokens that are drawn for queries and for keys: the default and the limits of --keys.
const defaultTokens, minTokens, maxTokens = 128, 16, 1 << 14

func (f *weightFlags) add(c *cobra.Command) {
	flags := c.Flags()
	const nameNote = "; {} is the number of the layer"
	flags.StringVar(&f.Query, "wq", "", "`NAME` of the array of W_Q, or of an array that contains it"+nameNote)
	flags.StringVar(&f.Key, "wk", "", "`NAME` of the array of W_K"+nameNote)
	const maxDimension = 1 << 16
	title := names.EntryOf(names.GroupParameter, names.ParamDimension).Title
	flags.Var(cmdline.NewInteger(&f.Dimension, 1, maxDimension), "d-k", title+", for weights (default: found)")
	cmdline.AddChoice(c, &f.Layout, "layout",
		"`HOW` W_Q and W_K are arranged in their arrays (default: by name and model)", statedict.Layouts)
	cmdline.AddChoice(c, &f.Order, "order", "`ORDER` of W: out-in, as in PyTorch's nn.Linear, or in-out, as in x @ W "+
		"(default: by name and shapes, else out-in)", statedict.Orders)
	flags.StringVar(&f.Tower, "tower", "", "`NAME` of the tower to judge, such as visual or text_model "+
		"(default: the one with most weights of queries)")
	flags.StringVar(&f.X, "x", "", "`NAME` of an array of activations that enter W_Q and W_K"+nameNote+
		" (default: drawn tokens)")
	cmdline.AddChoice(c, &f.Norm, "norm", "`KIND` of norm before W_Q and W_K (default: the model's)", norms)
	f.Tokens = defaultTokens
	flags.Var(cmdline.NewInteger(&f.Tokens, 2, samples.MaxLogSumKeys), "keys",
		fmt.Sprintf("keys of a row: drawn for weights, %d..%d (default %d), or of the last row of log-sum-exps",
			minTokens,
			maxTokens, defaultTokens))
}

// isAnySet reports whether a flag is given that requests weights. The command then ignores samples
// in the files.
func (f *weightFlags) isAnySet() bool {
	return f.Query != "" || f.Key != "" || f.Layout != "" || f.X != "" || f.Order != "" || f.Tower != ""
}

// inspectWeights measures the heads of a state dict.
func (f *inspectFlags) inspectWeights(
	c *cobra.Command, files *tensor.Files, paths []string,
) (*inspection.Report, error) {
	o := f.weights.Options
	if c.Flags().Changed("keys") && (o.Tokens < minTokens || o.Tokens > maxTokens) {
		return nil, fmt.Errorf("--keys: %d is not in %d..%d, for weights", o.Tokens, minTokens, maxTokens)
	}
	o.Heads, o.KeyHeads, o.Path, o.Seed = f.heads, f.keyHeads, paths[0], 1
	m, err := statedict.Open(files, o)
	if err != nil {
		return nil, err
	}
	if f.options.Paired || f.options.Causal {
		return nil, errors.New("--paired and --causal are for samples; here are weights, whose tokens have no order")
	}
	if f.options.Format != nil {
		return nil, errors.New("--format is for samples; here are weights: save q and k of the running model")
	}
	if err := f.refuseDoubts(m); err != nil {
		return nil, err
	}
	if f.scale != "" {
		m.Caveats = slices.DeleteFunc(m.Caveats, func(s string) bool { return s == modelconfig.AssumedScale })
	}
	for _, l := range m.Layers {
		factor, err := f.parseFactor(l.Dimension, o.Tokens)
		if err != nil {
			return nil, err
		}
		l.Scale = cmp.Or(factor, l.Scale)
	}
	bar := show.NewCounter(f.progress, m.CountHeadTexts())
	heads, err := m.Measure(c.Context(), f.options, func() { bar.Add(1) })
	bar.End()
	if err != nil {
		return nil, err
	}
	s := m.Summarise(heads, f.options)
	if f.scale != "" {
		s.Subject = append(s.Subject, "The scale is set by --scale: "+f.scale+".")
	}
	return &inspection.Report{QueryName: "W_Q", KeyName: "W_K", Summary: s}, nil
}

// refuseDoubts returns an error if the flags request a verdict, but the model or its config changes
// q·k in a way that mcsim does not understand. If only the scale is in doubt, the user can give
// --scale.
func (f *inspectFlags) refuseDoubts(m *statedict.Model) error {
	flags := f.givenGates()
	doubts, remedy := m.Doubts, ""
	if len(doubts) == 0 && f.scale == "" {
		doubts, remedy = m.Scales, ": say --scale"
	}
	if len(flags) == 0 || len(doubts) == 0 {
		return nil
	}
	const maxShown = 2
	return fmt.Errorf("%s: %s%s", strings.Join(flags, " and "), names.List(doubts, "; ", maxShown), remedy)
}
