package folder

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
	step float64 // what one step of the bar counts
}

// perStep keeps the bar's integers small.
const perStep = 1000

// steps are those that an amount makes, or as many as there are numbers for.
func steps(amount, step float64) int64 { return int64(min(amount/step, 1<<62)) }

// newBar makes a bar for what the schedule draws, and none where w is no terminal. What the
// nodes hold is done as it begins.
func newBar(w io.Writer, s *schedule.Schedule, nodes *store.Store) *Bar {
	begun, total := time.Now(), steps(s.Components(), perStep)
	done := total - steps(s.Left(nodes), perStep)
	return start(w, done, total, perStep, func(st decor.Statistics) string {
		return fmt.Sprintf(" %s components/s", digits.Magnitude(float64(st.Current-done)*perStep/time.Since(begun).Seconds()))
	})
}

// Counting makes a bar for so many things that are drawn, each of which is added as 1.
func Counting(w io.Writer, things int) *Bar {
	return start(w, 0, int64(things), 1, func(st decor.Statistics) string { return fmt.Sprintf(" %d of %d", st.Current, st.Total) })
}

// start makes a bar for so many steps, on a terminal alone; beside it stands what said
// says.
func start(w io.Writer, done, total int64, step float64, said func(decor.Statistics) string) *Bar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &Bar{}
	}
	begun, what := time.Now(), "drawing "
	if done > 0 {
		what = "going on "
	}
	p := &Bar{bars: mpb.New(mpb.WithOutput(f), mpb.WithWidth(40)), step: step}
	p.bar = p.bars.New(total, mpb.BarStyle().Lbound("").Filler("━").Tip("━").Padding("─").Rbound(""),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what), decor.Percentage()),
		mpb.AppendDecorators(decor.Any(said), decor.OnComplete(decor.Any(func(st decor.Statistics) string {
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

// Add counts so much as drawn.
func (p *Bar) Add(amount float64) {
	if p.bar != nil {
		p.bar.IncrInt64(steps(amount, p.step))
	}
}

// End takes the bar away.
func (p *Bar) End() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
