package main

import (
	"encoding/json"

	"mcsim/sim/experiment/replay"
)

// answer is what the page shows of a row.
type answer struct {
	*replay.Answer        // under no divisor first, then under the one that is chosen
	Command        string `json:"command"` // prints the same row; empty while it is held
	Walks          walks  `json:"walks"`
}

// walks are the partial sums of q·k of the first keys over the number of components.
type walks struct {
	Components []int       `json:"components"`
	Sums       [][]float32 `json:"sums"` // of each key
}

// shownWalks is how many walks the page shows.
const shownWalks = 8

// lab answers the page. It keeps the row that it drew last.
type lab struct {
	rowID string // of the row that was drawn last
	held  replay.Row
}

// answer returns the answer to a request, or its fault, as JSON.
func (l *lab) answer(request string) string {
	a, err := l.ask(request)
	if err != nil {
		return fault(err)
	}
	return encode(a)
}

// ask returns the answer to a request.
func (l *lab) ask(request string) (*answer, error) {
	s, err := read(request)
	if err != nil {
		return nil, err
	}
	row, err := l.row(s)
	if err != nil {
		return nil, err
	}
	shown := s.shown()
	if s.hold {
		row = row.Truncate(int(s.keys.Number), int(s.dimension.Number))
	}
	question := replay.Question{Seed: s.seed, Cell: shown, Row: s.row, Components: s.components}
	a := &answer{Answer: question.Answer(row), Command: s.command()}
	if s.hold {
		a.Cell = s.drawn().ID
		row = l.held.Truncate(min(shownWalks, int(s.keys.Number)), maxDimension)
	}
	a.Walks = newWalks(row, s.components)
	return a, nil
}

// row returns the row of a state. It draws the row only if the last call was for another.
func (l *lab) row(s state) (replay.Row, error) {
	c := s.drawn()
	if id := encode([]any{c.ID, s.seed, s.row}); l.rowID != id {
		row, err := replay.SampleRow(s.seed, 0, c, s.row)
		if err != nil {
			return replay.Row{}, err
		}
		l.rowID, l.held = id, row
	}
	return l.held, nil
}

// newWalks returns the walks of the row's first keys, at points evenly spread over octaves.
func newWalks(row replay.Row, components replay.Components) walks {
	var w walks
	last := len(row.Query)
	for d := 1; d <= last; d++ {
		if replay.IsCurvePoint(d, last) {
			w.Components = append(w.Components, d)
		}
	}
	for j := range min(shownWalks, len(row.Keys)) {
		var sums []float32
		row.VisitPartialScores(components, j, func(d int, sum float32) {
			if replay.IsCurvePoint(d, last) {
				sums = append(sums, sum)
			}
		})
		w.Sums = append(w.Sums, sums)
	}
	return w
}

// read reads a request: the texts of the controls by their names.
func read(request string) (state, error) {
	var texts map[string]string
	if err := json.Unmarshal([]byte(request), &texts); err != nil {
		return state{}, err
	}
	return parse(texts)
}

// fault returns the answer for an error.
func fault(err error) string { return encode(map[string]string{"fault": err.Error()}) }

// encode returns a value as JSON.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("lab: an answer that JSON cannot hold: " + err.Error())
	}
	return string(text)
}
