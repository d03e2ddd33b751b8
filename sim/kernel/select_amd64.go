//go:build amd64 && !noasm

package kernel

//go:generate go run -C gen . ..

import "golang.org/x/sys/cpu"

// implementations lists the fastest first.
var implementations = []implementation{
	{"avx512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW, map[string]vector{
		"normal":             {pairs: normalPairsAVX512, fill: normalFillAVX512, draws: 2},
		"uniform":            {pairs: uniformPairsAVX512, fill: uniformFillAVX512, draws: 1},
		"rademacher":         {pairs: rademacherPairsAVX512, fill: rademacherFillAVX512, draws: 32},
		"laplace":            {pairs: laplacePairsAVX512, fill: laplaceFillAVX512, draws: 1},
		"triangular":         {pairs: triangularPairsAVX512, fill: triangularFillAVX512, draws: 1},
		"truncated-normal":   {pairs: truncatedNormalPairsAVX512, fill: truncatedNormalFillAVX512, draws: 1},
		"student-t":          {pairs: studentTPairsAVX512, fill: studentTFillAVX512, draws: 1},
		"bernoulli-gaussian": {pairs: bernoulliGaussianPairsAVX512, fill: bernoulliGaussianFillAVX512, draws: 2},
		"sphere":             {pairs: spherePairsAVX512, fill: normalFillAVX512, draws: 2, rescale: rescaleAVX512},
	}, gramAVX512, rowKernel{16, peaksAVX512, gapsAVX512, softmaxAVX512, logsAVX512},
		laneKernel{16, dotsAVX512, differencesAVX512, blendAVX512, aboveAVX512, weightsAVX512}},
	{"avx2", cpu.X86.HasAVX2 && cpu.X86.HasFMA, map[string]vector{
		"normal":             {pairs: normalPairsAVX2, fill: normalFillAVX2, draws: 2},
		"uniform":            {pairs: uniformPairsAVX2, fill: uniformFillAVX2, draws: 1},
		"rademacher":         {pairs: rademacherPairsAVX2, fill: rademacherFillAVX2, draws: 32},
		"laplace":            {pairs: laplacePairsAVX2, fill: laplaceFillAVX2, draws: 1},
		"triangular":         {pairs: triangularPairsAVX2, fill: triangularFillAVX2, draws: 1},
		"truncated-normal":   {pairs: truncatedNormalPairsAVX2, fill: truncatedNormalFillAVX2, draws: 1},
		"student-t":          {pairs: studentTPairsAVX2, fill: studentTFillAVX2, draws: 1},
		"bernoulli-gaussian": {pairs: bernoulliGaussianPairsAVX2, fill: bernoulliGaussianFillAVX2, draws: 2},
		"sphere":             {pairs: spherePairsAVX2, fill: normalFillAVX2, draws: 2, rescale: rescaleAVX2},
	}, gramAVX2, rowKernel{8, peaksAVX2, gapsAVX2, softmaxAVX2, logsAVX2},
		laneKernel{8, dotsAVX2, differencesAVX2, blendAVX2, aboveAVX2, weightsAVX2}},
	portable,
}
