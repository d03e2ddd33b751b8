package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"mcsim/sim/statistics/theory"
)

// mustAnswer returns the answer to a request, which must not fail.
func mustAnswer(t *testing.T, l *lab, request string) *answer {
	t.Helper()
	a, err := l.answerRequest(request)
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return a
}

// TestRequests checks the cell and the command of requests.
func TestRequests(t *testing.T) {
	const softmaxCell = "softmax/normal/d_k=4/keys=8"
	const normalCommand = "mcsim probe --distribution normal --d-k 4 --keys 8"
	const end = " --seed 7 --row 2583 --json"
	for _, c := range []struct{ request, cell, command string }{
		{
			request: `{"hold": "no"}`,
			cell:    softmaxCell,
			command: normalCommand + " --exponent 0 --exponent 0.5" + end,
		},
		{
			request: `{"hold": "no", "distribution": "uniform", "d_k": "2^4", "keys": "3", ` +
				`"rule": "sqrt(d_k/2)", "seed": "0", "row": "12"}`,
			cell: "softmax/uniform/d_k=16/keys=3",
			command: "mcsim probe --distribution uniform --d-k 16 --keys 3 --exponent 0 " +
				`--rule "sqrt(d_k/2)" --seed 0 --row 12 --json`,
		},
		{
			request: `{"hold": "no", "exponent": "0", "sd": "2", "mean": "1/4"}`,
			cell:    softmaxCell,
			command: normalCommand + " --exponent 0 --set q_sd=2 --set k_sd=2 --set q_mean=0.25 --set k_mean=0.25" + end,
		},
		{
			request: `{"hold": "no", "rho": "-0.5", "temperature": "8"}`,
			cell:    "alignment/normal/d_k=4/rho=-0.5/keys=8",
			command: normalCommand + " --rho -0.5 --exponent 0 --temperature 8" + end,
		},
		{
			request: `{"d_k": "4", "keys": "2"}`,
			cell:    "softmax/normal/d_k=1024/keys=64",
			command: "",
		},
	} {
		a := mustAnswer(t, &lab{}, c.request)
		if a.Cell != c.cell || a.Command != c.command {
			t.Errorf("%s: %s by %q, want %s by %q", c.request, a.Cell, a.Command, c.cell, c.command)
		}
	}
}

// TestUsualRow checks that the first row of the page is typical: at every d_k its largest weight
// is near the mean over rows, by quadrature, and without a divisor it grows with d_k.
func TestUsualRow(t *testing.T) {
	l, last := &lab{}, 0.0
	for d := 4; d <= maxDimension; d *= 2 {
		a := mustAnswer(t, l, fmt.Sprintf(`{"d_k": "%d"}`, d))
		for i, scale := range []float64{1, 1 / math.Sqrt(float64(d))} {
			mean := theory.SharedQuerySoftmax(8, d, scale).MaxWeight
			if got := a.Scalings[i].MaxWeight; math.Abs(got-mean) > 0.17 {
				t.Errorf("d_k = %d, scale %.3g: the greatest weight is %.3f, and on average %.3f", d, scale, got, mean)
			}
		}
		if a.Scalings[0].MaxWeight < last-0.01 {
			t.Errorf("d_k = %d: the greatest weight falls from %.3f to %.3f", d, last, a.Scalings[0].MaxWeight)
		}
		last = a.Scalings[0].MaxWeight
	}
}

// TestHold checks that a change of the length, the number of keys or the divisor of a held row
// draws nothing, and shows a part of the drawn row.
func TestHold(t *testing.T) {
	l := &lab{}
	full := mustAnswer(t, l, `{"hold": "yes", "d_k": "1024", "keys": "64", "row": "5"}`)
	firstComponent := &l.lastRow.Query[0]
	for _, c := range []struct{ d, keys int }{{1, 2}, {8, 64}, {512, 5}, {1024, 8}} {
		a := mustAnswer(t, l, fmt.Sprintf(`{"hold": "yes", "d_k": "%d", "keys": "%d", "row": "5", "exponent": "1"}`,
			c.d, c.keys))
		if &l.lastRow.Query[0] != firstComponent {
			t.Error("a held row is drawn again")
		}
		if len(a.Scores) != c.keys || len(a.Walks.Sums) != min(c.keys, maxWalks) ||
			a.Walks.Components[len(a.Walks.Components)-1] != maxDimension {
			t.Fatalf("%d keys and %d walks to %v", len(a.Scores), len(a.Walks.Sums), a.Walks.Components)
		}
		for i, d := range full.Walks.Components {
			for j := range a.Walks.Sums {
				if d == c.d && a.Scores[j] != full.Walks.Sums[j][i] {
					t.Errorf("score %d of %d components is %v, the walk is at %v", j+1, d, a.Scores[j],
						full.Walks.Sums[j][i])
				}
			}
		}
	}
}

