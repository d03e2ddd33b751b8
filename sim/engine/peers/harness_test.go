package peers

import (
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// newEchoTask returns the task of a program that prints a text.
func newEchoTask(name, text string, units float64) task {
	return task{name, []string{"echo", text}, units}
}

// TestTime checks the sources of a time: the seconds that a peer prints, the time per iteration of
// a Go benchmark, or the time of the whole process.
func TestTime(t *testing.T) {
	for text, want := range map[string]float64{"8": 2, "BenchmarkX-2  10  4000000000 ns/op": 1} {
		got, err := newEchoTask("", text, 4).measure()
		simtest.Must(t, err)
		if got != want {
			t.Errorf("%q: %v s, want %v", text, got, want)
		}
	}
	if got, err := newEchoTask("", "d_k 64", 4).measure(); err != nil || got <= 0 || got > 1 {
		t.Errorf("a whole process: %v s, %v", got, err)
	}
}

// TestMeasureRow checks that the fastest candidate is compared, and that the error of the last one
// is reported if all fail.
func TestMeasureRow(t *testing.T) {
	ours, broken := newEchoTask("ours", "2", 1), task{"broken", []string{"sh", "-c", "echo why >&2; exit 1"}, 1}
	row, err := comparison{"", "", ours,
		[]task{newEchoTask("slow", "8", 1), newEchoTask("quick", "6", 1), broken}}.measureRow(2)
	if want := "quick\t2 [2, 2]\t6 [6, 6]\t3 [3, 3]×"; err != nil || row != want {
		t.Errorf("%q, want %q (%v)", row, want, err)
	}
	if _, err := (comparison{"", "", ours, []task{broken, broken}}).measureRow(2); err == nil ||
		!strings.HasPrefix(err.Error(), "broken: ") || !strings.HasSuffix(err.Error(), ": why") {
		t.Error(err)
	}
}

// TestComparisons checks that every task has units of work, and that no number in a command is in
// exponential notation.
func TestComparisons(t *testing.T) {
	for _, c := range (suite{python: "python3"}).comparisons() {
		for _, task := range append(c.candidates, c.ours) {
			if !(task.units > 0) || strings.Contains(strings.Join(task.command, " "), "e+") {
				t.Errorf("%s: %q does %v units of work", c.name, task.command, task.units)
			}
		}
	}
}

// TestSummary checks the median, minimum and maximum, and that ratios are taken within each round,
// so that a machine that slows down does not change them.
func TestSummary(t *testing.T) {
	for _, c := range []struct {
		rounds []float64
		want   times
	}{
		{[]float64{3}, times{3, 3, 3}},
		{[]float64{5, 1, 2}, times{2, 1, 5}},
		{[]float64{4, 1, 2, 9}, times{3, 1, 9}},
	} {
		if got := summarise(c.rounds); got != c.want {
			t.Errorf("summary of %v is %v, want %v", c.rounds, got, c.want)
		}
	}
	if got, want := ratios([]float64{10, 30, 20}, []float64{5, 15, 10}), (times{2, 2, 2}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
