package page

import (
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// softmaxMean is a mean over rows that the tables show.
type softmaxMean struct{ quantity, head string }

var softmaxColumns = []softmaxMean{{"max_weight", "E max α"}, {"gradient_survival", "mean R"}, {"key_gradient", "‖∂α/∂K‖"}}

// softmaxMeans holds the means of one exponent beside their theory, over d_k.
func softmaxMeans(s *view.Source, grid result.Params, p float64) view.Table {
	t := view.Table{
		Caption: "Largest weight and R on average, and the root mean square of the gradient by the keys, at p" + view.Equals + digits.Fraction(p) +
			", with theory and the difference from it." + view.ConciseNote,
		Head: []string{"d_k"},
	}
	f := func(quantity string) rows.Filter {
		return rows.Softmax(quantity).Within(grid).With("exponent", p)
	}
	columns := present(s, softmaxColumns, f)
	for _, c := range columns {
		t.Head = append(t.Head, c.head, "theory", "difference")
	}
	for _, d := range dims(s, columns, f) {
		line := []string{digits.Short(d)}
		for _, c := range columns {
			line = append(line, s.WithTheory(f(c.quantity).With("d_k", d))...)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// present are the columns that have a row.
func present(s *view.Source, columns []softmaxMean, f func(string) rows.Filter) []softmaxMean {
	return slices.DeleteFunc(slices.Clone(columns), func(c softmaxMean) bool { return len(s.Estimates(f(c.quantity))) == 0 })
}

// dims are the d_k at which any column has a row.
func dims(s *view.Source, columns []softmaxMean, f func(string) rows.Filter) []float64 {
	var es []result.Estimate
	for _, c := range columns {
		es = append(es, s.Estimates(f(c.quantity))...)
	}
	return rows.Numbers(es, "d_k")
}

// medians holds the median R and its label, and how many rows have one weight
// near 1, without a scale and with the usual one.
func medians(s *view.Source, grid result.Params) view.Table {
	t := view.Table{
		Caption: "R of the median row, the label of that row, and the share of rows with a weight above 0.9 and above 0.99." + view.ConciseNote,
		Head:    []string{"d_k"},
	}
	var exponents []float64
	for _, p := range []float64{0, 0.5} {
		if len(s.Estimates(rows.Softmax("gradient_survival_q50").Within(grid).With("exponent", p))) == 0 {
			continue
		}
		exponents = append(exponents, p)
		at := ", p" + view.Equals + digits.Fraction(p)
		t.Left = append(t.Left, len(t.Head)+1)
		t.Head = append(t.Head, "median R"+at, "label", "> 0.9", "> 0.99")
	}
	for _, d := range rows.Numbers(s.Estimates(rows.Softmax("gradient_survival_q50").Within(grid)), "d_k") {
		line := []string{digits.Short(d)}
		for _, p := range exponents {
			f := func(q string) rows.Filter { return rows.Softmax(q).Within(grid).With("exponent", p).With("d_k", d) }
			label := ""
			if e, ok := rows.One(s.Doc, f("gradient_survival_q50")); ok {
				label = labelOf(e)
			}
			line = append(line, s.Cell(f("gradient_survival_q50")), label, s.Cell(f("max_weight_above_90_percent")), s.Cell(f("max_weight_above_99_percent")))
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
	with := f("max_weight")
	with.Has = []string{"temperature"}
	var values []any
	es := s.Estimates(with)
	for _, x := range rows.Numbers(es, "temperature") {
		values = append(values, x)
	}
	for _, name := range rows.Names(es, "temperature") {
		values = append(values, name)
	}
	for _, value := range values {
		at := func(q string) rows.Filter { return f(q).With("temperature", value) }
		line := []string{temperatureName(value)}
		for _, q := range []string{"max_weight", "entropy_ratio"} {
			line = append(line, s.WithTheory(at(q))[:2]...)
		}
		t.Rows = append(t.Rows, append(line, s.Cell(at("gradient_survival_q50"))))
	}
	return t
}

// temperatureName writes a temperature; that without bound is a name.
func temperatureName(value any) string {
	if value == "infinite" {
		return "∞"
	}
	return view.Parameter("temperature", value)
}
