package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/result"
)

// question is a question of the quiz, as read from the single document.
type question struct {
	title   string
	choices []string // letters of the choices
	answer  string   // Markdown; "" if it is missing
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

// TestAnswersMentionEveryChoice checks that each answer begins with the letter of the right choice
// and mentions the letters of all choices. No letter may be right in more than half of the
// questions, so that a reader cannot guess.
func TestAnswersMentionEveryChoice(t *testing.T) {
	rightCounts := map[string]int{} // number of questions in which a letter is right
	questions := readQuestions(t, fullDocument())
	if len(questions) < 13 {
		t.Errorf("the quiz has %d questions, want at least 13", len(questions))
	}
	for _, q := range questions {
		m := regexp.MustCompile(`^\*\*([A-D])\b`).FindStringSubmatch(q.answer)
		if len(q.choices) < 2 {
			t.Errorf("%s: there are %d choices, want at least 2", q.title, len(q.choices))
		}
		if m == nil || !slices.Contains(q.choices, m[1]) {
			t.Errorf("%s: the answer does not begin with one of the choices %q: %.60s", q.title, q.choices, q.answer)
			continue
		}
		rightCounts[m[1]]++
		for _, c := range q.choices {
			if !regexp.MustCompile(`\b` + c + `\b`).MatchString(q.answer) {
				t.Errorf("%s: the answer does not mention the choice %s", q.title, c)
			}
		}
	}
	for letter, n := range rightCounts {
		if 2*n > len(questions) {
			t.Errorf("%s is the right choice of %d questions, want at most half of %d", letter, n, len(questions))
		}
	}
}

// TestHandout checks that the handout has all tasks and no answers.
func TestHandout(t *testing.T) {
	files := sitePages(t)
	sheet, quiz := removeTermLinks(files["handout.html"]), removeTermLinks(files["quiz.html"])
	for _, task := range []string{
		"1 or −1", "of a score divided by", "Which temperature", "eight independent keys", "aligned a key",
		"He initialisation",
	} {
		if !strings.Contains(quiz, task) {
			t.Errorf("quiz.html does not have the task with %q", task)
		}
		if !strings.Contains(sheet, task) {
			t.Errorf("handout.html does not have the task with %q", task)
		}
	}
	if strings.Contains(sheet, "Answer to") || strings.Contains(sheet, "mcsim probe") {
		t.Error("handout.html has an answer")
	}
}

// TestPositionOfAnswers checks that only the page of the quiz says that its answers are printed at
// the end. In the single document, each answer is below its question.
func TestPositionOfAnswers(t *testing.T) {
	const end = "all answers are at the end"
	files := sitePages(t)
	if !strings.Contains(removeTermLinks(files["quiz.html"]), end) {
		t.Errorf("quiz.html does not say that %s", end)
	}
	if strings.Contains(files[reportFile], end) {
		t.Errorf("%s says that %s", reportFile, end)
	}
}

// TestChoicesSayWhy checks that each choice on the page of the quiz has an explanation, and that
// one choice of each question is right. The single document must not have these explanations, since
// its readers cannot choose.
func TestChoicesSayWhy(t *testing.T) {
	files := sitePages(t)
	lists := regexp.MustCompile(`(?s)<div class="choices".*?\n</div></div>\n</div>`).FindAllString(files["quiz.html"],
		-1)
	if len(lists) < 13 {
		t.Errorf("%d questions have choices, want at least 13", len(lists))
	}
	for i, list := range lists {
		choices, explanations := strings.Count(list, `type="radio"`), strings.Count(list, `class="why`)
		right := strings.Count(list, `class="why right"`)
		if choices < 2 || explanations != choices || right != 1 {
			t.Errorf("question %d: got %d choices, %d explanations and %d right choices, "+
				"want at least 2 choices, as many explanations, and 1 right choice", i+1, choices, explanations, right)
		}
	}
	if strings.Contains(files[reportFile], "> Right") || strings.Contains(files[reportFile], "> No.") {
		t.Error("report.md explains why a choice is right or wrong")
	}
}
