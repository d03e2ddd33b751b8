package rows

import (
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/stream"
)

// Group draws sixteen rows of scores at a time, one in each lane: a query
// and its keys. Vectors that are too large to be kept come in chunks of
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
	Slopes         *slopes // nil without gradients
}

// keptComponents is how many components of keys a lane keeps: 8 MB of all 16.
const keptComponents = 1 << 17

func NewGroup(c experiment.Cell, keys int, scalings []Scaling) *Group {
	g := &Group{keys: keys, d: c.Dimension(), vectors: kernel.Vectors(c.Law()), shared: SharesKeys(c)}
	g.chunk = min(g.d, max(chunkStep, keptComponents/keys/chunkStep*chunkStep))
	if !c.Law().Independent() || g.shared {
		g.chunk = g.d
	}
	g.query = make([][kernel.Width]float32, g.chunk)
	g.key = make([][kernel.Width]float32, keys*g.chunk)
	g.Scores = make([][kernel.Width]float32, keys)
	g.Slopes = newSlopes(keys, g.chunk, scalings)
	return g
}

// chunkStep is a whole number of the groups of components that every law draws.
const chunkStep = 32

// DrawKeys draws the keys that the queries to come share.
func (g *Group) DrawKeys(lanes *stream.Lanes) { g.drawVectors(lanes, g.key, g.d) }

func (g *Group) drawVectors(lanes *stream.Lanes, to [][kernel.Width]float32, d int) {
	for first := 0; first < len(to); first += d {
		g.vectors(lanes, to[first:first+d])
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
	for from := 0; from < g.d; from += g.chunk {
		width := min(g.chunk, g.d-from)
		q, k := g.query[:width], g.key[:width*g.keys]
		g.vectors(lanes, q)
		if !g.shared {
			g.drawVectors(lanes, k, width)
		}
		f(q, k)
	}
}

// again calls f with every chunk of the keys once more.
func (g *Group) again(f func(k [][kernel.Width]float32)) {
	if g.chunk == g.d {
		f(g.key)
		return
	}
	lanes := g.start
	g.chunks(&lanes, func(_, k [][kernel.Width]float32) { f(k) })
}

// slopes computes ‖JK‖_F, the size of the gradient by the query. With m the key
// of the greatest weight and k' = k − k_m, which J cannot tell from k, and with
// e the weights of the other keys relative to the runner-up's,
//
//	‖JK‖² = c²(Σe²|k'|² − 2c·w·u + c²|u|²Σe² + |u|²/Z²),
//	u = Σe k', w = Σe²k', c = α of the runner-up,
//
// has no difference of nearly equal numbers near saturation, as α_m·(k_m − Σαk)
// would be.
type slopes struct {
	scalings   []Scaling
	base, diff [][kernel.Width]float32 // k_m, and all k' of a chunk
	squares    [][kernel.Width]float32 // |k'|²
	u, w       [][kernel.Width]float32
	at         []slope
}

// slope is what one scaling needs.
type slope struct {
	e, e2          [][kernel.Width]float32
	uu, uw, spread [1][kernel.Width]float32 // |u|², u·w, Σe²|k'|²
}

func newSlopes(keys, chunk int, scalings []Scaling) *slopes {
	s := &slopes{scalings: scalings, at: make([]slope, len(scalings))}
	for _, to := range []*[][kernel.Width]float32{&s.base, &s.u, &s.w} {
		*to = make([][kernel.Width]float32, chunk)
	}
	s.diff = make([][kernel.Width]float32, keys*chunk)
	s.squares = make([][kernel.Width]float32, keys)
	for i := range s.at {
		s.at[i].e = make([][kernel.Width]float32, keys)
		s.at[i].e2 = make([][kernel.Width]float32, keys)
	}
	return s
}

// Measure fills in every slope for the rows of the group.
func (s *slopes) Measure(g *Group) {
	for i := range s.at {
		a := &s.at[i]
		kernel.Weights(g.Scores, &g.Peaks, s.scalings[i].Factor, a.e, a.e2)
		a.uu, a.uw, a.spread = [1][kernel.Width]float32{}, [1][kernel.Width]float32{}, [1][kernel.Width]float32{}
	}
	clear(s.squares)
	g.again(func(k [][kernel.Width]float32) {
		width := len(k) / g.keys
		base, u, w := s.base[:width], s.u[:width], s.w[:width]
		for t := range base {
			for lane, m := range g.Peaks.Index {
				base[t][lane] = k[int(m)*width+t][lane]
			}
		}
		kernel.Differences(k, base, s.diff[:len(k)], s.squares)
		for i := range s.at {
			a := &s.at[i]
			clear(u)
			clear(w)
			kernel.Blend(s.diff[:len(k)], a.e, u)
			kernel.Blend(s.diff[:len(k)], a.e2, w)
			kernel.Dots(u, u, a.uu[:])
			kernel.Dots(u, w, a.uw[:])
		}
	})
	for i := range s.at {
		kernel.Dots(s.at[i].e2, s.squares, s.at[i].spread[:])
	}
}

// square is ‖JK‖_F² of a lane, whose row has the given weight 1/Z of the
// greatest, runner-up relative to it, and Σe².
func (a *slope) square(lane int, weight, runner, e2 float64) float64 {
	c := float64(runner * weight)
	uu, uw := float64(a.uu[0][lane]), float64(a.uw[0][lane])
	inner := float64(a.spread[0][lane]) - float64(2*float64(c*uw)) + float64(uu*(float64(float64(c*c)*e2)+float64(weight*weight)))
	return float64(float64(c*c) * max(inner, 0))
}
