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

// TestConformanceDistributions holds each distribution of the table to having a kernel whose draws
// have its moments, and says in a sentence what it lacks.
func TestConformanceDistributions(t *testing.T) {
	known := distribution.Names()
	for name := range lanes {
		if !slices.Contains(known, name) {
			t.Errorf("lanes has a row of the distribution %q, which the table of sim/base/distribution has not", name)
		}
	}
	for _, k := range implementations {
		for name := range k.distributions {
			if lanes[name] == nil {
				t.Errorf("the kernel %s draws the distribution %q, which has no row in lanes", k.name, name)
			}
		}
	}
	tabled := inTable(t)
	for _, l := range distribution.Defaults() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			of := lanes[l.Name()]
			if of == nil {
				t.Fatalf("the distribution %q has no row in lanes (sim/kernel/lane.go), which says how it is drawn", l.Name())
			}
			for _, what := range lacks(l, of(l.Param()), tabled[l.String()]) {
				t.Error(what)
			}
		})
	}
}

// inTable are the distributions whose moments another program has computed.
func inTable(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open("../base/distribution/testdata/moments.csv")
	must(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	must(t, err)
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		seen[parse(t, line[0]).String()] = true
	}
	return seen
}

// lacks says what the kernel of a distribution is without and must have, a sentence each.
func lacks(l distribution.Distribution, k lane, tabled bool) (out []string) {
	fault := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("the distribution %q: "+format, append([]any{l.String()}, args...)...))
	}
	if k.score == nil || k.fill == nil {
		fault("its kernel lacks a function that draws a score, or one that draws a vector")
		return out
	}
	if l.HasIndependentComponents() {
		momentsFit(fault, l, k, tabled)
		pairsFit(fault, l, k)
	} else {
		lengthsFit(fault, l, k)
	}
	scoresFit(fault, l, k)
	return out
}

// Draws of a distribution: 2²² components, or 2¹⁸ scores, beside which a mean keeps to
// withinErrors of its standard errors.
const (
	conformingDraws  = 1 << 22
	conformingScores = 1 << 18
	withinErrors     = 5
)

// telling is the greatest relative error at which draws say something of a moment. A
// moment of which they do not is one that another program must have computed.
const telling = 0.05

// momentsFit compares E x^k of draws with the distribution's, to order 12. The error of order
// k is √((m_2k − m_k²)/n), with the draws' own m_2k beyond order 12.
func momentsFit(fault func(string, ...any), l distribution.Distribution, k lane, tabled bool) {
	m, zeros, often := drawnMoments(l, k)
	const n = conformingDraws
	for i, mean := range []float64{m[1], m[3]} {
		if limit := withinErrors * math.Sqrt(m[2+4*i]/n); !(math.Abs(mean) <= limit) {
			fault("its draws have E x^%d = %v, beyond %v, and a distribution is to be symmetric", 1+2*i, mean, limit)
		}
	}
	for order := 2; order <= 12; order += 2 {
		want, square := l.Moment(order), m[2*order]
		if 2*order <= 12 {
			square = l.Moment(2 * order)
		}
		se := math.Sqrt(max(0, square-want*want) / n)
		switch {
		case math.IsInf(l.Moment(min(2*order, 12)), 1) || se > telling*want:
			if !tabled {
				fault("nothing holds its moment of order %d, of which its draws tell too little: add its line to sim/base/distribution/testdata/moments.csv, from another program", order)
			}
		case !(math.Abs(m[order]-want) <= withinErrors*se+1e-6*float64(order)*want): // 10⁻⁶ is a draw's own rounding, see TestLog
			fault("its draws have E x^%d = %v, its moments say %v, and the error is %v", order, m[order], want, se)
		}
	}
	share, p := 1-zeros/n, l.NonZeroProbability()
	if limit := withinErrors*math.Sqrt(p*(1-p)/n) + 1e-6; !(math.Abs(share-p) <= limit) {
		fault("a share of %v of its draws is not 0, it says %v", share, p)
	}
	if l.HasAtoms() != (often > 0.005) {
		fault("one value is a share of %v of its draws; it says that values have a chance of their own: %v", often, l.HasAtoms())
	}
}

