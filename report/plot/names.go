package plot

import (
	"slices"
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// nameRows lists the rows of an axis of names.
func (p *Data) nameRows(doc *result.Document) {
	if !p.Y.Names {
		return
	}
	first := map[string]result.Estimate{} // the row of a name
	for _, spec := range p.Points {
		for _, m := range p.marks(spec, Key{}, doc) {
			name, ok := p.rowName(m.Shown)
			if _, named := first[name]; ok && !named {
				first[name] = m.Row
				p.RowNames = append(p.RowNames, name)
			}
		}
	}
	if p.Order != nil {
		slices.SortStableFunc(p.RowNames, func(a, b string) int { return p.Order(first[a], first[b]) })
	}
}

// rowName returns the row of an axis of names in which an estimate is.
func (p Panel) rowName(e result.Estimate) (string, bool) {
	if p.RowName != nil {
		return p.RowName(e), true
	}
	return e.Params.Text(p.Y.Param)
}

// heightOf returns the height of the row of an estimate.
func (p *Data) heightOf(e result.Estimate) (float64, bool) {
	name, ok := p.rowName(e)
	row := slices.Index(p.RowNames, name)
	return float64(len(p.RowNames) - 1 - row), ok && row >= 0
}

// RuleNames are rules and optimisers as people write them; others keep their names.
var RuleNames = map[string]string{
	names.RuleHalfRoot: `$\sqrt{d_k/2}$`, names.ScaleRoot: `divided by $\sqrt{d_k}$`,
	names.OptimiserDescent: "gradient descent", names.OptimiserAdam: "Adam",
}

// constants are the symbols of the parameters of rules in their formulas.
var constants = map[string]string{
	names.RulePower: "p", names.RuleTemperature: "T", names.RuleLearned: "c", names.RuleLogKeys: "s",
	names.RuleYaRN: "s", names.RuleCosine: "s", names.RuleQKNorm: "g", names.RuleSoftCap: "c",
	names.RuleAdditive: "d_a",
}

// scaleOf writes the divisor of an exponent, and the exponent.
func scaleOf(p float64) string {
	scale := "$d_k^{" + digits.Fraction(p) + "}$"
	switch p {
	case 0:
		scale = "unscaled"
	case 0.5:
		scale = `$\sqrt{d_k}$`
	case 1:
		scale = "$d_k$"
	}
	return scale + ", $p = " + digits.Fraction(p) + "$"
}

// NameOf returns the name of a series as a label.
func NameOf(k Key) string {
	switch v := k.Value.(type) {
	case float64:
		symbol, hasSymbol := label.Parameters[k.By]
		switch {
		case k.By == names.ParamRho: // as texts and tables write it
			return `$\rho = ` + digits.Short(v) + "$"
		case k.By == names.ParamExponent:
			return scaleOf(v)
		case hasSymbol:
			return "$" + symbol + " = " + digits.Fraction(v) + "$"
		}
		return label.EscapeLiteral(k.By + " = " + digits.Fraction(v))
	case string:
		if k.By == "" {
			return v // a label of the declaration
		}
		return labelOf(v)
	}
	return ""
}

// labelOf returns a text of the plan as a label.
func labelOf(name string) string {
	if rule, ok := RuleNames[name]; ok {
		return rule
	}
	if rule, text, given, err := names.CutParameter(name); err == nil && given && constants[rule] != "" {
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			return rule + ", $" + constants[rule] + " = " + digits.Fraction(value) + "$"
		}
	}
	return label.EscapeLiteral(name)
}

// NameTicks marks an axis of names, the first at the top.
func (p Data) NameTicks() []Tick {
	var ts []Tick
	for i, name := range slices.Backward(p.RowNames) {
		if p.RowName == nil {
			name = labelOf(name)
		}
		ts = append(ts, Tick{At: float64(len(p.RowNames) - 1 - i), Label: name})
	}
	return ts
}
