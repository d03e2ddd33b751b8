package weights

import (
	"math"

	"mcsim/sim/kernel"
)

// A uniformly distributed matrix with orthonormal columns is the factor Q of G = QR, with G a
// matrix of independent normal numbers and R with a positive diagonal (Mezzadri, How to Generate
// Random Matrices from the Classical Compact Groups, Notices of the AMS 54, 2007). With the
// Cholesky factor L of GᵀG = LLᵀ it is W = GL⁻ᵀ, so that Wᵀx = L⁻¹Gᵀx and W is never formed. GᵀG is
// summed in float64, since its condition number is the square of the condition number of G.

// addGram adds the products of all columns with each other over a chunk of rows to the lower
// triangle of the d × d matrix p.factor.
func (p *projection) addGram(d, rows int) {
	for a := 0; a < d; a += kernel.Width {
		for b := 0; b <= a; b += kernel.Width {
			p.addGramPanel(d, a, b, rows)
		}
	}
}

// addGramPanel adds the products of sixteen columns from a on with sixteen columns from b on.
func (p *projection) addGramPanel(d, a, b, rows int) {
	var sum [kernel.Width]lanes
	left, right := p.w[a/kernel.Width*rows:][:rows], p.w[b/kernel.Width*rows:][:rows]
	for t := range left {
		var y lanes
		for j, x := range right[t] {
			y[j] = float64(x)
		}
		for i, x := range left[t] {
			x, sums := float64(x), &sum[i]
			for j := range y {
				sums[j] += float64(x * y[j])
			}
		}
	}
	for i := range min(kernel.Width, d-a) {
		for j := range min(kernel.Width, d-b) {
			p.factor[(a+i)*d+b+j] += sum[i][j]
		}
	}
}

// cholesky replaces the lower triangle of a symmetric d × d matrix by its Cholesky factor L; LLᵀ is
// the matrix. A pivot is a diagonal element after subtraction of the previous columns. If it is at
// most minPivot times the element, its column becomes 0.
func cholesky(matrix []float64, d int, minPivot float64) {
	for i := range d {
		rowI := matrix[i*d : i*d+i+1]
		diagonal := rowI[i]
		for j := range rowI {
			rowJ := matrix[j*d : j*d+j+1]
			remainder := rowI[j]
			for k := range j {
				remainder -= float64(rowI[k] * rowJ[k])
			}
			switch {
			case i == j && remainder <= float64(minPivot*diagonal):
				rowI[j] = 0
			case i == j:
				rowI[j] = math.Sqrt(remainder)
			case rowJ[j] == 0:
				rowI[j] = 0
			default:
				rowI[j] = remainder / rowJ[j]
			}
		}
	}
}

// solve replaces each of sixteen vectors Gᵀx by Wᵀx = L⁻¹Gᵀx.
func (p *projection) solve(vectors []component) {
	d := len(vectors)
	solved := make([]lanes, d)
	for i := range vectors {
		coefficients := p.factor[i*d : i*d+i+1]
		var remainder lanes
		for lane, x := range vectors[i] {
			remainder[lane] = float64(x)
		}
		for k, l := range coefficients[:i] {
			known := &solved[k]
			for lane := range remainder {
				remainder[lane] -= float64(l * known[lane])
			}
		}
		for lane := range remainder {
			solved[i][lane] = remainder[lane] / coefficients[i]
			vectors[i][lane] = float32(solved[i][lane])
		}
	}
}

// solveOnes returns Wᵀ1 = L⁻¹Gᵀ1, with the vector 1 of ones.
func (p *projection) solveOnes(d int) []float64 {
	solved := make([]float64, d)
	for i := range solved {
		coefficients := p.factor[i*d : i*d+i+1]
		remainder := p.columnSum(i)
		for k, l := range coefficients[:i] {
			remainder -= float64(l * solved[k])
		}
		solved[i] = remainder / coefficients[i]
	}
	return solved
}
