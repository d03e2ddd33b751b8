package plan

// What a plan has that says nothing of it.
const (
	DefaultTolerance = 0.01 // of a gated quantity, relative to its theory
	DefaultRate      = 1e-6 // α and β, each
	defaultSeed      = 1
)
