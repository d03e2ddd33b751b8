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

// scalingCounts counts rows under one scaling: for each measure by its bin, and by the label. The
// bins divide [0, 1] into equal intervals.
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

// countRows counts the first countedRows rows of the shown cell, or fewer if pause returns false.
// It calls pause after every vector and every row, and show after every showInterval rows and at
// the end.
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

// add counts a row by its measures.
func (c *scalingCounts) add(m replay.Softmax) {
	c.MaxWeight[binIndex(m.MaxWeight)]++
	c.EntropyRatio[binIndex(m.EntropyRatio)]++
	c.RelativeTrace[binIndex(m.RelativeTrace)]++
	c.Labels[m.Label]++
}

// binIndex returns the bin of a number in [0, 1].
func binIndex(x float64) int { return min(binCount-1, int(x*binCount)) }

// slicer divides work into slices of time. Between two slices other tasks can use the processor.
type slicer struct {
	length     time.Duration // of a slice
	now        func() time.Time
	rest       func()      // returns after other tasks have used the processor
	isActive   func() bool // false after the work was cancelled
	sliceStart time.Time
}

// pause rests if the current slice has lasted its length or longer. It returns false if the work
// was cancelled and must stop. The work must call pause often.
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
