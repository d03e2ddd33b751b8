package rows

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/result"
)

// Quantiles come from histograms of whole numbers, which merge exactly. Their
// bins are uniform in the logit ln x/(1−x) of a share x between 0 and 1, so that
// a share near 0 and one near 1 are resolved as finely as one
// in the middle; a number without upper bound is put in as x/(1+x), whose
// logit is ln x. Within a bin the density is a line, by the counts of the
// neighbours.

const (
	maxLogit   = 44 // 10⁻¹⁹ from 0 or 1
	logitSteps = 64 // bins of a unit
	logitBins  = 2 * maxLogit * logitSteps
)

// Bins of numbers below and above all others.
const belowBins, aboveBins = 0, logitBins + 1

// logitBin is the bin of a share x > 0 that leaves rest = 1 − x.
func logitBin(x, rest float64) int {
	const least, most = 1e-20, 1e20 // beyond the outermost bins
	switch {
	case !(x > rest*least):
		return belowBins
	case !(x < rest*most):
		return aboveBins
	}
	steps := math.Floor(float64((roughLog(x/rest) + maxLogit) * logitSteps))
	return int(min(max(steps, belowBins-1), logitBins)) + 1
}

// roughLog is ln x of a normal number to 10⁻¹⁰, which is enough to choose a bin
// and takes a third of the time of elementary.Log: the logarithm of the nearest
// of 128 numbers between 1 and 2, and a polynomial.
func roughLog(x float64) float64 {
	bits := math.Float64bits(x)
	near := &logTable[bits>>45&127]
	mantissa := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	r := float64(mantissa*near.inverse) - 1
	tail := float64(r * r * (0.5 - r/3))
	return float64(float64(int(bits>>52)-1023)*math.Ln2) + (near.log + (r - tail))
}

// logTable holds, for each of 128 parts of the numbers from 1 to 2, its middle's
// inverse and logarithm.
var logTable = func() (table [128]struct{ inverse, log float64 }) {
	for i := range table {
		middle := float64(2*i+257) / 256
		table[i].inverse = 1 / middle
		table[i].log = -elementary.Log(1 / middle)
	}
	return table
}()

// histogram is a histogram in the making.
type histogram struct {
	counts [logitBins + 2]int64
	low    int
	high   int // one past the last bin that counts
}

func newHistogram() *histogram { return &histogram{low: aboveBins + 1} }

// add counts a number of the bin.
func (t *histogram) add(bin int) {
	t.counts[bin]++
	t.low, t.high = min(t.low, bin), max(t.high, bin+1)
}

// take returns what was counted and starts again.
func (t *histogram) take() moments.Histogram {
	if t.high == 0 {
		return moments.Histogram{}
	}
	h := moments.Histogram{From: t.low, Counts: slices.Clone(t.counts[t.low:t.high])}
	clear(t.counts[t.low:t.high])
	t.low, t.high = aboveBins+1, 0
	return h
}

// QuantilePoints are the quantiles that are reported.
var QuantilePoints = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// rank is the number of a rank, as a logit between the edges of its bin. It is
// infinite where the number lies outside the bins: a share is then 0 or 1 but
// for less than 10⁻¹⁹.
type rank struct {
	logit, low, high float64
	share            float64 // of all numbers that lie in its bin
	slack            float64 // how far the number may be from logit, for what is not known of its bin
}

// rankOf finds the number below which so many of the histogram's numbers lie, which
// need not be a whole number; half a number lies beyond either end at least.
func rankOf(h moments.Histogram, at float64) rank {
	total := float64(h.Total())
	at = min(max(at, 0.5), total-0.5)
	var before float64
	for i, c := range h.Counts {
		count := float64(c)
		if before+count <= at {
			before += count
			continue
		}
		switch bin := h.From + i; bin {
		case belowBins:
			return rank{math.Inf(-1), math.Inf(-1), -maxLogit, count / total, 0}
		case aboveBins:
			return rank{math.Inf(1), maxLogit, math.Inf(1), count / total, 0}
		default:
			low := float64(float64(bin-1)/logitSteps) - maxLogit
			part, slack := within((at-before)/count, countAt(h, i-1), count, countAt(h, i+1))
			return rank{low + float64(part/logitSteps), low, low + 1.0/logitSteps, count / total, slack / logitSteps}
		}
	}
	return rank{math.NaN(), math.NaN(), math.NaN(), 1, 0}
}

