package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

const cellID = "variance/normal/d_k=4"

// newEstimate returns an estimate of the only cell, with the standard error 8/√n.
func newEstimate(quantity string, n int64, value float64) result.Estimate {
	se := result.Number(8 / math.Sqrt(float64(n)))
	v := result.Number(value)
	return result.Estimate{Experiment: "variance", Cell: cellID, Params: result.Params{"d_k": 4.0}, Quantity: quantity,
		Estimator: "direct", N: n, Value: v, SE: se, Lo: v - 2*se, Hi: v + 2*se, Level: 0.95, Theory: 4,
		TheoryKind: "exact"}
}

// newDocument returns a document with one cell of n units in blocks of 16.
func newDocument(seed uint64, n int64, rows ...result.Estimate) *result.Document {
	return &result.Document{Schema: result.Schema, Kernel: 1, Seed: seed,
		Plan:  json.RawMessage(fmt.Sprintf(`{"seed":%d,"alpha":0.5}`, seed)),
		Cells: []result.Cell{{ID: cellID, Unit: "pair", N: n, Blocks: n / 16}}, Estimates: rows}
}

func compareDocuments(t *testing.T, before, after *result.Document, alpha float64) *Comparison {
	t.Helper()
	c, err := Documents(before, after, alpha)
	simtest.Must(t, err)
	return c
}

// TestErrorByRelation compares the standard error of a difference with its formula for each
// relation of samples. The standard errors of the estimates are 8/√1600 = 0.2 and 8/√6400 = 0.1.
func TestErrorByRelation(t *testing.T) {
	short, long := newDocument(7, 1600, newEstimate("q", 1600, 4)), newDocument(7, 6400, newEstimate("q", 6400, 4.1))
	kernel2, blocks, attempt2 := *long, *long, *long
	kernel2.Kernel = 2
	blocks.Cells = []result.Cell{{ID: cellID, N: 6400, Blocks: 200}}
	attempt2.Plan = json.RawMessage(`{"attempt":1}`)
	for _, c := range []struct {
		name   string
		second *result.Document
		draws  SampleRelation
		se     float64
	}{
		{"longer", long, Nested, math.Sqrt(0.04 - 0.01)},
		{"other seed", newDocument(8, 6400, newEstimate("q", 6400, 4.1)), Independent, math.Sqrt(0.04 + 0.01)},
		{"other attempt", &attempt2, Independent, math.Sqrt(0.04 + 0.01)},
		{"other kernel", &kernel2, Unknown, 0.3},
		{"other blocks", &blocks, Unknown, 0.3},
		{"no such cell", &result.Document{Kernel: 1, Seed: 7, Estimates: long.Estimates}, Unknown, 0.3},
		{"same", newDocument(7, 1600, newEstimate("q", 1600, 4)), Same, 0},
	} {
		for _, pair := range [][2]*result.Document{{short, c.second}, {c.second, short}} {
			r := compareDocuments(t, pair[0], pair[1], 0.1).Rows[0]
			if r.Draws != c.draws || !(math.Abs(float64(r.SE)-c.se) < 1e-12) {
				t.Errorf("%s: the samples are %q and the standard error %v, want %q and %v", c.name, r.Draws, r.SE,
					c.draws, c.se)
			}
		}
	}
}

// TestNestedErrorsMustFit checks that the relation of samples is unknown if the standard errors
// cannot be errors of nested samples. The standard error of an estimate over many cells need not
// fall like 1/√n, but must fall.
func TestNestedErrorsMustFit(t *testing.T) {
	for _, c := range []struct {
		cell  string
		se    float64
		draws SampleRelation
		want  float64
	}{
		{cellID, 0.21, Unknown, 0.41}, {cellID, 0.2, Unknown, 0.4}, {cellID, 0.05, Unknown, 0.25},
		{"variance/normal/d_k=*", 0.05, Nested, math.Sqrt(0.04 - 0.0025)},
		{"variance/normal/d_k=*", 0.2, Unknown, 0.4}, {"variance/normal/d_k=*", 0.21, Unknown, 0.41},
	} {
		newDocument := func(n int64, se float64) *result.Document {
			r := newEstimate("q", n, 4)
			r.Cell, r.SE = c.cell, result.Number(se)
			return newDocument(7, n, r)
		}
		r := compareDocuments(t, newDocument(1600, 0.2), newDocument(6400, c.se), 0.1).Rows[0]
		if r.Draws != c.draws || !(math.Abs(float64(r.SE)-c.want) < 1e-12) {
			t.Errorf("%s, errors 0.2 and %v: the samples are %q and the standard error %v, want %q and %v", c.cell,
				c.se,
				r.Draws, r.SE, c.draws, c.want)
		}
	}
}

