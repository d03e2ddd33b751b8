package precision

import "mcsim/sim/names"

// scoreSums adds up the scores of one row under one config, a chunk of components at a time.
type scoreSums struct {
	config
	factor      float64
	float32Sums []float32 // sums of each key, unless this is the worst case
	formatSums  []float64 // sums of each key in the format, in the worst case
	overflowed  []bool    // whether the sum of each key overflowed
}

// scratch has a chunk of components as they are stored in the format.
type scratch struct {
	query, key               []float64 // multiplied by the scale if it is applied before the product
	float32Query, float32Key []float32 // the same in float32
}

// addProducts adds the products of a chunk of the rounded query with all keys. For each component,
// key has the components of all keys in sequence.
func (s *scoreSums) addProducts(query, key []float64, work *scratch) {
	work.query = s.scaleIf(work.query, query, s.placement != names.PlacementAfter)
	work.key = s.scaleIf(work.key, key, s.placement == names.PlacementSplit)
	if s.isWorstCase() {
		s.format.AddProducts(s.formatSums, s.overflowed, work.query, work.key)
		return
	}
	work.float32Query, work.float32Key = toFloat32(work.float32Query, work.query), toFloat32(work.float32Key, work.key)
	AddProducts(s.float32Sums, work.float32Query, work.float32Key)
}

// scaleIf copies numbers to dst. If scale is true, it multiplies them by the scale and rounds them
// again.
func (s *scoreSums) scaleIf(dst, numbers []float64, scale bool) []float64 {
	dst = append(dst[:0], numbers...)
	if scale {
		for i, x := range dst {
			dst[i] = s.multiplyByScale(x)
		}
	}
	return dst
}

// multiplyByScale returns x times the scale, rounded to the format. In practice the product is a
// float32 first.
func (s *scoreSums) multiplyByScale(x float64) float64 {
	product := float64(x * s.factor)
	if !s.isWorstCase() {
		product = float64(float32(product))
	}
	return s.format.Round(product)
}

// toFloat32 converts numbers that float32 represents exactly.
func toFloat32(dst []float32, numbers []float64) []float32 {
	dst = dst[:0]
	for _, x := range numbers {
		dst = append(dst, float32(x))
	}
	return dst
}

// storeLogits writes the logits as they are stored in the format, after all components have been
// added.
func (s *scoreSums) storeLogits(dst []float32) {
	for j := range dst {
		score := s.formatSums[j]
		if !s.isWorstCase() {
			score = float64(s.float32Sums[j])
			s.overflowed[j] = s.format.Overflows(score)
		}
		score = s.format.Round(score)
		if s.placement == names.PlacementAfter {
			score = s.multiplyByScale(score)
		}
		dst[j] = float32(score)
	}
}
