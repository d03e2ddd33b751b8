package precision

// Plain adds to each sum the product of a query with its key, in float32 or float64: products
// and sums are rounded to it, and products are added in the order of the components. The keys
// stand one behind the other for each component. Float64 has the products of numbers of float32
// exactly.
func Plain[T float32 | float64](sums, query, keys []T) {
	n := len(sums)
	for t, q := range query {
		for j, k := range keys[t*n : t*n+n] {
			sums[j] += T(q * k)
		}
	}
}

// Add is [Plain] in the format: each product is rounded to it, then added to the sum of
// those before it, which is rounded to it again. Where a product or a sum overflows, over
// is set.
func (f *Format) Add(sums []float64, overflowed []bool, query, keys []float64) {
	n := len(sums)
	for t, q := range query {
		for j, k := range keys[t*n : t*n+n] {
			product := float64(q * k)
			sum := sums[j] + f.Round(product)
			if f.Overflows(product) || f.Overflows(sum) {
				overflowed[j] = true
			}
			sums[j] = f.Round(sum)
		}
	}
}
