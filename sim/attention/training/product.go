package training

// orientation determines whether a product reads a factor as it is or transposed.
type orientation bool

const (
	untransposed orientation = false
	transposed   orientation = true
)

// factor is a matrix as a product reads it. The product Σ_t a_it·b_tj reads values[i·outerStride +
// t·innerStride] of its left factor a, and values[j·outerStride + t·innerStride] of its right
// factor b.
type factor struct {
	values                   []Number
	outerStride, innerStride int
}

// leftFactor returns a matrix with the given number of columns as the left factor of a product.
func leftFactor(v []Number, cols int, o orientation) factor {
	if o == transposed {
		return factor{v, 1, cols}
	}
	return factor{v, cols, 1}
}

// rightFactor returns a matrix with the given number of columns as the right factor of a product.
func rightFactor(v []Number, cols int, o orientation) factor {
	if o == transposed {
		return factor{v, cols, 1}
	}
	return factor{v, 1, cols}
}

// The size of the tile of a product that addTile computes.
const (
	tileRows = 2
	tileCols = 4
)

// addProduct adds the product of two factors to the rows × cols matrix dst. Each element of the
// product is a sum of the given number of terms, in their order and from 0 on. The sum is then
// added to the element of dst.
func addProduct(dst []Number, rows, cols, terms int, a, b factor) {
	if rows == 0 || cols == 0 || terms == 0 {
		return
	}
	tiledCols := 0 // number of columns in whole tiles
	if hasVectors {
		tiledCols = cols / tileCols * tileCols
	}
	for j := 0; j < tiledCols; j += tileCols {
		i := 0
		for ; i+tileRows <= rows; i += tileRows {
			addTile(&dst[i*cols+j], cols, terms,
				&a.values[i*a.outerStride], a.outerStride, a.innerStride, &b.values[j*b.outerStride], b.outerStride,
				b.innerStride)
		}
		for ; i < rows; i++ {
			addRow(&dst[i*cols+j], terms, &a.values[i*a.outerStride], a.innerStride, &b.values[j*b.outerStride],
				b.outerStride, b.innerStride)
		}
	}
	addProductPortable(dst, rows, tiledCols, cols, terms, a, b)
}

// addProductPortable does the work of addProduct in portable Go, for the columns from first on.
func addProductPortable(dst []Number, rows, first, cols, terms int, a, b factor) {
	for i := range rows {
		for j := first; j < cols; j++ {
			sum := dotProduct(a.values[i*a.outerStride:], a.innerStride, b.values[j*b.outerStride:], b.innerStride,
				terms)
			entry := &dst[i*cols+j]
			for l := range Width {
				entry[l] += sum[l]
			}
		}
	}
}

// dotProduct returns Σ a[t·aStride]·b[t·bStride] over t from 0 to terms−1.
func dotProduct(a []Number, aStride int, b []Number, bStride, terms int) Number {
	var s0, s1, s2, s3 float64
	for t, x, y := 0, 0, 0; t < terms; t, x, y = t+1, x+aStride, y+bStride {
		p, q := &a[x], &b[y]
		s0 += float64(p[0] * q[0])
		s1 += float64(p[1] * q[1])
		s2 += float64(p[2] * q[2])
		s3 += float64(p[3] * q[3])
	}
	return Number{s0, s1, s2, s3}
}
