package show

import (
	"fmt"
	"io"

	"mcsim/report/digits"
	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// Cost prints a table of the operations and weights of a layer's steps, and then the bytes of the
// scores and of the cached keys and values.
func Cost(w io.Writer, c *cost.Count) {
	maskSuffix, scoresSuffix := "", ""
	if c.Causal {
		maskSuffix, scoresSuffix = ", causal", " with those that the mask hides"
	}
	Linef(w, "One attention layer for %s: D = %s, h = %s heads of queries, g = %s of keys and values, "+
		"d_k = %s, d_v = %s%s.", FormatCount(int(c.Context), "token"), digits.Count(c.Model), digits.Count(c.Heads),
		digits.Count(c.KeyHeads), digits.Count(c.Key), digits.Count(c.Value), maskSuffix)
	fmt.Fprintln(w)
	parts := NewTable(names.ParamPart, names.ColumnOperations, names.ColumnShare, names.ColumnGrowth,
		names.ColumnWeightBytes, names.ColumnMadeBytes)
	for _, p := range c.Parts {
		parts.Add(p.Name, digits.Count(p.Operations), digits.Decimals(100*p.Proportion, 1)+" %",
			"×"+digits.FixedDecimals(p.Growth, 2), formatStoredBytes(p.Weights), formatStoredBytes(p.Outputs))
	}
	parts.Add(names.PartWhole, digits.Count(c.Operations), "100 %", "×"+digits.FixedDecimals(c.Growth, 2),
		formatStoredBytes(c.Weights))
	parts.Print(w)
	fmt.Fprintln(w)
	Linef(w, "From %s on, scores and blend take as many operations as the projections, or more.",
		FormatCount(int(c.Crossing), "token"))
	numberSize := digits.Short(c.Bytes) + " bytes"
	if c.Bytes == 1 {
		numberSize = "1 byte"
	}
	Linef(w, "In numbers of %s: all scores %s%s, in tiles of %d × %d %s; keys and values %s.",
		numberSize, digits.Count(c.Scores), scoresSuffix, cost.TileSide, cost.TileSide, digits.Count(c.Tiles),
		digits.Count(c.Cache))
}

// formatStoredBytes formats a number of bytes, or a dash for 0.
func formatStoredBytes(bytes int64) string {
	if bytes == 0 {
		return digits.None
	}
	return digits.Count(bytes)
}
