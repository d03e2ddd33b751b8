package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/headmap"
	"mcsim/cmd/mcsim/junit"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/rule"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/replace"
	"mcsim/sim/base/tensor"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/samples"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

type inspectFlags struct {
	arrays          samples.Names
	heads, keyHeads int
	scale           string
	options         inspect.Options
	gate            inspect.Gate
	band            flag.Band
	plan            float64
	weights         weightFlags

	json, csv, rows bool
	junit, picture  string
}

func inspectCommand() *cobra.Command {
	var f inspectFlags
	c := &cobra.Command{
		Use:   "inspect FILE...",
		Short: "judge your own queries and keys, or the weights of a model",
		Long: `Say how large q·k is in your own model, what softmax does with it, and, with
--check or --gate, whether that is within a tolerance.

FILE holds samples or weights. Samples are arrays of queries and keys, [rows,
d_k], with heads or texts as leading axes, in .npy, .npz or .safetensors:
float64, float32, float16 or bfloat16. mcsim finds them by their usual names (q
and k, query and key; of several layers layer0.q, layer0.k and so on), or by --q
and --k. Two .npy files are queries and keys, whatever their names. Every query
meets every key, unless you say --paired. Errors of several texts are Student's,
from the scatter between texts. Those of one text account for shared rows and
for neighbours that are alike. They are left out if too few of its rows are
independent.

If the file also has the logits before softmax, or the weights after it, mcsim
finds and judges the factor that your code applies to q·k. If that is wrong,
mcsim names the mistake. Masked pairs are left out, whatever the mask's number.
For samples --scale also takes qk-norm and cosine(s), which act on q and k.

Weights are a state dict: a file, or model.safetensors.index.json. mcsim finds
W_Q and W_K of every layer by name, or by --wq and --wk. It draws tokens after
the model's norm, or reads them (--x). It ignores positions (RoPE).

--check 1% checks that the variance of a logit is within 1 % of 1, in every head
and in the mean over heads. --gate LO..HI checks that the standard deviation of
every head's logits lies in LO..HI. The exit code is 0 if that holds, 1 if not,
3 if there are too few rows to tell. --plan 1% says how many texts, or rows,
such a check needs, by a pilot. Plan, and check once: who saves more rows until
a check passes errs more often than --alpha and --beta say.

mcsim does not open pickles (.pt, .bin).

` + flag.Scales(),
		Example: `  mcsim inspect qk.npz --check 5%
  mcsim inspect q.npy k.npy --paired
  mcsim inspect layers.npz --q 'h.{}.q' --k 'h.{}.k' --gate 0.2..3
  mcsim inspect model.safetensors --gate 0.2..3 --map heads.svg
  mcsim inspect layer.safetensors --heads 4 --scale d_k --json`,
		Args:              flag.Takes(1, math.MaxInt, "a file or several, such as qk.npz"),
		ValidArgsFunction: flag.FilesOnce(math.MaxInt, "npy", "npz", "safetensors", "json"),
		PreRunE:           func(c *cobra.Command, _ []string) error { return f.check(c) },
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c.Context(), c.OutOrStdout(), args) },
	}
	f.add(c)
	return c
}

