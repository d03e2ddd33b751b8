package quantile

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
)

// checkCoverage fails if the proportion of intervals that contain the true quantile is less than
// 95 %, or, without mayExceed, if it is more. The probability of a failure by chance is 10⁻⁵.
func checkCoverage(t *testing.T, covering, runs int, mayExceed bool, format string, args ...any) {
	t.Helper()
	n := float64(runs)
	z := (float64(covering) - 0.95*n) / math.Sqrt(n*0.95*0.05)
	isTooLow, isTooHigh := z < -4.3, z > 4.3 && !mayExceed
	if isTooLow || isTooHigh {
		t.Errorf(format+": %d of %d intervals contain the true quantile, want 95 %%", append(args, covering, runs)...)
	}
}

// z is the half-width of a 95 % interval in standard errors.
var z = elementary.Quantile(0.975)

// countInBins counts the numbers of a sample in the bins that a pilot of the same distribution
// determines.
func countInBins(pilot, sample []float64) moments.Histogram {
	c := NewCounter(NewPilot(pilot, nil, int64(len(sample))).Windows())
	for _, x := range sample {
		c.Add(c.Bin(x), 1)
	}
	return c.Take()
}

func sampleN(n int64, sample func() float64) []float64 {
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = sample()
	}
	return numbers
}

