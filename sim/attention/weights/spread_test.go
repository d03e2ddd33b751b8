package weights

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
)

// coin is a symmetric distribution of two or three values, which can be enumerated. A coin is
// ±1/√probability with the given probability, otherwise 0. Its variance is 1 and its kurtosis
// 1/probability.
type coin struct{ probability float64 }

// values returns the values of a coin with their probabilities.
func (c coin) values() (x, probabilities []float64) {
	root := 1 / math.Sqrt(c.probability)
	if c.probability == 1 {
		return []float64{-1, 1}, []float64{0.5, 0.5}
	}
	return []float64{-root, 0, root}, []float64{c.probability / 2, 1 - c.probability, c.probability / 2}
}

// outcome is a possible projection with its probability: a matrix W with the column w[c], and the
// bias b.
type outcome struct {
	probability float64
	w           [][]float64
	b           []float64
}

// enumerateOutcomes returns all projections whose entries and biases are coins times their standard
// deviation.
func enumerateOutcomes(model, d int, e Entries, entry, bias coin) []outcome {
	outcomes := []outcome{{probability: 1}}
	extend := func(sd float64, distribution coin, add func(o outcome, x float64) outcome) {
		x, probabilities := distribution.values()
		var next []outcome
		for _, o := range outcomes {
			for i := range x {
				n := add(o, sd*x[i])
				n.probability = o.probability * probabilities[i]
				next = append(next, n)
			}
		}
		outcomes = next
	}
	for c := range d {
		for range model {
			extend(math.Sqrt(e.Variance), entry, func(o outcome, x float64) outcome {
				w := make([][]float64, d)
				copy(w, o.w)
				w[c] = append(append([]float64{}, w[c]...), x)
				return outcome{w: w, b: o.b}
			})
		}
		if e.BiasVariance == 0 {
			for i := range outcomes {
				outcomes[i].b = append(append([]float64{}, outcomes[i].b...), 0)
			}
			continue
		}
		extend(math.Sqrt(e.BiasVariance), bias, func(o outcome, x float64) outcome {
			return outcome{w: o.w, b: append(append([]float64{}, o.b...), x)}
		})
	}
	return outcomes
}

// innerProduct returns wᵀΣv for the covariance Σ of layer-normed tokens.
func innerProduct(w, v []float64) float64 {
	var sum, left, right float64
	for i := range w {
		sum, left, right = sum+w[i]*v[i], left+w[i], right+v[i]
	}
	n := float64(len(w))
	return n / (n - 1) * (sum - left*right/n)
}

// TestTheoryAgainstEnumeration compares the closed forms for variances with sums over all possible
// projections, for random variances and kurtoses of entries and biases.
func TestTheoryAgainstEnumeration(t *testing.T) {
	shapes := []struct {
		model, d     int
		areTwoValued bool // only two values, since three would have too many outcomes
	}{{2, 1, false}, {3, 1, false}, {4, 1, false}, {5, 1, true}, {2, 2, true}, {3, 2, true}}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(shapes).Draw(t, "shape")
		genCoin := func(name string) coin {
			if s.areTwoValued {
				return coin{1}
			}
			return coin{rapid.SampledFrom([]float64{1, 0.6, 0.2}).Draw(t, name)}
		}
		entry, bias := genCoin("entries"), genCoin("biases")
		hasBias := rapid.Bool().Draw(t, "with biases")
		genEntries := func(name string) Entries {
			e := Entries{Variance: rapid.Float64Range(0.01, 3).Draw(t, name), Kurtosis: 1 / entry.probability}
			if hasBias {
				e.BiasVariance, e.BiasKurtosis = rapid.Float64Range(0.01, 2).Draw(t, name+" bias"), 1/bias.probability
			}
			return e
		}
		h := Head{Layer: Shape{s.model, s.d}.Layer(), Scheme: &Scheme{Distribution: distribution.Normal},
			Query: genEntries("query"), Key: genEntries("key"),
			Scale: rapid.Float64Range(0.1, 2).Draw(t, "scale")}
		compareTheory(t, h, entry, bias)
	})
}

func compareTheory(t *rapid.T, h Head, entry, bias coin) {
	d := h.Shape.Key
	var mean, square, selfMean, selfSquare float64
	keys := enumerateOutcomes(h.Shape.Model, d, h.Key, entry, bias)
	for _, q := range enumerateOutcomes(h.Shape.Model, d, h.Query, entry, bias) {
		for _, k := range keys {
			var trace, selfScore float64
			for a := range d {
				for b := range d {
					trace += (innerProduct(q.w[a], q.w[b]) + q.b[a]*q.b[b]) * (innerProduct(k.w[a], k.w[b]) +
						k.b[a]*k.b[b])
				}
				selfScore += innerProduct(q.w[a], k.w[a]) + q.b[a]*k.b[a]
			}
			probability := q.probability * k.probability
			mean, square = mean+probability*trace, square+probability*trace*trace
			selfMean, selfSquare = selfMean+probability*selfScore, selfSquare+probability*selfScore*selfScore
		}
	}
	scale := h.Scale * h.Scale
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"logit variance", h.LogitVariance(), scale * mean},
		{"scaled variance", h.ScaledVariance(), mean / float64(d)},
		{"relative variance", h.RelativeVariance(), square/(mean*mean) - 1},
		{"same token mean variance", h.SameTokenMeanVariance(), scale * (selfSquare - selfMean*selfMean)},
	} {
		if math.Abs(x.got-x.want) > 1e-9*max(1, x.want) {
			t.Errorf("the closed form of the %s is %v, the sum over all outcomes %v", x.name, x.got, x.want)
		}
	}
}

// TestOrthogonalRelativeVariance compares the closed form for orthonormal columns, which cannot be
// enumerated, with the variance over many samples. They must agree within 4.5 standard errors.
func TestOrthogonalRelativeVariance(t *testing.T) {
	samples := 3000
	if testing.Short() {
		samples = 500
	}
	s, _ := Lookup("orthogonal")
	for _, shape := range []Shape{{4, 1}, {6, 2}, {8, 4}, {12, 6}, {6, 6}} {
		h := s.Head(shape)
		sampler := NewSampler(h)
		values := make([]float64, samples)
		cell := stream.Open(stream.ID{Seed: 5, Cell: "orthogonal"})
		for i := range values {
			var lanes stream.Lanes
			cell.Block(&lanes, uint64(i))
			values[i] = sampler.Sample(&lanes).WeightsSquare
		}
		m := moments.New(values, 4)
		if z := (m.Mean - h.keyWidth()) / math.Sqrt(m.Variance()/float64(samples)); math.Abs(z) > 4.5 {
			t.Errorf("%+v: the mean square is %v, want %v; the difference is %.1f standard errors", shape, m.Mean,
				h.keyWidth(), z)
		}
		got := m.Variance() / (h.keyWidth() * h.keyWidth())
		se := got * math.Sqrt((m.Standardised(4)-1)/float64(samples))
		if want := h.RelativeVariance(); math.Abs(got-want) > 4.5*se {
			t.Errorf("%+v: the relative variance is %v ± %v, want %v", shape, got, se, want)
		}
	}
}
