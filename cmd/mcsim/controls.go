package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"mcsim/sim/schedule"
)

// printControls says of each control what is wrong with its draws and which
// gate must notice it.
func printControls(w io.Writer, controls []schedule.ControlLine) {
	if len(controls) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "control\tmust fail\tfrom d_k\twhat is wrong")
	for _, c := range controls {
		from := "–"
		if c.Smallest > 0 {
			from = fmt.Sprint(c.Smallest)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", c.Name, c.Gate, from, c.Mutation)
	}
	t.Flush()
	for _, c := range controls {
		fmt.Fprintf(w, "%s is invisible to %s\n", c.Name, c.Blind)
	}
	fmt.Fprintln(w)
}

// jsonControl is a control as `verify --json` prints it; from_d_k is null where
// no d_k that was looked at makes the gate fail.
type jsonControl struct {
	Name     string `json:"name"`
	Mutation string `json:"mutation"`
	Gate     string `json:"gate"`
	From     *int   `json:"from_d_k"`
	Blind    string `json:"invisible_to"`
}

func jsonControls(controls []schedule.ControlLine) []jsonControl {
	out := []jsonControl{}
	for _, c := range controls {
		k := jsonControl{Name: c.Name, Mutation: c.Mutation, Gate: c.Gate, Blind: c.Blind}
		if c.Smallest > 0 {
			k.From = &c.Smallest
		}
		out = append(out, k)
	}
	return out
}

// controlText is what a JUnit report says of the controls.
func controlText(controls []schedule.ControlLine) string {
	var b strings.Builder
	printControls(&b, controls)
	return strings.TrimLeft(b.String(), "\n")
}
