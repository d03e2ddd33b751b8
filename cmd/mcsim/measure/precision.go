package measure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/attention/weights"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/floor"
	"mcsim/sim/names"
)

// sampledHeads is the number of heads that the command precision draws. With it, a standard
// deviation over heads is known to about 5 %.
const sampledHeads = 512

// precisionFlags describes a test of a kernel, and is the JSON text of its answer.
type precisionFlags struct {
	Format       string      `json:"format"`
	ValuesFormat string      `json:"values_format"`
	Operands     string      `json:"operands"`
	Distribution string      `json:"distribution"`
	Dimension    int         `json:"d_k"`
	Keys         int         `json:"keys"`
	Sigma        float64     `json:"sigma"`
	Seed         uint64      `json:"seed"`
	Sampled      int         `json:"sampled_heads"`
	Heads        int64       `json:"heads"`
	Queries      int64       `json:"queries"`
	Alpha        float64     `json:"alpha"`
	Cosine       floor.Bound `json:"cosine"`
	MeanError    floor.Bound `json:"mean_error"`
	LargestError floor.Bound `json:"largest_error"`
	axes         cmdline.Axes
	workers      int
	json         bool
}

func newPrecisionCommand() *cobra.Command {
	f := precisionFlags{Operands: names.OperandAll, Alpha: plan.DefaultRate, Heads: 16, axes: cmdline.Axes{}}
	c := &cobra.Command{Use: "precision", Args: cmdline.NoArgs, RunE: f.run}
	flags := c.Flags()
	cmdline.AddChoice(c, &f.Format, "format", "`FORMAT`, in which operands are stored", floor.Names())
	cmdline.AddChoice(c, &f.ValuesFormat, "values-format",
		"`FORMAT` of softmax weights and values, if it is not --format", floor.Names())
	cmdline.AddChoice(c, &f.Operands, "operands", "what is stored in a format (default all)",
		floor.Experiment.Axis(names.ParamOperand).Names())
	for i := range floor.Experiment.Axes {
		if a := &floor.Experiment.Axes[i]; !a.Shared {
			f.axes[a.Name] = cmdline.AddAxis(c, a, a.Doc()+" (default "+a.Probe+")")
		}
	}
	flags.Var(cmdline.NewInteger(&f.Heads, 1, weights.MaxModel), "heads",
		names.EntryOf(names.GroupParameter, names.ParamHeads).Title+", over which the test takes means (default 16)")
	flags.Var(cmdline.NewInteger(&f.Queries, 16, experiment.MaxDimension), "queries",
		"queries of each head of the test (default: as many as --keys)")
	flags.Var(cmdline.NewNumber(&f.Alpha, experiment.Rates.Parse), "alpha", cmdline.AlphaUsage+" (default 1e-6)")
	cmdline.AddSeed(flags, &f.Seed)
	cmdline.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	return c
}

