package axis

import "math"

// Edges returns the borders of the cells around the values of a logarithmic axis: halfway
// to the neighbours, and as far beyond the outermost.
func Edges(values []float64) (Scale, []float64) {
	n := len(values)
	at := func(i int) float64 { return math.Log2(values[i]) }
	out := make([]float64, n+1)
	for i := 1; i < n; i++ {
		out[i] = (at(i-1) + at(i)) / 2
	}
	first, last := 0.5, 0.5
	if n > 1 {
		first, last = (at(1)-at(0))/2, (at(n-1)-at(n-2))/2
	}
	out[0], out[n] = at(0)-first, at(n-1)+last
	for i := range out {
		out[i] = min(max(math.Exp2(out[i]), math.SmallestNonzeroFloat64), math.MaxFloat64) // a border must have a logarithm
	}
	return Scale{true, out[0], out[n]}, out
}

// Cells is the scale of so many equal cells, of which the i-th stands around i.
func Cells(count int) Scale { return Scale{Lo: -0.5, Hi: float64(count) - 0.5} }