// TestAnswersDoNotDependOnTheOrder checks that a row is the same whichever requests were answered
// before.
func TestAnswersDoNotDependOnTheOrder(t *testing.T) {
	l := &lab{}
	requests := []string{`{"row": "3"}`, `{"row": "1000"}`, `{"row": "2"}`, `{"hold": "yes"}`, `{"rho": "0.5"}`,
		`{"seed": "2"}`, `{"row": "3"}`, `{"row": "3", "exponent": "1"}`}
	for _, r := range requests {
		if got, want := l.respond(r), (&lab{}).respond(r); got != want {
			t.Errorf("%s: %s, and alone %s", r, got, want)
		}
	}
}

// TestRedraw checks that the counted rows are those that the page shows one by one.
func TestRedraw(t *testing.T) {
	const request = `{"hold": "no", "d_k": "16", "keys": "4", "exponent": "1/2"}`
	s, err := parseRequest(request)
	if err != nil {
		t.Fatal(err)
	}
	var lastCounts rowCounts
	shown, pauses := 0, 0
	if err := countRows(s, func() bool { pauses++; return true },
		func(r rowCounts) { lastCounts, shown = r, shown+1 }); err != nil {
		t.Fatal(err)
	}
	if lastCounts.Rows != countedRows || shown != countedRows/showInterval+1 {
		t.Fatalf("%d rows, shown %d times", lastCounts.Rows, shown)
	}
	// Sixteen rows at a time, a query and four keys each; and each row as it is measured.
	if minPauses := countedRows/16*5 + countedRows; pauses < minPauses {
		t.Errorf("the work can be interrupted %d times, want %d", pauses, minPauses)
	}
	want := []scalingCounts{{Labels: map[string]int{}}, {Labels: map[string]int{}}}
	l := &lab{}
	for i := range countedRows {
		a := mustAnswer(t, l, strings.Replace(request, "{", fmt.Sprintf(`{"row": "%d", `, i), 1))
		for j, m := range a.Scalings {
			want[j].add(m)
		}
	}
	got, _ := json.Marshal(lastCounts.Scalings)
	if text, _ := json.Marshal(want); string(got) != string(text) {
		t.Errorf("counted %s, one by one %s", got, text)
	}
	calls := 0
	if err := countRows(s, func() bool { calls++; return calls < 5 },
		func(rowCounts) { t.Error("what was given up is shown") }); err != nil || calls != 5 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// TestBins checks that 1 belongs to the last bin.
func TestBins(t *testing.T) {
	for x, want := range map[float64]int{0: 0, 0.049: 0, 0.05: 1, 0.5: 10, 0.999: 19, 1: 19} {
		if got := binIndex(x); got != want {
			t.Errorf("%v is in bin %d, want %d", x, got, want)
		}
	}
}

// TestSlices checks that work pauses after each slice, and ends after it was cancelled.
func TestSlices(t *testing.T) {
	clock := time.Unix(1000, 0)
	rests, isActive := 0, true
	s := &slicer{length: 8 * time.Millisecond, now: func() time.Time { return clock },
		isActive: func() bool { return isActive },
		rest:     func() { rests++; clock = clock.Add(time.Hour) }}
	var longest time.Duration
	start := clock
	for range 100 {
		clock = clock.Add(3 * time.Millisecond) // a vector
		before := rests
		if !s.pause() {
			t.Fatal("the work is given up")
		}
		if rests > before {
			longest, start = max(longest, clock.Add(-time.Hour).Sub(start)), clock
		}
	}
	if longest > 12*time.Millisecond || rests < 25 {
		t.Errorf("slices of up to %v, %d rests", longest, rests)
	}
	if isActive = false; s.pause() {
		t.Error("the work goes on")
	}
}

// TestFaults checks that an error names the control and its valid values.
func TestFaults(t *testing.T) {
	for request, want := range map[string]string{
		`{`:                              "unexpected end",
		`[]`:                             "cannot unmarshal",
		`{"d_k": 8}`:                     "cannot unmarshal",
		`{"width": "8"}`:                 `there is no control "width"`,
		`{"d_k": "1025"}`:                "d_k: 1025 is not in 1..1024",
		`{"keys": "65"}`:                 "keys: 65 is not in 2..64",
		`{"distribution": "cauchy"}`:     `distribution: unknown distribution "cauchy"`,
		`{"exponent": "1", "rule": "x"}`: "rule: and exponent are both given",
		`{"rule": "cosine"}`:             "rule: ",
		`{"hold": "maybe"}`:              "hold: ",
		`{"seed": "-1"}`:                 "seed: ",
		`{"temperature": ""}`:            "temperature: ",
		`{"rho": "1.5"}`:                 "rho: ",
		`{"mean": "1e9"}`:                "mean: ",
	} {
		var a struct{ Fault string }
		if err := json.Unmarshal([]byte((&lab{}).respond(request)), &a); err != nil ||
			!strings.Contains(a.Fault, want) {
			t.Errorf("%s: %q, want %q", request, a.Fault, want)
		}
	}
}
