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

// RowRef names one row, such as softmax.max_weight[d_k=64, keys=8, exponent=1/2]. The distribution
// is normal if it is not named.
type RowRef struct {
	Text       string
	Experiment *experiment.Experiment
	Quantity   string
	// Values maps axes to the values of the sampled cell. It is empty for a row that ParseRow
	// returns.
	Values map[string]experiment.AxisValue
	// params are the parameters that the row of a document must have. Its other parameters must
	// have default values.
	params result.Params
	// WrapError adds the position of the row in its ledger to an error.
	WrapError func(error) error
}

// ParseClaimRow parses the row of a claim. Its parameters must determine the cell that is sampled
// for it.
func ParseClaimRow(text string) (*RowRef, error) {
	ref, err := parseRow(text, (*RowRef).setAxisValue)
	if err != nil {
		return nil, err
	}
	if ref.Experiment.Sampler == nil {
		return nil, fmt.Errorf("%s draws nothing; name a row of %s", ref.Experiment.Name, ref.Experiment.ReadsFrom)
	}
	if err := ref.setDefaults(); err != nil {
		return nil, err
	}
	var parameters []string
	for i := range ref.Experiment.Axes {
		a := &ref.Experiment.Axes[i]
		if v, ok := ref.Values[a.Name]; ok && !isDefault(a, v.Any()) {
			parameters, ref.params[a.Name] = append(parameters, a.Name+"="+v.String()), v.Any()
		}
	}
	ref.Text = ref.Experiment.Name + "." + ref.Quantity + "[" + strings.Join(parameters, ", ") + "]"
	return ref, nil
}

// ParseRow parses a row of a document. The row may have any parameters that documents use and need
// not belong to a cell that can be sampled.
func ParseRow(text string) (*RowRef, error) { return parseRow(text, (*RowRef).setWrittenParameter) }

// parseRow parses a row and calls setParameter for each of its parameters.
func parseRow(text string, setParameter func(s *RowRef, name, value string) error) (*RowRef, error) {
	e, quantity, parameters, err := ParseRowName(text)
	if err != nil {
		return nil, err
	}
	ref := &RowRef{Text: text, Experiment: e, Quantity: quantity, Values: map[string]experiment.AxisValue{},
		params: result.Params{}}
	for parameter := range strings.SplitSeq(parameters, ",") {
		parameter = strings.TrimSpace(parameter)
		if parameter == "" {
			continue
		}
		name, value, ok := strings.Cut(parameter, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not parameter=value", parameter)
		}
		if err := setParameter(ref, name, value); err != nil {
			return nil, err
		}
	}
	return ref, nil
}

// ParseRowName splits experiment.quantity[parameters] and looks up the experiment and the
// quantity. It does not parse the parameters.
func ParseRowName(text string) (e *experiment.Experiment, quantity, parameters string, err error) {
	head, parameters, ok := strings.Cut(text, "[")
	parameters, closed := strings.CutSuffix(parameters, "]")
	name, quantity, dotted := strings.Cut(strings.TrimSpace(head), ".")
	if !ok || !closed || !dotted {
		return nil, "", "", fmt.Errorf("%q is not a row; write experiment.quantity[parameter=value, …]", text)
	}
	if e, err = all.Lookup(name); err != nil {
		return nil, "", "", err
	}
	if _, ok := names.Lookup(names.GroupQuantity, quantity); !ok {
		return nil, "", "", fmt.Errorf("unknown quantity %q%s", quantity,
			names.Suggest(quantity, names.NamesIn(names.GroupQuantity)))
	}
	return e, quantity, parameters, nil
}

// setAxisValue parses and sets the value of an axis.
func (s *RowRef) setAxisValue(name, text string) error {
	a := s.Experiment.Axis(name)
	if a == nil {
		known := names.Map(s.Experiment.Axes, func(a experiment.Axis) string { return a.Name })
		return names.UnknownError{Kind: "parameter of " + s.Experiment.Name, Name: name, Names: known}
	}
	if _, isRepeated := s.Values[name]; isRepeated {
		return fmt.Errorf("%s: duplicate parameter", name)
	}
	v, err := a.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.Values[name] = v
	return nil
}

