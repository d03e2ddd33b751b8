package kernel

import "mcsim/sim/base/stream"

// minNorm replaces a norm of 0 in divisions. A norm is 0 if all components are rounded to 0.
const minNorm = 1e-30

// sphere samples normal vectors g and h and rescales them to length √d: q·k = d·(g·h)/(|g||h|). The
// square roots |g| and |h| are computed separately, so that d = 1 gives exactly ±1.
func sphere(float64) laneSampler { return laneSampler{score: sphereScore, fill: sphereFill} }

// sphereScore samples both vectors component by component and stores only g·g, h·h and g·h.
func sphereScore(lane stream.Lane, d int) (stream.Lane, float32) {
	var b batch
	var words []uint32
	var draws []float32
	var gg, hh, gh float32
	for left := 2 * d; left > 0; left -= len(draws) {
		lane, words, draws = b.takeGroups(lane, left, 2, 2)
		normalDraws(words, draws)
		for j := 1; j < len(draws); j += 2 {
			g, h := draws[j-1], draws[j]
			gg += float32(g * g)
			hh += float32(h * h)
			gh += float32(g * h)
		}
	}
	norms := sqrt(gg) * sqrt(hh)
	return lane, float32(int32(d)) * (gh / max(norms, minNorm))
}

// sphereFill samples a normal vector and rescales it to length √d.
func sphereFill(lane stream.Lane, dst [][Width]float32, i int) stream.Lane {
	lane = newGroupSampler(2, 2, normalDraws).fill(lane, dst, i)
	var gg float32
	for j := range dst {
		gg += float32(dst[j][i] * dst[j][i])
	}
	scale := sqrt(float32(int32(len(dst)))) / max(sqrt(gg), minNorm)
	for j := range dst {
		dst[j][i] *= scale
	}
	return lane
}
