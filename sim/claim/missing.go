package claim

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
)

// samples is how many pairs or rows of a cell are drawn: they know a share of rows to 0.2 %.
// Draws of weights, which take longer, are as few as their experiment allows.
const samples = 1 << 16

// entry is a cell with the scalings that claims read it under.
type entry struct {
	of     *experiment.Experiment
	drawn  map[string]experiment.Value
	shared map[string][]experiment.Value
}

// Missing is a plan of the cells that claims read and a document lacks, of a seed; nil where
// it lacks none.
func Missing(ledgers []*Ledger, estimates []result.Estimate, seed uint64) (*plan.Plan, error) {
	rows := NewRows(estimates)
	cells, order := map[string]*entry{}, []string(nil)
	for _, r := range read(ledgers) {
		if r.find(rows) != nil {
			continue
		}
		id := r.cell().ID
		if cells[id] == nil {
			cells[id] = &entry{of: r.of, drawn: map[string]experiment.Value{}, shared: map[string][]experiment.Value{}}
			order = append(order, id)
		}
		cells[id].add(r)
	}
	if len(order) == 0 {
		return nil, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: claims\nseed: %d\nexperiments:\n", seed)
	slices.Sort(order)
	for _, id := range order {
		cells[id].write(&b)
	}
	return plan.Parse("the plan of the claims", []byte(b.String()))
}

// read are the rows that ledgers read, each as often as it is.
func read(ledgers []*Ledger) (all []*selector) {
	for _, l := range ledgers {
		for i := range l.Claims {
			for _, g := range []group{l.Claims[i].literal, l.Claims[i].weakened} {
				for j := range g.of {
					all = append(all, g.of[j].rows()...)
				}
			}
		}
	}
	return all
}

// add adds the point of a row to that of its cell.
func (e *entry) add(r *selector) {
	for _, a := range e.of.Axes {
		v, ok := r.values[a.Name]
		switch {
		case !ok:
		case !a.Shared:
			e.drawn[a.Name] = v
		case !slices.Contains(e.shared[a.Name], v):
			e.shared[a.Name] = append(e.shared[a.Name], v)
		}
	}
}

// write writes the entry as a plan has it.
func (e *entry) write(b *strings.Builder) {
	fmt.Fprintf(b, "  - experiment: %s\n    gate: false\n", e.of.Name)
	n := int64(samples)
	if e.of.Unit == names.UnitWeightDraw {
		n = e.of.Floor
	}
	fmt.Fprintf(b, "    samples: %d\n", n)
	for _, a := range e.of.Axes {
		if v, ok := e.drawn[a.Name]; ok {
			fmt.Fprintf(b, "    %s: %q\n", a.Name, v.String())
		}
		if values := e.shared[a.Name]; len(values) > 0 {
			var texts []string
			for _, v := range values {
				texts = append(texts, fmt.Sprintf("%q", v.String()))
			}
			fmt.Fprintf(b, "    %s: [%s]\n", a.Name, strings.Join(texts, ", "))
		}
	}
}
