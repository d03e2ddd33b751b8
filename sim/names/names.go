// Package names defines every name that a plan, a document of results or a table of mcsim can have:
// experiments, quantities, parameters and their values, distributions, rules, initialisations,
// labels and columns, and other terms of the texts.
//
// The table of names, names.txt, is written by hand. If Go code uses a name, its block in the table
// also has the name of a Go constant, and generate.go writes these constants to constants.go.
// Constants of quantities have no prefix, such as ScoreVariance. Most others begin with the group
// of their name: ExperimentSoftmax, ParamKeys, DistributionNormal, ColumnValue. [Quantile] composes
// the names of quantiles. [Lookup] composes the entries of such names. [UnknownError] suggests
// similar names.
package names

//go:generate go run generate.go

import (
	"slices"
)

// The groups of names. A name can be in several groups: softmax is an experiment, a value and a
// term.
const (
	GroupExperiment     = "experiment"
	GroupQuantity       = "quantity"
	GroupParameter      = "parameter"
	GroupValue          = "value"
	GroupGate           = "gate"
	GroupControl        = "control"
	GroupDistribution   = "distribution"
	GroupRule           = "rule"
	GroupInitialisation = "initialisation"
	GroupLabel          = "label"
	GroupColumn         = "column"
	GroupTerm           = "term"
	GroupExample        = "example"
	GroupStep           = "step"
	GroupClaim          = "claim"
)

// Entry defines a name. Formulas are plain text: S = q·k is a score of d_k components, α are the
// weights of a row of n keys, J = diag(α) − ααᵀ, E is the expected value, κ the fourth moment of a
// component, ln the natural logarithm.
type Entry struct {
	Group      string `json:"group"` // one of the constants Group…
	Name       string `json:"name"`
	Title      string `json:"title"`                // a few words, as in a line of help
	Definition string `json:"definition,omitempty"` // one or more sentences
	Formula    string `json:"formula,omitempty"`
	Unit       string `json:"unit,omitempty"`   // 1 for a pure number; empty if the name is not of a number
	Range      string `json:"range,omitempty"`  // range of the values: 0..1, ≥ 0, any; may be empty
	Source     string `json:"source,omitempty"` // who defined it, or the file of mcsim that computes it

	Lines bool `json:"-"` // whether the quantity or parameter is only in curves and not in estimates.csv

	// Omitted is the default value of a parameter. The IDs of cells omit it, and so do the
	// parameters of estimates.
	Omitted string `json:"-"`
	// omittingExperiment is the experiment whose estimates omit that value.
	omittingExperiment string

	rowDefinition   string // definition for one attention row, if the quantity has quantiles over rows
	stackDefinition string // definition for a layer of one stack of layers, if it has quantiles over stacks

	symbols string // symbols of the name in formulas, case-sensitive and separated by spaces
}

// IsFraction reports whether the range of the quantity is 0 to 1.
func (e Entry) IsFraction() bool { return e.Range == fractionRange }

// fractionRange is the Range of a fraction, and pureUnit the Unit of a pure number.
const (
	fractionRange = "0..1"
	pureUnit      = "1"
)

// Entries returns all entries, group by group. Callers must not change them.
func Entries() []Entry { return table }

// Map returns convert(v) for each of the values, or nil if there are no values.
func Map[T, U any](values []T, convert func(T) U) (converted []U) {
	for _, v := range values {
		converted = append(converted, convert(v))
	}
	return converted
}

// NamesIn returns the names of a group.
func NamesIn(group string) (found []string) {
	for _, e := range table {
		if e.Group == group {
			found = append(found, e.Name)
		}
	}
	return found
}

// Lookup returns the entry of a name in a group. If the table does not have the name, Lookup
// composes the entry of a quantile from the entry of its quantity, and the entry of some gates from
// the entry of another gate or of a quantity.
func Lookup(group, name string) (Entry, bool) {
	i := slices.IndexFunc(table, func(e Entry) bool { return e.Group == group && e.Name == name })
	switch {
	case i >= 0:
		return table[i], true
	case group == GroupQuantity:
		e, ok := composeQuantileEntry(name)
		e.Group = group
		return e, ok
	case group == GroupGate:
		return composeGateEntry(name)
	}
	return Entry{}, false
}

// EntryOf returns the entry of a name. For an unknown name it returns an entry with the name as its
// title, so that a running program shows at least the name. Tests use Lookup instead, and report
// names without an entry.
func EntryOf(group, name string) Entry {
	if e, ok := Lookup(group, name); ok {
		return e
	}
	return Entry{Group: group, Name: name, Title: name}
}
