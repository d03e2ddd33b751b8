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

// TestRequests checks the cell and the command in the answer to a request.
func TestRequests(t *testing.T) {
	const softmaxCell = "softmax/normal/d_k=64/keys=8"
	const normalCommand = "mcsim probe --distribution normal --d-k 64 --keys 8"
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
			cell:    "alignment/normal/d_k=64/rho=-0.5/keys=8",
			command: normalCommand + " --rho -0.5 --exponent 0 --temperature 8" + end,
		},
		{
			request: `{"d_k": "4", "keys": "2"}`,
			cell:    "softmax/normal/d_k=1024/keys=64",
			command: "",
		},
	} {
		a := mustAnswer(t, &lab{}, c.request)
		if a.Cell != c.cell {
			t.Errorf("%s: the cell is %s, want %s", c.request, a.Cell, c.cell)
		}
		if a.Command != c.command {
			t.Errorf("%s: the command is %q, want %q", c.request, a.Command, c.command)
		}
	}
}

// TestDefaultRow checks that the row that the page shows first is typical. At every d_k its largest
// weight must differ by at most maxDeviation from the mean over rows, which is computed by
// quadrature. Without a divisor the largest weight must grow with d_k, except for decreases of at
// most maxDecrease.
func TestDefaultRow(t *testing.T) {
	const maxDeviation, maxDecrease = 0.17, 0.01 // fulfilled by the row that was chosen for the page
	l, lastWeight := &lab{}, 0.0
	for d := 4; d <= maxDimension; d *= 2 {
		a := mustAnswer(t, l, fmt.Sprintf(`{"d_k": "%d"}`, d))
		for i, scale := range []float64{1, 1 / math.Sqrt(float64(d))} {
			mean := theory.SharedQuerySoftmax(8, d, scale).MaxWeight
			if got := a.Scalings[i].MaxWeight; math.Abs(got-mean) > maxDeviation {
				t.Errorf("d_k = %d, scale %.3g: the largest weight is %.3f, want the mean %.3f to within %v", d, scale,
					got, mean, maxDeviation)
			}
		}
		weight := a.Scalings[0].MaxWeight
		if weight < lastWeight-maxDecrease {
			t.Errorf("d_k = %d: the largest weight falls from %.3f to %.3f, want it to grow", d, lastWeight, weight)
		}
		lastWeight = weight
	}
}

// TestHold checks that a held row is not sampled again if d_k, the number of keys or the divisor
// changes, and that the answer is a part of the sampled row.
func TestHold(t *testing.T) {
	l := &lab{}
	full := mustAnswer(t, l, `{"hold": "yes", "d_k": "1024", "keys": "64", "row": "5"}`)
	firstComponent := &l.lastRow.Query[0]
	for _, c := range []struct{ d, keys int }{{1, 2}, {8, 64}, {512, 5}, {1024, 8}} {
		a := mustAnswer(t, l, fmt.Sprintf(`{"hold": "yes", "d_k": "%d", "keys": "%d", "row": "5", "exponent": "1"}`,
			c.d, c.keys))
		if &l.lastRow.Query[0] != firstComponent {
			t.Error("a held row is sampled again")
		}
		if len(a.Scores) != c.keys {
			t.Fatalf("got %d scores, want %d", len(a.Scores), c.keys)
		}
		if got, want := len(a.Walks.Sums), min(c.keys, maxWalks); got != want {
			t.Fatalf("got %d walks, want %d", got, want)
		}
		if got := a.Walks.Components[len(a.Walks.Components)-1]; got != maxDimension {
			t.Fatalf("the walks end at %d components, want %d", got, maxDimension)
		}
		for i, d := range full.Walks.Components {
			for j := range a.Walks.Sums {
				if d == c.d && a.Scores[j] != full.Walks.Sums[j][i] {
					t.Errorf("score %d with %d components is %v, want the partial sum %v of the sampled row", j+1, d,
						a.Scores[j], full.Walks.Sums[j][i])
				}
			}
		}
	}
}

