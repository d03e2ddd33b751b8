// Package names holds every name that a plan, a document or a table of mcsim can
// have, and says what it means: experiments, quantities, parameters and their
// values, distributions, rules, initialisations, labels and columns, and other terms of the texts.
//
// People write the table, names.txt. If code uses a name, the table also has its constant, and
// generate.go writes constants.go. Constants of quantities have no prefix, such as ScoreVariance;
// all others begin with the kind of thing that they name: ExperimentSoftmax, ParamKeys,
// DistributionNormal, ColumnValue. Names of quantiles follow a grammar: Quantile composes them, and
// Lookup defines them. An unknown name is an UnknownError, which suggests the nearest.
package names

//go:generate go run generate.go

import (
	"slices"
)

// The groups of names. A name can stand in several: rule is a parameter, and
// normal a distribution, but variance an experiment alone.
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

// Entry says what a name means. Formulas are plain text: S = q·k is a score of d_k
// components, α are the weights of a row of n keys, J = diag(α) − ααᵀ, E is the
// expected value, κ the fourth moment of a component, ln the natural logarithm.
type Entry struct {
	Group      string `json:"group"` // one of the groups above
	Name       string `json:"name"`
	Title      string `json:"title"`                // what it is in a few words, as a line of help has it
	Definition string `json:"definition,omitempty"` // the same in one or more sentences
	Formula    string `json:"formula,omitempty"`    // empty where there is none
	Unit       string `json:"unit,omitempty"`       // 1 for a pure number; empty for what is not a number
	Range      string `json:"range,omitempty"`      // of its values: 0..1, ≥ 0, any; empty for what is not a number
	Source     string `json:"source,omitempty"`     // who defined it, or the place of mcsim that computes it

	// Lines: it stands in the lines of a document alone, and not in estimates.csv.
	Lines bool `json:"-"`

	Omitted   string `json:"-"` // of a parameter: the value that ids of cells and params of rows leave out
	omittedBy string // and the experiment whose rows do

	row   string // definition of the number of one row, of which there are quantiles
	stack string // definition of the number of a layer of one stack, likewise

	signs string // that formulas have for it, in their case: S is a score
}

// Fraction reports whether what is named lies between 0 and 1.
func (e Entry) Fraction() bool { return e.Range == fraction }

// fraction is the range of what lies between 0 and 1, and pure the unit of a number without.
const (
	fraction = "0..1"
	pure     = "1"
)

// Entries lists the entries group by group. Nobody may change them.
func Entries() []Entry { return table }

// Map is what a function makes of each value; nil of none.
func Map[T, U any](values []T, of func(T) U) (out []U) {
	for _, v := range values {
		out = append(out, of(v))
	}
	return out
}

// NamesIn lists the names of a group.
func NamesIn(group string) (all []string) {
	for _, e := range table {
		if e.Group == group {
			all = append(all, e.Name)
		}
	}
	return all
}

// Lookup returns the entry of a name in a group. That of a quantile is composed
// from the quantity's, that of some gates from a gate's or a quantity's.
func Lookup(group, name string) (Entry, bool) {
	i := slices.IndexFunc(table, func(e Entry) bool { return e.Group == group && e.Name == name })
	switch {
	case i >= 0:
		return table[i], true
	case group == GroupQuantity:
		e, ok := composed(name)
		e.Group = group
		return e, ok
	case group == GroupGate:
		return composedGate(name)
	}
	return Entry{}, false
}

// EntryOf returns the entry of a name. One that has none is its own title, so that a running
// program shows the name, as the plan or document has it, rather than nothing or an end:
// that it lacks an entry is for the tests of the tables to say, which ask Lookup.
func EntryOf(group, name string) Entry {
	if e, ok := Lookup(group, name); ok {
		return e
	}
	return Entry{Group: group, Name: name, Title: name}
}
