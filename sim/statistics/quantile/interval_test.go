package quantile

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
)

// covers fails if so many of so many runs do not come of intervals that hold the truth in
// 95 of 100, or, of at least so many, more: but for a chance of 10⁻⁵.
func covers(t *testing.T, held, runs int, atLeast bool, format string, args ...any) {
	t.Helper()
	n := float64(runs)
	z := (float64(held) - 0.95*n) / math.Sqrt(n*0.95*0.05)
	if z < -4.3 || !atLeast && z > 4.3 {
		t.Errorf(format+": %d of %d intervals hold the truth", append(args, held, runs)...)
	}
}

// z of an interval of 95 %.
var z = elementary.Quantile(0.975)

// counted are the numbers of a sample in the bins that a pilot of the same distribution chose.
func counted(pilot, sample []float64) moments.Histogram {
	c := NewCounter(NewPilot(pilot, nil, int64(len(sample))).Windows())
	for _, x := range sample {
		c.Add(c.Bin(x), 1)
	}
	return c.Take()
}

// draws are n places.
func draws(n int64, draw func() float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = draw()
	}
	return out
}

// Quantiles of distributions whose quantiles are known: of the whole scale, and so narrow that a
// coarse bin would hold them all. The interval holds them as often as it says; half its
// width over z is the standard deviation over runs; and the bins are below a tenth of it.
func TestQuantiles(t *testing.T) {
	runs, n := 400, int64(4*leastPilot*ladder)
	if testing.Short() {
		runs, n = 100, 2000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for name, distribution := range map[string]struct {
		draw  func() float64
		truth func(q float64) float64
	}{
		"logistic":    {func() float64 { x := r.Float64(); return math.Log(x) - math.Log1p(-x) }, func(q float64) float64 { return math.Log(q) - math.Log1p(-q) }},
		"exponential": {func() float64 { return math.Log(r.ExpFloat64()) }, func(q float64) float64 { return math.Log(-math.Log1p(-q)) }},
		"narrow":      {func() float64 { return 1.7 + 1e-4*r.NormFloat64() }, func(q float64) float64 { return 1.7 + 1e-4*elementary.Quantile(q) }},
	} {
		windows := NewPilot(draws(PilotSize(n), distribution.draw), nil, n).Windows()
		held, bins := make([]int, len(Probabilities)), make([]float64, len(Probabilities))
		var values, errors [5][]float64
		for range runs {
			c := NewCounter(windows)
			for range n {
				c.Add(c.Bin(distribution.draw()), 1)
			}
			h := c.Take()
			for i, q := range Probabilities {
				e := Of(h, q, z*Binomial(n, q))
				if truth := distribution.truth(q); e.Lo <= truth && truth <= e.Hi {
					held[i]++
				}
				se := (e.Hi - e.Lo) / (2 * z)
				if !e.Fine {
					t.Errorf("%s at %v: %v lies outside of the windows", name, q, e.At)
				}
				bins[i] += (e.BinHi - e.BinLo) / float64(runs)
				values[i], errors[i] = append(values[i], e.At), append(errors[i], se*se)
			}
		}
		for i, q := range Probabilities {
			covers(t, held[i], runs, false, "%s at %v", name, q)
			printed := math.Sqrt(moments.New(errors[i], 2).Mean)
			ratio := math.Sqrt(moments.New(values[i], 4).Variance()) / printed
			if bins[i] > printed/10 {
				t.Errorf("%s at %v: bins of %v with the error %v", name, q, bins[i], printed)
			}
			// The logarithm of a standard deviation of so many runs has the error 1/√(2·runs).
			if limit := 4.5 / math.Sqrt(2*float64(runs)); math.Abs(math.Log(ratio)) > limit {
				t.Errorf("%s at %v: the standard deviation over runs is %.3f of the printed error", name, q, ratio)
			}
		}
	}
}

// Numbers of a cluster that are alike in part: the interval by the scatter of clusters
// holds the quantile as often as it says, and that of single numbers less often.
func TestClusters(t *testing.T) {
	runs := 600
	if testing.Short() {
		runs = 100
	}
	const clusters, size = 500, 8
	r := rand.New(rand.NewPCG(5, 6))
	draw := func() (places []float64) {
		for range clusters {
			shift := r.NormFloat64()
			for range size {
				places = append(places, 3+0.02*(0.8*shift+0.6*r.NormFloat64()))
			}
		}
		return places
	}
	windows := NewPilot(draw(), func(i int) int { return i / size }, clusters*size).Windows()
	var held, naive [5]int
	var values, errors [5][]float64
	for range runs {
		one, squares := NewCounter(windows), NewCounter(windows)
		places := draw()
		for i := 0; i < len(places); i += size {
			var bins []int
			for _, x := range places[i : i+size] {
				bins = append(bins, one.Bin(x))
				one.Add(one.Bin(x), 1)
			}
			squares.AddSquares(bins)
		}
		h, sq := one.Take(), squares.Take()
		for i, q := range Probabilities {
			truth := 3 + 0.02*elementary.Quantile(q)
			e := Of(h, q, z*Clustered(h, sq, q, size))
			if e.Lo <= truth && truth <= e.Hi {
				held[i]++
			}
			if a := Of(h, q, z*Binomial(clusters*size, q)); a.Lo <= truth && truth <= a.Hi {
				naive[i]++
			}
			se := (e.Hi - e.Lo) / (2 * z)
			values[i], errors[i] = append(values[i], e.At), append(errors[i], se*se)
		}
	}
	for i, q := range Probabilities {
		covers(t, held[i], runs, false, "clusters at %v", q)
		if naive[i] > runs*88/100 {
			t.Errorf("at %v even %d of %d intervals of single numbers hold the truth", q, naive[i], runs)
		}
		ratio := math.Sqrt(moments.New(values[i], 4).Variance()) / math.Sqrt(moments.New(errors[i], 2).Mean)
		if limit := 4.5 / math.Sqrt(2*float64(runs)); math.Abs(math.Log(ratio)) > limit {
			t.Errorf("at %v: the standard deviation over runs is %.3f of the printed error", q, ratio)
		}
	}
}

// A pilot notices atoms, and takes no continuous distribution for one; where all numbers are one,
// or few, the interval reaches to the edges of bins so fine that they are that number.
func TestAtoms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int64{leastPilot, 4096} {
		continuous := NewPilot(draws(n, r.NormFloat64), nil, n)
		for _, q := range Probabilities {
			if continuous.Atom(q) {
				t.Errorf("%d normal numbers have an atom at %v", n, q)
			}
		}
	}
	const runs, n = 400, 1000
	for _, first := range []float64{1, 0.5, 0.47, 0.9} {
		draw := func() float64 {
			if r.Float64() < first {
				return -1.25
			}
			return 0.5
		}
		pilot := draws(leastPilot, draw)
		for _, q := range Probabilities {
			truth := -1.25
			if q > first {
				truth = 0.5
			}
			if !NewPilot(pilot, nil, n).Atom(q) {
				t.Errorf("the pilot sees no atom, %v of the first, at %v", first, q)
			}
			held := 0
			for range runs {
				e := Of(counted(pilot, draws(n, draw)), q, z*Binomial(n, q))
				if e.OuterLo <= truth && truth <= e.OuterHi {
					held++
				}
				if e.BinHi-e.BinLo > 1e-8 && e.Fine {
					t.Fatalf("an atom lies in a bin of %v", e.BinHi-e.BinLo)
				}
			}
			covers(t, held, runs, true, "two atoms, %v of the first, at %v", first, q)
		}
	}
}

