package weights

import "math"

// wide is the degrees of freedom from which on a χ² is drawn by Wilson and Hilferty's
// cube of a normal number, which is then within 10⁻³ of it.
const wide = 32

// Square makes squared lengths of normal vectors, χ² of as many degrees of freedom as they
// have components.
type Square struct {
	freedom      int
	shift, slope float64
}

// NewSquare returns the Square of vectors of a number of components.
func NewSquare(components int) Square {
	freedom := float64(components)
	return Square{components, 1 - 2/float64(9*freedom), math.Sqrt(2 / float64(9*freedom))}
}

// Numbers returns the number of normal numbers that a length is made of.
func (s Square) Numbers() int {
	if s.freedom >= wide {
		return 1
	}
	return s.freedom
}

// Of returns the squared length that the normal numbers of a lane make.
func (s Square) Of(from []row, lane int) (sum float64) {
	if s.freedom >= wide {
		root := s.shift + float64(s.slope*float64(from[0][lane]))
		return float64(s.freedom) * root * root * root
	}
	for _, x := range from {
		sum += float64(float64(x[lane]) * float64(x[lane]))
	}
	return sum
}
