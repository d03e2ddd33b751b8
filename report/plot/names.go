package plot

import (
	"slices"
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// setCategories sets the categories of a categorical axis.
func (p *Data) setCategories(doc *result.Document) {
	if !p.Y.IsCategorical {
		return
	}
	firstEstimates := map[string]result.Estimate{} // the first estimate of each category
	for _, spec := range p.Points {
		for _, m := range p.makeMarks(spec, SeriesID{}, doc) {
			name, ok := p.category(m.Converted)
			if _, known := firstEstimates[name]; ok && !known {
				firstEstimates[name] = m.Estimate
				p.Categories = append(p.Categories, name)
			}
		}
	}
	if p.CompareCategories != nil {
		slices.SortStableFunc(p.Categories, func(a, b string) int {
			return p.CompareCategories(firstEstimates[a], firstEstimates[b])
		})
	}
}

// category returns the category of an estimate; ok is false if it does not have one.
func (p Panel) category(e result.Estimate) (name string, ok bool) {
	if p.CategoryOf != nil {
		return p.CategoryOf(e), true
	}
	return e.Params.Text(p.Y.Param)
}

// categoryHeight returns the y of the category of an estimate.
func (p *Data) categoryHeight(e result.Estimate) (y float64, ok bool) {
	name, ok := p.category(e)
	i := slices.Index(p.Categories, name)
	return float64(len(p.Categories) - 1 - i), ok && i >= 0
}

// RuleLabels maps names of rules, scales, optimisers, operands and formats to labels. All other
// names are their own labels.
var RuleLabels = map[string]string{
	names.RuleHalfRoot: `$\sqrt{d_k/2}$`, names.ScaleRoot: `divided by $\sqrt{d_k}$`,
	names.OptimiserDescent: "gradient descent", names.OptimiserAdam: "Adam",
	names.OperandQueryKey: "queries and keys", names.OperandWeights: "softmax weights",
	names.OperandAll:       "all operands",
	names.FormatE4M3Tensor: "e4m3, per tensor", names.FormatE4M3Block: "e4m3, per block",
	names.FormatInt8Tensor: "int8, per tensor", names.FormatInt8Block: "int8, per block",
}

// ruleParamSymbols maps names of rules to the symbols of their parameters.
var ruleParamSymbols = map[string]string{
	names.RulePower: "p", names.RuleTemperature: "T", names.RuleLearned: "c", names.RuleLogKeys: "s",
	names.RuleYaRN: "s", names.RuleCosine: "s", names.RuleQKNorm: "g", names.RuleSoftCap: "c",
	names.RuleAdditive: "d_a",
}

// scaleLabel writes the divisor d_k^p and the exponent p, such as "$d_k$, $p = 1$".
func scaleLabel(p float64) string {
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

// SeriesLabel returns the name of a series as a label.
func SeriesLabel(id SeriesID) string {
	switch v := id.Value.(type) {
	case float64:
		symbol, hasSymbol := label.Parameters[id.Param]
		switch {
		case id.Param == names.ParamRho: // texts and tables write it as a decimal
			return `$\rho = ` + digits.Short(v) + "$"
		case id.Param == names.ParamExponent:
			return scaleLabel(v)
		case hasSymbol:
			return "$" + symbol + " = " + digits.Fraction(v) + "$"
		}
		return label.EscapeLiteral(id.Param + " = " + digits.Fraction(v))
	case string:
		if id.Param == "" {
			return v // a label of the declaration
		}
		return textLabel(v)
	}
	return ""
}

// textLabel returns a name of the plan as a label. The name of a rule may have a parameter.
func textLabel(name string) string {
	if text, ok := RuleLabels[name]; ok {
		return text
	}
	rule, param, hasParam, err := names.CutParameter(name)
	symbol := ruleParamSymbols[rule]
	if err == nil && hasParam && symbol != "" {
		if value, err := strconv.ParseFloat(param, 64); err == nil {
			return rule + ", $" + symbol + " = " + digits.Fraction(value) + "$"
		}
	}
	return label.EscapeLiteral(name)
}

// CategoryTicks returns the ticks of a categorical axis from bottom to top.
func (p Data) CategoryTicks() []Tick {
	var ticks []Tick
	for i, name := range slices.Backward(p.Categories) {
		if p.CategoryOf == nil {
			name = textLabel(name)
		}
		ticks = append(ticks, Tick{Value: float64(len(p.Categories) - 1 - i), Label: name})
	}
	return ticks
}
