package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/names"
)

// The bounds of an initialisation's label are what their definitions say, to the three
// digits that they have: the largest of eight weights is 1.25/8 on average at the lower
// one, and at the upper one the median row of eight keys keeps half of the gradient.
func TestBoundsOfInitialisations(t *testing.T) {
	const keys = names.SafeKeys
	at := func(sigma float64) float64 { return keys * SoftmaxOf(keys, sigma).MaxWeight }
	if below, above := at(names.SafeFrom-0.0005), at(names.SafeFrom+0.0005); below > 1.25 || above < 1.25 {
		t.Errorf("the largest of %d weights is 1.25/%d beyond σ = %g: %.4f/%d below it, %.4f/%d above", keys, keys, names.SafeFrom, below, keys, above, keys)
	}
	// Four million rows know the share below a half to 0.00025; at 0.01 from the bound it
	// is some five and eight of these from a half.
	if below, above := shareBelowHalf(keys, names.FreezesFrom-0.01), shareBelowHalf(keys, names.FreezesFrom+0.01); below > 0.5 || above < 0.5 {
		t.Errorf("the median row of %d keys does not keep half at σ = %g: of rows %.4f keep less below it, %.4f above", keys, names.FreezesFrom, below, above)
	}
}

// shareBelowHalf is the share of very many rows of normal logits whose R is below a half.
func shareBelowHalf(keys int, sigma float64) (share float64) {
	random := rand.New(rand.NewPCG(5, 6))
	const rows = 4_000_000
	for range rows {
		sum, squares := 0.0, 0.0
		for range keys {
			e := math.Exp(sigma * random.NormFloat64())
			sum, squares = sum+e, squares+e*e
		}
		if (1-squares/(sum*sum))/(1-1/float64(keys)) < 0.5 {
			share += 1. / rows
		}
	}
	return share
}
