package precision

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/formats"
	"mcsim/sim/result"
)

// inFormats is the sample with the rows of the experiment as they are changed, or left out.
func inFormats(change func(e *result.Estimate, format, placement, arithmetic string, d float64) (keep bool)) *result.Document {
	doc := sample.Without(func(string, result.Params) bool { return false })
	var kept []result.Estimate
	for _, e := range doc.Estimates {
		if e.Experiment == names.ExperimentPrecision {
			format, _ := e.Params.Text(names.ParamFormat)
			placement, _ := e.Params.Text(names.ParamPlacement)
			arithmetic, _ := e.Params.Text(names.ParamArithmetic)
			d, _ := e.Params.Number(names.ParamDimension)
			if !change(&e, format, placement, arithmetic, d) {
				continue
			}
		}
		kept = append(kept, e)
	}
	doc.Estimates = kept
	return doc
}

// median sets the median of a row and its interval, a tenth of it to either side.
func median(e *result.Estimate, x float64) {
	if e.Quantity == names.Quantile(names.TotalVariation, 0.5) {
		m := result.Number(x)
		e.Value, e.SE, e.Lo, e.Hi = m, m/20, m-m/10, m+m/10
	}
}

// The page leads with a sentence that says which formats hold and which fail, and where, by
// the rows of any plan, with three numbers at most.
func TestFormatLead(t *testing.T) {
	isE4M3 := func(format string) bool { return strings.HasPrefix(format, formats.E4M3) }
	number := regexp.MustCompile(`\d[\d\x{202f}.]*`)
	for _, c := range []struct {
		what   string
		change func(e *result.Estimate, format, placement, arithmetic string, d float64) bool
		want   string
	}{
		{"all", func(*result.Estimate, string, string, string, float64) bool { return true },
			"Here float32, float16 and bfloat16 hold at every $d_k$, from 16 to 80, and e4m3fn and e5m2 fail throughout, with the scale after the product and sums in float32; with sums and scale in the format it is the same."},
		{"bfloat16 fails with sums in the format", func(e *result.Estimate, format, _, arithmetic string, d float64) bool {
			if format == formats.BFloat16 && arithmetic == formats.Worst && d >= 64 {
				median(e, 0.02)
			}
			return true
		}, "and e4m3fn and e5m2 fail throughout, with the scale after the product and sums in float32; with sums and scale in the format, bfloat16 fails from $d_k$ = 64 on."},
		{"one d_k", func(_ *result.Estimate, _, _, _ string, d float64) bool { return d == 64 },
			"Here float32, float16 and bfloat16 hold at $d_k$ = 64, and e4m3fn and e5m2 fail, with the scale after the product and sums in float32; with sums and scale in the format it is the same."},
		{"practice alone", func(_ *result.Estimate, _, _, arithmetic string, _ float64) bool {
			return arithmetic == formats.Practice
		},
			"fail throughout, with the scale after the product and sums in float32."},
		{"the worst case alone", func(_ *result.Estimate, _, placement, arithmetic string, _ float64) bool {
			return arithmetic == formats.Worst && placement == formats.Split
		}, "fail throughout, with d_k^(−1/4) on query and key, and sums and scale in the format."},
		{"one format", func(_ *result.Estimate, format, _, _ string, _ float64) bool { return format == formats.E4M3NaN },
			"Here e4m3fn fails at every $d_k$, from 16 to 80, with"},
		{"two kinds of e4m3fn", func(e *result.Estimate, format, _, _ string, d float64) bool {
			if format == formats.E4M3Saturating && d == 16 {
				median(e, 0.001)
			}
			return isE4M3(format)
		}, "Here e4m3fn-saturating fails from $d_k$ = 64 on, and e4m3fn-nan fails at every $d_k$, from 16 to 80, with"},
		{"many points from which one fails", func(e *result.Estimate, format, _, arithmetic string, d float64) bool {
			from := map[string]float64{formats.Float16: 64, formats.BFloat16: 80}[format]
			if from > 0 && d >= from {
				median(e, 0.02)
			}
			return true
		}, "float32 holds at every $d_k$, from 16 to 80, float16 fails from $d_k$ = 64 on, bfloat16 fails at the larger $d_k$, and e4m3fn and e5m2 fail throughout"},
		{"undecided", func(e *result.Estimate, format, _, _ string, _ float64) bool {
			if format == formats.BFloat16 {
				median(e, 0.01)
			}
			return format == formats.BFloat16 || format == formats.Float32
		}, "Here float32 holds at every $d_k$, from 16 to 80, and bfloat16 is undecided throughout, with"},
		{"without intervals", func(e *result.Estimate, format, _, _ string, _ float64) bool {
			e.Level = result.Absent()
			return format == formats.Float16
		}, "Here float16 is undecided at every $d_k$, from 16 to 80, with"},
		{"overflow decides", func(e *result.Estimate, format, placement, _ string, d float64) bool {
			e.Level = result.Absent()
			if e.Quantity == names.Overflow && d == 80 {
				e.Theory = 1e-3
			}
			return format == formats.Float16 && placement == formats.After
		}, "Here float16 fails from $d_k$ = 80 on, with"},
		{"to and fro", func(e *result.Estimate, format, _, _ string, d float64) bool {
			if d == 64 {
				median(e, 0.0001)
			}
			return format == formats.E5M2
		}, "Here the verdict on e5m2 depends on $d_k$, with"},
		{"other d_k in each format", func(_ *result.Estimate, format, _, _ string, d float64) bool {
			return format != formats.Float16 || d == 16
		}, "Here float32, float16 and bfloat16 hold wherever drawn, and e4m3fn and e5m2 fail wherever drawn, with"},
		{"nothing", func(*result.Estimate, string, string, string, float64) bool { return false }, ""},
	} {
		lead := formatLead(inFormats(c.change))
		if !strings.Contains(lead, c.want) || (c.want == "") != (lead == "") {
			t.Errorf("%s: %s", c.what, lead)
		}
		bare := regexp.MustCompile(`b?float\d+|e4m3fn|e5m2|d_k\^\(−1/4\)`).ReplaceAllString(lead, "")
		if n := len(number.FindAllString(bare, -1)); n > mostNumbers {
			t.Errorf("%s: %d numbers in %s", c.what, n, lead)
		}
		if strings.Count(lead, ". ") > 0 {
			t.Errorf("%s: more than a sentence: %s", c.what, lead)
		}
	}
}

