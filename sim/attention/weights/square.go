package weights

import "math"

// minWilsonHilferty is the number of degrees of freedom from which χ² is sampled by Wilson and
// Hilferty's cube of a normal number, whose error is then below 10⁻³.
const minWilsonHilferty = 32

// ChiSquare computes squared lengths of vectors of independent standard normal numbers. Their
// distribution is χ² with dof degrees of freedom, or approximately dof·(shift + slope·z)³ with a
// standard normal number z (Wilson and Hilferty).
type ChiSquare struct {
	dof          int
	shift, slope float64
}

// NewChiSquare returns the ChiSquare of vectors with the given number of components.
func NewChiSquare(components int) ChiSquare {
	dof := float64(components)
	return ChiSquare{components, 1 - 2/float64(9*dof), math.Sqrt(2 / float64(9*dof))}
}

// NormalsNeeded returns the number of normal numbers that FromNormals needs for a squared length.
func (s ChiSquare) NormalsNeeded() int {
	if s.dof >= minWilsonHilferty {
		return 1
	}
	return s.dof
}

// FromNormals computes the squared length in one lane. normals has the NormalsNeeded numbers.
func (s ChiSquare) FromNormals(normals []component, lane int) (sum float64) {
	if s.dof >= minWilsonHilferty {
		root := s.shift + float64(s.slope*float64(normals[0][lane]))
		return float64(s.dof) * root * root * root
	}
	for _, x := range normals {
		sum += float64(float64(x[lane]) * float64(x[lane]))
	}
	return sum
}
