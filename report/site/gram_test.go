package site

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
)

// Where rows come from Gram matrices, the methods say what those are and what
// their errors are, and the tables call scores what are no pairs.
func TestGramIsExplained(t *testing.T) {
	text := site(t, sample.WithGram(sample.Document(), 1024, false), view.Run{})["report.md"]
	for _, want := range []string{"*Gram* takes each of $n$ queries with each of $m$ keys", `\frac{(n+m-2)(\kappa-1)}{d_k}`,
		"variances at $d_k$ = 1024 and above", "those at 512 and below directly", "is the reference", "in italics: every query with every key",
		"| d_k | scores |"} {
		if !strings.Contains(text, want) {
			t.Errorf("report.md lacks %q", want)
		}
	}
	if !regexp.MustCompile(`\| 1024 \| \*[\d\x{202f}]+\* \|`).MatchString(text) {
		t.Error("the scores of Gram matrices are not in italics")
	}
	if strings.Contains(text, "Pairs of query and key that were drawn") {
		t.Error("the entries of Gram matrices are called pairs")
	}
	if text := site(t, sample.Document(), view.Run{})["report.md"]; strings.Contains(text, "Gram") {
		t.Error("an estimator is explained that no row uses")
	}
}
