package elementary

// Sum adds the numbers from the first to the last.
func Sum(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// Dot returns the scalar product of x and the first len(x) components of y, summed from the first
// component to the last.
func Dot(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for i, a := range x {
		sum += float64(a * y[i])
	}
	return sum
}

// SumOfSquares adds the squares of the numbers from the first to the last.
func SumOfSquares(xs []float64) float64 { return Dot(xs, xs) }

// Median returns the median of sorted numbers. There must be at least one; they may be infinite.
func Median(sorted []float64) float64 {
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	if low == high {
		return low
	}
	return low + float64((high-low)/2)
}
