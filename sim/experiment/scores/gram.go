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

// The Gram estimator uses all products of n queries with n keys, a matrix of n² scores. A score
// then costs the n-th part of two vectors and d fused multiply-adds, which are far cheaper than
// sampling d components. The scores of a matrix are not independent; theory.Gram has the standard
// errors of their mean and variance. The direct estimator uses independent pairs.

func isGram(c experiment.Cell) bool { return c.Estimator() == names.EstimatorGram }

// samplingTime is the time to sample a component of a distribution, and productTime the time of a
// product of two components, in nanoseconds on a core with AVX-512. They determine the side of the
// matrices, so changing them changes the samples. A distribution without a time has the smallest
// matrices, which are correct but not the fastest.
var samplingTime = map[string]float64{
	names.DistributionNormal: 0.37, names.DistributionUniform: 0.15, names.DistributionRademacher: 0.006,
	names.DistributionLaplace: 0.41, names.DistributionTriangular: 0.28,
	names.DistributionTruncatedNormal: 0.6, names.DistributionStudentT: 1.1, names.DistributionBernoulliGaussian: 0.5,
}

const productTime = 0.0125

// gramSide returns the number n of queries, and also of keys, of a matrix. It is a multiple of
// kernel.TileKeys.
//
// A score costs the time 2t_v·d/n + t_f·d, where t_v is the samplingTime and t_f the productTime.
// The relative variance of the estimated variance, times the number of scores, is
// 2 + (κ²−3)/d + (2n−2)(κ−1)/d, where κ is the kurtosis of a component. The product of both is
// smallest near n = √(t_v·(2 + (κ²−3)/d)·d/(t_f(κ−1))). A side above 8·48 = 384 would gain little,
// and the matrix would not fit into the cache.
func gramSide(c experiment.Cell) int {
	const maxTiles = 8
	dist, d := c.Distribution(), float64(c.Dimension())
	kurtosis := dist.Kurtosis()
	excess, squareVariance := (float64(kurtosis*kurtosis)-3)/d, kurtosis-1
	optimalSide := math.Sqrt(samplingTime[dist.Name()] * (2 + excess) * d / (productTime * max(squareVariance, 1e-9)))
	return kernel.TileKeys * int(min(max(math.Round(optimalSide/kernel.TileKeys), 1), maxTiles))
}

// gramChunk is the number of components of each vector that are held in memory at a time.
const gramChunk = 256

// gramMatrices returns the number of matrices of a block, which has about 2¹⁷ sampled components.
func gramMatrices(c experiment.Cell) int64 {
	const blockComponents = 1 << 17
	return max(1, int64(blockComponents/(2*gramSide(c)*c.Dimension())))
}

// gramPairs returns the number of scores of a block.
func gramPairs(c experiment.Cell) int64 {
	side := int64(gramSide(c))
	return gramMatrices(c) * side * side
}

// gramCost returns the cost of a score in sampled components. It is proportional to d: a part for
// the score's share of its vectors, and a part for the products, of which productsPerComponent take
// as long as sampling a component.
func gramCost(c experiment.Cell) float64 {
	const productsPerComponent = 70
	return float64(c.Dimension()) * (1/float64(gramSide(c)) + 1.0/productsPerComponent)
}

func newGramTheory(c experiment.Cell) theory.Gram {
	side := gramSide(c)
	return theory.NewGram(c.Distribution(), c.Dimension(), side, side)
}

// openGram returns the function that samples the matrices of a block. The node has the moments of
// the scores only up to the second: since the scores are not independent, their kurtosis would not
// give a standard error.
func openGram(c experiment.Cell) experiment.BlockFunc {
	d := c.Dimension()
	m := newMatrix(gramSide(c), d, kernel.Vectors(c.Distribution()))
	means := make([]float64, gramMatrices(c))
	return func(b *experiment.BlockStream) moments.Node {
		var sum, squares float64
		for i := range means {
			matrixSum, matrixSquares := m.sample(&b.Lanes)
			sum, squares = sum+matrixSum, squares+matrixSquares
			means[i] = matrixSquares / m.scores()
		}
		n := m.scores() * float64(len(means))
		mean := sum / n
		scores := moments.Moments{N: int64(n), Order: 2, Mean: mean}
		scores.Sum[2] = squares - float64(float64(n*mean)*mean)
		return moments.Node{Moments: []moments.Moments{scores, moments.New(means, experiment.ErrorOrder)}}
	}
}

