package page

import (
	"math"
	"strings"
	"testing"

	"mcsim/report/view"
	"mcsim/sim/result"
)

// Times of attention stand on the page with their range; a run of before there were any
// has none.
func TestRunShowsTimes(t *testing.T) {
	page := func(run view.Run) view.Table { return thisRun(view.NewSource(&result.Document{}, run, nil)).Times }
	if got := page(view.Run{Version: "1"}); len(got.Rows) != 0 {
		t.Errorf("%+v", got)
	}
	times := []view.AttentionTime{
		{Tokens: 128, Dimension: 64, Operations: 4292608, Rounds: 3, Seconds: view.Rounds{Median: 0.0026, Least: 0.0025, Most: 0.0041}, Rate: view.Rounds{Median: 1.64e9, Least: 1.04e9, Most: 1.7e9}},
		{Tokens: 256, Dimension: 64, Operations: 17170432, Rounds: 3, Seconds: view.Rounds{Median: 0.01, Least: 0.009, Most: 0.02}, Growth: &view.Rounds{Median: 3.94, Least: 3.1, Most: 5.25}},
	}
	got := strings.NewReplacer("\u202f", "", "\u00a0", " ").Replace(page(view.Run{Attention: times}).Markdown("T"))
	for _, want := range []string{"median of 3 rounds", "| 128 | 4292608 | 2.6 [2.5, 4.1] | 1.6 [1.0, 1.7] | – |", "| × 3.9 [3.1, 5.2] |"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q: %s", want, got)
		}
	}
	times[0].Seconds = view.Rounds{Median: math.Inf(1), Least: -1, Most: math.NaN()}
	if got := page(view.Run{Attention: times}).Markdown("T"); strings.Contains(got, "NaN") {
		t.Error(got)
	}
}
