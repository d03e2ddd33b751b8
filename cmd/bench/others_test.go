package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"mcsim/sim/bench"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
)

// Laws, softmax and products have a speed on every kernel. How fast they are is for
// benchmarks to say: nothing here fails because something else took the processor.
func TestSpeeds(t *testing.T) {
	const each = time.Millisecond
	for _, name := range kernel.Names() {
		runs := map[string]func() float64{"normal": lawRun(law.Normal, name, each), "products": productRun(name, each)}
		for _, keys := range softmaxKeys {
			runs[fmt.Sprintf("softmax of %d keys", keys)] = softmaxRun(name, keys, each)
		}
		for what, run := range runs {
			if x := run(); !(x > 0 && x < math.Inf(1)) {
				t.Errorf("%s on %s: %v", what, name, x)
			}
		}
	}
}

// What ran to twice the error counts four times.
func TestToTarget(t *testing.T) {
	twice := Measure(func(_, _ int, to float64) (float64, float64, error) { return 0.25, 2 * to, nil })
	if got, err := twice.toTarget(64); err != nil || math.Abs(got-1) > 1e-9 {
		t.Errorf("%v s, error %v", got, err)
	}
	broken := errors.New("broken")
	failing := Measure(func(int, int, float64) (float64, float64, error) { return 0, 0, broken })
	if _, err := failing.toTarget(64); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// The ratio is taken within each round, with the start of that round and without;
// the fastest of several is kept.
func TestInTurn(t *testing.T) {
	slow := program{"slow", []string{script(t, "slow", "0", "8")}, 0.5}
	quick := program{"quick", []string{script(t, "quick", "0", "3")}, 1}
	best, err := fastest(t.Context(), []program{slow, quick})
	if err != nil || best.name != "quick" {
		t.Fatalf("fastest %q, error %v", best.name, err)
	}
	ours := []round{{1, 1}, {2, 1}, {4, 4}, {1, 2}, {2, 0}, {4, 2}}
	got, missing, err := inTurn(t.Context(), []program{slow, quick}, 3, func() (round, error) {
		x := ours[0]
		ours = ours[1:]
		return x, nil
	})
	if err != nil || len(missing) > 0 {
		t.Fatal(missing, err)
	}
	// in turn: slow 4/1, quick 3/2; slow 4/4, quick 3/1; slow 4/2, quick 3/4;
	// with the start slow 4/2, quick 3/3; slow 4/8, quick 3/3; slow 4/2, quick 3/6
	want := []compared{
		{"slow", times(2, 1, 4), times(4, 4, 4), times(2, 1, 4), times(2, 0.5, 2)},
		{"quick", times(2, 1, 4), times(3, 3, 3), times(1.5, 0.75, 3), times(1, 0.5, 1)},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A peer that fails is missing, with the reason, and the others are compared all the
// same; only if mcsim itself fails, be it once, is there nothing.
func TestInTurnFails(t *testing.T) {
	good, broken := program{"good", []string{script(t, "good", "0", "3")}, 1}, program{"broken", []string{"false"}, 1}
	one := func() (round, error) { return round{work: 1}, nil }
	got, missing, err := inTurn(t.Context(), []program{broken, good}, 2, one)
	if err != nil || len(got) != 1 || got[0].name != "good" || len(missing) != 1 || !strings.Contains(missing[0], "broken: ") {
		t.Errorf("%v, missing %q, error %v", got, missing, err)
	}
	for failing := range 4 {
		turns, first := 0, errors.New("broken")
		_, _, err = inTurn(t.Context(), []program{good, good}, 2, func() (round, error) {
			if turns++; turns == failing+1 {
				return round{}, first
			}
			return one()
		})
		if !errors.Is(err, first) {
			t.Errorf("mcsim fails in turn %d, and the error is %v", failing, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := inTurn(ended, []program{good}, 1, one); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end the error is %v", err)
	}
	if _, err := fastest(t.Context(), []program{broken}); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a trial of which all fail has the error %v", err)
	}
	if best, err := fastest(t.Context(), []program{broken, good}); err != nil || best.name != "good" {
		t.Errorf("of a broken and a good one %q is fastest, error %v", best.name, err)
	}
}

// times are a median with its range.
func times(median, least, most float64) bench.Times {
	return bench.Times{Median: median, Min: least, Max: most}
}
