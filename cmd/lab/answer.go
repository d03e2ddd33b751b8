package main

import (
	"encoding/json"

	"mcsim/sim/experiment/replay"
)

// answer is the content of the page for a row.
type answer struct {
	*replay.Answer        // its scalings: without a divisor, and then with the selected divisor
	Command        string `json:"command"` // see state.probeCommand
	Walks          walks  `json:"walks"`
}

// walks has partial sums of q·k for the first keys: Sums[j][i] is the sum over the first
// Components[i] components for key j.
type walks struct {
	Components []int       `json:"components"`
	Sums       [][]float32 `json:"sums"`
}

// maxWalks is the number of keys whose walks the page shows.
const maxWalks = 8

// lab answers the requests of the page. It caches the row that it sampled last.
type lab struct {
	lastRowID string
	lastRow   replay.Row
}

// respond returns the answer to a request, or an error, as JSON.
func (l *lab) respond(request string) string {
	a, err := l.answerRequest(request)
	if err != nil {
		return encodeFault(err)
	}
	return encode(a)
}

func (l *lab) answerRequest(request string) (*answer, error) {
	s, err := parseRequest(request)
	if err != nil {
		return nil, err
	}
	row, err := l.readRow(s)
	if err != nil {
		return nil, err
	}
	shown := s.shownCell()
	if s.isHeld {
		row = row.Truncate(int(s.keys.Number), int(s.dimension.Number)) // the part that the page shows
	}
	question := replay.Question{Seed: s.seed, Cell: shown, Row: s.row, Components: s.components}
	a := &answer{Answer: question.Answer(row), Command: s.probeCommand()}
	if s.isHeld {
		a.Cell = s.sampledCell().ID
		row = l.lastRow.Truncate(min(maxWalks, int(s.keys.Number)), maxDimension) // walks go on beyond d_k
	}
	a.Walks = newWalks(row, s.components)
	return a, nil
}

// readRow returns the sampled row of a state. If the last call was for the same row, it returns the
// row from the cache; otherwise it samples the row.
func (l *lab) readRow(s state) (replay.Row, error) {
	c := s.sampledCell()
	id := encode([]any{c.ID, s.seed, s.row})
	if l.lastRowID != id {
		row, err := replay.SampleRow(s.seed, 0, c, s.row)
		if err != nil {
			return replay.Row{}, err
		}
		l.lastRowID, l.lastRow = id, row
	}
	return l.lastRow, nil
}

// newWalks returns the walks of the row's first keys. The numbers of components are approximately
// evenly spaced on a logarithmic scale.
func newWalks(row replay.Row, components replay.Components) walks {
	var w walks
	dimension := len(row.Query)
	for j := range min(maxWalks, len(row.Keys)) {
		var counts []int
		var sums []float32
		row.VisitPartialScores(components, j, func(d int, sum float32) {
			if replay.IsCurvePoint(d, dimension) {
				counts, sums = append(counts, d), append(sums, sum)
			}
		})
		w.Components, w.Sums = counts, append(w.Sums, sums)
	}
	return w
}

// parseRequest parses a request, which is a JSON object that maps the name of a control to its
// text.
func parseRequest(request string) (state, error) {
	var texts map[string]string
	if err := json.Unmarshal([]byte(request), &texts); err != nil {
		return state{}, err
	}
	return parseControls(texts)
}

// encodeFault encodes an error as the JSON object that the page expects.
func encodeFault(err error) string { return encode(map[string]string{"fault": err.Error()}) }

// encode returns v as JSON.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("lab: an answer that JSON cannot hold: " + err.Error())
	}
	return string(text)
}