// countAt is the count of a bin of the histogram, 0 beside it.
func countAt(h moments.Histogram, i int) float64 {
	if i < 0 || i >= len(h.Counts) {
		return 0
	}
	return float64(h.Counts[i])
}

// within is where in its bin, from 0 to 1, a number stands that the given part of
// the bin's numbers are below, if the density is the line through the counts of
// the neighbours, before and after; and by how much that may be wrong: an eighth
// of the line's slope, and a thirtieth of the bend, are what such a line can miss
// at most where slope and bend are not too large, and all of the bin where they
// are.
func within(part, before, count, after float64) (at, slack float64) {
	slope := (after - before) / (2 * count)
	bend := (after - float64(2*count) + before) / count
	slack = min(1, float64(math.Abs(slope)/8)+float64(math.Abs(bend)/30))
	// The part below u is u + slope·(u² − u)/2, which rises if |slope| ≤ 2.
	if part == 0 {
		return 0, slack
	}
	slope = min(max(slope, -2), 2)
	first := 1 - float64(slope/2)
	return 2 * part / (first + math.Sqrt(float64(first*first)+float64(float64(2*slope)*part))), slack
}

// coarseBin is the share of all numbers in one bin above which they cannot
// count as spread evenly in it, and an interval reaches to the bin's edges.
const coarseBin = 0.05

// quantile adds the quantile of a histogram at the probability q. The interval
// is that of order statistics: between the numbers whose ranks are z standard
// errors of a binomial count from the middle. The counted numbers come in
// independent clusters of a size; an interval takes all numbers of a cluster
// to be on the same side, which is the worst that can be; and it reaches farther
// by what the bins leave open. The back function
// takes a logit to a value; where it falls, lower and upper end change places.
func quantile(f *experiment.Findings, r result.Estimate, h moments.Histogram, q float64, cluster int64, back func(logit float64) float64) {
	n := float64(h.Total())
	middle := rankOf(h, n*q)
	r.Value = result.Number(back(middle.logit))
	half := float64(experiment.LevelZ * math.Sqrt(float64(n*float64(q*(1-q)))*float64(cluster)))
	if float64(n*q)-half < 0.5 || float64(n*q)+half > n-0.5 {
		r.SE = result.Absent()
		f.AddWithout(r, "no interval: too few rows for its ranks")
		return
	}
	below, above := rankOf(h, float64(n*q)-half), rankOf(h, float64(n*q)+half)
	slack := max(below.slack, middle.slack, above.slack)
	low, high := max(below.logit-slack, below.low), min(above.logit+slack, above.high)
	if max(below.share, middle.share, above.share) > coarseBin {
		low, high = below.low, above.high
	}
	lo, hi := back(low), back(high)
	if lo > hi {
		lo, hi = hi, lo
	}
	r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), experiment.Level
	if !math.IsInf(middle.logit, 0) {
		r.SE = result.Number((hi - lo) / (2 * experiment.LevelZ))
	}
	if !r.Hi.Present() {
		r.Lo, r.Level = result.Absent(), result.Absent()
		f.Warn(r, fmt.Sprintf("no interval: it may be greater than e^%d", maxLogit))
	}
	f.Rows = append(f.Rows, r)
}

// logistic is the share of a logit.
func logistic(logit float64) float64 {
	if logit < 0 {
		e := elementary.Exp(logit)
		return e / (1 + e)
	}
	return 1 / (1 + elementary.Exp(-logit))
}
