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

// TestPart checks that a selection of experiments samples each cell as often as the whole plan,
// with the same gates at the same rates. This includes gates that join cells or belong to an
// experiment that reads the cells of another.
func TestPart(t *testing.T) {
	scheduled := func(only ...string) *Schedule {
		p, err := plan.Change{Selection: only}.Parse("p", []byte(partPlan))
		must(t, err)
		s, err := New(p)
		must(t, err)
		return s
	}
	wholePlan := scheduled()
	for _, only := range [][]string{{names.ExperimentVariance}, {names.ExperimentExponents},
		{names.ExperimentSoftmax, names.ExperimentHealth}} {
		s := scheduled(only...)
		checks, index := 0, 0
		for _, g := range s.Entries {
			for wholePlan.Entries[index].Entry.Experiment != g.Entry.Experiment {
				index++
			}
			if was := wholePlan.Entries[index]; was.Rates != g.Rates || len(was.Checks) != len(g.Checks) {
				t.Errorf("%q: %s has the rates %+v and %d gates, in the whole plan %+v and %d", only,
					g.Entry.Experiment.Name, g.Rates, len(g.Checks), was.Rates, len(was.Checks))
			}
			checks += len(g.Checks)
		}
		if checks == 0 || checks != s.CheckCount() || checks >= wholePlan.CheckCount() {
			t.Errorf("%q has %d gates, the whole plan %d", only, checks, wholePlan.CheckCount())
		}
		drawn := map[string]Job{}
		for _, job := range wholePlan.Jobs {
			drawn[job.Cell.ID] = job
		}
		for _, job := range s.Jobs {
			if was := drawn[job.Cell.ID]; was.Blocks != job.Blocks || was.Reason != job.Reason ||
				!s.Plan.Samples(job.Cell.Experiment.Name) {
				t.Errorf("%q: %s has %d blocks for %s, in the whole plan %d for %s", only, job.Cell.ID, job.Blocks,
					job.Reason, was.Blocks, was.Reason)
			}
		}
		if groups := PlannedEntries(s.Plan); len(groups) != len(s.Entries) ||
			!reflect.DeepEqual(groups[0].Rates, s.Entries[0].Rates) {
			t.Errorf("%q: PlannedEntries differs from the entries of the schedule", only)
		}
	}
}

// TestOutline checks that the totals of an outline are the sums of its rows, that a cell counts
// once for each scaling, and that an experiment which reads the cells of another samples nothing.
func TestOutline(t *testing.T) {
	s := newSchedule(t, partPlan)
	o := s.Outline(1)
	if o.Cells != 6+1+1 || o.Variants != 6+6*7+1+1 || len(o.Rows) != o.Cells || o.Gates != s.CheckCount() ||
		!(o.Seconds > 0) {
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
			t.Errorf("%+v samples cells", x)
		}
		if x.Reads == "" && x.Samples != samples[x.Unit] {
			t.Errorf("%s samples %d, its cells %d", x.Experiment, x.Samples, samples[x.Unit])
		}
	}
	if math.Abs(components-o.Components) > 1e-9*components || gates != o.Gates {
		t.Errorf("components %v of %v, gates %d of %d", components, o.Components, gates, o.Gates)
	}
}

func TestDuration(t *testing.T) {
	for samples, want := range map[string]bool{"16": false, "2^50": true} {
		s := newSchedule(t, "experiments:\n  - {experiment: variance, distribution: rademacher, d_k: 64, samples: "+
			samples+"}\n")
		if lasts, long := s.Duration(10*time.Minute, store.New(store.Origin{}), 1); long != want ||
			want && lasts < 24*time.Hour {
			t.Errorf("%s samples last %v: %v", samples, lasts, long)
		}
	}
}
