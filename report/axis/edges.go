package axis

import "math"

// Edges returns the borders of the cells around the given values: halfway to
// the neighbours, and as far beyond the outermost.
func Edges(log bool, values []float64) (Scale, []float64) {
	at := make([]float64, len(values))
	for i, v := range values {
		at[i] = v
		if log {
			at[i] = math.Log2(v)
		}
	}
	out := make([]float64, len(at)+1)
	for i := 1; i < len(at); i++ {
		out[i] = (at[i-1] + at[i]) / 2
	}
	first, last := 0.5, 0.5
	if len(at) > 1 {
		first, last = (at[1]-at[0])/2, (at[len(at)-1]-at[len(at)-2])/2
	}
	out[0], out[len(at)] = at[0]-first, at[len(at)-1]+last
	if log {
		for i := range out {
			out[i] = min(max(math.Exp2(out[i]), math.SmallestNonzeroFloat64), math.MaxFloat64) // a border must have a logarithm
		}
	}
	return Scale{log, out[0], out[len(at)]}, out
}

// Cells is the scale of so many equal cells, of which the i-th stands around i.
func Cells(count int) Scale { return Scale{Lo: -0.5, Hi: float64(count) - 0.5} }
