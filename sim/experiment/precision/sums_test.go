package precision

import (
	"math"
	"math/big"
	"math/rand/v2"
	"mcsim/sim/names"
	"testing"
)

// vectors returns a query, and keys one behind the other for each component, in a format.
func vectors(f *Format, r *rand.Rand, d, keys int) (query, key []float64) {
	for range d {
		query = append(query, f.Round(r.NormFloat64()))
		for range keys {
			key = append(key, f.Round(r.NormFloat64()))
		}
	}
	return query, key
}

// Sums in a format are those whose products and sums math/big rounds, in the order of the
// components, however the components come; those that overflow say so.
func TestAddAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range Formats {
		const d, keys = 200, 3
		lost := 0
		for range 30 {
			query, key := vectors(f, r, d, keys)
			if f.Max < 1e6 {
				query[d/2] = f.Round(f.Max * r.Float64()) // so that some overflow
			}
			sums, over := make([]float64, keys), make([]bool, keys)
			f.Add(sums, over, query[:70], key[:70*keys])
			f.Add(sums, over, query[70:], key[70*keys:])
			for j := range keys {
				want, far := 0.0, false
				for i, q := range query {
					product := exactly(f, q, key[i*keys+j], (*big.Float).Mul, &far)
					want = exactly(f, want, product, (*big.Float).Add, &far)
				}
				if !same(sums[j], want) || over[j] != far {
					t.Errorf("%s: the sum is %v (overflow: %v), want %v (%v)", f.Name, sums[j], over[j], want, far)
				}
				if far {
					lost++
				}
			}
		}
		if (f.Max < 1e6) != (lost > 0) {
			t.Errorf("%s: %d sums overflow", f.Name, lost)
		}
	}
}

// exactly returns an operation on two numbers of a format that is rounded to it but once.
func exactly(f *Format, a, b float64, operation func(z, x, y *big.Float) *big.Float, far *bool) float64 {
	if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		*far = true
		return f.overflow(a + b)
	}
	exact := operation(new(big.Float).SetPrec(400), big.NewFloat(a), big.NewFloat(b))
	size := new(big.Float).Abs(exact)
	if size.Cmp(big.NewFloat(f.limit)) >= 0 {
		*far = true
		x, _ := exact.Float64()
		return f.overflow(x)
	}
	digits := f.Digits - max(0, f.Least+1-exact.MantExp(nil))
	least := math.Ldexp(1, f.Least-f.Digits+1)
	switch {
	case exact.Sign() == 0:
		x, _ := exact.Float64()
		return x
	case digits < 0 || digits == 0 && size.Cmp(big.NewFloat(least/2)) <= 0:
		return math.Copysign(0, float64(exact.Sign()))
	case digits == 0:
		return math.Copysign(least, float64(exact.Sign()))
	}
	x, _ := exact.SetMode(big.ToNearestEven).SetPrec(uint(digits)).Float64()
	return x
}

// Sums in float32 are those of the format float32, and sums in float64 are exact to the
// rounding of as many sums.
func TestSingleAndDouble(t *testing.T) {
	f, r := Named(names.FormatFloat32), rand.New(rand.NewPCG(5, 6))
	const d, keys = 300, 5
	query, key := vectors(f, r, d, keys)
	own, over, single, double := make([]float64, keys), make([]bool, keys), make([]float32, keys), make([]float64, keys)
	f.Add(own, over, query, key)
	Plain(double, query, key)
	Plain(single, narrow(nil, query), narrow(nil, key))
	for j := range keys {
		exact, size := new(big.Float).SetPrec(400), 0.0
		for i, q := range query {
			exact.Add(exact, new(big.Float).SetPrec(100).Mul(big.NewFloat(q), big.NewFloat(key[i*keys+j])))
			size += math.Abs(q * key[i*keys+j])
		}
		want, _ := exact.Float64()
		if float64(single[j]) != own[j] || over[j] {
			t.Errorf("the sum is %v in float32 and %v in its format", single[j], own[j])
		}
		if off := math.Abs(double[j] - want); off > d*size*0x1p-53 {
			t.Errorf("the sum in float64 is %v, off by %v", double[j], off)
		}
		if off := math.Abs(own[j] - want); off == 0 || off > d*size*0x1p-24 {
			t.Errorf("the sum in float32 is %v, off by %v", own[j], off)
		}
	}
}

// Weights in float32 are those of math.Exp in float64 to the rounding of as many
// operations, and those of Exact to that of float64.
func TestSoftmax(t *testing.T) {
	for _, logits := range [][]float32{{0, 0}, {1, 2, 3}, {-1e30, 0, 5}, {88, -88, 3, 87.5},
		{float32(math.Inf(-1)), 1, 2}, {-1, -2, -3, -4, -5, -6, -7}} {
		n := len(logits)
		weights, exact, wide := make([]float32, n), make([]float64, n), make([]float64, n)
		if !Softmax(logits, weights) {
			t.Fatalf("%v has no weights", logits)
		}
		sum, most := 0.0, float64(logits[0])
		for i, s := range logits {
			wide[i] = float64(s)
			most = max(most, wide[i])
		}
		for _, s := range wide {
			sum += math.Exp(s - most)
		}
		Exact(wide, exact)
		for i, s := range wide {
			want := math.Exp(s-most) / sum
			if math.Abs(float64(weights[i])-want) > want*float64(n+5)*0x1p-24+math.Abs(s-most)*want*0x1p-24+0x1p-149 ||
				math.Abs(exact[i]-want) > 1e-14*want+1e-300 {
				t.Errorf("%v: weight %d is %v in float32 and %v in float64, want %v", logits, i, weights[i], exact[i],
					want)
			}
		}
	}
	inf := float32(math.Inf(1))
	for _, logits := range [][]float32{{0, float32(math.NaN())}, {float32(math.NaN()), 0}, {inf, 0, 1}, {-inf, -inf}} {
		if Softmax(logits, make([]float32, len(logits))) {
			t.Errorf("%v has weights", logits)
		}
	}
}

// Total variation is the greatest difference of what two distributions give to any set.
func TestTotalVariation(t *testing.T) {
	for _, c := range []struct {
		a    []float32
		b    []float64
		want float64
	}{
		{[]float32{0.5, 0.5}, []float64{0.5, 0.5}, 0},
		{[]float32{1, 0, 0}, []float64{0, 0.5, 0.5}, 1},
		{[]float32{0.5, 0.25, 0.25}, []float64{0.25, 0.25, 0.5}, 0.25},
	} {
		if got := TotalVariation(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
