package page

import (
	"slices"
	"strings"
	"testing"

	"mcsim/report/digits"
	"mcsim/report/internal/sample"
	"mcsim/report/trust"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// Where a law has both estimators at one d_k, the answer shows the direct one,
// and tables show both and say which is which.
func TestBothEstimators(t *testing.T) {
	doc := sample.WithGram(sample.Document(), 512, true)
	// The order of the document decides nothing.
	for i, j := 0, len(doc.Estimates)-1; i < j; i, j = i+1, j-1 {
		doc.Estimates[i], doc.Estimates[j] = doc.Estimates[j], doc.Estimates[i]
	}
	var direct, gram result.Estimate
	for _, e := range doc.Estimates {
		if law, _ := e.Params.Text("law"); law == "normal" && e.Quantity == "score_variance" && e.Params["d_k"] == 512.0 {
			if e.Estimator == "gram" {
				gram = e
			} else {
				direct = e
			}
		}
	}
	if gram.N == 0 || view.Measured(direct) == view.Measured(gram) {
		t.Fatalf("the document does not tell the two apart: %v, %v", direct, gram)
	}
	src := view.NewSource(doc, view.Run{}, nil)
	if a := answer(src); a.Raw != view.Said(direct) || a.Numbers.Rows[0][1] != view.Measured(direct) {
		t.Errorf("the answer says %s, direct is %s", a.Raw, view.Measured(direct))
	}
	for name, table := range map[string]view.Table{"lead": defaultVariance(src), "scaled": scaled(src), "ratio": variance(src).Ratio, "pairs": trust.Methods(src).Pairs, "unit": exponents(src).Unit} {
		heads := map[string]int{}
		for _, row := range table.Rows {
			heads[row[0]]++
		}
		if heads["512"] != 1 || heads["512, gram"] != 1 || heads["256, gram"] != 0 {
			t.Errorf("%s: the lines are %v", name, heads)
		}
	}
}

// What is claimed of weights follows from their rows.
func TestAlignmentFollowsItsRows(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == "aligned_weight" {
			e.Value, e.SE, e.Lo, e.Hi = 0.5, 0.01, 0.48, 0.52
		}
	}
	v := alignment(view.NewSource(doc, view.Run{}, nil))
	if v.Root.Grows || !v.Whole.Stays || v.Root.Rho != "0.5" || v.Root.Last.Dim != "256" {
		t.Errorf("%+v", v)
	}
	if len(v.Weights) != 2 || len(v.Exponents.Rows) != 3 || v.Exponents.Rows[0][0] != "8" {
		t.Errorf("%+v", v.Exponents)
	}
	few := []result.Estimate{{Value: 1, Lo: 0.9, Hi: 1.1, Level: 0.95, Theory: 1}, {Value: 2, Lo: 1.9, Hi: 2.1, Level: 0.95, Theory: 1}}
	if got := view.Holding(few); !strings.Contains(got, "of 2 intervals at 95\u202f%, 1 holds") {
		t.Error(got)
	}
	if got := view.Holding(nil); got != "" {
		t.Error(got)
	}
}

// A rule stands with its formula, its slope, and what it costs; a verdict that
// is not there is not made up.
func TestRuleTables(t *testing.T) {
	doc := sample.Without(func(e string, p result.Params) bool { return false })
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool {
		return e.Quantity == "flat" && e.Params["rule"] == "power(0.5)"
	})
	v := rules(view.NewSource(doc, view.Run{}, nil))
	if v.Count != "four" || v.Undecided != "power(0.5)" || v.Root || v.Flat != "one" || v.Not != "two" {
		t.Errorf("of %q flat %q, not %q, undecided %q", v.Count, v.Flat, v.Not, v.Undecided)
	}
	if len(v.Variance.Rows) != 4 || v.Variance.Rows[1][1] != "not decided" || v.Variance.Rows[0][1] != "no" || v.Variance.Rows[2][0] != "√(d_k/2)" {
		t.Errorf("%v", v.Variance.Rows)
	}
	if o := v.Operations; !slices.Equal(o.Head, []string{"rule", "× per pair", "+ per pair", "× per vector", "+ per vector", "÷ per vector", "√ per vector"}) || o.Rows[0][1] != "64" || o.Rows[0][3] != "0" {
		t.Errorf("%v", o)
	}
	if len(v.Sources.Rows) != 4 {
		t.Errorf("%v", v.Sources.Rows)
	}
}

