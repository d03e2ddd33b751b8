package show

import (
	"io"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Escape sequences of the colours (ECMA-48, SGR).
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// colours maps verdicts to their colours; a verdict that it lacks, such as undecided, is yellow.
var colours = map[string]string{
	string(result.Pass): green, names.LabelSpread: green, names.ComparedEqual: green, names.ComparedWithin: green,
	string(result.Fail): red, names.LabelDead: red, names.ComparedDiffers: red,
}

// Terminal is a writer that can be a terminal.
type Terminal interface {
	// Coloured reports whether verdicts shall be coloured.
	Coloured() bool
	// Columns returns the width of the terminal, or 0 if w is not a terminal.
	Columns() int
}

// ColourVerdict returns the verdict with its colour if w is a coloured terminal, otherwise the
// plain verdict. In a table the verdict must be in the last column, since the escape sequences
// count as width.
func ColourVerdict[T ~string](w io.Writer, word T) string {
	t, ok := w.(Terminal)
	if !ok || !t.Coloured() {
		return string(word)
	}
	colour, known := colours[strings.ToLower(string(word))]
	if !known {
		colour = yellow
	}
	return colour + string(word) + plain
}
