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

// TestPart checks that a selection of experiments has as many blocks of each cell as the whole
// plan, and the same gates at the same rates. This includes gates on several cells, and gates of an
// experiment that reads the cells of another.
func TestPart(t *testing.T) {
	scheduleOf := func(only ...string) *Schedule {
		p, err := plan.Change{Selection: only}.Parse("p", []byte(partPlan))
		must(t, err)
		s, err := New(p)
		must(t, err)
		return s
	}
	wholePlan := scheduleOf()
	for _, only := range [][]string{{names.ExperimentVariance}, {names.ExperimentExponents},
		{names.ExperimentSoftmax, names.ExperimentHealth}} {
		s := scheduleOf(only...)
		checks, index := 0, 0
		for _, g := range s.Entries {
			for wholePlan.Entries[index].Entry.Experiment != g.Entry.Experiment {
				index++
			}
			if want := wholePlan.Entries[index]; want.Rates != g.Rates || len(want.Checks) != len(g.Checks) {
				t.Errorf("%q: %s has the rates %+v and %d gates, want %+v and %d as in the whole plan", only,
					g.Entry.Experiment.Name, g.Rates, len(g.Checks), want.Rates, len(want.Checks))
			}
			checks += len(g.Checks)
		}
		if checks == 0 || checks != s.CheckCount() || checks >= wholePlan.CheckCount() {
			t.Errorf("%q has %d gates, want at least 1 and fewer than the %d of the whole plan", only, checks,
				wholePlan.CheckCount())
		}
		jobsOfCells := map[string]Job{}
		for _, job := range wholePlan.Jobs {
			jobsOfCells[job.Cell.ID] = job
		}
		for _, job := range s.Jobs {
			if !s.Plan.Samples(job.Cell.Experiment.Name) {
				t.Errorf("%q: the schedule samples %s, which is not selected", only, job.Cell.ID)
			}
			if want := jobsOfCells[job.Cell.ID]; want.Blocks != job.Blocks || want.Reason != job.Reason {
				t.Errorf("%q: %s has %d blocks for %s, want %d for %s as in the whole plan", only, job.Cell.ID,
					job.Blocks, job.Reason, want.Blocks, want.Reason)
			}
		}
		if groups := PlannedEntries(s.Plan); len(groups) != len(s.Entries) ||
			!reflect.DeepEqual(groups[0].Rates, s.Entries[0].Rates) {
			t.Errorf("%q: PlannedEntries differs from the entries of the schedule", only)
		}
	}
}

// TestOutline checks that the totals of an outline are the sums of its rows. A variant is a cell
// under one scaling. An experiment that reads the cells of another samples nothing.
func TestOutline(t *testing.T) {
	s := newSchedule(t, partPlan)
	o := s.Outline(1)
	if o.Cells != 6+1+1 || o.Variants != 6+6*7+1+1 || len(o.Rows) != o.Cells || o.Gates != s.CheckCount() ||
		!(o.Seconds > 0) {
		t.Errorf("want 8 cells, 50 variants, a row for each cell, all gates and a duration; got %+v", o)
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
			t.Errorf("%s only reads cells, but the outline counts samples: %+v", x.Experiment, x)
		}
		if x.Reads == "" && x.Samples != samples[x.Unit] {
			t.Errorf("%s has %d samples, want %d, the sum over its cells", x.Experiment, x.Samples, samples[x.Unit])
		}
	}
	if math.Abs(components-o.Components) > 1e-9*components {
		t.Errorf("the total is %v components, but the rows have %v", o.Components, components)
	}
	if gates != o.Gates {
		t.Errorf("the total is %d gates, but the experiments have %d", o.Gates, gates)
	}
}

// TestDuration checks that only the larger of two plans is reported to take longer than ten
// minutes.
func TestDuration(t *testing.T) {
	for samples, want := range map[string]bool{"16": false, "2^50": true} {
		s := newSchedule(t, "experiments:\n  - {experiment: variance, distribution: rademacher, d_k: 64, samples: "+
			samples+"}\n")
		duration, isLong := s.Duration(10*time.Minute, store.New(store.Origin{}), 1)
		if isLong != want || want && duration < 24*time.Hour {
			t.Errorf("%s samples: the duration is %v, long %v; want long %v", samples, duration, isLong, want)
		}
	}
}
