package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"mcsim/report/digits"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// progress shows how far a run is, with its rate and the time left, on a
// terminal alone.
type progress struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

// perStep keeps the bar's integers small.
const perStep = 1000

func newProgress(w io.Writer, s *schedule.Schedule, nodes *store.Store) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	begun, total := time.Now(), int64(s.Left(nodes)/perStep)
	p := &progress{bars: mpb.New(mpb.WithOutput(f), mpb.WithWidth(40))}
	rate := func(st decor.Statistics) string {
		return fmt.Sprintf(" %s components/s", digits.Magnitude(float64(st.Current)*perStep/time.Since(begun).Seconds()))
	}
	p.bar = p.bars.New(total, mpb.BarStyle().Lbound("").Filler("━").Tip("━").Padding("─").Rbound(""),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name("drawing "), decor.Percentage()),
		mpb.AppendDecorators(decor.Any(rate), decor.OnComplete(decor.Any(func(st decor.Statistics) string {
			return timeLeft(st, time.Since(begun))
		}), "")))
	return p
}

// timeLeft assumes that the rate stays as it was.
func timeLeft(st decor.Statistics, spent time.Duration) string {
	if st.Current == 0 {
		return ""
	}
	left := time.Duration(float64(spent) * float64(st.Total-st.Current) / float64(st.Current))
	return fmt.Sprintf(", %v left", left.Round(time.Second))
}

// add counts components as drawn.
func (p *progress) add(components float64) {
	if p.bar != nil {
		p.bar.IncrInt64(int64(components / perStep))
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
