package show

import (
	"fmt"
	"io"

	"mcsim/sim/engine/schedule"
)

// Controls says of each control what is wrong with its draws and which
// gate must notice it.
func Controls(w io.Writer, controls []schedule.ControlLine) {
	if len(controls) == 0 {
		return
	}
	fmt.Fprintln(w)
	Table(w, "control\tmust fail\tfrom d_k\twhat is wrong", controls, func(c schedule.ControlLine) string {
		from := "–"
		if c.Smallest != nil {
			from = fmt.Sprint(*c.Smallest)
		}
		return fmt.Sprintf("%s\t%s\t%s\t%s", c.Name, c.Gate, from, c.Mutation)
	})
	for _, c := range controls {
		fmt.Fprintf(w, "%s is invisible to %s\n", c.Name, c.Blind)
	}
	fmt.Fprintln(w)
}
