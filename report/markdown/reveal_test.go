package markdown

import (
	"strings"
	"testing"
)

// foldAnswer folds a text with the summary Answer.
func foldAnswer(text string) string { return Fold("Answer", text+"\n") }

// checkOrder fails the test unless the body contains the texts in their order.
func checkOrder(t *testing.T, body string, texts ...string) {
	t.Helper()
	rest := body
	for _, want := range texts {
		_, remaining, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing or too early in\n%s", want, body)
		}
		rest = remaining
	}
}

// TestFolds checks that a fold contains exactly the blocks between its lines, of any kind.
func TestFolds(t *testing.T) {
	blocks := "It is **8**, as $d_k$ says.\n\n- one\n\n```\nmcsim probe\n```"
	body := page(t, "ask\n\n"+foldAnswer(blocks)+"\nbetween\n\n"+foldAnswer(grid)+"\nafter")
	const start = "<details class=\"reveal\">\n<summary>Answer</summary>"
	checkOrder(t, body,
		"<p>ask</p>",
		start, "<strong>8</strong>", "<li>one</li>", "<code>mcsim probe", "</details>",
		"<p>between</p>",
		start+"\n<div class=\"scroll\"", "</table>", "</details>",
		"<p>after</p>")
	if n := strings.Count(body, "<details"); n != 2 {
		t.Errorf("%d folds in\n%s", n, body)
	}
}

// TestRevealsDoNotNest checks that folds do not nest. The start of an outer fold is shown as text.
func TestRevealsDoNotNest(t *testing.T) {
	body := page(t, foldStart+"Outer"+foldMiddle+"\n\n"+foldAnswer("inner"))
	checkOrder(t, body, "&lt;summary&gt;Outer", "<summary>Answer</summary>", "inner", "</details>")
}

// TestRevealUnderFigure checks that only the fold directly below the files of a figure is part of
// its caption.
func TestRevealUnderFigure(t *testing.T) {
	const figure = "![a](figures/a.svg)\n\n**Figure 1.** What it shows.\n\n[PDF](figures/a.pdf)\n\n"
	body := page(t, figure+foldAnswer("```\n<figure>\n```")+"\nafter\n\n"+foldAnswer("later"))
	checkOrder(t, body, "<figcaption>", `<p class="files">`, `<details class="reveal">`, "&lt;figure&gt;",
		"</details>", "</figcaption>", "</figure>", "<p>after</p>", "later")
}
