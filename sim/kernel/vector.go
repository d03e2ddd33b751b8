package kernel

import (
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// pairs is Pairs: the distribution's assembly, or its portable form where there is none.
func (k implementation) pairs(l distribution.Distribution) func(s *stream.Lanes, d int, scores *[Width]float32) {
	v, ok := k.distributions[l.Name()]
	if !ok {
		return laneOf(l).pairs
	}
	p := wordsOf(l)
	return func(s *stream.Lanes, d int, scores *[Width]float32) {
		for lane := 0; lane < Width; lane += k.lanes {
			v.pairs(&s.S[0][lane], d, &scores[lane], &p[0])
		}
	}
}

// vectors is Vectors. Assembly draws whole groups; of the last one it draws, what is
// beyond the dimension is thrown away.
func (k implementation) vectors(l distribution.Distribution) func(s *stream.Lanes, dst [][Width]float32) {
	v, ok := k.distributions[l.Name()]
	if !ok {
		return laneOf(l).vectors
	}
	p := wordsOf(l)
	return func(s *stream.Lanes, dst [][Width]float32) {
		whole := len(dst) / v.draws * v.draws
		var last [][Width]float32
		if whole < len(dst) {
			last = make([][Width]float32, v.draws)
		}
		for lane := 0; lane < Width; lane += k.lanes {
			if whole > 0 {
				v.fill(&s.S[0][lane], whole/v.draws, &dst[0][lane], &p[0])
			}
			if last != nil {
				v.fill(&s.S[0][lane], 1, &last[0][lane], &p[0])
			}
		}
		copy(dst[whole:], last)
		for lane := 0; lane < Width && v.rescale != nil && len(dst) > 0; lane += k.lanes {
			v.rescale(&dst[0][lane], len(dst))
		}
	}
}

// wordsOf returns the distribution's parameters as the assembly reads them.
func wordsOf(l distribution.Distribution) *[2]uint32 {
	var p [2]uint32
	if words, ok := parameters[l.Name()]; ok {
		p = words(l)
	}
	return &p
}
