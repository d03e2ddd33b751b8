package report

import (
	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// depthView is the view of the page on stacks of attention layers.
type depthView struct {
	Verdict                verdict
	Any                    bool
	Tokens, Width          string
	Layers                 string
	First, Last            string  // layers
	Deep                   bool    // they are two
	Grows                  bool    // the variance of the scores does, with the residual alone
	Root, Raw              passage // with residual and norm
	Bare                   passage // with the residual alone, divided by √d_k
	Alike                  point   // cosine of tokens with the norm alone, divided by √d_k
	Survival, Scores, Size table
}

// passage is what becomes of a stack from its first to its last layer.
type passage struct {
	SurvivalFirst, SurvivalLast string
	VarianceFirst, VarianceLast string
}

const byRoot, unscaled = "sqrt(d_k)", "unscaled"

func (s *source) depth() depthView {
	grid := rows.DepthGrid(s.doc)
	v := depthView{Verdict: s.verdict(), Tokens: numberOf(grid, "tokens"), Width: numberOf(grid, "width"), Layers: numberOf(grid, "layers")}
	layers := s.layers(grid)
	if len(layers) == 0 {
		return v
	}
	first, last := layers[0], layers[len(layers)-1]
	v.Any, v.First, v.Last = true, digits.Short(first), digits.Short(last)
	at := func(w rows.Way, scale string) passage {
		f := func(q string) rows.Filter { return w.Depth(q).Within(grid).With("scale", scale) }
		return passage{
			SurvivalFirst: s.said(f("gradient_survival").With("layer", first)), SurvivalLast: s.said(f("gradient_survival").With("layer", last)),
			VarianceFirst: s.said(f("score_variance").With("layer", first)), VarianceLast: s.said(f("score_variance").With("layer", last)),
		}
	}
	v.Root, v.Raw = at(rows.Ways[0], byRoot), at(rows.Ways[0], unscaled)
	v.Deep = first < last
	v.Bare = at(rows.Ways[1], byRoot)
	v.Grows = s.grows(rows.Ways[1].Depth("score_variance").Within(grid).With("scale", byRoot), first, last)
	v.Alike = s.surest(rows.Ways[2].Depth("token_cosine").Within(grid).With("scale", byRoot), alike)
	v.Survival = s.byWay(grid, "gradient_survival", "Mean R of the rows of a layer.")
	v.Scores = s.byWay(grid, "score_variance", "Variance of the scores within a row, after their scale.")
	v.Size = s.byWay(grid, "token_cosine", "Mean cosine between two tokens that enter a layer.")
	return v
}

// grows reports whether a row of the last layer is above that of the first by
// more than three standard errors of each.
func (s *source) grows(f rows.Filter, first, last float64) bool {
	a, okA := rows.One(s.doc, f.With("layer", first))
	b, okB := rows.One(s.doc, f.With("layer", last))
	return okA && okB && b.Value-3*b.SE > a.Value+3*a.SE
}

// alike is the mean cosine from which tokens are called alike.
const alike = 0.5

// surest is the deepest layer at which a row has an interval, with its value,
// where that lies above a bound.
func (s *source) surest(f rows.Filter, bound result.Number) (p point) {
	deepest := 0.0
	for _, e := range s.estimates(f) {
		if layer, _ := e.Params.Number("layer"); layer > deepest && e.Lo.Present() && e.Hi.Present() {
			deepest, p = layer, point{}
			if above(e, bound) {
				p = point{Dim: digits.Short(layer), Value: measured(e)}
			}
		}
	}
	return p
}

// layers are those of the rows of a grid.
func (s *source) layers(grid result.Params) []float64 {
	return rows.Numbers(s.estimates(rows.Filter{Experiment: "depth", Quantity: "gradient_survival", Has: []string{"scale"}}.Within(grid)), "layer")
}

// said writes the row that f admits, or nothing.
func (s *source) said(f rows.Filter) string {
	e, ok := rows.One(s.doc, f)
	if !ok {
		return ""
	}
	return measured(e)
}

// wayHeads name the ways in the order of rows.Ways.
var wayHeads = []string{"residual, norm", "residual", "norm", "neither"}

// byWay lays out a quantity by layer, for each way and scale.
func (s *source) byWay(grid result.Params, quantity, caption string) table {
	t := table{Caption: caption + conciseNote, Head: []string{"layer"}}
	var columns []rows.Filter
	for i, w := range rows.Ways {
		for _, scale := range []struct{ name, head string }{{byRoot, "√d_k"}, {unscaled, "unscaled"}} {
			f := w.Depth(quantity).Within(grid).With("scale", scale.name)
			if len(s.estimates(f)) > 0 {
				columns = append(columns, f)
				t.Head = append(t.Head, wayHeads[i]+", "+scale.head)
			}
		}
	}
	for _, layer := range s.layers(grid) {
		line := []string{digits.Short(layer)}
		for _, f := range columns {
			line = append(line, s.cell(f.With("layer", layer)))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
