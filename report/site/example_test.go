package site

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
)

// A document from before there were examples has a page that says what is missing, and no
// route to it; its code stands there all the same.
func TestWithoutExamples(t *testing.T) {
	doc := sample.Document()
	doc.Examples = nil
	files := site(t, doc, view.Run{})
	page := said(files["example.html"])
	if !strings.Contains(page, "has no worked examples") || strings.Contains(page, "table-weights") || strings.Contains(page, "Printed rows") || !strings.Contains(page, "torch.softmax") {
		t.Errorf("the page says %s", page)
	}
	_, text, _ := strings.Cut(files["index.html"], "<h1>")
	if text, _, _ := strings.Cut(text, "</main>"); strings.Contains(text, `href="example.html"`) {
		t.Error("the first page leads to examples that there are not")
	}
	if files := site(t, sample.Document(), view.Run{}); !strings.Contains(files["index.html"], "new to you") {
		t.Error("the first page does not lead to the examples")
	}
}

// Printed numbers are called wrong where the document found them wrong, and nowhere else.
func TestPrintedNumbersAreJudged(t *testing.T) {
	const wrong, heading = "eight are wrong", "eight of nine printed ones are wrong"
	if text := oneDocument(t, sample.Document()); !strings.Contains(text, wrong) || !strings.Contains(text, heading) || !strings.Contains(text, "its numbers hold") {
		t.Error("what the document found is not said")
	}
	doc := sample.Document()
	for _, e := range doc.Examples {
		for _, s := range e.Steps {
			for i := range s.Digits {
				if s.Digits[i] != "" {
					s.Digits[i] = names.PrintedRight
				}
			}
		}
	}
	page := said(site(t, doc, view.Run{})["example.html"])
	for _, words := range []string{"are wrong", "The weights are what is wrong", "all wrong", "<strong>wrong", "divided by √4 once more"} {
		if strings.Contains(page, words) {
			t.Errorf("where all printed numbers are right, the page says %q", words)
		}
	}
	for _, e := range doc.Examples {
		for _, s := range e.Steps {
			for i := range s.Digits {
				s.Digits[i] = names.PrintedWrong
			}
		}
	}
	page = said(site(t, doc, view.Run{})["example.html"])
	for _, words := range []string{"that the text prints</a>", "digit for digit", "multiplied rightly", "its numbers hold"} {
		if strings.Contains(page, words) {
			t.Errorf("where all printed numbers are wrong, the page says %q", words)
		}
	}
}
