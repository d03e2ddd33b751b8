package inspect

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// maxCells bounds the numbers that are kept of what rows add to a mean.
const maxCells = 256

// terms are what the queries of a text, and its keys, add to a mean over pairs, in cells of rows
// that follow each other.
type terms struct {
	queries, keys     []float64 // keys are empty if the mean is over queries alone
	ofQueries, ofKeys float64   // variances of the mean if rows are independent
	both              float64   // the same of what pairs add beyond their query and their key
	factor            float64   // of the variance, if keys are empty
	least             float64   // least variance of the mean
}

// termsOf returns the terms of what each query and each key adds, and of the mean square of the
// rest.
func termsOf(queries, keys []float64, both float64) terms {
	few := min(len(queries), len(keys))
	if len(keys) == 0 {
		few = len(queries)
	}
	cells := few / max(1, (few+maxCells-1)/maxCells)
	t := terms{queries: batches(queries, cells), ofQueries: variance(queries) / float64(len(queries)), factor: 1}
	if len(keys) > 0 {
		t.keys, t.ofKeys = batches(keys, cells), variance(keys)/float64(len(keys))
		t.both = both / float64(len(queries)*len(keys))
	}
	return t
}

// batches returns the means of so many batches of consecutive numbers.
func batches(xs []float64, count int) []float64 {
	means := make([]float64, count)
	for b := range means {
		some := xs[b*len(xs)/count : (b+1)*len(xs)/count]
		means[b] = Sum(some) / float64(len(some))
	}
	return means
}

// pace is how what neighbours add depends on each other.
type pace struct {
	batches int     // whose means are nearly independent
	factor  float64 // variance of the mean, over that of independent batches; NaN if batches are too few
}

// minBatches bounds the batches that an error rests on, and batchTimes their length in correlation
// times.
const (
	minBatches = 8
	batchTimes = 2
)

// worth is how many rows a text has, and how many independent ones they are worth.
type worth struct{ rows, independent float64 }

// pace returns that of cells. Batches of some correlation times depend on each other a little;
// factor allows for that by the batch means of an autoregressive series, whose correlation falls as
// ρ^lag, with the correlation time (1+ρ)/(1−ρ).
func (w worth) pace(cells int) pace {
	tau := w.rows / w.independent
	if tau == 1 {
		return pace{cells, 1}
	}
	rho := (tau - 1) / (tau + 1)
	ofMean := func(rows float64) float64 { // variance of a mean over that of one row
		end := 2 * rho * (1 - elementary.Pow(rho, rows)) / float64(rows*(1-rho)*(1-rho))
		return (tau - end) / rows
	}
	b := min(float64(cells), math.Floor(w.rows/math.Ceil(batchTimes*tau)))
	if b < minBatches {
		return pace{minBatches, math.NaN()}
	}
	return pace{int(b), (b - 1) * ofMean(w.rows) / (ofMean(w.rows/b) - ofMean(w.rows))}
}

// ofMean returns the variance of the mean of cells.
func (p pace) ofMean(cells []float64) float64 {
	return variance(batches(cells, p.batches)) / float64(p.batches) * p.factor
}

// standardError returns that of the mean, that of a two-way layout with random rows and
// columns: the numbers of queries and those of keys hold ofPairs what pairs add, which is at most
// half of them. Query and key of a row may be of one token, and go together.
func (t terms) standardError(w worth, ofPairs float64) float64 {
	p := w.pace(len(t.queries))
	vq := p.ofMean(t.queries)
	if len(t.keys) == 0 {
		return math.Sqrt(max(vq*t.factor, t.least))
	}
	vk, tokens := p.ofMean(t.keys), make([]float64, len(t.keys))
	for i, x := range t.queries {
		tokens[i] = x + t.keys[i]
	}
	return math.Sqrt(max(p.ofMean(tokens)-ofPairs, (vq+vk)/2))
}

