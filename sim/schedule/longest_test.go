package schedule

import (
	"runtime"
	"testing"
	"time"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/plan"
)

// The longest block of each ready plan, and the longest pilot: what kill -9 costs a worker beside what it draws
// between two records (docs/scaling.md).
func BenchmarkLongestBlock(b *testing.B) {
	for _, name := range plan.Names() {
		b.Run(name, func(b *testing.B) {
			runtime.LockOSThread() // whose time is taken
			defer runtime.UnlockOSThread()
			works := ready(b, name)[0].Works
			for b.Loop() {
				var block, pilot longest
				for _, w := range works {
					if w.Cell.Piloted() {
						begun := spent()
						w.Cell.Learn(w.Cell.Pilot())
						pilot.note(w.Cell.ID, spent()-begun)
					}
					var d experiment.Drawer
					d.Open(7, 0, *w.Cell)
					block.note(w.Cell.ID, timed(&d, moments.Place{}))
				}
				b.ReportMetric(block.took.Seconds(), "s-block")
				b.ReportMetric(pilot.took.Seconds(), "s-pilot")
				b.Logf("block of %s, pilot of %s", block.of, pilot.of)
			}
		})
	}
}

// longest is what took longest, and the cell that it is of.
type longest struct {
	took time.Duration
	of   string
}

func (l *longest) note(cell string, took time.Duration) {
	if took > l.took {
		l.took, l.of = took, cell
	}
}
