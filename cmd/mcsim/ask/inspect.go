package ask

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/attention/rule"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/tensor"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/precision"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/samples"
	"mcsim/sim/model/series"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

type inspectFlags struct {
	arrays          samples.Names
	heads, keyHeads int
	scale, format   string
	options         inspect.Options
	gate            inspect.Gate
	band, entropy   cmdline.Band // of --gate and --gate-entropy
	plan            float64
	weights         weightFlags

	json, csv, rows         bool
	junit, summary, mapPath string

	by       string    // axis of several files; empty if not given
	hasRates bool      // --alpha or --beta is given
	progress io.Writer // to which the progress is written
}

// formatE4M3 is short for names.FormatE4M3Saturating.
const formatE4M3 = "e4m3"

func newInspectCommand(outputs Outputs) *cobra.Command {
	var f inspectFlags
	c := &cobra.Command{
		Use:               "inspect FILE...",
		Long:              cmdline.ScalesHelp(),
		Args:              cmdline.RequireArgs(1, math.MaxInt, "a file or several, such as qk.npz"),
		ValidArgsFunction: cmdline.CompleteFiles(math.MaxInt, "npy", "npz", "safetensors", "json"),
		PreRunE:           func(c *cobra.Command, _ []string) error { return f.check(c) },
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c, args, outputs) },
	}
	f.add(c)
	if outputs.ReplaceFile != nil {
		f.addOutputs(c)
	}
	return c
}

// addOutputs adds the flags of files that the command writes.
func (f *inspectFlags) addOutputs(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.junit, "junit", "", "write a JUnit report to `FILE`")
	flags.StringVar(&f.summary, "summary", "", "write a summary in Markdown to `FILE`, for the page of a CI job")
	flags.StringVar(&f.mapPath, "map", "", "draw a map of the heads to `FILE`, which ends with .svg, .pdf or .png")
}

func (f *inspectFlags) add(c *cobra.Command) {
	flags := c.Flags()
	const nameNote = "; {} is the number of a layer (default: found by name)"
	flags.StringVar(&f.arrays.Q, "q", "", "`NAME` of the array of queries"+nameNote)
	flags.StringVar(&f.arrays.K, "k", "", "`NAME` of the array of keys"+nameNote)
	flags.BoolVar(&f.options.Paired, "paired", false, "each query meets only the key of its own row")
	flags.BoolVar(&f.options.Causal, "causal", false, names.EntryOf(names.GroupColumn, names.ColumnCausal).Title)
	getTitle := func(param string) string { return names.EntryOf(names.GroupParameter, param).Title }
	flags.Var(cmdline.NewInteger(&f.heads, 1, weights.MaxModel), "heads",
		getTitle(names.ParamHeads)+", into which the last axis of samples or of W_Q is divided (default: found)")
	flags.Var(cmdline.NewInteger(&f.keyHeads, 1, weights.MaxModel), "kv-heads",
		getTitle(names.ParamKeyHeads)+", a divisor of --heads (default: found, else as many)")
	flags.StringVar(&f.scale, "scale", "", cmdline.ScaleUsage+" (default: 1/sqrt(d_k), or the model's)")
	flags.Var(cmdline.NewValue(f.parseSink), "sink",
		"`LOGIT` of a sink: an additional key in every row, whose weight is measured")
	f.weights.add(c)
	flags.StringVar(&f.by, "by", "",
		"`AXIS` of several files: step, width or another name, whose number is in the names "+
			"of the files or in an array (default: step)")
	cmdline.AddChoice(c, &f.format, "format",
		"`FORMAT`, in which scores are stored, to measure overflow and moved weight",
		append(precision.Names(), formatE4M3))
	flags.Var(cmdline.NewNumber(&f.gate.Tolerance, experiment.Tolerances.Parse), "check",
		cmdline.CheckUsage+": how far the scaled variance may be from 1, such as 1%")
	flags.Var(cmdline.NewNumber(&f.plan, experiment.Tolerances.Parse), "plan",
		"estimate from this file how many texts or rows --check with this `TOLERANCE` needs")
	flags.Var(&f.band, "gate", cmdline.GateUsage+", in every head")
	flags.Var(cmdline.NewNumber(&f.gate.MaxLogit, parseLimit), "gate-max",
		cmdline.CheckUsage+": the largest logit of every head is at most `LIMIT`, such as 50")
	flags.Var(&f.entropy, "gate-entropy", cmdline.CheckUsage+
		": the mean entropy of every head's rows, divided by ln n for n keys, is in `LO..HI`, such as 0.3..0.95")
	const defaultRate = 1e-3
	f.gate.Alpha, f.gate.Beta = defaultRate, defaultRate
	flags.Var(cmdline.NewNumber(&f.gate.Alpha, experiment.Rates.Parse), "alpha", cmdline.AlphaUsage+", about")
	flags.Var(cmdline.NewNumber(&f.gate.Beta, experiment.Rates.Parse), "beta", cmdline.BetaUsage+", about")
	flags.BoolVar(&f.rows, "rows", false, cmdline.RowsUsage+": print each head's numbers, in JSON too")
	flags.BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	flags.BoolVar(&f.csv, "csv", false, cmdline.CSVUsage+": a line for each head")
	cmdline.AddWorkers(flags, &f.options.Workers)
	cmdline.CompleteValues(c, "scale", rule.ScaleExamples()...)
	cmdline.Exclude(c, "json", "csv")
	cmdline.Exclude(c, "paired", "causal")
	cmdline.Exclude(c, "paired", "gate-max") // pairs have no rows and no largest logit
	cmdline.Exclude(c, "paired", "gate-entropy")
	cmdline.Exclude(c, "paired", "sink")
	// the weights of pairs, and those with a sink, are not measured
	cmdline.Exclude(c, "format", "paired", "sink", "csv")
}