// drawnMoments are the means of x^i over draws, how many of them are 0, and the share
// that the most frequent value has of some.
func drawnMoments(l distribution.Distribution, k lane) (m [25]float64, zeros, often float64) {
	s, dst := lanesOf("conformance/"+l.String()), make([][Width]float32, 256)
	counts, counted := map[float32]int{}, 0
	for i := 0; i < conformingDraws; i += len(dst) * Width {
		k.vectors(s, dst)
		for j := range dst {
			for _, draw := range dst[j] {
				x, power := float64(draw), 1.0
				for o := 1; o < len(m); o++ {
					power *= x
					m[o] += power
				}
				if draw == 0 {
					zeros++
				}
				if i == 0 {
					counts[draw]++
					counted++
				}
			}
		}
	}
	for o := range m {
		m[o] /= conformingDraws
	}
	for _, c := range counts {
		often = max(often, float64(c)/float64(counted))
	}
	return m, zeros, often
}

// pairsFit: a pair's score is the sum over its alternating draws.
func pairsFit(fault func(string, ...any), l distribution.Distribution, k lane) {
	a, b := lanesOf("pairs"), lanesOf("pairs")
	for _, d := range []int{1, 2, 3, 17, 33, 100} {
		var scores, sum [Width]float32
		dst := make([][Width]float32, 2*d)
		k.pairs(a, d, &scores)
		k.vectors(b, dst)
		for j := 0; j < 2*d; j += 2 {
			for i := range Width {
				sum[i] += float32(dst[j][i] * dst[j+1][i])
			}
		}
		if scores != sum || *a != *b {
			fault("a score of d = %d is not the sum over the components that its lanes draw in turn", d)
			return
		}
	}
}

// lengthsFit: a vector whose components depend on each other has the length √d. What
// theory knows of such a distribution is what it knows of the sphere.
func lengthsFit(fault func(string, ...any), l distribution.Distribution, k lane) {
	s := lanesOf("lengths")
	for _, d := range []int{1, 2, 64} {
		dst := make([][Width]float32, d)
		k.vectors(s, dst)
		square := 0.0
		for j := range dst {
			square += float64(dst[j][0]) * float64(dst[j][0])
		}
		if !(math.Abs(square/float64(d)-1) <= float64(d+6)*0x1p-24) {
			fault("a vector of d = %d has |x|² = %v", d, square)
		}
	}
}

// scoresFit: E S = 0, E S² = d and E S⁴ = 3d² + γ₂d², with γ₂ = (κ² − 3)/d, or
// −6/(d + 2) on the sphere.
func scoresFit(fault func(string, ...any), l distribution.Distribution, k lane) {
	for _, d := range []int{2, 16} {
		excess := -6 / float64(d+2)
		if l.HasIndependentComponents() {
			excess = (l.Kurtosis()*l.Kurtosis() - 3) / float64(d)
		}
		if math.IsInf(excess, 1) {
			continue
		}
		s, sum, variance := lanesOf(fmt.Sprint("scores/", d)), [9]float64{}, float64(d)
		for range conformingScores / Width {
			var scores [stream.Width]float32
			k.pairs(s, d, &scores)
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
		near := func(what string, got, want, square float64) {
			if limit := withinErrors*math.Sqrt(max(0, square)/conformingScores) + 1e-6; !(math.Abs(got-want) <= limit) {
				fault("its scores of d = %d have %s %v, its moments say %v", d, what, got, want)
			}
		}
		near("the mean", sum[1], 0, variance)
		near("a variance over d of", sum[2], 1, 2+excess)
		if l.HasIndependentComponents() && math.IsInf(l.Moment(8), 1) {
			continue
		}
		near("the kurtosis", sum[4], 3+excess, sum[8]-sum[4]*sum[4])
	}
}
