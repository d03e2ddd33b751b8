package scores

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// The Gram estimator takes every one of n queries with every one of n keys.
// A score then costs the share of two vectors that it uses and d fused
// multiply-adds, which are far cheaper than d draws; but the scores of a matrix
// are not independent, and its error is that of theory.Gram. Direct is the
// reference: its pairs assume nothing.

func isGram(c experiment.Cell) bool { return c.Estimator() == names.EstimatorGram }

// drawTime is what a component takes to draw, in ns, and productTime what a
// product takes, on a core with AVX-512. They choose the side of the matrices
// and change no estimate, but whoever changes them changes the draws. A distribution that is
// left out has the smallest matrices, which are right but not the fastest.
var drawTime = map[string]float64{
	names.DistributionNormal: 0.37, names.DistributionUniform: 0.15, names.DistributionRademacher: 0.006,
	names.DistributionLaplace: 0.41, names.DistributionTriangular: 0.28,
	names.DistributionTruncatedNormal: 0.6, names.DistributionStudentT: 1.1, names.DistributionBernoulliGaussian: 0.5,
}

const productTime = 0.0125

// gramSide returns the number of queries and of keys of a matrix, in whole tiles of
// 48 keys. The larger it is, the less each score costs, 2t_v·d/n + t_f·d, and
// the more its error, 2 + (κ²−3)/d + (2n−2)(κ−1)/d; their product is least near
// n = √(t_v·(2 + (κ²−3)/d)·d/(t_f(κ−1))). Beyond 384 little would be gained, and
// the matrix would leave the cache.
func gramSide(c experiment.Cell) int {
	l, d := c.Distribution(), float64(c.Dimension())
	excess, spread := (float64(l.Kurtosis()*l.Kurtosis())-3)/d, l.Kurtosis()-1
	best := math.Sqrt(drawTime[l.Name()] * (2 + excess) * d / (productTime * max(spread, 1e-9)))
	return kernel.TileKeys * int(min(max(math.Round(best/kernel.TileKeys), 1), 8))
}

// gramChunk is how many components of the vectors are held at a time.
const gramChunk = 256

// gramMatrices returns the number of matrices of a block: about 2¹⁷ drawn numbers.
func gramMatrices(c experiment.Cell) int64 {
	return max(1, int64((1<<17)/(2*gramSide(c)*c.Dimension())))
}

// gramPairs returns how many scores a block of matrices has.
func gramPairs(c experiment.Cell) int64 {
	side := int64(gramSide(c))
	return gramMatrices(c) * side * side
}

// gramCost returns what a score costs, in drawn components: its share of two
// vectors, and d products, 70 of which take as long as drawing a component.
func gramCost(c experiment.Cell) float64 {
	return float64(c.Dimension()) * (1/float64(gramSide(c)) + 1.0/70)
}

// gramOf returns the theory of the cell's matrices.
func gramOf(c experiment.Cell) theory.Gram {
	side := gramSide(c)
	return theory.NewGram(c.Distribution(), c.Dimension(), side, side)
}

// openGram draws the matrices of a block. The scores go to the node as sums alone: their
// kurtosis would say nothing of the error, since they are not independent.
func openGram(c experiment.Cell) experiment.BlockFunc {
	d := c.Dimension()
	m := newMatrix(gramSide(c), d, kernel.Vectors(c.Distribution()))
	means := make([]float64, gramMatrices(c))
	return func(draw *experiment.BlockStream) moments.Node {
		var sum, squares float64
		for i := range means {
			s, q := m.draw(&draw.Lanes)
			sum, squares = sum+s, squares+q
			means[i] = q / m.scores()
		}
		n := m.scores() * float64(len(means))
		mean := sum / n
		scores := moments.Moments{N: int64(n), Order: 2, Mean: mean}
		scores.Sum[2] = squares - float64(float64(n*mean)*mean)
		return moments.Node{Moments: []moments.Moments{scores, moments.New(means, experiment.ErrorOrder)}}
	}
}

