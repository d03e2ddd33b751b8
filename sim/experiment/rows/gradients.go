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
	step       int                     // how many components are taken at a time
	base, diff [][kernel.Width]float32 // of these k_m, and all k'
	squares    [][kernel.Width]float32 // |k'|²
	u, w       [][kernel.Width]float32
	scaled     []queryGradient
}

// queryGradient is what one scaling needs.
type queryGradient struct {
	e, e2          [][kernel.Width]float32
	uu, uw, spread [1][kernel.Width]float32 // |u|², u·w, Σe²|k'|²
}

// Components are taken few at a time, so that the first cache holds those of all keys: every
// scaling reads them twice.
const (
	minStep = 8   // as many as kernel.Blend has side by side
	cached  = 256 // of all keys
)

// newQueryGradients returns the scratch for rows of so many keys.
func newQueryGradients(keys int, scalings []Scaling) *queryGradients {
	scratch := func(n int) [][kernel.Width]float32 { return make([][kernel.Width]float32, n) }
	step := max(cached/keys/minStep, 1) * minStep
	s := &queryGradients{scalings: scalings, scaled: make([]queryGradient, len(scalings)), step: step,
		base: scratch(step),
		diff: scratch(keys * step), squares: scratch(keys), u: scratch(step), w: scratch(step)}
	for i := range s.scaled {
		s.scaled[i].e, s.scaled[i].e2 = scratch(keys), scratch(keys)
	}
	return s
}

// Measure fills in every slope for the rows of the group.
func (s *queryGradients) Measure(g *Group) {
	for i := range s.scaled {
		a := &s.scaled[i]
		kernel.Weights(g.Scores, &g.Peaks, s.scalings[i].Factor, a.e, a.e2)
		a.uu, a.uw, a.spread = [1][kernel.Width]float32{}, [1][kernel.Width]float32{}, [1][kernel.Width]float32{}
	}
	clear(s.squares)
	g.redrawKeys(func(k [][kernel.Width]float32) {
		for width, first := len(k)/g.keys, 0; first < width; first += s.step {
			s.addStep(g, k, width, first, min(s.step, width-first))
		}
	})
	for i := range s.scaled {
		kernel.Dots(s.scaled[i].e2, s.squares, s.scaled[i].spread[:])
	}
}

// addStep adds n components from one on, of keys that have so many as width.
func (s *queryGradients) addStep(g *Group, k [][kernel.Width]float32, width, first, n int) {
	base, u, w, diff := s.base[:n], s.u[:n], s.w[:n], s.diff[:g.keys*n]
	for lane, m := range g.Peaks.Index {
		greatest := k[int(m)*width+first:][:n]
		for t := range base {
			base[t][lane] = greatest[t][lane]
		}
	}
	for j := range g.keys {
		kernel.Differences(k[j*width+first:][:n], base, diff[j*n:][:n], s.squares[j:j+1])
	}
	for i := range s.scaled {
		a := &s.scaled[i]
		clear(u)
		clear(w)
		kernel.Blend(diff, a.e, u)
		kernel.Blend(diff, a.e2, w)
		kernel.Dots(u, u, a.uu[:])
		kernel.Dots(u, w, a.uw[:])
	}
}

// square is ‖JK‖_F² of a lane, whose row has the given weight 1/Z of the
// greatest, runner-up relative to it, and Σe².
func (a *queryGradient) square(lane int, weight, runner, e2 float64) float64 {
	c := float64(runner * weight)
	uu, uw := float64(a.uu[0][lane]), float64(a.uw[0][lane])
	inner := float64(a.spread[0][lane]) - float64(2*float64(c*uw)) +
		float64(uu*(float64(float64(c*c)*e2)+float64(weight*weight)))
	return float64(float64(c*c) * max(inner, 0))
}
