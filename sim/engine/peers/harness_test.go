package peers

import (
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// prints is a program that prints a text.
func prints(name, text string, units float64) task {
	return task{name, []string{"echo", text}, units}
}

// A peer says what its own work took, a benchmark of Go what a turn took; of another program
// the whole process counts.
func TestTime(t *testing.T) {
	for text, want := range map[string]float64{"8": 2, "BenchmarkX-2  10  4000000000 ns/op": 1} {
		got, err := prints("", text, 4).time()
		simtest.Must(t, err)
		if got != want {
			t.Errorf("%q: %v s, want %v", text, got, want)
		}
	}
	if got, err := prints("", "d_k 64", 4).time(); err != nil || got <= 0 || got > 1 {
		t.Errorf("a whole process: %v s, %v", got, err)
	}
}

// The fastest of a peer plays, one that fails is left out, and the reason is said where all do.
func TestInTurn(t *testing.T) {
	ours, broken := prints("ours", "2", 1), task{"broken", []string{"sh", "-c", "echo why >&2; exit 1"}, 1}
	row, err := comparison{"", "", ours, []task{prints("slow", "8", 1), prints("quick", "6", 1), broken}}.inTurn(2)
	if want := "quick\t2 [2, 2]\t6 [6, 6]\t3 [3, 3]×"; err != nil || row != want {
		t.Errorf("%q, want %q (%v)", row, want, err)
	}
	if _, err := (comparison{"", "", ours, []task{broken, broken}}).inTurn(2); err == nil || !strings.HasPrefix(err.Error(), "broken: ") || !strings.HasSuffix(err.Error(), ": why") {
		t.Error(err)
	}
}

// Every comparison has its units of work, and every number in a command is one.
func TestComparisons(t *testing.T) {
	for _, c := range (suite{python: "python3"}).comparisons() {
		for _, task := range append(c.tried, c.ours) {
			if !(task.units > 0) || strings.Contains(strings.Join(task.command, " "), "e+") {
				t.Errorf("%s: %q does %v units of work", c.what, task.command, task.units)
			}
		}
	}
}

// A summary is the median, the least and the most; that of ratios goes round by round, so that a
// machine that slows down from round to round changes none.
func TestSummary(t *testing.T) {
	for _, c := range []struct {
		rounds []float64
		want   times
	}{
		{[]float64{3}, times{3, 3, 3}},
		{[]float64{5, 1, 2}, times{2, 1, 5}},
		{[]float64{4, 1, 2, 9}, times{3, 1, 9}},
	} {
		if got := summary(c.rounds); got != c.want {
			t.Errorf("summary of %v is %v, want %v", c.rounds, got, c.want)
		}
	}
	if got, want := ratios([]float64{10, 30, 20}, []float64{5, 15, 10}), (times{2, 2, 2}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
