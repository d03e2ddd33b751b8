package claim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// RowRef names one row: softmax.max_weight[d_k=64, keys=8, exponent=1/2]. A distribution that is not
// named is normal.
type RowRef struct {
	Text     string
	Of       *experiment.Experiment
	Quantity string
	Values   map[string]experiment.AxisValue // of the row of a claim, by axis: what is drawn for it
	// written are the parameters that a document must have of it; of others it has the usual values.
	written result.Params
	// At makes an error of where the row stands in its ledger.
	At func(error) error
}

// ParseClaimRow reads the row of a claim, which names all that has to be drawn for it.
func ParseClaimRow(text string) (*RowRef, error) {
	s, err := parseRow(text, (*RowRef).set)
	if err != nil {
		return nil, err
	}
	if s.Of.Sampler == nil {
		return nil, fmt.Errorf("%s draws nothing; name a row of %s", s.Of.Name, s.Of.ReadsFrom)
	}
	if err := s.complete(); err != nil {
		return nil, err
	}
	var parts []string
	for i := range s.Of.Axes {
		a := &s.Of.Axes[i]
		if v, ok := s.Values[a.Name]; ok && !unsaid(a, v.Any()) {
			parts, s.written[a.Name] = append(parts, a.Name+"="+v.String()), v.Any()
		}
	}
	s.Text = s.Of.Name + "." + s.Quantity + "[" + strings.Join(parts, ", ") + "]"
	return s, nil
}

// ParseRow reads a row that may stand anywhere in a document, also where nothing is drawn for
// it alone: its parameters are those that the document has.
func ParseRow(text string) (*RowRef, error) { return parseRow(text, (*RowRef).write) }

// parseRow reads a row with what takes its parameters.
func parseRow(text string, take func(s *RowRef, name, value string) error) (*RowRef, error) {
	of, quantity, inside, err := SplitRow(text)
	if err != nil {
		return nil, err
	}
	s := &RowRef{Text: text, Of: of, Quantity: quantity, Values: map[string]experiment.AxisValue{},
		written: result.Params{}}
	for part := range strings.SplitSeq(inside, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no parameter=value", part)
		}
		if err := take(s, name, value); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// SplitRow are the experiment and the quantity of a row, and what stands in its brackets.
func SplitRow(text string) (of *experiment.Experiment, quantity, inside string, err error) {
	head, inside, ok := strings.Cut(text, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	name, quantity, dotted := strings.Cut(strings.TrimSpace(head), ".")
	if !ok || !closed || !dotted {
		return nil, "", "", fmt.Errorf("%q is not a row; write experiment.quantity[parameter=value, …]", text)
	}
	if of, err = all.Lookup(name); err != nil {
		return nil, "", "", err
	}
	if _, ok := names.Lookup(names.GroupQuantity, quantity); !ok {
		return nil, "", "", fmt.Errorf("unknown quantity %q%s", quantity,
			names.Suggest(quantity, names.NamesIn(names.GroupQuantity)))
	}
	return of, quantity, inside, nil
}

// set takes a parameter of an axis, which is drawn.
func (s *RowRef) set(name, text string) error {
	a := s.Of.Axis(name)
	if a == nil {
		known := names.Map(s.Of.Axes, func(a experiment.Axis) string { return a.Name })
		return names.UnknownError{Kind: "parameter of " + s.Of.Name, Name: name, Names: known}
	}
	if _, twice := s.Values[name]; twice {
		return fmt.Errorf("%s stands there twice", name)
	}
	v, err := a.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.Values[name] = v
	return nil
}

// write takes a parameter as documents have it.
func (s *RowRef) write(name, value string) error {
	if _, known := names.Lookup(names.GroupParameter, name); !known {
		return names.UnknownError{Kind: "parameter", Name: name, Names: names.NamesIn(names.GroupParameter)}
	}
	s.written[name] = value
	x, err := experiment.Number(value)
	if err == nil { // also between those of an axis, as the middle of two d_k
		s.written[name] = x
	} else if a := s.Of.Axis(name); a != nil {
		v, err := a.Parse(value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.written[name] = v.Any()
	}
	return nil
}

// complete gives the parameters that may be left out, and wants all others: of the shared
// ones any, or where they are crossed each, whose points are then the scalings.
func (s *RowRef) complete() error {
	var shared, lacks []string
	for i := range s.Of.Axes {
		a := &s.Of.Axes[i]
		_, given := s.Values[a.Name]
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
	case s.Of.CartesianScalings && len(lacks) > 0:
		return fmt.Errorf("lacks %s: a row of %s has one value of each of %s", strings.Join(lacks, " and "),
			s.Of.Name, strings.Join(shared, ", "))
	case len(shared) > 0 && len(lacks) == len(shared):
		return errors.New("lacks its scale: an exponent, or another one of the experiment")
	}
	return nil
}

// omitted gives a parameter its usual value.
func (s *RowRef) omitted(a *experiment.Axis) error {
	text := a.OmittedValue
	if a.Name == names.ParamDistribution {
		text = names.DistributionNormal
	}
	if text == "" {
		return fmt.Errorf("lacks the parameter %s (%s)", a.Name, a.Doc())
	}
	v, err := a.Parse(text)
	s.Values[a.Name] = v
	return err
}

// Cell is what has to be drawn for the row.
func (s *RowRef) Cell() experiment.Cell {
	drawn := map[string]experiment.AxisValue{}
	for _, a := range s.Of.Axes {
		if v, ok := s.Values[a.Name]; ok && !a.Shared {
			drawn[a.Name] = v
		}
	}
	return experiment.NewCell(s.Of, drawn)
}

// Find is the row of a document, nil if there is none: of two estimators the one that needs no
// name. Who asks often has the document indexed.
func (s *RowRef) Find(in *result.Document) (found *result.Estimate) {
	for e := range in.Rows(s.Of.Name, s.Quantity, s.written) {
		_, named := e.Params[names.ParamEstimator]
		if s.usual(e.Params) && (found == nil || !named) {
			found = e
		}
	}
	return found
}

// usual reports whether a row has no unusual parameters beside the written ones.
func (s *RowRef) usual(params result.Params) bool {
	for name, value := range params {
		_, given := s.written[name]
		a := s.Of.Axis(name)
		ofClaim := a == nil && len(s.Values) > 0 // whose parameters are axes
		if !given && !ofClaim && !slices.Contains(s.Of.Reader.ImpliedParams, name) && name != names.ParamEstimator &&
			!unsaid(a, value) {
			return false
		}
	}
	return true
}

// unsaid reports whether a value of an axis need not be named.
func unsaid(a *experiment.Axis, value any) bool {
	return a != nil && (a.OmittedValue != "" && fmt.Sprint(value) == a.OmittedValue ||
		a.Name == names.ParamDistribution && value == names.DistributionNormal)
}
