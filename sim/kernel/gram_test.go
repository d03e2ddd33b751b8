package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestProductsAgree checks that every kernel gives the same tile and the same sums for any number
// of components in any number of calls.
func TestProductsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range []int{1, 2, 3, 7, 64, 65} {
		q, k := newRows(rng, d, newNormal), newRows(rng, 3*d, newNormal)
		for half := range 2 {
			type result struct {
				tile Tile
				sums Sums
			}
			results := map[string]result{}
			for _, i := range implementations {
				if !i.available {
					continue
				}
				var r result
				for j := range r.sums[0] {
					r.sums[0][j], r.sums[1][j] = float32(j), 1 // Products must add to these
				}
				i.products(q, half, k, d, &r.tile, true, false, &r.sums)
				i.products(q, half, k, d, &r.tile, false, true, &r.sums)
				results[i.name] = r
			}
			want := results["portable"]
			for name, r := range results {
				if r != want {
					t.Errorf("d = %d, half %d: tile or sums of %s differ from those of portable", d, half, name)
				}
			}
		}
	}
}

// TestProductsAreChains compares the scores of every kernel with chains of exactFMA. The factors
// are normal numbers, and numbers for which rounding twice differs from rounding once.
func TestProductsAreChains(t *testing.T) {
	const slightlyMore, slightlyLess = 1 + 0x1p-23, 1 - 0x1p-23 // their product is 1 − 2⁻⁴⁶
	rng := rand.New(rand.NewPCG(5, 6))
	// Functions that return component c of the query and of the key.
	inputs := map[string]func(c int) (q, k float32){
		"drawn": func(int) (q, k float32) { return float32(rng.NormFloat64()), float32(rng.NormFloat64()) },
		// A sum just below a tie, which float64 rounds to the tie.
		"tie": func(c int) (q, k float32) {
			return []float32{1, 0x1p-12 * slightlyMore, 0}[min(c, 2)],
				[]float32{slightlyMore, 0x1p-12 * slightlyLess, 0}[min(c, 2)]
		},
		// The same for subnormal numbers.
		"small": func(c int) (q, k float32) {
			return []float32{0x1p-70, 0x1p-75 * slightlyMore}[c%2],
				[]float32{0x1p-70 * (1 + 0x1p-9), 0x1p-75 * slightlyLess}[c%2]
		},
		// The same at the greatest number: rounded twice it overflows.
		"edge": func(c int) (q, k float32) {
			return []float32{1, 0x1p51 * slightlyMore, 0}[min(c, 2)],
				[]float32{math.MaxFloat32, 0x1p52 * slightlyLess, 0}[min(c, 2)]
		},
		// Sums that are float32 numbers, with as many trailing zeros as a tie.
		"exact": func(int) (q, k float32) { return float32(rng.IntN(3) - 1), float32(rng.IntN(5)-2) / 4 },
		// Sums that overflow, with factors of all sizes.
		"great": func(c int) (q, k float32) {
			return []float32{0x1p63, 0x1p-60}[c%2],
				[]float32{-0x1p63, 0x1p-60}[c%2]
		},
	}
	const d = 67
	for name, draw := range inputs {
		t.Run(name, func(t *testing.T) {
			q, k := make([][Width]float32, d), make([][Width]float32, 3*d)
			for c := range d {
				for j := range Width {
					q[c][j], k[c][j] = draw(c)
					_, k[d+c][j] = draw(c)
					_, k[2*d+c][j] = draw(c)
				}
			}
			var want Tile
			for i := range want {
				for j := range want[i] {
					for c := range d {
						want[i][j] = exactFMA(q[c][i], k[j/Width*d+c][j%Width], want[i][j])
					}
				}
			}
			for _, i := range implementations {
				if !i.available {
					continue
				}
				var got Tile
				var sums Sums
				i.products(q, 0, k, d, &got, true, false, &sums)
				for r := range got {
					for j, x := range got[r] {
						if math.Float32bits(x) != math.Float32bits(want[r][j]) {
							t.Fatalf("%s: score %d, %d is %b, want %b", i.name, r, j, x, want[r][j])
						}
					}
				}
			}
		})
	}
}

// exactFMA returns a·b + c rounded once. math/big has no NaN, and panics for differences of
// infinities.
func exactFMA(a, b, c float32) float32 {
	if math.IsInf(float64(c), 0) {
		return c // the product of finite numbers is finite
	}
	toBig := func(x float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(x)) }
	sum, _ := toBig(c).Add(toBig(c), toBig(a).Mul(toBig(a), toBig(b))).Float32()
	return sum
}