// The ledger has what the document says of each initialisation.
func TestLedger(t *testing.T) {
	v := initialisations(view.NewSource(sample.Document(), view.Run{}, nil))
	if v.Low.Name != "normal-0.02" || v.High.Name != "he-normal" || !v.Off || v.Count != "5" {
		t.Errorf("%+v", v)
	}
	for _, row := range v.Ledger.Rows {
		if slices.Contains(row, "") {
			t.Errorf("%q", row)
		}
	}
	if len(v.Ledger.Rows) != 5 || len(v.Sources.Rows) != 5 || len(v.Heads.Rows) != 5 || len(v.Mismatch.Rows) != 5 {
		t.Errorf("%d, %d, %d and %d lines", len(v.Ledger.Rows), len(v.Sources.Rows), len(v.Heads.Rows), len(v.Mismatch.Rows))
	}
	last := v.Mismatch.Rows[4]
	if !strings.Contains(last[0], "σ of q") || !strings.Contains(last[0], "correlation in k"+view.Equals+"0.1") || slices.Contains(last, "") || v.Mismatch.Rows[0][0] != "as usual" {
		t.Errorf("%q", last)
	}
}

// A shape beside that of the ledger stands with its models; of shapes with the
// same initialisations a table has up to four, and an initialisation of one
// model stands at its shape.
func TestOtherShapes(t *testing.T) {
	doc := sample.Document()
	if v := initialisations(view.NewSource(doc, view.Run{}, nil)); len(v.Shapes.Rows)+len(v.Others)+len(v.Own) != 0 {
		t.Errorf("one shape alone: %+v", v.Shapes)
	}
	draw := func(name string, model float64, sd result.Number) {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Quantity: "logit_sd", Value: sd, SE: sd / 500, Theory: sd,
			Params: result.Params{"init": name, "d_model": model, "d_k": 64.0}})
	}
	draw("gemma2-27b", 768, 0.2)
	draw("gemma2-27b", 4608, 1.7)
	for _, model := range []float64{512, 1024, 1280, 1600, 2048} {
		draw("torch-mha", model, 0.5)
		draw("normal-0.02", model, 0.4)
	}
	doc.Models = []result.Model{{Name: "Gemma-2 27B", Model: 4608, Key: 64, Heads: 32}, {Name: "GPT-2 XL", Model: 1600, Key: 64, Heads: 25}}
	v := initialisations(view.NewSource(doc, view.Run{}, nil))
	if len(v.Shapes.Rows) != 7 || v.Shapes.Rows[4][2] != "GPT-2 XL (25)" || v.Shapes.Rows[4][3] != "2" || v.Shapes.Rows[6][4] != "–" {
		t.Errorf("%q", v.Shapes.Rows)
	}
	if len(v.Others) != 3 || len(v.Others[0].Table.Head) != 9 || len(v.Others[1].Table.Rows) != 2 || v.Others[2].Table.Rows[0][0] != "gemma2-27b" {
		t.Errorf("%+v", v.Others)
	}
	if len(v.Own) != 1 || v.Own[0].Dim != "4608" || !strings.HasPrefix(v.Own[0].There, "1.7") || !strings.HasPrefix(v.Own[0].Here, "0.2") {
		t.Errorf("%+v", v.Own)
	}
}

