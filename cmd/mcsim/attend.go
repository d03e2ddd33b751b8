package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/screen"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/array"
	"mcsim/sim/attend"
	"mcsim/sim/experiment"
	"mcsim/sim/rule"
)

type attendFlags struct {
	q, k, v, mask string
	scale         string
	causal, json  bool
}

func attendCommand() *cobra.Command {
	var f attendFlags
	c := &cobra.Command{
		Use:   "attend FILE.npz",
		Short: "say what a scale makes of queries and keys that you have",
		Long: fmt.Sprintf(`Compute scaled dot-product attention of the arrays in a .npz file of NumPy, and
say what the scale does to it: how large the scores are against d_k, how far
queries and keys point the same way, and how much of the gradient the median row
lets through, under your scale, without one, and divided by √d_k and by d_k.
Then come scores, weights, entropy and R, row by row. Nothing is drawn, so that
no number has an error.

Arrays have the shape rows × d_k, heads × rows × d_k, or batches × heads × rows
× d_k, of real numbers (f2, f4, f8), integers or truth values. The values, rows
× d_v, may be missing. K and V may have fewer heads than Q, which then share
them. A mask of truth values says which keys a query may see, one of numbers is
added to the logits (-inf forbids); its shape is queries × keys, with 1 or as
many heads and batches as Q before them. At most %d scores are computed, of
arrays of at most %d numbers each.

%s`, attend.MostScores, array.Most, scales()),
		Example: `  mcsim attend layer3.npz --q q --k k --causal
  mcsim attend heads.npz --scale d_k --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("attend takes one file, such as layer3.npz")
			}
			return nil
		},
		ValidArgsFunction: flag.FilesOnce(1, "npz"),
		RunE:              func(c *cobra.Command, args []string) error { return runAttend(c.OutOrStdout(), args[0], &f) },
	}
	c.Flags().StringVar(&f.q, "q", "Q", "`NAME` of the array of queries")
	c.Flags().StringVar(&f.k, "k", "K", "`NAME` of the array of keys")
	c.Flags().StringVar(&f.v, "v", "", "`NAME` of the array of values (default V, if there is one)")
	c.Flags().StringVar(&f.mask, "mask", "", "`NAME` of the array of a mask (default none)")
	c.Flags().BoolVar(&f.causal, "causal", false, "query i sees the keys 0 to i alone")
	c.Flags().StringVar(&f.scale, "scale", "sqrt(d_k)", "`RULE` by which q·k is scaled, written as above")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object with every row")
	flag.Offer(c.Flags(), "scale", rule.Scales()...)
	return c
}

// scales lists the ways to write a scale.
func scales() string {
	var b strings.Builder
	screen.Paragraph(&b, "Scales:", 8, rule.Scaling()+".")
	return strings.TrimSuffix(b.String(), "\n")
}

func runAttend(out io.Writer, path string, f *attendFlags) error {
	q, err := f.question(path)
	if err != nil {
		return err
	}
	a, err := attend.Ask(q)
	if err != nil {
		return fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "attention: "))
	}
	if f.json {
		return show.JSON(out, show.NewAttention(q, a))
	}
	return show.Attention(out, q, a)
}

// question reads what is asked for.
func (f *attendFlags) question(path string) (q attend.Question, err error) {
	r, err := rule.ParseScale(f.scale, experiment.Number)
	if err != nil {
		return q, fmt.Errorf("--scale: %w", err)
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return q, fmt.Errorf("%s: does not exist", path)
	}
	if err != nil {
		return q, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return q, err
	}
	if info.IsDir() {
		return q, fmt.Errorf("%s: is a folder; attend reads a .npz file", path)
	}
	archive, err := array.OpenArchive(file, info.Size())
	if err != nil {
		return q, fmt.Errorf("%s %w", path, err)
	}
	if q, err = attend.Read(archive, attend.Names{Q: f.q, K: f.k, V: f.v, Mask: f.mask}, f.causal, r); err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, nil
}
