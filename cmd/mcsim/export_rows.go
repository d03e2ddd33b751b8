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

// selection selects rows by their experiment, quantity and parameters; each empty list selects all.
type selection struct{ experiments, quantities, where []string }

func (s *selection) add(c *cobra.Command) {
	flags := c.Flags()
	const list = " alone, or of several with commas between"
	flags.StringSliceVar(&s.experiments, "experiment", nil, "rows of the experiment `NAME`"+list)
	flags.StringSliceVar(&s.quantities, "quantity", nil, "rows of the quantity `NAME`"+list)
	flags.StringArrayVar(&s.where, "where", nil, "rows with this value of a parameter alone, `NAME=VALUE`, or one of "+
		"several with commas between, such as d_k=64 or exponent=0,1/2; may be repeated")
	cmdline.CompleteValues(c, "experiment", rowNames(names.GroupExperiment)...)
	cmdline.CompleteValues(c, "quantity", rowNames(names.GroupQuantity)...)
	cmdline.CompleteWith(c, "where", completeWhere)
}

// completeWhere completes parameters with the values that the results on the command line have.
func completeWhere(_ *cobra.Command, args []string, _ string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	_, doc, err := results.LocateAndRead(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, name := range paramNames(doc.Estimates) {
		for _, value := range valuesOf(doc.Estimates, name) {
			found = append(found, name+"="+value)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// rowNames returns the names of a group that rows may have.
func rowNames(group string) (found []string) {
	for _, e := range names.Entries() {
		if e.Group == group && !e.Lines {
			found = append(found, e.Name)
		}
	}
	return found
}

// paramNames returns the parameters that any row has, sorted.
func paramNames(rows []result.Estimate) []string {
	found := map[string]bool{}
	for i := range rows {
		for name := range rows[i].Params {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// valueOf returns what a row has under a name: its experiment, its quantity or a parameter.
func valueOf(e *result.Estimate, name string) (value string, ok bool) {
	switch name {
	case names.ColumnExperiment:
		return e.Experiment, true
	case names.ColumnQuantity:
		return e.Quantity, true
	}
	return e.ParamText(name)
}

// valuesOf returns the distinct values of rows under a name: numbers by size, then names.
func valuesOf(rows []result.Estimate, name string) (found []string) {
	for i := range rows {
		if value, ok := valueOf(&rows[i], name); ok {
			found = append(found, value)
		}
	}
	size := func(value string) float64 {
		x, err := experiment.Number(value)
		if err != nil {
			return math.Inf(1)
		}
		return x
	}
	found = cmdline.Distinct(found)
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(size(a), size(b)) })
	return found
}

// rows returns the selected rows of a document. It refuses a name or a value that no row has, and
// suggests one that some row has.
func (s *selection) rows(doc *result.Document) (rows []result.Estimate, err error) {
	rows = doc.Estimates
	filter := func(flag, name string, values []string) {
		if err == nil && len(values) > 0 {
			rows, err = selectRows(rows, flag, name, values)
		}
	}
	filter("experiment", names.ColumnExperiment, s.experiments)
	filter("quantity", names.ColumnQuantity, s.quantities)
	for _, condition := range s.where {
		name, list, ok := strings.Cut(condition, "=")
		if err == nil && !ok {
			return nil, fmt.Errorf("--where: %q is not NAME=VALUE, such as d_k=64", condition)
		}
		if err == nil && len(valuesOf(rows, name)) == 0 {
			err := names.UnknownError{Kind: "parameter", Name: name, Names: paramNames(rows)}
			return nil, fmt.Errorf("--where: %w", err)
		}
		filter("where", name, strings.Split(list, ","))
	}
	if err == nil && len(rows) == 0 {
		return nil, errors.New("the results have no rows")
	}
	return rows, err
}

// selectRows returns the rows with one of the values of a flag under a name.
func selectRows(rows []result.Estimate, flag, name string, values []string) (selected []result.Estimate, err error) {
	for _, value := range values {
		if !slices.ContainsFunc(rows, hasValue(name, value)) {
			err := names.UnknownError{Kind: name, Name: value, Names: valuesOf(rows, name)}
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
	}
	for _, row := range rows {
		if slices.ContainsFunc(values, func(value string) bool { return hasValue(name, value)(row) }) {
			selected = append(selected, row)
		}
	}
	return selected, nil
}

// hasValue reports whether a row has a value under a name. A number may be written in any way.
func hasValue(name, value string) func(result.Estimate) bool {
	if name == names.ParamDistribution && value == names.AliasGaussian {
		value = names.DistributionNormal
	}
	number, err := experiment.Number(value)
	return func(e result.Estimate) bool {
		if x, ok := e.Params.Number(name); ok && err == nil {
			return x == number
		}
		text, ok := valueOf(&e, name)
		return ok && (text == value || e.Params[name] == value)
	}
}
