package rows

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

func TestRoughLog(t *testing.T) {
	at := func(x float64) {
		if off := math.Abs(roughLog(x) - math.Log(x)); !(off <= 1e-10) {
			t.Errorf("the logarithm of %v is off by %v", x, off)
		}
	}
	for i := range 1 << 14 { // through all parts of 1 to 2, and their ends
		x := 1 + float64(i)/(1<<14)
		for _, e := range []int{-1022, -67, -1, 0, 1, 66, 1023} {
			at(math.Ldexp(x, e))
			at(math.Nextafter(math.Ldexp(x, e), math.Inf(1)))
			at(math.Nextafter(math.Ldexp(x, e+1), 0))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		at(math.Exp(88 * (r.Float64() - 0.5)))
	}
}

// A number 10⁻⁹ above the edge of a bin lies in it, one as far below does not;
// shares and their rests say the same as the logit itself.
func TestLogitBinEdges(t *testing.T) {
	for k := range logitBins + 1 {
		edge := float64(k)/logitSteps - maxLogit
		for _, by := range []float64{-1e-9, 1e-9} {
			want := k // the bin below the edge is number k, since bin 0 is below all
			if by > 0 {
				want++
			}
			l := edge + by
			if got := logitBin(math.Exp(l), 1); got != want {
				t.Fatalf("e^%v is in bin %d, want %d", l, got, want)
			}
			share, rest := 1/(1+math.Exp(-l)), 1/(1+math.Exp(l))
			if got := logitBin(share, rest); got != want {
				t.Fatalf("the share of logit %v is in bin %d, want %d", l, got, want)
			}
		}
	}
}

// From 0 to 1, and from 0 to infinity, bins rise; beyond the outermost there is
// one at each end, for exact 0 and 1 too.
func TestLogitBinRises(t *testing.T) {
	last := 0
	for i := range 400_000 {
		l := -46 + 92*float64(i)/400_000
		bin := logitBin(math.Exp(l), 1)
		if bin < last || bin > aboveBins {
			t.Fatalf("e^%v is in bin %d, after bin %d", l, bin, last)
		}
		last = bin
	}
	if last != aboveBins {
		t.Errorf("the last bin is %d, want %d", last, aboveBins)
	}
	tiny := math.SmallestNonzeroFloat64
	for _, c := range []struct {
		x, rest float64
		want    int
	}{
		{0, 1, belowBins}, {1, 0, aboveBins}, {tiny, 1, belowBins}, {1, tiny, aboveBins}, {1e-300, 1, belowBins}, {1, 1e-300, aboveBins},
		{1e-19, 1, logitBins/2 - 43*logitSteps - 48 + 1}, {0.5, 0.5, logitBins/2 + 1}, {1, 1, logitBins/2 + 1},
		{1e300, 1, aboveBins}, {math.Inf(1), 1, aboveBins}, {1e-20, 1, belowBins}, {1, 1e-20, aboveBins},
	} {
		// ln 10⁻¹⁹ = −43.749…, 48 steps and no more below −43
		if got := logitBin(c.x, c.rest); got != c.want {
			t.Errorf("%v beside %v is in bin %d, want %d", c.x, c.rest, got, c.want)
		}
	}
}

func TestLogistic(t *testing.T) {
	for l := -50.0; l <= 50; l += 0.37 {
		x, rest := logistic(l), logistic(-l)
		if want := 1 / (1 + math.Exp(-l)); math.Abs(x/want-1) > 8*0x1p-52 {
			t.Errorf("the share of %v is %v, want %v", l, x, want)
		}
		if back := math.Log(x) - math.Log(rest); math.Abs(back-l) > 1e-13*math.Max(1, math.Abs(l)) {
			t.Errorf("the logit of the share of %v is %v", l, back)
		}
	}
	if logistic(math.Inf(-1)) != 0 || logistic(math.Inf(1)) != 1 || logistic(0) != 0.5 {
		t.Errorf("the ends are %v and %v, the middle %v", logistic(math.Inf(-1)), logistic(math.Inf(1)), logistic(0))
	}
}

// quantileOf is the row of a quantile of numbers that lie in bins.
func quantileOf(bins []int, q float64, cluster int64, back func(float64) float64) (result.Estimate, []result.Warning) {
	counts := newHistogram()
	for _, b := range bins {
		counts.add(b)
	}
	var f experiment.Findings
	c := rowsCell("normal", 4, 8, names.No)
	quantile(&f, c.Row("x", int64(len(bins)), math.NaN(), math.NaN()), counts.take(), q, cluster, back)
	return f.Rows[0], f.Warnings
}

// uniformBins are the bins of uniform numbers between 0 and 1.
func uniformBins(r *rand.Rand, n int) []int {
	bins := make([]int, n)
	for i := range bins {
		x := r.Float64()
		bins[i] = logitBin(x, 1-x)
	}
	return bins
}

// Uniform numbers have the quantile q at q, and exponential ones, put in as
// numbers without a bound, at −ln(1−q).
func TestQuantilesCover(t *testing.T) {
	const runs, n = 400, 2000
	r := rand.New(rand.NewPCG(3, 4))
	var shares, sizes [5]int64
	for range runs {
		bins := uniformBins(r, n)
		exponential := make([]int, n)
		for i := range exponential {
			exponential[i] = logitBin(r.ExpFloat64(), 1)
		}
		for i, p := range QuantilePoints {
			row, _ := quantileOf(bins, p, 1, logistic)
			if float64(row.Lo) <= p && p <= float64(row.Hi) {
				shares[i]++
			}
			if math.Abs(float64(row.Value)-p) > 6*math.Sqrt(p*(1-p)/n) {
				t.Errorf("the quantile at %v of %d uniform numbers is %v", p, n, row.Value)
			}
			row, _ = quantileOf(exponential, p, 1, math.Exp)
			if truth := -math.Log1p(-p); float64(row.Lo) <= truth && truth <= float64(row.Hi) {
				sizes[i]++
			}
		}
	}
	for i, p := range QuantilePoints {
		experimenttest.Covers(t, shares[i], runs, false, "uniform numbers at %v", p)
		experimenttest.Covers(t, sizes[i], runs, false, "exponential numbers at %v", p)
	}
	t.Logf("of %d: uniform %v, exponential %v", runs, shares, sizes)
}

// 64 equal numbers in every cluster tell no more than one of them does.
func TestQuantilesOfClustersCover(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	const runs, clusters, size = 400, 1000, 64
	r := rand.New(rand.NewPCG(5, 6))
	var held, naive [5]int64
	bins := make([]int, 0, clusters*size)
	for range runs {
		bins = bins[:0]
		for _, b := range uniformBins(r, clusters) {
			for range size {
				bins = append(bins, b)
			}
		}
		for i, p := range QuantilePoints {
			for cluster, count := range map[int64]*int64{size: &held[i], 1: &naive[i]} {
				row, _ := quantileOf(bins, p, cluster, logistic)
				if float64(row.Lo) <= p && p <= float64(row.Hi) {
					*count++
				}
			}
		}
	}
	for i, p := range QuantilePoints {
		experimenttest.Covers(t, held[i], runs, false, "clusters at %v", p)
		if _, hi := theory.ClopperPearson(naive[i], runs, 0.0005); hi > 0.8 {
			t.Errorf("at %v even %d of %d intervals of single numbers hold the truth", p, naive[i], runs)
		}
	}
	t.Logf("of %d: clusters %v, as single numbers %v", runs, held, naive)
}

// Where all numbers are one, or a few, that one is in the interval, and the
// interval is no wider than its bin.
func TestQuantilesOfAtoms(t *testing.T) {
	const step = 1.0 / logitSteps
	for _, x := range []float64{1e-12, 0.001, 0.3, 0.5, 0.875, 1 - 1e-9} {
		bins := make([]int, 5000)
		for i := range bins {
			bins[i] = logitBin(x, 1-x)
		}
		for _, p := range QuantilePoints {
			r, _ := quantileOf(bins, p, 1, logistic)
			logit := math.Log(x) - math.Log1p(-x)
			narrow := float64(r.Hi) <= 1/(1+math.Exp(-logit-step)) && float64(r.Lo) >= 1/(1+math.Exp(-logit+step))
			if !(float64(r.Lo) <= x && x <= float64(r.Hi)) || !(r.Lo <= r.Value && r.Value <= r.Hi) || !narrow {
				t.Errorf("all are %v: the quantile at %v is %v, between %v and %v", x, p, r.Value, r.Lo, r.Hi)
			}
		}
	}
	// Two atoms with a known share of the first: runs of independent choices.
	const runs, n = 400, 1000
	r := rand.New(rand.NewPCG(7, 8))
	for _, first := range []float64{0.5, 0.47, 0.9} {
		for _, p := range QuantilePoints {
			truth := 0.2
			if p > first {
				truth = 0.6
			}
			var held int64
			for range runs {
				bins := make([]int, n)
				for i := range bins {
					x := 0.2
					if r.Float64() >= first {
						x = 0.6
					}
					bins[i] = logitBin(x, 1-x)
				}
				row, _ := quantileOf(bins, p, 1, logistic)
				if float64(row.Lo) <= truth && truth <= float64(row.Hi) {
					held++
				}
			}
			experimenttest.Covers(t, held, runs, true, "two atoms, %v of the first, at %v", first, p)
		}
	}
}

// Numbers of exactly 0 and 1 count, as the ends that they are.
func TestQuantilesOutOfRange(t *testing.T) {
	ends := make([]int, 0, 3000)
	for range 1000 {
		ends = append(ends, logitBin(0, 1), logitBin(0.5, 0.5), logitBin(1, 0))
	}
	for _, c := range []struct{ q, value float64 }{{0.05, 0}, {0.25, 0}, {0.5, 0.5}, {0.75, 1}, {0.95, 1}} {
		r, warnings := quantileOf(ends, c.q, 1, logistic)
		if math.Abs(float64(r.Value)-c.value) > 1e-2 || len(warnings) > 0 || !(r.Lo <= r.Value && r.Value <= r.Hi) || !(r.Lo >= 0 && r.Hi <= 1) {
			t.Errorf("at %v: %+v, %v", c.q, r, warnings)
		}
		if (c.value == 0 || c.value == 1) && (float64(r.Value) != c.value || math.Abs(float64(r.Hi-r.Lo)) > 1e-15) {
			t.Errorf("at %v: %v, from %v to %v", c.q, r.Value, r.Lo, r.Hi)
		}
		// A number without a bound may be anything above e⁴⁴: no interval then, and no value.
		r, warnings = quantileOf(ends, c.q, 1, math.Exp)
		if c.value == 1 && (r.Value.Present() || r.Lo.Present() || r.Hi.Present() || r.Level.Present() || len(warnings) != 1) {
			t.Errorf("without a bound, at %v: %+v, %v", c.q, r, warnings)
		}
	}
	// With less than half a number to a side there is no interval, and a note says so.
	few := uniformBins(rand.New(rand.NewPCG(9, 10)), 40)
	for _, p := range QuantilePoints {
		half := experiment.LevelZ * math.Sqrt(40*p*(1-p))
		wants := 40*p-half >= 0.5 && 40*p+half <= 39.5
		r, warnings := quantileOf(few, p, 1, logistic)
		if r.Lo.Present() != wants || r.Level.Present() != wants || r.SE.Present() != wants || (len(warnings) == 0) != wants {
			t.Errorf("of 40 numbers at %v: %+v, %v", p, r, warnings)
		}
	}
}

// Ranks rise, and between the edges of a bin they rise evenly; a histogram that
// was merged of parts is that of the whole.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	whole, counts := newHistogram(), newHistogram()
	var parts moments.Histogram
	for range 20 {
		for _, b := range uniformBins(r, 50) {
			whole.add(b)
			counts.add(b)
		}
		parts = moments.MergeHistograms(parts, counts.take())
	}
	h := whole.take()
	last := math.Inf(-1)
	for at := -1.0; at < 1002; at += 0.25 {
		a, b := rankOf(h, at), rankOf(parts, at)
		if a != b || a.logit < last || !(a.low <= a.logit && a.logit <= a.high) {
			t.Fatalf("rank %v is %+v of the whole and %+v of the parts, after %v", at, a, b, last)
		}
		last = a.logit
	}
	if empty := newHistogram().take(); empty.Total() != 0 {
		t.Errorf("an empty histogram counts %d", empty.Total())
	}
	if !math.IsNaN(rankOf(moments.Histogram{}, 1).logit) {
		t.Error("an empty histogram has ranks")
	}
}

