// Package selection chooses rows of results by what users ask for.
package selection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Flags are what rows must have to be chosen: all rows have what nobody asks for.
type Flags struct{ experiments, quantities, where []string }

// Add makes the flags.
func (f *Flags) Add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&f.experiments, "experiment", nil, "rows of the experiment `NAME` alone, or of several with commas between")
	flags.StringSliceVar(&f.quantities, "quantity", nil, "rows of the quantity `NAME` alone, or of several with commas between")
	flags.StringArrayVar(&f.where, "where", nil, "rows with this value of a parameter alone, `NAME=VALUE`, such as d_k=64; may be repeated")
	flag.OfferBy(c, "experiment", each(func(e *result.Estimate) string { return e.Experiment }))
	flag.OfferBy(c, "quantity", each(func(e *result.Estimate) string { return e.Quantity }))
	flag.OfferBy(c, "where", offered(conditions))
}

// Rows are those of a document that have all that is asked for. A name or a value that no
// row has is an error, which suggests one that some row has.
func (f *Flags) Rows(doc *result.Document) ([]result.Estimate, error) {
	rows, err := among(doc.Estimates, doc.Estimates, "experiment", f.experiments, func(e *result.Estimate) string { return e.Experiment })
	if err == nil {
		rows, err = among(rows, doc.Estimates, "quantity", f.quantities, func(e *result.Estimate) string { return e.Quantity })
	}
	for _, asked := range f.where {
		if err == nil {
			rows, err = at(rows, asked)
		}
	}
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("the results have no rows")
	}
	return rows, err
}

// among keeps the rows that have one of the names, of all that the document has.
func among(rows, all []result.Estimate, kind string, wanted []string, of func(*result.Estimate) string) ([]result.Estimate, error) {
	if len(wanted) == 0 {
		return rows, nil
	}
	valid := once(rows, of)
	for _, name := range wanted {
		known := slices.ContainsFunc(all, func(e result.Estimate) bool { return of(&e) == name })
		switch {
		case known && !slices.Contains(valid, name):
			return nil, fmt.Errorf("--%s: no row of %s has the %s %s", kind, strings.Join(once(rows, func(e *result.Estimate) string { return e.Experiment }), ", "), kind, name)
		case !known:
			return nil, fmt.Errorf("--%s: %w", kind, names.UnknownError{Kind: kind, Name: name, Names: valid})
		}
	}
	return keep(rows, func(e *result.Estimate) bool { return slices.Contains(wanted, of(e)) }), nil
}

// at keeps the rows with a value of a parameter, written NAME=VALUE.
func at(rows []result.Estimate, asked string) ([]result.Estimate, error) {
	name, value, ok := strings.Cut(asked, "=")
	if !ok {
		return nil, fmt.Errorf("--where: %q is not NAME=VALUE, such as d_k=64", asked)
	}
	var params, values []string
	for i := range rows {
		for p := range rows[i].Params {
			if !slices.Contains(params, p) {
				params = append(params, p)
			}
		}
		if text, has := rows[i].ParamText(name); has && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	if len(values) == 0 {
		slices.Sort(params)
		return nil, fmt.Errorf("--where: %w", names.UnknownError{Kind: "parameter", Name: name, Names: params})
	}
	if name == names.ParamLaw && value == names.AliasGaussian {
		value = names.LawNormal
	}
	number, err := experiment.Number(value)
	kept := keep(rows, func(e *result.Estimate) bool {
		if x, ok := e.Params.Number(name); ok && err == nil {
			return x == number
		}
		text, has := e.ParamText(name)
		return has && (text == value || e.Params[name] == value)
	})
	if len(kept) == 0 {
		return nil, fmt.Errorf("--where: no row has %s=%s; there it is one of %s", name, value, strings.Join(values, ", "))
	}
	return kept, nil
}

// keep returns the rows that are wanted, in their order.
func keep(rows []result.Estimate, wanted func(*result.Estimate) bool) []result.Estimate {
	var kept []result.Estimate
	for i := range rows {
		if wanted(&rows[i]) {
			kept = append(kept, rows[i])
		}
	}
	return kept
}