// TestRelationOfPattern checks the relation of samples over all cells that a pattern includes.
func TestRelationOfPattern(t *testing.T) {
	cells := func(n ...int64) *result.Document {
		d := &result.Document{}
		for i, x := range n {
			if x > 0 {
				d.Cells = append(d.Cells,
					result.Cell{ID: fmt.Sprintf("variance/normal/d_k=%d", i), N: x, Blocks: x / 16})
			}
		}
		d.Cells = append(d.Cells,
			result.Cell{ID: "variance/laplace/d_k=1", N: 16 * int64(len(n)), Blocks: int64(len(n))})
		return d
	}
	withManyBlocks := func(blocks int64) *result.Document {
		return &result.Document{Cells: []result.Cell{{ID: "variance/normal/d_k=0", N: 1 << 50, Blocks: blocks}}}
	}
	for _, c := range []struct {
		before, after *result.Document
		want          SampleRelation
	}{
		{withManyBlocks(1 << 40), withManyBlocks(1 << 40), Same},
		{withManyBlocks(1 << 40), withManyBlocks(1 << 41), Unknown}, // products of 2⁹⁰ and 2⁹¹ are equal in 64 bits
		{cells(16, 32), cells(16, 32), Same},
		{cells(16, 32), cells(16, 48), Nested},
		{cells(16, 32), cells(16, 32, 16), Nested},
		{cells(16, 32, 16), cells(16, 0, 0), Nested},
		{cells(16, 32), cells(32, 16), Unknown},
		{cells(16, 32, 0), cells(32, 0, 16), Unknown},
		{cells(0), cells(16), Unknown},
	} {
		if got := relate(c.before, c.after, "variance/normal/d_k=*"); got != c.want {
			t.Errorf("the samples of %v and %v are %q, want %q", c.before.Cells, c.after.Cells, got, c.want)
		}
	}
}

// TestSameSamples checks that any difference of estimates from the same samples is significant.
func TestSameSamples(t *testing.T) {
	before := newDocument(7, 1600, newEstimate("q", 1600, 4), newEstimate("r", 1600, 5))
	after := newDocument(7, 1600, newEstimate("q", 1600, math.Nextafter(4, 5)), newEstimate("r", 1600, 5))
	c := compareDocuments(t, before, after, 1e-3)
	if c.Rows[0].Verdict != Differs || c.Rows[1].Verdict != Equal || c.Verdict != Differs {
		t.Errorf("got the verdicts %s and %s, together %s; want %s and %s, together %s", c.Rows[0].Verdict,
			c.Rows[1].Verdict, c.Verdict, Differs, Equal, Differs)
	}
	if c.Tested != 0 || c.Z.Present() {
		t.Errorf("%d pairs are tested with the limit %v, want 0 pairs and no limit", c.Tested, c.Z)
	}
	if c := compareDocuments(t, before, before, 1e-3); c.Verdict != Equal || len(c.Changes) > 0 {
		t.Errorf("a document compared with itself: got %s and the changes %q, want %s and none", c.Verdict, c.Changes,
			Equal)
	}
	absent := newEstimate("q", 1600, math.NaN())
	if c := compareDocuments(t, before, newDocument(7, 1600, absent), 1e-3); c.Verdict != Differs {
		t.Errorf("only the first document has a value: got %s, want %s", c.Verdict, Differs)
	}
	if c := compareDocuments(t, newDocument(7, 1600, absent), newDocument(7, 1600, absent), 1e-3); c.Verdict != Equal {
		t.Errorf("neither document has a value: got %s, want %s", c.Verdict, Equal)
	}
}

// TestUntestable checks which pairs are not tested, and the reasons.
func TestUntestable(t *testing.T) {
	change := func(f func(*result.Estimate)) result.Estimate {
		r := newEstimate("q", 6400, 9)
		f(&r)
		return r
	}
	for _, c := range []struct {
		why string
		new result.Estimate
	}{
		{noSE, change(func(r *result.Estimate) { r.SE = result.Absent() })},
		{noInterval, change(func(r *result.Estimate) { r.Lo, r.Hi = result.Absent(), result.Absent() })},
		{noValue, change(func(r *result.Estimate) { r.Value = result.Absent() })},
		{otherTheory, change(func(r *result.Estimate) { r.Theory = 3 })},
		{otherTheory, change(func(r *result.Estimate) { r.Theory = result.Absent() })},
		{degenerate, change(func(r *result.Estimate) { r.SE = 0 })},
		{degenerate, change(func(r *result.Estimate) { r.SE = result.Number(9 * math.Sqrt2 / 6400) })},
	} {
		for _, seed := range []uint64{7, 8} {
			comparison := compareDocuments(t, newDocument(7, 1600, newEstimate("q", 1600, 4)),
				newDocument(seed, 6400, c.new), 1e-3)
			r := comparison.Rows[0]
			if r.Why != c.why || r.Verdict != Unjudged || r.Limit.Present() {
				t.Errorf("got the reason %q, the verdict %s and the limit %v; want %q, %s and none", r.Why, r.Verdict,
					r.Limit, c.why, Unjudged)
			}
			if comparison.Verdict != Within || comparison.Tested != 0 {
				t.Errorf("%s: the verdict is %s and %d pairs are tested, want %s and 0", c.why, comparison.Verdict,
					comparison.Tested, Within)
			}
		}
	}
	for _, q := range []string{names.ScoreSkewness, names.ScoreVarianceSE, names.ScoreVarianceSEBlocks,
		names.ScoreExcessKurtosis, names.ComponentKurtosis} {
		if r := compareDocuments(t, newDocument(7, 1600, newEstimate(q, 1600, 4)),
			newDocument(8, 1600, newEstimate(q, 1600, 9)), 1e-3).Rows[0]; r.Verdict != Unjudged {
			t.Errorf("%s: the verdict is %s, want %s", q, r.Verdict, Unjudged)
		}
	}
}

