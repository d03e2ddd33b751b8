package claim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/markup"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/row"
)

// samples is how many pairs or rows of a cell are drawn: they know a share of rows to 0.2 %.
// Draws of weights and the like, which take longer, are as few as their experiment allows,
// and large rows so few that they take mostProducts.
const (
	samples      = 1 << 16
	mostProducts = 1e11
)

// entry is a cell with the scalings that claims read it under.
type entry struct {
	of     *experiment.Experiment
	first  *row.Row // the first row that reads it
	drawn  map[string]experiment.Value
	shared map[string][]experiment.Value
}

// Missing is a plan of the cells that claims read and a document lacks, of a seed; nil where
// it lacks none. A cell that cannot be drawn is an error at the row that reads it.
func Missing(ledgers []*Ledger, estimates []result.Estimate, seed uint64) (*plan.Plan, error) {
	return planned(lacking(ledgers, estimates), seed)
}

// Unread is an error at the first row that is none though its cell is drawn.
func Unread(ledgers []*Ledger, estimates []result.Estimate) error {
	rows, has := row.NewIndex(estimates), map[string][]string{}
	for _, e := range estimates {
		has[e.Cell] = append(has[e.Cell], e.Quantity)
	}
	for _, r := range read(ledgers) {
		quantities := has[r.Cell().ID]
		switch {
		case len(quantities) == 0 || r.Find(rows) != nil:
		case slices.Contains(quantities, r.Quantity):
			return r.At(fmt.Errorf("%s has no %s at this scale", r.Of.Name, r.Quantity))
		default:
			return r.At(fmt.Errorf("%s has no %s%s", r.Of.Name, r.Quantity, names.Suggest(r.Quantity, quantities)))
		}
	}
	return nil
}

// lacking are the cells that claims read and a document lacks, in the order of the rows that
// read them.
func lacking(ledgers []*Ledger, estimates []result.Estimate) (all []*entry) {
	rows := row.NewIndex(estimates)
	cells, order := map[string]*entry{}, []string(nil)
	for _, r := range read(ledgers) {
		if r.Find(rows) != nil {
			continue
		}
		id := r.Cell().ID
		if cells[id] == nil {
			cells[id] = &entry{of: r.Of, first: r, drawn: map[string]experiment.Value{}, shared: map[string][]experiment.Value{}}
			order = append(order, id)
		}
		cells[id].add(r)
	}
	for _, id := range order {
		all = append(all, cells[id])
	}
	return all
}

// planned is a plan of some cells; nil for none.
func planned(all []*entry, seed uint64) (*plan.Plan, error) {
	if len(all) == 0 {
		return nil, nil
	}
	parse := func(of []*entry) (*plan.Plan, error) {
		var b strings.Builder
		fmt.Fprintf(&b, "name: claims\nseed: %d\nexperiments:\n", seed)
		for _, e := range of {
			e.write(&b, e.samples())
		}
		return plan.Parse("the plan of the claims", []byte(b.String()))
	}
	for i, e := range all {
		if takes := e.takes(e.least()); takes > mostProducts {
			return nil, e.first.At(fmt.Errorf("takes %.2g products to draw; for a row at most %.2g are drawn", takes, mostProducts))
		}
		_, err := parse(all[i : i+1])
		var at *markup.Error
		if errors.As(err, &at) {
			return nil, e.first.At(at.Err)
		}
	}
	return parse(all)
}

// slow reports whether the experiment draws weights, trains, or repeats runs.
func (e *entry) slow() bool {
	return slices.Contains([]string{names.UnitWeightDraw, names.UnitSeed, names.UnitRun}, e.of.Unit)
}

// least is how few units of the cell are drawn.
func (e *entry) least() int64 { return max(e.of.Floor, e.of.BlockUnits(e.first.Cell())) }

// samples is how many units of the cell are drawn.
func (e *entry) samples() int64 {
	if e.slow() {
		return e.of.Floor
	}
	block := e.of.BlockUnits(e.first.Cell())
	most := int64(mostProducts / e.takes(1))
	return max(e.least(), min(samples, most-most%block))
}

// takes is how many products so many units of the cell take.
func (e *entry) takes(units int64) float64 { return float64(units) * e.of.Cost(e.first.Cell()) }

// read are the rows that ledgers read, each as often as it is.
func read(ledgers []*Ledger) (all []*row.Row) {
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
func (e *entry) add(r *row.Row) {
	for _, a := range e.of.Axes {
		v, ok := r.Values[a.Name]
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
func (e *entry) write(b *strings.Builder, samples int64) {
	fmt.Fprintf(b, "  - experiment: %s\n    gate: false\n    samples: %d\n", e.of.Name, samples)
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
