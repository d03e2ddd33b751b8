package theory

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/names"
)

// The bounds of an initialisation's label are what their definitions say, to the two
// digits that they have: the largest of eight weights is 1.25/8 on average at the lower
// one, and at the upper one the median row of eight keys keeps half of the gradient.
func TestBoundsOfInitialisations(t *testing.T) {
	const keys = names.SafeKeys
	at := func(sigma float64) float64 { return keys * SoftmaxOf(keys, sigma).MaxWeight }
	if below, above := at(names.SafeFrom-0.005), at(names.SafeFrom+0.005); below > 1.25 || above < 1.25 {
		t.Errorf("the largest of %d weights is 1.25/%d beyond σ = %g: %.3f/%d below it, %.3f/%d above", keys, keys, names.SafeFrom, below, keys, above, keys)
	}
	if below, above := medianSurvival(keys, names.FreezesFrom-0.05), medianSurvival(keys, names.FreezesFrom+0.05); below < 0.5 || above > 0.5 {
		t.Errorf("the median row of %d keys does not keep half at σ = %g: %.3f below it, %.3f above", keys, names.FreezesFrom, below, above)
	}
	// Longer rows are further from both departures.
	for n, soft, frozen := 2*keys, 1.25, 0.5; n <= 128; n *= 2 {
		largest, median := float64(n)*SoftmaxOf(n, names.SafeFrom).MaxWeight, medianSurvival(n, names.FreezesFrom)
		if largest < soft+0.02 || median < frozen+0.02 {
			t.Errorf("rows of %d keys: the largest weight is %.3f/n, after %.3f/n in shorter ones; R is %.3f after %.3f", n, largest, soft, median, frozen)
		}
		soft, frozen = largest, median
	}
}

// medianSurvival is R of the median of many rows of normal logits.
func medianSurvival(keys int, sigma float64) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	survivals := make([]float64, 1_600_000/keys)
	for i := range survivals {
		sum, squares := 0.0, 0.0
		for range keys {
			e := math.Exp(sigma * random.NormFloat64())
			sum, squares = sum+e, squares+e*e
		}
		survivals[i] = (1 - squares/(sum*sum)) / (1 - 1/float64(keys))
	}
	slices.Sort(survivals)
	return survivals[len(survivals)/2]
}
