package markup

import (
	"fmt"
	"strings"

	"mcsim/sim/names"
)

// Error is a fault of a text and where it stands. Its text is one line.
type Error struct {
	File         string
	Line, Column int
	Path         string // the key, such as experiments[0].d_k[3]; may be empty
	Source       string // the line of the text; may be empty
	Err          error
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Path != "" {
		where += ": " + e.Path
	}
	text := fmt.Sprintf("%s: %v", where, e.Err)
	if e.Source != "" {
		text += " | " + e.Source
	}
	return names.Printable(text)
}

func (e *Error) Unwrap() error { return e.Err }

// maxExcerpt is how many characters of a line an error shows.
const maxExcerpt = 80

// excerpt is the part of a line around a column.
func excerpt(line string, column int) string {
	runes := []rune(line)
	if len(runes) > maxExcerpt {
		from := min(max(column-maxExcerpt/2, 0), len(runes)-maxExcerpt)
		runes = runes[from : from+maxExcerpt]
	}
	return strings.TrimSpace(string(runes))
}