// run samples heads and prints the tolerances of the test.
func (f *precisionFlags) run(c *cobra.Command, _ []string) error {
	if f.Format == "" {
		return fmt.Errorf("--format is required: %s", strings.Join(floor.Names(), ", "))
	}
	values := map[string]experiment.AxisValue{}
	for name, axis := range f.axes {
		value, err := axis.Axis.Parse(axis.Axis.Probe)
		if err != nil {
			return err
		}
		if len(axis.Values) > 0 {
			value = axis.Values[0]
		}
		values[name] = value
	}
	cell := experiment.NewCell(floor.Experiment, values)
	if err := cell.Refuse(false); err != nil {
		return f.axes.NameFlag(err)
	}
	s := floor.NewSetting(cell)
	if s.Distribution.HasPowerTail() {
		return fmt.Errorf("--distribution: %v has power-law tails, for which no tolerance is known; "+
			"mcsim run precision measures the errors", s.Distribution)
	}
	f.Distribution, f.Dimension, f.Keys, f.Sigma = s.Distribution.String(), s.Dimension, s.Keys, s.Sigma
	f.Sampled = sampledHeads
	if f.Queries == 0 {
		f.Queries = max(16, int64(f.Keys))
	}
	if f.ValuesFormat != "" && f.Operands != names.OperandAll {
		return errors.New("--values-format requires --operands all, since it is a second format")
	}
	if f.ValuesFormat == "" {
		f.ValuesFormat = f.Format
	}
	s.Queries = int(f.Queries)
	o := floor.NewOperands(f.Operands, floor.Lookup(f.Format), floor.Lookup(f.ValuesFormat))
	bar := show.NewCounter(c.ErrOrStderr(), sampledHeads)
	sample, err := s.Sample(c.Context(), o, sampledHeads, f.Seed, f.workers, func() { bar.Add(1) })
	bar.End()
	if err != nil {
		return err
	}
	bounds := floor.Bounds(sample, floor.Test{Heads: f.Heads, Rows: f.Queries, Alpha: f.Alpha})
	f.LargestError, f.MeanError, f.Cosine = bounds[floor.Largest], bounds[floor.Mean], bounds[floor.Distance]
	f.Cosine.Mean, f.Cosine.Tolerance = 1-f.Cosine.Mean, 1-f.Cosine.Tolerance
	return show.Print(c.OutOrStdout(), f.json, f, func() { f.print(c.OutOrStdout()) })
}

// print prints the errors and the tolerances.
func (f *precisionFlags) print(w io.Writer) {
	stored := fmt.Sprintf("%s in %s", names.EntryOf(names.GroupValue, f.Operands).Title, f.Format)
	if f.ValuesFormat != f.Format {
		stored = fmt.Sprintf("%s in %s, weights and values in %s",
			names.EntryOf(names.GroupValue, names.OperandQueryKey).Title, f.Format, f.ValuesFormat)
	}
	fmt.Fprintf(w, "A kernel that only rounds, with %s:\n%s keys, d_k = %d, σ = %s, %s components.\n\n",
		stored, digits.Count(int64(f.Keys)), f.Dimension, digits.Short(f.Sigma), f.Distribution)
	t, isUnknown := show.NewTable("", "mean over heads of 16 queries", "tolerance"), false
	addBound := func(name string, b floor.Bound, format func(float64) string) {
		text := digits.None
		if b.Tolerance.Present() {
			text = format(float64(b.Tolerance))
		}
		isUnknown = isUnknown || !b.Tolerance.Present()
		t.Add(name, digits.PlusMinus(b.Mean, b.SE), text)
	}
	formatLimit := func(x float64) string { return "≤ " + roundUp(x, 0) }
	addBound("cosine", f.Cosine, func(x float64) string { return "≥ " + roundUp(1-x, 1) })
	addBound("mean error", f.MeanError, formatLimit)
	addBound("largest error", f.LargestError, formatLimit)
	t.Print(w)
	fmt.Fprintf(w, "\nIt fails a test of these on %s of %d queries with a probability of at most %s:\n"+
		"bounds for tails over heads that are at most exponential, for the largest error after\n"+
		"a square root, from %d drawn heads. The bound of the largest error is loose: rely on the\n"+
		"cosine and the mean error.\n",
		show.FormatCount(int(f.Heads), "head"), f.Queries, digits.Short(f.Alpha), f.Sampled)
	if isUnknown {
		fmt.Fprintf(w, "No tolerance is known for an error whose skewness over the drawn heads is above %d;\n"+
			"another --seed draws other heads.\n", floor.MaxSkewness)
	}
}

// roundUp rounds x up to three digits. If ideal is not 0, it formats the distance of this number
// from it.
func roundUp(x, ideal float64) string {
	decimals := int(max(0, 2-math.Floor(math.Log10(x))))
	unit := math.Pow(10, float64(-decimals))
	return strconv.FormatFloat(math.Abs(ideal-math.Ceil(x/unit)*unit), 'f', decimals, 64)
}