// matrix is the scratch of one worker: a chunk of components of all queries q and keys k, and the
// tiles of sums of products that lack the products of further chunks.
type matrix struct {
	side, d     int
	fillVectors func(*stream.Lanes, [][kernel.Width]float32)
	q, k        [][kernel.Width]float32
	tiles       []kernel.Tile
}

// newMatrix returns the scratch for matrices of side queries and side keys with d components. If
// all components fit into one chunk, no sums are kept, so that one tile is enough.
func newMatrix(side, d int, fillVectors func(*stream.Lanes, [][kernel.Width]float32)) *matrix {
	chunkSize := side / kernel.Width * min(d, gramChunk)
	m := &matrix{side: side, d: d, fillVectors: fillVectors,
		q: make([][kernel.Width]float32, chunkSize), k: make([][kernel.Width]float32, chunkSize)}
	tiles := 1
	if d > gramChunk {
		tiles = side / kernel.TileQueries * side / kernel.TileKeys
	}
	m.tiles = make([]kernel.Tile, tiles)
	return m
}

// scores returns the number of scores of a matrix.
func (m *matrix) scores() float64 { return float64(m.side) * float64(m.side) }

// sample samples a matrix and returns the sum of its scores and the sum of their squares. It
// samples the vectors in chunks of components: first the chunk of all queries, then the chunk of
// all keys, in panels of 16 vectors.
func (m *matrix) sample(lanes *stream.Lanes) (sum, squares float64) {
	for first := 0; first < m.d; first += gramChunk {
		components := min(gramChunk, m.d-first)
		for _, vectors := range [][][kernel.Width]float32{m.q, m.k} {
			for panel := range m.side / kernel.Width {
				m.fillVectors(lanes, vectors[panel*components:(panel+1)*components])
			}
		}
		isFirst, isLast := first == 0, first+components == m.d
		chunkSum, chunkSquares := m.addProducts(components, isFirst, isLast)
		sum, squares = sum+chunkSum, squares+chunkSquares
	}
	return sum, squares
}

// addProducts adds the products of a chunk of components to all tiles. After the last chunk it
// returns the sum of the scores and the sum of their squares, and 0 before.
func (m *matrix) addProducts(components int, isFirst, isLast bool) (sum, squares float64) {
	tile := 0
	for key := 0; key < m.side; key += kernel.TileKeys {
		keys := m.k[key/kernel.Width*components:]
		var sums kernel.Sums
		for query := 0; query < m.side; query += kernel.TileQueries {
			panel := m.q[query/kernel.Width*components:][:components]
			half := query % kernel.Width / kernel.TileQueries // of the panel
			kernel.Products(panel, half, keys, components, &m.tiles[tile], isFirst, isLast, &sums)
			if len(m.tiles) > 1 {
				tile++
			}
		}
		for j := range sums[0] {
			sum += float64(sums[0][j])
			squares += float64(sums[1][j])
		}
	}
	return sum, squares
}

// refuseGram returns an error if the cell has the Gram estimator but cannot use it.
func refuseGram(c experiment.Cell) error {
	switch dist := c.Distribution(); {
	case !isGram(c):
		return nil
	case !dist.HasIndependentComponents():
		return fmt.Errorf("the estimator gram requires independent components, which %v does not have; use direct",
			dist)
	case math.IsInf(dist.Kurtosis(), 1):
		return fmt.Errorf("the estimator gram requires a fourth moment, which %v does not have (ν ≤ 4); use direct",
			dist)
	}
	return nil
}

// gramEstimates returns the mean and the variance of the scores of matrices, with exact standard
// errors, and the standard error of the variance from the scatter of matrices.
func gramEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m, matrices, gram := n.Moments[0], n.Moments[1], newGramTheory(c)
	errorOfError := gram.ErrorOfError(m.N)
	var f experiment.CellEstimates
	f.Add(experiment.WithTheory(c.Estimate(names.ScoreMean, m.N, m.Mean, gram.MeanSE(m.N)), 0), errorOfError)
	variance := c.Estimate(names.ScoreVariance, m.N, matrices.Mean, gram.VarianceSE(m.N))
	f.AddExact(experiment.WithTheory(variance, gram.Variance()), errorOfError, gram.VarianceSkew())
	if exact := gram.VarianceSE(m.N); exact > 0 {
		addScatter(&f, c, m.N, matrices, exact, gram.BlockCumulants())
	} else {
		f.Warn(c.Estimate(names.ScoreVarianceSEBlocks, m.N, 0, 0),
			"left out: the square of a score does not vary, so that every matrix gives the same variance")
	}
	return f
}
