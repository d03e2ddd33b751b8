package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/result"
)

// question is a question with choices in the single document.
type question struct {
	title   string
	choices []string // their letters
	answer  string
}

var (
	questionHeading = regexp.MustCompile(`(?m)^#### Question \d+\. `)
	choiceItem      = regexp.MustCompile(`(?m)^- \*\*([A-D])\.\*\* \S`)
	answerFold      = regexp.MustCompile(`(?s)<details>\n<summary>Answer to question \d+</summary>\n\n` +
		`(.*?)\n\n</details>`)
)

// readQuestions returns the questions of the single document.
func readQuestions(t *testing.T, doc *result.Document) (questions []question) {
	t.Helper()
	_, page, _ := strings.Cut(renderPages(t, doc, siteRun)[reportFile], "\n## Can you predict what attention does?\n")
	page, _, _ = strings.Cut(page, "\n### Six exercises\n")
	for _, text := range questionHeading.Split(page, -1)[1:] {
		q := question{}
		q.title, _, _ = strings.Cut(text, "\n")
		for _, m := range choiceItem.FindAllStringSubmatch(text, -1) {
			q.choices = append(q.choices, m[1])
		}
		if m := answerFold.FindStringSubmatch(text); m != nil {
			q.answer = m[1]
		}
		questions = append(questions, q)
	}
	return questions
}

// TestAnswersMentionEveryChoice checks that an answer begins with the letter of the right choice,
// and mentions all others. No letter is right in more than half of the questions.
func TestAnswersMentionEveryChoice(t *testing.T) {
	right := map[string]int{}
	questions := readQuestions(t, fullDocument())
	if len(questions) < 13 {
		t.Errorf("%d questions", len(questions))
	}
	for _, q := range questions {
		m := regexp.MustCompile(`^\*\*([A-D])\b`).FindStringSubmatch(q.answer)
		if m == nil || !slices.Contains(q.choices, m[1]) || len(q.choices) < 2 {
			t.Errorf("%s: none of the choices %q is right: %.60s", q.title, q.choices, q.answer)
			continue
		}
		right[m[1]]++
		for _, c := range q.choices {
			if !regexp.MustCompile(`\b` + c + `\b`).MatchString(q.answer) {
				t.Errorf("%s: the answer does not mention %s", q.title, c)
			}
		}
	}
	for letter, n := range right {
		if 2*n > len(questions) {
			t.Errorf("%s is right %d times of %d", letter, n, len(questions))
		}
	}
}

// TestHandout checks that the handout has all tasks and no answers.
func TestHandout(t *testing.T) {
	files := sitePages(t)
	sheet, quiz := removeTermLinks(files["handout.html"]), removeTermLinks(files["quiz.html"])
	for _, task := range []string{
		"1 or −1", "third power of 8", "Which temperature", "eight independent keys", "aligned a key",
		"He initialisation",
	} {
		if !strings.Contains(sheet, task) || !strings.Contains(quiz, task) {
			t.Errorf("the task with %q is missing", task)
		}
	}
	if strings.Contains(sheet, "Answer to") || strings.Contains(sheet, "mcsim probe") {
		t.Error("the handout has answers")
	}
}

// TestPositionOfAnswers checks that the printed page has all answers at its end and says so. In
// the single document, answers are below their questions.
func TestPositionOfAnswers(t *testing.T) {
	const end = "all answers are at the end"
	files := sitePages(t)
	if !strings.Contains(removeTermLinks(files["quiz.html"]), end) || strings.Contains(files[reportFile], end) {
		t.Error("the position of the answers is wrong in a document")
	}
}

// TestChoicesSayWhy checks that each choice of the page has an explanation, and one choice of each
// question is right. The single document, in which readers cannot choose, has no explanations.
func TestChoicesSayWhy(t *testing.T) {
	files := sitePages(t)
	lists := regexp.MustCompile(`(?s)<div class="choices".*?\n</div></div>\n</div>`).FindAllString(files["quiz.html"],
		-1)
	if len(lists) < 13 {
		t.Errorf("%d questions have choices", len(lists))
	}
	for i, list := range lists {
		choices, explanations := strings.Count(list, `type="radio"`), strings.Count(list, `class="why`)
		right := strings.Count(list, `class="why right"`)
		if choices < 2 || explanations != choices || right != 1 {
			t.Errorf("question %d: %d choices, %d explanations, %d right", i+1, choices, explanations, right)
		}
	}
	if strings.Contains(files[reportFile], "> Right") || strings.Contains(files[reportFile], "> No.") {
		t.Error("report.md has the explanation of a choice")
	}
}
