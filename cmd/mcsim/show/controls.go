package show

import (
	"fmt"
	"io"

	"mcsim/sim/engine/schedule"
)

// Controls prints the deliberate mistake of each control, and the gate that must notice it.
func Controls(w io.Writer, controls []schedule.ControlLine) {
	if len(controls) == 0 {
		return
	}
	rows := NewTable("control", "must fail", "from d_k", "what is wrong")
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
