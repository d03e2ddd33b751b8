package rows

import (
	"slices"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
)

// RowGroup samples sixteen rows of scores at a time, one in each lane. A row is a query with its
// keys. Keys that are too large to be held in memory are sampled in chunks of components. If the
// gradient needs such keys, they are sampled again from the same bits.
type RowGroup struct {
	keys, d                  int // number of keys of a row, and of components of a vector
	chunk                    int // number of components of a vector that are held at a time
	fillVectors              func(*stream.Lanes, [][kernel.Width]float32)
	queryVectors, keyVectors [][kernel.Width]float32 // the current chunk of the query and of all keys
	Scores                   [][kernel.Width]float32
	Norm                     [1][kernel.Width]float32 // |q|²
	start                    stream.Lanes             // stream before the rows, to sample them again
	sharedKeys               bool                     // the keys are shared by many queries
	Peaks                    kernel.Peaks             // the largest scores
	Gradients                *queryGradients

	KeySquares [][kernel.Width]float32 // |k|² of every key; nil if no scaling of the cell has a LogitRule
	logits     [][kernel.Width]float32 // result of Logits
	logitPeaks kernel.Peaks
}

// MaxHeldComponents is the largest number of key components that a lane holds; 16 lanes need 8 MB.
const MaxHeldComponents = 1 << 17

// NewRowGroup returns a RowGroup for rows with the given number of keys, and for gradients under
// the given scalings. Each worker needs its own.
func NewRowGroup(c experiment.Cell, keys int, scalings []Scaling) *RowGroup {
	g := &RowGroup{keys: keys, d: c.Dimension(), fillVectors: kernel.Vectors(c.Distribution()),
		sharedKeys: SharesKeys(c)}
	g.chunk = ChunkSize(c, keys)
	g.queryVectors = make([][kernel.Width]float32, g.chunk)
	g.keyVectors = make([][kernel.Width]float32, keys*g.chunk)
	g.Scores = make([][kernel.Width]float32, keys)
	g.Gradients = newQueryGradients(keys, scalings)
	if slices.ContainsFunc(Scalings(c), func(s Scaling) bool { _, ok := s.LogitRule(); return ok }) {
		g.KeySquares, g.logits = make([][kernel.Width]float32, keys), make([][kernel.Width]float32, keys)
	}
	return g
}

// ChunkSize returns the number of components of each vector that are sampled at a time. It is less
// than d_k only if a lane's keys would exceed [MaxHeldComponents], if the keys are not shared, and
// if the components are independent.
func ChunkSize(c experiment.Cell, keys int) int {
	if !c.Distribution().HasIndependentComponents() || SharesKeys(c) {
		return c.Dimension()
	}
	return min(c.Dimension(), max(chunkStep, MaxHeldComponents/keys/chunkStep*chunkStep))
}

// chunkStep is a divisor of the size of a chunk that is shorter than a vector. It is a multiple of
// the number of components that any distribution samples at once, so that no draws are discarded
// between chunks.
const chunkStep = 32

// SampleKeys samples the keys that the queries of the following calls of SampleRows share.
func (g *RowGroup) SampleKeys(lanes *stream.Lanes) { g.sampleVectors(lanes, g.keyVectors, g.d) }

// sampleVectors fills dst with vectors of d components.
func (g *RowGroup) sampleVectors(lanes *stream.Lanes, dst [][kernel.Width]float32, d int) {
	for first := 0; first < len(dst); first += d {
		g.fillVectors(lanes, dst[first:first+d])
	}
}

// SampleRows samples the queries, and their keys unless they are shared, and computes the scores.
func (g *RowGroup) SampleRows(lanes *stream.Lanes) {
	g.start = *lanes
	clear(g.Scores)
	clear(g.Norm[:])
	clear(g.KeySquares)
	g.sampleChunks(lanes, func(q, k [][kernel.Width]float32) {
		kernel.Dots(q, k, g.Scores)
		kernel.Dots(q, q, g.Norm[:])
		for j := range g.KeySquares {
			key := k[j*len(q) : (j+1)*len(q)]
			kernel.Dots(key, key, g.KeySquares[j:j+1])
		}
	})
	kernel.FindPeaks(g.Scores, &g.Peaks)
}

// Logits returns the scores of the sampled rows and their largest, or the logits if the scaling has a
// LogitRule. The next call overwrites them.
func (g *RowGroup) Logits(s Scaling) ([][kernel.Width]float32, *kernel.Peaks) {
	r, ok := s.LogitRule()
	if !ok {
		return g.Scores, &g.Peaks
	}
	for j := range g.Scores {
		for lane, score := range g.Scores[j] {
			g.logits[j][lane] = float32(r.Logit(&rule.Pair{Score: float64(score), D: g.d, Keys: g.keys,
				QuerySquare: float64(g.Norm[0][lane]), KeySquare: float64(g.KeySquares[j][lane])}))
		}
	}
	kernel.FindPeaks(g.logits, &g.logitPeaks)
	return g.logits, &g.logitPeaks
}

// sampleChunks samples the vectors chunk by chunk and calls f with each chunk.
func (g *RowGroup) sampleChunks(lanes *stream.Lanes, f func(q, k [][kernel.Width]float32)) {
	for first := 0; first < g.d; first += g.chunk {
		width := min(g.chunk, g.d-first)
		q, k := g.queryVectors[:width], g.keyVectors[:width*g.keys]
		g.fillVectors(lanes, q)
		if !g.sharedKeys {
			g.sampleVectors(lanes, k, width)
		}
		f(q, k)
	}
}

// resampleKeys calls f with each chunk of the keys of the last rows, which it samples again if
// there are several chunks.
func (g *RowGroup) resampleKeys(f func(k [][kernel.Width]float32)) {
	if g.chunk == g.d {
		f(g.keyVectors)
		return
	}
	lanes := g.start
	g.sampleChunks(&lanes, func(_, k [][kernel.Width]float32) { f(k) })
}
