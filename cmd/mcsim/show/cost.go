package show

import (
	"fmt"
	"io"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// Cost prints what a layer takes: a table of its steps, and below it what it stores.
func Cost(w io.Writer, c *cost.Count) {
	masked, hidden := "", ""
	if c.Causal {
		masked, hidden = ", causal", " with those that the mask hides"
	}
	fmt.Fprintf(w, "One attention layer for %s: D = %s, h = %s heads of queries, g = %s of keys and values, d_k = %s, d_v = %s%s.\n",
		Counted(int(c.Context), "token"), digits.Count(c.Model), digits.Count(c.Heads), digits.Count(c.KeyHeads), digits.Count(c.Key), digits.Count(c.Value), masked)
	fmt.Fprintln(w)
	lines := []string{strings.Join([]string{names.ParamPart, names.ColumnOperations, names.ColumnShare, names.ColumnGrowth, names.ColumnWeightBytes, names.ColumnMadeBytes}, "\t")}
	for _, p := range c.Parts {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s %%\t×%s\t%s\t%s", p.Name, digits.Count(p.Operations), digits.Decimals(100*p.Share, 1), digits.Places(p.Growth, 2), stored(p.Weights), stored(p.Made)))
	}
	Lines(w, append(lines, fmt.Sprintf("%s\t%s\t100 %%\t×%s\t%s", names.PartWhole, digits.Count(c.Operations), digits.Places(c.Growth, 2), stored(c.Weights))))
	fmt.Fprintln(w)
	fmt.Fprintf(w, "From %s on, scores and blend take as many operations as the projections, or more.\n", Counted(int(c.Crossing), "token"))
	fmt.Fprintf(w, "In numbers of %s: all scores %s%s, in tiles of %d × %d %s; keys and values %s.\n",
		bytesEach(c.Bytes), digits.Count(c.Scores), hidden, cost.TileSide, cost.TileSide, digits.Count(c.Tiles), digits.Count(c.Cache))
}

// bytesEach is the size of a number.
func bytesEach(bytes float64) string {
	if bytes == 1 {
		return "1 byte"
	}
	return digits.Short(bytes) + " bytes"
}

// stored writes bytes, and nothing for none.
func stored(bytes int64) string {
	if bytes == 0 {
		return digits.None
	}
	return digits.Count(bytes)
}
