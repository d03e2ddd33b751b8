package schedule_test

import (
	"strings"
	"testing"

	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

func TestAttemptsDouble(t *testing.T) {
	for _, size := range []string{"samples: 4096", "rel_se: 1%"} {
		p, err := plan.Parse("p",
			[]byte("experiments:\n  - {experiment: variance, distribution: normal, d_k: 2, gate: false, "+size+"}\n"))
		simtest.Must(t, err)
		before := int64(0)
		for p.Attempt = range 3 {
			s, err := schedule.New(p)
			simtest.Must(t, err)
			now := s.Jobs[0].Units()
			const maxRounding = 1024 // units of a block, since sizes are rounded up to whole blocks
			if p.Attempt > 0 && (now > 2*before || now < 2*before-maxRounding) {
				t.Errorf("%s: attempt %d samples %d pairs, want twice the %d of the previous attempt", size, p.Attempt,
					now, before)
			}
			before = now
		}
	}
}

// TestTooManySamples checks that a cell with more than 2^50 samples is refused. The number may
// follow from samples, from rel_se or from a gate. A plan is also refused if the product of the
// number and 2^attempt overflows: as int64, the first three products are 2^20, 0, and a negative
// number.
func TestTooManySamples(t *testing.T) {
	for _, c := range []struct {
		attempt int
		plan    string
		units   int64 // 0: refused
	}{
		{20, "distribution: normal, samples: 17592186044417", 0},
		{20, "distribution: normal, samples: 2^50", 0},
		{20, "distribution: normal, samples: 13194139533312", 0},
		{20, "distribution: normal, samples: 2^30", 1 << 50},
		{20, "distribution: normal, samples: 1073741825", 0}, // 2^30 + 1
		{1, "distribution: normal, samples: 2^50", 0},
		{0, "distribution: normal, samples: 2^50", 1 << 50},
		{20, "distribution: normal, rel_se: 1e-6", 0}, // (2+γ₂)·10¹² pairs in attempt 0
		{12, "distribution: normal, rel_se: 1e-6", 0},
		// (2+6)·10⁶ in attempt 0; times 2²⁰ is 1.91·2⁴², rounded up
		{20, "distribution: normal, rel_se: 0.001, gate: false", 1 << 43},
		{0, "distribution: normal, tolerance: 1e-7", 0},
		{20, "distribution: normal, tolerance: 0.0001", 0},                 // the gates require too many
		{0, "distribution: normal, tolerance: 1e-200, gate: false", 0},     // the square of 1e-200 is 0
		{0, "distribution: rademacher, tolerance: 1e-200, gate: false", 1}, // S² is constant: 0 divided by 0
	} {
		p, err := plan.Parse("p", []byte("experiments:\n  - {experiment: variance, d_k: 1, "+c.plan+"}\n"))
		simtest.Must(t, err)
		p.Attempt = c.attempt
		s, err := schedule.New(p)
		switch {
		case err == nil && c.units == 0:
			t.Errorf("attempt %d, %s: got %d pairs in %d blocks, want an error", c.attempt, c.plan, s.Jobs[0].Units(),
				s.Jobs[0].Blocks)
		case c.units == 0:
			if !strings.Contains(err.Error(), "2^50") && !strings.Contains(err.Error(), "2^52") {
				t.Errorf("attempt %d, %s: got the error %v, want one with the limit", c.attempt, c.plan, err)
			}
		case err != nil:
			t.Errorf("attempt %d, %s: %v", c.attempt, c.plan, err)
		case s.Jobs[0].Units() < c.units || c.units > 1 && s.Jobs[0].Units() != c.units: // 2^50 is whole blocks
			t.Errorf("attempt %d, %s: %d pairs are sampled, want %d", c.attempt, c.plan, s.Jobs[0].Units(), c.units)
		}
	}
}

// TestExtends checks that a schedule extends a document only if it samples more of a cell with a
// gate that did not pass, under the same attempt.
func TestExtends(t *testing.T) {
	s := simtest.NewSchedule(t, "experiments:\n"+
		"  - {experiment: variance, distribution: normal, d_k: [2, 4], samples: 4096}\n")
	newDocument := func(attempt string, n int64, verdict result.Verdict) *result.Document {
		return &result.Document{Plan: []byte(`{"attempt":` + attempt + `}`),
			Cells: []result.Cell{{ID: "variance/normal/d_k=2", N: n}, {ID: "variance/normal/d_k=4", N: 4096}},
			Gates: []result.Gate{{Cell: "variance/normal/d_k=2", Verdict: verdict},
				{Cell: "variance/normal/d_k=4", Verdict: result.Pass}}}
	}
	for name, c := range map[string]struct {
		doc  *result.Document
		want bool
	}{
		"fewer, undecided": {newDocument("0", 1024, result.Undecided), true},
		"fewer, passed":    {newDocument("0", 1024, result.Pass), false},
		"as many":          {newDocument("0", 4096, result.Undecided), false},
		"failed":           {newDocument("0", 1024, result.Fail), true},
		"a later attempt":  {newDocument("1", 1024, result.Undecided), true},
		"a slope, undecided": {&result.Document{Plan: []byte(`{"attempt":0}`),
			Cells: []result.Cell{{ID: "variance/normal/d_k=2", N: 16}},
			Gates: []result.Gate{{Cell: "variance/normal/d_k=*", Verdict: result.Undecided}}}, true},
		"an invalid plan": {&result.Document{Plan: []byte("null")}, false},
	} {
		if _, got := s.Extends(c.doc); got != c.want {
			t.Errorf("%s: the schedule extends the document: %v, want %v", name, got, c.want)
		}
	}
}
