package show

import (
	"io"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Colours of verdicts, as terminals take them (ECMA-48, SGR). They say nothing that the word
// does not.
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// colours are those of verdicts; another word, such as one of two that are open, is yellow.
var colours = map[string]string{
	string(result.Pass): green, names.LabelSpread: green, names.ComparedEqual: green, names.ComparedWithin: green,
	string(result.Fail): red, names.LabelDead: red, names.ComparedDiffers: red,
}

// Terminal is a writer that may show colours.
type Terminal interface {
	Coloured() bool // whether a person sees them, and wants them
}

// verdict is the word of a verdict with its colour, on a terminal alone. In a table it stands
// in the last column, whose width does not count.
func verdict[T ~string](w io.Writer, word T) string {
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
