package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcsim/sim/bench"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
)

// script is an executable that prints a number of seconds.
func script(t *testing.T, prints string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "peer")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+prints+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

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
	if got, err := twice.toTarget(64, 2); err != nil || math.Abs(got-1) > 1e-9 {
		t.Errorf("%v s, error %v", got, err)
	}
}

// The ratio is taken within each round, with the start of that round and without; a whole
// process counts as long as it takes, and its own seconds beside; the fastest of several is
// kept.
func TestInTurn(t *testing.T) {
	slow := program{name: "slow", command: []string{script(t, "8")}, scale: 0.5}
	quick := program{name: "quick", command: []string{script(t, "$1"), countMark}, count: 3, scale: 1}
	if best, err := fastest(t.Context(), []program{slow, quick}); err != nil || best.name != "quick" {
		t.Fatalf("fastest %q, error %v", best.name, err)
	}
	ours := []round{{1, 1}, {2, 1}, {4, 4}, {1, 2}, {2, 0}, {4, 2}}
	got, missing, err := inTurn(t.Context(), []program{slow, quick}, 3, func(program) (round, error) {
		x := ours[0]
		ours = ours[1:]
		return x, nil
	})
	if err != nil || len(missing) > 0 {
		t.Fatal(missing, err)
	}
	times := func(median, least, most float64) bench.Times {
		return bench.Times{Median: median, Min: least, Max: most}
	}
	// in turn: slow 4/1, quick 3/2; slow 4/4, quick 3/1; slow 4/2, quick 3/4;
	// with the start slow 4/2, quick 3/3; slow 4/8, quick 3/3; slow 4/2, quick 3/6
	want := []row{
		{"slow", "", times(2, 1, 4), times(4, 4, 4), times(2, 1, 4), times(2, 0.5, 2)},
		{"quick", "", times(2, 1, 4), times(3, 3, 3), times(1.5, 0.75, 3), times(1, 0.5, 1)},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	slow.process = true
	if spent, own, err := slow.run(t.Context()); err != nil || own != 8 || spent <= 0 || spent == 4 {
		t.Errorf("a process takes %v s, %v of its own, error %v", spent, own, err)
	}
}

// A peer that fails is missing, with the reason, and the others are compared all the
// same; only if mcsim itself fails, be it once, is there nothing.
func TestInTurnFails(t *testing.T) {
	good, broken := program{name: "good", command: []string{script(t, "3")}, scale: 1}, program{name: "broken", command: []string{"false"}}
	one := func(program) (round, error) { return round{work: 1}, nil }
	got, missing, err := inTurn(t.Context(), []program{broken, good}, 2, one)
	if err != nil || len(got) != 1 || got[0].peer != "good" || len(missing) != 1 || !strings.Contains(missing[0], "broken: ") {
		t.Errorf("%v, missing %q, error %v", got, missing, err)
	}
	for failing := range 4 {
		turns, first := 0, errors.New("broken")
		_, _, err = inTurn(t.Context(), []program{good, good}, 2, func(p program) (round, error) {
			if turns++; turns == failing+1 {
				return round{}, first
			}
			return one(p)
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
	if best, err := fastest(t.Context(), []program{broken, good}); err != nil || best.name != "good" {
		t.Errorf("of a broken and a good one %q is fastest, error %v", best.name, err)
	}
}
