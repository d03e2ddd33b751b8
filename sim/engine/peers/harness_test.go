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

// TestMeasure checks the time per unit of work for three kinds of programs: a peer that prints
// seconds, a Go benchmark that prints a time per iteration, and a program that prints no time.
func TestMeasure(t *testing.T) {
	for text, want := range map[string]float64{"8": 2, "BenchmarkX-2  10  4000000000 ns/op": 1} {
		got, err := newEchoTask("", text, 4).measure()
		simtest.Must(t, err)
		if got != want {
			t.Errorf("a program that prints %q: got %v s per unit, want %v", text, got, want)
		}
	}
	got, err := newEchoTask("", "d_k 64", 4).measure()
	simtest.Must(t, err)
	if got <= 0 || got > 1 {
		t.Errorf("a program that prints no time: got %v s per unit, want a time between 0 and 1", got)
	}
}

// TestMeasureRow checks that mcsim is compared with the fastest candidate that runs, and that
// measureRow returns the error of the last candidate if all fail.
func TestMeasureRow(t *testing.T) {
	mcsim := newEchoTask("mcsim", "2", 1)
	failing := task{"failing", []string{"sh", "-c", "echo reason >&2; exit 1"}, 1}
	candidates := []task{newEchoTask("slow", "8", 1), newEchoTask("fast", "6", 1), failing}
	row, err := comparison{mcsim: mcsim, candidates: candidates}.measureRow(2)
	simtest.Must(t, err)
	if want := "fast\t2 [2, 2]\t6 [6, 6]\t3 [3, 3]×"; row != want {
		t.Errorf("got the row %q, want %q", row, want)
	}
	_, err = comparison{mcsim: mcsim, candidates: []task{failing, failing}}.measureRow(2)
	if err == nil || !strings.HasPrefix(err.Error(), "failing: ") || !strings.HasSuffix(err.Error(), ": reason") {
		t.Errorf("got the error %v, want failing: …: reason", err)
	}
}

// TestComparisons checks that every task has units of work, and that no number in a command is in
// exponential notation.
func TestComparisons(t *testing.T) {
	for _, c := range (suite{python: "python3"}).comparisons() {
		for _, task := range append(c.candidates, c.mcsim) {
			if !(task.units > 0) {
				t.Errorf("%s: %q does %v units of work, want a positive number", c.name, task.command, task.units)
			}
			if strings.Contains(strings.Join(task.command, " "), "e+") {
				t.Errorf("%s: a number in %q is in exponential notation", c.name, task.command)
			}
		}
	}
}

// TestSummarise checks the median, minimum and maximum.
func TestSummarise(t *testing.T) {
	for _, c := range []struct {
		rounds []float64
		want   summary
	}{
		{[]float64{3}, summary{Median: 3, Min: 3, Max: 3}},
		{[]float64{5, 1, 2}, summary{Median: 2, Min: 1, Max: 5}},
		{[]float64{4, 1, 2, 9}, summary{Median: 3, Min: 1, Max: 9}},
	} {
		if got := summarise(c.rounds); got != c.want {
			t.Errorf("the summary of %v is %v, want %v", c.rounds, got, c.want)
		}
	}
}

// TestSummariseRatios checks that ratios are taken within each round, so that a change of the
// machine's speed between rounds does not change them.
func TestSummariseRatios(t *testing.T) {
	got := summariseRatios([]float64{10, 30, 20}, []float64{5, 15, 10})
	if want := (summary{Median: 2, Min: 2, Max: 2}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
