package bench

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcsim/sim/kernel"
	"mcsim/sim/law"
)

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		rounds []float64
		want   Times
	}{
		{[]float64{3}, Times{3, 3, 3}},
		{[]float64{5, 1, 2}, Times{2, 1, 5}},
		{[]float64{4, 1, 2, 9}, Times{3, 1, 9}},
	} {
		if got := summary(c.rounds); got != c.want {
			t.Errorf("summary of %v is %v, want %v", c.rounds, got, c.want)
		}
	}
}

// quickest is the least of three runs.
func quickest(run func() float64) float64 { return min(run(), run(), run()) }

// Rademacher, by a popcount, takes less than a tenth of any other law's time,
// whatever else the machine does: 60 against 1 when nothing does.
func TestLawRun(t *testing.T) {
	rademacher, err := law.Parse("rademacher", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kernel.Names() {
		fast, slow := quickest(lawRun(rademacher, name, 2*time.Millisecond)), quickest(lawRun(law.Normal, name, 2*time.Millisecond))
		if !(fast > 0 && fast < slow/10) {
			t.Errorf("%s: rademacher takes %v ns, normal %v", name, fast, slow)
		}
	}
}

// A machine that slows down from round to round changes no ratio within a round.
func TestRatios(t *testing.T) {
	if got, want := ratios([]float64{10, 30, 20}, []float64{5, 15, 10}), (Times{2, 2, 2}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := ratios([]float64{1, 9, 4}, []float64{1, 3, 2}), (Times{2, 1, 3}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// script writes an executable that waits and prints a number of seconds.
func script(t *testing.T, name, wait, prints string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\nsleep "+wait+"\necho "+prints+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// A peer that waits four times as long is no more than four times slower, the
// start of a process being the same for both; alone it says 1 s.
func TestCompare(t *testing.T) {
	p := peer{Name: "sleep", Law: "normal", Workers: 1, command: []string{script(t, "peer", "0.4", "1"), countMark}}
	r, err := p.compare(t.Context(), script(t, "mcsim", "0.1", ""), 1e6, 3)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ratio.Median < 1.3 || r.Ratio.Min > 4 {
		t.Errorf("ratio %v", r.Ratio)
	}
	if want := 1 / r.Ours.Median; math.Abs(r.Alone.Median-want) > 1e-12*want {
		t.Errorf("alone %v, want %v", r.Alone, want)
	}
	broken := peer{Workers: 1, command: []string{"false"}}
	if _, err := broken.compare(t.Context(), script(t, "mcsim", "0", ""), 1e6, 1); err == nil || !strings.Contains(err.Error(), "false") {
		t.Errorf("a peer that fails gives the error %v", err)
	}
}