// TestFewAddedSamples checks that the limit is computed from at least half of the smaller run's
// standard error if the larger run has few more samples.
func TestFewAddedSamples(t *testing.T) {
	n := int64(1600)
	c := compareDocuments(t, newDocument(7, n, newEstimate("q", n, 4)),
		newDocument(7, n+16, newEstimate("q", n+16, 4)), 0.1)
	// z_{0.05}, SciPy 1.11.4: norm.isf(0.05) = 1.6448536269514729.
	if r := c.Rows[0]; r.SE > 0.03 || math.Abs(float64(r.Limit)-1.6448536269514729*0.2/2) > 1e-12 {
		t.Errorf("the standard error is %v and the limit %v, want at most 0.03 and z·0.1", r.SE, r.Limit)
	}
}

// TestUnpairedEstimates checks that estimates of only one document are listed, that each part of
// the ID distinguishes estimates, and that an ID may occur only once in a document.
func TestUnpairedEstimates(t *testing.T) {
	c := compareDocuments(t, newDocument(7, 1600, newEstimate("q", 1600, 4), newEstimate("old", 1600, 4)),
		newDocument(7, 1600, newEstimate("new", 1600, 4), newEstimate("q", 1600, 4)), 1e-3)
	if len(c.Rows) != 1 || len(c.OnlyOld) != 1 || c.OnlyOld[0].Quantity != "old" || len(c.OnlyNew) != 1 ||
		c.OnlyNew[0].Quantity != "new" {
		t.Errorf("got %d pairs, only old %+v, only new %+v; want one pair, old, new", len(c.Rows), c.OnlyOld, c.OnlyNew)
	}
	// Each part of the id distinguishes estimates.
	for name, change := range map[string]func(*result.Estimate){
		"experiment": func(r *result.Estimate) { r.Experiment = "health" },
		"cell":       func(r *result.Estimate) { r.Cell = "variance/normal/d_k=5" },
		"params":     func(r *result.Estimate) { r.Params = result.Params{"d_k": 5.0} },
		"estimator":  func(r *result.Estimate) { r.Estimator = "gram" },
	} {
		r := newEstimate("q", 1600, 4)
		change(&r)
		if _, err := Documents(newDocument(7, 1600, newEstimate("q", 1600, 4)), newDocument(7, 1600, r),
			1e-3); !errors.Is(err, ErrNothingInCommon) {
			t.Errorf("another %s: the error is %v, want %v", name, err, ErrNothingInCommon)
		}
	}
	twice := newDocument(7, 1600, newEstimate("q", 1600, 4), newEstimate("q", 1600, 5))
	for _, pair := range [][2]*result.Document{{twice, newDocument(7, 1600)}, {newDocument(7, 1600), twice}} {
		if _, err := Documents(pair[0], pair[1], 1e-3); err == nil ||
			!strings.Contains(err.Error(), "two estimates q of "+cellID) {
			t.Errorf("an ID occurs twice: the error is %v, want one that names it", err)
		}
	}
}

// TestChanges checks the list of differences in schema, kernel, seed and plan.
func TestChanges(t *testing.T) {
	before, after := newDocument(7, 16), newDocument(8, 16)
	if got := describeChanges(before, after); len(got) != 1 || !strings.HasPrefix(got[0], "seeds differ: 7, then 8") {
		t.Errorf("got %q, want one line about seeds", got)
	}
	before.Plan = json.RawMessage(`{"seed":7,"alpha":0.5,"experiments":[1],"name":"a"}`)
	after.Plan = json.RawMessage(`{"seed":8,"alpha":0.1,"experiments":[2],"name":"a"}`)
	after.Kernel, after.Schema = 2, "other"
	want := []string{"schemas differ: mcsim/results/4, then other",
		"kernels differ: version 1, then 2: the same seed gives other samples",
		"seeds differ: 7, then 8: the samples are independent", "plans differ: alpha 0.5, then 0.1; experiments"}
	if got := describeChanges(before, after); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
