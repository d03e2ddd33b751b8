package schedule_test

import (
	"strings"
	"testing"

	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/schedule"
	"mcsim/sim/simtest"
)

// Every attempt draws twice as much as the one before, and one that asks for more than
// any number says so.
func TestAttemptsDouble(t *testing.T) {
	for _, much := range []string{"samples: 4096", "rel_se: 1%"} {
		p, err := plan.Parse("p", []byte("experiments:\n  - {experiment: variance, law: normal, d_k: 2, gate: false, "+much+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		before := int64(0)
		for p.Attempt = range 3 {
			s, err := schedule.New(p)
			if err != nil {
				t.Fatal(err)
			}
			if now := s.Works[0].Drawn(); before != 0 && (now > 2*before || now < 2*before-1024) {
				t.Errorf("%s: attempt %d draws %d pairs, the one before %d", much, p.Attempt, now, before)
			} else {
				before = now
			}
		}
		p.Attempt, p.Entries[0].Samples, p.Entries[0].RelativeSE = 5, 0, 1e-9
		if _, err := schedule.New(p); err == nil || !strings.Contains(err.Error(), "at most 2^50") {
			t.Errorf("2⁶⁵ pairs are drawn: %v", err)
		}
	}
}

// A schedule extends what is undecided only if it draws more of that cell
// under the same attempt.
func TestExtends(t *testing.T) {
	s := simtest.Scheduled(t, "experiments:\n  - {experiment: variance, law: normal, d_k: [2, 4], samples: 4096}\n")
	was := func(attempt string, n int64, verdict result.Verdict) *result.Document {
		return &result.Document{Plan: []byte(`{"attempt":` + attempt + `}`),
			Cells: []result.Cell{{ID: "variance/normal/d_k=2", N: n}, {ID: "variance/normal/d_k=4", N: 4096}},
			Gates: []result.Gate{{Cell: "variance/normal/d_k=2", Verdict: verdict}, {Cell: "variance/normal/d_k=4", Verdict: result.Pass}}}
	}
	for name, c := range map[string]struct {
		doc  *result.Document
		want bool
	}{
		"fewer, undecided": {was("0", 1024, result.Undecided), true},
		"fewer, passed":    {was("0", 1024, result.Pass), false},
		"as many":          {was("0", 4096, result.Undecided), false},
		"failed":           {was("0", 1024, result.Fail), true},
		"a later attempt":  {was("1", 1024, result.Undecided), true},
		"a slope, undecided": {&result.Document{Plan: []byte(`{"attempt":0}`), Cells: []result.Cell{{ID: "variance/normal/d_k=2", N: 16}},
			Gates: []result.Gate{{Cell: "variance/normal/d_k=*", Verdict: result.Undecided}}}, true},
		"a plan that is no plan": {&result.Document{Plan: []byte("null")}, false},
	} {
		if _, got := s.Extends(c.doc); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
