package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/report/view"
	"mcsim/sim/example"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// question is one of the page of questions, in the one document.
type question struct {
	title   string
	choices []string // their letters
	answer  string
}

var (
	aQuestionHead = regexp.MustCompile(`(?m)^#### Question \d+\. `)
	aChoice       = regexp.MustCompile(`(?m)^- \*\*([A-D])\.\*\* \S`)
	anAnswer      = regexp.MustCompile(`(?s)<details>\n<summary>Answer to question \d+</summary>\n\n(.*?)\n\n</details>`)
)

// questionsOf reads the questions of a document.
func questionsOf(t *testing.T, doc *result.Document) (all []question) {
	t.Helper()
	_, page, _ := strings.Cut(oneDocument(t, doc), "\n## Questions\n")
	page, _, _ = strings.Cut(page, "\n### Six exercises\n")
	for _, text := range aQuestionHead.Split(page, -1)[1:] {
		q := question{}
		q.title, _, _ = strings.Cut(text, "\n")
		for _, m := range aChoice.FindAllStringSubmatch(text, -1) {
			q.choices = append(q.choices, m[1])
		}
		if m := anAnswer.FindStringSubmatch(text); m != nil {
			q.answer = m[1]
		}
		all = append(all, q)
	}
	return all
}

// withExamples is the sample with the worked examples of this program.
func withExamples() *result.Document {
	doc := sample.Document()
	doc.Examples = example.All()
	return doc
}

// An answer begins with the letter of a choice, speaks of every other one, and leads to a
// page; no letter is right so often that it is worth guessing.
func TestAnswersSpeakOfEveryChoice(t *testing.T) {
	for least, doc := range map[int]*result.Document{17: withExamples(), 13: {}} {
		right := map[string]int{}
		all := questionsOf(t, doc)
		if len(all) != least {
			t.Errorf("%d questions, not %d", len(all), least)
		}
		for _, q := range all {
			m := regexp.MustCompile(`^\*\*([A-D])\b`).FindStringSubmatch(q.answer)
			if m == nil || !slices.Contains(q.choices, m[1]) || len(q.choices) < 2 {
				t.Errorf("%s: of the choices %q none is right: %.60s", q.title, q.choices, q.answer)
				continue
			}
			right[m[1]]++
			for _, c := range q.choices {
				if !regexp.MustCompile(`\b` + c + `\b`).MatchString(q.answer) {
					t.Errorf("%s: the answer does not speak of %s", q.title, c)
				}
			}
			if !strings.Contains(q.answer, "](#") {
				t.Errorf("%s: the answer leads to no page", q.title)
			}
		}
		for letter, n := range right {
			if 2*n > len(all) {
				t.Errorf("%s is right %d times of %d", letter, n, len(all))
			}
		}
	}
}

// A row that a text prints wrongly is asked for where it is recomputed and found wrong, and
// nowhere else.
func TestPrintedRowsAreAskedWhereWrong(t *testing.T) {
	const weights = "The weights of "
	asked := func(doc *result.Document) (n int) {
		for _, q := range questionsOf(t, doc) {
			if strings.HasPrefix(q.title, weights) {
				n++
			}
		}
		return n
	}
	const blend = "A blend of three values"
	asks := func(doc *result.Document) bool {
		return slices.ContainsFunc(questionsOf(t, doc), func(q question) bool { return q.title == blend })
	}
	if !asks(withExamples()) {
		t.Error("nobody asks for the blend that is printed wrongly")
	}
	if n := asked(withExamples()); n != 3 {
		t.Errorf("%d rows are asked for, of three that are printed wrongly", n)
	}
	doc := withExamples()
	for _, e := range doc.Examples {
		for _, s := range e.Steps {
			for i := range s.Digits {
				s.Digits[i] = names.PrintedRight
			}
		}
	}
	if n := asked(doc); n != 0 || asks(doc) {
		t.Errorf("%d rows and a blend (%t) are asked for that are printed rightly", n, asks(doc))
	}
}

