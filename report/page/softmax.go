package page

import (
	"mcsim/report/digits"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// softmaxView is the view of the page on softmax and its gradient.
type softmaxView struct {
	Verdict view.Verdict
	Support view.Support
	Any     bool // the plan has rows of softmax or of freezing
	Law     string
	softmaxSummary
	Least string // d_k, where there are several
	// MeanMisleads: unscaled, the root mean square of the gradient is larger, and the
	// median row is lost.
	MeanMisleads bool
	Flat         []view.Point // the gradient at p = 1/2, over d_k
	Steady       bool         // it hardly depends on d_k
	MostlyDead   bool         // of unscaled rows, more than half at the largest d_k
	ShapeMatters bool         // the law of the components changes the median R
	Gates        string

	Means    []scaleTable // by d_k, for a few exponents
	Medians  view.Table
	Heat     view.Table // over the temperature
	HeatAt   string
	HeatKeys string
	Shared   view.Table
	// SharedGates says how the gates on rows of shared keys came out.
	SharedGates string
	Laws        view.Table
	Freezing    bool
	Recorded    view.Table // what the table of results has of rows
}

// softmaxSummary is what softmax does at the largest d_k, without a scale and with
// the usual one.
type softmaxSummary struct {
	Keys, Dim   string
	KeysInWords string
	Raw, Root   sharpness
}

// sharpness is what softmax does to rows under one scale, at one d_k.
type sharpness struct {
	Weight string // largest weight, on average
	Median string // R of the median row
	Label  string // of that row, where its interval lies within one label
	Square string // root mean square of the gradient by the keys
}

// scaleTable is one of several like tables, for one exponent or some shapes.
type scaleTable struct {
	Exponent string
	Name     string // of the first shape
	Table    view.Table
}

// softmax fills the page on softmax and its gradient.
func softmax(s *view.Source) softmaxView {
	grid := rows.SoftmaxGrid(s.Doc)
	law, _ := grid.Text(names.ParamLaw)
	v := softmaxView{
		Verdict:  s.Verdict(),
		Law:      view.LawHead(law),
		Gates:    s.GatesOn(names.ExperimentSoftmax, names.MaxWeight, "the largest weight"),
		Freezing: len(s.Estimates(rows.Filter{Experiment: names.ExperimentFreezing, Quantity: names.MaxWeight})) > 0,
		Medians:  medians(s, grid),
		Shared:   sharedKeys(s),
		Laws:     softmaxLaws(s),
		Recorded: recorded(s),
	}
	v.Heat = temperatures(s)
	heat := rows.TemperatureGrid(s.Doc)
	v.HeatAt, v.HeatKeys = view.NumberIn(heat, names.ParamDimension), view.NumberIn(heat, names.ParamKeys)
	for _, p := range []float64{0, 0.5, 1} {
		if t := softmaxMeans(s, grid, p); len(t.Rows) > 0 {
			v.Means = append(v.Means, scaleTable{Exponent: digits.Fraction(p), Table: t})
		}
	}
	fillFirst(s, &v, grid)
	v.Any = v.Dim != "" || v.Freezing || len(v.Heat.Rows)+len(v.Shared.Rows)+len(v.Laws.Rows) > 0
	return v
}

// recorded defines the quantities of rows of softmax that the document has.
func recorded(s *view.Source) view.Table {
	var es []result.Estimate
	for _, e := range s.Doc.Estimates {
		if e.Experiment == names.ExperimentSoftmax || e.Experiment == names.ExperimentFreezing {
			es = append(es, e)
		}
	}
	return view.Definitions("What is recorded of rows, by its name in estimates.csv. A median or another quantile over rows has the end \\_q50, \\_q05 and so on.", view.Quantities(es))
}

// softmaxDims are the d_k of a grid.
func softmaxDims(s *view.Source, grid result.Params) []float64 {
	f := rows.Softmax(names.MaxWeight).Within(grid)
	f.Has = []string{names.ParamExponent}
	return rows.Numbers(s.Estimates(f), names.ParamDimension)
}

// summarySoftmax finds what softmax does at the largest d_k of a grid.
func summarySoftmax(s *view.Source, grid result.Params) (out softmaxSummary) {
	dims := softmaxDims(s, grid)
	if len(dims) == 0 {
		return out
	}
	last := dims[len(dims)-1]
	at := func(p float64) result.Params {
		return result.Params{names.ParamLaw: grid[names.ParamLaw], names.ParamKeys: grid[names.ParamKeys], names.ParamDimension: last, names.ParamExponent: p}
	}
	keys, _ := grid.Number(names.ParamKeys)
	return softmaxSummary{digits.Short(keys), digits.Short(last), digits.InWords(int(keys)), sharpnessAt(s, at(0)), sharpnessAt(s, at(0.5))}
}

// fillFirst fills what the first sentences say: of the largest d_k.
func fillFirst(s *view.Source, v *softmaxView, grid result.Params) {
	dims := softmaxDims(s, grid)
	if len(dims) == 0 {
		return
	}
	last := dims[len(dims)-1]
	v.softmaxSummary = summarySoftmax(s, grid)
	if len(dims) > 1 {
		v.Least = digits.Short(dims[0])
	}
	v.MeanMisleads = meanMisleads(s, grid, last)
	v.Support = s.Support(sharpRows(s, grid), names.MaxWeight, names.GradientSurvival)
	v.Steady, v.ShapeMatters = v.Support.Firm && steady(s, grid), shapeMatters(s) != nil
	v.MostlyDead = v.Support.Firm && v.Raw.Label == names.LabelDead // the label is that of the median row
	v.SharedGates = sharedGates(s)
	v.Flat = s.PointsAt(rows.Softmax(names.KeyGradient).Within(grid).With(names.ParamExponent, 0.5), 8, 64, last)
}

// sharpRows are the rows of the first sentences that have theory where it is known: of
// the largest weight, without a scale and with the usual one, at the largest d_k.
func sharpRows(s *view.Source, grid result.Params) (shown []result.Estimate) {
	dims := softmaxDims(s, grid)
	if len(dims) == 0 {
		return nil
	}
	for _, p := range []float64{0, 0.5} {
		f := rows.Softmax(names.MaxWeight).Within(grid).With(names.ParamDimension, dims[len(dims)-1]).With(names.ParamExponent, p)
		shown = append(shown, s.Estimates(f)...)
	}
	return shown
}

// sharedGates says how the gates on means over rows of shared keys came out.
func sharedGates(s *view.Source) string {
	var gates []result.Gate
	for _, g := range s.Doc.Gates {
		if g.Experiment == names.ExperimentSoftmax && g.Params[names.ParamSharedKeys] == names.Yes {
			gates = append(gates, g)
		}
	}
	t := view.Count(gates)
	switch {
	case t.Gates == 0:
		return "No gate judges rows of shared keys."
	case t.Clean():
		return view.Passing(t.Gates, "rows of shared keys")
	}
	return "On rows of shared keys: " + t.Sentence()
}

// meanMisleads reports whether at a d_k the unscaled score has a larger root mean
// square of the gradient than the usual one, and yet a median row that is at
// best dying.
func meanMisleads(s *view.Source, grid result.Params, d float64) bool {
	at := func(quantity string, p float64) (result.Estimate, bool) {
		return rows.One(s.Doc, rows.Softmax(quantity).Within(grid).With(names.ParamDimension, d).With(names.ParamExponent, p))
	}
	raw, okRaw := at(names.KeyGradient, 0)
	root, okRoot := at(names.KeyGradient, 0.5)
	median, okMedian := at(names.Quantile(names.GradientSurvival, 0.5), 0)
	lost := plot.GradeOf(float64(median.Hi)).Name
	return okRaw && okRoot && okMedian && raw.Lo > root.Hi && median.Hi.Present() && (lost == names.LabelDying || lost == names.LabelDead)
}

// steadyFrom is the d_k from which the gradient is compared, for below it scores are far
// from normal; steadyWithin is the part by which it may change.
const steadyFrom, steadyWithin = 8, 0.05

// steady reports whether the gradient that reaches the keys hardly depends on d_k under
// the usual scale: every interval lies within a part of the first value.
func steady(s *view.Source, grid result.Params) bool {
	var first result.Number
	n := 0
	for _, e := range s.Estimates(rows.Softmax(names.KeyGradient).Within(grid).With(names.ParamExponent, 0.5)) {
		if d, _ := e.Params.Number(names.ParamDimension); d < steadyFrom {
			continue
		}
		if n++; n == 1 {
			first = e.Value
		}
		if !view.Above(e, (1-steadyWithin)*first) || !view.Below(e, (1+steadyWithin)*first) {
			return false
		}
	}
	return n > 1
}

// sharpnessAt reads off what softmax does at one point of the grid.
func sharpnessAt(s *view.Source, at result.Params) (out sharpness) {
	out.Weight = s.SaidAt(rows.Softmax(names.MaxWeight).Within(at))
	out.Square = s.SaidAt(rows.Softmax(names.KeyGradient).Within(at))
	if median, ok := rows.One(s.Doc, rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(at)); ok {
		out.Median, out.Label = view.Said(median), labelOf(median)
	}
	return out
}

// labelOf names the label of a median R, or both where its interval lies in
// two.
func labelOf(e result.Estimate) string {
	if !e.Lo.Present() || !e.Hi.Present() {
		return plot.GradeOf(float64(e.Value)).Name
	}
	lo, hi := plot.GradeOf(float64(e.Lo)).Name, plot.GradeOf(float64(e.Hi)).Name
	if lo != hi {
		return lo + " or " + hi
	}
	return lo
}
