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
	"mcsim/sim/simtest"
)

// smallPlan has cells with many and with few blocks, gates, slopes and every kind of experiment.
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

// fixedPlan returns a plan with the given number of units of each cell.
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
			t.Errorf("%d workers give other bytes than one", workers)
		}
	}
	otherSeed := simtest.NewSchedule(t, strings.Replace(smallPlan, "seed: 7", "seed: 8", 1))
	if got := simtest.SampleInto(t, otherSeed, simtest.NewStore(otherSeed), 2); bytes.Equal(got, want) {
		t.Error("another seed gives the same bytes")
	}
	secondAttempt := simtest.NewSchedule(t, smallPlan)
	secondAttempt.Plan.Attempt = 1
	if simtest.FindEstimate(t, simtest.BuildDocument(t, secondAttempt), "variance/normal/d_k=2",
		"score_mean").Value == simtest.FindEstimate(t, simtest.BuildDocument(t, s), "variance/normal/d_k=2",
		"score_mean").Value {
		t.Error("another attempt gives the same numbers")
	}
}

// TestExtendedRun checks that runs with more or fewer samples, one after the other in one store,
// give the document of a direct run.
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
			t.Errorf("samples %v one after the other: other bytes than for %s directly", c, c[len(c)-1])
		}
	}
}

// TestOtherScalingsAreSampledAgain checks that a store does not use the nodes of other exponents or
// another order of exponents, whose columns are different, and that it keeps the nodes of each
// list.
func TestOtherScalingsAreSampledAgain(t *testing.T) {
	plan := func(exponents, sigmas string) string {
		return "experiments:\n  - {experiment: softmax, distribution: normal, d_k: 8, keys: 4, exponent: " +
			exponents + ", samples: 3000, gate: false}\n" +
			"  - {experiment: freezing, keys: 4, sigma: " + sigmas + ", samples: 3000, gate: false}\n"
	}
	missing := func(s *schedule.Schedule, nodes *store.Store) (blocks int64) {
		for _, job := range s.Jobs {
			for _, p := range nodes.Missing(job.Cell.StoreID(), 0, job.Blocks, 62) {
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
		if left := missing(s, nodes); left != total {
			t.Errorf("%v: %d of %d blocks are missing", p, left, total)
		}
		if got, want := simtest.SampleInto(t, s, nodes, 2),
			simtest.SampleInto(t, s, simtest.NewStore(s), 2); !bytes.Equal(got, want) {
			t.Errorf("%v: the nodes of other exponents change the bytes", p)
		}
		if left := missing(s, nodes); left != 0 {
			t.Errorf("%v: %d blocks are missing after the run", p, left)
		}
	}
	if s := simtest.NewSchedule(t, plan("[0, 1/2]", "[1, 2]")); missing(s, nodes) != 0 {
		t.Error("the nodes of the first exponents are lost")
	}
}

// TestInterruptedRun checks that a run which is stopped and resumed several times gives the bytes
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
		t.Fatalf("the run was stopped %d times only", stops)
	}
	nodes, err := store.Read(path, origin)
	simtest.Must(t, err)
	defer nodes.Close()
	if left := s.RemainingCost(nodes); left != 0 {
		t.Errorf("a run that ended has left %v components", left)
	}
	if got := simtest.SampleInto(t, s, nodes, 1); !bytes.Equal(got, want) {
		t.Errorf("after %d interruptions the bytes are different", stops)
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
		t.Errorf("progress of %v components (%v), want %v", got.Load(), err, want)
	}
}

// TestCancelledBefore checks that a run with an ended context samples nothing and that its store
// gives no document.
func TestCancelledBefore(t *testing.T) {
	s := simtest.NewSchedule(t, smallPlan)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	nodes := simtest.NewStore(s)
	before := s.RemainingCost(nodes)
	if err := run.Sample(ctx, s, nodes, run.Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left := s.RemainingCost(nodes); left != before {
		t.Errorf("a cancelled run sampled %v components", before-left)
	}
	if _, err := document.Build(s, nodes); err == nil || !strings.Contains(err.Error(), document.ErrNotSampled.Error()) {
		t.Errorf("a document without samples: %v", err)
	}
}

// TestRecorderEndsOnError checks that Sample returns the error of a store that cannot be written,
// and that no goroutine continues to flush.
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