// Numbers beyond the scale count, as the ends that they are.
func TestBeyondTheScale(t *testing.T) {
	var places []float64
	for range 1000 {
		places = append(places, math.Inf(-1), 0.25, math.Inf(1))
	}
	for _, c := range []struct{ q, at float64 }{{0.05, math.Inf(-1)}, {0.25, math.Inf(-1)}, {0.5, 0.25}, {0.75, math.Inf(1)}, {0.95, math.Inf(1)}} {
		e := Of(counted(places, places), c.q, z*Binomial(3000, c.q))
		if e.At != c.at && !(math.Abs(e.At-c.at) < 1e-7) {
			t.Errorf("at %v: %+v", c.q, e)
		}
	}
}

// The rung of a number is not below it, and its pilot no more than a sixteenth of it but
// where it is small.
func TestRungs(t *testing.T) {
	last := int64(0)
	for n := int64(1); n < 1<<50; n += n/7 + 1 {
		rung, pilot := PilotSizeClass(n), PilotSize(n)
		if rung < n || rung < last || pilot != min(rung/ladder, mostPilot) || pilot > leastPilot && pilot*ladder > 2*n {
			t.Fatalf("%d numbers stand on rung %d with a pilot of %d", n, rung, pilot)
		}
		last = rung
	}
	if PilotSizeClass(math.MaxInt64) < 1<<60 {
		t.Errorf("the last rung is %d", PilotSizeClass(math.MaxInt64))
	}
}

// TestFindBinOfFractionalRank: rank 5.7 lies 0.7 numbers into the sixth number, and so in the
// second bin if the first holds five, whatever else rounds.
func TestFindBinOfFractionalRank(t *testing.T) {
	h := moments.Histogram{From: 3, Counts: []int64{5, 0, 4, 1}}
	for _, c := range []struct {
		rank float64
		bin  int
		part float64
	}{{0.2, 3, 0.1}, {4.9, 3, 0.98}, {5, 5, 0}, {5.7, 5, 0.175}, {8.6, 5, 0.9}, {9, 6, 0}, {11, 6, 0.5}} {
		bin, part := find(h, 10, c.rank)
		if bin != c.bin || math.Abs(part-c.part) > 1e-12 {
			t.Errorf("rank %v: bin %d at %v, want bin %d at %v", c.rank, bin, part, c.bin, c.part)
		}
	}
}
