package precision

import (
	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// PlacementKey is a placement of the scale that the experiment does not have: the key is multiplied
// by it.
const PlacementKey = "before-product-on-k"

// Placements has the exponents of the scale with which a placement multiplies the query, the key
// and the score of given vectors. Their sum is 1.
var Placements = [...]struct {
	Name                    string
	onQuery, onKey, onScore float64
}{
	{names.PlacementAfter, 0, 0, 1},
	{names.PlacementBefore, 1, 0, 0},
	{PlacementKey, 0, 1, 0},
	{names.PlacementSplit, 0.5, 0.5, 0},
}

// GivenKeys holds given keys as they are stored in a format.
type GivenKeys struct {
	format          *Format
	scale           float64
	rows, dimension int
	exact           []float64             // key by key
	stored          map[float64][]float32 // by exponent of the scale: first components, then second ones, and so on
}

// NewGivenKeys stores the first rows of keys in the format.
func NewGivenKeys(f *Format, scale float64, rows, dimension int, keys []float64) *GivenKeys {
	g := &GivenKeys{f, scale, rows, dimension, keys, map[float64][]float32{}}
	columns := make([]float64, rows*dimension)
	for i, x := range keys[:len(columns)] {
		columns[i%dimension*rows+i/dimension] = x
	}
	for _, p := range Placements {
		if g.stored[p.onKey] == nil {
			g.stored[p.onKey] = g.store(columns, p.onKey)
		}
	}
	return g
}

// GivenRow has the results of one row for each placement of the scale.
type GivenRow struct {
	Keys      int                      // number of keys that the row sees
	Overflows [len(Placements)]int     // number of scores that overflow
	Moved     [len(Placements)]float64 // total variation between the weights and the exact weights
}

// MeasureRow computes the row of a query that sees the first keys, as names.ArithmeticPractice
// says.
func (g *GivenKeys) MeasureRow(query []float64, visible int) GivenRow {
	row, exact, weights := GivenRow{Keys: visible}, make([]float64, visible), make([]float32, visible)
	for j := range exact {
		exact[j] = float64(elementary.Dot(query, g.exact[j*g.dimension:(j+1)*g.dimension]) * g.scale)
	}
	SoftmaxFloat64(exact, exact)
	for i, p := range Placements {
		sums, scores := make([]float32, g.rows), make([]float64, visible)
		AddProducts(sums, g.store(query, p.onQuery), g.stored[p.onKey])
		for j := range scores {
			scores[j] = float64(sums[j])
			if g.format.Overflows(scores[j]) {
				row.Overflows[i]++
			}
		}
		row.Moved[i] = 1 // the maximum, if the weights do not exist
		if SoftmaxFloat32(g.store(scores, p.onScore), weights) {
			row.Moved[i] = TotalVariation(weights, exact)
		}
	}
	return row
}

// store returns the numbers as they are stored in the format. If the exponent is above 0, they are
// then multiplied by the scale to this power, in float32, and stored again.
func (g *GivenKeys) store(numbers []float64, exponent float64) []float32 {
	factor := float64(float32(elementary.Pow(g.scale, exponent)))
	stored := make([]float32, len(numbers))
	for i, x := range numbers {
		x = g.format.Round(x)
		if exponent > 0 {
			x = g.format.Round(float64(float32(float64(x * factor))))
		}
		stored[i] = float32(x)
	}
	return stored
}
