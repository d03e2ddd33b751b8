package precision

import (
	"math"
	"math/big"
	"math/rand/v2"
	"mcsim/sim/names"
	"testing"
)

// randomVectors returns a query and keys in a format. For each component, key has the components
// of all keys in sequence.
func randomVectors(f *Format, r *rand.Rand, d, keys int) (query, key []float64) {
	for range d {
		query = append(query, f.Round(r.NormFloat64()))
		for range keys {
			key = append(key, f.Round(r.NormFloat64()))
		}
	}
	return query, key
}

// TestAddAgainstBig compares sums in a format with math/big, which rounds products and sums in the
// order of the components, for components in two chunks, and checks the flags of overflows.
func TestAddAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range Formats {
		const d, keys = 200, 3
		overflows := 0
		for range 30 {
			query, key := randomVectors(f, r, d, keys)
			if f.Max < 1e6 {
				query[d/2] = f.Round(f.Max * r.Float64()) // so that some overflow
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
				if !sameBits(sums[j], want) || overflowed[j] != wantOverflow {
					t.Errorf("%s: the sum is %v (overflow: %v), want %v (%v)", f.Name, sums[j], overflowed[j], want,
						wantOverflow)
				}
				if wantOverflow {
					overflows++
				}
			}
		}
		if (f.Max < 1e6) != (overflows > 0) {
			t.Errorf("%s: %d sums overflow", f.Name, overflows)
		}
	}
}

// roundOperation returns the result of an operation on two numbers of a format, rounded to the
// format once. It sets overflow if the result overflows.
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
	digits := f.Digits - max(0, f.MinExponent+1-exact.MantExp(nil))
	minSubnormal := math.Ldexp(1, f.MinExponent-f.Digits+1)
	switch {
	case exact.Sign() == 0:
		x, _ := exact.Float64()
		return x
	case digits < 0 || digits == 0 && magnitude.Cmp(big.NewFloat(minSubnormal/2)) <= 0:
		return math.Copysign(0, float64(exact.Sign()))
	case digits == 0:
		return math.Copysign(minSubnormal, float64(exact.Sign()))
	}
	x, _ := exact.SetMode(big.ToNearestEven).SetPrec(uint(digits)).Float64()
	return x
}

// TestSingleAndDouble checks that sums in float32 are equal to those of the format float32, and
// that sums in float64 are exact up to the rounding of their terms.
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
		exact, size := new(big.Float).SetPrec(400), 0.0
		for i, q := range query {
			exact.Add(exact, new(big.Float).SetPrec(100).Mul(big.NewFloat(q), big.NewFloat(key[i*keys+j])))
			size += math.Abs(q * key[i*keys+j])
		}
		want, _ := exact.Float64()
		if float64(float32Sums[j]) != formatSums[j] || overflowed[j] {
			t.Errorf("the sum is %v in float32 and %v in its format", float32Sums[j], formatSums[j])
		}
		if difference := math.Abs(float64Sums[j] - want); difference > d*size*0x1p-53 {
			t.Errorf("the sum in float64 is %v, off by %v", float64Sums[j], difference)
		}
		if difference := math.Abs(formatSums[j] - want); difference == 0 || difference > d*size*0x1p-24 {
			t.Errorf("the sum in float32 is %v, off by %v", formatSums[j], difference)
		}
	}
}

// TestSoftmax compares weights in float32 and float64 with those of math.Exp, up to the rounding
// of the operations.
func TestSoftmax(t *testing.T) {
	for _, logits := range [][]float32{{0, 0}, {1, 2, 3}, {-1e30, 0, 5}, {88, -88, 3, 87.5},
		{float32(math.Inf(-1)), 1, 2}, {-1, -2, -3, -4, -5, -6, -7}} {
		n := len(logits)
		weights, exact, logits64 := make([]float32, n), make([]float64, n), make([]float64, n)
		if !SoftmaxFloat32(logits, weights) {
			t.Fatalf("%v has no weights", logits)
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
			if math.Abs(float64(weights[i])-want) > want*float64(n+5)*0x1p-24+math.Abs(s-maxLogit)*want*0x1p-24+
				0x1p-149 ||
				math.Abs(exact[i]-want) > 1e-14*want+1e-300 {
				t.Errorf("%v: weight %d is %v in float32 and %v in float64, want %v", logits, i, weights[i], exact[i],
					want)
			}
		}
	}
	inf := float32(math.Inf(1))
	for _, logits := range [][]float32{{0, float32(math.NaN())}, {float32(math.NaN()), 0}, {inf, 0, 1}, {-inf, -inf}} {
		if SoftmaxFloat32(logits, make([]float32, len(logits))) {
			t.Errorf("%v has weights", logits)
		}
	}
}

// TestTotalVariation checks that total variation is the largest difference of the probabilities of
// any set.
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
