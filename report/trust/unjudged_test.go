package trust

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// What no gate judges is said, and nothing else.
func TestUnjudged(t *testing.T) {
	got := unjudged(view.NewSource(sample.Document(), view.Run{}, nil))
	for _, want := range []string{"depth", "exponents that keep the size of an aligned key's score; of "} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q: %s", want, got)
		}
	}
	if strings.Contains(got, "variance") || strings.Contains(got, "agreement") {
		t.Errorf("what is judged is called unjudged: %s", got)
	}
	none := sample.Document()
	none.Gates = nil
	if got := unjudged(view.NewSource(none, view.Run{}, nil)); got != "" {
		t.Errorf("without gates: %s", got)
	}
	judged := sample.Document()
	judged.Gates = append(judged.Gates, result.Gate{Experiment: "depth"})
	if got := unjudged(view.NewSource(judged, view.Run{}, nil)); strings.Contains(got, "depth") {
		t.Errorf("a gate judges depth: %s", got)
	}
}
