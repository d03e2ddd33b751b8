package rows

import (
	"fmt"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// KeysAxis has the number of keys of a row.
var KeysAxis = experiment.CountAxis(names.ParamKeys, 2, 4096, "8", "8")

// SharedKeysAxis selects whether queries share their keys, like the queries of a sequence.
var SharedKeysAxis = experiment.YesNoAxis(names.ParamSharedKeys)

// Keys returns the number of keys of a row of the cell.
func Keys(c experiment.Cell) int { return int(c.Value(KeysAxis.Name).Number) }

// SharesKeys reports whether the queries of a matrix share their keys.
func SharesKeys(c experiment.Cell) bool { return c.Value(SharedKeysAxis.Name).Name == names.Yes }

// MatrixRows returns the number of rows of a matrix, which share their keys, or 1 if rows do not
// share their keys. A matrix has as many rows as keys, but at most maxMatrixRows.
func MatrixRows(c experiment.Cell) int64 {
	if SharesKeys(c) {
		return min(int64(Keys(c)), maxMatrixRows)
	}
	return 1
}

// maxMatrixRows limits the rows of a matrix, since more rows with the same keys add little
// information.
const maxMatrixRows = 64

// MaxSharedComponents is the largest number of components of all keys of a row that can be held in
// memory together.
const MaxSharedComponents = 1 << 18

// refuseLargeKeys refuses keys with more than MaxSharedComponents components if they must be in
// memory together: shared keys, and keys of distributions whose components depend on each other.
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

// MaxBlockRows limits the rows of a block, so that they stay in the cache and there are blocks for
// every core. MaxBlockComponents limits the sampled components of a block.
const MaxBlockRows, MaxBlockComponents = 1024, 1 << 20

// Columns returns the columns of a [Tally] with the given number of scalings. Each scaling has
// [Means] columns for rows, followed by as many columns for matrices if rows share their keys.
func Columns(c experiment.Cell, scalings int) []experiment.Column {
	columns := experiment.Columns("row", experiment.ErrorOrder, Means)
	if SharesKeys(c) {
		perBlock := c.BlockUnits() / MatrixRows(c)
		matrix := experiment.Column{Name: "matrix", Order: experiment.ErrorOrder, PerBlock: perBlock}
		columns = append(columns, slices.Repeat([]experiment.Column{matrix}, Means)...)
	}
	return slices.Repeat(columns, scalings)
}

// Shape returns the shape of the nodes of a [Tally] with the given number of scalings. The counts of
// a scaling are its events and, if rows share their keys, the scatter of each event.
func Shape(c experiment.Cell, scalings int) experiment.Shape {
	matrixRows := MatrixRows(c)
	if matrixRows == 1 {
		return experiment.NewBinnedShape(scalings*Events, scalings*Histograms, scalings*Histograms)
	}
	perScaling := Events + 3*Events
	s := experiment.NewBinnedShape(scalings*perScaling, 2*scalings*Histograms, scalings*Histograms)
	s.MaxCount = func(n moments.Node, i int) int64 {
		rows, field := n.Moments[0].N, i%perScaling-Events
		switch {
		case i >= scalings*perScaling || field < 0:
			return rows
		case field%3 == 0: // squares
			return rows * matrixRows
		}
		return rows / matrixRows
	}
	s.Histogram = func(i int) (inPilot int, numbersPerUnit int64) {
		scaling, j := i/(2*Histograms), i%(2*Histograms)
		if j >= Histograms { // sums of squares of the counts of matrices
			return scaling*Histograms + j - Histograms, matrixRows
		}
		return scaling*Histograms + j, 1
	}
	return s
}

// ComponentsPerRow returns the number of sampled components per row, on average if rows share keys.
func ComponentsPerRow(c experiment.Cell) float64 {
	return float64(c.Dimension()) * (1 + float64(Keys(c))/float64(MatrixRows(c)))
}

// BlockUnits returns the number of rows of a block. A block has as many groups of sixteen rows or
// matrices as maxRows and maxComponents allow, but at least one group.
func BlockUnits(c experiment.Cell, componentsPerRow float64, maxRows int64, maxComponents float64) int64 {
	groupRows := kernel.Width * MatrixRows(c)
	groups := min(float64(maxRows/groupRows), maxComponents/(float64(groupRows)*componentsPerRow))
	return int64(max(1, groups)) * groupRows
}

// Refuse implements the function of an [experiment.Judge]. It refuses keys that need too much
// memory, and scalings with too large factors.
func Refuse(c experiment.Cell, _ bool) error {
	if err := refuseLargeKeys(c); err != nil {
		return err
	}
	return RefuseScalings(c)
}
