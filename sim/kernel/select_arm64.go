//go:build arm64 && !noasm

package kernel

import "mcsim/sim/names"

// implementations lists the kernels, the fastest first. Every arm64 processor on which Go runs has
// NEON.
var implementations = []implementation{
	{"neon", true, 4, map[string]vectorKernel{
		names.DistributionNormal:          {pairs: normalPairsNEON, fill: normalFillNEON, draws: 2},
		names.DistributionUniform:         {pairs: uniformPairsNEON, fill: uniformFillNEON, draws: 1},
		names.DistributionRademacher:      {pairs: rademacherPairsNEON, fill: rademacherFillNEON, draws: 32},
		names.DistributionLaplace:         {pairs: laplacePairsNEON, fill: laplaceFillNEON, draws: 1},
		names.DistributionTriangular:      {pairs: triangularPairsNEON, fill: triangularFillNEON, draws: 1},
		names.DistributionTruncatedNormal: {pairs: truncatedNormalPairsNEON, fill: truncatedNormalFillNEON, draws: 1},
		names.DistributionStudentT:        {pairs: studentTPairsNEON, fill: studentTFillNEON, draws: 1},
		names.DistributionBernoulliGaussian: {pairs: bernoulliGaussianPairsNEON, fill: bernoulliGaussianFillNEON,
			draws: 2},
		names.DistributionSphere: {pairs: spherePairsNEON, fill: normalFillNEON,
			draws: 2, rescale: rescaleNEON},
	}, &assembly{gramNEON, 4, peaksNEON, gapsNEON, softmaxNEON, logsNEON,
		dotsNEON, differencesNEON, blendNEON, aboveNEON, weightsNEON}},
	portable,
}
