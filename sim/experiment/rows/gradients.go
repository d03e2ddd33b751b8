package rows

import "mcsim/sim/kernel"

// queryGradients computes ‖JK‖_F, the size of the gradient by the query. With m the key
// of the greatest weight and k' = k − k_m, which J cannot tell from k, and with
// e the weights of the other keys relative to the runner-up's,
//
//	‖JK‖² = c²(Σe²|k'|² − 2c·w·u + c²|u|²Σe² + |u|²/Z²),
//	u = Σe k', w = Σe²k', c = α of the runner-up,
//
// has no difference of nearly equal numbers near saturation, as α_m·(k_m − Σαk)
// would be.
type queryGradients struct {
	scalings   []Scaling
	base, diff [][kernel.Width]float32 // k_m, and all k' of a chunk
	squares    [][kernel.Width]float32 // |k'|²
	u, w       [][kernel.Width]float32
	at         []queryGradient
}

// queryGradient is what one scaling needs.
type queryGradient struct {
	e, e2          [][kernel.Width]float32
	uu, uw, spread [1][kernel.Width]float32 // |u|², u·w, Σe²|k'|²
}

// newQueryGradients returns the scratch for rows of so many keys, whose components come
// in chunks.
func newQueryGradients(keys, chunk int, scalings []Scaling) *queryGradients {
	scratch := func(n int) [][kernel.Width]float32 { return make([][kernel.Width]float32, n) }
	s := &queryGradients{scalings: scalings, at: make([]queryGradient, len(scalings)), base: scratch(chunk),
		diff: scratch(keys * chunk), squares: scratch(keys), u: scratch(chunk), w: scratch(chunk)}
	for i := range s.at {
		s.at[i].e, s.at[i].e2 = scratch(keys), scratch(keys)
	}
	return s
}

// Measure fills in every slope for the rows of the group.
func (s *queryGradients) Measure(g *Group) {
	for i := range s.at {
		a := &s.at[i]
		kernel.Weights(g.Scores, &g.Peaks, s.scalings[i].Factor, a.e, a.e2)
		a.uu, a.uw, a.spread = [1][kernel.Width]float32{}, [1][kernel.Width]float32{}, [1][kernel.Width]float32{}
	}
	clear(s.squares)
	g.redrawKeys(func(k [][kernel.Width]float32) {
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
func (a *queryGradient) square(lane int, weight, runner, e2 float64) float64 {
	c := float64(runner * weight)
	uu, uw := float64(a.uu[0][lane]), float64(a.uw[0][lane])
	inner := float64(a.spread[0][lane]) - float64(2*float64(c*uw)) + float64(uu*(float64(float64(c*c)*e2)+float64(weight*weight)))
	return float64(float64(c*c) * max(inner, 0))
}
