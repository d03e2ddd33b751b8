package rule

// Operations counts operations of arithmetic.
type Operations struct{ Multiplications, Additions, Divisions, SquareRoots, Tanhs float64 }

// Pair is what a logit takes for each pair of a query and a key, once what
// belongs to the query or the key alone is done.
func (r Rule) Pair(d int) Operations { return r.kind.pair(r.param, float64(d)) }

// Vector is what is done once for a query or a key: it is normalised, or
// multiplied by its weights. Where only keys are normalised it is done for keys.
func (r Rule) Vector(d int) Operations {
	if r.kind.vector == nil {
		return Operations{}
	}
	return r.kind.vector(r.param, float64(d))
}

// product is that of two vectors.
func product(d float64) Operations { return Operations{Multiplications: d, Additions: d - 1} }

// scaled adds a multiplication, by a scale.
func (o Operations) scaled() Operations {
	o.Multiplications++
	return o
}

func scaledProduct(_, d float64) Operations { return product(d).scaled() }

// normalised is a square of the length, its inverse root, and a product with it
// of each component.
func normalised(_, d float64) Operations {
	o := product(d)
	o.Multiplications += d
	o.Divisions, o.SquareRoots = 1, 1
	return o
}