// TestAnswersDoNotDependOnTheOrder checks that the answer to a request does not depend on earlier
// requests.
func TestAnswersDoNotDependOnTheOrder(t *testing.T) {
	l := &lab{}
	requests := []string{`{"row": "3"}`, `{"row": "1000"}`, `{"row": "2"}`, `{"hold": "yes"}`, `{"rho": "0.5"}`,
		`{"seed": "2"}`, `{"row": "3"}`, `{"row": "3", "exponent": "1"}`}
	for _, r := range requests {
		if got, want := l.respond(r), (&lab{}).respond(r); got != want {
			t.Errorf("%s: the answer is %s, want %s as without earlier requests", r, got, want)
		}
	}
}

// TestRedraw compares the counts of countRows with counts of the rows that the page shows one by
// one. They must be equal.
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
	if lastCounts.Rows != countedRows {
		t.Fatalf("counted %d rows, want %d", lastCounts.Rows, countedRows)
	}
	if want := countedRows/showInterval + 1; shown != want {
		t.Fatalf("the counts were shown %d times, want %d", shown, want)
	}
	// Rows are sampled in blocks of 16, with a pause after each of 5 vectors: a query and four
	// keys. There is another pause after each row is measured.
	if minPauses := countedRows/16*5 + countedRows; pauses < minPauses {
		t.Errorf("pause was called %d times, want at least %d", pauses, minPauses)
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
		t.Errorf("the counts are %s, want %s as one by one", got, text)
	}
	const cancelledCall = 5
	calls := 0
	err = countRows(s, func() bool { calls++; return calls < cancelledCall },
		func(rowCounts) { t.Error("the counts were shown after the work was cancelled") })
	if err != nil {
		t.Errorf("cancelled work: %v", err)
	}
	if calls != cancelledCall {
		t.Errorf("pause was called %d times, want %d: it returned false", calls, cancelledCall)
	}
}

func TestBins(t *testing.T) {
	for x, want := range map[float64]int{0: 0, 0.049: 0, 0.05: 1, 0.5: 10, 0.999: 19, 1: 19} {
		if got := binIndex(x); got != want {
			t.Errorf("binIndex(%v) = %d, want %d", x, got, want)
		}
	}
}

// TestSlices checks that work in steps of 3 ms pauses after slices of at least 8 ms, so that no
// slice is longer than 12 ms and there are at least 25 pauses. It also checks that cancelled work
// ends.
func TestSlices(t *testing.T) {
	clock := time.Unix(1000, 0)
	rests, isActive := 0, true
	s := &slicer{length: 8 * time.Millisecond, now: func() time.Time { return clock },
		isActive: func() bool { return isActive },
		rest:     func() { rests++; clock = clock.Add(time.Hour) }}
	var longestSlice time.Duration
	start := clock // of the slice
	for range 100 {
		clock = clock.Add(3 * time.Millisecond) // a vector
		before := rests
		if !s.pause() {
			t.Fatal("pause ends work that was not cancelled")
		}
		if rests > before {
			sliceEnd := clock.Add(-time.Hour) // rest has moved the clock by an hour
			longestSlice, start = max(longestSlice, sliceEnd.Sub(start)), clock
		}
	}
	if longestSlice > 12*time.Millisecond {
		t.Errorf("the longest slice lasts %v, want at most 12 ms", longestSlice)
	}
	if rests < 25 {
		t.Errorf("the work paused %d times, want at least 25", rests)
	}
	isActive = false
	if s.pause() {
		t.Error("pause continues work that was cancelled")
	}
}

// TestFaults checks the errors of invalid requests. An error about a value starts with the control.
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
			t.Errorf("%s: the fault is %q (%v), want one with %q", request, a.Fault, err, want)
		}
	}
}
