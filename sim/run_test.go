package sim_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// smallPlan has most of the experiments, gates, slopes, and cells with many blocks and with few.
const smallPlan = `
name: small
seed: 7
tolerance: 20%
alpha: 1e-3
beta: 1e-3
experiments:
  - experiment: variance
    distribution: [normal, rademacher, sphere, student-t(10)]
    d_k: [2, 8, 300]
  - experiment: exponents
    exponent: [0, 1/3, 1/2, 1]
  - experiment: health
    distribution: normal
    gate: false
    samples: 20000
  - {experiment: depth, tokens: [2, 5], width: 4, layers: 3, residual: [yes, no], samples: 500}
  - {experiment: softmax, distribution: [normal, laplace], d_k: [3, 64], keys: 5, shared_keys: [no, yes], exponent: [0, 1/2], temperature: [0, infinite], samples: 3000, gate: false}
  - {experiment: freezing, keys: [2, 64], sigma: [1/2, 4], samples: 3000, gate: false}
  - {experiment: ranks, distribution: [normal, rademacher], d_k: [3, 64], keys: 5, exponent: [0, 1/2], samples: 3000, gate: false}
  - {experiment: mismatch, distribution: normal, d_k: [1, 40], q_sd: 2, k_mean: [0, 1], k_correlation: [0, 1/2], samples: 5000}
  - {experiment: mismatch, distribution: student-t(10), d_k: [1, 40], q_sd: 2, k_mean: [0, 1], k_correlation: [0, 1/2], samples: 5000, gate: false}
  - {experiment: alignment, distribution: [normal, rademacher, sphere], d_k: [3, 64], rho: [0, -1/2, 1], keys: 5, samples: 3000, gate: false}
  - {experiment: rules, distribution: [normal, sphere], d_k: [2, 64, 300], keys: 5, samples: 3000}
  - {experiment: calibration, distribution: normal, d_k: [1, 8], pairs: 512, samples: 500}
  - {experiment: init, init: [torch-linear, orthogonal, qk-norm, mup-zero-query], d_model: 8, d_k: 4, samples: 40}
`

// fixedPlan returns a plan with the given number of sampling units (pairs or matrices) of each
// cell.
func fixedPlan(samples string) string {
	return strings.Replace(`
name: fixed
seed: 7
tolerance: 20%
experiments:
  - {experiment: variance, distribution: [normal, laplace], d_k: [2, 64], gate: false, samples: N}
  - {experiment: health, distribution: [uniform], gate: false, samples: N}
`, "N", samples, -1)
}

// TestWorkersLeaveNoTrace checks that the bytes of the document depend on the seed and the attempt,
// but not on the number of workers.
func TestWorkersLeaveNoTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("samples four times")
	}
	s := simtest.NewSchedule(t, smallPlan)
	want := simtest.SampleInto(t, s, simtest.NewStore(s), 1)
	for _, workers := range []int{7, 2} {
		if got := simtest.SampleInto(t, s, simtest.NewStore(s), workers); !bytes.Equal(got, want) {
			t.Errorf("the bytes with %d workers differ from those with one", workers)
		}
	}
	otherSeed := simtest.NewSchedule(t, strings.Replace(smallPlan, "seed: 7", "seed: 8", 1))
	if got := simtest.SampleInto(t, otherSeed, simtest.NewStore(otherSeed), 2); bytes.Equal(got, want) {
		t.Error("another seed gives the same bytes")
	}
	secondAttempt := simtest.NewSchedule(t, smallPlan)
	secondAttempt.Plan.Attempt = 1
	meanOf := func(s *schedule.Schedule) result.Number {
		return simtest.FindEstimate(t, simtest.BuildDocument(t, s), "variance/normal/d_k=2", "score_mean").Value
	}
	if meanOf(secondAttempt) == meanOf(s) {
		t.Error("another attempt gives the same mean")
	}
}

// TestExtendedRun runs plans that differ in the number of samples one after the other in one store.
// The document of the last must be the document of a run in an empty store.
func TestExtendedRun(t *testing.T) {
	for _, c := range [][]string{{"5000", "60000"}, {"60000", "5000"}, {"1", "2", "30000", "30001"}} {
		last := simtest.NewSchedule(t, fixedPlan(c[len(c)-1]))
		nodes := simtest.NewStore(last)
		var got []byte
		for i, samples := range c {
			s := simtest.NewSchedule(t, fixedPlan(samples))
			if got = simtest.SampleInto(t, s, nodes, 1+i); s.RemainingCost(nodes) != 0 {
				t.Errorf("%s samples: %v components are left after the run", samples, s.RemainingCost(nodes))
			}
		}
		if want := simtest.SampleInto(t, last, simtest.NewStore(last), 2); !bytes.Equal(got, want) {
			t.Errorf("samples %v one after the other: the bytes differ from those of %s in an empty store", c,
				c[len(c)-1])
		}
	}
}

