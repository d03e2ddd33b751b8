package rows

import (
	"fmt"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
)

// KeysAxis is the number of keys of a row, 8 where a plan says nothing.
var KeysAxis = experiment.CountAxis(names.ParamKeys, 2, 4096, "8", "8")

// SharedKeysAxis says whether queries share their keys, as those of a sequence do.
var SharedKeysAxis = experiment.YesNoAxis(names.ParamSharedKeys)

// Keys is how many keys a row of the cell has.
func Keys(c experiment.Cell) int { return int(c.Value(KeysAxis.Name).Number) }

// SharesKeys reports whether the queries of a matrix share their keys.
func SharesKeys(c experiment.Cell) bool { return c.Value(SharedKeysAxis.Name).Name == names.Yes }

// MatrixRows is how many rows share their keys: a square matrix of scores has as many
// queries as keys, but beyond 64 more of them say little that is new. It is 1 where no
// rows share them.
func MatrixRows(c experiment.Cell) int64 {
	if SharesKeys(c) {
		return min(int64(Keys(c)), 64)
	}
	return 1
}

// MostShared bounds the components of shared keys, which must all be held at once.
const MostShared = 1 << 18

// RefuseHeld refuses keys that must be held whole and are too large for it: shared ones,
// and those of laws whose components depend on each other.
func RefuseHeld(c experiment.Cell) error {
	held := Keys(c) * c.Dimension()
	switch {
	case held <= MostShared:
	case SharesKeys(c):
		return fmt.Errorf("%d shared keys of %d components are %d numbers; at most 2^18 can be held", Keys(c), c.Dimension(), held)
	case !c.Law().Independent():
		return fmt.Errorf("%d keys of the law %v of %d components are %d numbers; at most 2^18 can be held", Keys(c), c.Law(), c.Dimension(), held)
	}
	return nil
}

// MostBlockRows leaves what a block's rows are made of in the cache, and work for
// every core; BlockComponents bounds what a block draws.
const MostBlockRows, BlockComponents = 1024, 1 << 20

// ScalingNames names the scalings that a node holds the rows of.
func ScalingNames(all []Scaling) string {
	var list []string
	for _, s := range all {
		list = append(list, s.Axis+"="+s.Value.String())
	}
	return strings.Join(list, ",")
}

// Contents says of a node of rows what the cell's id does not: the scalings that it holds
// them under, and for how many rows the bins of its histograms are made.
func Contents(c experiment.Cell, all []Scaling) string {
	return fmt.Sprintf("%s;bins for %d", ScalingNames(all), quantile.Rung(c.Units))
}

// Columns are those of a [Tally]: for each scaling and each kind of row (single ones, or
// matrices) all Means.
func Columns(scalings int, kinds ...string) []experiment.Column {
	var columns []experiment.Column
	for range scalings {
		for _, kind := range kinds {
			for range Means {
				columns = append(columns, experiment.Column{Name: kind, Order: experiment.ErrorOrder})
			}
		}
	}
	return columns
}
