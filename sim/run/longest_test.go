package run_test

import (
	"context"
	"testing"
	"time"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/plan"
	"mcsim/sim/simtest"
)

// The longest block of each ready plan, and the longest pilot: what the end of the program costs a worker beside the half
// second between two records (docs/scaling.md).
func BenchmarkLongestBlock(b *testing.B) {
	for _, name := range plan.Names() {
		b.Run(name, func(b *testing.B) {
			text, err := plan.Embedded(name)
			if err != nil {
				b.Fatal(err)
			}
			s := simtest.Scheduled(b, string(text))
			for b.Loop() {
				var block, pilot longest
				for _, w := range s.Works {
					if w.Cell.Piloted() {
						pilot.time(*w.Cell, func(c experiment.Cell) { w.Cell.Learn(c.Pilot()) })
					}
					block.time(*w.Cell, drawFirst)
				}
				b.ReportMetric(block.took.Seconds(), "s-block")
				b.ReportMetric(pilot.took.Seconds(), "s-pilot")
				b.Logf("block %v of %s, pilot %v of %s", block.took, block.of, pilot.took, pilot.of)
			}
		})
	}
}

// longest is what took longest, and the cell that it is of.
type longest struct {
	took time.Duration
	of   string
}

// time draws something of a cell twice, and notes the better time if it is the longest yet.
func (l *longest) time(c experiment.Cell, draw func(experiment.Cell)) {
	took := min(timed(c, draw), timed(c, draw))
	if took > l.took {
		l.took, l.of = took, c.ID
	}
}

func timed(c experiment.Cell, draw func(experiment.Cell)) time.Duration {
	begun := time.Now()
	draw(c)
	return time.Since(begun)
}

// drawFirst draws the first block of a cell.
func drawFirst(c experiment.Cell) {
	var d experiment.Drawer
	d.Open(7, 0, c)
	d.Draw(context.Background(), moments.Place{})
}
