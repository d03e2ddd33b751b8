package kernel

import (
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// pairs implements Pairs with the assembly of this implementation. If there is none for the
// distribution, it returns the portable sampler.
func (k implementation) pairs(dist distribution.Distribution) func(s *stream.Lanes, d int, scores *[Width]float32) {
	v, ok := k.distributions[dist.Name()]
	if !ok {
		return newLaneSampler(dist).pairs
	}
	p := packParameters(dist)
	return func(s *stream.Lanes, d int, scores *[Width]float32) {
		for lane := 0; lane < Width; lane += k.lanes {
			v.pairs(&s.S[0][lane], d, &scores[lane], &p[0])
		}
	}
}

// vectors implements Vectors like pairs. Assembly samples whole groups; draws beyond the dimension
// are discarded.
func (k implementation) vectors(dist distribution.Distribution) func(s *stream.Lanes, dst [][Width]float32) {
	v, ok := k.distributions[dist.Name()]
	if !ok {
		return newLaneSampler(dist).vectors
	}
	p := packParameters(dist)
	return func(s *stream.Lanes, dst [][Width]float32) {
		full := len(dst) / v.draws * v.draws // components of whole groups
		var last [][Width]float32            // draws of the last group, if dst needs only some of them
		if full < len(dst) {
			last = make([][Width]float32, v.draws)
		}
		for lane := 0; lane < Width; lane += k.lanes {
			if full > 0 {
				v.fill(&s.S[0][lane], full/v.draws, &dst[0][lane], &p[0])
			}
			if last != nil {
				v.fill(&s.S[0][lane], 1, &last[0][lane], &p[0])
			}
		}
		copy(dst[full:], last)
		if v.rescale == nil || len(dst) == 0 {
			return
		}
		for lane := 0; lane < Width; lane += k.lanes { // give vectors on the sphere their length
			v.rescale(&dst[0][lane], len(dst))
		}
	}
}

// packParameters returns the parameters that the assembly of the distribution takes, or zeros.
func packParameters(dist distribution.Distribution) *[2]uint32 {
	var p [2]uint32
	if pack, ok := parameterPackers[dist.Name()]; ok {
		p = pack(dist)
	}
	return &p
}
