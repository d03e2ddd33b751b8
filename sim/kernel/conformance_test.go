package kernel

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// TestConformanceDistributions checks that each distribution has a sampler, and that its draws
// have the moments of the distribution.
func TestConformanceDistributions(t *testing.T) {
	known := distribution.Names()
	for name := range laneSamplers {
		if !slices.Contains(known, name) {
			t.Errorf("laneSamplers has the distribution %q, which is not in the table of sim/base/distribution", name)
		}
	}
	for _, k := range implementations {
		for name := range k.distributions {
			if laneSamplers[name] == nil {
				t.Errorf("the kernel %s has the distribution %q, which is not in laneSamplers", k.name, name)
			}
		}
	}
	referenceNames := readReferenceNames(t)
	for _, dist := range distribution.Defaults() {
		t.Run(dist.String(), func(t *testing.T) {
			t.Parallel()
			newSampler := laneSamplers[dist.Name()]
			if newSampler == nil {
				t.Fatalf("the distribution %q has no sampler in laneSamplers (sim/kernel/lane.go)", dist.Name())
			}
			for _, problem := range findProblems(dist, newSampler(dist.Param()), referenceNames[dist.String()]) {
				t.Error(problem)
			}
		})
	}
}

// readReferenceNames returns the distributions whose moments SciPy computed (moments.csv).
func readReferenceNames(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open("../base/distribution/testdata/moments.csv")
	must(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	must(t, err)
	names := map[string]bool{}
	for _, line := range lines[1:] {
		names[mustParse(t, line[0]).String()] = true
	}
	return names
}

// findProblems returns a sentence for each requirement that a sampler does not meet.
func findProblems(dist distribution.Distribution, sampler laneSampler, hasReference bool) (problems []string) {
	report := func(format string, args ...any) {
		problems = append(problems,
			fmt.Sprintf("the distribution %q: "+format, append([]any{dist.String()}, args...)...))
	}
	if sampler.score == nil || sampler.fill == nil {
		report("its sampler lacks a function for scores or one for vectors")
		return problems
	}
	if dist.HasIndependentComponents() {
		checkMoments(report, dist, sampler, hasReference)
		checkPairs(report, dist, sampler)
	} else {
		checkLengths(report, dist, sampler)
	}
	checkScores(report, dist, sampler)
	return problems
}

// Sample sizes of these tests. A mean may differ from theory by at most maxErrors standard errors.
const (
	conformingDraws  = 1 << 22 // components
	conformingScores = 1 << 18
	maxErrors        = 5
)

// maxInformativeError is the largest relative standard error at which draws are a useful test of a
// moment. Other moments must be compared with another program.
const maxInformativeError = 0.05

// roundingError bounds the relative error of a component by rounding in float32 (see TestLog).
const roundingError = 1e-6

// minModeProportion is the least proportion of the most frequent value of a distribution with
// atoms.
const minModeProportion = 0.005

// checkMoments compares the moments m_k = E x^k of n draws with those of the distribution, up to k
// = 12. The standard error is √((m_2k − m_k²)/n). For 2k > 12, the draws estimate m_2k.
func checkMoments(report func(string, ...any), dist distribution.Distribution, sampler laneSampler, hasReference bool) {
	m, zeros, modeProportion := sampleMoments(dist, sampler)
	const n = conformingDraws
	for i, mean := range []float64{m[1], m[3]} {
		if limit := maxErrors * math.Sqrt(m[2+4*i]/n); !(math.Abs(mean) <= limit) {
			report("its draws have E x^%d = %v, more than %v, but a distribution must be symmetric", 1+2*i, mean, limit)
		}
	}
	for order := 2; order <= 12; order += 2 {
		want, square := dist.Moment(order), m[2*order]
		if 2*order <= 12 {
			square = dist.Moment(2 * order)
		}
		se := math.Sqrt(max(0, square-want*want) / n)
		switch {
		case math.IsInf(dist.Moment(min(2*order, 12)), 1) || se > maxInformativeError*want:
			if !hasReference {
				report("its moment of order %d is not tested, since its draws are not precise enough: add its line to "+
					"sim/base/distribution/testdata/moments.csv, from another program", order)
			}
		case !(math.Abs(m[order]-want) <= maxErrors*se+roundingError*float64(order)*want):
			report("its draws have E x^%d = %v, want %v, standard error %v", order, m[order], want, se)
		}
	}
	proportion, p := 1-zeros/n, dist.NonZeroProbability()
	if limit := maxErrors*math.Sqrt(p*(1-p)/n) + roundingError; !(math.Abs(proportion-p) <= limit) {
		report("a proportion of %v of its draws is not 0, want %v", proportion, p)
	}
	if drawsHaveAtoms := modeProportion > minModeProportion; dist.HasAtoms() != drawsHaveAtoms {
		report("HasAtoms is %v, want %v: the most frequent value is a proportion of %v of its draws", dist.HasAtoms(),
			drawsHaveAtoms, modeProportion)
	}
}

// sampleMoments returns the means m[i] of x^i over conformingDraws draws, the number of zeros among
// them, and the proportion of the most frequent value among the first draws.
func sampleMoments(dist distribution.Distribution, sampler laneSampler) (m [25]float64, zeros, modeProportion float64) {
	s, dst := openLanes("conformance/"+dist.String()), make([][Width]float32, 256)
	counts, total := map[float32]int{}, 0
	for i := 0; i < conformingDraws; i += len(dst) * Width {
		sampler.vectors(s, dst)
		for j := range dst {
			for _, draw := range dst[j] {
				x, power := float64(draw), 1.0
				for order := 1; order < len(m); order++ {
					power *= x
					m[order] += power
				}
				if draw == 0 {
					zeros++
				}
				if i == 0 {
					counts[draw]++
					total++
				}
			}
		}
	}
	for order := range m {
		m[order] /= conformingDraws
	}
	for _, c := range counts {
		modeProportion = max(modeProportion, float64(c)/float64(total))
	}
	return m, zeros, modeProportion
}

// checkPairs checks that a score of pairs is Σ q_i·k_i of the draws q₁, k₁, q₂, k₂, … of vectors.
func checkPairs(report func(string, ...any), dist distribution.Distribution, sampler laneSampler) {
	a, b := openLanes("pairs"), openLanes("pairs")
	for _, d := range []int{1, 2, 3, 17, 33, 100} {
		var scores, sum [Width]float32
		dst := make([][Width]float32, 2*d)
		sampler.pairs(a, d, &scores)
		sampler.vectors(b, dst)
		for j := 0; j < 2*d; j += 2 {
			for i := range Width {
				sum[i] += float32(dst[j][i] * dst[j+1][i])
			}
		}
		if scores != sum || *a != *b {
			report("a score of d = %d is not the sum over q₁k₁, q₂k₂, … of the draws q₁, k₁, q₂, k₂, …", d)
			return
		}
	}
}

// checkLengths checks that vectors have the length √d, which theory assumes for all distributions
// with dependent components.
func checkLengths(report func(string, ...any), dist distribution.Distribution, sampler laneSampler) {
	s := openLanes("lengths")
	for _, d := range []int{1, 2, 64} {
		dst := make([][Width]float32, d)
		sampler.vectors(s, dst)
		square := 0.0
		for j := range dst {
			square += float64(dst[j][0]) * float64(dst[j][0])
		}
		if !(math.Abs(square/float64(d)-1) <= float64(d+6)*0x1p-24) {
			report("a vector of d = %[1]d has |x|² = %[2]v, want %[1]d", d, square)
		}
	}
}

// checkScores compares scores with E S = 0, E S² = d and E S⁴ = 3d² + γ₂d², with γ₂ = (κ² − 3)/d,
// or −6/(d + 2) on the sphere.
func checkScores(report func(string, ...any), dist distribution.Distribution, sampler laneSampler) {
	for _, d := range []int{2, 16} {
		excess := -6 / float64(d+2)
		if dist.HasIndependentComponents() {
			excess = (dist.Kurtosis()*dist.Kurtosis() - 3) / float64(d)
		}
		if math.IsInf(excess, 1) {
			continue
		}
		s, sum, variance := openLanes(fmt.Sprint("scores/", d)), [9]float64{}, float64(d)
		for range conformingScores / Width {
			var scores [stream.Width]float32
			sampler.pairs(s, d, &scores)
			for _, x := range scores {
				square := float64(x) * float64(x) / variance
				sum[1] += float64(x)
				sum[2] += square
				sum[4] += square * square
				sum[8] += square * square * square * square
			}
		}
		for i := range sum {
			sum[i] /= conformingScores
		}
		check := func(statistic string, got, want, square float64) {
			limit := maxErrors*math.Sqrt(max(0, square)/conformingScores) + roundingError
			if !(math.Abs(got-want) <= limit) {
				report("its scores of d = %d have %s %v, want %v", d, statistic, got, want)
			}
		}
		check("the mean", sum[1], 0, variance)
		check("the ratio of the variance to d,", sum[2], 1, 2+excess)
		if dist.HasIndependentComponents() && math.IsInf(dist.Moment(8), 1) {
			continue
		}
		check("the kurtosis", sum[4], 3+excess, sum[8]-sum[4]*sum[4])
	}
}
