package precision

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"mcsim/sim/names"
)

// randomVectors returns a query and keys of normal components, rounded to a format. key has the
// first component of all keys, then the second, and so on.
func randomVectors(f *Format, r *rand.Rand, d, keys int) (query, key []float64) {
	for range d {
		query = append(query, f.Round(r.NormFloat64()))
		for range keys {
			key = append(key, f.Round(r.NormFloat64()))
		}
	}
	return query, key
}

// TestAddAgainstBig compares the sums of Format.AddProducts, after two chunks of components, and
// the flags of overflow with math/big. In formats with a small range, some sums must overflow.
func TestAddAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range Formats {
		const d, keys = 200, 3
		overflows, hasSmallRange := 0, f.Max < 1e6
		for range 30 {
			query, key := randomVectors(f, r, d, keys)
			if hasSmallRange {
				query[d/2] = f.Round(f.Max * r.Float64()) // causes overflow of some sums
			}
			sums, overflowed := make([]float64, keys), make([]bool, keys)
			f.AddProducts(sums, overflowed, query[:70], key[:70*keys])
			f.AddProducts(sums, overflowed, query[70:], key[70*keys:])
			for j := range keys {
				want, wantOverflow := 0.0, false
				for i, q := range query {
					product := roundOperation(f, q, key[i*keys+j], (*big.Float).Mul, &wantOverflow)
					want = roundOperation(f, want, product, (*big.Float).Add, &wantOverflow)
				}
				if !sameBits(sums[j], want) {
					t.Errorf("%s: sum: got %v, want %v", f.Name, sums[j], want)
				}
				if overflowed[j] != wantOverflow {
					t.Errorf("%s: overflow of the sum %v: got %v, want %v", f.Name, want, overflowed[j], wantOverflow)
				}
				if wantOverflow {
					overflows++
				}
			}
		}
		if got := overflows > 0; got != hasSmallRange {
			t.Errorf("%s: some sums overflow: got %v, want %v", f.Name, got, hasSmallRange)
		}
	}
}

// roundOperation returns the result of an operation on two numbers, rounded once to the format. It
// sets overflow if the result overflows, or if one of the numbers is infinite or NaN.
func roundOperation(f *Format, a, b float64, operation func(z, x, y *big.Float) *big.Float, overflow *bool) float64 {
	if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		*overflow = true
		return f.roundOverflow(a + b)
	}
	exact := operation(new(big.Float).SetPrec(400), big.NewFloat(a), big.NewFloat(b))
	magnitude := new(big.Float).Abs(exact)
	if magnitude.Cmp(big.NewFloat(f.overflowLimit)) >= 0 {
		*overflow = true
		x, _ := exact.Float64()
		return f.roundOverflow(x)
	}
	digits := f.Digits - max(0, f.MinExponent+1-exact.MantExp(nil)) // fewer for a subnormal result
	minSubnormal := math.Ldexp(1, f.MinExponent-f.Digits+1)
	sign := float64(exact.Sign())
	switch {
	case sign == 0:
		x, _ := exact.Float64()
		return x
	case digits <= 0 && magnitude.Cmp(big.NewFloat(minSubnormal/2)) <= 0:
		return math.Copysign(0, sign)
	case digits <= 0:
		return math.Copysign(minSubnormal, sign)
	}
	x, _ := exact.SetMode(big.ToNearestEven).SetPrec(uint(digits)).Float64()
	return x
}

// TestSingleAndDouble checks that AddProducts in float32 gives the same sums as the format float32,
// and that the errors of the sums in float32 and float64 are at most those of rounding.
func TestSingleAndDouble(t *testing.T) {
	f, r := Lookup(names.FormatFloat32), rand.New(rand.NewPCG(5, 6))
	const d, keys = 300, 5
	query, key := randomVectors(f, r, d, keys)
	formatSums, overflowed := make([]float64, keys), make([]bool, keys)
	float32Sums, float64Sums := make([]float32, keys), make([]float64, keys)
	f.AddProducts(formatSums, overflowed, query, key)
	AddProducts(float64Sums, query, key)
	AddProducts(float32Sums, toFloat32(nil, query), toFloat32(nil, key))
	for j := range keys {
		exact, sumOfMagnitudes := new(big.Float).SetPrec(400), 0.0
		for i, q := range query {
			exact.Add(exact, new(big.Float).SetPrec(100).Mul(big.NewFloat(q), big.NewFloat(key[i*keys+j])))
			sumOfMagnitudes += math.Abs(q * key[i*keys+j])
		}
		want, _ := exact.Float64()
		if got, want := float64(float32Sums[j]), formatSums[j]; got != want {
			t.Errorf("sum %d in float32: got %v, want %v as in the format float32", j, got, want)
		}
		if overflowed[j] {
			t.Errorf("sum %d overflows in the format float32", j)
		}
		if tolerance := d * sumOfMagnitudes * 0x1p-53; math.Abs(float64Sums[j]-want) > tolerance {
			t.Errorf("sum %d in float64: got %v, want %v ± %.2g", j, float64Sums[j], want, tolerance)
		}
		if tolerance := d * sumOfMagnitudes * 0x1p-24; math.Abs(formatSums[j]-want) > tolerance {
			t.Errorf("sum %d in float32: got %v, want %v ± %.2g", j, formatSums[j], want, tolerance)
		}
		if formatSums[j] == want {
			t.Errorf("sum %d in float32 is exact, so its rounding is not tested", j)
		}
	}
}

// TestSoftmax compares the weights of SoftmaxFloat32 and SoftmaxFloat64 with weights by math.Exp,
// up to the rounding of the operations. It also checks for which logits the weights do not exist.
func TestSoftmax(t *testing.T) {
	for _, logits := range [][]float32{{0, 0}, {1, 2, 3}, {-1e30, 0, 5}, {88, -88, 3, 87.5},
		{float32(math.Inf(-1)), 1, 2}, {-1, -2, -3, -4, -5, -6, -7}} {
		n := len(logits)
		weights, exact, logits64 := make([]float32, n), make([]float64, n), make([]float64, n)
		if !SoftmaxFloat32(logits, weights) {
			t.Fatalf("SoftmaxFloat32(%v) = false, want true", logits)
		}
		sum, maxLogit := 0.0, float64(logits[0])
		for i, s := range logits {
			logits64[i] = float64(s)
			maxLogit = max(maxLogit, logits64[i])
		}
		for _, s := range logits64 {
			sum += math.Exp(s - maxLogit)
		}
		SoftmaxFloat64(logits64, exact)
		for i, s := range logits64 {
			want := math.Exp(s-maxLogit) / sum
			// The sum and the operations on a weight, the error of the exponent, and subnormal
			// weights.
			tolerance := want*float64(n+5)*0x1p-24 + math.Abs(s-maxLogit)*want*0x1p-24 + 0x1p-149
			if math.Abs(float64(weights[i])-want) > tolerance {
				t.Errorf("%v: weight %d in float32: got %v, want %v", logits, i, weights[i], want)
			}
			if math.Abs(exact[i]-want) > 1e-14*want+1e-300 {
				t.Errorf("%v: weight %d in float64: got %v, want %v", logits, i, exact[i], want)
			}
		}
	}
	inf := float32(math.Inf(1))
	for _, logits := range [][]float32{{0, float32(math.NaN())}, {float32(math.NaN()), 0}, {inf, 0, 1}, {-inf, -inf}} {
		if SoftmaxFloat32(logits, make([]float32, len(logits))) {
			t.Errorf("SoftmaxFloat32(%v) = true, want false", logits)
		}
	}
}

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
			t.Errorf("TotalVariation(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
