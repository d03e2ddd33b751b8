package markup

import (
	"fmt"
	"strings"

	"mcsim/sim/names"
)

// Error is an error in a text with its position. Its message is one line.
type Error struct {
	File         string
	Line, Column int
	Path         string // path of the key, such as experiments[0].d_k[3]; may be empty
	Source       string // the line of the text; may be empty
	Err          error
}

func (e *Error) Error() string {
	position := e.File
	if e.Line > 0 {
		position = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Path != "" {
		position += ": " + e.Path
	}
	text := fmt.Sprintf("%s: %v", position, e.Err)
	if e.Source != "" {
		text += " | " + e.Source
	}
	return names.Printable(text)
}

func (e *Error) Unwrap() error { return e.Err }

// maxExcerpt is the maximum number of characters of a line in a message.
const maxExcerpt = 80

// excerpt returns at most maxExcerpt characters of a line around a column.
func excerpt(line string, column int) string {
	runes := []rune(line)
	if len(runes) > maxExcerpt {
		start := min(max(column-maxExcerpt/2, 0), len(runes)-maxExcerpt)
		runes = runes[start : start+maxExcerpt]
	}
	return strings.TrimSpace(string(runes))
}
