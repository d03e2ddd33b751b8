package main

import (
	"strings"
	"syscall/js"
	"time"

	"mcsim/cmd/mcsim/ask"
)

// sliceLength is the time after which the work pauses, so that the page can draw its 60 frames per
// second. A slice of work can last longer, until a vector is sampled or the counts are shown, but
// less than 30 ms.
const sliceLength = 4 * time.Millisecond

// printed is what a command prints. It is a show.Terminal without colours.
type printed struct {
	strings.Builder
	columns int
}

func (p *printed) Columns() int { return p.columns }

func (p *printed) Coloured() bool { return false }

// main gives the page four functions. mcsim.answer(request) returns the answer to a request.
// mcsim.redraw(request, show) counts rows, and calls show with the counts from time to time.
// mcsim.stop() cancels the call of redraw that is running; a new call of redraw does the same.
// mcsim.run(words, columns, show) runs a command line of advise or inspect, and calls show with its
// exit code, with what it prints in lines of so many columns, and with its errors.
func main() {
	var l lab
	generation := 0 // incremented to cancel the running call of redraw
	js.Global().Set("mcsim", map[string]any{
		"stop":   js.FuncOf(func(js.Value, []js.Value) any { generation++; return nil }),
		"answer": js.FuncOf(func(_ js.Value, args []js.Value) any { return l.respond(args[0].String()) }),
		"redraw": js.FuncOf(func(_ js.Value, args []js.Value) any {
			generation++
			current, show := generation, args[1]
			s, err := parseRequest(args[0].String())
			if err != nil {
				return encodeFault(err)
			}
			work := &slicer{length: sliceLength, now: time.Now,
				rest:     func() { time.Sleep(time.Millisecond) }, // lets the page run
				isActive: func() bool { return current == generation }}
			go func() {
				work.rest() // the page shows the answer first
				if err := countRows(s, work.pause, func(r rowCounts) { show.Invoke(encode(r)) }); err != nil {
					show.Invoke(encodeFault(err))
				}
			}()
			return ""
		}),
		"run": js.FuncOf(func(_ js.Value, args []js.Value) any {
			words := make([]string, args[0].Length())
			for i := range words {
				words[i] = args[0].Index(i).String()
			}
			go func() { // files are read while the page runs
				stdout, stderr := printed{columns: args[1].Int()}, strings.Builder{}
				code := ask.Execute(words, &stdout, &stderr)
				args[2].Invoke(code, stdout.String(), stderr.String())
			}()
			return nil
		}),
	})
	select {}
}
