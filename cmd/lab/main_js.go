package main

import (
	"syscall/js"
	"time"
)

// sliceLength leaves a page that draws sixty pictures a second most of its time; with the
// vector that is being drawn and what is shown of the rows a slice stays below 30 ms.
const sliceLength = 4 * time.Millisecond

// main gives the page two functions: mcsim.answer(request), which returns the answer, and
// mcsim.redraw(request, show), which calls show as rows are counted, and gives up what an
// earlier call has not finished; mcsim.stop() only gives that up.
func main() {
	var l lab
	generation := 0
	js.Global().Set("mcsim", map[string]any{
		"stop":   js.FuncOf(func(js.Value, []js.Value) any { generation++; return nil }),
		"answer": js.FuncOf(func(_ js.Value, args []js.Value) any { return l.answer(args[0].String()) }),
		"redraw": js.FuncOf(func(_ js.Value, args []js.Value) any {
			generation++
			mine, show := generation, args[1]
			s, err := read(args[0].String())
			if err != nil {
				return fault(err)
			}
			work := &slicer{length: sliceLength, now: time.Now,
				rest: func() { time.Sleep(time.Millisecond) }, // which is a timer of the page
				goOn: func() bool { return mine == generation }}
			go func() {
				work.rest() // the page shows the answer first
				if err := redraw(s, work.pause, func(r redraws) { show.Invoke(encode(r)) }); err != nil {
					show.Invoke(fault(err))
				}
			}()
			return ""
		}),
	})
	select {}
}
