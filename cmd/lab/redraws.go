package main

import (
	"time"

	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
)

// rowCounts has histograms of the measures of softmax over the first rows of the shown cell.
type rowCounts struct {
	Rows     int             `json:"rows"` // number of rows counted so far
	Total    int             `json:"of"`
	Scalings []scalingCounts `json:"scalings"` // in the order of the answer
}

// scalingCounts counts the rows under one scaling, by bins of equal width from 0 to 1 and by the
// label.
type scalingCounts struct {
	MaxWeight     [binCount]int  `json:"max_weight"`
	EntropyRatio  [binCount]int  `json:"entropy_ratio"`
	RelativeTrace [binCount]int  `json:"relative_trace"`
	Labels        map[string]int `json:"labels"`
}

const (
	binCount     = 20
	countedRows  = 1000
	showInterval = 64 // number of rows between two calls of show
)

// countRows counts rows while pause returns true. It calls pause after every vector and every row,
// and calls show from time to time and at the end.
func countRows(s state, pause func() bool, show func(rowCounts)) error {
	cell := s.shownCell()
	reader, err := replay.Open(s.seed, 0, cell)
	if err != nil {
		return err
	}
	reader.Continue = pause
	counts := rowCounts{Total: countedRows}
	scalings := rows.Scalings(cell)
	for range scalings {
		counts.Scalings = append(counts.Scalings, scalingCounts{Labels: map[string]int{}})
	}
	for i := range int64(countedRows) {
		row, ok := reader.Row(i)
		if !ok {
			return nil
		}
		scores := row.Scores(s.components)
		for j, scaling := range scalings {
			counts.Scalings[j].add(replay.Measure(scores, scaling, row.Size(s.components)))
		}
		if !pause() {
			return nil
		}
		counts.Rows++
		if counts.Rows%showInterval == 0 || counts.Rows == countedRows {
			show(counts)
		}
	}
	return nil
}

// add counts a row.
func (t *scalingCounts) add(m replay.Softmax) {
	t.MaxWeight[binIndex(m.MaxWeight)]++
	t.EntropyRatio[binIndex(m.EntropyRatio)]++
	t.RelativeTrace[binIndex(m.RelativeTrace)]++
	t.Labels[m.Label]++
}

// binIndex returns the bin of a number in [0, 1].
func binIndex(x float64) int { return min(binCount-1, int(x*binCount)) }

// slicer divides work into slices of time, between which other tasks can use the processor.
type slicer struct {
	length     time.Duration
	now        func() time.Time
	rest       func()      // returns after other tasks have used the processor
	isActive   func() bool // false after the work was cancelled
	sliceStart time.Time
}

// pause rests if the slice has lasted its length, and reports whether the work continues. The work
// must call it often.
func (s *slicer) pause() bool {
	if s.sliceStart.IsZero() {
		s.sliceStart = s.now()
	}
	if s.now().Sub(s.sliceStart) >= s.length {
		s.rest()
		s.sliceStart = s.now()
	}
	return s.isActive()
}
