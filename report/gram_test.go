package report

import (
	"strings"
	"testing"

	"mcsim/report/internal/synthetic"
	"mcsim/sim/result"
)

// Where rows come from Gram matrices, the methods say what those are and what
// their errors are, and the tables call scores what are no pairs.
func TestGramIsExplained(t *testing.T) {
	text := site(t, synthetic.WithGram(synthetic.Default(), 1024, false), Run{})["report.md"]
	for _, want := range []string{"*Gram* takes each of $n$ queries with each of $m$ keys", `\frac{(n+m-2)(\kappa-1)}{d_k}`,
		"variances at $d_k$ = 1024 and above", "those at 512 and below directly", "is the reference", "In italics: every query with every key",
		"| d_k | scores |", "| 1024 | *2\u202f097\u202f152* |"} {
		if !strings.Contains(text, want) {
			t.Errorf("report.md lacks %q", want)
		}
	}
	if strings.Contains(text, "Pairs of query and key that were drawn") {
		t.Error("the entries of Gram matrices are called pairs")
	}
	if text := site(t, synthetic.Default(), Run{})["report.md"]; strings.Contains(text, "Gram") {
		t.Error("an estimator is explained that no row uses")
	}
}

// Where a law has both estimators at one d_k, the answer shows the direct one,
// and tables show both and say which is which.
func TestBothEstimators(t *testing.T) {
	doc := synthetic.WithGram(synthetic.Default(), 512, true)
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
	if gram.N == 0 || measured(direct) == measured(gram) {
		t.Fatalf("the document does not tell the two apart: %v, %v", direct, gram)
	}
	src := newSource(doc, Run{}, nil)
	if a := src.answer(); a.Raw != measured(direct) || a.Numbers.Rows[0][1] != measured(direct) {
		t.Errorf("the answer says %s, direct is %s", a.Raw, measured(direct))
	}
	for name, table := range map[string]table{"lead": src.leadVariance(), "scaled": src.scaled(), "ratio": src.variance().Ratio, "pairs": src.pairs(), "unit": src.exponents().Unit} {
		heads := map[string]int{}
		for _, row := range table.Rows {
			heads[row[0]]++
		}
		if heads["512"] != 1 || heads["512, gram"] != 1 || heads["256, gram"] != 0 {
			t.Errorf("%s: the lines are %v", name, heads)
		}
	}
}
