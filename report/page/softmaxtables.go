package page

import (
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// softmaxMean is a mean over rows that the tables show.
type softmaxMean struct{ quantity, head string }

var softmaxColumns = []softmaxMean{{names.MaxWeight, "E max α"}, {names.GradientSurvival, "mean R"}, {names.KeyGradient, "‖∂α/∂K‖"}}

// softmaxMeans holds the means of one exponent beside their theory, over d_k.
func softmaxMeans(s *view.Source, grid result.Params, p float64) view.Table {
	t := view.Table{
		Caption: "Largest weight and R on average, and the root mean square of the gradient by the keys, at p" + view.Equals + digits.Fraction(p) +
			", with theory and the difference from it." + view.ConciseNote,
		Head: []string{names.ParamDimension},
	}
	f := func(quantity string) rows.Filter {
		return rows.Softmax(quantity).Within(grid).With(names.ParamExponent, p)
	}
	columns := slices.DeleteFunc(slices.Clone(softmaxColumns), func(c softmaxMean) bool { return len(s.Estimates(f(c.quantity))) == 0 })
	var es []result.Estimate
	for _, c := range columns {
		t.Head = append(t.Head, c.head, "theory", "difference")
		es = append(es, s.Estimates(f(c.quantity))...)
	}
	for _, d := range rows.Numbers(es, names.ParamDimension) {
		line := []string{digits.Short(d)}
		for _, c := range columns {
			line = append(line, s.WithTheory(f(c.quantity).With(names.ParamDimension, d))...)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// medians holds the median R and its label, and how many rows have one weight
// near 1, without a scale and with the usual one.
func medians(s *view.Source, grid result.Params) view.Table {
	t := view.Table{
		Caption: "R of the median row, the label of that row, and the share of rows with a weight above 0.9 and above 0.99." + view.ConciseNote,
		Head:    []string{names.ParamDimension},
	}
	var exponents []float64
	for _, p := range []float64{0, 0.5} {
		if len(s.Estimates(rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(grid).With(names.ParamExponent, p))) == 0 {
			continue
		}
		exponents = append(exponents, p)
		at := ", p" + view.Equals + digits.Fraction(p)
		t.Left = append(t.Left, len(t.Head)+1)
		t.Head = append(t.Head, "median R"+at, "label", "> 0.9", "> 0.99")
	}
	for _, d := range rows.Numbers(s.Estimates(rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(grid)), names.ParamDimension) {
		line := []string{digits.Short(d)}
		for _, p := range exponents {
			f := func(q string) rows.Filter {
				return rows.Softmax(q).Within(grid).With(names.ParamExponent, p).With(names.ParamDimension, d)
			}
			label := ""
			if e, ok := rows.One(s.Doc, f(names.Quantile(names.GradientSurvival, 0.5))); ok {
				label = labelOf(e)
			}
			line = append(line, s.Cell(f(names.Quantile(names.GradientSurvival, 0.5))), label, s.Cell(f(names.MaxWeightAbove(90))), s.Cell(f(names.MaxWeightAbove(99))))
		}
		if len(exponents) > 0 {
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// temperatures holds the rows over the temperature, the limits at the ends.
func temperatures(s *view.Source) view.Table {
	f := func(quantity string) rows.Filter {
		return rows.Softmax(quantity).Within(rows.TemperatureGrid(s.Doc))
	}
	t := view.Table{
		Caption: "Largest weight and entropy ratio on average, with theory, and R of the median row, at each temperature." + view.ConciseNote,
		Head:    []string{"T", "E max α", "theory", "E H / ln n", "theory", "median R"},
	}
	with := f(names.MaxWeight)
	with.Has = []string{names.ParamTemperature}
	for _, value := range rows.Values(s.Estimates(with), names.ParamTemperature) {
		at := func(q string) rows.Filter { return f(q).With(names.ParamTemperature, value) }
		line := []string{temperatureName(value)}
		for _, q := range []string{names.MaxWeight, names.EntropyRatio} {
			line = append(line, s.WithTheory(at(q))[:2]...)
		}
		t.Rows = append(t.Rows, append(line, s.Cell(at(names.Quantile(names.GradientSurvival, 0.5)))))
	}
	return t
}

// temperatureName writes a temperature; that without bound is a name.
func temperatureName(value any) string {
	if value == names.TemperatureInfinite {
		return "∞"
	}
	return view.Parameter(names.ParamTemperature, value)
}
