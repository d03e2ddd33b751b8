// Package selection has the flags that select estimates of results.
package selection

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

// Selection selects estimates by their experiment, quantity and parameters. An empty list selects
// all estimates.
type Selection struct {
	experiments, quantities []string
	conditions              []string // NAME=VALUE or NAME=VALUE,VALUE… for parameters
}

// Add adds the flags to a command.
func (s *Selection) Add(c *cobra.Command) {
	flags := c.Flags()
	const orSeveral = ", or of several (comma-separated)"
	flags.StringSliceVar(&s.experiments, "experiment", nil, "only rows of the experiment `NAME`"+orSeveral)
	flags.StringSliceVar(&s.quantities, "quantity", nil, "only rows of the quantity `NAME`"+orSeveral)
	flags.StringArrayVar(&s.conditions, "where", nil, "only rows with this value of a parameter, `NAME=VALUE`, or "+
		"with one of several (comma-separated), such as d_k=64 or exponent=0,1/2; may be repeated")
	cmdline.CompleteValues(c, "experiment", namesInGroup(names.GroupExperiment)...)
	cmdline.CompleteValues(c, "quantity", namesInGroup(names.GroupQuantity)...)
	cmdline.CompleteWith(c, "where", completeWhere)
}

// completeWhere completes NAME=VALUE by the parameters and values in the results that the command
// line names.
func completeWhere(_ *cobra.Command, args []string, _ string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	_, doc, err := results.LocateAndRead(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, name := range paramNames(doc.Estimates) {
		for _, value := range distinctTexts(doc.Estimates, name) {
			found = append(found, name+"="+value)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// namesInGroup returns the names of a group that estimates can have.
func namesInGroup(group string) (found []string) {
	for _, e := range names.Entries() {
		if e.Group == group && !e.Lines {
			found = append(found, e.Name)
		}
	}
	return found
}

// paramNames returns the names of all parameters of the estimates, sorted.
func paramNames(estimates []result.Estimate) []string {
	found := map[string]bool{}
	for i := range estimates {
		for name := range estimates[i].Params {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// textOf returns the experiment, the quantity or a parameter of an estimate as text; ok is false if
// the estimate does not have the parameter.
func textOf(e *result.Estimate, name string) (value string, ok bool) {
	switch name {
	case names.ColumnExperiment:
		return e.Experiment, true
	case names.ColumnQuantity:
		return e.Quantity, true
	}
	return e.ParamText(name)
}

// distinctTexts returns the distinct texts that textOf returns for the name: first the numbers in
// ascending order, and then the other texts.
func distinctTexts(estimates []result.Estimate, name string) (found []string) {
	for i := range estimates {
		if value, ok := textOf(&estimates[i], name); ok {
			found = append(found, value)
		}
	}
	sortKey := func(value string) float64 {
		x, err := experiment.Number(value)
		if err != nil {
			return math.Inf(1)
		}
		return x
	}
	found = cmdline.RemoveDuplicates(found)
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(sortKey(a), sortKey(b)) })
	return found
}

// Select returns the selected estimates of a document. It refuses a name or a value that
// no estimate has, and suggests a similar one.
func (s *Selection) Select(doc *result.Document) (selected []result.Estimate, err error) {
	selected = doc.Estimates
	filter := func(flag, name string, values []string) {
		if err == nil && len(values) > 0 {
			selected, err = selectValues(selected, flag, name, values)
		}
	}
	filter("experiment", names.ColumnExperiment, s.experiments)
	filter("quantity", names.ColumnQuantity, s.quantities)
	for _, condition := range s.conditions {
		name, list, ok := strings.Cut(condition, "=")
		if err == nil && !ok {
			return nil, fmt.Errorf("--where: %q is not NAME=VALUE, such as d_k=64", condition)
		}
		if err == nil && len(distinctTexts(selected, name)) == 0 {
			err := names.UnknownError{Kind: "parameter", Name: name, Names: paramNames(selected)}
			return nil, fmt.Errorf("--where: %w", err)
		}
		filter("where", name, strings.Split(list, ","))
	}
	if err == nil && len(selected) == 0 {
		return nil, errors.New("the results have no rows")
	}
	return selected, err
}

// selectValues returns the estimates that have one of the values of a flag for the named
// experiment, quantity or parameter.
func selectValues(
	estimates []result.Estimate, flag, name string, values []string,
) (selected []result.Estimate, err error) {
	for _, value := range values {
		if !slices.ContainsFunc(estimates, hasValue(name, value)) {
			err := names.UnknownError{Kind: name, Name: value, Names: distinctTexts(estimates, name)}
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
	}
	for _, e := range estimates {
		if slices.ContainsFunc(values, func(value string) bool { return hasValue(name, value)(e) }) {
			selected = append(selected, e)
		}
	}
	return selected, nil
}

// hasValue returns a function that reports whether an estimate has a value for the named
// experiment, quantity or parameter. Two notations of the same number, such as 0.5 and 1/2, are
// equal.
func hasValue(name, value string) func(result.Estimate) bool {
	if name == names.ParamDistribution && value == names.AliasGaussian {
		value = names.DistributionNormal
	}
	number, err := experiment.Number(value)
	return func(e result.Estimate) bool {
		if x, ok := e.Params.Number(name); ok && err == nil {
			return x == number
		}
		text, ok := textOf(&e, name)
		return ok && (text == value || e.Params[name] == value)
	}
}
