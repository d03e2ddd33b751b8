package schedule

import (
	"cmp"
	"maps"
	"slices"
	"testing"
)

// TestQuickIsTheDefaultWithLess checks that the quick plan has the experiments, gates,
// distributions, estimators and other names of the default plan, with wider gates, enough samples
// for their rates, and at most an eighth of the components.
func TestQuickIsTheDefaultWithLess(t *testing.T) {
	schedules := readySchedules(t, "default", "quick")
	full, quick := schedules[0], schedules[1]
	if want, got := questionsOf(full), questionsOf(quick); !slices.Equal(want, got) {
		t.Errorf("the default plan asks\n%q,\nthe quick one\n%q", want, got)
	}
	if short := quick.Short(); short > 0 {
		t.Errorf("%d gates have fewer samples than their rates ask for", short)
	}
	if limit := full.Components() / 8; quick.Components() > limit {
		t.Errorf("it draws %.3g components, more than %.3g", quick.Components(), limit)
	}
	narrowest := map[string]float64{}
	for _, g := range quick.Entries {
		name := g.Entry.Experiment.Name
		narrowest[name] = min(cmp.Or(narrowest[name], 1), g.Entry.Tolerance)
	}
	for _, g := range full.Entries {
		if name := g.Entry.Experiment.Name; len(g.Checks) > 0 && g.Entry.Tolerance >= narrowest[name] {
			t.Errorf("%s has a tolerance of %v in the default plan, and %v in the quick one", name, g.Entry.Tolerance,
				narrowest[name])
		}
	}
}

// questionsOf returns the experiments of a schedule, their gates and the names on their axes.
func questionsOf(s *Schedule) []string {
	questions := map[string]bool{}
	for _, g := range s.Entries {
		x := g.Entry.Experiment.Name
		questions[x] = true
		for _, c := range g.Checks {
			questions[x+": gate "+c.Name] = true
		}
		for axis, values := range g.Entry.Values {
			for _, v := range values {
				if v.Name != "" {
					questions[x+": "+axis+" "+v.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(questions))
}
