package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestLogAgainstMpmath(t *testing.T) {
	within(t, "log", func(a []float64) float64 { return Log(a[0]) }, always(2))
}

func TestExpAgainstMpmath(t *testing.T) {
	within(t, "exp", func(a []float64) float64 { return Exp(a[0]) }, always(1))
}

// A power by multiplication loses half a unit in each of at most |y| + 1
// products, a root and, for y < 0, a division of which each may count double
// after it crosses a power of two. One by exp(y ln x) loses |y ln x|·2⁻⁵²,
// which is up to two units for each of |y ln x|, and a unit in exp itself.
func TestPowAgainstMpmath(t *testing.T) {
	within(t, "pow", func(a []float64) float64 { return Pow(a[0], a[1]) }, func(a []float64, _ float64) float64 {
		if y := a[1]; 2*y == math.Trunc(2*y) {
			return math.Abs(y) + 3
		}
		return 2*math.Abs(a[1]*math.Log(a[0])) + 2
	})
}

// To four units, of 1 where |z| is less: near ½ the error is absolute, since
// ln p there is known to 2⁻⁵³ and no better.
func TestQuantileAgainstMpmath(t *testing.T) {
	within(t, "quantile", func(a []float64) float64 { return Quantile(a[0]) }, func(_ []float64, z float64) float64 {
		z = math.Abs(z)
		return 4 * max(1, 0x1p-52/(math.Nextafter(z, math.Inf(1))-z))
	})
}

// The exponent −x²/2 − ln √(2π) is rounded three times, by x²/2·2⁻⁵³ each:
// that is at most 3x²/2 units of e^…, and Mills' ratio is good to a few.
func TestTailAgainstMpmath(t *testing.T) {
	within(t, "tail", func(a []float64) float64 { return tail(a[0]) }, func(a []float64, _ float64) float64 {
		return 8 + 1.5*a[0]*a[0]
	})
}

// Package math's own functions are good to less than a unit, so two and one
// of ours may differ from it by three and two. (Not for subnormal numbers, of
// which math.Log of Go 1.26 on amd64 is off by 0.2 %: math.Log(4e-309).)
func TestLogExpAgainstMath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		x := math.Float64frombits(r.Uint64() >> 1)
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0x1p-1022 {
			continue
		}
		if e := units(Log(x), math.Log(x)); !(e <= 3) {
			t.Fatalf("Log(%v) = %v, math has %v", x, Log(x), math.Log(x))
		}
		y := 1416*r.Float64() - 708
		if e := units(Exp(y), math.Exp(y)); !(e <= 2) {
			t.Fatalf("Exp(%v) = %v, math has %v", y, Exp(y), math.Exp(y))
		}
		z := 1 + (r.Float64()-0.5)*math.Pow(2, -30*r.Float64())
		if e := units(Log(z), math.Log(z)); !(e <= 3) {
			t.Fatalf("Log(%v) = %v, math has %v", z, Log(z), math.Log(z))
		}
	}
}

// The reduction of Exp and Log stands on exact products n·ln2Hi.
func TestLn2(t *testing.T) {
	for n := -1100.0; n <= 1100; n++ {
		product := new(big.Float).SetPrec(200).Mul(big.NewFloat(n), big.NewFloat(ln2Hi))
		if got, _ := product.Float64(); got != n*ln2Hi || !product.IsInt() && product.MinPrec() > 53 {
			t.Fatalf("%v·ln2Hi is not exact", n)
		}
	}
	// ln 2 to 40 digits, OEIS A002162.
	ln2, _ := new(big.Float).SetPrec(200).SetString("0.6931471805599453094172321214581765680755")
	off := ln2.Sub(ln2, big.NewFloat(ln2Hi))
	off.Sub(off, big.NewFloat(ln2Lo))
	if f, _ := off.Float64(); math.Abs(f) > 0x1p-85 {
		t.Errorf("ln2Hi + ln2Lo is %.2g off", f)
	}
}