// What a logit is made of stands beside theory; a quantity that is not asked of an
// initialisation is no blank cell.
func TestPartsOfALogit(t *testing.T) {
	doc := sample.Document()
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool {
		of, _ := e.Params.Text("init")
		return e.Quantity == "key_variance" || e.Quantity == "scaled_variance" || e.Quantity == "query_variance" && of != "torch-mha" && of != "he-normal"
	})
	parts := initialisations(view.NewSource(doc, view.Run{}, nil)).Parts
	if want := []string{"initialisation", "Var of q", "theory", "σ² of the logit", "theory"}; !slices.Equal(parts.Head, want) {
		t.Errorf("%q", parts.Head)
	}
	if len(parts.Rows) != 2 || parts.Rows[0][1] == "" || parts.Rows[0][2] != "0.5" {
		t.Errorf("%q", parts.Rows)
	}
}

// The gates on alignment are counted by what they judge, with the absolute band
// of a mean between 0 and 1.
func TestAlignmentGates(t *testing.T) {
	doc := sample.Document()
	doc.Gates = nil
	if got := alignmentGates(view.NewSource(doc, view.Run{}, nil)); got != "" {
		t.Error(got)
	}
	for _, q := range []string{"score_mean", "score_variance", "aligned_weight"} {
		doc.Gates = append(doc.Gates, result.Gate{Experiment: "alignment", Quantity: q, Verdict: result.Pass, Band: [2]result.Number{0.1, 0.2}})
	}
	if got := alignmentGates(view.NewSource(doc, view.Run{}, nil)); !strings.Contains(got, "are 2 on the mean and the variance") ||
		!strings.Contains(got, "and 1 on means") || !strings.Contains(got, "absolute: 0.05 to") || !strings.HasSuffix(got, "All pass.") {
		t.Error(got)
	}
	doc.Gates[2].Verdict = result.Fail
	if got := alignmentGates(view.NewSource(doc, view.Run{}, nil)); strings.Contains(got, "All pass") || !strings.Contains(got, "1 **fails**") {
		t.Error(got)
	}
}

// A limit is marked, and no difference from it is shown.
func TestLimitsAreMarked(t *testing.T) {
	e := result.Estimate{Value: 1.24, SE: 0.02, Theory: 1.2, TheoryKind: "limit"}
	if got := view.WithTheory(e); !slices.Equal(got, []string{"1.240(20)", "1.2‡", "–"}) {
		t.Errorf("%q", got)
	}
	marked := view.Table{Caption: "c", Rows: [][]string{view.WithTheory(e)}}
	if said := strings.Join(marked.Notation(), " "); !strings.Contains(said, "‡ A limit") {
		t.Error(said)
	}
	e.TheoryKind = "exact"
	if got := view.WithTheory(e); got[1] != "1.2" || got[2] == "–" {
		t.Errorf("%q", got)
	}
}

// A rule has the source of its own number.
func TestSourceAt(t *testing.T) {
	const cases = "p = 1/2: V (2017); p = 1: Y (2022)"
	for rule, want := range map[string]string{
		"power(0.5)": "V (2017)", "power(1)": "Y (2022)", "power(0)": "none: the score as it is", "power(0.75)": "none of its own",
	} {
		if got := sourceAt(rule, cases); got != want {
			t.Errorf("%s: %q", rule, got)
		}
	}
	if got := sourceAt("cosine(10)", "H; L"); got != "H; L" {
		t.Errorf("%q", got)
	}
}

// What one copies to cite names the program and the results.
func TestCitations(t *testing.T) {
	doc := sample.Document()
	v := cite(view.NewSource(doc, view.Run{}, nil))
	for _, text := range []string{v.Plain, v.BibTeX, v.CFF} {
		for _, want := range []string{"mcsim: what attention scaling does", "The mcsim authors", cff().Version} {
			if !strings.Contains(text, want) {
				t.Errorf("%q lacks %q", text, want)
			}
		}
	}
	if !strings.Contains(v.Plain, doc.Digest) || !strings.Contains(unbroken(v.BibTeX), doc.Digest) {
		t.Error("a citation lacks the digest of the results")
	}
	if open, end := strings.Count(v.BibTeX, "{"), strings.Count(v.BibTeX, "}"); open != end {
		t.Errorf("BibTeX has %d opening and %d closing braces", open, end)
	}
}

