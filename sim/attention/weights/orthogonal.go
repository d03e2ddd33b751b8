package weights

import (
	"math"

	"mcsim/sim/kernel"
)

// Orthonormal columns, uniform over all such matrices, are the Q of the
// factors QR of a matrix G of independent normal numbers, where R has a positive
// diagonal (Mezzadri, How to Generate Random Matrices from the Classical Compact
// Groups, Notices of the AMS 54, 2007). With the Cholesky factor L of
// GᵀG = LLᵀ it is W = GL⁻ᵀ, so that Wᵀx = L⁻¹Gᵀx: W itself is never formed. GᵀG is
// summed in float64, since its condition is the square of G's.

// addGram adds the products of all columns with each other, the lower triangle
// of d × d, over a chunk of rows.
func (p *projection) addGram(d, rows int) {
	for a := 0; a < d; a += kernel.Width {
		for b := 0; b <= a; b += kernel.Width {
			p.addPanels(d, a, b, rows)
		}
	}
}

// addPanels adds the products of sixteen columns from a on with sixteen from b on.
func (p *projection) addPanels(d, a, b, rows int) {
	var sum [kernel.Width]lanes
	left, right := p.w[a/kernel.Width*rows:][:rows], p.w[b/kernel.Width*rows:][:rows]
	for t := range left {
		var y lanes
		for j, x := range right[t] {
			y[j] = float64(x)
		}
		for i, x := range left[t] {
			x, line := float64(x), &sum[i]
			for j := range y {
				line[j] += float64(x * y[j])
			}
		}
	}
	for i := range min(kernel.Width, d-a) {
		for j := range min(kernel.Width, d-b) {
			p.factor[(a+i)*d+b+j] += sum[i][j]
		}
	}
}

// cholesky replaces a symmetric d × d matrix by L with LLᵀ the same, in its lower
// triangle. A column of which no more than the given share is left, beside those
// before, becomes 0.
func cholesky(all []float64, d int, singular float64) {
	for i := range d {
		line := all[i*d : i*d+i+1]
		whole := line[i]
		for j := range line {
			other := all[j*d : j*d+j+1]
			rest := line[j]
			for k := range j {
				rest -= float64(line[k] * other[k])
			}
			switch {
			case i == j && rest <= float64(singular*whole), i != j && other[j] == 0:
				line[j] = 0
			case i == j:
				line[j] = math.Sqrt(rest)
			default:
				line[j] = rest / other[j]
			}
		}
	}
}

// solve replaces sixteen vectors Gᵀx by L⁻¹Gᵀx.
func (p *projection) solve(vectors []row) {
	d := len(vectors)
	solved := make([]lanes, d)
	for i := range vectors {
		line := p.factor[i*d : i*d+i+1]
		var rest lanes
		for lane, x := range vectors[i] {
			rest[lane] = float64(x)
		}
		for k, l := range line[:i] {
			other := &solved[k]
			for lane := range rest {
				rest[lane] -= float64(l * other[lane])
			}
		}
		for lane := range rest {
			solved[i][lane] = rest[lane] / line[i]
			vectors[i][lane] = float32(solved[i][lane])
		}
	}
}

// solveOnes returns Wᵀ1 = L⁻¹Gᵀ1.
func (p *projection) solveOnes(d int) []float64 {
	solved := make([]float64, d)
	for i := range solved {
		line := p.factor[i*d : i*d+i+1]
		rest := p.column(i)
		for k, l := range line[:i] {
			rest -= float64(l * solved[k])
		}
		solved[i] = rest / line[i]
	}
	return solved
}