// matrix is the scratch of one worker: a chunk of components of all vectors,
// and the tiles whose products are not all added yet.
type matrix struct {
	side, d int
	vectors func(*stream.Lanes, [][kernel.Width]float32)
	q, k    [][kernel.Width]float32
	tiles   []kernel.Tile
}

// newMatrix returns the scratch for square matrices of side queries and keys. One tile
// serves all where the components come in a single chunk.
func newMatrix(side, d int, vectors func(*stream.Lanes, [][kernel.Width]float32)) *matrix {
	rows := side / kernel.Width * min(d, gramChunk)
	m := &matrix{side: side, d: d, vectors: vectors,
		q: make([][kernel.Width]float32, rows), k: make([][kernel.Width]float32, rows)}
	tiles := 1
	if d > gramChunk {
		tiles = side / kernel.TileQueries * side / kernel.TileKeys
	}
	m.tiles = make([]kernel.Tile, tiles)
	return m
}

// scores returns the number of scores of a matrix.
func (m *matrix) scores() float64 { return float64(m.side) * float64(m.side) }

// draw draws a matrix and returns the sum of its scores and of their squares.
// The components come in chunks, in each of them first those of all queries,
// then those of all keys, 16 vectors side by side.
func (m *matrix) draw(lanes *stream.Lanes) (sum, squares float64) {
	for first := 0; first < m.d; first += gramChunk {
		rows := min(gramChunk, m.d-first)
		for _, all := range [][][kernel.Width]float32{m.q, m.k} {
			for p := range m.side / kernel.Width {
				m.vectors(lanes, all[p*rows:(p+1)*rows])
			}
		}
		s, q := m.products(rows, first == 0, first+rows == m.d)
		sum, squares = sum+s, squares+q
	}
	return sum, squares
}

// products adds the products of a chunk of components to all tiles and returns
// the sums of those that it finishes.
func (m *matrix) products(rows int, first, last bool) (sum, squares float64) {
	next := 0
	for key := 0; key < m.side; key += kernel.TileKeys {
		keys := m.k[key/kernel.Width*rows:]
		var sums kernel.Sums
		for query := 0; query < m.side; query += kernel.TileQueries {
			panel, half := query/kernel.Width*rows, query%kernel.Width/kernel.TileQueries
			kernel.Products(m.q[panel:panel+rows], half, keys, rows, &m.tiles[next], first, last, &sums)
			if len(m.tiles) > 1 {
				next++
			}
		}
		for j := range sums[0] {
			sum += float64(sums[0][j])
			squares += float64(sums[1][j])
		}
	}
	return sum, squares
}

// refuseGram says why a cell cannot be estimated so.
func refuseGram(c experiment.Cell) error {
	switch l := c.Distribution(); {
	case !isGram(c):
		return nil
	case !l.Independent():
		return fmt.Errorf("the estimator gram wants a distribution of independent components, which %v is not; "+
			"take direct", l)
	case math.IsInf(l.Kurtosis(), 1):
		return fmt.Errorf("the estimator gram wants a distribution with a fourth moment, which %v has not (ν ≤ 4); "+
			"take direct", l)
	}
	return nil
}

// gramEstimates: the moments that whole matrices give, with their exact errors.
func gramEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m, matrices, g := n.Moments[0], n.Moments[1], gramOf(c)
	errorOfError := g.ErrorOfError(m.N)
	var f experiment.CellEstimates
	f.Add(experiment.WithTheory(c.Estimate(names.ScoreMean, m.N, m.Mean, g.MeanSE(m.N)), 0), errorOfError)
	variance := c.Estimate(names.ScoreVariance, m.N, matrices.Mean, g.VarianceSE(m.N))
	f.AddExact(experiment.WithTheory(variance, g.Variance()), errorOfError, g.VarianceSkew())
	if exact := g.VarianceSE(m.N); exact > 0 {
		addScatter(&f, c, m.N, matrices, exact, g.Blocks())
	} else {
		f.Warn(c.Estimate(names.ScoreVarianceSEBlocks, m.N, 0, 0),
			"left out: the square of a score does not vary, so that every matrix gives the same variance")
	}
	return f
}