// TestQuantiles estimates quantiles of distributions with known quantiles: two wide ones, and one
// so narrow that a single coarse bin would contain it. It checks that the intervals contain the
// true quantile in 95 % of the runs, that their half-width over z, the reported standard error,
// agrees with the standard deviation over runs, and that bins are narrower than a tenth of it.
func TestQuantiles(t *testing.T) {
	runs, n := 400, int64(4*minPilot*pilotRatio)
	if testing.Short() {
		runs, n = 100, 2000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for name, distribution := range map[string]struct {
		sample func() float64
		truth  func(q float64) float64
	}{
		"logistic": {
			sample: func() float64 { x := r.Float64(); return math.Log(x) - math.Log1p(-x) },
			truth:  func(q float64) float64 { return math.Log(q) - math.Log1p(-q) },
		},
		"exponential": {
			sample: func() float64 { return math.Log(r.ExpFloat64()) },
			truth:  func(q float64) float64 { return math.Log(-math.Log1p(-q)) },
		},
		"narrow": {
			sample: func() float64 { return 1.7 + 1e-4*r.NormFloat64() },
			truth:  func(q float64) float64 { return 1.7 + 1e-4*elementary.Quantile(q) },
		},
	} {
		windows := NewPilot(sampleN(PilotSize(n), distribution.sample), nil, n).Windows()
		covering, binWidth := make([]int, len(Probabilities)), make([]float64, len(Probabilities))
		var values, variances [5][]float64
		for range runs {
			c := NewCounter(windows)
			for range n {
				c.Add(c.Bin(distribution.sample()), 1)
			}
			h := c.Take()
			for i, q := range Probabilities {
				e := NewEstimate(h, q, z*BinomialSE(n, q))
				if truth := distribution.truth(q); e.Lo <= truth && truth <= e.Hi {
					covering[i]++
				}
				se := (e.Hi - e.Lo) / (2 * z)
				if !e.InWindow {
					t.Errorf("%s: the quantile of %v, %v, is outside of the windows", name, q, e.Value)
				}
				binWidth[i] += (e.BinHi - e.BinLo) / float64(runs)
				values[i], variances[i] = append(values[i], e.Value), append(variances[i], se*se)
			}
		}
		for i, q := range Probabilities {
			checkCoverage(t, covering[i], runs, false, "%s, quantile of %v", name, q)
			reportedSE := math.Sqrt(moments.New(variances[i], 2).Mean)
			ratio := math.Sqrt(moments.New(values[i], 4).Variance()) / reportedSE
			if binWidth[i] > reportedSE/10 {
				t.Errorf("%s, quantile of %v: bins are %v wide, want at most a tenth of the standard error %v", name, q,
					binWidth[i], reportedSE)
			}
			// The logarithm of a standard deviation over n runs has the standard error 1/√(2n).
			if limit := 4.5 / math.Sqrt(2*float64(runs)); math.Abs(math.Log(ratio)) > limit {
				t.Errorf("%s, quantile of %v: the standard deviation over runs is %.3f reported errors, want 1", name,
					q, ratio)
			}
		}
	}
}

// TestClusters samples clusters of correlated numbers. It checks that the interval by ClusteredSE
// contains the true quantile in 95 % of the runs, and the interval by BinomialSE less often.
func TestClusters(t *testing.T) {
	runs := 600
	if testing.Short() {
		runs = 100
	}
	const clusters, size = 500, 8
	r := rand.New(rand.NewPCG(5, 6))
	sample := func() (numbers []float64) {
		for range clusters {
			shift := r.NormFloat64()
			for range size {
				numbers = append(numbers, 3+0.02*(0.8*shift+0.6*r.NormFloat64()))
			}
		}
		return numbers
	}
	windows := NewPilot(sample(), func(i int) int { return i / size }, clusters*size).Windows()
	var covering, coveringIfIndependent [5]int
	var values, variances [5][]float64
	for range runs {
		counter, squares := NewCounter(windows), NewCounter(windows)
		numbers := sample()
		for i := 0; i < len(numbers); i += size {
			var bins []int
			for _, x := range numbers[i : i+size] {
				bins = append(bins, counter.Bin(x))
				counter.Add(counter.Bin(x), 1)
			}
			squares.AddSquares(bins)
		}
		h, sq := counter.Take(), squares.Take()
		for i, q := range Probabilities {
			truth := 3 + 0.02*elementary.Quantile(q)
			e := NewEstimate(h, q, z*ClusteredSE(h, sq, q, size))
			if e.Lo <= truth && truth <= e.Hi {
				covering[i]++
			}
			independent := NewEstimate(h, q, z*BinomialSE(clusters*size, q))
			if independent.Lo <= truth && truth <= independent.Hi {
				coveringIfIndependent[i]++
			}
			se := (e.Hi - e.Lo) / (2 * z)
			values[i], variances[i] = append(values[i], e.Value), append(variances[i], se*se)
		}
	}
	for i, q := range Probabilities {
		checkCoverage(t, covering[i], runs, false, "clusters, quantile of %v", q)
		if coveringIfIndependent[i] > runs*88/100 {
			t.Errorf("quantile of %v: %d of %d intervals for independent numbers contain it, want at most 88 %%", q,
				coveringIfIndependent[i], runs)
		}
		ratio := math.Sqrt(moments.New(values[i], 4).Variance()) / math.Sqrt(moments.New(variances[i], 2).Mean)
		if limit := 4.5 / math.Sqrt(2*float64(runs)); math.Abs(math.Log(ratio)) > limit {
			t.Errorf("quantile of %v: the standard deviation over runs is %.3f reported errors, want 1", q, ratio)
		}
	}
}

// TestAtoms checks that a pilot detects atoms in distributions of one or two values, and none in a
// continuous distribution. It also checks that the bins of the atoms are so fine that they contain
// one value, and that the interval from OuterLo to OuterHi contains the true quantile.
func TestAtoms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int64{minPilot, 4096} {
		continuous := NewPilot(sampleN(n, r.NormFloat64), nil, n)
		for _, q := range Probabilities {
			if continuous.IsAtom(q) {
				t.Errorf("the pilot of %d normal numbers has an atom at the quantile of %v, want none", n, q)
			}
		}
	}
	const runs, n = 400, 1000
	for _, lowProbability := range []float64{1, 0.5, 0.47, 0.9} { // of −1.25; otherwise the value is 0.5
		sample := func() float64 {
			if r.Float64() < lowProbability {
				return -1.25
			}
			return 0.5
		}
		pilot := sampleN(minPilot, sample)
		for _, q := range Probabilities {
			truth := -1.25
			if q > lowProbability {
				truth = 0.5
			}
			if !NewPilot(pilot, nil, n).IsAtom(q) {
				t.Errorf("two values, the lower with probability %v: the pilot has no atom at the quantile of %v",
					lowProbability, q)
			}
			covering := 0
			for range runs {
				e := NewEstimate(countInBins(pilot, sampleN(n, sample)), q, z*BinomialSE(n, q))
				if e.OuterLo <= truth && truth <= e.OuterHi {
					covering++
				}
				if width := e.BinHi - e.BinLo; width > 1e-8 && e.InWindow {
					t.Fatalf("the bin of an atom is %v wide, want at most 1e-8", width)
				}
			}
			checkCoverage(t, covering, runs, true, "two values, the lower with probability %v, quantile of %v",
				lowProbability, q)
		}
	}
}

