package plot

import (
	"cmp"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// HeatCell is a cell of a heat map.
type HeatCell struct {
	Column, Row float64 // 0-based, from left to right and from bottom to top
	Colour      theme.Swatch
	Grade       Grade
}

// selectHeat selects the cells of a heat map that have all three quantities. It sorts them by
// column and row.
func (p *Data) selectHeat(spec HeatSpec, doc *result.Document) {
	for _, e := range fullColumns(selection.Estimates(doc, spec.Concentration.FixAll(p.Fixed)), p.X.Param) {
		x, hasX := e.Params.Number(p.X.Param)
		y, hasY := e.Params.Number(p.Y.Param)
		findAtCell := func(f selection.Filter) (result.Estimate, bool) {
			return selection.FindEstimate(doc, f.FixAll(p.Fixed).Fix(p.X.Param, x).Fix(p.Y.Param, y))
		}
		collision, hasCollision := findAtCell(spec.Collision)
		deadRows, hasDead := findAtCell(spec.DeadProportion)
		colourPosition, hasColour := ColourPosition(e, collision)
		isComplete := hasX && hasY && hasCollision && hasDead && hasColour
		if !isComplete || !p.X.CanShow(x) || !p.Y.CanShow(y) {
			continue
		}
		p.Xs, p.Ys = append(p.Xs, x), append(p.Ys, y)
		colour := theme.DivergingColour(colourPosition)
		p.HeatCells = append(p.HeatCells, HeatCell{x, y, colour, gradeSetting(e, deadRows)})
		p.ShownEstimates = append(p.ShownEstimates, e, collision, deadRows)
	}
	p.Xs, p.Ys = sortedDistinct(p.Xs), sortedDistinct(p.Ys)
	slices.SortFunc(p.HeatCells, func(a, b HeatCell) int {
		return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Row, b.Row))
	})
	for i, c := range p.HeatCells { // from values to indices
		p.HeatCells[i].Column = float64(slices.Index(p.Xs, c.Column))
		p.HeatCells[i].Row = float64(slices.Index(p.Ys, c.Row))
	}
}

// fullColumns returns the estimates without those in incomplete columns, so that the heat map has
// no gaps. A column is a value of the parameter. It is incomplete if another column has more
// estimates.
func fullColumns(estimates []result.Estimate, param string) []result.Estimate {
	counts, maxCount := map[any]int{}, 0
	for _, e := range estimates {
		counts[e.Params[param]]++
		maxCount = max(maxCount, counts[e.Params[param]])
	}
	return slices.DeleteFunc(estimates, func(e result.Estimate) bool { return counts[e.Params[param]] < maxCount })
}
