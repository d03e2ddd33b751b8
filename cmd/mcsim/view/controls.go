package view

import (
	"fmt"
	"io"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/engine/schedule"
)

// Controls prints for each control its deliberate mistake, the gate that must fail because of it,
// and the gates that cannot notice it.
func Controls(w io.Writer, controls []schedule.ControlLine) {
	if len(controls) == 0 {
		return
	}
	table := show.NewTable("control", "must fail", "from d_k", "what is wrong")
	for _, c := range controls {
		smallestDimension := "–"
		if c.Smallest != nil {
			smallestDimension = fmt.Sprint(*c.Smallest)
		}
		table.Add(c.Name, c.Gate, smallestDimension, c.Mutation)
	}
	fmt.Fprintln(w)
	table.Print(w)
	for _, c := range controls {
		show.Linef(w, "%s is invisible to %s", c.Name, c.Blind)
	}
	fmt.Fprintln(w)
}
