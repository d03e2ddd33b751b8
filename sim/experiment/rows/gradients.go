package rows

import "mcsim/sim/kernel"

// queryGradients computes ‖JK‖_F, the norm of the gradient by the query. Let m be the key with the
// largest weight, k' = k − k_m (J maps k and k' to the same vector), and e the weights of the other
// keys divided by the weight of the runner-up. Then
//
//	‖JK‖² = c²(Σe²|k'|² − 2c·w·u + c²|u|²Σe² + |u|²/Z²),
//	u = Σe k', w = Σe²k', c = α of the runner-up.
//
// Unlike α_m·(k_m − Σαk), this has no difference of nearly equal numbers near saturation.
type queryGradients struct {
	scalings          []Scaling
	stepSize          int                     // number of components processed at a time
	base, differences [][kernel.Width]float32 // k_m and all k' of these components
	squares           [][kernel.Width]float32 // |k'|²
	u, w              [][kernel.Width]float32
	gradients         []queryGradient
}

// queryGradient has the sums of one scaling.
type queryGradient struct {
	e, e2             [][kernel.Width]float32
	uu, uw, distances [1][kernel.Width]float32 // |u|², u·w, Σe²|k'|²
}

// Few components are processed at a time, so that those of all keys fit into the first-level cache:
// every scaling reads them twice.
const (
	minStepSize      = 8   // the number that kernel.Blend processes together
	cachedComponents = 256 // components of all keys together
)

// newQueryGradients returns the scratch for rows with the given number of keys.
func newQueryGradients(keys int, scalings []Scaling) *queryGradients {
	scratch := func(n int) [][kernel.Width]float32 { return make([][kernel.Width]float32, n) }
	step := max(cachedComponents/keys/minStepSize, 1) * minStepSize
	s := &queryGradients{scalings: scalings, gradients: make([]queryGradient, len(scalings)), stepSize: step,
		base:        scratch(step),
		differences: scratch(keys * step), squares: scratch(keys), u: scratch(step), w: scratch(step)}
	for i := range s.gradients {
		s.gradients[i].e, s.gradients[i].e2 = scratch(keys), scratch(keys)
	}
	return s
}

// Compute computes the sums of every scaling for the rows of the group.
func (s *queryGradients) Compute(g *RowGroup) {
	for i := range s.gradients {
		a := &s.gradients[i]
		kernel.Weights(g.Scores, &g.Peaks, s.scalings[i].Factor, a.e, a.e2)
		a.uu, a.uw, a.distances = [1][kernel.Width]float32{}, [1][kernel.Width]float32{}, [1][kernel.Width]float32{}
	}
	clear(s.squares)
	g.resampleKeys(func(k [][kernel.Width]float32) {
		for width, first := len(k)/g.keys, 0; first < width; first += s.stepSize {
			s.addStep(g, k, width, first, min(s.stepSize, width-first))
		}
	})
	for i := range s.gradients {
		kernel.Dots(s.gradients[i].e2, s.squares, s.gradients[i].distances[:])
	}
}

// addStep adds the components first to first+n−1 of the keys, which have width components.
func (s *queryGradients) addStep(g *RowGroup, k [][kernel.Width]float32, width, first, n int) {
	base, u, w, diff := s.base[:n], s.u[:n], s.w[:n], s.differences[:g.keys*n]
	for lane, m := range g.Peaks.Index {
		maxKey := k[int(m)*width+first:][:n]
		for t := range base {
			base[t][lane] = maxKey[t][lane]
		}
	}
	for j := range g.keys {
		kernel.Differences(k[j*width+first:][:n], base, diff[j*n:][:n], s.squares[j:j+1])
	}
	for i := range s.gradients {
		a := &s.gradients[i]
		clear(u)
		clear(w)
		kernel.Blend(diff, a.e, u)
		kernel.Blend(diff, a.e2, w)
		kernel.Dots(u, u, a.uu[:])
		kernel.Dots(u, w, a.uw[:])
	}
}

// squareNorm returns ‖JK‖_F² of a lane. weight is the largest weight 1/Z of its row, runner the
// weight of the runner-up divided by it, and e2 is Σe².
func (a *queryGradient) squareNorm(lane int, weight, runner, e2 float64) float64 {
	c := float64(runner * weight)
	uu, uw := float64(a.uu[0][lane]), float64(a.uw[0][lane])
	inner := float64(a.distances[0][lane]) - float64(2*float64(c*uw)) +
		float64(uu*(float64(float64(c*c)*e2)+float64(weight*weight)))
	return float64(float64(c*c) * max(inner, 0))
}