// ofPairs returns the variance of what pairs add. It depends on neighbours as queries and keys do.
func (t terms) ofPairs(w worth) float64 {
	if w.independent == w.rows || t.both == 0 {
		return t.both
	}
	p := w.pace(len(t.queries))
	return t.both * p.ofMean(t.queries) / t.ofQueries * p.ofMean(t.keys) / t.ofKeys
}

// errorOfMean returns the standard error of the mean over heads, whose rows are the same tokens.
// What pairs add is taken to be independent between heads.
func errorOfMean(heads []terms, w worth) float64 {
	n := float64(len(heads))
	out, ofPairs := heads[0], 0.0
	out.queries, out.keys, out.least = make([]float64, len(out.queries)), make([]float64, len(out.keys)), 0
	for _, t := range heads {
		for i, x := range t.queries {
			out.queries[i] += x / n
		}
		for i, x := range t.keys {
			out.keys[i] += x / n
		}
		ofPairs += t.ofPairs(w) / float64(n*n)
		out.least += t.least / float64(n*n)
	}
	return out.standardError(w, ofPairs)
}

// mean is a mean with its standard error, and that of its logarithm.
type mean struct{ value, se, relative, freedom float64 }

// meanWith returns a mean with a standard error from so many numbers.
func meanWith(value, se float64, count int) mean {
	return mean{value, se, se / value * skewed(se/value), float64(max(1, count-1))}
}

// signed returns the estimate of a number of any sign.
func (m mean) signed() Estimate {
	half := float64(theory.StudentQuantile((1-level)/2, m.freedom) * m.se)
	return Estimate{result.Number(m.value), result.Number(m.se), result.Number(m.value - half),
		result.Number(m.value + half), m.relative, m.freedom}
}

// withinText returns the means of heads of one text, and of all, by what its rows are worth.
func withinText(values [][]float64, heads []terms, w worth) (all []mean) {
	whole, worst, same := 0.0, 0.0, true
	for h, t := range heads {
		se := t.standardError(w, t.ofPairs(w))
		all = append(all, meanWith(values[h][0], se, w.pace(len(t.queries)).batches))
		whole += values[h][0] / float64(len(heads))
		worst = max(worst, se)
		same = same && len(t.queries) == len(heads[0].queries) && len(t.keys) == len(heads[0].keys)
	}
	if same { // else some heads have rows of zeros of their own: as if they had all their errors in common
		worst = errorOfMean(heads, w)
	}
	return append(all, meanWith(whole, worst, int(all[0].freedom)+1))
}

// betweenTexts returns the means of heads over texts, and of all, from the numbers that each block
// of rows of each text has.
func betweenTexts(heads [][]float64, blocks int) (all []mean) {
	texts := len(heads[0]) / max(1, blocks)
	if texts < 2 {
		texts = len(heads[0])
	}
	whole := make([]float64, texts)
	for _, each := range heads {
		each = batches(each, texts)
		all = append(all, meanOver(each))
		for t, x := range each {
			whole[t] += x / float64(len(heads))
		}
	}
	return append(all, meanOver(whole))
}

// skewed returns by how much a relative error is larger than it seems if what the mean is over is
// skewed, as squares are: the factor with which 95 % intervals of lognormal and χ² numbers cover 94
// % or more, up to a standard deviation as large as the mean, by simulation.
func skewed(relative float64) float64 { return 1 + float64(3*relative*relative) }

// meanOver returns the mean of numbers with Student's error. That of the logarithm is the
// jackknife's, which skewed numbers need: Student's own is too small there.
func meanOver(each []float64) mean {
	n, sum := float64(len(each)), Sum(each)
	m := meanWith(sum/n, math.Sqrt(variance(each)/n), len(each))
	if m.se == 0 && sum != 0 { // texts that are the same
		m.se = math.NaN()
		return m
	}
	logs := make([]float64, len(each))
	for i, x := range each {
		if !(sum > x) {
			return m
		}
		logs[i] = elementary.Log(sum - x)
	}
	m.relative = math.Sqrt(variance(logs)/n) * (n - 1) * skewed(m.se/m.value)
	return m
}
