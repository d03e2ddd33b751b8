package names

// The laws of a component.
const (
	LawNormal            = "normal"
	LawUniform           = "uniform"
	LawRademacher        = "rademacher"
	LawLaplace           = "laplace"
	LawTriangular        = "triangular"
	LawTruncatedNormal   = "truncated-normal"
	LawStudentT          = "student-t"
	LawBernoulliGaussian = "bernoulli-gaussian"
	LawSphere            = "sphere"
)
