package plot

import (
	"cmp"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// NamesOf lists what an axis of names shows.
func NamesOf(panels []Panel, doc *result.Document) (names []string) {
	for _, p := range panels {
		if !p.Y.Names {
			continue
		}
		filters := make([]rows.Filter, 0, len(p.Points)+1)
		for _, spec := range p.Points {
			filters = append(filters, spec.Rows)
		}
		if p.Heat != nil {
			filters = append(filters, p.Heat.Rows)
		}
		for _, f := range filters {
			for _, name := range rows.Names(rows.Estimates(doc, f), p.Y.Param) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if p.Y.Sorted {
			sortNames(names, rows.Estimates(doc, filters[0]), p.Y.Param)
		}
	}
	return names
}

// sortNames orders names by the theory of their rows, the largest first.
func sortNames(names []string, es []result.Estimate, param string) {
	of := map[string]float64{}
	for _, e := range es {
		name, _ := e.Params.Text(param)
		of[name] = float64(e.Theory)
		if !e.Theory.Present() {
			of[name] = float64(e.Value)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(of[b], of[a]) })
}

// RuleNames writes rules as people do; any other rule stands as it is.
var RuleNames = map[string]string{"sqrt(d_k/2)": `$\sqrt{d_k/2}$`, "sqrt(d_k)": `divided by $\sqrt{d_k}$`}

// symbols of parameters whose values are numbers.
var paramNames = map[string]string{"exponent": "p", "d_k": "d_k", "keys": "n", "sigma": `\sigma`, "temperature": "T"}

// NameOf writes the name of a series as a label.
func NameOf(k Key) string {
	if k.Estimator != "" {
		return NameOf(Key{By: k.By, Of: k.Of}) + ", " + label.Literal(k.Estimator)
	}
	switch of := k.Of.(type) {
	case float64:
		if k.By == "rho" { // as texts and tables write it
			return `$\rho = ` + digits.Short(of) + "$"
		}
		if name, ok := paramNames[k.By]; ok {
			return "$" + name + " = " + digits.Fraction(of) + "$"
		}
		return label.Literal(k.By + " = " + digits.Fraction(of))
	case string:
		if k.By == "" {
			return of // a label of the declaration
		}
		if name, ok := RuleNames[of]; ok {
			return name
		}
		return label.Literal(of)
	}
	return ""
}

// NameTicks marks an axis of names, the first at the top.
func NameTicks(names []string) []axis.Tick {
	var ts []axis.Tick
	for i, name := range slices.Backward(names) {
		ts = append(ts, axis.Tick{At: float64(len(names) - 1 - i), Label: NameOf(Key{By: "name", Of: name})})
	}
	return ts
}
