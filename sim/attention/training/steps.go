package training

import "math"

// Descend takes a step of gradient descent: w −= rate·g.
func Descend(m *Matrix, rate float64) {
	if hasVectors {
		descendVectors(&m.V[0], &m.G[0], len(m.V), rate)
		return
	}
	descendPortable(m.V, m.G, rate)
}

func descendPortable(w, g []Number, rate float64) {
	for i := range w {
		for l := range Width {
			w[i][l] -= float64(rate * g[i][l])
		}
	}
}

// AdamStep has the numbers of step t of Adam. The order of the fields is the order in which the
// assembly code reads them.
type AdamStep struct {
	GradientWeight   float64 // 1 − β₁
	SquareDecay      float64 // β₂
	SquareWeight     float64 // 1 − β₂
	StepSize         float64 // rate/(1 − β₁ᵗ)
	SquareCorrection float64 // √(1 − β₂ᵗ)
	Epsilon          float64
	decay1, decay2   float64 // β₁ᵗ and β₂ᵗ
}

// The decay rates of Adam, the defaults of Kingma and Ba (2015).
const (
	beta1 = 0.9
	beta2 = 0.999
)

// NewAdam returns the AdamStep before the first step, t = 0.
func NewAdam(epsilon float64) *AdamStep {
	return &AdamStep{GradientWeight: 1 - beta1, SquareDecay: beta2, SquareWeight: 1 - beta2, Epsilon: epsilon,
		decay1: 1, decay2: 1}
}

// Advance changes a to the next step, with the given rate.
func (a *AdamStep) Advance(rate float64) {
	a.decay1, a.decay2 = float64(a.decay1*beta1), float64(a.decay2*beta2)
	a.StepSize, a.SquareCorrection = rate/(1-a.decay1), math.Sqrt(1-a.decay2)
}

// WithRate returns a copy of the step with another rate.
func (a *AdamStep) WithRate(rate float64) *AdamStep {
	b := *a
	b.StepSize = rate / (1 - b.decay1)
	return &b
}

// UpdateByAdam takes a step of Adam (Kingma and Ba: Adam, a Method for Stochastic Optimization,
// ICLR 2015). It updates the moving averages m of the gradient and v of its square. The order of
// the operations is PyTorch's: w −= StepSize·m/(√v/SquareCorrection + ε).
func UpdateByAdam(w *Matrix, m, v []Number, step *AdamStep) {
	if hasVectors {
		adamVectors(&w.V[0], &w.G[0], &m[0], &v[0], len(m), step)
		return
	}
	adamPortable(w.V, w.G, m, v, step)
}

func adamPortable(w, g, m, v []Number, step *AdamStep) {
	for i := range w {
		for l := range Width {
			x := g[i][l]
			m[i][l] += float64(step.GradientWeight * (x - m[i][l]))
			v[i][l] = float64(step.SquareDecay*v[i][l]) + float64(step.SquareWeight*float64(x*x))
			w[i][l] -= float64(step.StepSize*m[i][l]) / (math.Sqrt(v[i][l])/step.SquareCorrection + step.Epsilon)
		}
	}
}
