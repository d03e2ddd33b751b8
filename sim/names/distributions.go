package names

// The distributions of a component.
const (
	DistributionNormal            = "normal"
	DistributionUniform           = "uniform"
	DistributionRademacher        = "rademacher"
	DistributionLaplace           = "laplace"
	DistributionTriangular        = "triangular"
	DistributionTruncatedNormal   = "truncated-normal"
	DistributionStudentT          = "student-t"
	DistributionBernoulliGaussian = "bernoulli-gaussian"
	DistributionSphere            = "sphere"
)
