// Package progress shows how far a run is on a terminal.
package progress

import (
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"mcsim/report/digits"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// Bar shows how far a run is, with its rate and the time left, on a
// terminal alone.
type Bar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

// perStep keeps the bar's integers small.
const perStep = 1000

// steps are those of so many components, or as many as there are numbers for.
func steps(components float64) int64 { return int64(min(components/perStep, 1<<62)) }

// New makes a bar for what the schedule draws, and none where w is no terminal. What the
// nodes hold is done as it begins.
func New(w io.Writer, s *schedule.Schedule, nodes *store.Store) *Bar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &Bar{}
	}
	begun, total := time.Now(), steps(s.Components())
	done, what := total-steps(s.Left(nodes)), "drawing "
	if done > 0 {
		what = "going on "
	}
	p := &Bar{bars: mpb.New(mpb.WithOutput(f), mpb.WithWidth(40))}
	rate := func(st decor.Statistics) string {
		return fmt.Sprintf(" %s components/s", digits.Magnitude(float64(st.Current-done)*perStep/time.Since(begun).Seconds()))
	}
	p.bar = p.bars.New(total, mpb.BarStyle().Lbound("").Filler("━").Tip("━").Padding("─").Rbound(""),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what), decor.Percentage()),
		mpb.AppendDecorators(decor.Any(rate), decor.OnComplete(decor.Any(func(st decor.Statistics) string {
			return timeLeft(st, done, time.Since(begun))
		}), "")))
	p.bar.SetCurrent(done)
	return p
}

// timeLeft assumes that the rate stays as it was, since so much was done.
func timeLeft(st decor.Statistics, done int64, spent time.Duration) string {
	if st.Current <= done {
		return ""
	}
	left := time.Duration(min(float64(spent)*float64(st.Total-st.Current)/float64(st.Current-done), math.MaxInt64/2))
	return fmt.Sprintf(", %v left", left.Round(time.Second))
}

// Add counts components as drawn.
func (p *Bar) Add(components float64) {
	if p.bar != nil {
		p.bar.IncrInt64(steps(components))
	}
}

// End takes the bar away.
func (p *Bar) End() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
