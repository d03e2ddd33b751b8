package markdown

import (
	"strings"
	"testing"
)

// revealed folds a text behind the word Answer.
func revealed(text string) string { return Fold("Answer", text+"\n") }

// inOrder fails unless the texts stand in the page one behind the other.
func inOrder(t *testing.T, body string, texts ...string) {
	t.Helper()
	rest := body
	for _, want := range texts {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q does not stand behind what goes before it in\n%s", want, body)
		}
		rest = after
	}
}

// What stands between the lines of a fold is folded, whatever it is made of, and no more.
func TestReveals(t *testing.T) {
	body := page(t, "ask\n\n"+revealed("It is **8**, as $d_k$ says.\n\n- one\n\n```\nmcsim probe\n```")+"\nbetween\n\n"+revealed(grid)+"\nafter")
	inOrder(t, body, "<p>ask</p>", "<details class=\"reveal\">\n<summary>Answer</summary>", "<strong>8</strong>", "<li>one</li>", "<code>mcsim probe", "</details>", "<p>between</p>",
		"<details class=\"reveal\">\n<summary>Answer</summary>\n<div class=\"scroll\"", "</table>", "</details>", "<p>after</p>")
	if n := strings.Count(body, "<details"); n != 2 {
		t.Errorf("%d folds in\n%s", n, body)
	}
}

// A fold within a fold is none: the lines that begin and end one would not be its own.
func TestRevealsDoNotNest(t *testing.T) {
	body := page(t, foldStart+"Outer"+foldMiddle+"\n\n"+revealed("inner"))
	inOrder(t, body, "&lt;summary&gt;Outer", "<summary>Answer</summary>", "inner", "</details>")
}

// The fold below the files of a figure is part of its caption, and what follows is not.
func TestRevealUnderFigure(t *testing.T) {
	body := page(t, "![a](figures/a.svg)\n\n**Figure 1.** What it shows.\n\n[PDF](figures/a.pdf)\n\n"+revealed("```\n<figure>\n```")+"\nafter\n\n"+revealed("later"))
	inOrder(t, body, "<figcaption>", `<p class="files">`, `<details class="reveal">`, "&lt;figure&gt;", "</details>", "</figcaption>", "</figure>", "<p>after</p>", "later")
}