// parseSink sets the logit of the sink.
func (f *inspectFlags) parseSink(text string) error {
	x, err := experiment.Number(text)
	f.options.Sink = &x
	return err
}

// parseLimit parses the limit of --gate-max, a positive number.
func parseLimit(text string) (float64, error) {
	x, err := experiment.Number(text)
	if err == nil && !(x > 0 && x <= math.MaxFloat32) {
		return 0, fmt.Errorf("%s is not a limit: it needs a positive number of at most 3.4e38", text)
	}
	return x, err
}

// refuseFlags returns an error if one of the flags is given, which are only for the given owner.
func refuseFlags(c *cobra.Command, owner string, flags ...string) error {
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for %s", name, owner)
		}
	}
	return nil
}

// check refuses combinations of flags that have no meaning, and sets the gates and the format.
func (f *inspectFlags) check(c *cobra.Command) error {
	f.gate.Lo, f.gate.Hi, f.gate.EntropyLo, f.gate.EntropyHi = f.band.Lo, f.band.Hi, f.entropy.Lo, f.entropy.Hi
	format := f.mapFormat()
	f.options.Format = precision.Lookup(f.format)
	if f.format == formatE4M3 {
		f.options.Format = precision.Lookup(names.FormatE4M3Saturating)
	}
	f.hasRates = c.Flags().Changed("alpha") || c.Flags().Changed("beta")
	switch {
	case f.mapPath != "" && !slices.Contains([]string{"svg", "pdf", "png"}, format):
		return fmt.Errorf("--map: %s does not end with .svg, .pdf or .png", f.mapPath)
	case f.entropy.Hi > 1:
		return fmt.Errorf("--gate-entropy: %v is above 1, the ratio of uniform weights", f.entropy.Hi)
	case f.junit != "" && !f.hasGate():
		return errors.New("--junit requires a gate: give --check, --gate, --gate-max or --gate-entropy")
	case f.keyHeads > 0:
		return checkKeyHeads(f.heads, f.keyHeads)
	}
	return nil
}

// givenGates returns the flags that request a verdict.
func (f *inspectFlags) givenGates() (flags []string) {
	for _, g := range []struct {
		flag string
		end  float64 // 0 if the flag is not given
	}{
		{"--check", f.gate.Tolerance}, {"--gate", f.gate.Hi}, {"--gate-max", f.gate.MaxLogit},
		{"--gate-entropy", f.gate.EntropyHi},
	} {
		if g.end > 0 {
			flags = append(flags, g.flag)
		}
	}
	return flags
}

// hasGate reports whether the user requests a verdict.
func (f *inspectFlags) hasGate() bool { return len(f.givenGates()) > 0 }

// run measures the samples or weights in the files, judges them if the flags request it, and prints
// the result.
func (f *inspectFlags) run(c *cobra.Command, paths []string, outputs Outputs) error {
	const growth = 100 // percent, as usual
	program.LimitHeap(program.InspectHeap, growth)
	f.progress = c.ErrOrStderr()
	paths, areModels, err := series.ListFiles(paths, f.by != "")
	if err != nil {
		return err
	}
	if err := f.checkOutputs(paths); err != nil {
		return err
	}
	if areModels {
		return f.inspectSeries(c, paths, outputs)
	}
	if f.hasRates && !f.hasGate() && f.plan == 0 {
		return errors.New("--alpha and --beta require a gate, such as --check, or --plan")
	}
	files, err := tensor.Open(paths...)
	if err != nil {
		return err
	}
	defer files.Close()
	if f.hasOnlyLogSums(files) {
		return f.inspectLogSums(c, files, outputs)
	}
	answer, err := f.measure(c, files, paths)
	if err != nil {
		return err
	}
	verdict := result.Pass
	if f.hasGate() {
		judgement := answer.Judge(f.gate, answer.Applied)
		answer.Judgement, verdict = &judgement, judgement.Verdict
	}
	if f.plan > 0 {
		planned := answer.Plan(inspect.Gate{Tolerance: f.plan, Alpha: f.gate.Alpha, Beta: f.gate.Beta})
		answer.Planned = &planned
	}
	encode := func() ([]byte, error) { return outputs.EncodeInspection(answer) }
	if err := f.write(c.OutOrStdout(), answer, answer.Keys, encode, outputs); err != nil {
		return err
	}
	format := inspection.Format{JSON: f.json, CSV: f.csv, Rows: f.rows}
	if err := inspection.Print(c.OutOrStdout(), answer, format); err != nil {
		return err
	}
	return program.ExitWith(verdict)
}

