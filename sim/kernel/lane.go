package kernel

import (
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/names"
)

// laneSampler is the portable sampler of a distribution, which runs one lane at a time.
// newGroupSampler makes one from a function that converts words to draws. Assembly gives the same
// bits; a distribution without assembly uses this sampler on every machine.
type laneSampler struct {
	// score samples a pair of dimension d and returns q·k.
	score func(g stream.Lane, d int) (stream.Lane, float32)
	// fill samples a vector into column i of dst.
	fill func(g stream.Lane, dst [][Width]float32, i int) stream.Lane
}

// laneSamplers maps the names of distributions to their samplers, as functions of the parameter.
var laneSamplers = map[string]func(param float64) laneSampler{
	names.DistributionNormal:            normal,
	names.DistributionUniform:           uniform,
	names.DistributionRademacher:        rademacher,
	names.DistributionLaplace:           laplace,
	names.DistributionTriangular:        triangular,
	names.DistributionTruncatedNormal:   truncatedNormal,
	names.DistributionStudentT:          studentT,
	names.DistributionBernoulliGaussian: bernoulliGaussian,
	names.DistributionSphere:            sphere,
}

// newLaneSampler returns the sampler of a distribution. It panics if laneSamplers does not have the
// distribution; the conformance test reports this.
func newLaneSampler(dist distribution.Distribution) laneSampler {
	newSampler, ok := laneSamplers[dist.Name()]
	if !ok {
		panic("kernel: the distribution " + dist.Name() +
			" has no sampler in laneSamplers (sim/kernel/lane.go)")
	}
	return newSampler(dist.Param())
}

// pairs samples a pair in every lane and writes the scores.
func (l laneSampler) pairs(s *stream.Lanes, d int, scores *[Width]float32) {
	for i := range Width {
		g, x := l.score(s.Lane(i), d)
		s.SetLane(i, g)
		scores[i] = x
	}
}

// vectors samples a vector in every lane.
func (l laneSampler) vectors(s *stream.Lanes, dst [][Width]float32) {
	for i := range Width {
		s.SetLane(i, l.fill(s.Lane(i), dst, i))
	}
}

// batch has the words that a sampler takes from a lane at once, and their draws.
type batch struct {
	words [batchWords]uint32
	draws [batchWords]float32
}

// batchWords is a multiple of the number of words of any group. The number of groups is even, so
// that a batch has whole pairs of draws.
const batchWords = 96

// takeGroups takes the words of the next groups from the lane g: as many as fit in the batch or as
// drawsLeft draws need. It returns the lane after them, the words, and a slice for their draws.
func (b *batch) takeGroups(g stream.Lane, drawsLeft, wordsPerGroup, drawsPerGroup int) (next stream.Lane,
	words []uint32, draws []float32) {
	groups := min(batchWords/wordsPerGroup, (drawsLeft+drawsPerGroup-1)/drawsPerGroup)
	words = b.words[:groups*wordsPerGroup]
	for i := range words {
		g, words[i] = g.Next()
	}
	return g, words, b.draws[:groups*drawsPerGroup]
}

// newGroupSampler returns the sampler of a distribution that makes one or two draws from a group of
// words. convert converts the words of several groups to draws. It is faster if it does each step
// of the arithmetic for all groups before the next step.
func newGroupSampler(wordsPerGroup, drawsPerGroup int, convert func(words []uint32, draws []float32)) laneSampler {
	return laneSampler{
		score: func(g stream.Lane, d int) (stream.Lane, float32) {
			var b batch
			var words []uint32
			var draws []float32
			var sum float32
			for left := 2 * d; left > 0; left -= len(draws) {
				g, words, draws = b.takeGroups(g, left, wordsPerGroup, drawsPerGroup)
				convert(words, draws)
				for j := 1; j < len(draws); j += 2 {
					sum += float32(draws[j-1] * draws[j])
				}
			}
			return g, sum
		},
		fill: func(g stream.Lane, dst [][Width]float32, i int) stream.Lane {
			var b batch
			var words []uint32
			var draws []float32
			for position := 0; position < len(dst); position += len(draws) {
				g, words, draws = b.takeGroups(g, len(dst)-position, wordsPerGroup, drawsPerGroup)
				convert(words, draws)
				for j := range min(len(draws), len(dst)-position) {
					dst[position+j][i] = draws[j]
				}
			}
			return g
		},
	}
}
