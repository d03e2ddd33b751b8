package manual

import (
	"strings"
	"unicode/utf8"
)

// Filled is a description in lines that fit a screen. Indented lines stand as they are, since
// they are lists and formulas.
func Filled(text string) string {
	var out []string
	line := ""
	end := func() {
		if line != "" {
			out, line = append(out, line), ""
		}
	}
	for source := range strings.SplitSeq(text, "\n") {
		if source == "" || strings.HasPrefix(source, " ") {
			end()
			out = append(out, source)
			continue
		}
		for word := range strings.FieldsSeq(source) {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
				end()
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
	}
	end()
	return strings.Join(out, "\n")
}
