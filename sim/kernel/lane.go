package kernel

import (
	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/stream"
)

// lane is the portable form of a law: it runs one lane at a time. single and
// fillPairs make its two functions of one that draws. A law in assembly gives the
// same bits; one without it is drawn so on every machine.
type lane struct {
	// score draws a pair of dimension d and returns q·k.
	score func(g stream.Lane, d int) (stream.Lane, float32)
	// fill draws a vector into column i of dst.
	fill func(g stream.Lane, dst [][Width]float32, i int) stream.Lane
}

// lanes holds the laws by name, each as a function of the law's parameter.
var lanes = map[string]func(param float64) lane{
	names.LawNormal:            normal,
	names.LawUniform:           uniform,
	names.LawRademacher:        rademacher,
	names.LawLaplace:           laplace,
	names.LawTriangular:        triangular,
	names.LawTruncatedNormal:   truncatedNormal,
	names.LawStudentT:          studentT,
	names.LawBernoulliGaussian: bernoulliGaussian,
	names.LawSphere:            sphere,
}

// laneOf is the lane of a law. It panics for a law without one; the conformance test
// finds that, and a run meets it as it starts wherever the law has no vector kernel.
func laneOf(l law.Law) lane {
	of, ok := lanes[l.Name()]
	if !ok {
		panic("kernel: the law " + l.Name() + " has no row in lanes (sim/kernel/lane.go), which says how it is drawn")
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

// single is the lane of a law that draws one at a time.
func single(draw func(stream.Lane) (stream.Lane, float32)) lane {
	return lane{
		score: func(g stream.Lane, d int) (stream.Lane, float32) {
			var sum, q, k float32
			for range d {
				g, q = draw(g)
				g, k = draw(g)
				sum += float32(q * k)
			}
			return g, sum
		},
		fill: func(g stream.Lane, dst [][Width]float32, i int) stream.Lane {
			for j := range dst {
				g, dst[j][i] = draw(g)
			}
			return g
		},
	}
}

// fillPairs is the fill of a law that draws two at a time.
func fillPairs(draw func(stream.Lane) (stream.Lane, float32, float32)) func(stream.Lane, [][Width]float32, int) stream.Lane {
	return func(g stream.Lane, dst [][Width]float32, i int) stream.Lane {
		var q, k float32
		for j := 0; j < len(dst); j += 2 {
			g, q, k = draw(g)
			dst[j][i] = q
			if j+1 < len(dst) {
				dst[j+1][i] = k
			}
		}
		return g
	}
}
