package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/experiment"
	"mcsim/sim/inspect"
	"mcsim/sim/names"
	"mcsim/sim/rule"
)

type inspectFlags struct {
	arrays            inspect.Names
	scale             string
	causal, all, json bool
}

func inspectCommand() *cobra.Command {
	var f inspectFlags
	c := &cobra.Command{
		Use:   "inspect FILE.npz",
		Short: "say what a scale makes of queries and keys that you have",
		Long: fmt.Sprintf(`Compute scaled dot-product attention of the arrays in a .npz file of NumPy, and
say what the scale does to it: how large the scores are against d_k, how far
queries and keys point the same way, and how much of the gradient the median row
lets through, under your scale and under others. Then come scores, weights,
entropy and R of the first rows. Nothing is drawn: the numbers describe this
file, and have no errors.

Arrays have the shape rows × d_k, with heads and batches before it, of real
numbers (f2, f4, f8), integers or truth values. The values, rows × d_v, may be
missing. K and V may have fewer heads than Q, which then share them. A mask of
truth values says which keys a query may see, one of numbers is added to the
logits (-inf forbids); its shape is queries × keys, with 1 or as many heads and
batches as Q before them. At most %d scores are computed, of arrays of
at most %d numbers each.

%s`, inspect.MostScores, inspect.MostNumbers, scales()),
		Example: `  mcsim inspect layer3.npz --q Q --k K --causal
  mcsim inspect heads.npz --scale d_k --json`,
		Args:              flag.Takes(1, 1, "one file, such as layer3.npz"),
		ValidArgsFunction: flag.FilesOnce(1, "npz"),
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c.OutOrStdout(), args[0]) },
	}
	c.Flags().StringVar(&f.arrays.Q, "q", "Q", "`NAME` of the array of queries")
	c.Flags().StringVar(&f.arrays.K, "k", "K", "`NAME` of the array of keys")
	c.Flags().StringVar(&f.arrays.V, "v", "", "`NAME` of the array of values (default V, if there is one)")
	c.Flags().StringVar(&f.arrays.Mask, "mask", "", "`NAME` of the array of a mask (default none)")
	c.Flags().BoolVar(&f.causal, "causal", false, names.Of(names.GroupColumn, names.ColumnCausal).Title)
	c.Flags().StringVar(&f.scale, "scale", "sqrt(d_k)", flag.Scale)
	c.Flags().BoolVarP(&f.all, "all", "a", false, flag.All)
	c.Flags().BoolVar(&f.json, "json", false, flag.JSON)
	flag.Offer(c, "scale", rule.Scales()...)
	return c
}

// scales lists the ways to write a scale.
func scales() string {
	var b strings.Builder
	show.Paragraph(&b, "Scales:", 8, rule.Scaling()+".")
	return strings.TrimSuffix(b.String(), "\n")
}

// fewRows is how many rows are printed where not all are asked for.
const fewRows = 12

// run reads the arrays of a file and prints what the scale makes of them.
func (f *inspectFlags) run(out io.Writer, path string) error {
	q, err := f.question(path)
	if err != nil {
		return err
	}
	rows := fewRows
	switch {
	case f.all:
		rows = math.MaxInt
	case f.json:
		rows = 0
	}
	a, err := inspect.Ask(q, rows)
	if err != nil {
		return fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "attention: "))
	}
	return show.Printed(out, f.json, a, func() { show.Inspection(out, q, a) })
}

// question reads what is asked for.
func (f *inspectFlags) question(path string) (q inspect.Question, err error) {
	r, err := rule.ParseScale(f.scale, experiment.Number)
	if err != nil {
		return q, fmt.Errorf("--scale: %w", err)
	}
	file, size, err := folder.Open(path)
	if err != nil {
		return q, err
	}
	defer file.Close()
	archive, err := inspect.OpenArchive(file, size)
	if err != nil {
		return q, fmt.Errorf("%s %w", path, err)
	}
	if q, err = inspect.Read(archive, f.arrays, f.causal, r); err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, nil
}
