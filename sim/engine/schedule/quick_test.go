package schedule

import (
	"cmp"
	"maps"
	"slices"
	"testing"
)

// TestQuickIsASmallerDefault checks that the quick plan has the experiments, gates, distributions,
// estimators and other names of the default plan. Its gates are wider and have enough samples for
// their rates, and it has at most an eighth of the components.
func TestQuickIsASmallerDefault(t *testing.T) {
	schedules := readySchedules(t, "default", "quick")
	full, quick := schedules[0], schedules[1]
	if want, got := contentsOf(full), contentsOf(quick); !slices.Equal(want, got) {
		t.Errorf("the quick plan has\n%q,\nwant the same as the default plan\n%q", got, want)
	}
	if short, _ := quick.Short(); short > 0 {
		t.Errorf("%d gates have fewer samples than their rates require", short)
	}
	if limit := full.Components() / 8; quick.Components() > limit {
		t.Errorf("the quick plan has %.3g components, want at most %.3g", quick.Components(), limit)
	}
	narrowest := map[string]float64{}
	for _, g := range quick.Entries {
		name := g.Entry.Experiment.Name
		narrowest[name] = min(cmp.Or(narrowest[name], 1), g.Entry.Tolerance)
	}
	for _, g := range full.Entries {
		if name := g.Entry.Experiment.Name; len(g.Checks) > 0 && g.Entry.Tolerance >= narrowest[name] {
			t.Errorf("%s has the tolerance %v in the quick plan, want more than %v as in the default plan", name,
				narrowest[name], g.Entry.Tolerance)
		}
	}
}

// contentsOf returns the experiments of a schedule, their gates and the names on their axes.
func contentsOf(s *Schedule) []string {
	contents := map[string]bool{}
	for _, g := range s.Entries {
		x := g.Entry.Experiment.Name
		contents[x] = true
		for _, c := range g.Checks {
			contents[x+": gate "+c.Name] = true
		}
		for axis, values := range g.Entry.Values {
			for _, v := range values {
				if v.Name != "" {
					contents[x+": "+axis+" "+v.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(contents))
}
