package plan

// Tolerance and error rates of a plan that says nothing of them.
const (
	DefaultTolerance = 0.01 // of a gated quantity, relative to its theory
	DefaultRate      = 1e-6 // α and β, each
)
