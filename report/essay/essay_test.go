package essay

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/sim/claim"
	"mcsim/sim/result"
	"mcsim/templates"
)

// pages are the templates with findings.
var pages = page.EssayNames()

func read(t *testing.T) []*Text {
	t.Helper()
	var texts []*Text
	for _, name := range pages {
		source, err := templates.Files.ReadFile(name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		text, err := Read(name, string(source))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// unmet are the findings that a document does not bear out, by page and text.
func unmet(texts []*Text, doc *result.Document) map[string]bool {
	found := map[string]bool{}
	for _, u := range Judge(texts, doc).Unmet {
		found[u.Page+u.Text] = true
	}
	return found
}

// spoiled are the ways in which a row stops bearing a finding out: it lies elsewhere, to either
// side; it is not there; it has no interval; its interval is too wide to say.
var spoiled = map[string]func(*result.Estimate){
	"moved up":   func(e *result.Estimate) { e.Value, e.Lo, e.Hi = e.Value+1e6, e.Lo+1e6, e.Hi+1e6 },
	"moved down": func(e *result.Estimate) { e.Value, e.Lo, e.Hi = e.Value-1e6, e.Lo-1e6, e.Hi-1e6 },
	"removed":    func(e *result.Estimate) { e.Experiment = "none" },
	"bare":       func(e *result.Estimate) { e.Lo, e.Hi = result.Absent(), result.Absent() },
	"undecided":  func(e *result.Estimate) { e.Lo, e.Hi = e.Value-1e6, e.Value+1e6 },
}

// TestConformanceFindings holds each finding to each of its rows: one that is moved to one side or
// the other, removed or undecided marks it, and no finding that does not read the row.
func TestConformanceFindings(t *testing.T) {
	texts := read(t)
	whole := sample.Essay()
	if r := Judge(texts, whole); len(r.Unmet) > 0 || len(r.Lacks) > 0 || len(r.Findings) < 50 {
		t.Fatalf("the sample does not bear the essay out: %d findings, %v, %v", len(r.Findings), r.Unmet, r.Lacks)
	}
	readers := map[string][]*Finding{}
	for _, text := range texts {
		for i := range text.findings {
			f := &text.findings[i]
			for _, r := range f.conditions.Rows() {
				if !slices.Contains(readers[r.Text], f) {
					readers[r.Text] = append(readers[r.Text], f)
				}
			}
		}
	}
	for name, of := range readers {
		r, err := claim.ParseRow(name)
		if err != nil {
			t.Fatal(err)
		}
		moved := map[string]bool{} // findings that one of the two directions marks
		for how, spoil := range spoiled {
			doc := *whole
			doc.Estimates = slices.Clone(whole.Estimates)
			spoil(r.Find(&doc))
			marked := unmet(texts, &doc)
			for _, f := range of {
				moved[f.Page+f.Text] = moved[f.Page+f.Text] || marked[f.Page+f.Text] && strings.HasPrefix(how, "moved")
				if !strings.HasPrefix(how, "moved") && !marked[f.Page+f.Text] {
					t.Errorf("%s %s: %s.md says as before: %s", name, how, f.Page, f.Text)
				}
				delete(marked, f.Page+f.Text)
			}
			for other := range marked {
				t.Errorf("%s %s: a finding is marked that does not read it: %s", name, how, other)
			}
		}
		for _, f := range of {
			if !moved[f.Page+f.Text] {
				t.Errorf("%s may lie anywhere for %s.md to say: %s", name, f.Page, f.Text)
			}
		}
	}
}

// A finding that rests on gates is marked where one of them fails or is undecided, or none is.
func TestFindingsFollowTheirGates(t *testing.T) {
	texts, seen := read(t), 0
	for _, name := range pages {
		source, err := templates.Files.ReadFile(name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for i, wanted := range sample.ReadWanted(string(source)) {
			for _, w := range wanted {
				if w.Gates == "" {
					continue
				}
				seen++
				for _, v := range []result.Verdict{result.Fail, result.Undecided, ""} {
					doc := sample.Essay()
					doc.Gates = slices.DeleteFunc(doc.Gates, func(g result.Gate) bool { return v == "" && g.Experiment+"."+g.Quantity == w.Gates })
					for k := range doc.Gates {
						if g := &doc.Gates[k]; g.Experiment+"."+g.Quantity == w.Gates {
							g.Verdict = v
						}
					}
					text := texts[slices.Index(pages, name)]
					if f := text.findings[i]; !unmet(texts, doc)[name+f.Text] {
						t.Errorf("with gates on %s %q, %s.md says as before: %s", w.Gates, v, name, f.Text)
					}
				}
			}
		}
	}
	if seen < 5 {
		t.Errorf("only %d findings rest on gates", seen)
	}
}

// What is unmet is marked where it stands, and named below the heading with what was found;
// comments are gone.
func TestMarks(t *testing.T) {
	const doubt = "**Not borne out by this run:** "
	const source = `# Title

<!-- given: definition -->
Before.
<!-- finding
- {row: "exponents.flat_exponent[]", is: in 0.4..0.6}
-->
It is flat. <!-- finding
- {row: "variance.score_variance[d_k=2]", is: ">= 1"}
-->
It grows.

<!-- finding
- {row: "variance.score_variance[d_k=2]", is: "< 1"}
-->
- **An item.**
- Another.

<!-- finding
- {row: "variance.score_variance[d_k=2]", is: "< 1"}
-->
| a | b |
| - | - |
`
	text, err := Read("page", source)
	if err != nil {
		t.Fatal(err)
	}
	at := func(x result.Number) result.Document {
		e := result.Estimate{Experiment: "variance", Quantity: "score_variance", Params: result.Params{"d_k": 2.0, "distribution": "normal"}, Value: x, Lo: x, Hi: x}
		flat := result.Estimate{Experiment: "exponents", Quantity: "flat_exponent", Params: result.Params{"distribution": "normal"}, Value: 0.5, Lo: 0.5, Hi: 0.5}
		return result.Document{Estimates: []result.Estimate{e, flat}}
	}
	large, small := at(2), at(0.5)
	if got := text.Marked(text.Unmet(&small)); strings.Count(got, doubt) != 1 || !strings.Contains(got, "It is flat. "+doubt+"It grows.") || !strings.HasPrefix(got, "# Title\n\n> **This run") {
		t.Errorf("a sentence that is unmet:\n%s", got)
	}
	got := text.Marked(text.Unmet(&large))
	for _, want := range []string{"- " + doubt + "**An item.**\n- Another.", strings.TrimSpace(doubt) + "\n\n| a | b |", "in 2 places", "is 2 (2 to 2), and must be < 1", "Before.\nIt is flat. It grows."} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "<!--") || text.Marked(nil) == source || strings.Contains(text.Marked(nil), "bear out") {
		t.Errorf("comments are left, or marks without cause:\n%s", text.Marked(nil))
	}
}

// Every template that cannot be read says in which line.
func TestFaultsAreFound(t *testing.T) {
	for source, want := range map[string]string{
		"# A\n\n<!-- finding\n- {row: \"variance.nothing[d_k=2]\", is: \"< 1\"}\n-->\nB.":  "page.md:4:",
		"# A\n\n<!-- finding\n- {row: \"variance.score_mean[d_k=2]\"}\n-->\nB.":            "page.md:4:",
		"# A\n\n<!-- finding\n- {gates: variance.score_mean, is: \"< 1\"}\n-->\nB.":        "page.md:4:",
		"# A\n\n{{measured \"variance\"}}":                                                 "page.md:3:",
		"# A\n\n<!-- finding\n- {gates: variance.score_mean}\n-->\n\nB.":                   "page.md:3: nothing follows",
		"# A\n\n<!-- finding\n- {gates: variance.score_mean}\n-->\n{{equation \"a\" `x`}}": "page.md:6: a finding is",
		"# A\n\n<!-- finding\n- {gates: variance.score_mean}\n-->\nB.\n## C {#c}":          "page.md:6: a finding is",
		"# A\n\n<!-- finding\n- {gates: variance.score_mean}\n-->\n<details>":              "page.md:6: a finding is",
		"A sentence.\n\n# A": "page.md:1:",
		"# A\n\n<!-- given: a\nreason -->\n<!-- Finding -->B.": "page.md:5: a comment is",
		"# A\n\n<!-- given -->\nB.":                            "page.md:3: a comment is",
	} {
		if _, err := Read("page", source); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want one line with %s", source, err, want)
		}
	}
}

// says are numbers and comparisons, of which a sentence makes a statement.
var says = regexp.MustCompile(`\{\{(measured|precise|cell|count)|\d|\b(more|less|fewer|larger|smaller|greater|greatest|most|almost|nearly|never|always|only|grows?|shrinks?|falls?|worse|better|same|twice|half|times|every|all|none|no)\b`)

// A sentence with a number or a comparison has conditions, or stands where the text says that
// it defines, derives, cites or asks.
func TestConformanceSentences(t *testing.T) {
	for _, text := range read(t) {
		source := text.source
		for _, f := range slices.Backward(text.findings) {
			source = source[:f.from] + "\n" + source[f.to:]
		}
		if text.Name == "claims" { // which is judged by the same engine, claim by claim
			continue
		}
		in, fenced, section := false, false, ""
		for line := range strings.Lines(source) {
			line = strings.TrimSpace(line)
			if word := measures.FindString(line); word != "" {
				t.Errorf("%s.md says %q without conditions: %s", text.Name, word, line)
			}
			switch {
			case strings.HasPrefix(line, "```"):
				fenced = !fenced
			case strings.HasPrefix(line, "#"):
				in, section = in && strings.HasPrefix(line, "###"), line
			case strings.HasPrefix(line, "<!-- given: "):
				in = true
			case fenced || in || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "- {") || strings.HasPrefix(line, "-->") || call.MatchString(line):
			case leads.MatchString(line) && strings.HasSuffix(section, "{#routes}"):
			default:
				if word := says.FindString(strings.ReplaceAll(line, "`", "")); word != "" {
					t.Errorf("%s.md says %q without conditions: %s", text.Name, word, line)
				}
			}
		}
	}
}

var (
	measures = regexp.MustCompile(`\{\{-? *(measured|precise|cell|count)`) // a number of a run, which is always found
	call     = regexp.MustCompile(`^\{\{[^}]*\}\}$`)                       // a line that is a figure, a matrix, a table and the like
	leads    = regexp.MustCompile(`^- .*\]\(\{\{link`)                     // an item of a list that leads on
)

// scaleWords are by what a text may call the scale of a number.
var scaleWords = map[string]*regexp.Regexp{
	"0":   regexp.MustCompile(`(?i)unscaled|no scale|without (a|the) scale|bare|leave the scale out|variance of a score is`),
	"1/2": regexp.MustCompile(`sqrt\{d_k\}|√`),
	"1":   regexp.MustCompile(`(by|under|\*\*|at|but|and) \$(1/)?d_k\$|1/d_k|under D|\$d_k\$`),
	"1/3": regexp.MustCompile(`1/3|under A`),
	"2/3": regexp.MustCompile(`2/3|under C`),
}

// A number of a finding stands beside the name of its scale, and is one that its conditions
// read: nobody may say of one scale what was measured of another.
func TestConformanceNumbers(t *testing.T) {
	calls, exponent := regexp.MustCompile(`\{\{(?:measured|precise|cell|count) "([^"]*)"\}\}`), regexp.MustCompile(`exponent=([^,\]]+)`)
	seen := 0
	for _, text := range read(t) {
		for _, f := range text.findings {
			read := map[string]bool{}
			for _, r := range f.conditions.Rows() {
				read[r.Text] = true
			}
			numbers, last := calls.FindAllStringSubmatchIndex(f.written, -1), ""
			for i, at := range numbers {
				row := f.written[at[2]:at[3]]
				if !read[row] {
					t.Errorf("%s.md shows %s, which no condition of its sentence reads", text.Name, row)
				}
				m := exponent.FindStringSubmatch(row)
				if m == nil || strings.HasPrefix(f.written, "|") || m[1] == last {
					continue
				}
				last = m[1]
				from, to := 0, len(f.written)
				if i > 0 {
					from = numbers[i-1][1]
				}
				if i+1 < len(numbers) {
					to = numbers[i+1][0]
				}
				seen++
				if near := f.written[from:at[0]] + f.written[at[1]:to]; !scaleWords[m[1]].MatchString(near) {
					t.Errorf("%s.md: the scale of %s is not named beside it: %s", text.Name, row, near)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d numbers have a scale", seen)
	}
}