// TestOtherScalingsAreSampledAgain samples plans with several lists of exponents or standard
// deviations in one store. Nodes have a column for each item of the list. So the store must not use
// the nodes of another list or another order, and it must keep the nodes of every list.
func TestOtherScalingsAreSampledAgain(t *testing.T) {
	plan := func(exponents, sigmas string) string {
		return "experiments:\n  - {experiment: softmax, distribution: normal, d_k: 8, keys: 4, exponent: " +
			exponents + ", samples: 3000, gate: false}\n" +
			"  - {experiment: freezing, keys: 4, sigma: " + sigmas + ", samples: 3000, gate: false}\n"
	}
	countMissing := func(s *schedule.Schedule, nodes *store.Store) (blocks int64) {
		for _, job := range s.Jobs {
			const anyLevel = 62 // the lengths of missing ranges are not limited
			for _, p := range nodes.Missing(job.Cell.StoreID(), 0, job.Blocks, anyLevel) {
				blocks += p.Blocks()
			}
		}
		return blocks
	}
	nodes := simtest.NewStore(simtest.NewSchedule(t, plan("[0, 1/2]", "[1, 2]")))
	for _, p := range [][2]string{{"[0, 1/2]", "[1, 2]"}, {"[1/2, 0]", "[2, 1]"}, {"[1/4, 1]", "[3, 4]"},
		{"1/2", "1"}, {"[0, 1/2, 1]", "[1, 2, 3]"}} {
		s := simtest.NewSchedule(t, plan(p[0], p[1]))
		var total int64
		for _, job := range s.Jobs {
			total += job.Blocks
		}
		if left := countMissing(s, nodes); left != total {
			t.Errorf("%v: %d of %d blocks are missing before the run, want all", p, left, total)
		}
		if got, want := simtest.SampleInto(t, s, nodes, 2),
			simtest.SampleInto(t, s, simtest.NewStore(s), 2); !bytes.Equal(got, want) {
			t.Errorf("%v: the nodes of other exponents change the bytes", p)
		}
		if left := countMissing(s, nodes); left != 0 {
			t.Errorf("%v: %d blocks are missing after the run", p, left)
		}
	}
	if s := simtest.NewSchedule(t, plan("[0, 1/2]", "[1, 2]")); countMissing(s, nodes) != 0 {
		t.Error("the nodes of the first exponents are lost")
	}
}

// TestInterruptedRun checks that a run that is stopped and resumed several times gives the bytes
// of a run without interruptions.
func TestInterruptedRun(t *testing.T) {
	s := simtest.NewSchedule(t, smallPlan)
	want := simtest.SampleInto(t, s, simtest.NewStore(s), 2)
	path, origin := filepath.Join(t.TempDir(), "nodes"), run.Origin(s.Plan)
	tasksPerStop := int64(5) // tasks from one stop to the next
	if testing.Short() {
		tasksPerStop = 50
	}
	stops := 0
	for {
		nodes, err := store.Open(path, origin)
		simtest.Must(t, err)
		ctx, stop := context.WithCancel(context.Background())
		var tasks atomic.Int64
		err = run.Sample(ctx, s, nodes, run.Options{Workers: 2, Keep: true, Progress: func(float64) {
			if tasks.Add(1) == tasksPerStop {
				stop()
			}
		}})
		stop()
		if closeErr := nodes.Close(); closeErr != nil {
			t.Fatal(closeErr)
		}
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if stops > 10_000 {
			t.Fatal("resumed runs do not finish")
		}
	}
	if stops < 2 {
		t.Fatalf("the run was stopped %d times, want at least 2", stops)
	}
	nodes, err := store.Read(path, origin)
	simtest.Must(t, err)
	defer nodes.Close()
	if left := s.RemainingCost(nodes); left != 0 {
		t.Errorf("%v components are not sampled after the end of the run", left)
	}
	if got := simtest.SampleInto(t, s, nodes, 1); !bytes.Equal(got, want) {
		t.Errorf("the bytes after %d interruptions differ from those of a run without", stops)
	}
}

// TestProgressAddsUp checks that the reported progress adds up to the cost of the run.
func TestProgressAddsUp(t *testing.T) {
	s := simtest.NewSchedule(t, smallPlan)
	var want float64
	for _, job := range s.Jobs {
		want += job.Components()
	}
	var got atomic.Int64
	err := run.Sample(context.Background(), s, simtest.NewStore(s),
		run.Options{Workers: 3, Progress: func(c float64) { got.Add(int64(c)) }})
	if err != nil || float64(got.Load()) != want {
		t.Errorf("the reported progress is %v components (%v), want %v", got.Load(), err, want)
	}
}

// TestCancelledBefore checks that a run with a cancelled context samples nothing, and that its
// store does not give a document.
func TestCancelledBefore(t *testing.T) {
	s := simtest.NewSchedule(t, smallPlan)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	nodes := simtest.NewStore(s)
	before := s.RemainingCost(nodes)
	if err := run.Sample(ctx, s, nodes, run.Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want %v", err, context.Canceled)
	}
	if left := s.RemainingCost(nodes); left != before {
		t.Errorf("a cancelled run sampled %v components", before-left)
	}
	if _, err := document.Build(s, nodes); err == nil ||
		!strings.Contains(err.Error(), document.ErrNotSampled.Error()) {
		t.Errorf("a document without samples: got the error %v, want %v", err, document.ErrNotSampled)
	}
}

// TestRecorderEndsOnError checks a store that cannot be written. With the option Keep, a goroutine
// flushes the store again and again while Sample runs (run.repeatUntil). Sample must return the
// error of the store, and the goroutine must have ended.
func TestRecorderEndsOnError(t *testing.T) {
	s := simtest.NewSchedule(t, smallPlan)
	nodes, err := store.Open(filepath.Join(t.TempDir(), "nodes"), run.Origin(s.Plan))
	simtest.Must(t, err)
	simtest.Must(t, nodes.Close())
	err = run.Sample(t.Context(), s, nodes, run.Options{Workers: 2, Keep: true})
	if err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the closed file", err)
	}
	stacks := make([]byte, 1<<20)
	if text := string(stacks[:runtime.Stack(stacks, true)]); strings.Contains(text, "run.repeatUntil") {
		t.Errorf("the recorder still runs:\n%s", text)
	}
}
