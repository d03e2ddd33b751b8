package kernel

import (
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/names"
)

// lane is the portable form of a distribution: it runs one lane at a time. grouped makes its
// two functions of one that draws. A distribution in assembly gives the same bits; one without
// it is drawn so on every machine.
type lane struct {
	// score draws a pair of dimension d and returns q·k.
	score func(g stream.Lane, d int) (stream.Lane, float32)
	// fill draws a vector into column i of dst.
	fill func(g stream.Lane, dst [][Width]float32, i int) stream.Lane
}

// lanes holds the distributions by name, each as a function of the distribution's parameter.
var lanes = map[string]func(param float64) lane{
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

// laneOf is the lane of a distribution. It panics for a distribution without one; the conformance test
// finds that, and a run meets it as it starts wherever the distribution has no vector kernel.
func laneOf(l distribution.Distribution) lane {
	of, ok := lanes[l.Name()]
	if !ok {
		panic("kernel: the distribution " + l.Name() +
			" has no row in lanes (sim/kernel/lane.go), which says how it is drawn")
	}
	return of(l.Param())
}

// pairs draws a pair in every lane and writes their scores.
func (l lane) pairs(s *stream.Lanes, d int, scores *[Width]float32) {
	for i := range Width {
		g, x := l.score(s.Lane(i), d)
		s.SetLane(i, g)
		scores[i] = x
	}
}

// vectors draws a vector in every lane.
func (l lane) vectors(s *stream.Lanes, dst [][Width]float32) {
	for i := range Width {
		s.SetLane(i, l.fill(s.Lane(i), dst, i))
	}
}

// batch is the words that a lane takes at a time, and the draws made of them.
type batch struct {
	words [batchWords]uint32
	draws [batchWords]float32
}

// batchWords is a multiple of the words of any group, and an even number of groups.
const batchWords = 96

// take takes the words of the next groups, of left draws at most, and makes room for
// their draws.
func (b *batch) take(g stream.Lane, left, words, draws int) (after stream.Lane, from []uint32, to []float32) {
	groups := min(batchWords/words, (left+draws-1)/draws)
	from = b.words[:groups*words]
	for i := range from {
		g, from[i] = g.Next()
	}
	return g, from, b.draws[:groups*draws]
}

// grouped is the lane of a distribution that makes one or two draws of a group of words: of
// makes those of several groups. It takes one step for all of them before the next: a
// processor that has begun many short chains waits less than with few long ones.
func grouped(words, draws int, of func(from []uint32, to []float32)) lane {
	return lane{
		score: func(g stream.Lane, d int) (stream.Lane, float32) {
			var b batch
			var from []uint32
			var to []float32
			var sum float32
			for left := 2 * d; left > 0; left -= len(to) {
				g, from, to = b.take(g, left, words, draws)
				of(from, to)
				for j := 1; j < len(to); j += 2 {
					sum += float32(to[j-1] * to[j])
				}
			}
			return g, sum
		},
		fill: func(g stream.Lane, dst [][Width]float32, i int) stream.Lane {
			var b batch
			var from []uint32
			var to []float32
			for at := 0; at < len(dst); at += len(to) {
				g, from, to = b.take(g, len(dst)-at, words, draws)
				of(from, to)
				for j := range min(len(to), len(dst)-at) {
					dst[at+j][i] = to[j]
				}
			}
			return g
		},
	}
}
