//go:build amd64 && !noasm

package kernel

//go:generate go run -C gen . ..

import (
	"mcsim/sim/names"

	"golang.org/x/sys/cpu"
)

// implementations lists the kernels, the fastest first.
var implementations = []implementation{
	{"avx512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW, Width, map[string]vectorKernel{
		names.DistributionNormal:     {pairs: normalPairsAVX512, fill: normalFillAVX512, draws: 2},
		names.DistributionUniform:    {pairs: uniformPairsAVX512, fill: uniformFillAVX512, draws: 1},
		names.DistributionRademacher: {pairs: rademacherPairsAVX512, fill: rademacherFillAVX512, draws: 32},
		names.DistributionLaplace:    {pairs: laplacePairsAVX512, fill: laplaceFillAVX512, draws: 1},
		names.DistributionTriangular: {pairs: triangularPairsAVX512, fill: triangularFillAVX512, draws: 1},
		names.DistributionTruncatedNormal: {pairs: truncatedNormalPairsAVX512, fill: truncatedNormalFillAVX512,
			draws: 1},
		names.DistributionStudentT: {pairs: studentTPairsAVX512, fill: studentTFillAVX512, draws: 1},
		names.DistributionBernoulliGaussian: {pairs: bernoulliGaussianPairsAVX512, fill: bernoulliGaussianFillAVX512,
			draws: 2},
		names.DistributionSphere: {pairs: spherePairsAVX512, fill: normalFillAVX512,
			draws: 2, rescale: rescaleAVX512},
	}, &assembly{gramAVX512, 16, peaksAVX512, gapsAVX512, softmaxAVX512, logsAVX512,
		dotsAVX512, differencesAVX512, blendAVX512, aboveAVX512, weightsAVX512}},
	{"avx2", cpu.X86.HasAVX2 && cpu.X86.HasFMA, Width, map[string]vectorKernel{
		names.DistributionNormal:          {pairs: normalPairsAVX2, fill: normalFillAVX2, draws: 2},
		names.DistributionUniform:         {pairs: uniformPairsAVX2, fill: uniformFillAVX2, draws: 1},
		names.DistributionRademacher:      {pairs: rademacherPairsAVX2, fill: rademacherFillAVX2, draws: 32},
		names.DistributionLaplace:         {pairs: laplacePairsAVX2, fill: laplaceFillAVX2, draws: 1},
		names.DistributionTriangular:      {pairs: triangularPairsAVX2, fill: triangularFillAVX2, draws: 1},
		names.DistributionTruncatedNormal: {pairs: truncatedNormalPairsAVX2, fill: truncatedNormalFillAVX2, draws: 1},
		names.DistributionStudentT:        {pairs: studentTPairsAVX2, fill: studentTFillAVX2, draws: 1},
		names.DistributionBernoulliGaussian: {pairs: bernoulliGaussianPairsAVX2, fill: bernoulliGaussianFillAVX2,
			draws: 2},
		names.DistributionSphere: {pairs: spherePairsAVX2, fill: normalFillAVX2,
			draws: 2, rescale: rescaleAVX2},
	}, &assembly{gramAVX2, 8, peaksAVX2, gapsAVX2, softmaxAVX2, logsAVX2,
		dotsAVX2, differencesAVX2, blendAVX2, aboveAVX2, weightsAVX2}},
	portable,
}
