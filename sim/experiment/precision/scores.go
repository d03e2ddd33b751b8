package precision

import "mcsim/sim/names"

// sums adds up the scores of one row in one way, some components after the other.
type sums struct {
	way
	factor     float64
	single     []float32 // of each key: in float32
	own        []float64 // or in the format
	overflowed []bool    // whether it overflowed
}

// scratch holds some components as they are stored in the format.
type scratch struct {
	query, key             []float64 // stored, and scaled where that comes first
	singleQuery, singleKey []float32 // the same in float32
}

// add adds the products of some components of the stored query with those of all keys,
// which stand one behind the other for each component.
func (s *sums) add(query, key []float64, t *scratch) {
	t.query = s.scaled(t.query, query, s.placement != names.PlacementAfter)
	t.key = s.scaled(t.key, key, s.placement == names.PlacementSplit)
	if s.worst() {
		s.format.Add(s.own, s.overflowed, t.query, t.key)
		return
	}
	t.singleQuery, t.singleKey = narrow(t.singleQuery, t.query), narrow(t.singleKey, t.key)
	Plain(s.single, t.singleQuery, t.singleKey)
}

// scaled are stored numbers, times the scale and stored again if that is asked.
func (s *sums) scaled(dst, numbers []float64, scale bool) []float64 {
	dst = append(dst[:0], numbers...)
	if scale {
		for i, x := range dst {
			dst[i] = s.times(x)
		}
	}
	return dst
}

// times returns a stored number times the scale, stored: in practice the product is one of
// float32 first.
func (s *sums) times(x float64) float64 {
	product := float64(x * s.factor)
	if !s.worst() {
		product = float64(float32(product))
	}
	return s.format.Round(product)
}

// narrow writes numbers that float32 has.
func narrow(dst []float32, numbers []float64) []float32 {
	dst = dst[:0]
	for _, x := range numbers {
		dst = append(dst, float32(x))
	}
	return dst
}

// logits writes the stored logits, when all components are added.
func (s *sums) logits(dst []float32) {
	for j := range dst {
		score := s.own[j]
		if !s.worst() {
			score = float64(s.single[j])
			s.overflowed[j] = s.format.Overflows(score)
		}
		score = s.format.Round(score)
		if s.placement == names.PlacementAfter {
			score = s.times(score)
		}
		dst[j] = float32(score)
	}
}
