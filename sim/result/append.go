package result

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Documents are rows above all, and encoding/json takes four times as long for them. What is appended here is what it
// writes, to the byte.

// appendJSON appends a number: its shortest digits, as ECMAScript writes them; null if it is not present.
func (n Number) appendJSON(b []byte) []byte {
	if !n.Present() {
		return append(b, "null"...)
	}
	format := byte('f')
	if size := math.Abs(float64(n)); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, float64(n), format, -1, 64)
	if last := len(b) - 1; format == 'e' && b[last-1] == '0' && b[last-2] == '-' { // e-07 is e-7
		b = append(b[:last-1], b[last])
	}
	return b
}

// appendText appends a text; most need no escapes.
func appendText(b []byte, text string) []byte {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }) {
		quoted, _ := json.Marshal(text) // no text is refused
		return append(b, quoted...)
	}
	return append(append(append(b, '"'), text...), '"')
}

// Key tells points apart.
func (p Params) Key() string {
	b, ok := p.appendJSON(nil)
	if !ok { // of a file that somebody made
		var err error
		if b, err = json.Marshal(p); err != nil {
			panic("result: params that JSON cannot hold")
		}
	}
	return string(b)
}

// appendJSON appends a point, its parameters sorted; false where one is neither a number nor a name.
func (p Params) appendJSON(b []byte) ([]byte, bool) {
	if p == nil {
		return append(b, "null"...), true
	}
	var room [8]string
	names := room[:0]
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, name), ':')
		switch v := p[name].(type) {
		case string:
			b = appendText(b, v)
		case float64:
			if !Number(v).Present() {
				return nil, false
			}
			b = Number(v).appendJSON(b)
		default:
			return nil, false
		}
	}
	return append(b, '}'), true
}

// appendJSON appends a row; false where its point is none.
func (e *Estimate) appendJSON(b []byte) ([]byte, bool) {
	b = appendText(append(b, `{"experiment":`...), e.Experiment)
	b = appendText(append(b, `,"cell":`...), e.Cell)
	b, ok := e.Params.appendJSON(append(b, `,"params":`...))
	b = appendText(append(b, `,"quantity":`...), e.Quantity)
	b = appendText(append(b, `,"estimator":`...), e.Estimator)
	b = strconv.AppendInt(append(b, `,"n":`...), e.N, 10)
	b = e.Value.appendJSON(append(b, `,"value":`...))
	b = e.SE.appendJSON(append(b, `,"se":`...))
	b = e.Lo.appendJSON(append(b, `,"lo":`...))
	b = e.Hi.appendJSON(append(b, `,"hi":`...))
	b = e.Level.appendJSON(append(b, `,"level":`...))
	b = e.Theory.appendJSON(append(b, `,"theory":`...))
	b = appendText(append(b, `,"theory_kind":`...), e.TheoryKind)
	if e.Resolution != 0 {
		b = e.Resolution.appendJSON(append(b, `,"resolution":`...))
	}
	return append(b, '}'), ok
}
