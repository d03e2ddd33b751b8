package site

import (
	"fmt"
	"strings"

	"mcsim/report/markdown"
)

// exercisesFile has the tasks, which stand on a page with their answers and on another
// without.
const exercisesFile = "exercises.md"

// ask writes the heading of a question, or of another kind of task, with its number among
// those of its kind.
func (w *writer) ask(kind, id, title string) string {
	if w.asked == nil {
		w.asked = map[string]int{}
	}
	w.asked[kind]++
	w.task = fmt.Sprintf("%s %d", kind, w.asked[kind])
	return fmt.Sprintf("### %s. %s {#%s}", w.task, title, id)
}

// answer begins the answer to what was asked last, which is seen once a reader opens it.
func (w *writer) answer() string {
	start, _ := markdown.Reveal("Answer to " + strings.ToLower(w.task))
	return start
}

// answered ends an answer.
func (w *writer) answered() string {
	_, end := markdown.Reveal("")
	return end
}

// fold begins what a reader opens by its summary, and unfold ends it.
func fold(summary string) string {
	start, _ := markdown.Reveal(summary)
	return start
}

func unfold() string {
	_, end := markdown.Reveal("")
	return end
}