// add makes the flags.
func (f *inspectFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.arrays.Q, "q", "", "`NAME` of the array of queries, {} for the number of a layer (default found by name)")
	flags.StringVar(&f.arrays.K, "k", "", "`NAME` of the array of keys, {} for the number of a layer (default found by name)")
	flags.BoolVar(&f.options.Paired, "paired", false, "each query meets the key of its own row alone")
	flags.BoolVar(&f.options.Causal, "causal", false, names.Of(names.GroupColumn, names.ColumnCausal).Title)
	heads, keyHeads := names.Of(names.GroupParameter, names.ParamHeads).Title, names.Of(names.GroupParameter, names.ParamKeyHeads).Title
	flags.Var(flag.Whole(&f.heads, 1, weights.MaxModel), "heads", heads+", that the last axis of samples, or W_Q, is made of (default found)")
	flags.Var(flag.Whole(&f.keyHeads, 1, weights.MaxModel), "kv-heads", keyHeads+", a divisor of --heads (default found, else as many)")
	flags.StringVar(&f.scale, "scale", "", flag.Scale+" (default 1/sqrt(d_k), or the model's)")
	f.weights.add(c)
	flags.Var(flag.Number(&f.gate.Tolerance, plan.Tolerance), "check", flag.Check+": how far the scaled variance may be from 1, such as 1%")
	flags.Var(flag.Number(&f.plan, plan.Tolerance), "plan", "say how many texts, or rows, --check of that `TOLERANCE` needs, by this file")
	flags.Var(&f.band, "gate", flag.Gate+", in every head")
	f.gate.Alpha, f.gate.Beta = 1e-3, 1e-3
	flags.Var(flag.Number(&f.gate.Alpha, plan.Rate), "alpha", flag.Alpha+", about")
	flags.Var(flag.Number(&f.gate.Beta, plan.Rate), "beta", flag.Beta+", about")
	flags.StringVar(&f.junit, "junit", "", "write a JUnit report to `FILE`")
	flags.StringVar(&f.picture, "map", "", "draw a map of the heads to `FILE`, of .svg, .pdf or .png")
	flags.BoolVar(&f.rows, "rows", false, flag.Rows+": each head's numbers, in JSON too")
	flags.BoolVar(&f.json, "json", false, flag.JSON)
	flags.BoolVar(&f.csv, "csv", false, flag.CSV+": a line for each head")
	flag.AddWorkers(flags, &f.options.Workers)
	flag.Offer(c, "scale", rule.Scales()...)
}

// check refuses flags that do not go together.
func (f *inspectFlags) check(c *cobra.Command) error {
	for _, name := range []string{"d-k", "norm", "keys"} {
		if c.Flags().Changed(name) {
			f.weights.given = name
		}
	}
	err := cmp.Or(flag.Exclusive(c, "json", "csv"), flag.Exclusive(c, "paired", "causal"))
	f.gate.Lo, f.gate.Hi = f.band.Lo, f.band.Hi
	switch form := strings.TrimPrefix(filepath.Ext(f.picture), "."); {
	case err != nil:
		return err
	case f.picture != "" && !slices.Contains(headmap.Formats, form):
		return fmt.Errorf("--map: %s ends with none of .svg, .pdf and .png", f.picture)
	case f.gate.Tolerance == 0 && f.gate.Hi == 0 && f.plan == 0 && (c.Flags().Changed("alpha") || c.Flags().Changed("beta")):
		return errors.New("--alpha and --beta are rates of --check, --gate or --plan, and there is none")
	case f.picture != "" && f.picture == f.junit:
		return fmt.Errorf("--map and --junit both name %s", f.picture)
	case f.junit != "" && f.gate.Tolerance == 0 && f.gate.Hi == 0:
		return errors.New("--junit: there is no gate to write; give --check or --gate")
	case f.keyHeads > 0 && f.heads%f.keyHeads != 0:
		return fmt.Errorf("--kv-heads: %d heads of queries cannot share %d of keys evenly", f.heads, f.keyHeads)
	}
	return nil
}

// run reads the files, looks at them, and judges.
func (f *inspectFlags) run(ctx context.Context, out io.Writer, paths []string) error {
	files, err := tensor.Open(paths...)
	if err != nil {
		return err
	}
	defer files.Close()
	answer, err := f.look(ctx, files, paths)
	if err != nil {
		return err
	}
	verdict := result.Pass
	if f.gate.Tolerance > 0 || f.gate.Hi > 0 {
		judgement := answer.Judge(f.gate, answer.Applied)
		answer.Judgement, verdict = &judgement, judgement.Verdict
	}
	if f.plan > 0 {
		planned := answer.Plan(inspect.Gate{Tolerance: f.plan, Alpha: f.gate.Alpha, Beta: f.gate.Beta})
		answer.Planned = &planned
	}
	if err := f.write(out, answer); err != nil {
		return err
	}
	err = show.Inspection(out, answer, show.Form{JSON: f.json, CSV: f.csv, Rows: f.rows})
	return cmp.Or(err, show.ExitOf(verdict))
}

// look takes samples where there are some, and else weights.
func (f *inspectFlags) look(ctx context.Context, files *tensor.Files, paths []string) (*show.Inspected, error) {
	if !f.weights.asked() {
		s, err := samples.Find(files, f.arrays, f.heads, f.keyHeads)
		if err == nil {
			return f.samples(ctx, s)
		}
		if !errors.Is(err, samples.ErrNone) || f.arrays != (samples.Names{}) {
			return nil, err
		}
	}
	return f.model(ctx, files, paths)
}

