package plan

// Tolerance, error rates and seed of a plan that says nothing of them.
const (
	DefaultTolerance = 0.01 // of a gated quantity, relative to its theory
	DefaultRate      = 1e-6 // α and β, each
	defaultSeed      = 1
)
