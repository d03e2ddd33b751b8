package markdown

import (
	"strings"
	"testing"
)

// foldAnswer returns a fold of a text with the summary Answer.
func foldAnswer(text string) string { return Fold("Answer", text+"\n") }

// checkOrder fails the test unless the body contains the texts in their order.
func checkOrder(t *testing.T, body string, texts ...string) {
	t.Helper()
	rest := body
	for _, want := range texts {
		_, remaining, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing, or before the text that it must follow, in\n%s", want, body)
		}
		rest = remaining
	}
}

// TestFolds checks that a fold contains the blocks between its first and its last line, and no
// others.
func TestFolds(t *testing.T) {
	blocks := "It is **8**, as $d_k$ says.\n\n- one\n\n```\nmcsim probe\n```"
	body := convertBody(t, "ask\n\n"+foldAnswer(blocks)+"\nbetween\n\n"+foldAnswer(grid)+"\nafter")
	const start = "<details class=\"reveal\">\n<summary>Answer</summary>"
	checkOrder(t, body,
		"<p>ask</p>",
		start, "<strong>8</strong>", "<li>one</li>", "<code>mcsim probe", "</details>",
		"<p>between</p>",
		start+"\n<div class=\"scroll\"", "</table>", "</details>",
		"<p>after</p>")
	if n := strings.Count(body, "<details"); n != 2 {
		t.Errorf("got %d folds, want 2, in\n%s", n, body)
	}
}

// TestFoldsDoNotNest checks that the start of a fold is shown as text if another fold starts before
// the first one ends.
func TestFoldsDoNotNest(t *testing.T) {
	body := convertBody(t, foldStart+"Outer"+foldMiddle+"\n\n"+foldAnswer("inner"))
	checkOrder(t, body, "&lt;summary&gt;Outer", "<summary>Answer</summary>", "inner", "</details>")
}

// TestFoldBelowFigure checks that a fold becomes part of the caption of a figure only if it is
// directly below the links to the figure's files.
func TestFoldBelowFigure(t *testing.T) {
	const figure = "![a](figures/a.svg)\n\n**Figure 1.** What it shows.\n\n[PDF](figures/a.pdf)\n\n"
	body := convertBody(t, figure+foldAnswer("```\n<figure>\n```")+"\nafter\n\n"+foldAnswer("later"))
	checkOrder(t, body, "<figcaption>", `<p class="files">`, `<details class="reveal">`, "&lt;figure&gt;",
		"</details>", "</figcaption>", "</figure>", "<p>after</p>", "later")
}
