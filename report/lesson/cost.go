package lesson

import (
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// costView is the view of the page on what attention costs.
type costView struct {
	Any      bool
	Model    string // of which one layer stands for all
	Doubling view.Table
	Memory   view.Table
	Counts   view.Table
	Growth   growth
	Crossing crossing
	Shared   shared
}

// growth is by what the operations of the whole layer grow in a short text and in a long
// one.
type growth struct{ Short, AtShort, Long, AtLong string }

// crossing is in a text of how many tokens scores and blend cost what the projections do,
// if all pairs are counted, and if a causal mask hides those that it can.
type crossing struct{ All, Causal string }

// shared is a model in which several heads of queries share one of keys and values.
type shared struct{ Model, Heads, KeyHeads, Fewer string }

// Cost fills the page on what attention costs.
func Cost(s *view.Source) costView {
	models := rows.CostModels(s.Doc)
	if len(models) == 0 {
		return costView{}
	}
	v := costView{Any: true, Model: modelName(models[0]), Counts: counts(s, models), Memory: memory(s, models)}
	f := rows.Cost(names.AttentionGrowth, names.PartWhole).Within(models[0])
	if c, ok := rows.CostLine(s.Doc, f); ok {
		last := len(c.X) - 1
		v.Growth = growth{factor(c.Y[0]), view.Short(c.X[0]), factor(c.Y[last]), view.Short(c.X[last])}
		v.Doubling = doubling(s, models[0], c.X)
	}
	if c, ok := rows.CostLine(s.Doc, rows.Cost(names.AttentionCrossing, names.PartProducts).Within(models[0])); ok && c.X[0] >= 1 {
		// A token sees (n + 1)/2 on average under the mask, in place of n.
		v.Crossing = crossing{view.Short(c.X[0]), view.Short(2*c.X[0] - 1)}
	}
	for _, m := range models {
		h, okHeads := m.Number(names.ParamHeads)
		g, okKeys := m.Number(names.ParamKeyHeads)
		if okHeads && okKeys && g >= 1 && g < h {
			v.Shared = shared{modelName(m), digits.Short(h), digits.Short(g), digits.Short(h / g)}
		}
	}
	return v
}

// modelName is that of a published model.
func modelName(m result.Params) string {
	name, _ := m.Text(names.ParamPublished)
	return markdown.Escape(name)
}

// times writes by what something grows.
func times(x result.Number) string {
	if !x.Present() {
		return digits.None
	}
	return "×\u00a0" + factor(x)
}

// factor writes one between 2 and 4, with three digits.
func factor(x result.Number) string { return digits.Places(float64(x), 2) }

// rounded writes a count with three digits.
func rounded(x result.Number) string { return digits.Significant(float64(x), 3) }

// usual is the number of tokens at which one doubling is shown, if it was counted there.
const usual = 1024

// doubled are the steps of the table of one doubling, with their formulas.
var doubled = []struct{ part, formula string }{
	{names.PartProjections, "2·n·D·(h + g)·(d_k + d_v)"},
	{names.PartScores, "2·h·n²·d_k"},
	{names.PartScale, "h·n²"},
	{names.PartSoftmax, "5·h·n²"},
	{names.PartBlend, "2·h·n²·d_v"},
	{names.PartWhole, "all of them"},
}

// doubling holds what becomes of each step where a text is twice as long.
func doubling(s *view.Source, model result.Params, tokens []result.Number) view.Table {
	from := float64(tokens[0])
	for _, n := range tokens {
		if n == usual {
			from = usual
		}
	}
	t := view.Table{
		Caption: "What doubling the text does to each step of one layer of the shape of " + modelName(model) + ", in floating-point operations. All pairs are counted, as without a mask.",
		Head:    []string{"step", "formula", "n" + view.Equals + digits.Short(from), "n" + view.Equals + digits.Short(2*from), "grows by"},
		Left:    []int{1},
	}
	for _, d := range doubled {
		f := func(quantity string, at float64) result.Number {
			return rows.Count(s.Doc, rows.Cost(quantity, d.part).Within(model), at)
		}
		t.Rows = append(t.Rows, []string{d.part, markdown.Formula(d.formula), exactly(f(names.AttentionOperations, from)), exactly(f(names.AttentionOperations, 2*from)), times(f(names.AttentionGrowth, from))})
	}
	return t
}

// exactly writes every digit of a count that has no more than twelve.
func exactly(x result.Number) string {
	if !x.Present() || x < 0 || x >= 1e12 {
		return rounded(x)
	}
	return digits.Count(int64(x))
}

// memory holds what the models store of a text of the usual length and of the longest.
func memory(s *view.Source, models []result.Params) view.Table {
	c, ok := rows.CostLine(s.Doc, rows.Cost(names.AttentionBytes, names.PartScoreMatrix).Within(models[0]))
	if !ok {
		return view.Table{}
	}
	t := view.Table{
		Caption: "Bytes that one layer of the shape of a model stores, at 2 bytes a number, which is half precision: all scores at once, with those that a mask would hide, tiles of them, the keys and values of the whole text, and its learned matrices.",
		Head:    []string{"model", "n", "all scores", "tiles of scores", "keys and values", "learned matrices"},
	}
	for _, m := range models {
		for _, n := range ends(c.X) {
			line := []string{modelName(m), digits.Short(n)}
			for _, part := range []string{names.PartScoreMatrix, names.PartScoreTiles, names.PartCache, names.PartWeights} {
				line = append(line, size(rows.Count(s.Doc, rows.Cost(names.AttentionBytes, part).Within(m), n)))
			}
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// ends are the usual number of tokens, if it is there, or the first, and the last.
func ends(tokens []result.Number) []float64 {
	first, last := float64(tokens[0]), float64(tokens[len(tokens)-1])
	for _, n := range tokens {
		if n == usual {
			first = usual
		}
	}
	if first == last {
		return []float64{last}
	}
	return []float64{first, last}
}

// units of bytes, each a thousand of the one before.
var units = []string{"B", "kB", "MB", "GB", "TB", "PB"}

// size writes bytes in the unit that leaves fewer than a thousand.
func size(x result.Number) string {
	if !x.Present() || x < 0 {
		return digits.None
	}
	bytes, unit := float64(x), 0
	for bytes >= 999.5 && unit+1 < len(units) {
		bytes, unit = bytes/1000, unit+1
	}
	return digits.Said(bytes, 0, 0) + "\u00a0" + units[unit]
}

// counts holds the shapes of the models, and what their layers take.
func counts(s *view.Source, models []result.Params) view.Table {
	t := view.Table{
		Caption: "Floating-point operations of one layer of the shape of a model, to three digits, and by what those of the whole grow where the text is doubled. All pairs are counted, as without a mask.",
		Head:    []string{"model", "D", "h", "g", names.ParamDimension, "n", "projections", "scores and blend", "softmax", "whole layer", "doubled"},
	}
	for _, m := range models {
		c, ok := rows.CostLine(s.Doc, rows.Cost(names.AttentionOperations, names.PartWhole).Within(m))
		if !ok {
			continue
		}
		for _, n := range c.X {
			line := []string{modelName(m), view.NumberIn(m, names.ParamModel), view.NumberIn(m, names.ParamHeads), view.NumberIn(m, names.ParamKeyHeads), view.NumberIn(m, names.ParamDimension), view.Short(n)}
			for _, part := range []string{names.PartProjections, names.PartProducts, names.PartSoftmax, names.PartWhole} {
				line = append(line, rounded(rows.Count(s.Doc, rows.Cost(names.AttentionOperations, part).Within(m), float64(n))))
			}
			t.Rows = append(t.Rows, append(line, times(rows.Count(s.Doc, rows.Cost(names.AttentionGrowth, names.PartWhole).Within(m), float64(n)))))
		}
	}
	return t
}
