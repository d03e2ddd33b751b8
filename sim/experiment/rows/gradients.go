package rows

import "mcsim/sim/kernel"

// queryGradients computes ‖JK‖_F, the norm of the gradient of the weights α by the query, where J
// is the Jacobian of the softmax and K the matrix of the keys k. Let m be the key with the largest
// weight α_m = 1/Z, the runner-up the key with the second largest weight c, and k' = k − k_m (J
// maps K and the matrix of all k' to the same matrix). With e = α/c, and sums over all keys but m,
//
//	‖JK‖² = c²(Σe²|k'|² − 2c·w·u + c²|u|²Σe² + |u|²/Z²),
//	u = Σe k', w = Σe²k'.
//
// Unlike α_m·(k_m − Σαk), this has no difference of nearly equal numbers if α_m is nearly 1.
type queryGradients struct {
	scalings          []Scaling
	stepSize          int                     // number of components processed at a time
	base, differences [][kernel.Width]float32 // these components of k_m and of all k'
	squares           [][kernel.Width]float32 // |k'|²
	u, w              [][kernel.Width]float32 // these components of u and w
	gradients         []queryGradient         // sums of each scaling
}

// queryGradient has the sums of one scaling.
type queryGradient struct {
	e, e2             [][kernel.Width]float32  // e and e² of each key
	uu, uw, distances [1][kernel.Width]float32 // |u|², u·w, Σe²|k'|²
}

// Few components are processed at a time. Every scaling reads them twice, so those of all keys
// should fit into the first-level cache.
const (
	minStepSize      = 8   // the number of components that kernel.Blend processes together
	cachedComponents = 256 // number of components of all keys together
)

// newQueryGradients returns the scratch for rows with the given number of keys.
func newQueryGradients(keys int, scalings []Scaling) *queryGradients {
	scratch := func(n int) [][kernel.Width]float32 { return make([][kernel.Width]float32, n) }
	step := max(cachedComponents/keys/minStepSize, 1) * minStepSize
	s := &queryGradients{
		scalings:    scalings,
		stepSize:    step,
		base:        scratch(step),
		differences: scratch(keys * step),
		squares:     scratch(keys),
		u:           scratch(step),
		w:           scratch(step),
		gradients:   make([]queryGradient, len(scalings)),
	}
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
		width := len(k) / g.keys // number of components of each key in this chunk
		for first := 0; first < width; first += s.stepSize {
			s.addStep(g, k, width, first, min(s.stepSize, width-first))
		}
	})
	for i := range s.gradients {
		kernel.Dots(s.gradients[i].e2, s.squares, s.gradients[i].distances[:])
	}
}

// addStep adds the components first to first+n−1 of a chunk of the keys, which have width
// components.
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

// squareNorm returns ‖JK‖_F² of a lane. weight is the largest weight 1/Z of its row, runnerRatio is
// c·Z, and sumE2 is Σe².
func (a *queryGradient) squareNorm(lane int, weight, runnerRatio, sumE2 float64) float64 {
	c := float64(runnerRatio * weight)
	uu, uw := float64(a.uu[0][lane]), float64(a.uw[0][lane])
	bracket := float64(a.distances[0][lane]) - float64(2*float64(c*uw)) +
		float64(uu*(float64(float64(c*c)*sumE2)+float64(weight*weight)))
	return float64(float64(c*c) * max(bracket, 0))
}
