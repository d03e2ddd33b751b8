package schedule

import (
	"math"
	"reflect"
	"testing"
	"time"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/names"
)

const partPlan = `
tolerance: 5%
experiments:
  - {experiment: variance, distribution: [normal, uniform], d_k: [1, 4, 64]}
  - experiment: exponents
  - {experiment: softmax, distribution: normal, d_k: 64, keys: 8, exponent: 1/2}
  - {experiment: health, distribution: uniform, alpha: 1e-3}
`

// A part of a plan draws as much of each cell as the whole does, and judges by the same
// gates at the same rates: also where a gate joins cells, or is another experiment's.
func TestPart(t *testing.T) {
	scheduled := func(only ...string) *Schedule {
		p, err := plan.Change{Selection: only}.Parse("p", []byte(partPlan))
		must(t, err)
		s, err := New(p)
		must(t, err)
		return s
	}
	whole := scheduled()
	for _, only := range [][]string{{names.ExperimentVariance}, {names.ExperimentExponents}, {names.ExperimentSoftmax, names.ExperimentHealth}} {
		s := scheduled(only...)
		checks, at := 0, 0
		for _, g := range s.Entries {
			for whole.Entries[at].Entry.Experiment != g.Entry.Experiment {
				at++
			}
			if was := whole.Entries[at]; was.Rates != g.Rates || len(was.Checks) != len(g.Checks) {
				t.Errorf("%q: %s has the rates %+v and %d gates, in the whole plan %+v and %d", only, g.Entry.Experiment.Name, g.Rates, len(g.Checks), was.Rates, len(was.Checks))
			}
			checks += len(g.Checks)
		}
		if checks == 0 || checks != s.CheckCount() || checks >= whole.CheckCount() {
			t.Errorf("%q has %d gates, the whole plan %d", only, checks, whole.CheckCount())
		}
		drawn := map[string]Job{}
		for _, w := range whole.Jobs {
			drawn[w.Cell.ID] = w
		}
		for _, w := range s.Jobs {
			if was := drawn[w.Cell.ID]; was.Blocks != w.Blocks || was.Reason != w.Reason || !s.Plan.Samples(w.Cell.Experiment.Name) {
				t.Errorf("%q: %s has %d blocks for %s, in the whole plan %d for %s", only, w.Cell.ID, w.Blocks, w.Reason, was.Blocks, was.Reason)
			}
		}
		if groups := PlannedEntries(s.Plan); len(groups) != len(s.Entries) || !reflect.DeepEqual(groups[0].Rates, s.Entries[0].Rates) {
			t.Errorf("%q: the groups by themselves are others", only)
		}
	}
}

// An outline adds up, counts a cell under each scaling, and gives nothing to an experiment that
// reads the cells of another.
func TestOutline(t *testing.T) {
	s := worked(t, partPlan)
	o := s.Outline(1)
	if o.Cells != 6+1+1 || o.Variants != 6+6*7+1+1 || len(o.Rows) != o.Cells || o.Gates != s.CheckCount() || !(o.Seconds > 0) {
		t.Errorf("%+v", o)
	}
	var components float64
	samples, gates := map[string]int64{}, 0
	for _, r := range o.Rows {
		components += r.Components
		samples[r.Unit] += r.Samples
	}
	for _, x := range o.Experiments {
		gates += x.Gates
		if x.Reads != "" && (x.Cells != 0 || x.Samples != 0 || x.Gates != 0) {
			t.Errorf("%+v draws", x)
		}
		if x.Reads == "" && x.Samples != samples[x.Unit] {
			t.Errorf("%s draws %d, its cells %d", x.Experiment, x.Samples, samples[x.Unit])
		}
	}
	if math.Abs(components-o.Components) > 1e-9*components || gates != o.Gates {
		t.Errorf("components %v of %v, gates %d of %d", components, o.Components, gates, o.Gates)
	}
}

// What cannot last long is not measured.
func TestLasts(t *testing.T) {
	for samples, want := range map[string]bool{"16": false, "2^50": true} {
		s := worked(t, "experiments:\n  - {experiment: variance, distribution: rademacher, d_k: 64, samples: "+samples+"}\n")
		if lasts, long := s.Duration(10*time.Minute, store.New(store.Origin{}), 1); long != want || want && lasts < 24*time.Hour {
			t.Errorf("%s samples last %v: %v", samples, lasts, long)
		}
	}
}
