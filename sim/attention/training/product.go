package training

// orientation determines whether a product reads a factor as it is or transposed.
type orientation bool

const (
	normal     orientation = false
	transposed orientation = true
)

// factor is a matrix as a product reads it. Element (i, t) of the left factor, or (t, j) of the
// right one, is values[i·outerStride + t·innerStride], or with j in place of i.
type factor struct {
	values                   []Number
	outerStride, innerStride int
}

// leftFactor returns the factor that determines the rows of the product.
func leftFactor(v []Number, cols int, o orientation) factor {
	if o == transposed {
		return factor{v, 1, cols}
	}
	return factor{v, cols, 1}
}

// rightFactor returns the factor that determines the columns of the product.
func rightFactor(v []Number, cols int, o orientation) factor {
	if o == transposed {
		return factor{v, cols, 1}
	}
	return factor{v, 1, cols}
}

// The size of the tile of a product that is computed at once.
const (
	tileRows = 2
	tileCols = 4
)

// addProduct adds to dst, rows×cols, the product of two factors with a common size of terms. Each
// element is a sum in the order of the terms that begins with 0 and is then added to the previous
// content.
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

// addProductPortable computes the columns from first on in portable Go.
func addProductPortable(dst []Number, rows, first, cols, terms int, a, b factor) {
	for i := range rows {
		for j := first; j < cols; j++ {
			s := dotProduct(a.values[i*a.outerStride:], a.innerStride, b.values[j*b.outerStride:], b.innerStride, terms)
			entry := &dst[i*cols+j]
			for l := range Width {
				entry[l] += s[l]
			}
		}
	}
}

// dotProduct returns one element of a product.
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
