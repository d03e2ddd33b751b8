//go:build arm64 && !noasm

package kernel

import "mcsim/sim/names"

// implementations lists the fastest first. Every arm64 that Go runs on has NEON.
var implementations = []implementation{
	{"neon", true, 4, map[string]vector{
		names.LawNormal:            {pairs: normalPairsNEON, fill: normalFillNEON, draws: 2},
		names.LawUniform:           {pairs: uniformPairsNEON, fill: uniformFillNEON, draws: 1},
		names.LawRademacher:        {pairs: rademacherPairsNEON, fill: rademacherFillNEON, draws: 32},
		names.LawLaplace:           {pairs: laplacePairsNEON, fill: laplaceFillNEON, draws: 1},
		names.LawTriangular:        {pairs: triangularPairsNEON, fill: triangularFillNEON, draws: 1},
		names.LawTruncatedNormal:   {pairs: truncatedNormalPairsNEON, fill: truncatedNormalFillNEON, draws: 1},
		names.LawStudentT:          {pairs: studentTPairsNEON, fill: studentTFillNEON, draws: 1},
		names.LawBernoulliGaussian: {pairs: bernoulliGaussianPairsNEON, fill: bernoulliGaussianFillNEON, draws: 2},
		names.LawSphere:            {pairs: spherePairsNEON, fill: normalFillNEON, draws: 2, rescale: rescaleNEON},
	}, &assembly{gramNEON, 4, peaksNEON, gapsNEON, softmaxNEON, logsNEON,
		dotsNEON, differencesNEON, blendNEON, aboveNEON, weightsNEON}},
	portable,
}
