package quantile

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
)

// checkCoverage fails if the proportion of intervals that contain the truth is not 95 %, or with
// atLeast if it is less. The probability of a false alarm is 10⁻⁵.
func checkCoverage(t *testing.T, covering, runs int, atLeast bool, format string, args ...any) {
	t.Helper()
	n := float64(runs)
	z := (float64(covering) - 0.95*n) / math.Sqrt(n*0.95*0.05)
	if z < -4.3 || !atLeast && z > 4.3 {
		t.Errorf(format+": %d of %d intervals contain the truth", append(args, covering, runs)...)
	}
}

// z is the half-width of a 95 % interval in standard errors.
var z = elementary.Quantile(0.975)

// countInBins counts the numbers of a sample in the bins for a pilot of the same distribution.
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

// TestQuantiles estimates quantiles of distributions with known quantiles: of wide ones, and of one
// so narrow that a single coarse bin would contain it. The intervals contain the truth as often as
// they should, their half-width over z is the standard deviation over runs, and bins are below a
// tenth of it.
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
		"logistic": {func() float64 { x := r.Float64(); return math.Log(x) - math.Log1p(-x) },
			func(q float64) float64 { return math.Log(q) - math.Log1p(-q) }},
		"exponential": {func() float64 { return math.Log(r.ExpFloat64()) },
			func(q float64) float64 { return math.Log(-math.Log1p(-q)) }},
		"narrow": {func() float64 { return 1.7 + 1e-4*r.NormFloat64() },
			func(q float64) float64 { return 1.7 + 1e-4*elementary.Quantile(q) }},
	} {
		windows := NewPilot(sampleN(PilotSize(n), distribution.sample), nil, n).Windows()
		covering, bins := make([]int, len(Probabilities)), make([]float64, len(Probabilities))
		var values, errors [5][]float64
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
				if !e.Fine {
					t.Errorf("%s at %v: %v lies outside of the windows", name, q, e.Value)
				}
				bins[i] += (e.BinHi - e.BinLo) / float64(runs)
				values[i], errors[i] = append(values[i], e.Value), append(errors[i], se*se)
			}
		}
		for i, q := range Probabilities {
			checkCoverage(t, covering[i], runs, false, "%s at %v", name, q)
			reportedSE := math.Sqrt(moments.New(errors[i], 2).Mean)
			ratio := math.Sqrt(moments.New(values[i], 4).Variance()) / reportedSE
			if bins[i] > reportedSE/10 {
				t.Errorf("%s at %v: bins of %v with the error %v", name, q, bins[i], reportedSE)
			}
			// The logarithm of a standard deviation over n runs has the standard error 1/√(2n).
			if limit := 4.5 / math.Sqrt(2*float64(runs)); math.Abs(math.Log(ratio)) > limit {
				t.Errorf("%s at %v: the standard deviation over runs is %.3f of the printed error", name, q, ratio)
			}
		}
	}
}

// TestClusters samples clusters of correlated numbers. The interval by ClusteredSE contains the
// quantile as often as it should, and the interval by BinomialSE less often.
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
	var covering, naiveCovering [5]int
	var values, errors [5][]float64
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
			if naive := NewEstimate(h, q, z*BinomialSE(clusters*size, q)); naive.Lo <= truth && truth <= naive.Hi {
				naiveCovering[i]++
			}
			se := (e.Hi - e.Lo) / (2 * z)
			values[i], errors[i] = append(values[i], e.Value), append(errors[i], se*se)
		}
	}
	for i, q := range Probabilities {
		checkCoverage(t, covering[i], runs, false, "clusters at %v", q)
		if naiveCovering[i] > runs*88/100 {
			t.Errorf("at %v even %d of %d intervals for independent numbers contain the truth", q, naiveCovering[i],
				runs)
		}
		ratio := math.Sqrt(moments.New(values[i], 4).Variance()) / math.Sqrt(moments.New(errors[i], 2).Mean)
		if limit := 4.5 / math.Sqrt(2*float64(runs)); math.Abs(math.Log(ratio)) > limit {
			t.Errorf("at %v: the standard deviation over runs is %.3f of the printed error", q, ratio)
		}
	}
}

