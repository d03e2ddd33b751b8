package ask

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/cost"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// sizeFlag is a flag for one size of a layer.
type sizeFlag struct {
	param, flag    string
	size           *int64 // holds the default, or 0 if the default follows from other sizes
	derivedDefault string // how the default follows from other sizes; empty if it does not
}

func newCostCommand() *cobra.Command {
	l := cost.Layer{Context: 1024, Model: 768, Heads: 12, Bits: 16} // GPT-2 small
	sizes := []sizeFlag{
		{names.ParamContext, "keys", &l.Context, ""},
		{names.ParamModel, "d-model", &l.Model, ""},
		{names.ParamHeads, "heads", &l.Heads, ""},
		{names.ParamKeyHeads, "kv-heads", &l.KeyHeads, "as many as --heads"},
		{names.ParamDimension, "d-k", &l.Key, "--d-model divided by --heads"},
		{names.ParamValueDimension, "d-v", &l.Value, "as many as --d-k"},
		{names.ParamNumberBytes, "bytes", &l.Bits, ""},
	}
	asJSON := false
	c := &cobra.Command{
		Use: "cost",
		Long: "Columns:" + listColumns(names.ColumnOperations, names.ColumnShare, names.ColumnGrowth,
			names.ColumnWeightBytes, names.ColumnMadeBytes) +
			"\n--json has these for the whole layer and for each part, and also:\n" +
			listColumns("crossing", "score_matrix_bytes", "score_tile_bytes", "kv_bytes"),
		Args: cmdline.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if l.Key == 0 && l.Model%l.Heads != 0 {
				return notDivisible(l.Model, l.Heads)
			}
			l.Key = cmp.Or(l.Key, l.Model/l.Heads)
			l.KeyHeads = cmp.Or(l.KeyHeads, l.Heads)
			l.Value = cmp.Or(l.Value, l.Key)
			if err := l.Check(); err != nil {
				return nameSizeFlag(err, sizes)
			}
			count := l.Count()
			return show.Print(c.OutOrStdout(), asJSON, count, func() { show.Cost(c.OutOrStdout(), count) })
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	for _, s := range sizes {
		value := cmdline.NewInteger(s.size, 1, cost.MaxSize)
		title := names.EntryOf(names.GroupParameter, s.param).Title
		defaultText := cmp.Or(s.derivedDefault, strconv.FormatInt(*s.size, 10))
		switch s.param {
		case names.ParamContext:
			title = "keys of a row, which are the tokens of the text"
		case names.ParamNumberBytes:
			value = cmdline.NewValue(func(text string) error { return parseBits(text, s.size) })
			defaultText = strconv.FormatInt(*s.size/8, 10)
		}
		flags.Var(value, s.flag, title+" (default "+defaultText+")")
	}
	flags.BoolVar(&l.Causal, "causal", false, names.EntryOf(names.GroupColumn, names.ColumnCausal).Title)
	flags.BoolVar(&asJSON, "json", false, cmdline.JSONUsage)
	return c
}

// notDivisible returns the error for a width d_model that the number of heads does not divide, so
// that d_k cannot be computed.
func notDivisible[T int | int64](width, heads T) error {
	return fmt.Errorf("--heads: %d heads do not divide d_model = %d evenly; say --d-k", heads, width)
}

// parseBits converts a number of bytes to bits. The number may be a fraction such as 0.5.
func parseBits(text string, bits *int64) error {
	x, err := experiment.Number(text)
	if err != nil {
		return err
	}
	const minBytes = 1.0 / 8 // one bit
	isInRange := x >= minBytes && x <= cost.MaxSize
	isWholeBits := 8*x == math.Trunc(8*x)
	if !isInRange || !isWholeBits {
		return fmt.Errorf("%s is not a whole number of bits in 0.125..%d bytes", text, cost.MaxSize)
	}
	*bits = int64(8 * x)
	return nil
}

// nameSizeFlag replaces the name of the parameter in an error about a size by the name of its flag.
func nameSizeFlag(err error, sizes []sizeFlag) error {
	shapeErr, ok := errors.AsType[*cost.ShapeError](err)
	if !ok {
		return err
	}
	i := slices.IndexFunc(sizes, func(s sizeFlag) bool { return s.param == shapeErr.Param })
	if i < 0 {
		return err
	}
	return fmt.Errorf("--%s: %s", sizes[i].flag, shapeErr.Problem)
}

// listColumns returns a line for each column with its title.
func listColumns(columns ...string) string {
	var b strings.Builder
	for _, c := range columns {
		show.Paragraph(&b, "  "+c, 22, names.EntryOf(names.GroupColumn, c).Title)
	}
	return b.String()
}
