package page

import (
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// depthView is the view of the page on stacks of attention layers.
type depthView struct {
	Verdict       view.Verdict
	Any           bool
	Tokens, Width string
	Layers        string
	First, Last   string     // layers
	Deep          bool       // they are two
	Grows         bool       // the variance of the scores does, with the residual alone
	Root, Raw     stackView  // with residual and norm
	NoNorm        stackView  // with the residual alone, divided by √d_k
	Alike         view.Point // cosine of tokens with the norm alone, divided by √d_k
	AlikeSurvival string     // R there
	Cosine        view.Point // that cosine in the deepest layer where it has an interval, alike or not

	Survival, Scores, Size view.Table
	MedianSurvival         view.Table
	Medians                []view.Table // of the scores' variance, for each scale
}

// The variance of the scores, and the cosine of tokens, in the median stack.
var (
	medianVariance = names.Quantile(names.ScoreVariance, 0.5)
	medianCosine   = names.Quantile(names.TokenCosine, 0.5)
	medianSurvival = names.Quantile(names.GradientSurvival, 0.5)
)

// stackView is what becomes of a stack from its first to its last layer.
type stackView struct {
	SurvivalFirst, SurvivalLast string
	VarianceFirst, VarianceLast string // in the median stack
	MedianLast                  string // R in the median stack
}

// depth fills the page on stacks of layers.
func depth(s *view.Source) depthView {
	grid := rows.DepthGrid(s.Doc)
	v := depthView{Verdict: s.Verdict(), Tokens: view.NumberIn(grid, names.ParamTokens), Width: view.NumberIn(grid, names.ParamWidth), Layers: view.NumberIn(grid, names.ParamLayers)}
	layers := layers(s, grid)
	if len(layers) == 0 {
		return v
	}
	first, last := layers[0], layers[len(layers)-1]
	v.Any, v.First, v.Last = true, digits.Short(first), digits.Short(last)
	at := func(w rows.Way, scale string) stackView {
		f := func(q string) rows.Filter { return w.Depth(q).Within(grid).With(names.ParamScale, scale) }
		return stackView{
			SurvivalFirst: s.SaidAt(f(names.GradientSurvival).With(names.ParamLayer, first)), SurvivalLast: s.SaidAt(f(names.GradientSurvival).With(names.ParamLayer, last)),
			MedianLast:    s.SaidAt(f(medianSurvival).With(names.ParamLayer, last)),
			VarianceFirst: s.SaidAt(f(medianVariance).With(names.ParamLayer, first)), VarianceLast: s.SaidAt(f(medianVariance).With(names.ParamLayer, last)),
		}
	}
	v.Root, v.Raw = at(rows.Ways[0], names.ScaleRoot), at(rows.Ways[0], names.ScaleUnscaled)
	v.Deep = first < last
	v.NoNorm = at(rows.Ways[1], names.ScaleRoot)
	v.Grows = grows(s, rows.Ways[1].Depth(medianVariance).Within(grid).With(names.ParamScale, names.ScaleRoot), first, last)
	cosines := rows.Ways[2].Depth(medianCosine).Within(grid).With(names.ParamScale, names.ScaleRoot)
	v.Alike, v.Cosine = mostCertain(s, cosines, alike), mostCertain(s, cosines, -2)
	if layer, err := strconv.ParseFloat(v.Alike.Dim, 64); err == nil {
		v.AlikeSurvival = s.SaidAt(rows.Ways[2].Depth(medianSurvival).Within(grid).With(names.ParamScale, names.ScaleRoot).With(names.ParamLayer, layer))
	}
	table := func(quantity, caption string) view.Table {
		return byWay(s, grid, quantity, caption, stackScales, false)
	}
	v.Survival = table(names.GradientSurvival, "Mean R of the rows of a layer, on average over stacks.")
	v.MedianSurvival = table(medianSurvival, "Mean R of the rows of a layer, in the median stack."+unresolvedNote)
	for i, of := range []string{"after division by √d_k", "unscaled"} {
		caption := "Variance of the scores within a row, " + of + ", in the median stack; in brackets where 90 % of the stacks lie." + unresolvedNote
		v.Medians = append(v.Medians, byWay(s, grid, medianVariance, caption, stackScales[i:i+1], true))
	}
	v.Scores = table(names.ScoreVariance, "Variance of the scores within a row, after their scale, on average over stacks. A few stacks can make most of such a mean.")
	v.Size = table(names.TokenCosine, "Mean cosine between two tokens that enter a layer, on average over stacks.")
	return v
}

// grows reports whether a row of the last layer is above that of the first by
// more than three standard errors of each.
func grows(s *view.Source, f rows.Filter, first, last float64) bool {
	a, okA := rows.One(s.Doc, f.With(names.ParamLayer, first))
	b, okB := rows.One(s.Doc, f.With(names.ParamLayer, last))
	return okA && okB && b.Value-3*b.SE > a.Value+3*a.SE
}

// alike is the mean cosine from which tokens are called alike.
const alike = 0.5

// mostCertain is the deepest layer at which a row has an interval, with its value,
// where that lies above a bound.
func mostCertain(s *view.Source, f rows.Filter, bound result.Number) (p view.Point) {
	deepest := 0.0
	for _, e := range s.Estimates(f) {
		if layer, _ := e.Params.Number(names.ParamLayer); layer > deepest && e.Lo.Present() && e.Hi.Present() {
			deepest, p = layer, view.Point{}
			if view.Above(e, bound) {
				p = view.Point{Dim: digits.Short(layer), Value: view.Said(e)}
			}
		}
	}
	return p
}

// layers are those of the rows of a grid.
func layers(s *view.Source, grid result.Params) []float64 {
	return rows.Numbers(s.Estimates(rows.Filter{Experiment: names.ExperimentDepth, Quantity: names.GradientSurvival, Has: []string{names.ParamScale}}.Within(grid)), names.ParamLayer)
}

// wayHeads name the ways in the order of rows.Ways.
var wayHeads = []string{"residual, norm", "residual", "norm", "neither"}

// unresolvedNote explains empty cells.
const unresolvedNote = " A cell is empty where tokens have become so alike that their scores differ by little but the rounding of float32."

// stackScale is a way to scale scores, and its head in a table.
type stackScale struct{ name, head string }

var stackScales = []stackScale{{names.ScaleRoot, "√d_k"}, {names.ScaleUnscaled, "unscaled"}}

// byWay lays out a quantity by layer, for each way and scale; a median with the spread of
// the stacks.
func byWay(s *view.Source, grid result.Params, quantity, caption string, of []stackScale, spread bool) view.Table {
	var columns []view.Column
	for i, w := range rows.Ways {
		for _, scale := range of {
			f := w.Depth(quantity).Within(grid).With(names.ParamScale, scale.name)
			if len(s.Estimates(f)) == 0 {
				continue
			}
			c := view.Column{Heads: []string{wayHeads[i] + ", " + scale.head}, Rows: f}
			if spread {
				c.Write = func(e result.Estimate) []string { return []string{withSpread(s, f, e)} }
			}
			columns = append(columns, c)
		}
	}
	lines := view.LinesOf(names.ParamLayer, layers(s, grid), digits.Short)
	return s.Fill(view.Table{Caption: caption, Head: []string{"layer"}}, lines, columns)
}

// withSpread writes a median, which the filter names with others, and behind it the
// quantiles at 5 and 95 %.
func withSpread(s *view.Source, f rows.Filter, e result.Estimate) string {
	quantity, _, _ := names.QuantileOf(f.Quantity)
	at := func(p float64) string {
		f.Quantity = names.Quantile(quantity, p)
		r, _ := rows.One(s.Doc, f.With(names.ParamLayer, e.Params[names.ParamLayer]))
		return digits.Rough(float64(r.Value))
	}
	return view.Concise(e) + " [" + at(0.05) + ", " + at(0.95) + "]"
}
