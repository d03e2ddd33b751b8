package main

import (
	"time"

	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
)

// redraws are how numbers of rows are distributed: those of the first rows of the cell
// that are like the one that is shown.
type redraws struct {
	Rows     int       `json:"rows"` // that were counted so far
	Of       int       `json:"of"`
	Scalings []tallied `json:"scalings"` // as in the answer
}

// tallied counts the rows under one scaling, by bins of equal width from 0 to 1 and by
// the label.
type tallied struct {
	MaxWeight     [bins]int      `json:"max_weight"`
	EntropyRatio  [bins]int      `json:"entropy_ratio"`
	RelativeTrace [bins]int      `json:"relative_trace"`
	Labels        map[string]int `json:"labels"`
}

const (
	bins       = 20
	redrawn    = 1000
	shownEvery = 64 // rows, as they are counted
)

// redraw counts rows while pause returns true. It calls pause after every vector and every row, and
// shows the counts from time to time and at the end.
func redraw(s state, pause func() bool, show func(redraws)) error {
	c := s.shown()
	reader, err := replay.Open(s.seed, 0, c)
	if err != nil {
		return err
	}
	reader.Continue = pause
	counts := redraws{Of: redrawn}
	scalings := rows.Scalings(c)
	for range scalings {
		counts.Scalings = append(counts.Scalings, tallied{Labels: map[string]int{}})
	}
	for i := range int64(redrawn) {
		row, ok := reader.Row(i)
		if !ok {
			return nil
		}
		scores := row.Scores(s.components)
		for j, by := range scalings {
			counts.Scalings[j].add(replay.Measure(scores, by, row.Size(s.components)))
		}
		if !pause() {
			return nil
		}
		counts.Rows++
		if counts.Rows%shownEvery == 0 || counts.Rows == redrawn {
			show(counts)
		}
	}
	return nil
}

// add counts a row.
func (t *tallied) add(m replay.Softmax) {
	t.MaxWeight[bin(m.MaxWeight)]++
	t.EntropyRatio[bin(m.EntropyRatio)]++
	t.RelativeTrace[bin(m.RelativeTrace)]++
	t.Labels[m.Label]++
}

// bin returns the bin of a number in [0, 1].
func bin(x float64) int { return min(bins-1, int(x*bins)) }

// slicer lets others have the processor whenever a slice of work has taken its time.
type slicer struct {
	length time.Duration
	now    func() time.Time
	rest   func()      // until others had their turn
	goOn   func() bool // false where the work is given up
	since  time.Time
}

// pause rests if a slice of work has taken its time, and reports whether the work goes on. The work
// calls it as often as possible.
func (s *slicer) pause() bool {
	if s.since.IsZero() {
		s.since = s.now()
	}
	if s.now().Sub(s.since) >= s.length {
		s.rest()
		s.since = s.now()
	}
	return s.goOn()
}
