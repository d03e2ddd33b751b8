package claim

import (
	"errors"
	"fmt"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// selector is one row: softmax.max_weight[d_k=64, keys=8, exponent=1/2]. A law that is not
// named is normal.
type selector struct {
	text     string
	of       *experiment.Experiment
	quantity string
	values   map[string]experiment.Value
	// at makes an error of where the row stands in its ledger.
	at func(error) error
}

// newSelector reads one.
func newSelector(text string) (*selector, error) {
	head, inside, ok := strings.Cut(text, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	name, quantity, dotted := strings.Cut(strings.TrimSpace(head), ".")
	if !ok || !closed || !dotted {
		return nil, fmt.Errorf("%q is no row; one is written experiment.quantity[parameter=value, …]", text)
	}
	s := &selector{quantity: quantity, values: map[string]experiment.Value{}}
	var err error
	if s.of, err = all.Lookup(name); err != nil {
		return nil, err
	}
	if s.of.Of != "" {
		return nil, fmt.Errorf("%s draws nothing; name a row of %s", name, s.of.Of)
	}
	if _, ok := names.Lookup(names.GroupQuantity, quantity); !ok {
		return nil, fmt.Errorf("unknown quantity %q%s", quantity, names.Suggest(quantity, quantities()))
	}
	for part := range strings.SplitSeq(inside, ",") {
		if err := s.set(part); err != nil {
			return nil, err
		}
	}
	if err := s.complete(); err != nil {
		return nil, err
	}
	s.text = s.String()
	return s, nil
}

// quantities are the names of all.
func quantities() (found []string) {
	for _, e := range names.All() {
		if e.Group == names.GroupQuantity {
			found = append(found, e.Name)
		}
	}
	return found
}

// set reads one parameter.
func (s *selector) set(part string) error {
	name, text, ok := strings.Cut(strings.TrimSpace(part), "=")
	if !ok {
		return fmt.Errorf("%q is no parameter=value", strings.TrimSpace(part))
	}
	a := s.of.Axis(name)
	if a == nil {
		var known []string
		for _, a := range s.of.Axes {
			known = append(known, a.Name)
		}
		return names.UnknownError{Kind: "parameter of " + s.of.Name, Name: name, Names: known}
	}
	if _, twice := s.values[name]; twice {
		return fmt.Errorf("%s stands there twice", name)
	}
	v, err := a.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.values[name] = v
	return nil
}

// complete gives the parameters that may be left out, and wants all others: of the shared
// ones any, or where they are crossed each, whose points are then the scalings.
func (s *selector) complete() error {
	var shared, lacks []string
	for i := range s.of.Axes {
		a := &s.of.Axes[i]
		_, given := s.values[a.Name]
		switch {
		case a.Shared:
			if shared = append(shared, a.Name); !given {
				lacks = append(lacks, a.Name)
			}
		case !given:
			if err := s.omitted(a); err != nil {
				return err
			}
		}
	}
	switch {
	case s.of.Crossed && len(lacks) > 0:
		return fmt.Errorf("lacks %s: a row of %s has one value of each of %s", strings.Join(lacks, " and "), s.of.Name, strings.Join(shared, ", "))
	case len(shared) > 0 && len(lacks) == len(shared):
		return errors.New("lacks its scale: an exponent, or another one of the experiment")
	}
	return nil
}

// omitted gives a parameter its usual value.
func (s *selector) omitted(a *experiment.Axis) error {
	text := a.Omit
	if a.Name == names.ParamLaw {
		text = names.LawNormal
	}
	if text == "" {
		return fmt.Errorf("lacks the parameter %s (%s)", a.Name, a.Doc())
	}
	v, err := a.Parse(text)
	s.values[a.Name] = v
	return err
}

// String writes the row, but for what ids of cells leave out.
func (s *selector) String() string {
	var parts []string
	for i := range s.of.Axes {
		a := &s.of.Axes[i]
		if v, ok := s.values[a.Name]; ok && (a.Omit == "" || v.String() != a.Omit) && (a.Name != names.ParamLaw || v.Name != names.LawNormal) {
			parts = append(parts, a.Name+"="+v.String())
		}
	}
	return s.of.Name + "." + s.quantity + "[" + strings.Join(parts, ", ") + "]"
}

// cell is what has to be drawn for the row.
func (s *selector) cell() experiment.Cell {
	drawn := map[string]experiment.Value{}
	for _, a := range s.of.Axes {
		if v, ok := s.values[a.Name]; ok && !a.Shared {
			drawn[a.Name] = v
		}
	}
	return experiment.NewCell(s.of, drawn)
}

// Rows finds rows of a document.
type Rows struct {
	of map[[2]string][]*result.Estimate // by cell and quantity
}

// NewRows indexes the rows of a document.
func NewRows(estimates []result.Estimate) *Rows {
	r := &Rows{map[[2]string][]*result.Estimate{}}
	for i := range estimates {
		e := &estimates[i]
		key := [2]string{e.Cell, e.Quantity}
		r.of[key] = append(r.of[key], e)
	}
	return r
}

// find is the row of a selector, nil if there is none.
func (s *selector) find(rows *Rows) *result.Estimate {
	for _, e := range rows.of[[2]string{s.cell().ID, s.quantity}] {
		if e.Experiment == s.of.Name && s.matches(e.Params) {
			return e
		}
	}
	return nil
}

// matches reports whether a row stands at the selector's point of the shared axes; the
// others are the cell's.
func (s *selector) matches(params result.Params) bool {
	for _, a := range s.of.Axes {
		v, wanted := s.values[a.Name]
		has, there := params[a.Name]
		if a.Shared && (wanted != there || wanted && has != v.Any()) {
			return false
		}
	}
	return true
}

// farther is how many times as far as its interval of 95 % a row may be from its value:
// about four standard errors, which a row passes once in ten thousand times.
const farther = 2

// value is that of the row, with the numbers that it may stand for.
func (s *selector) value(rows *Rows) (value float64, of Interval, why string) {
	e := s.find(rows)
	switch {
	case e == nil:
		return 0, Interval{}, "is not drawn in this run"
	case !e.Value.Present() || !e.Lo.Present() || !e.Hi.Present():
		return 0, Interval{}, "has no interval"
	}
	value = float64(e.Value)
	return value, Interval{value - float64(farther*(value-float64(e.Lo))), value + float64(farther*(float64(e.Hi)-value))}, ""
}
