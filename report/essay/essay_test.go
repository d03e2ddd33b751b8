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

// pages are the names of the templates with findings.
var pages = page.EssayNames()

func readTexts(t *testing.T) []*Text {
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

// unmetFindings returns the set of the findings, as page and text, that a document does not
// support.
func unmetFindings(texts []*Text, doc *result.Document) map[string]bool {
	found := map[string]bool{}
	for _, u := range Judge(texts, doc).Unmet {
		found[u.Page+u.Text] = true
	}
	return found
}

// changes change an estimate so that a finding is no longer supported.
var changes = map[string]func(*result.Estimate){
	"moved up":   func(e *result.Estimate) { e.Value, e.Lo, e.Hi = e.Value+1e6, e.Lo+1e6, e.Hi+1e6 },
	"moved down": func(e *result.Estimate) { e.Value, e.Lo, e.Hi = e.Value-1e6, e.Lo-1e6, e.Hi-1e6 },
	"removed":    func(e *result.Estimate) { e.Experiment = "none" },
	"unbounded":  func(e *result.Estimate) { e.Lo, e.Hi = result.Absent(), result.Absent() },
	"undecided":  func(e *result.Estimate) { e.Lo, e.Hi = e.Value-1e6, e.Value+1e6 },
}

// TestConformanceFindings makes each of the changes to each estimate that a finding reads. The
// findings that read the estimate must be marked, and no others. A finding may have a bound on one
// side only, so only one of the two moves must mark it.
func TestConformanceFindings(t *testing.T) {
	texts := readTexts(t)
	original := sample.Essay()
	if r := Judge(texts, original); len(r.Unmet) > 0 || len(r.Missing) > 0 || len(r.Findings) < 50 {
		t.Fatalf("the sample does not support the essay: %d findings, %v, %v", len(r.Findings), r.Unmet, r.Missing)
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
	for name, findings := range readers {
		r, err := claim.ParseRow(name)
		if err != nil {
			t.Fatal(err)
		}
		markedByMove := map[string]bool{}
		for change, apply := range changes {
			doc := *original
			doc.Estimates = slices.Clone(original.Estimates)
			apply(r.Find(&doc))
			marked := unmetFindings(texts, &doc)
			isMove := strings.HasPrefix(change, "moved")
			for _, f := range findings {
				id := f.Page + f.Text
				if isMove && marked[id] {
					markedByMove[id] = true
				}
				if !isMove && !marked[id] {
					t.Errorf("%s is %s: %s.md does not mark the finding: %s", name, change, f.Page, f.Text)
				}
				delete(marked, id)
			}
			for finding := range marked {
				t.Errorf("%s is %s: a finding that does not read it is marked: %s", name, change, finding)
			}
		}
		for _, f := range findings {
			if !markedByMove[f.Page+f.Text] {
				t.Errorf("neither move of %s marks the finding in %s.md: %s", name, f.Page, f.Text)
			}
		}
	}
}

// TestFindingsFollowTheirGates checks that a finding with a condition on gates is marked if one of
// them fails or is undecided, or if there are none.
func TestFindingsFollowTheirGates(t *testing.T) {
	texts, conditionsOnGates := readTexts(t), 0
	for _, name := range pages {
		source, err := templates.Files.ReadFile(name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		text := texts[slices.Index(pages, name)]
		for i, conditions := range sample.ReadConditions(string(source)) {
			for _, c := range conditions {
				if c.Gates == "" {
					continue
				}
				conditionsOnGates++
				for _, v := range []result.Verdict{result.Fail, result.Undecided, ""} {
					doc := sample.Essay()
					setVerdicts(doc, c.Gates, v)
					if f := text.findings[i]; !unmetFindings(texts, doc)[name+f.Text] {
						t.Errorf("the verdict of gates on %s is %q: %s.md does not mark the finding: %s", c.Gates, v, name, f.Text)
					}
				}
			}
		}
	}
	if conditionsOnGates < 5 {
		t.Errorf("the pages have %d conditions on gates, want at least 5", conditionsOnGates)
	}
}

// setVerdicts gives the gates on experiment.quantity another verdict, or removes them if it is
// empty.
func setVerdicts(doc *result.Document, gates string, v result.Verdict) {
	isSelected := func(g result.Gate) bool { return g.Experiment+"."+g.Quantity == gates }
	if v == "" {
		doc.Gates = slices.DeleteFunc(doc.Gates, isSelected)
	}
	for i := range doc.Gates {
		if isSelected(doc.Gates[i]) {
			doc.Gates[i].Verdict = v
		}
	}
}

// TestMarks checks that an unmet finding is marked in the text, and listed below the heading with
// its numbers. Comments are removed.
func TestMarks(t *testing.T) {
	const mark = "**This run does not bear out this statement:** "
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
	newDocument := func(variance result.Number) result.Document {
		e := result.Estimate{
			Experiment: "variance", Quantity: "score_variance",
			Params: result.Params{"d_k": 2.0, "distribution": "normal"},
			Value:  variance, Lo: variance, Hi: variance,
		}
		flat := result.Estimate{
			Experiment: "exponents", Quantity: "flat_exponent", Params: result.Params{"distribution": "normal"},
			Value: 0.5, Lo: 0.5, Hi: 0.5,
		}
		return result.Document{Estimates: []result.Estimate{e, flat}}
	}
	large, small := newDocument(2), newDocument(0.5)
	got := text.WithMarks(text.UnmetFindings(&small))
	if strings.Count(got, mark) != 1 || !strings.Contains(got, "It is flat. "+mark+"It grows.") ||
		!strings.HasPrefix(got, "# Title\n\n> **This run") {
		t.Errorf("want a mark only before the second sentence, and a notice below the heading:\n%s", got)
	}
	got = text.WithMarks(text.UnmetFindings(&large))
	for _, want := range []string{
		"- " + mark + "**An item.**\n- Another.",
		"**This run does not bear out what the next table says.**\n\n| a | b |",
		"> - An item.\n> - What a table says.\n",
		"is 2 (2 to 2), and must be < 1",
		"Before.\nIt is flat. It grows.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	unmarked := text.WithMarks(nil)
	if strings.Contains(got, "<!--") || unmarked == source {
		t.Errorf("comments remain:\n%s\n%s", got, unmarked)
	}
	if strings.Contains(unmarked, "bear out") {
		t.Errorf("a page without unmet findings has a notice:\n%s", unmarked)
	}
}

// TestReadErrors checks that the error for an invalid template begins with its file and line.
func TestReadErrors(t *testing.T) {
	const conditions = "# A\n\n<!-- finding\n- {gates: variance.score_mean}\n-->\n"
	for source, want := range map[string]string{
		"# A\n\n<!-- finding\n- {row: \"variance.nothing[d_k=2]\", is: \"< 1\"}\n-->\nB.": "page.md:4:",
		"# A\n\n<!-- finding\n- {row: \"variance.score_mean[d_k=2]\"}\n-->\nB.":           "page.md:4:",
		"# A\n\n<!-- finding\n- {gates: variance.score_mean, is: \"< 1\"}\n-->\nB.":       "page.md:4:",
		"# A\n\n{{measured \"variance\"}}":                                                "page.md:3:",
		conditions + "\nB.":                                                               "page.md:3: nothing follows",
		conditions + "{{equation \"a\" `x`}}":                                             "page.md:6: a finding is",
		conditions + "B.\n## C {#c}":                                                      "page.md:6: a finding is",
		conditions + "<details>":                                                          "page.md:6: a finding is",
		"A sentence.\n\n# A":                                                              "page.md:1:",
		"# A\n\n<!-- given: a\nreason -->\n<!-- Finding -->B.":                            "page.md:5: a comment is",
		"# A\n\n<!-- given -->\nB.":                                                       "page.md:3: a comment is",
	} {
		_, err := Read("page", source)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got the error %v, want one line with %q", source, err, want)
		}
	}
}

// statement matches a number or a word that compares. A sentence with one may be a finding.
var statement = regexp.MustCompile(`\{\{(measured|percent|precise|cell|count)|\d|\b(more|less|fewer|larger|smaller|greater|` +
	`greatest|most|almost|nearly|never|always|only|grows?|shrinks?|falls?|worse|better|same|twice|half|times|every|` +
	`all|none|no)\b`)

// TestConformanceSentences checks that every sentence with a number or a comparison has
// conditions, or is in a section that only defines, derives, cites or asks.
func TestConformanceSentences(t *testing.T) {
	for _, text := range readTexts(t) {
		source := text.source
		for _, f := range slices.Backward(text.findings) { // remove the findings
			source = source[:f.start] + "\n" + source[f.end:]
		}
		inGivenSection, inCodeBlock, section := false, false, ""
		for line := range strings.Lines(source) {
			line = strings.TrimSpace(line)
			if word := measurement.FindString(line); word != "" {
				t.Errorf("%s.md says %q without conditions: %s", text.Name, word, line)
			}
			isComment := strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "- {") ||
				strings.HasPrefix(line, "-->")
			isRoute := linkItem.MatchString(line) && strings.HasSuffix(section, "{#routes}")
			switch {
			case strings.HasPrefix(line, "```"):
				inCodeBlock = !inCodeBlock
			case strings.HasPrefix(line, "#"):
				inGivenSection, section = inGivenSection && strings.HasPrefix(line, "###"), line
			case strings.HasPrefix(line, "<!-- given: "):
				inGivenSection = true
			case inCodeBlock || inGivenSection || isComment || isRoute || callLine.MatchString(line):
			default:
				if word := statement.FindString(strings.ReplaceAll(line, "`", "")); word != "" {
					t.Errorf("%s.md says %q without conditions: %s", text.Name, word, line)
				}
			}
		}
	}
}

var (
	measurement = regexp.MustCompile(`\{\{-? *(measured|percent|precise|cell|count)`)
	callLine    = regexp.MustCompile(`^\{\{[^}]*\}\}$`)   // only a figure, a matrix or a table
	linkItem    = regexp.MustCompile(`^- .*\]\(\{\{link`) // an item of a list with a link
)

// scaleWords match the words of the essay for the scale of each exponent.
var scaleWords = map[string]*regexp.Regexp{
	"0": regexp.MustCompile(`(?i)unscaled|no scale|without (a|the) scale|bare|leave the scale out|` +
		`variance of a score is`),
	"1/2": regexp.MustCompile(`√`),
	"1":   regexp.MustCompile(`(by|not|under|with|With|for|\*\*|at|but|and) (1/)?d_k|1/d_k|under D|\*\*d_k`),
	"1/3": regexp.MustCompile(`1/3|under A`),
	"2/3": regexp.MustCompile(`2/3|under C`),
}

// TestConformanceNumbers checks that a condition of the same finding reads each number that the
// finding shows. The words between the number's neighbours must name its scale, so that no sentence
// gives the number of another scale.
func TestConformanceNumbers(t *testing.T) {
	calls := regexp.MustCompile(`\{\{(?:measured|percent|precise|cell|count) "([^"]*)"\}\}`)
	exponent := regexp.MustCompile(`exponent=([^,\]]+)`)
	numbersWithScale := 0
	for _, text := range readTexts(t) {
		for _, f := range text.findings {
			inConditions := map[string]bool{}
			for _, r := range f.conditions.Rows() {
				inConditions[r.Text] = true
			}
			numbers, previous := calls.FindAllStringSubmatchIndex(f.written, -1), ""
			for i, m := range numbers {
				row := f.written[m[2]:m[3]]
				if !inConditions[row] {
					t.Errorf("%s.md shows %s, which no condition of its sentence reads", text.Name, row)
				}
				scale := exponent.FindStringSubmatch(row)
				if scale == nil || strings.HasPrefix(f.written, "|") || scale[1] == previous {
					continue
				}
				previous = scale[1]
				start, end := 0, len(f.written)
				if i > 0 {
					start = numbers[i-1][1]
				}
				if i+1 < len(numbers) {
					end = numbers[i+1][0]
				}
				numbersWithScale++
				context := f.written[start:m[0]] + f.written[m[1]:end]
				if !scaleWords[scale[1]].MatchString(context) {
					t.Errorf("%s.md: the scale of %s is not named next to it: %s", text.Name, row, context)
				}
			}
		}
	}
	if numbersWithScale < 20 {
		t.Errorf("%d numbers have a scale, want at least 20", numbersWithScale)
	}
}
