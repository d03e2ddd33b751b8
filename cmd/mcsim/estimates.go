package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"mcsim/report/digits"
	"mcsim/sim/result"
)

func printEstimates(w io.Writer, doc *result.Document) error {
	for _, c := range doc.Cells {
		fmt.Fprintf(w, "%s, seed %d: %s %ss\n\n", c.ID, doc.Seed, digits.Count(c.N), c.Unit)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "quantity\testimate\t95 % interval\ttheory\tdifference")
	last := ""
	for _, r := range doc.Estimates {
		if _, of := quantileOf(r); of != "" {
			continue
		}
		cell := cellOf(doc, r)
		if last != "" && cell != last {
			fmt.Fprintf(t, "\t\t\t\t\n%s:\t\t\t\t\n", cell)
		}
		last = cell
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", label(r), digits.PlusMinus(float64(r.Value), float64(r.SE)),
			digits.Interval(float64(r.Lo), float64(r.Hi)), digits.Short(float64(r.Theory)), difference(r))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := printQuantiles(w, doc.Estimates); err != nil {
		return err
	}
	if len(doc.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	for _, warning := range doc.Warnings {
		if !strings.HasSuffix(warning.Cell, "*") { // one cell has no slope, and nobody asked for one
			fmt.Fprintf(w, "note: %s: %s\n", warning.Quantity, warning.Text)
		}
	}
	return nil
}

// cellOf is the cell that a row is listed under, the one drawn by the row's
// experiment or read by it.
func cellOf(doc *result.Document, r result.Estimate) string {
	for _, c := range doc.Cells {
		if strings.HasPrefix(c.ID, r.Experiment+"/") {
			return c.ID
		}
	}
	return doc.Cells[0].ID
}

// quantiles are the ends of the names of quantiles, with their headings.
var quantiles = []struct{ name, heading string }{
	{"q05", "5 %"}, {"q25", "25 %"}, {"q50", "median"}, {"q75", "75 %"}, {"q95", "95 %"},
}

// quantileOf is the quantity of which a row is a quantile, and which; empty if
// it is none.
func quantileOf(r result.Estimate) (quantity, which string) {
	for _, q := range quantiles {
		if quantity, ok := strings.CutSuffix(r.Quantity, "_"+q.name); ok {
			return quantity, q.name
		}
	}
	return r.Quantity, ""
}

// printQuantiles prints the quantiles of a quantity side by side.
func printQuantiles(w io.Writer, rows []result.Estimate) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	begun := false
	for _, r := range rows {
		quantity, which := quantileOf(r)
		switch {
		case which == "":
			continue
		case !begun:
			fmt.Fprint(t, "\nquantile over rows")
			for _, q := range quantiles {
				fmt.Fprintf(t, "\t%s", q.heading)
			}
			begun = true
		}
		if which == quantiles[0].name {
			fmt.Fprintf(t, "\n%s", labelled(quantity, r.Params))
		}
		fmt.Fprintf(t, "\t%s", digits.PlusMinus(float64(r.Value), float64(r.SE)))
	}
	if begun {
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// label is a row's quantity and the shared parameter it was evaluated at.
func label(r result.Estimate) string { return labelled(r.Quantity, r.Params) }

func labelled(quantity string, params result.Params) string {
	if p, ok := params.Number("exponent"); ok {
		return quantity + ", p = " + digits.Fraction(p)
	}
	if rule, ok := params.Text("rule"); ok {
		if per, ok := params.Text("per"); ok {
			quantity += " per " + per
		}
		return quantity + ", " + rule
	}
	if t, ok := params.Number("temperature"); ok {
		return quantity + ", T = " + digits.Short(t)
	}
	if t, ok := params.Text("temperature"); ok {
		return quantity + ", T " + t
	}
	return quantity
}

// difference is how many standard errors the estimate is from theory.
func difference(r result.Estimate) string {
	z := float64((r.Value - r.Theory) / r.SE)
	if !r.SE.Present() || math.IsNaN(z) || math.IsInf(z, 0) {
		return digits.None
	}
	return strings.Replace(fmt.Sprintf("%+.1f se", z), "-", "−", 1)
}
