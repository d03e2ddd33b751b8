package reach

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// TestMoments compares Moments with the values of testdata/reach.py.
func TestMoments(t *testing.T) {
	file, err := os.Open("testdata/reach.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		var x [7]float64
		for i := range x {
			if x[i], err = strconv.ParseFloat(record[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		got := Moments(int(x[0]), int(x[1]), x[2], x[3])
		for k, want := range x[4:] {
			if math.Abs(got[k]/want-1) > 1e-10 {
				t.Errorf("%v: moment %d: got %v, want %v", record[:4], k+1, got[k], want)
			}
		}
	}
}

// TestBound checks the range in which the closed form is within 1 % of the quadrature, and that it
// is not outside of this range.
func TestBound(t *testing.T) {
	relativeError := func(n, d int, sigma float64) float64 {
		a := sigma * math.Sqrt(float64(d))
		return math.Abs(Bound(n, a, sigma)/Moments(n, d, a, a)[0] - 1)
	}
	for _, d := range []int{64, 80, 128, 256, 512} {
		for _, sigma := range []float64{0.1, 0.5, 1} {
			for _, n := range []int{1, 7, 63, 1023, 1 << 14, 1 << 20} {
				if e := relativeError(n, d, sigma); e > 0.01 {
					t.Errorf("%d others, d %d, σ %v: relative error %v, want at most 0.01", n, d, sigma, e)
				}
			}
		}
	}
	if e := relativeError(1<<20, 64, 2); e < 0.01 {
		t.Errorf("σ = 2: relative error %v; the range of Bound can be larger", e)
	}
}

// TestLimits checks values that are known without quadrature.
func TestLimits(t *testing.T) {
	if got := Moments(7, 64, 0, 0)[0]; math.Abs(got-1.0/8) > 1e-12 {
		t.Errorf("without logits: got %v, want 1/8", got)
	}
	if got := Moments(1<<24, 256, 256, 256)[0]; math.Abs(got-1) > 1e-12 {
		t.Errorf("with logits up to 256: got %v, want 1", got)
	}
	one := Moments(1, 1, 2, 2)[0] // C = ±1
	if want := (0.5 + 1/(1+math.Exp(-4))) / 2; math.Abs(one-want) > 1e-12 {
		t.Errorf("one component: got %v, want %v", one, want)
	}
}

// TestGains checks the bounds for gains of which one is large.
func TestGains(t *testing.T) {
	largest, rotated, sd := Gains([]float64{3, 1, 1, 1}, []float64{1, 2, 1, -1})
	if largest != 12 || rotated != 24 || math.Abs(sd-math.Sqrt(15)) > 1e-15 {
		t.Errorf("got %v, %v, %v, want 12, 24, √15", largest, rotated, sd)
	}
	if largest, rotated, sd = Gains([]float64{1, 1}, []float64{1, 1}); largest != 2 || rotated != 2 || sd != math.Sqrt2 {
		t.Errorf("without gains: got %v, %v, %v, want 2, 2, √2", largest, rotated, sd)
	}
}
