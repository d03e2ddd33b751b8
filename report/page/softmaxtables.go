package page

import (
	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// softmaxMean is a mean over rows that the tables show.
type softmaxMean struct{ quantity, head string }

var softmaxColumns = []softmaxMean{{names.MaxWeight, "E max α"}, {names.GradientSurvival, "mean R"}, {names.KeyGradient, "√E‖∂α/∂K‖²"}}

// softmaxMeans holds the means of one exponent beside their theory, over d_k.
func softmaxMeans(s *view.Source, grid result.Params, p float64) view.Table {
	var es []result.Estimate
	var columns []view.Column
	for _, c := range softmaxColumns {
		f := rows.Softmax(c.quantity).Within(grid).With(names.ParamExponent, p)
		if shown := s.Estimates(f); len(shown) > 0 {
			columns = append(columns, view.Column{Heads: []string{c.head, "theory", "difference"}, Rows: f, Write: view.WithTheory})
			es = append(es, shown...)
		}
	}
	middle := rows.Softmax(names.Quantile(names.KeyGradient, 0.5)).Within(grid).With(names.ParamExponent, p)
	if len(s.Estimates(middle)) > 0 {
		columns = append(columns, view.Column{Heads: []string{"median ‖∂α/∂K‖"}, Rows: middle})
	}
	return s.Fill(view.Table{
		Caption: "Largest weight and R on average, and the root mean square of the gradient by the keys, at p" + view.Equals + digits.Fraction(p) +
			", with theory and the difference from it; and the median of that gradient over rows, which has no theory.",
		Head: []string{names.ParamDimension},
	}, view.LinesOf(names.ParamDimension, rows.Numbers(es, names.ParamDimension), digits.Short), columns)
}

// medians holds the median R and its label, and how many rows have one weight
// near 1, without a scale and with the usual one.
func medians(s *view.Source, grid result.Params) view.Table {
	t := view.Table{
		Caption: "R of the median row, the label of that row, and the share of rows with a weight above 0.9 and above 0.99.",
		Head:    []string{names.ParamDimension},
	}
	median := rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(grid)
	var columns []view.Column
	for _, p := range []float64{0, 0.5} {
		f := func(q string) rows.Filter { return rows.Softmax(q).Within(grid).With(names.ParamExponent, p) }
		if len(s.Estimates(f(median.Quantity))) == 0 {
			continue
		}
		t.Left = append(t.Left, len(t.Head)+4*len(t.Left)+1)
		columns = append(columns,
			view.Column{Heads: []string{"median R, p" + view.Equals + digits.Fraction(p), "label"}, Rows: f(median.Quantity), Write: func(e result.Estimate) []string { return []string{view.Concise(e), labelOf(e)} }},
			view.Column{Heads: []string{"> 0.9"}, Rows: f(names.MaxWeightAbove(90))}, view.Column{Heads: []string{"> 0.99"}, Rows: f(names.MaxWeightAbove(99))})
	}
	if len(columns) == 0 {
		return t
	}
	return s.Fill(t, view.LinesOf(names.ParamDimension, rows.Numbers(s.Estimates(median), names.ParamDimension), digits.Short), columns)
}

// temperatures holds the rows over the temperature, the limits at the ends.
func temperatures(s *view.Source) view.Table {
	f := func(quantity string) rows.Filter { return rows.Softmax(quantity).Within(rows.TemperatureGrid(s.Doc)) }
	with := f(names.MaxWeight)
	with.Has = []string{names.ParamTemperature}
	return s.Fill(view.Table{
		Caption: "Largest weight and entropy ratio on average, with theory, and R of the median row, at each temperature.",
		Head:    []string{"T"},
	}, view.LinesOf(names.ParamTemperature, rows.Values(s.Estimates(with), names.ParamTemperature), temperatureName), []view.Column{
		{Heads: []string{"E max α", "theory"}, Rows: f(names.MaxWeight), Write: view.BesideTheory},
		{Heads: []string{"E H / ln n", "theory"}, Rows: f(names.EntropyRatio), Write: view.BesideTheory},
		{Heads: []string{"median R"}, Rows: f(names.Quantile(names.GradientSurvival, 0.5))},
	})
}

// temperatureName writes a temperature; that without bound is a name.
func temperatureName(value any) string {
	if value == names.TemperatureInfinite {
		return "∞"
	}
	return view.Parameter(names.ParamTemperature, value)
}
