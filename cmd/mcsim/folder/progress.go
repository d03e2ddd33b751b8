package folder

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"mcsim/report/digits"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
)

// Bar shows how far a run is, with its rate and the time left, in a line of a terminal alone.
type Bar struct {
	w               *os.File // nil: no terminal
	said            func(at float64, spent time.Duration) string
	done, at, total float64 // when it began, now, and in all
	begun, shown    time.Time
	lock            sync.Mutex
}

// newBar makes a bar for what the schedule draws. What the nodes hold is done as it begins.
func newBar(w io.Writer, s *schedule.Schedule, nodes *store.Store) *Bar {
	done := s.Components() - s.Left(nodes)
	return start(w, done, s.Components(), func(at float64, spent time.Duration) string {
		return digits.Rough((at-done)/spent.Seconds()) + " components/s"
	})
}

// Counting makes a bar for so many things that are drawn, each of which is added as 1.
func Counting(w io.Writer, things int) *Bar {
	return start(w, 0, float64(things), func(at float64, _ time.Duration) string { return fmt.Sprintf("%g of %d", at, things) })
}

// start makes a bar beside which stands what said says.
func start(w io.Writer, done, total float64, said func(at float64, spent time.Duration) string) *Bar {
	now := time.Now()
	b := &Bar{said: said, done: done, at: done, total: total, begun: now, shown: now}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.w = f
	}
	return b
}

// refresh is how often the line is written anew.
const refresh = 200 * time.Millisecond

// Add counts so much as drawn.
func (b *Bar) Add(amount float64) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.at += amount
	if now := time.Now(); b.w != nil && now.Sub(b.shown) >= refresh {
		b.shown = now
		fmt.Fprint(b.w, "\r\x1b[K"+b.line(now.Sub(b.begun)))
	}
}

// line is what stands on the terminal after so long. The time left supposes that the rate
// stays as it was.
func (b *Bar) line(spent time.Duration) string {
	left := time.Duration(min(float64(spent)*(b.total-b.at)/(b.at-b.done), math.MaxInt64/2))
	return fmt.Sprintf("drawing %d %%, %s, %v left", int(100*b.at/b.total), b.said(b.at, spent), left.Round(time.Second))
}

// End takes the line away.
func (b *Bar) End() {
	if b.w != nil {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
