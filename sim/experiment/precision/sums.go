package precision

// AddProducts adds the inner product of the query and key j to sums[j], in float32 or float64. It
// adds the products of components one after the other, and rounds each product and each sum. keys
// has the first component of all keys, then the second, and so on. In float64 the products of
// float32 numbers are exact.
func AddProducts[T float32 | float64](sums, query, keys []T) {
	n := len(sums)
	for t, q := range query {
		for j, k := range keys[t*n : t*n+n] {
			sums[j] += T(q * k)
		}
	}
}

// AddProducts adds the same products as the function [AddProducts], but rounds each product and
// each sum to the format. It sets overflowed[j] if a product or a sum of key j overflows.
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
