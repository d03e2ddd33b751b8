package main

import (
	"syscall/js"
	"time"
)

// sliceLength is the time after which the work pauses for the page, which draws 60 frames per second.
// A slice can be longer by one vector and by one update of the counts, but it stays below 30 ms.
const sliceLength = 4 * time.Millisecond

// main gives the page three functions: mcsim.answer(request) returns the answer;
// mcsim.redraw(request, show) cancels an earlier call, counts rows, and calls show with the counts
// from time to time; mcsim.stop() only cancels.
func main() {
	var l lab
	generation := 0
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
	})
	select {}
}
