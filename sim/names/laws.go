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

// lawMoments is where the moments of all laws are.
const lawMoments = "mcsim, sim/law"

// laws are in the order of their table.
var laws = []Entry{
	{Name: LawNormal, Title: "standard normal", Formula: "density e^(−x²/2)/√(2π); κ = 3", Source: lawMoments,
		Definition: "Every component follows the standard normal law, also called Gaussian; flags and plans read gaussian as normal."},
	{Name: LawUniform, Title: "uniform on [−√3, √3]", Formula: "density 1/(2√3) on [−√3, √3]; κ = 9/5", Source: lawMoments,
		Definition: "Every component is equally likely to be anywhere between −√3 and √3."},
	{Name: LawRademacher, Title: "−1 or +1 with equal chance", Formula: "P(x = 1) = P(x = −1) = 1/2; κ = 1", Source: lawMoments,
		Definition: "Every component is −1 or +1 with equal chance."},
	{Name: LawLaplace, Title: "Laplace (two-sided exponential) of scale 1/√2", Formula: "density e^(−√2|x|)/√2; κ = 6", Source: lawMoments,
		Definition: "Every component is as likely to be positive as negative, and its size follows an exponential law of mean 1/√2."},
	{Name: LawTriangular, Title: "triangular on [−√6, √6]", Formula: "density (√6 − |x|)/6 on [−√6, √6]; κ = 12/5", Source: lawMoments,
		Definition: "The density of every component is greatest at 0 and falls along straight lines to 0 at −√6 and √6."},
	{Name: LawTruncatedNormal, Title: "normal cut at ±2 standard deviations and rescaled to variance 1", Formula: "z/√0.773741 given |z| ≤ 2, z normal; κ = 2.36554", Source: lawMoments,
		Definition: "Every component is a normal number that lies within two standard deviations of 0, rescaled so that its variance is 1."},
	{Name: LawStudentT, Title: "Student's t with ν degrees of freedom, rescaled to variance 1", Range: "ν in 2..1000000, without its ends", Formula: "t_ν·√((ν − 2)/ν); κ = 3(ν − 2)/(ν − 4) for ν > 4", Source: lawMoments,
		Definition: "Every component follows Student's t with ν degrees of freedom, rescaled to variance 1. The smaller ν is, the heavier are its tails; moments of order ν and above do not exist."},
	{Name: LawBernoulliGaussian, Title: "zero but for a share p of the components, which are normal of variance 1/p", Range: "p in 0.000001..1, without its ends", Formula: "0 with chance 1 − p, else z/√p; κ = 3/p", Source: lawMoments,
		Definition: "Every component is 0 with the chance 1 − p, and else a normal number of variance 1/p: most of the vector is empty."},
	{Name: LawSphere, Title: "vector uniform on the sphere of radius √d", Formula: "√d·z/|z|, z normal", Source: lawMoments,
		Definition: "The whole vector is equally likely to point in any direction and has the length √d. Its components have variance 1 and are uncorrelated, but not independent."},
}
