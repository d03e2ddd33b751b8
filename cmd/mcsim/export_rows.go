package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/results"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// selection is what rows must have to be chosen: all rows have what nobody asks for.
type selection struct{ experiments, quantities, where []string }

// textOf is what a row has under a name: its experiment, its quantity or a parameter.
func textOf(e *result.Estimate, name string) (text string, has bool) {
	switch name {
	case names.ColumnExperiment:
		return e.Experiment, true
	case names.ColumnQuantity:
		return e.Quantity, true
	}
	return e.ParamText(name)
}

// add makes the flags.
func (s *selection) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&s.experiments, "experiment", nil, "rows of the experiment `NAME` alone, or of several with commas between")
	flags.StringSliceVar(&s.quantities, "quantity", nil, "rows of the quantity `NAME` alone, or of several with commas between")
	flags.StringArrayVar(&s.where, "where", nil, "rows with this value of a parameter alone, `NAME=VALUE`, or one of several with commas between, such as d_k=64 or exponent=0,1/2; may be repeated")
	cmdline.CompleteValues(c, "experiment", named(names.GroupExperiment)...)
	cmdline.CompleteValues(c, "quantity", named(names.GroupQuantity)...)
	cmdline.CompleteWith(c, "where", func(_ *cobra.Command, args []string, _ string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
		if _, doc, err := results.LocateAndRead(args); err == nil { // values of the results that the line names
			for _, name := range params(doc.Estimates) {
				for _, value := range valuesOf(doc.Estimates, name) {
					found = append(found, name+"="+value)
				}
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	})
}

// named are the names of a group that rows may have.
func named(group string) (found []string) {
	for _, e := range names.All() {
		if e.Group == group && !e.Lines {
			found = append(found, e.Name)
		}
	}
	return found
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
		if text, has := textOf(&rows[i], name); has {
			found = append(found, text)
		}
	}
	found = cmdline.Distinct(found)
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(magnitude(a), magnitude(b)) })
	return found
}

// magnitude is that of a number, and of a name more than any.
func magnitude(text string) float64 {
	if x, err := experiment.Number(text); err == nil {
		return x
	}
	return math.Inf(1)
}

// rows are those of a document that have all that is asked for. A name or a value that no
// row has is an error, which suggests one that some row has.
func (s *selection) rows(doc *result.Document) (rows []result.Estimate, err error) {
	rows = doc.Estimates
	if len(s.experiments) > 0 {
		rows, err = at(rows, "experiment", names.ColumnExperiment, s.experiments)
	}
	if err == nil && len(s.quantities) > 0 {
		rows, err = at(rows, "quantity", names.ColumnQuantity, s.quantities)
	}
	for _, asked := range s.where {
		name, list, ok := strings.Cut(asked, "=")
		switch {
		case err != nil:
		case !ok:
			err = fmt.Errorf("--where: %q is not NAME=VALUE, such as d_k=64", asked)
		case len(valuesOf(rows, name)) == 0:
			err = fmt.Errorf("--where: %w", names.UnknownError{Kind: "parameter", Name: name, Names: params(rows)})
		default:
			rows, err = at(rows, "where", name, strings.Split(list, ","))
		}
	}
	if err == nil && len(rows) == 0 {
		err = errors.New("the results have no rows")
	}
	return rows, err
}

// at keeps the rows with one of the values under a name, which a flag asks for.
func at(rows []result.Estimate, by, name string, values []string) (kept []result.Estimate, err error) {
	for _, value := range values {
		if !slices.ContainsFunc(rows, having(name, value)) {
			return nil, fmt.Errorf("--%s: %w", by, names.UnknownError{Kind: name, Name: value, Names: valuesOf(rows, name)})
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(e result.Estimate) bool {
		return !slices.ContainsFunc(values, func(value string) bool { return having(name, value)(e) })
	}), nil
}

// having reports whether a row has a value of a parameter, a number in any spelling.
func having(name, value string) func(result.Estimate) bool {
	if name == names.ParamDistribution && value == names.AliasGaussian {
		value = names.DistributionNormal
	}
	number, err := experiment.Number(value)
	return func(e result.Estimate) bool {
		if x, ok := e.Params.Number(name); ok && err == nil {
			return x == number
		}
		text, has := textOf(&e, name)
		return has && (text == value || e.Params[name] == value)
	}
}
