package show

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// refreshInterval is the time between two updates of a progress bar.
const refreshInterval = 200 * time.Millisecond

// Bar shows the progress of a command in one line of a terminal. It shows nothing on another
// writer.
type Bar struct {
	terminal *os.File // nil if there is none
	rate     func(done float64, elapsed time.Duration) string

	mu                     sync.Mutex
	start, done, total     float64 // finished work at the start, now, and at the end
	startTime, refreshTime time.Time
}

// NewCounter returns a bar for a number of equal steps. The caller adds 1 after each step.
func NewCounter(w io.Writer, total int) *Bar {
	return NewBar(w, 0, float64(total), func(done float64, _ time.Duration) string {
		return fmt.Sprintf("%g of %d", done, total)
	})
}

// NewBar returns a bar for an amount of work from start to total. rate describes the speed.
func NewBar(w io.Writer, start, total float64, rate func(float64, time.Duration) string) *Bar {
	now := time.Now()
	b := &Bar{rate: rate, start: start, done: start, total: total, startTime: now, refreshTime: now}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.terminal = f
	}
	return b
}

// Add adds an amount of finished work.
func (b *Bar) Add(amount float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += amount
	if now := time.Now(); b.terminal != nil && now.Sub(b.refreshTime) >= refreshInterval {
		b.refreshTime = now
		fmt.Fprint(b.terminal, "\r\x1b[K"+b.line(now.Sub(b.startTime)))
	}
}

// line returns the text of the bar. The remaining time assumes a constant rate.
func (b *Bar) line(elapsed time.Duration) string {
	const maxDuration = math.MaxInt64 / 2 // the conversion of a longer time would overflow
	timeLeft := time.Duration(min(float64(elapsed)*(b.total-b.done)/(b.done-b.start), maxDuration))
	return fmt.Sprintf("drawing %d %%, %s, %v left",
		int(100*b.done/b.total), b.rate(b.done, elapsed), timeLeft.Round(time.Second))
}

// End removes the line.
func (b *Bar) End() {
	if b.terminal != nil {
		fmt.Fprint(b.terminal, "\r\x1b[K")
	}
}
