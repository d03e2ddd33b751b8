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

// The Gram estimator uses all products of n queries with n keys. A score then costs a small part of
// two vectors and d fused multiply-adds, which are far cheaper than sampling d components. The
// scores of a matrix are not independent; theory.Gram has their standard errors. The direct
// estimator with independent pairs is the reference.

func isGram(c experiment.Cell) bool { return c.Estimator() == names.EstimatorGram }

// samplingTime is the time to sample a component, and productTime the time of a product, in
// nanoseconds on a core with AVX-512. They determine the side of the matrices, so a change of them
// changes the samples. A distribution that is missing here has the smallest matrices, which are
// correct but not the fastest.
var samplingTime = map[string]float64{
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
	excess, squareVariance := (float64(l.Kurtosis()*l.Kurtosis())-3)/d, l.Kurtosis()-1
	optimalSide := math.Sqrt(samplingTime[l.Name()] * (2 + excess) * d / (productTime * max(squareVariance, 1e-9)))
	return kernel.TileKeys * int(min(max(math.Round(optimalSide/kernel.TileKeys), 1), 8))
}

// gramChunk is the number of components of the vectors that are in memory at a time.
const gramChunk = 256

// gramMatrices returns the number of matrices of a block, which has about 2¹⁷ sampled components.
func gramMatrices(c experiment.Cell) int64 {
	return max(1, int64((1<<17)/(2*gramSide(c)*c.Dimension())))
}

// gramPairs returns the number of scores of a block.
func gramPairs(c experiment.Cell) int64 {
	side := int64(gramSide(c))
	return gramMatrices(c) * side * side
}

// gramCost returns the cost of a score in sampled components: its part of two vectors, and d
// products, 70 of which take as long as sampling a component.
func gramCost(c experiment.Cell) float64 {
	return float64(c.Dimension()) * (1/float64(gramSide(c)) + 1.0/70)
}

func newGramTheory(c experiment.Cell) theory.Gram {
	side := gramSide(c)
	return theory.NewGram(c.Distribution(), c.Dimension(), side, side)
}

// openGram returns the function that samples the matrices of a block. The node has only sums of the
// scores and of their squares: their kurtosis would not give a standard error, since they are not
// independent.
func openGram(c experiment.Cell) experiment.BlockFunc {
	d := c.Dimension()
	m := newMatrix(gramSide(c), d, kernel.Vectors(c.Distribution()))
	means := make([]float64, gramMatrices(c))
	return func(draw *experiment.BlockStream) moments.Node {
		var sum, squares float64
		for i := range means {
			s, q := m.sample(&draw.Lanes)
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

// matrix is the scratch of one worker: a chunk of components of all vectors, and the tiles of
// unfinished sums of products.
type matrix struct {
	side, d     int
	fillVectors func(*stream.Lanes, [][kernel.Width]float32)
	q, k        [][kernel.Width]float32
	tiles       []kernel.Tile
}

// newMatrix returns the scratch for square matrices of side queries and keys. If all components fit
// into one chunk, one tile is used for all.
func newMatrix(side, d int, vectors func(*stream.Lanes, [][kernel.Width]float32)) *matrix {
	rows := side / kernel.Width * min(d, gramChunk)
	m := &matrix{side: side, d: d, fillVectors: vectors,
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

// sample samples a matrix and returns the sum of its scores and of their squares. Each chunk of
// components has first those of all queries, then those of all keys, in panels of 16 vectors.
func (m *matrix) sample(lanes *stream.Lanes) (sum, squares float64) {
	for first := 0; first < m.d; first += gramChunk {
		rows := min(gramChunk, m.d-first)
		for _, vectors := range [][][kernel.Width]float32{m.q, m.k} {
			for p := range m.side / kernel.Width {
				m.fillVectors(lanes, vectors[p*rows:(p+1)*rows])
			}
		}
		s, q := m.products(rows, first == 0, first+rows == m.d)
		sum, squares = sum+s, squares+q
	}
	return sum, squares
}

// products adds the products of a chunk of components to all tiles and returns the sums of the
// finished scores and of their squares.
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

// refuseGram returns why the Gram estimator cannot be used for a cell.
func refuseGram(c experiment.Cell) error {
	switch l := c.Distribution(); {
	case !isGram(c):
		return nil
	case !l.HasIndependentComponents():
		return fmt.Errorf("the estimator gram requires independent components, which %v does not have; use direct", l)
	case math.IsInf(l.Kurtosis(), 1):
		return fmt.Errorf("the estimator gram requires a fourth moment, which %v does not have (ν ≤ 4); use direct", l)
	}
	return nil
}

// gramEstimates returns the mean and the variance of scores of matrices, with exact standard
// errors.
func gramEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m, matrices, g := n.Moments[0], n.Moments[1], newGramTheory(c)
	errorOfError := g.ErrorOfError(m.N)
	var f experiment.CellEstimates
	f.Add(experiment.WithTheory(c.Estimate(names.ScoreMean, m.N, m.Mean, g.MeanSE(m.N)), 0), errorOfError)
	variance := c.Estimate(names.ScoreVariance, m.N, matrices.Mean, g.VarianceSE(m.N))
	f.AddExact(experiment.WithTheory(variance, g.Variance()), errorOfError, g.VarianceSkew())
	if exact := g.VarianceSE(m.N); exact > 0 {
		addScatter(&f, c, m.N, matrices, exact, g.BlockCumulants())
	} else {
		f.Warn(c.Estimate(names.ScoreVarianceSEBlocks, m.N, 0, 0),
			"left out: the square of a score does not vary, so that every matrix gives the same variance")
	}
	return f
}