// Every number in the table of the first page stands with its error.
func TestNumbersHaveErrors(t *testing.T) {
	for _, line := range answer(view.NewSource(sample.Document(), view.Run{}, nil)).Numbers.Rows {
		if !strings.Contains(line[1], "±") {
			t.Errorf("%v has no error", line)
		}
	}
}

// A label is that of the whole interval of a median.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		value, lo, hi result.Number
		want          string
	}{
		{0.6, 0.55, 0.65, "healthy"},
		{0.5, 0.49, 0.51, "fading or healthy"},
		{0.001, 0.0009, 0.0011, "dead or dying"},
		{0.2, result.Absent(), result.Absent(), "fading"},
	} {
		if got := labelOf(result.Estimate{Value: c.value, Lo: c.lo, Hi: c.hi}); got != c.want {
			t.Errorf("%v: %s, want %s", c.value, got, c.want)
		}
	}
}

// Means stand beside their theory and the difference from it; shared keys
// beside keys of a row's own; a temperature without bound has its sign.
func TestSoftmaxTables(t *testing.T) {
	v := softmax(view.NewSource(sample.Document(), view.Run{}, nil))
	if len(v.Means) != 3 || len(v.Means[0].Table.Head) != 11 || len(v.Means[0].Table.Rows) != 4 {
		t.Errorf("%+v", v.Means)
	}
	for _, row := range v.Means[1].Table.Rows {
		for i, cell := range row {
			if cell == "" {
				t.Errorf("%v: nothing below %s", row, v.Means[1].Table.Head[i])
			}
		}
	}
	if len(v.Shared.Rows) != 12 || v.Shared.Rows[0][4] == "" || v.Shared.Rows[0][5] == "" {
		t.Errorf("%+v", v.Shared)
	}
	if len(v.Laws.Rows) != 3 { // normal, uniform and sphere
		t.Errorf("%d laws", len(v.Laws.Rows))
	}
	last := v.Heat.Rows[len(v.Heat.Rows)-1]
	if v.Heat.Rows[0][0] != "0" || last[0] != "∞" || strings.Contains(strings.Join(last, ""), digits.Unsure) {
		t.Errorf("%v", v.Heat.Rows)
	}
}

// The page on stacks gives both scales in each way, and tells them apart.
func TestDepthTables(t *testing.T) {
	v := depth(view.NewSource(sample.Document(), view.Run{}, nil))
	if !v.Any || len(v.Survival.Head) != 9 || len(v.Survival.Rows) != 3 || v.Root.SurvivalFirst == v.Raw.SurvivalFirst || v.Alike.Dim != "3" {
		t.Errorf("%+v", v)
	}
	few := sample.Without(func(e string, p result.Params) bool { return e == "depth" && p["residual"] == "yes" })
	if v := depth(view.NewSource(few, view.Run{}, nil)); len(v.Survival.Head) != 5 || v.NoNorm.VarianceLast != "" || v.Grows {
		t.Errorf("%+v", v)
	}
}

// A row without an error is marked wherever it stands, and the mark explained.
func TestValuesWithoutError(t *testing.T) {
	doc := sample.Document()
	doc.Gates = nil
	for i := range doc.Estimates {
		e := &doc.Estimates[i]
		e.SE, e.Lo, e.Hi = result.Absent(), result.Absent(), result.Absent()
	}
	src := view.NewSource(doc, view.Run{}, nil)
	for name, table := range map[string]view.Table{"answer": answer(src).Numbers, "variance": defaultVariance(src), "scaled": scaled(src), "slopes": slopes(src), "distance": defaultDistance(src)} {
		marked := strings.Contains(strings.Join(table.Notation(), " "), digits.Unsure+" The error is not known")
		if !marked || !strings.Contains(strings.Join(table.Rows[0], " "), digits.Unsure) {
			t.Errorf("%s: %v", name, table.Rows[0])
		}
	}
}