// What was measured stands in the answers where there are rows of it, and where a row
// contradicts its theory, the answer says so.
func TestAnswersFollowTheirRows(t *testing.T) {
	const doubted = "not all numbers here agree with theory"
	count := func(doc *result.Document, what string) (n int) {
		for _, q := range questionsOf(t, doc) {
			n += strings.Count(q.answer, what)
		}
		return n
	}
	if n, d := count(earned(), "Measured"), count(earned(), doubted); n < 5 || d != 0 {
		t.Errorf("%d answers have numbers, %d of them in doubt", n, d)
	}
	if n := count(&result.Document{}, "Measured"); n != 0 {
		t.Errorf("%d answers have numbers of no document", n)
	}
	for title, spoil := range map[string]func(*result.Estimate) bool{
		"The size of an unscaled score":        of("variance", names.ScoreVariance, "d_k", 64.0),
		"The variance after the scale":         of("exponents", names.ScaledVariance, "exponent", 0.5),
		"A constant in front of the dimension": of("exponents", names.ScaledVariance, "rule", names.RuleHalfRoot),
		"Weights without a scale":              of("softmax", names.MaxWeight, "exponent", 0.0),
	} {
		doc := earned()
		for i := range doc.Estimates {
			if e := &doc.Estimates[i]; spoil(e) {
				moved(e)
			}
		}
		i := slices.IndexFunc(questionsOf(t, doc), func(q question) bool { return q.title == title })
		if i < 0 {
			t.Fatalf("nobody asks for %s", title)
		}
		answer := questionsOf(t, doc)[i].answer
		if !strings.Contains(answer, "Measured") || !strings.Contains(answer, "theory") {
			t.Errorf("%s: %s", title, answer)
		}
		if !strings.Contains(answer, doubted) && !strings.Contains(answer, "does not hold what theory says") && !strings.Contains(answer, "do not hold what theory says") {
			t.Errorf("a row that contradicts theory stands in %q without a word", title)
		}
	}
}

// The handout is a page of the site alone, with all tasks and no answer, and knows nothing
// of where the run was.
func TestHandout(t *testing.T) {
	files := site(t, sample.Document(), aRun)
	sheet := said(files["handout.html"])
	for _, task := range []string{"1 or −1", "third power of 8", "Which temperature", "eight independent keys", "aligned a key", "He initialisation"} {
		if !strings.Contains(sheet, task) || !strings.Contains(said(files["quiz.html"]), task) {
			t.Errorf("a page lacks the task of %q", task)
		}
	}
	for _, m := range regexp.MustCompile(`“<a href="(\w+)\.html">([^<]*)</a>”`).FindAllStringSubmatch(files["handout.html"], -1) {
		if p, ok := pageNamed(m[1]); !ok || p.Title != m[2] {
			t.Errorf("the handout calls %s.html %q", m[1], m[2])
		}
	}
	_, where, _ := strings.Cut(files["handout.html"], `id="where"`)
	if !strings.Contains(where, `<a href="lab.html">`) {
		t.Error("the handout does not name the lab")
	}
	if strings.Contains(sheet, "Answer to") || strings.Contains(sheet, "mcsim probe") {
		t.Error("the handout has answers")
	}
	if other := site(t, sample.Document(), view.Run{}); other["handout.html"] != files["handout.html"] {
		t.Error("the handout depends on the run")
	}
	list, err := sums([]File{{"handout.html", []byte(sheet)}, {"run.html", nil}}, t.TempDir(), nil)
	if err != nil || !strings.Contains(string(list), "  handout.html\n") || strings.Contains(string(list), "run.html") {
		t.Errorf("the digests are %q (%v)", list, err)
	}
}

// pageNamed is the page of a name.
func pageNamed(name string) (page.Page, bool) {
	i := slices.IndexFunc(page.All, func(p page.Page) bool { return p.Name == name })
	if i < 0 {
		return page.Page{}, false
	}
	return page.All[i], true
}

// Answers stand at the end of a printed page, and below their questions in the one document.
func TestPlaceOfAnswers(t *testing.T) {
	const end = "all answers stand at the end"
	files := site(t, sample.Document(), aRun)
	if !strings.Contains(said(files["quiz.html"]), end) || strings.Contains(files[reportFile], end) {
		t.Error("a document says wrongly where its answers stand")
	}
}
