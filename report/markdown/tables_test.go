package markdown

import (
	"strings"
	"testing"
)

const grid = "| a | b | u |\n| :-- | --: | :-- |\n" +
	"| one | 1 | some text that is longer than a line of a table |\n|  | 2 | u |\n"

// convertBody returns the body of a page as HTML. Its first two tables have names as anchors.
func convertBody(t *testing.T, source string) string {
	t.Helper()
	anchors := map[string]string{"table-1": "table-first", "table-2": "table-second"}
	p, err := Convert([]byte(source), Site{Anchors: anchors})
	if err != nil {
		t.Fatal(err)
	}
	return p.Body
}

// TestHeadsAndNames checks that the headers of columns and of lines have scopes, and that a box in
// which a table scrolls has an accessible name.
func TestHeadsAndNames(t *testing.T) {
	body := convertBody(t, "**Table 1.** The first.\n\n"+grid+"\n**Table 2.** The second.\n\n"+grid+"\n"+grid)
	for text, want := range map[string]int{
		`<th scope="col">a</th>`:                             3,
		`<th scope="col" class="num">b</th>`:                 3,
		`<th scope="row">one</th>`:                           3,
		"<td></td>\n<td class=\"num\">2</td>\n<td>u</td>":    3, // an empty cell is not a header
		`<td class="long">some text`:                         3,
		`<figcaption id="table-first-caption">`:              1,
		`aria-labelledby="table-first-caption"`:              1,
		`<figcaption id="table-second-caption">`:             1,
		`aria-labelledby="table-second-caption"`:             1,
		`aria-label="table without a caption, the 3. of the`: 1,
	} {
		if got := strings.Count(body, text); got != want {
			t.Errorf("%q occurs %d times, want %d, in\n%s", text, got, want, body)
		}
	}
}

// TestFoldedTables checks that the caption of a folded table is the summary of the fold, and that
// the table with its anchor is in the fold.
func TestFoldedTables(t *testing.T) {
	const first, second = "**Table 1.** The *first*.\n\n", "**Table 2.** The second.\n\n"
	body := convertBody(t, first+Fold("Show it: 2 lines", grid)+"\nnext\n\n"+second+grid)
	if strings.Contains(body, "&lt;") {
		t.Errorf("the HTML of a fold is shown as text:\n%s", body)
	}
	checkOrder(t, body,
		`<details class="fold">`,
		`<summary id="table-first-caption"><strong>Table 1.</strong> The <em>first</em>. `+
			`<span class="size">Show it: 2 lines</span></summary>`,
		`<figure class="table" id="table-first">`, `aria-labelledby="table-first-caption"`,
		"</table>", "</figure>", "</details>",
		"<p>next</p>", `<figcaption id="table-second-caption">`)
	folds, captions := strings.Count(body, "<details"), strings.Count(body, "<figcaption")
	if folds != 1 || captions != 1 {
		t.Errorf("got %d folds and %d captions of other tables, want one of each:\n%s", folds, captions, body)
	}
}

// TestIncompleteFolds checks that lines that are not a complete fold of Fold are shown as text, and
// that the summary of a fold is not read as HTML.
func TestIncompleteFolds(t *testing.T) {
	for _, source := range []string{
		"<details class=\"fold\">\n<summary>x</summary>\n\nno table\n\n</details>\n",
		"<details>\n<summary>x</summary>\n\nno table\n",
		"<details open>\n<summary>x</summary>\n\n" + grid + "\n</details>\n",
		"<details>\n<summary>x\n\n" + grid + "\n</details>\n",
		"<details>\n<summary>x</summary>\n\n" + grid,
	} {
		body := convertBody(t, "**Table 1.** A table.\n\n"+source)
		if strings.Contains(body, "<details") || strings.Contains(body, "<summary") {
			t.Errorf("%q became a fold:\n%s", source, body)
		}
	}
	body := convertBody(t, "**Table 1.** A table.\n\n"+Fold("<b>x</b> & y", grid))
	if strings.Contains(body, "<b>") || !strings.Contains(body, "&lt;b&gt;x") {
		t.Errorf("a summary is read as HTML: %s", body)
	}
}

// TestNotationIsAside checks that the notation of a page is an <aside> element with an anchor.
func TestNotationIsAside(t *testing.T) {
	body := convertBody(t, "text\n\n"+NotationLabel+"\n\n- one\n- two\n\nnext\n")
	checkOrder(t, body, `<aside class="notation" id="notation" aria-label="Notation">`,
		"<li>two</li>\n</ul>\n</aside>\n<p>next</p>")
}
