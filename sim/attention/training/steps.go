package training

import "math"

// Descend takes a step of gradient descent: w −= rate·g.
func Descend(m *Matrix, rate float64) {
	if vectors {
		descendVectors(&m.V[0], &m.G[0], len(m.V), rate)
		return
	}
	descendPlain(m.V, m.G, rate)
}

// descendPlain is Descend in portable Go.
func descendPlain(w, g []Number, rate float64) {
	for i := range w {
		for l := range Width {
			w[i][l] -= float64(rate * g[i][l])
		}
	}
}

// AdamStep is what a step of Adam takes beside the gradient, in the order in which the
// vector instructions read it.
type AdamStep struct {
	Fresh    float64 // 1 − β₁
	Keep     float64 // β₂
	Share    float64 // 1 − β₂
	Size     float64 // the rate over 1 − β₁ᵗ
	Root     float64 // √(1 − β₂ᵗ)
	Epsilon  float64
	mean, sq float64 // β₁ᵗ and β₂ᵗ
}

// The decays of Adam, the defaults of Kingma and Ba (2015).
const (
	beta1 = 0.9
	beta2 = 0.999
)

// NewAdam returns Adam before its first step.
func NewAdam(epsilon float64) *AdamStep {
	return &AdamStep{Fresh: 1 - beta1, Keep: beta2, Share: 1 - beta2, Epsilon: epsilon, mean: 1, sq: 1}
}

// Next makes the step the next one, at that rate.
func (a *AdamStep) Next(rate float64) {
	a.mean, a.sq = float64(a.mean*beta1), float64(a.sq*beta2)
	a.Size, a.Root = rate/(1-a.mean), math.Sqrt(1-a.sq)
}

// At returns the same step at another rate.
func (a *AdamStep) At(rate float64) *AdamStep {
	b := *a
	b.Size = rate / (1 - b.mean)
	return &b
}

// Adam takes a step of Adam (Kingma and Ba: Adam, a Method for Stochastic Optimization,
// ICLR 2015), with the running means m of the gradient and v of its square, in the
// operations of PyTorch: w −= size·m/(√v/root + ε).
func Adam(w *Matrix, m, v []Number, step *AdamStep) {
	if vectors {
		adamVectors(&w.V[0], &w.G[0], &m[0], &v[0], len(m), step)
		return
	}
	adamPlain(w.V, w.G, m, v, step)
}

// adamPlain is Adam in portable Go.
func adamPlain(w, g, m, v []Number, step *AdamStep) {
	for i := range w {
		for l := range Width {
			x := g[i][l]
			m[i][l] += float64(step.Fresh * (x - m[i][l]))
			v[i][l] = float64(step.Keep*v[i][l]) + float64(step.Share*float64(x*x))
			w[i][l] -= float64(step.Size*m[i][l]) / (math.Sqrt(v[i][l])/step.Root + step.Epsilon)
		}
	}
}
