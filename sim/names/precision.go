package names

import "mcsim/sim/names/formats"

// Quantities of what a format of few digits makes of scores and weights.
const (
	TotalVariation = "total_variation"
	Overflow       = "overflow"
	Headroom       = "headroom"
)

// precisionSource is where they are made.
const precisionSource = "mcsim, sim/experiment/precision"

// precisions are the quantities of rows that are computed in a format.
var precisions = []Entry{
	ofRow("How far the weights of a row in a format are from those in float64 of the same query and keys, unrounded: the part of the weight that stands at another key. It is 1 where a row has no weights, because a score is no finite number.", meanOverRows, Entry{
		Name: TotalVariation, Title: "total variation of the weights", Unit: pure, Range: fraction, Formula: "½ Σ |α in the format − α|", Source: precisionSource}),
	{Name: Overflow, Title: "chance that a score overflows its format", Unit: pure, Range: fraction, Formula: "P(|c·q·k| rounds beyond the greatest number)", Source: precisionSource,
		Definition: "The share of scores that, on the way through the format, lie so far out that they round beyond its greatest number. It is counted of the first key of each row. Its theory is the exact tail of the score of unrounded components."},
	{Name: Headroom, Lines: true, Title: "factor by which scores may grow before they overflow", Unit: pure, Range: notNegative, Formula: "least overflow/limit of c·q·k with P(|c·q·k| > limit) = 10⁻⁶", Source: "mcsim, sim/experiment/precision/tails.go",
		Definition: "How many times as large as those of components of variance 1 the scores that are stored may be before more than one in a million overflows the format, by their exact tail. Below 1 they do so at once. It stands in lines of theory only."},
}

// formatValues are the words of formats.
func formatValues() (all []Entry) {
	for _, l := range formats.Values {
		all = append(all, Entry{Name: l.Name, Title: l.Title, Definition: l.Definition})
	}
	return all
}
