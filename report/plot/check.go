package plot

import (
	"errors"
	"fmt"

	"mcsim/report/label"
)

// Check says what the declaration of a panel lacks, in a sentence a fault.
func (p Panel) Check() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(p.Points)+len(p.Quantiles)+len(p.Traces)+len(p.Stack)+len(p.Lines) == 0 && p.Heat == nil && p.Gates == nil {
		fault("it shows neither points nor lines, quantiles, traces, bars, gates or a map")
	}
	if p.X.Param == "" && !p.Y.Names {
		fault("its x axis shows no parameter")
	}
	if p.Y.Param == "" && p.Called == nil && (p.Y.Names || p.Heat != nil) {
		fault("its y axis shows no parameter")
	}
	if p.X.Label == "" || p.Y.Label == "" && !p.Y.Names {
		fault("an axis has no label")
	}
	for _, f := range p.filters() {
		if f.Experiment == "" || f.Quantity == "" {
			fault("rows without an experiment or a quantity: %+v", *f)
		}
	}
	for _, text := range p.labels() {
		if err := label.Check(text); err != nil {
			fault("the label %w", err)
		}
	}
	return errors.Join(faults...)
}

// labels are all texts of the declaration.
func (p Panel) labels() []string {
	out := []string{p.Title, p.Inside, p.X.Label, p.Y.Label}
	for _, s := range p.Points {
		out = append(out, s.Label)
	}
	for _, s := range p.Lines {
		out = append(out, s.Label)
	}
	for _, t := range p.Traces {
		out = append(out, t.Label, t.Around, t.Reach)
	}
	for _, s := range p.Quantiles {
		out = append(out, s.Label, s.Band)
	}
	if p.Heat != nil && p.Heat.Marked != nil {
		out = append(out, p.Heat.Marked.Label)
	}
	if p.Gates != nil {
		out = append(out, p.Gates.Band)
	}
	if p.Band != nil {
		out = append(out, p.Band.Label)
	}
	if p.Shade != nil {
		out = append(out, p.Shade.Label)
	}
	if p.Level != nil {
		out = append(out, p.Level.Label)
	}
	for _, s := range p.Sides {
		out = append(out, s.Label)
	}
	for _, z := range p.Zones {
		out = append(out, z.Name)
	}
	return out
}
