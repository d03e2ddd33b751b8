package rows

import (
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
)

// Group draws sixteen rows of scores at a time, one in each lane: a query
// and its keys. Vectors that are too large to be held come in chunks of
// components, and are drawn a second time where the gradient asks for them.
type Group struct {
	keys, d, chunk int
	vectors        func(*stream.Lanes, [][kernel.Width]float32)
	query, key     [][kernel.Width]float32 // a chunk of the query and of all keys
	Scores         [][kernel.Width]float32
	Norm           [1][kernel.Width]float32 // |q|²
	start          stream.Lanes             // before the rows
	shared         bool                     // the keys serve many queries
	Peaks          kernel.Peaks
	Gradients      *queryGradients // nil without gradients
}

// MaxHeldComponents is how many components of keys a lane holds: 8 MB of all 16.
const MaxHeldComponents = 1 << 17

// NewGroup returns the scratch of a worker for rows of so many keys, with gradients under
// the scalings, which may be none.
func NewGroup(c experiment.Cell, keys int, scalings []Scaling) *Group {
	g := &Group{keys: keys, d: c.Dimension(), vectors: kernel.Vectors(c.Distribution()), shared: SharesKeys(c)}
	g.chunk = Chunk(c, keys)
	g.query = make([][kernel.Width]float32, g.chunk)
	g.key = make([][kernel.Width]float32, keys*g.chunk)
	g.Scores = make([][kernel.Width]float32, keys)
	g.Gradients = newQueryGradients(keys, scalings)
	return g
}

// Chunk returns how many components of the vectors of so many keys are drawn and held at once:
// all where they are few, are shared or depend on each other.
func Chunk(c experiment.Cell, keys int) int {
	if !c.Distribution().HasIndependentComponents() || SharesKeys(c) {
		return c.Dimension()
	}
	return min(c.Dimension(), max(chunkStep, MaxHeldComponents/keys/chunkStep*chunkStep))
}

// chunkStep is a whole number of the groups of components that every distribution draws.
const chunkStep = 32

// DrawKeys draws the keys that the queries to come share.
func (g *Group) DrawKeys(lanes *stream.Lanes) { g.drawVectors(lanes, g.key, g.d) }

// drawVectors fills to with vectors of d components, one after the other.
func (g *Group) drawVectors(lanes *stream.Lanes, dst [][kernel.Width]float32, d int) {
	for first := 0; first < len(dst); first += d {
		g.vectors(lanes, dst[first:first+d])
	}
}

// DrawRows draws the queries, and keys of their own unless they share them,
// and computes the scores.
func (g *Group) DrawRows(lanes *stream.Lanes) {
	g.start = *lanes
	clear(g.Scores)
	clear(g.Norm[:])
	g.chunks(lanes, func(q, k [][kernel.Width]float32) {
		kernel.Dots(q, k, g.Scores)
		kernel.Dots(q, q, g.Norm[:])
	})
	kernel.FindPeaks(g.Scores, &g.Peaks)
}

// chunks draws the vectors chunk by chunk and calls f with each.
func (g *Group) chunks(lanes *stream.Lanes, f func(q, k [][kernel.Width]float32)) {
	for first := 0; first < g.d; first += g.chunk {
		width := min(g.chunk, g.d-first)
		q, k := g.query[:width], g.key[:width*g.keys]
		g.vectors(lanes, q)
		if !g.shared {
			g.drawVectors(lanes, k, width)
		}
		f(q, k)
	}
}

// redrawKeys calls f with every chunk of the keys once more.
func (g *Group) redrawKeys(f func(k [][kernel.Width]float32)) {
	if g.chunk == g.d {
		f(g.key)
		return
	}
	lanes := g.start
	g.chunks(&lanes, func(_, k [][kernel.Width]float32) { f(k) })
}
