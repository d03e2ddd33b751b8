package precision

import "mcsim/sim/names"

// scoreSums adds up the scores of one row under one config, a chunk of components at a time.
type scoreSums struct {
	config
	factor      float64   // the scale of the config
	float32Sums []float32 // sum of each key; not used in the worst case
	formatSums  []float64 // sum of each key in the format; used only in the worst case
	overflowed  []bool    // the sum of each key overflowed
}

// scratch has a chunk of components of a query and its keys, as they are stored in the format after
// the multiplication by the scale, if it is applied to them.
type scratch struct {
	query, key               []float64
	float32Query, float32Key []float32 // the same numbers
}

// addProducts adds the products of a chunk of components of the query and all keys, which are
// rounded to the format. key has the first component of all keys, then the second, and so on.
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

// scaleIf overwrites dst with the numbers. If isScaled is true, it multiplies them by the scale and
// rounds them again.
func (s *scoreSums) scaleIf(dst, numbers []float64, isScaled bool) []float64 {
	dst = append(dst[:0], numbers...)
	if isScaled {
		for i, x := range dst {
			dst[i] = s.multiplyByScale(x)
		}
	}
	return dst
}

// multiplyByScale returns x times the scale, rounded to the format. Except in the worst case, the
// product is rounded to float32 before.
func (s *scoreSums) multiplyByScale(x float64) float64 {
	product := float64(x * s.factor)
	if !s.isWorstCase() {
		product = float64(float32(product))
	}
	return s.format.Round(product)
}

// toFloat32 overwrites dst with the numbers, which float32 must represent exactly.
func toFloat32(dst []float32, numbers []float64) []float32 {
	dst = dst[:0]
	for _, x := range numbers {
		dst = append(dst, float32(x))
	}
	return dst
}

// storeLogits writes the logits of all keys, as they are stored in the format, to dst. All
// components must have been added.
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
