package show

import (
	"io"
	"strings"
	"unicode/utf8"
)

// lineWidth is how many characters a line of running text has at most.
const lineWidth = 80

// paragraphs writes lines of text, and remembers the first error.
type paragraphs struct {
	w   io.Writer
	err error
}

// line writes one line as it is.
func (p *paragraphs) line(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, text+"\n")
	}
}

// hanging writes a text behind its beginning, in lines of which all but the first are
// indented.
func (p *paragraphs) hanging(begin string, indent int, text string) {
	line, used := begin, 0
	for word := range strings.FieldsSeq(text) {
		switch width := utf8.RuneCountInString(line) + utf8.RuneCountInString(word); {
		case used > 0 && width+1 > lineWidth:
			p.line(line)
			line, used = strings.Repeat(" ", indent), 0
		case used > 0:
			line += " "
		}
		line, used = line+word, used+1
	}
	p.line(line)
}
