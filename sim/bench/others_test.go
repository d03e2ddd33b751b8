package bench

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"mcsim/sim/kernel"
)

// Portable Go takes at least three times the time of any assembly on softmax
// and on products, 12 and 100 times when nothing else runs.
func TestSoftmaxAndProducts(t *testing.T) {
	names := kernel.Names()
	rows := Softmax(3, time.Millisecond)
	if len(rows) != len(softmaxKeys)*len(names) {
		t.Fatalf("%d rows of softmax, want %d lengths on %d kernels", len(rows), len(softmaxKeys), len(names))
	}
	for i, r := range rows {
		portable := rows[i/len(names)*len(names)+len(names)-1]
		if r.Kernel != names[i%len(names)] || !(r.Min > 0) || r.Kernel != "portable" && r.Min > portable.Min/3 {
			t.Errorf("%+v, portable %+v", r, portable)
		}
	}
	products := Products(3, time.Millisecond)
	slowest := products[len(products)-1]
	for _, r := range products {
		if !(r.Min > 0) || r.Kernel != "portable" && r.Max < 3*slowest.Max {
			t.Errorf("%+v, portable %+v", r, slowest)
		}
	}
}

// What ran to twice the error counts four times.
func TestPrecisions(t *testing.T) {
	var seen []Point
	rows, err := Precisions(2, 3, func(p Point) (float64, float64, error) {
		seen = append(seen, p)
		return 0.25, p.Relative, nil
	})
	if err != nil || len(rows) != 6 || len(seen) != 18 {
		t.Fatalf("%d rows of %d runs, error %v", len(rows), len(seen), err)
	}
	for _, r := range rows {
		times := math.Round(r.Relative / target)
		if want := 0.25 * times * times; math.Abs(r.Median-want) > 1e-9 {
			t.Errorf("%+v, want %v s", r, want)
		}
	}
	broken := errors.New("broken")
	if _, err := Precisions(1, 1, func(Point) (float64, float64, error) { return 0, 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// The ratio is taken within each round; the fastest of several is kept.
func TestAgainst(t *testing.T) {
	slow := program{"slow", []string{script(t, "slow", "0", "8")}, 0.5}
	quick := program{"quick", []string{script(t, "quick", "0", "3")}, 1}
	best, err := fastest([]program{slow, quick})
	if err != nil || best.name != "quick" {
		t.Fatalf("fastest %q, error %v", best.name, err)
	}
	ours := []float64{1, 2, 4, 1, 2, 4}
	got, err := against([]program{slow, quick}, 3, func() float64 {
		x := ours[0]
		ours = ours[1:]
		return x
	})
	if err != nil {
		t.Fatal(err)
	}
	// in turn: slow 4/1, quick 3/2; slow 4/4, quick 3/1; slow 4/2, quick 3/4
	want := []Times{{2, 1, 4}, {1.5, 0.75, 3}}
	if ratios := []Times{got[0].ratio, got[1].ratio}; !slices.Equal(ratios, want) {
		t.Errorf("ratios %v, want %v", ratios, want)
	}
	if got[1].theirs != (Times{3, 3, 3}) || got[1].ours != (Times{2, 1, 4}) {
		t.Errorf("%+v", got[1])
	}
	broken := program{"broken", []string{"false"}, 1}
	if _, err := against([]program{broken}, 1, func() float64 { return 1 }); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
	if _, err := fastest([]program{broken}); err == nil {
		t.Error("a trial that fails is no error")
	}
}

func TestInverse(t *testing.T) {
	if got, want := (Times{2, 1, 4}).inverse(), (Times{0.5, 0.25, 1}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
