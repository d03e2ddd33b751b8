package precision

// AddProducts adds to each sum the product of the query with its key, in float32 or float64:
// products and sums are rounded, and products are added in the order of the components. For each
// component, keys has the components of all keys in sequence. In float64 the products of float32
// numbers are exact.
func AddProducts[T float32 | float64](sums, query, keys []T) {
	n := len(sums)
	for t, q := range query {
		for j, k := range keys[t*n : t*n+n] {
			sums[j] += T(q * k)
		}
	}
}

// AddProducts adds the same products as the function [AddProducts], but rounds to the format:
// first each product, then its sum with the previous sum. It sets overflowed[j] if a product or a
// sum of key j overflows.
func (f *Format) AddProducts(sums []float64, overflowed []bool, query, keys []float64) {
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
