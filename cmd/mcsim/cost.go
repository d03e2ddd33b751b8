package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/cost"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// sizes are the flags of the sizes of a layer, by their parameters.
var sizes = []struct{ param, flag, usual string }{
	{names.ParamContext, "keys", "1024"}, {names.ParamModel, "d-model", "768"}, {names.ParamHeads, "heads", "12"},
	{names.ParamKeyHeads, "kv-heads", "as many as --heads"}, {names.ParamDimension, "d-k", "--d-model divided by --heads"},
	{names.ParamValueDimension, "d-v", "as many as --d-k"}, {names.ParamNumberBytes, "bytes", "2"},
}

func costCommand() *cobra.Command {
	l := cost.Layer{Context: 1024, Model: 768, Heads: 12, Bits: 16} // GPT-2 small
	asJSON := false
	c := &cobra.Command{
		Use:   "cost",
		Short: "count the operations and bytes of an attention layer",
		Long: "Columns:" + defined(names.ColumnOperations, names.ColumnShare, names.ColumnGrowth, names.ColumnWeightBytes,
			names.ColumnMadeBytes) + "\n--json has these of the whole layer and of each part, and moreover:\n" +
			defined("crossing", "score_matrix_bytes", "score_tile_bytes", "kv_bytes"),
		Args: cmdline.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if l.Key == 0 && l.Model%l.Heads != 0 {
				return notDivisible(l.Model, l.Heads)
			}
			l.Key, l.KeyHeads = cmp.Or(l.Key, l.Model/l.Heads), cmp.Or(l.KeyHeads, l.Heads)
			l.Value = cmp.Or(l.Value, l.Key)
			if err := l.Check(); err != nil {
				return byFlag(err)
			}
			return show.Print(c.OutOrStdout(), asJSON, l.Count(), func() { show.Cost(c.OutOrStdout(), l.Count()) })
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	for i, to := range []*int64{&l.Context, &l.Model, &l.Heads, &l.KeyHeads, &l.Key, &l.Value, &l.Bits} {
		value, usage := cmdline.Integer(to, 1, cost.Most), names.Of(names.GroupParameter, sizes[i].param).Title
		switch sizes[i].param {
		case names.ParamContext:
			usage = "keys of a row, which are the tokens of the text"
		case names.ParamNumberBytes:
			value = cmdline.Func(func(text string) error { return readBits(text, to) })
		}
		flags.Var(value, sizes[i].flag, usage+" (default "+sizes[i].usual+")")
	}
	flags.BoolVar(&l.Causal, "causal", false, names.Of(names.GroupColumn, names.ColumnCausal).Title)
	flags.BoolVar(&asJSON, "json", false, cmdline.JSON)
	return c
}

// notDivisible refuses to derive d_k from a width that the heads do not divide.
func notDivisible[T int | int64](width, heads T) error {
	return fmt.Errorf("--heads: %d heads do not divide d_model = %d evenly; say --d-k", heads, width)
}

// readBits reads bytes, which may be half of one, as bits.
func readBits(text string, bits *int64) error {
	x, err := experiment.Number(text)
	if err == nil && !(x >= 1.0/8 && x <= cost.Most && 8*x == float64(int64(8*x))) {
		err = fmt.Errorf("%s is no whole number of bits in 0.125..%d bytes", text, cost.Most)
	}
	*bits = int64(8 * x)
	return err
}

// byFlag calls the size that an error is about by its flag.
func byFlag(err error) error {
	shape, ok := errors.AsType[*cost.ShapeError](err)
	if !ok {
		return err
	}
	for _, s := range sizes {
		if s.param == shape.Param {
			err = fmt.Errorf("--%s: %s", s.flag, shape.Problem)
		}
	}
	return err
}

// defined lists columns with what the table of names says of them.
func defined(columns ...string) string {
	var b strings.Builder
	for _, c := range columns {
		show.Paragraph(&b, "  "+c, 22, names.Of(names.GroupColumn, c).Title)
	}
	return b.String()
}