// TestNumbersBeyondScale checks that numbers beyond the scale are counted, and that quantiles there
// are infinite.
func TestNumbersBeyondScale(t *testing.T) {
	var numbers []float64
	for range 1000 {
		numbers = append(numbers, math.Inf(-1), 0.25, math.Inf(1))
	}
	for _, c := range []struct{ q, want float64 }{
		{0.05, math.Inf(-1)}, {0.25, math.Inf(-1)}, {0.5, 0.25}, {0.75, math.Inf(1)}, {0.95, math.Inf(1)},
	} {
		e := NewEstimate(countInBins(numbers, numbers), c.q, z*BinomialSE(3000, c.q))
		if e.Value != c.want && !(math.Abs(e.Value-c.want) < 1e-7) {
			t.Errorf("the quantile of %v is %v, want %v", c.q, e.Value, c.want)
		}
	}
}

// TestPilotSizes checks that the size class of n is at least n and does not decrease with n, and
// that the pilot of n numbers has at most n/16 numbers or the minimum.
func TestPilotSizes(t *testing.T) {
	previous := int64(0)
	for n := int64(1); n < 1<<50; n += n/7 + 1 {
		sizeClass, pilot := PilotSizeClass(n), PilotSize(n)
		if sizeClass < n || sizeClass < previous {
			t.Fatalf("the size class of %d numbers is %d, want at least this and %d", n, sizeClass, previous)
		}
		if want := min(sizeClass/pilotRatio, maxPilot); pilot != want {
			t.Fatalf("the pilot of %d numbers has %d numbers, want %d", n, pilot, want)
		}
		if pilot > minPilot && pilot*pilotRatio > 2*n {
			t.Fatalf("the pilot of %d numbers has %d numbers, want at most a sixteenth", n, pilot)
		}
		previous = sizeClass
	}
	if PilotSizeClass(math.MaxInt64) < 1<<60 {
		t.Errorf("the largest size class is %d, want at least 2⁶⁰", PilotSizeClass(math.MaxInt64))
	}
}

// TestFindBinOfFractionalRank checks the bins of fractional ranks in bins of 5, 0, 4 and 1 numbers.
// For example, 5.7 numbers are the first five, in bin 3, and 0.7 of the four in bin 5.
func TestFindBinOfFractionalRank(t *testing.T) {
	h := moments.Histogram{FirstBin: 3, Counts: []int64{5, 0, 4, 1}}
	for _, c := range []struct {
		rank     float64
		bin      int
		fraction float64
	}{
		{0.2, 3, 0.1}, // limited to ½
		{4.9, 3, 0.98}, {5, 5, 0}, {5.7, 5, 0.175}, {8.6, 5, 0.9}, {9, 6, 0},
		{11, 6, 0.5}, // limited to 9½
	} {
		bin, fraction := findBin(h, 10, c.rank)
		if bin != c.bin || math.Abs(fraction-c.fraction) > 1e-12 {
			t.Errorf("rank %v: got bin %d and fraction %v, want %d and %v", c.rank, bin, fraction, c.bin, c.fraction)
		}
	}
}
