package schedule

import (
	"cmp"
	"maps"
	"slices"
	"testing"
)

// The quick plan asks what the default plan asks: its experiments, gates, distributions, estimators and other names are the
// same. Its gates are wider, and have as many samples as their rates ask for; it draws an eighth at most.
func TestQuickIsTheDefaultWithLess(t *testing.T) {
	all := ready(t, "default", "quick")
	usual, quick := all[0], all[1]
	if want, got := asked(usual), asked(quick); !slices.Equal(want, got) {
		t.Errorf("the default plan asks\n%q,\nthe quick one\n%q", want, got)
	}
	if short := quick.Short(); short > 0 {
		t.Errorf("%d gates have fewer samples than their rates ask for", short)
	}
	if most := usual.Components() / 8; quick.Components() > most {
		t.Errorf("it draws %.3g components, more than %.3g", quick.Components(), most)
	}
	narrowest := map[string]float64{}
	for _, g := range quick.Entries {
		name := g.Entry.Experiment.Name
		narrowest[name] = min(cmp.Or(narrowest[name], 1), g.Entry.Tolerance)
	}
	for _, g := range usual.Entries {
		if name := g.Entry.Experiment.Name; len(g.Checks) > 0 && g.Entry.Tolerance >= narrowest[name] {
			t.Errorf("%s has a tolerance of %v in the default plan, and %v in the quick one", name, g.Entry.Tolerance, narrowest[name])
		}
	}
}

// asked are the experiments of a schedule, with their gates and the names on their axes.
func asked(s *Schedule) []string {
	all := map[string]bool{}
	for _, g := range s.Entries {
		x := g.Entry.Experiment.Name
		all[x] = true
		for _, c := range g.Checks {
			all[x+": gate "+c.Name] = true
		}
		for axis, values := range g.Entry.Values {
			for _, v := range values {
				if v.Name != "" {
					all[x+": "+axis+" "+v.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}
