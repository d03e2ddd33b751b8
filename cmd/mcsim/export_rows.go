package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// selection is what rows must have to be chosen: all rows have what nobody asks for.
type selection struct{ experiments, quantities, where []string }

// What rows are chosen by their names.
func experimentOf(e *result.Estimate) string { return e.Experiment }
func quantityOf(e *result.Estimate) string   { return e.Quantity }

// add makes the flags.
func (s *selection) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&s.experiments, "experiment", nil, "rows of the experiment `NAME` alone, or of several with commas between")
	flags.StringSliceVar(&s.quantities, "quantity", nil, "rows of the quantity `NAME` alone, or of several with commas between")
	flags.StringArrayVar(&s.where, "where", nil, "rows with this value of a parameter alone, `NAME=VALUE`, or one of several with commas between, such as d_k=64 or exponent=0,1/2; may be repeated")
	flag.Offer(flags, "experiment", experiments()...)
	flag.Offer(flags, "quantity", quantities()...)
}

// quantities are those that rows may have.
func quantities() (found []string) {
	for _, e := range names.All() {
		if e.Group == names.GroupQuantity && !e.Lines {
			found = append(found, e.Name)
		}
	}
	return found
}

// texts are the different texts of rows, in the order of the rows.
func texts(rows []result.Estimate, of func(*result.Estimate) string) (found []string) {
	for i := range rows {
		found = append(found, of(&rows[i]))
	}
	return flag.Distinct(found)
}

// params are the parameters that some row has, sorted.
func params(rows []result.Estimate) []string {
	has := map[string]bool{}
	for i := range rows {
		for name := range rows[i].Params {
			has[name] = true
		}
	}
	return slices.Sorted(maps.Keys(has))
}

// valuesOf are the different values that rows have of a parameter: numbers by their size,
// and then names.
func valuesOf(rows []result.Estimate, name string) (found []string) {
	for i := range rows {
		if text, has := rows[i].ParamText(name); has {
			found = append(found, text)
		}
	}
	found = flag.Distinct(found)
	slices.SortStableFunc(found, func(a, b string) int {
		x, errX := experiment.Number(a)
		y, errY := experiment.Number(b)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(x, y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return 0
	})
	return found
}

// rows are those of a document that have all that is asked for. A name or a value that no
// row has is an error, which suggests one that some row has.
func (s *selection) rows(doc *result.Document) ([]result.Estimate, error) {
	rows, err := among(doc.Estimates, doc.Estimates, "experiment", s.experiments, experimentOf)
	if err == nil {
		rows, err = among(rows, doc.Estimates, "quantity", s.quantities, quantityOf)
	}
	for _, asked := range s.where {
		if err == nil {
			rows, err = at(rows, asked)
		}
	}
	if err == nil && len(rows) == 0 {
		err = errors.New("the results have no rows")
	}
	return rows, err
}

// among keeps the rows that have one of the names, of all that the document has.
func among(rows, all []result.Estimate, kind string, wanted []string, of func(*result.Estimate) string) ([]result.Estimate, error) {
	if len(wanted) == 0 {
		return rows, nil
	}
	valid := texts(rows, of)
	for _, name := range wanted {
		known := slices.ContainsFunc(all, func(e result.Estimate) bool { return of(&e) == name })
		switch {
		case known && !slices.Contains(valid, name):
			return nil, fmt.Errorf("--%s: no row of %s has the %s %s", kind, strings.Join(texts(rows, experimentOf), ", "), kind, name)
		case !known:
			return nil, fmt.Errorf("--%s: %w", kind, names.UnknownError{Kind: kind, Name: name, Names: valid})
		}
	}
	return keep(rows, func(e *result.Estimate) bool { return slices.Contains(wanted, of(e)) }), nil
}

// at keeps the rows with one of the values of a parameter, written NAME=VALUE,VALUE.
func at(rows []result.Estimate, asked string) ([]result.Estimate, error) {
	name, list, ok := strings.Cut(asked, "=")
	if !ok {
		return nil, fmt.Errorf("--where: %q is not NAME=VALUE, such as d_k=64", asked)
	}
	there := valuesOf(rows, name)
	if len(there) == 0 {
		return nil, fmt.Errorf("--where: %w", names.UnknownError{Kind: "parameter", Name: name, Names: params(rows)})
	}
	var wanted []func(*result.Estimate) bool
	for value := range strings.SplitSeq(list, ",") {
		has := having(name, value)
		if len(keep(rows, has)) == 0 {
			return nil, fmt.Errorf("--where: no row has %s=%s; there it is one of %s", name, value, strings.Join(there, ", "))
		}
		wanted = append(wanted, has)
	}
	return keep(rows, func(e *result.Estimate) bool {
		return slices.ContainsFunc(wanted, func(has func(*result.Estimate) bool) bool { return has(e) })
	}), nil
}

// having reports whether a row has a value of a parameter, a number in any spelling.
func having(name, value string) func(*result.Estimate) bool {
	if name == names.ParamLaw && value == names.AliasGaussian {
		value = names.LawNormal
	}
	number, err := experiment.Number(value)
	return func(e *result.Estimate) bool {
		if x, ok := e.Params.Number(name); ok && err == nil {
			return x == number
		}
		text, has := e.ParamText(name)
		return has && (text == value || e.Params[name] == value)
	}
}

// keep returns the rows that are wanted, in their order.
func keep(rows []result.Estimate, wanted func(*result.Estimate) bool) (kept []result.Estimate) {
	for i := range rows {
		if wanted(&rows[i]) {
			kept = append(kept, rows[i])
		}
	}
	return kept
}
