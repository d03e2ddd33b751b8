package lesson

import (
	"math"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/cost"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

func filled(doc *result.Document) costView { return Cost(view.NewSource(doc, view.Run{}, nil)) }

// The page shows what the document counts, with every digit where there are few.
func TestCostShowsWhatIsCounted(t *testing.T) {
	v := filled(sample.Document())
	plain := func(s string) string { return strings.NewReplacer("\u202f", "", "\u00a0", "").Replace(s) }
	find := func(table view.Table, first ...string) []string {
		for _, row := range table.Rows {
			if strings.Join(row[:len(first)], " ") == strings.Join(first, " ") {
				return row
			}
		}
		t.Fatalf("no row %q in %q", first, table.Rows)
		return nil
	}
	row := find(v.Doubling, names.PartScores)
	if plain(row[2]) != "1610612736" || plain(row[3]) != "6442450944" || plain(row[4]) != "×4.00" { // as nanoGPT prints the first
		t.Errorf("%q", row)
	}
	if row := find(v.Doubling, names.PartProjections); plain(row[4]) != "×2.00" {
		t.Errorf("%q", row)
	}
	if !v.Any || v.Model != "GPT-2 small" || v.Growth.AtShort != "512" || !strings.HasPrefix(v.Growth.Short, "2.") || !strings.HasPrefix(v.Growth.Long, "3.") {
		t.Errorf("%+v", v.Growth)
	}
	if v.Crossing != (crossing{"1536", "3071"}) { // 2D, and 2·2D − 1
		t.Errorf("%+v", v.Crossing)
	}
	// 8·512·768², whose three digits are 2.42, and the growth of all at 131 072 tokens.
	if row := find(v.Counts, "GPT-2 small", "768", "12", "12", "64", "512"); row[6] != "2.42·10⁹" || !strings.HasSuffix(row[10], "2.51") { // (2·2416 + 4·824)/3240
		t.Errorf("%q", row)
	}
	for _, row := range v.Counts.Rows { // as the caption says
		for _, cell := range row[6:] {
			mantissa, _, _ := strings.Cut(strings.TrimPrefix(cell, "×\u00a0"), "·")
			if n := len(strings.NewReplacer(".", "", "\u202f", "").Replace(mantissa)); n < 3 {
				t.Errorf("%q has %d digits", cell, n)
			}
		}
	}
	if v.Shared != (shared{"Llama-2 70B", "64", "8", "8"}) {
		t.Errorf("%+v", v.Shared)
	}
	if row := find(v.Memory, "GPT-2 small", "1024"); plain(row[2]) != "25.2MB" || plain(row[4]) != "3.15MB" { // 2·12·1024², 2·1024·12·128
		t.Errorf("%q", row)
	}
	if len(v.Counts.Rows) != 27 || len(v.Memory.Rows) != 6 {
		t.Errorf("%d and %d rows", len(v.Counts.Rows), len(v.Memory.Rows))
	}
}

// Documents of before there were counts have none; damaged ones break nothing.
func TestCostOfOtherDocuments(t *testing.T) {
	if v := filled(&result.Document{}); v.Any {
		t.Errorf("%+v", v)
	}
	for name, spoil := range map[string]func(*result.Curve){
		"no points":      func(c *result.Curve) { c.X, c.Y = nil, nil },
		"fewer values":   func(c *result.Curve) { c.Y = c.Y[:1] },
		"absent":         func(c *result.Curve) { c.Y[0], c.X[0] = result.Absent(), result.Absent() },
		"negative":       func(c *result.Curve) { c.Y[0] = -1 },
		"huge":           func(c *result.Curve) { c.Y[0] = math.MaxFloat64 },
		"no model":       func(c *result.Curve) { delete(c.Params, names.ParamPublished) },
		"no heads":       func(c *result.Curve) { delete(c.Params, names.ParamHeads) },
		"heads in words": func(c *result.Curve) { c.Params[names.ParamHeads] = "many" },
		"no key heads":   func(c *result.Curve) { c.Params[names.ParamKeyHeads] = 0.0 },
		"hostile":        func(c *result.Curve) { c.Params[names.ParamPublished] = "<b>|" },
	} {
		doc := sample.Document()
		for i := range doc.Curves {
			if c := &doc.Curves[i]; cost.Counts(*c) {
				spoil(c)
			}
		}
		v := filled(doc)
		for _, table := range []view.Table{v.Doubling, v.Memory, v.Counts} {
			if text := table.Markdown("T"); strings.Contains(text, "NaN") || strings.Contains(text, "<b>") || strings.Contains(text, "-1") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	for bytes, want := range map[result.Number]string{0: "0 B", 999: "999 B", 1000: "1 kB", 999_600: "1 MB", 25165824: "25.2 MB", 2.2e12: "2.2 TB", -1: "–", result.Absent(): "–"} {
		if got := strings.ReplaceAll(size(bytes), "\u00a0", " "); got != want {
			t.Errorf("%v is %q, not %q", bytes, got, want)
		}
	}
}
