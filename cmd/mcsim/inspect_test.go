package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/show"
)

// near compares what NumPy said with what JSON has in the same places.
func near(t *testing.T, where string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for name, value := range w {
			if !ok {
				t.Errorf("%s: %v", where, got)
				return
			}
			near(t, where+"."+name, value, g[name])
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: %v, NumPy %v", where, got, want)
			return
		}
		for i := range w {
			near(t, fmt.Sprintf("%s[%d]", where, i), w[i], g[i])
		}
	case float64:
		if g, ok := got.(float64); !ok || math.Abs(g-w) > 1e-12*max(1, math.Abs(w)) {
			t.Errorf("%s: %v, NumPy %v", where, got, want)
		}
	}
}

// NumPy says the same of the same arrays, by a mask of truth values and by --causal.
func TestInspectAgainstNumPy(t *testing.T) {
	data, err := os.ReadFile("testdata/inspect.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for _, mask := range [][]string{{"--causal"}, {"--mask", "allowed"}} {
		out, errs, code := execute(t, "inspect", append([]string{"testdata/inspect.npz", "--json", "--all"}, mask...)...)
		if code != show.Passed {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"scores", "query", "key", "scales"} {
			near(t, part, want[part], got[part])
		}
		rows := got["rows"].([]any)
		for i, row := range rows {
			r := row.(map[string]any)
			near(t, fmt.Sprintf("weights of row %d", i), want["weights"].([]any)[i], r["row_weights"])
			near(t, fmt.Sprintf("output of row %d", i), want["output"].([]any)[i], r["row_output"])
			if alone := i%5 == 0; (r["gradient_survival"] == nil) != alone || (r["entropy_ratio"] == nil) != alone {
				t.Errorf("row %d, of %v keys: R %v", i, r["keys"], r["gradient_survival"])
			}
		}
	}
}

// What is said comes before what it is made of, and each wrong input gets one line.
func TestInspectSaysAndRefuses(t *testing.T) {
	out, errs, code := execute(t, "inspect", "testdata/inspect.npz", "--causal")
	if code != show.Passed || errs != "" || !strings.HasPrefix(out, "Scaled by power(0.5) (q·k multiplied by 0.250, d_k 16) these rows are healthy: ") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	for _, want := range []string{"not defined", "–", "fading", "query 4, head 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	for _, scale := range []string{"sqrt(d_k)", "1/sqrt(d_k)", "d_k^-0.5", "0.25", "power(1/2)"} { // d_k is 16
		out, errs, code := execute(t, "inspect", "testdata/inspect.npz", "--scale", scale)
		if code != show.Passed || !strings.Contains(out, "(q·k multiplied by 0.250, d_k 16)") {
			t.Errorf("--scale %s: exit code %d, %s%.400s", scale, code, errs, out)
		}
	}
}
