package chart

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// survivalLabel is what the figures on softmax call R.
const survivalLabel = "gradient that softmax lets through, $R$"

// softmaxMap shows both ways in which softmax fails, over d_k and the exponent: rows that
// are saturated, and rows that are too soft.
var softmaxMap = figure.Chart{
	Name:   "softmax-map",
	Title:  `Where rows are healthy, saturated or too soft, over the dimension $d_k$ and the exponent $p$`,
	Height: 88,
	Fixed:  rows.SoftmaxGrid,
	Panels: []plot.Panel{{X: overDimension, Y: overExponent, Heat: &plot.Heat{
		Weights: rows.Softmax(names.MaxWeight), Medians: rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)),
		Marked: &plot.Level{At: 0.5, Label: `divided by $\sqrt{d_k}$, $p = 1/2$`},
	}}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{mapSays, rowsOf(d, text)}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		fixed := rows.SoftmaxGrid(doc)
		root := settingsAt(doc, fixed, 0.5)
		if len(root) == 0 {
			return ""
		}
		last := root[len(root)-1]
		others := []string{}
		for _, s := range []struct {
			p    float64
			name string
		}{{0, "without a scale"}, {1, "divided by $d_k$"}} {
			if at := settingsAt(doc, fixed, s.p); len(at) > 0 && at[len(at)-1].dimension == last.dimension {
				others = append(others, fmt.Sprintf("%s %s", at[len(at)-1].label, s.name))
			}
		}
		all := fmt.Sprintf(`Divided by $\sqrt{d_k}$, rows are %s at $d_k = %s$`, last.label, digits.Short(last.dimension))
		if len(root) > 1 && !slices.ContainsFunc(root, func(s setting) bool { return s.label != last.label }) {
			all = fmt.Sprintf(`Divided by $\sqrt{d_k}$, rows are %s at every $d_k$ that was drawn`, last.label)
		}
		if len(others) == 0 {
			return all + "."
		}
		return all + fmt.Sprintf("; at $d_k = %s$ they are %s.", digits.Short(last.dimension), strings.Join(others, ", and "))
	},
}

// mapSays explains the letters and the colours of a map of settings.
const mapSays = "Letters are labels: saturated (fading, dying or dead) where the median row keeps $R < 1/2$ of the gradient at uniform weights, too soft where the largest weight is on average within a quarter of $1/n$, so that no key stands out, and healthy where neither. " +
	"The warmer a field, the less its $R$; the cooler, the closer its weights are to uniform; where the label changes, the colour steps."

// setting is the label of rows at one d_k, as far as intervals tell it.
type setting struct {
	dimension float64
	label     string
}

// settingsAt lists the labels of an exponent, over d_k.
func settingsAt(doc *result.Document, fixed result.Params, p float64) (out []setting) {
	weights := rows.Softmax(names.MaxWeight).Within(fixed).With(names.ParamExponent, p)
	medians := rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(fixed).With(names.ParamExponent, p)
	for _, d := range rows.Numbers(rows.Estimates(doc, weights), names.ParamDimension) {
		weight, okWeight := rows.One(doc, weights.With(names.ParamDimension, d))
		median, okMedian := rows.One(doc, medians.With(names.ParamDimension, d))
		if okWeight && okMedian {
			unsure := figure.When(rows.ErrorUnknown(weight) || rows.ErrorUnknown(median), digits.Unsure)
			out = append(out, setting{d, plot.SettingNamed(median, weight) + unsure})
		}
	}
	return out
}

// rowsOf says what rows are drawn: how many keys, of which law.
func rowsOf(d figure.Drawn, text figure.Text) string {
	first := d.First(names.ParamKeys, names.ParamLaw)
	keys, ok := first.Number(names.ParamKeys)
	law, _ := first.Text(names.ParamLaw)
	return figure.When(ok, fmt.Sprintf(" Rows have %s keys, and were drawn with %s components.", digits.Short(keys), text(law)))
}
