package theory

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// testdata/ks_normal.csv, worked out by another program: distances to eight
// decimals, where they are taken to five.
func TestNormalityAgainstReference(t *testing.T) {
	f, err := os.Open("testdata/ks_normal.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 10 {
		t.Fatal(len(lines), err)
	}
	for _, line := range lines[1:] {
		var x [5]float64
		for i := range x {
			if x[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		d := int(x[0])
		n := NormalityOf(d)
		if math.Abs(n.Distance-x[1]) > 6e-9 || math.Abs(n.At-x[2]) > 1.5e-5 {
			t.Errorf("d = %d: %.9f at %.6f, want %v at %v", d, n.Distance, n.At, x[1], x[2])
		}
		if beyond := 1 - newMixture(d).inside(1); math.Abs(beyond-x[4]) > 6e-9 {
			t.Errorf("d = %d: P(|S| > √d) = %.9f, want %v", d, beyond, x[4])
		}
	}
}

// By hand. At d = 2 S is Laplace's law of scale 1; at d = 4 its density is
// (1+|s|)e^−|s|/4, so P(|S| ≤ t) = 1 − (1 + t/2)e^−t.
func TestMixtureInClosedForm(t *testing.T) {
	two, four := newMixture(2), newMixture(4)
	for _, x := range []float64{0.01, 0.1, 0.5, 1, 2, 4, 8} {
		if got, want := two.inside(x), -math.Expm1(-x*math.Sqrt2); math.Abs(got-want) > 1e-13 {
			t.Errorf("d = 2, x = %v: %v, want %v", x, got, want)
		}
		s := 2 * x
		if got, want := four.inside(x), 1-(1+s/2)*math.Exp(-s); math.Abs(got-want) > 1e-13 {
			t.Errorf("d = 4, x = %v: %v, want %v", x, got, want)
		}
	}
}

// In many dimensions the distance is that of Edgeworth's first term, the largest
// x(3 − x²)φ(x)/4d, which is 0.13765/d.
func BenchmarkNormality(b *testing.B) {
	for b.Loop() {
		normalities.Delete(1)
		NormalityOf(1)
	}
}

func TestNormalityOfManyDimensions(t *testing.T) {
	x := math.Sqrt(3 - math.Sqrt(6))
	first := x * (3 - x*x) * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) / 4
	for _, d := range []int{4096, 65536} {
		n := NormalityOf(d)
		if got := n.Distance * float64(d); math.Abs(got-first) > 4/float64(d) || math.Abs(n.At-x) > 1e-3 {
			t.Errorf("d = %d: %v/d at %v, want %v at %v", d, got, n.At, first, x)
		}
	}
}
