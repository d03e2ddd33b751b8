package markdown

import (
	"strings"
	"testing"
)

const grid = "| a | b | c |\n| :-- | --: | :-- |\n| one | 1 | some text that is longer than a line of a table |\n|  | 2 | x |\n"

// page sets a page, of which nothing else is known.
func page(t *testing.T, source string) string {
	t.Helper()
	set, err := HTML([]byte(source), Site{Anchors: map[string]string{"table-1": "table-first", "table-2": "table-second"}})
	if err != nil {
		t.Fatal(err)
	}
	return set.Body
}

// Heads of columns and of lines say what they are the heads of, and a box that scrolls
// has the name of its own table.
func TestHeadsAndNames(t *testing.T) {
	body := page(t, "**Table 1.** The first.\n\n"+grid+"\n**Table 2.** The second.\n\n"+grid+"\n"+grid)
	for want, n := range map[string]int{
		`<th scope="col">a</th>`:                             3,
		`<th scope="col" class="num">b</th>`:                 3,
		`<th scope="row">one</th>`:                           3,
		"<td></td>\n<td class=\"num\">2</td>\n<td>x</td>":    3, // an empty cell is no head
		`<td class="long">some text`:                         3,
		`<figcaption id="table-first-caption">`:              1,
		`aria-labelledby="table-first-caption"`:              1,
		`<figcaption id="table-second-caption">`:             1,
		`aria-labelledby="table-second-caption"`:             1,
		`aria-label="table without a caption, the 3. of the`: 1,
	} {
		if got := strings.Count(body, want); got != n {
			t.Errorf("%q stands %d times, not %d, in\n%s", want, got, n, body)
		}
	}
}

// A folded table is a summary, which is its caption, and the table within what unfolds,
// where its anchor is too; what follows stands outside.
func TestFolds(t *testing.T) {
	body := page(t, "**Table 1.** The *first*.\n\n"+Fold("Show it: 2 lines", grid)+"\nbehind\n\n**Table 2.** The second.\n\n"+grid)
	if strings.Contains(body, "&lt;") {
		t.Error("the marks of the fold are shown")
	}
	last := -1
	for _, want := range []string{`<details class="fold">`, `<summary id="table-first-caption"><strong>Table 1.</strong> The <em>first</em>. <span class="size">Show it: 2 lines</span></summary>`,
		`<figure class="table" id="table-first">`, `aria-labelledby="table-first-caption"`, "</table>", "</figure>", "</details>", "<p>behind</p>", `<figcaption id="table-second-caption">`} {
		at := strings.Index(body, want)
		if at <= last {
			t.Fatalf("%q stands at %d, behind %d, in\n%s", want, at, last, body)
		}
		last = at
	}
	if strings.Count(body, "<details") != 1 || strings.Count(body, "<figcaption") != 1 {
		t.Error(body)
	}
}

// What only looks like a fold is the text that it is: a text of a template makes no
// element that we do not.
func TestNoOtherFolds(t *testing.T) {
	for _, source := range []string{
		"<details class=\"fold\">\n<summary>x</summary>\n\nno table\n\n</details>\n",
		"<details>\n<summary>x</summary>\n\nno table\n",
		"<details open>\n<summary>x</summary>\n\n" + grid + "\n</details>\n",
		"<details>\n<summary>x\n\n" + grid + "\n</details>\n",
		"<details>\n<summary>x</summary>\n\n" + grid,
	} {
		if body := page(t, "**Table 1.** A table.\n\n"+source); strings.Contains(body, "<details") || strings.Contains(body, "<summary") {
			t.Errorf("%q became\n%s", source, body)
		}
	}
	if body := page(t, "**Table 1.** A table.\n\n"+Fold("<b>x</b> & y", grid)); strings.Contains(body, "<b>") || !strings.Contains(body, "&lt;b&gt;x") {
		t.Errorf("what stands in a summary is markup: %s", body)
	}
}

// What a page says of its signs stands apart, and can be linked to.
func TestNotationIsApart(t *testing.T) {
	body := page(t, "text\n\n"+NotationLabel+"\n\n- one\n- two\n\nbehind\n")
	if !strings.Contains(body, `<aside class="notation" id="notation" aria-label="Notation">`) || !strings.Contains(body, "<li>two</li>\n</ul>\n</aside>\n<p>behind</p>") {
		t.Error(body)
	}
}