// Numbers so alike that a few bins hold them all: what interpolation inside a bin
// leaves out is then much more than what chance does, and must be allowed for.
func TestQuantilesOfNarrowLaws(t *testing.T) {
	const numbers, runs = 300_000, 60
	r := rand.New(rand.NewPCG(5, 7))
	spreads := []float64{0.01, 0.03, 0.1, 0.3}
	if testing.Short() {
		spreads = spreads[1:2]
	}
	for _, spread := range spreads {
		held := map[float64]int{}
		for range runs {
			h := newHistogram()
			middle := r.Float64() // where the bins lie is chance too
			for range numbers {
				h.add(logitBin(math.Exp(middle+spread*r.NormFloat64()), 1))
			}
			counts := h.take()
			for _, q := range QuantilePoints {
				var f experiment.Findings
				quantile(&f, result.Estimate{}, counts, q, 1, elementary.Exp)
				truth := math.Exp(middle + spread*elementary.Quantile(q))
				if e := f.Rows[0]; float64(e.Lo) <= truth && truth <= float64(e.Hi) {
					held[q]++
				}
			}
		}
		for _, q := range QuantilePoints {
			// 49 of 60 and fewer come with a chance of 5·10⁻⁵ of intervals that hold 95 %.
			if held[q] < 50 {
				t.Errorf("spread %v: %v held in %d of %d", spread, q, held[q], runs)
			}
		}
		t.Logf("spread %v: %v", spread, held)
	}
}
