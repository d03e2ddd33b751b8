package rows

import (
	"cmp"
	"fmt"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// KeysAxis is the number of keys of a row, 8 where a plan says nothing.
var KeysAxis = experiment.CountAxis(names.ParamKeys, 2, 4096, "8", "8")

// SharedKeysAxis says whether queries share their keys, as those of a sequence do.
var SharedKeysAxis = experiment.YesNoAxis(names.ParamSharedKeys)

// Keys returns how many keys a row of the cell has.
func Keys(c experiment.Cell) int { return int(c.Value(KeysAxis.Name).Number) }

// SharesKeys reports whether the queries of a matrix share their keys.
func SharesKeys(c experiment.Cell) bool { return c.Value(SharedKeysAxis.Name).Name == names.Yes }

// MatrixRows returns how many rows share their keys: a square matrix of scores has as many
// queries as keys, but beyond 64 more of them say little that is new. It is 1 where no
// rows share them.
func MatrixRows(c experiment.Cell) int64 {
	if SharesKeys(c) {
		return min(int64(Keys(c)), 64)
	}
	return 1
}

// MaxSharedComponents bounds the components of shared keys, which must all be held at once.
const MaxSharedComponents = 1 << 18

// refuseHeld refuses keys that must be held whole and are too large for it: shared ones,
// and those of distributions whose components depend on each other.
func refuseHeld(c experiment.Cell) error {
	held := Keys(c) * c.Dimension()
	switch {
	case held <= MaxSharedComponents:
	case SharesKeys(c):
		return fmt.Errorf("%d shared keys of %d components are %d numbers; at most 2^18 can be held", Keys(c),
			c.Dimension(), held)
	case !c.Distribution().HasIndependentComponents():
		return fmt.Errorf("%d keys of the distribution %v of %d components are %d numbers; at most 2^18 can be held",
			Keys(c), c.Distribution(), c.Dimension(), held)
	}
	return nil
}

// MaxBlockRows leaves what a block's rows are made of in the cache, and work for
// every core; MaxBlockComponents bounds what a block draws.
const MaxBlockRows, MaxBlockComponents = 1024, 1 << 20

// Columns returns those of a [Tally] of so many scalings: all Means of rows, and where rows share
// their keys those of matrices behind them.
func Columns(c experiment.Cell, scalings int) []experiment.Column {
	each := experiment.Columns("row", experiment.ErrorOrder, Means)
	if SharesKeys(c) {
		each = append(each, experiment.Columns("matrix", experiment.ErrorOrder, Means)...)
	}
	return slices.Repeat(each, scalings)
}

// Draws returns how many components a row draws.
func Draws(c experiment.Cell) float64 {
	return float64(c.Dimension()) * (1 + float64(Keys(c))/float64(MatrixRows(c)))
}

// Units returns how many rows a block has: whole groups of sixteen, or of sixteen matrices, of no
// more rows than most and no more drawn numbers than components, but one group at least.
func Units(c experiment.Cell, draws float64, maxRows int64, components float64) int64 {
	together := kernel.Width * MatrixRows(c)
	groups := min(float64(maxRows/together), components/(float64(together)*draws))
	return int64(max(1, groups)) * together
}

// Refuse refuses keys that cannot be held, and scalings that are too large.
func Refuse(c experiment.Cell, _ bool) error { return cmp.Or(refuseHeld(c), RefuseScalings(c)) }
