package rows

import (
	"cmp"
	"fmt"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// KeysAxis has the number of keys of a row.
var KeysAxis = experiment.CountAxis(names.ParamKeys, 2, 4096, "8", "8")

// SharedKeysAxis selects whether queries share their keys, as those of a sequence do.
var SharedKeysAxis = experiment.YesNoAxis(names.ParamSharedKeys)

// Keys returns the number of keys of a row of the cell.
func Keys(c experiment.Cell) int { return int(c.Value(KeysAxis.Name).Number) }

// SharesKeys reports whether the queries of a matrix share their keys.
func SharesKeys(c experiment.Cell) bool { return c.Value(SharedKeysAxis.Name).Name == names.Yes }

// MatrixRows returns the number of rows that share their keys, 1 if none do. It is the number of
// keys, as in a square matrix of scores, but at most 64, since more rows add little information.
func MatrixRows(c experiment.Cell) int64 {
	if SharesKeys(c) {
		return min(int64(Keys(c)), 64)
	}
	return 1
}

// MaxSharedComponents limits the components of keys that must be in memory together.
const MaxSharedComponents = 1 << 18

// refuseLargeKeys refuses too large keys that must be in memory as a whole: shared keys, and keys
// of distributions whose components depend on each other.
func refuseLargeKeys(c experiment.Cell) error {
	components := Keys(c) * c.Dimension()
	switch {
	case components <= MaxSharedComponents:
	case SharesKeys(c):
		return fmt.Errorf("%d shared keys of %d components are %d numbers; at most 2^18 can be held", Keys(c),
			c.Dimension(), components)
	case !c.Distribution().HasIndependentComponents():
		return fmt.Errorf("%d keys of the distribution %v of %d components are %d numbers; at most 2^18 can be held",
			Keys(c), c.Distribution(), c.Dimension(), components)
	}
	return nil
}

// MaxBlockRows limits a block so that its rows stay in the cache and every core gets blocks.
// MaxBlockComponents limits the sampled components of a block.
const MaxBlockRows, MaxBlockComponents = 1024, 1 << 20

// Columns returns the columns of a [Tally] with the given number of scalings. Each scaling has the
// Means of rows, followed by the Means of matrices if rows share their keys.
func Columns(c experiment.Cell, scalings int) []experiment.Column {
	columns := experiment.Columns("row", experiment.ErrorOrder, Means)
	if SharesKeys(c) {
		columns = append(columns, experiment.Columns("matrix", experiment.ErrorOrder, Means)...)
	}
	return slices.Repeat(columns, scalings)
}

// ComponentsPerRow returns the number of sampled components per row.
func ComponentsPerRow(c experiment.Cell) float64 {
	return float64(c.Dimension()) * (1 + float64(Keys(c))/float64(MatrixRows(c)))
}

// BlockUnits returns the number of rows of a block: as many groups of sixteen rows or matrices as
// maxRows and maxComponents allow, but at least one.
func BlockUnits(c experiment.Cell, componentsPerRow float64, maxRows int64, maxComponents float64) int64 {
	groupRows := kernel.Width * MatrixRows(c)
	groups := min(float64(maxRows/groupRows), maxComponents/(float64(groupRows)*componentsPerRow))
	return int64(max(1, groups)) * groupRows
}

// Refuse refuses keys that need too much memory, and too large scalings.
func Refuse(c experiment.Cell, _ bool) error { return cmp.Or(refuseLargeKeys(c), RefuseScalings(c)) }
