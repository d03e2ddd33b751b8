package weights

import "math"

// minWilsonHilferty is the degrees of freedom from which on a χ² is drawn by Wilson and Hilferty's
// cube of a normal number, which is then within 10⁻³ of it.
const minWilsonHilferty = 32

// ChiSquare makes squared lengths of normal vectors, χ² of as many degrees of freedom as they
// have components.
type ChiSquare struct {
	dof          int
	shift, slope float64
}

// NewChiSquare returns the Square of vectors of a number of components.
func NewChiSquare(components int) ChiSquare {
	dof := float64(components)
	return ChiSquare{components, 1 - 2/float64(9*dof), math.Sqrt(2 / float64(9*dof))}
}

// NormalsNeeded returns the number of normal numbers that a length is made of.
func (s ChiSquare) NormalsNeeded() int {
	if s.dof >= minWilsonHilferty {
		return 1
	}
	return s.dof
}

// FromNormals returns the squared length that the normal numbers of a lane make.
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