// TestAtoms checks that a pilot detects atoms, and no atom in a continuous distribution. If there
// are only one or two values, the interval extends to the edges of bins so fine that they contain
// one value.
func TestAtoms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int64{minPilot, 4096} {
		continuous := NewPilot(sampleN(n, r.NormFloat64), nil, n)
		for _, q := range Probabilities {
			if continuous.IsAtom(q) {
				t.Errorf("%d normal numbers have an atom at %v", n, q)
			}
		}
	}
	const runs, n = 400, 1000
	for _, first := range []float64{1, 0.5, 0.47, 0.9} {
		sample := func() float64 {
			if r.Float64() < first {
				return -1.25
			}
			return 0.5
		}
		pilot := sampleN(minPilot, sample)
		for _, q := range Probabilities {
			truth := -1.25
			if q > first {
				truth = 0.5
			}
			if !NewPilot(pilot, nil, n).IsAtom(q) {
				t.Errorf("the pilot detects no atom, first value with probability %v, at %v", first, q)
			}
			covering := 0
			for range runs {
				e := NewEstimate(countInBins(pilot, sampleN(n, sample)), q, z*BinomialSE(n, q))
				if e.OuterLo <= truth && truth <= e.OuterHi {
					covering++
				}
				if e.BinHi-e.BinLo > 1e-8 && e.Fine {
					t.Fatalf("an atom lies in a bin of %v", e.BinHi-e.BinLo)
				}
			}
			checkCoverage(t, covering, runs, true, "two atoms, first with probability %v, at %v", first, q)
		}
	}
}

// TestBeyondTheScale checks that numbers beyond the scale are counted, as infinite ones.
func TestBeyondTheScale(t *testing.T) {
	var numbers []float64
	for range 1000 {
		numbers = append(numbers, math.Inf(-1), 0.25, math.Inf(1))
	}
	for _, c := range []struct{ q, want float64 }{{0.05, math.Inf(-1)}, {0.25, math.Inf(-1)}, {0.5, 0.25},
		{0.75, math.Inf(1)}, {0.95, math.Inf(1)}} {
		e := NewEstimate(countInBins(numbers, numbers), c.q, z*BinomialSE(3000, c.q))
		if e.Value != c.want && !(math.Abs(e.Value-c.want) < 1e-7) {
			t.Errorf("at %v: %+v", c.q, e)
		}
	}
}

// TestPilotSizes checks that the size class of n is at least n, and that the pilot of n numbers has
// at most n/16 numbers unless n is small.
func TestPilotSizes(t *testing.T) {
	previous := int64(0)
	for n := int64(1); n < 1<<50; n += n/7 + 1 {
		sizeClass, pilot := PilotSizeClass(n), PilotSize(n)
		if sizeClass < n || sizeClass < previous || pilot != min(sizeClass/pilotRatio, maxPilot) ||
			pilot > minPilot && pilot*pilotRatio > 2*n {
			t.Fatalf("%d numbers have the size class %d with a pilot of %d", n, sizeClass, pilot)
		}
		previous = sizeClass
	}
	if PilotSizeClass(math.MaxInt64) < 1<<60 {
		t.Errorf("the largest size class is %d", PilotSizeClass(math.MaxInt64))
	}
}

// TestFindBinOfFractionalRank checks that rank 5.7 is 0.7 numbers into the sixth number, and so in
// the second bin if the first has five.
func TestFindBinOfFractionalRank(t *testing.T) {
	h := moments.Histogram{FirstBin: 3, Counts: []int64{5, 0, 4, 1}}
	for _, c := range []struct {
		rank     float64
		bin      int
		fraction float64
	}{{0.2, 3, 0.1}, {4.9, 3, 0.98}, {5, 5, 0}, {5.7, 5, 0.175}, {8.6, 5, 0.9}, {9, 6, 0}, {11, 6, 0.5}} {
		bin, fraction := findBin(h, 10, c.rank)
		if bin != c.bin || math.Abs(fraction-c.fraction) > 1e-12 {
			t.Errorf("rank %v: bin %d at %v, want bin %d at %v", c.rank, bin, fraction, c.bin, c.fraction)
		}
	}
}