// The table of verdicts says where each format holds and fails, in each arithmetic, and names
// the place of the scale where the verdict depends on it.
func TestFormatVerdicts(t *testing.T) {
	table := formatVerdicts(inFormats(func(e *result.Estimate, format, placement, arithmetic string, d float64) bool {
		switch {
		case format == formats.BFloat16 && arithmetic == formats.Worst && d == 80:
			median(e, 0.02)
		case format == formats.BFloat16 && arithmetic == formats.Worst && d == 64:
			median(e, 0.01)
		case format == formats.Float16 && arithmetic == formats.Practice && placement == formats.Before && d == 16:
			median(e, 0.02)
		}
		return format != formats.Float32 || arithmetic == formats.Practice
	}))
	const all = "holds at all d_k"
	want := [][]string{
		{"float32", all, ""},
		{"float16", "scale after the product and scale on query and key: " + all + "; scale on the query: fails at 16, holds from d_k\u00a0=\u00a064 on", all},
		{"bfloat16", all, "holds at 16, is undecided at 64, fails from d_k\u00a0=\u00a080 on"},
		{"e4m3fn", "fails at all d_k", "fails at all d_k"},
		{"e5m2", "fails at all d_k", "fails at all d_k"},
	}
	if len(table.Head) != 3 || !slices.EqualFunc(table.Rows, want, slices.Equal) {
		t.Errorf("%q\n%q", table.Head, table.Rows)
	}
	only := formatVerdicts(inFormats(func(_ *result.Estimate, format, _, arithmetic string, d float64) bool {
		return format == formats.E4M3NaN && arithmetic == formats.Worst && d == 80
	}))
	if len(only.Head) != 2 || len(only.Rows) != 1 || !slices.Equal(only.Rows[0], []string{"e4m3fn-nan", "fails at d_k\u00a0=\u00a080"}) {
		t.Errorf("%q %q", only.Head, only.Rows)
	}
}

// What scaling first costs is said of the largest power of 4 that has both rows, by their
// intervals.
func TestEndsOfScale(t *testing.T) {
	of := func(before float64, known bool) scaleEnds {
		return endsOfScale(inFormats(func(e *result.Estimate, _, placement, _ string, _ float64) bool {
			if median(e, 0.0125); placement == formats.Before {
				median(e, before)
			}
			if !known {
				e.Level = result.Absent()
			}
			return true
		}))
	}
	for _, c := range []struct {
		before float64
		known  bool
		want   string
	}{{0.025, true, "loses in digits"}, {0.005, true, "moves less"}, {0.013, true, "overlap"}, {0.025, false, ""}} {
		v := of(c.before, c.known)
		if !strings.Contains(v.Compared, c.want) || (c.want == "") != (v.Compared == "") || v.Dim != "64" || !strings.HasPrefix(v.After, "1.25 ±") {
			t.Errorf("%v: %+v", c.before, v)
		}
	}
	v := endsOfScale(inFormats(func(_ *result.Estimate, _, placement, _ string, d float64) bool {
		return d != 64 || placement != formats.Before
	}))
	if v.Dim != "16" {
		t.Errorf("without the query at 64: %+v", v)
	}
	if v := endsOfScale(inFormats(func(_ *result.Estimate, _, _, _ string, d float64) bool { return d == 80 })); v.Dim != "" {
		t.Errorf("80 is no power of 4: %+v", v)
	}
}

// A column of the page's tables has one notation, whatever its numbers are: with a power of
// ten in each cell, or in none.
func TestColumnsHaveOneNotation(t *testing.T) {
	doc := inFormats(func(e *result.Estimate, format, _, _ string, d float64) bool {
		if format == formats.BFloat16 && e.Quantity == names.Quantile(names.TotalVariation, 0.5) {
			e.Value, e.SE = 4.031e-5, 4.1e-7 // 0.00403(4) %
			if d == 16 {
				e.Value, e.SE = 3.6431e-5, 1.2e-8
			}
		}
		return true
	})
	v := Page(view.NewSource(doc, view.Run{}, nil))
	for _, table := range append([]view.Table{v.Practice}, v.Others...) {
		if len(table.Rows) != 3 || len(table.Head) != 7 || !strings.Contains(table.Rows[0][3], "·10⁻³") {
			t.Fatalf("%q", table.Rows)
		}
		for column := range table.Head {
			powers := 0
			for _, row := range table.Rows {
				powers += strings.Count(row[column], "·10")
			}
			if powers != 0 && powers != len(table.Rows) {
				t.Errorf("%s: %d of %d cells of column %s have a power of ten", table.Caption, powers, len(table.Rows), table.Head[column])
			}
		}
	}
}