// measure measures the samples of the files, or the weights if there are no samples.
func (f *inspectFlags) measure(c *cobra.Command, files *tensor.Files, paths []string) (*inspection.Report, error) {
	if !f.weights.isAnySet() {
		s, err := samples.Find(files, f.arrays, f.heads, f.keyHeads)
		if err == nil {
			return f.inspectSamples(c, s)
		}
		areSamplesRequested := f.arrays != (samples.Names{})
		if !errors.Is(err, samples.ErrNoArrays) || areSamplesRequested {
			return nil, err
		}
	}
	return f.inspectWeights(c, files, paths)
}

// inspectSamples measures queries and keys.
func (f *inspectFlags) inspectSamples(c *cobra.Command, s *samples.Samples) (*inspection.Report, error) {
	owner := fmt.Sprintf("weights; here are samples, %s and %s", s.QueryName, s.KeyName)
	if err := refuseFlags(c, owner, "d-k", "norm", "keys"); err != nil {
		return nil, err
	}
	source, err := f.scaleSamples(s)
	if err != nil {
		return nil, err
	}
	isCausal, err := s.IsCausal()
	if err != nil {
		return nil, err
	}
	isReadAsCausal := isCausal && !f.options.Causal && !f.options.Paired
	f.options.Causal = f.options.Causal || isReadAsCausal
	count, err := s.CountBlocks(f.options.Paired)
	if err != nil {
		return nil, err
	}
	bar := show.NewCounter(f.progress, count)
	summary, applied, err := s.Measure(c.Context(), f.options, func() { bar.Add(1) })
	bar.End()
	if err != nil {
		return nil, err
	}
	if applied != nil && applied.MaskedPairs > 0 && !f.options.Causal {
		caveat := fmt.Sprintf("the logits mask %s of %s pairs, but all pairs are measured: give --causal if the mask is "+
			"causal", digits.Count(int64(applied.MaskedPairs)), digits.Count(int64(applied.Pairs)))
		if f.gate.MaxLogit > 0 || f.gate.EntropyHi > 0 {
			return nil, fmt.Errorf("--gate-max and --gate-entropy: %s", caveat)
		}
		summary.Caveats = append(summary.Caveats, caveat)
	}
	summary.Subject = append(summary.Subject, fmt.Sprintf("Scale: %.4g, %s.", f.options.Scale, source))
	if isReadAsCausal {
		summary.Subject = append(summary.Subject, "Mask: causal, as the file says: query i sees the keys 0 to i.")
	}
	return &inspection.Report{QueryName: s.QueryName, KeyName: s.KeyName, Summary: summary, Applied: applied}, nil
}

// scaleSamples sets the scale of samples to the value of --scale, or to 1/√d_k if the flag is not
// given. It returns a phrase that says where the scale is from.
func (f *inspectFlags) scaleSamples(s *samples.Samples) (source string, err error) {
	d := float64(s.Dimension)
	r, err := rule.Parse(f.scale, experiment.Number)
	isNorm := err == nil && (r.Name() == names.RuleQKNorm || r.Name() == names.RuleCosine)
	if isNorm {
		// Both rules multiply the cosine of q and k by a factor. It is the logit of two equal unit
		// vectors.
		factor := r.Logit(&rule.Pair{Score: 1, QuerySquare: 1, KeySquare: 1, D: s.Dimension, Keys: s.Keys})
		f.options.Length, f.options.Scale = 1, factor
		if r.Name() == names.RuleQKNorm { // q and k get length √d_k, so that q·k is d_k times the cosine
			f.options.Length, f.options.Scale = math.Sqrt(d), factor/d
			return fmt.Sprintf("of %s: queries and keys are divided by their root mean square first", r), nil
		}
		return fmt.Sprintf("of %s: queries and keys are divided by their length first", r), nil
	}
	if f.scale == "" {
		f.options.Scale = 1 / math.Sqrt(d)
		return fmt.Sprintf("1/√%d, assumed since --scale is not given", s.Dimension), nil
	}
	const maxKeys = 1 << 30 // fits an int of 32 bits
	f.options.Scale, err = f.parseFactor(s.Dimension, min(s.Keys, maxKeys))
	if err != nil {
		return "", err
	}
	factorForTwoKeys, _ := f.parseFactor(s.Dimension, 2)
	dependsOnKeys := factorForTwoKeys != f.options.Scale
	if f.options.Causal && dependsOnKeys {
		f.options.Factor = func(keys int) float64 {
			x, _ := f.parseFactor(s.Dimension, keys) // the flag was parsed above without an error
			return x
		}
		return fmt.Sprintf("of --scale %s with n = %d; each row's factor is checked with n = the keys that it sees",
			f.scale, s.Keys), nil
	}
	return "of --scale " + f.scale, nil
}

// parseFactor returns the factor by which the rule of --scale multiplies q·k, or 0 if the flag is
// not given.
func (f *inspectFlags) parseFactor(dimension, keys int) (float64, error) {
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
