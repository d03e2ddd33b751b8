package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

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
	_, page, _ := strings.Cut(site(t, doc, aRun)[reportFile], "\n## Can you predict what attention does?\n")
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

// An answer begins with the letter of a choice and speaks of every other one; no letter is right so
// often that it is worth guessing.
func TestAnswersSpeakOfEveryChoice(t *testing.T) {
	right := map[string]int{}
	all := questionsOf(t, full())
	if len(all) < 13 {
		t.Errorf("%d questions", len(all))
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
	}
	for letter, n := range right {
		if 2*n > len(all) {
			t.Errorf("%s is right %d times of %d", letter, n, len(all))
		}
	}
}

// The handout has all tasks and no answer.
func TestHandout(t *testing.T) {
	files := usual(t)
	sheet := said(files["handout.html"])
	for _, task := range []string{"1 or −1", "third power of 8", "Which temperature", "eight independent keys", "aligned a key", "He initialisation"} {
		if !strings.Contains(sheet, task) || !strings.Contains(said(files["quiz.html"]), task) {
			t.Errorf("a page lacks the task of %q", task)
		}
	}
	if strings.Contains(sheet, "Answer to") || strings.Contains(sheet, "mcsim probe") {
		t.Error("the handout has answers")
	}
}

// Answers stand at the end of a printed page, and below their questions in the one document.
func TestPlaceOfAnswers(t *testing.T) {
	const end = "all answers are at the end"
	files := usual(t)
	if !strings.Contains(said(files["quiz.html"]), end) || strings.Contains(files[reportFile], end) {
		t.Error("a document says wrongly where its answers stand")
	}
}

// Every choice of the page says why it is wrong, and one of a question that it is right; the one
// document, where nobody chooses, has none of it.
func TestChoicesSayWhy(t *testing.T) {
	files := usual(t)
	lists := regexp.MustCompile(`(?s)<div class="choices".*?\n</div></div>\n</div>`).FindAllString(files["quiz.html"], -1)
	if len(lists) < 13 {
		t.Errorf("%d questions have choices", len(lists))
	}
	for i, list := range lists {
		choices, whys, right := strings.Count(list, `type="radio"`), strings.Count(list, `class="why`), strings.Count(list, `class="why right"`)
		if choices < 2 || whys != choices || right != 1 {
			t.Errorf("question %d: %d choices, %d reasons, %d right", i+1, choices, whys, right)
		}
	}
	if strings.Contains(files[reportFile], "> Right") || strings.Contains(files[reportFile], "> No.") {
		t.Error("report.md has what a choice says")
	}
}
