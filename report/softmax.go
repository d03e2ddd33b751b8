package report

import (
	"mcsim/report/digits"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// softmaxView is the view of the page on softmax and its gradient.
type softmaxView struct {
	Verdict  verdict
	Standing standing
	Any      bool // the plan has rows of softmax or of freezing
	Law      string
	softened
	Least string // d_k, where there are several
	// Parted: unscaled, the root mean square of the gradient is larger, and the
	// median row is lost.
	Parted bool
	Flat   []point // the gradient at p = 1/2, over d_k
	Gates  string

	Means    []scaleTable // by d_k, for a few exponents
	Medians  table
	Heat     table // over the temperature
	HeatAt   string
	HeatKeys string
	Shared   table
	Laws     table
	Freezing bool
}

// softened is what softmax does at the largest d_k, without a scale and with
// the usual one.
type softened struct {
	Keys, Dim string
	Raw, Root sharpness
}

// sharpness is what softmax does to rows under one scale, at one d_k.
type sharpness struct {
	Weight string // largest weight, on average
	Median string // R of the median row
	Label  string // of that row, where its interval lies within one label
	Square string // root mean square of the gradient by the keys
}

// scaleTable is a table for one exponent.
type scaleTable struct {
	Exponent string
	Table    table
}

func (s *source) softmax() softmaxView {
	grid := rows.SoftmaxGrid(s.doc)
	law, _ := grid.Text("law")
	v := softmaxView{
		Verdict:  s.verdict(),
		Law:      lawHead(law),
		Gates:    s.gatesOn("softmax", "max_weight", "the largest weight"),
		Freezing: len(s.estimates(rows.Filter{Experiment: "freezing", Quantity: "max_weight"})) > 0,
		Medians:  s.medians(grid),
		Shared:   s.sharedKeys(),
		Laws:     s.softmaxLaws(),
	}
	v.Heat = s.temperatures()
	heat := rows.TemperatureGrid(s.doc)
	v.HeatAt, v.HeatKeys = numberOf(heat, "d_k"), numberOf(heat, "keys")
	for _, p := range []float64{0, 0.5, 1} {
		if t := s.softmaxMeans(grid, p); len(t.Rows) > 0 {
			v.Means = append(v.Means, scaleTable{digits.Fraction(p), t})
		}
	}
	s.lead(&v, grid)
	v.Any = v.Dim != "" || v.Freezing || len(v.Heat.Rows)+len(v.Shared.Rows)+len(v.Laws.Rows) > 0
	return v
}

// softmaxDims are the d_k of a grid.
func (s *source) softmaxDims(grid result.Params) []float64 {
	f := rows.Softmax("max_weight").Within(grid)
	f.Has = []string{"exponent"}
	return rows.Numbers(s.estimates(f), "d_k")
}

// softened finds what softmax does at the largest d_k of a grid.
func (s *source) softened(grid result.Params) (out softened) {
	dims := s.softmaxDims(grid)
	if len(dims) == 0 {
		return out
	}
	last := dims[len(dims)-1]
	at := func(p float64) result.Params {
		return result.Params{"law": grid["law"], "keys": grid["keys"], "d_k": last, "exponent": p}
	}
	return softened{numberOf(grid, "keys"), digits.Short(last), s.sharpnessAt(at(0)), s.sharpnessAt(at(0.5))}
}

// lead fills what the first sentences say: of the largest d_k.
func (s *source) lead(v *softmaxView, grid result.Params) {
	dims := s.softmaxDims(grid)
	if len(dims) == 0 {
		return
	}
	last := dims[len(dims)-1]
	v.softened = s.softened(grid)
	if len(dims) > 1 {
		v.Least = digits.Short(dims[0])
	}
	v.Parted = s.parted(grid, last)
	shown := s.estimates(rows.Softmax("max_weight").Within(grid).With("d_k", last))
	v.Standing = s.standing(shown, "max_weight", "gradient_survival")
	square := rows.Softmax("key_gradient").Within(grid).With("exponent", 0.5)
	for _, d := range distinctNumbers(8, 64, last) {
		if e, ok := rows.One(s.doc, square.With("d_k", d)); ok {
			v.Flat = append(v.Flat, point{Dim: digits.Short(d), Value: measured(e)})
		}
	}
	if n := len(v.Flat); n > 1 {
		v.Flat[n-1].Last = true
	}
}

// parted reports whether at a d_k the unscaled score has a larger root mean
// square of the gradient than the usual one, and yet a median row that is at
// best dying.
func (s *source) parted(grid result.Params, d float64) bool {
	at := func(quantity string, p float64) (result.Estimate, bool) {
		return rows.One(s.doc, rows.Softmax(quantity).Within(grid).With("d_k", d).With("exponent", p))
	}
	raw, okRaw := at("key_gradient", 0)
	root, okRoot := at("key_gradient", 0.5)
	median, okMedian := at("gradient_survival_q50", 0)
	lost := plot.GradeName(float64(median.Hi))
	return okRaw && okRoot && okMedian && raw.Lo > root.Hi && median.Hi.Present() && (lost == "dying" || lost == "dead")
}

func (s *source) sharpnessAt(at result.Params) (out sharpness) {
	say := func(to *string, quantity string) result.Estimate {
		e, ok := rows.One(s.doc, rows.Softmax(quantity).Within(at))
		if ok {
			*to = measured(e)
		}
		return e
	}
	say(&out.Weight, "max_weight")
	say(&out.Square, "key_gradient")
	if median := say(&out.Median, "gradient_survival_q50"); out.Median != "" {
		out.Label = labelOf(median)
	}
	return out
}

// labelOf names the label of a median R, or both where its interval lies in
// two.
func labelOf(e result.Estimate) string {
	if !e.Lo.Present() || !e.Hi.Present() {
		return plot.GradeName(float64(e.Value))
	}
	lo, hi := plot.GradeName(float64(e.Lo)), plot.GradeName(float64(e.Hi))
	if lo != hi {
		return lo + " or " + hi
	}
	return lo
}

// numberOf writes a parameter that is a number, or nothing.
func numberOf(p result.Params, name string) string {
	x, ok := p.Number(name)
	if !ok {
		return ""
	}
	return digits.Short(x)
}
