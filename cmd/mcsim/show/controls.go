package show

import (
	"fmt"
	"io"

	"mcsim/sim/engine/schedule"
)

// Controls says what is wrong with the draws of each control, and which gate must notice it.
func Controls(w io.Writer, controls []schedule.ControlLine) {
	if len(controls) == 0 {
		return
	}
	rows := NewRows("control", "must fail", "from d_k", "what is wrong")
	for _, c := range controls {
		smallest := "–"
		if c.Smallest != nil {
			smallest = fmt.Sprint(*c.Smallest)
		}
		rows.Add(c.Name, c.Gate, smallest, c.Mutation)
	}
	fmt.Fprintln(w)
	rows.Print(w)
	for _, c := range controls {
		fmt.Fprintf(w, "%s is invisible to %s\n", c.Name, c.Blind)
	}
	fmt.Fprintln(w)
}
