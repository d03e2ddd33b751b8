package kernel

import "mcsim/sim/stream"

// triangular on [−√6, √6] is the sum of two uniform variates.
func triangular(float64) lane { return single(triangularDraw) }

// triangularDraw draws one variate from two words.
func triangularDraw(g stream.Lane) (stream.Lane, float32) {
	g, a := next(g)
	g, b := next(g)
	return g, (odd(a) + odd(b)) * triangularUnit
}