// samples looks at queries and keys.
func (f *inspectFlags) samples(ctx context.Context, s *samples.Samples) (*show.Inspected, error) {
	if name := f.weights.given; name != "" {
		return nil, fmt.Errorf("--%s is for weights; here are samples, %s and %s", name, s.QueryName, s.KeyName)
	}
	source, err := f.scaleSamples(s)
	if err != nil {
		return nil, err
	}
	count, err := s.Count(f.options.Paired)
	if err != nil {
		return nil, err
	}
	bar := folder.Counting(os.Stderr, count)
	summary, applied, err := s.Measure(ctx, f.options, func() { bar.Add(1) })
	bar.End()
	if err != nil {
		return nil, err
	}
	summary.Subject = append(summary.Subject, fmt.Sprintf("Scale: %.4g, %s.", f.options.Scale, source))
	return &show.Inspected{QueryName: s.QueryName, KeyName: s.KeyName, Summary: summary, Applied: applied}, nil
}

// scaleSamples sets what --scale says of samples, or 1/√d_k, and returns where it comes from.
func (f *inspectFlags) scaleSamples(s *samples.Samples) (source string, err error) {
	d := float64(s.Dimension)
	r, err := rule.Parse(f.scale, experiment.Number)
	if isNorm := err == nil && (r.Name() == names.RuleQKNorm || r.Name() == names.RuleCosine); isNorm {
		// Both rules are a multiple of the cosine.
		cosine := r.Logit(&rule.Pair{Score: 1, QuerySquare: 1, KeySquare: 1, D: s.Dimension, Keys: s.Keys})
		f.options.Length, f.options.Scale = 1, cosine
		if r.Name() == names.RuleQKNorm {
			f.options.Length, f.options.Scale = math.Sqrt(d), cosine/d
			return fmt.Sprintf("of %s: queries and keys are divided by their root mean square first", r), nil
		}
		return fmt.Sprintf("of %s: queries and keys are divided by their length first", r), nil
	}
	if f.scale == "" {
		f.options.Scale = 1 / math.Sqrt(d)
		return fmt.Sprintf("1/√%d, assumed since --scale is not given", s.Dimension), nil
	}
	if f.options.Scale, err = f.factor(s.Dimension, min(s.Keys, 1<<30)); err != nil {
		return "", err
	}
	if first, _ := f.factor(s.Dimension, 2); f.options.Causal && first != f.options.Scale { // a rule of n
		f.options.Factor = func(keys int) float64 {
			x, _ := f.factor(s.Dimension, keys) // parsed above without an error
			return x
		}
		return fmt.Sprintf("of --scale %s with n = %d; each row's factor is checked with n = the keys that it sees",
			f.scale, s.Keys), nil
	}
	return "of --scale " + f.scale, nil
}

// factor is what --scale multiplies q·k by; 0 where nothing is said.
func (f *inspectFlags) factor(dimension, keys int) (float64, error) {
	if f.scale == "" {
		return 0, nil
	}
	r, err := rule.ParseScale(f.scale, experiment.Number)
	if err != nil {
		return 0, fmt.Errorf("--scale: %w", err)
	}
	factor, _ := r.Factor(dimension, keys)
	return factor, nil
}

// write writes the files that are asked for: the map first, so that no verdict is left if it fails.
func (f *inspectFlags) write(out io.Writer, a *show.Inspected) error {
	if f.picture != "" {
		if err := f.draw(a); err != nil {
			return err
		}
	}
	if f.junit == "" {
		return nil
	}
	text, err := junit.Inspection(a)
	if err != nil {
		return err
	}
	return junit.Write(out, f.junit, text)
}

// draw writes the map of the heads.
func (f *inspectFlags) draw(a *show.Inspected) error {
	lo, hi := f.gate.Lo, f.gate.Hi
	meaning := "as --gate asks"
	if hi == 0 {
		hi = theory.FreezingSigma(max(2, a.Keys))
		meaning = fmt.Sprintf("spread, if logits are normal, with %d keys", a.Keys)
	}
	text, err := a.Map(lo, hi, meaning).File(strings.TrimPrefix(filepath.Ext(f.picture), "."))
	if err != nil {
		return err
	}
	return replace.Text(f.picture, text)
}