// setWrittenParameter sets a parameter that a row of a document may have. A number need not be a
// value of the axis: a row of a pair of d_k has the value between them.
func (s *RowRef) setWrittenParameter(name, value string) error {
	if _, known := names.Lookup(names.GroupParameter, name); !known {
		return names.UnknownError{Kind: "parameter", Name: name, Names: names.NamesIn(names.GroupParameter)}
	}
	s.params[name] = value
	x, err := experiment.Number(value)
	if err == nil {
		s.params[name] = x
	} else if a := s.Experiment.Axis(name); a != nil {
		v, err := a.Parse(value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.params[name] = v.Any()
	}
	return nil
}

// setDefaults sets the default values of the axes that are not given. It returns an error for an
// axis without a default value. Values of shared axes are scalings: one of these axes must be
// given, or all of them if the scalings of the experiment are the Cartesian product of these axes.
func (s *RowRef) setDefaults() error {
	var shared, missing []string
	for i := range s.Experiment.Axes {
		a := &s.Experiment.Axes[i]
		_, given := s.Values[a.Name]
		switch {
		case a.Shared:
			shared = append(shared, a.Name)
			if !given {
				missing = append(missing, a.Name)
			}
		case !given:
			if err := s.setDefault(a); err != nil {
				return err
			}
		}
	}
	switch {
	case s.Experiment.CartesianScalings && len(missing) > 0:
		return fmt.Errorf("lacks %s: a row of %s has one value of each of %s", strings.Join(missing, " and "),
			s.Experiment.Name, strings.Join(shared, ", "))
	case len(shared) > 0 && len(missing) == len(shared):
		return errors.New("lacks its scale: an exponent, or another one of the experiment")
	}
	return nil
}

// setDefault sets the default value of an axis. It returns an error if there is no default value.
func (s *RowRef) setDefault(a *experiment.Axis) error {
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

// Cell returns the cell that is sampled for the row.
func (s *RowRef) Cell() experiment.Cell {
	values := map[string]experiment.AxisValue{}
	for _, a := range s.Experiment.Axes {
		if v, ok := s.Values[a.Name]; ok && !a.Shared {
			values[a.Name] = v
		}
	}
	return experiment.NewCell(s.Experiment, values)
}

// Find returns the row of a document, or nil if there is none. If there are rows of two estimators,
// it returns the row without the parameter "estimator". The document should be indexed if Find is
// called often.
func (s *RowRef) Find(doc *result.Document) (found *result.Estimate) {
	for e := range doc.Rows(s.Experiment.Name, s.Quantity, s.params) {
		_, hasEstimator := e.Params[names.ParamEstimator]
		if s.hasDefaultParams(e.Params) && (found == nil || !hasEstimator) {
			found = e
		}
	}
	return found
}

// hasDefaultParams reports whether all parameters that the reference does not name have default
// values.
func (s *RowRef) hasDefaultParams(params result.Params) bool {
	for name, value := range params {
		_, given := s.params[name]
		a := s.Experiment.Axis(name)
		// The row of a claim can name only axes, so it does not restrict other parameters.
		isUnrestricted := a == nil && len(s.Values) > 0
		isImplied := slices.Contains(s.Experiment.Reader.ImpliedParams, name) || name == names.ParamEstimator
		if !given && !isUnrestricted && !isImplied && !isDefault(a, value) {
			return false
		}
	}
	return true
}

// isDefault reports whether a value is the default value of an axis, which may be nil.
func isDefault(a *experiment.Axis, value any) bool {
	if a == nil {
		return false
	}
	isOmitted := a.OmittedValue != "" && fmt.Sprint(value) == a.OmittedValue
	return isOmitted || a.Name == names.ParamDistribution && value == names.DistributionNormal
}
