package page

import (
	"fmt"
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// alignmentView is the view of the page on an aligned key.
type alignmentView struct {
	Verdict   view.Verdict
	Any       bool
	Keys, Law string
	Support   view.Support // of the weights, by the gates on shares
	Low, High alignedAt    // exponents at the smallest and the largest correlation
	Differs   bool         // their intervals hold theory, and lie apart
	Root      weightView   // p = 1/2
	Whole     weightView   // p = 1
	Gates     string
	Exponents view.Table
	Weights   []scaleTable
	Squares   view.Table
}

// alignedAt is a row at one correlation and d_k.
type alignedAt struct{ Rho, Dim, Value string }

// weightView is what softmax gives the aligned key at the first and the last d_k.
type weightView struct {
	Rho         string
	First, Last view.Point
	Grows       bool // by more than three standard errors of each
	Stays       bool // it is within a tenth of what it was
}

// alignment fills the page on an aligned key.
func alignment(s *view.Source) alignmentView {
	grid := rows.AlignmentGrid(s.Doc)
	law, _ := grid.Text(names.ParamLaw)
	of := func(q string) rows.Filter { return rows.Alignment(q).Within(grid) }
	exponents := of(names.LocalExponent)
	v := alignmentView{
		Verdict: s.Verdict(), Law: view.LawHead(law), Keys: view.NumberIn(grid, names.ParamKeys),
		Any:       len(s.Estimates(of(names.ScoreMeanSquare))) > 0,
		Gates:     alignmentGates(s),
		Exponents: byRho(s, exponents, "The exponent between neighbouring d_k, at their geometric mean, rounded, for each correlation ρ."),
		Squares:   byRho(s, of(names.ScoreMeanSquare), "Mean square of the aligned key's score, for each correlation ρ."),
		Root:      weightOf(s, of(names.AlignedWeight).With(names.ParamExponent, 0.5)),
		Whole:     weightOf(s, of(names.AlignedWeight).With(names.ParamExponent, 1.0)),
	}
	if low, high, ok := rows.AlignmentEnds(s.Doc, exponents); ok {
		v.Low, v.High = alignedRow(low), alignedRow(high)
		v.Differs = view.Agrees(low) && view.Agrees(high) && (low.Hi < high.Lo || high.Hi < low.Lo)
	}
	var shown []result.Estimate
	for _, p := range []float64{0.5, 1} {
		shown = append(shown, s.Estimates(of(names.AlignedWeight).With(names.ParamExponent, p))...)
	}
	v.Support = s.Support(shown, names.AlignedWeight)
	for _, p := range []float64{0.5, 1} {
		t := byRho(s, of(names.AlignedWeight).With(names.ParamExponent, p), "Mean weight of the aligned key where scores are divided by d_k to the power p"+view.Equals+digits.Fraction(p)+", for each correlation ρ.")
		if len(t.Rows) > 0 {
			v.Weights = append(v.Weights, scaleTable{Exponent: digits.Fraction(p), Table: t})
		}
	}
	return v
}

// What the gates on alignment judge: moments of the aligned key's score, within
// a part of its standard deviation or of their size; and means of numbers
// between 0 and 1.
var (
	alignedMoments = []string{names.ScoreMean, names.ScoreVariance}
	alignedShares  = []string{names.AlignedWeight, names.AlignedFirstShare, names.GradientSurvival, names.EntropyRatio}
)

// alignmentGates says how the gates came out and what they judge.
func alignmentGates(s *view.Source) string {
	moments, shares := s.GatesAmong(names.ExperimentAlignment, alignedMoments...), s.GatesAmong(names.ExperimentAlignment, alignedShares...)
	all := append(slices.Clone(moments), shares...)
	t := view.Count(all)
	if t.Gates == 0 {
		return ""
	}
	text := fmt.Sprintf("The gates of this page are %s on the mean and the variance of the aligned key's score, and %s on means of numbers between 0 and 1, which are its weight, how often its score is the greatest, and $R$.",
		digits.Count(int64(len(moments))), digits.Count(int64(len(shares))))
	if half, ok := widest(shares); ok {
		text += " The band of a mean between 0 and 1 is absolute: " + half + " to either side of theory, however small the mean is."
	}
	if t.Clean() {
		return text + " All pass."
	}
	return text + " " + t.Sentence()
}

// widest is half the width of the widest band.
func widest(gates []result.Gate) (half string, ok bool) {
	most := 0.0
	for _, g := range gates {
		if lo, hi := float64(g.Band[0]), float64(g.Band[1]); hi-lo > most { // not where an end is open
			most = hi - lo
		}
	}
	return digits.Rough(most / 2), most > 0 && !math.IsInf(most, 0)
}

// alignedRow writes a row with its correlation and dimension.
func alignedRow(e result.Estimate) alignedAt {
	d, _ := e.Params.Number(names.ParamDimension)
	return alignedAt{view.NumberIn(e.Params, names.ParamRho), digits.Rough(d), view.Said(e)}
}

// weightOf finds the weights of the largest correlation below 1 at the ends of
// the d_k.
func weightOf(s *view.Source, f rows.Filter) (w weightView) {
	last, ok := rows.MostAligned(s.Doc, f)
	if !ok {
		return w
	}
	f = f.With(names.ParamRho, last.Params[names.ParamRho])
	dims := rows.Numbers(s.Estimates(f), names.ParamDimension)
	first, _ := rows.One(s.Doc, f.With(names.ParamDimension, dims[0]))
	ends := s.PointsAt(f, dims[0], dims[len(dims)-1])
	w = weightView{Rho: view.NumberIn(last.Params, names.ParamRho), Last: ends[len(ends)-1]}
	if len(dims) > 1 {
		w.First = ends[0]
		w.Grows = last.Value-3*last.SE > first.Value+3*first.SE && last.Value > 2*first.Value
		w.Stays = last.Value+3*last.SE < 1.1*first.Value && last.Value-3*last.SE > 0.9*first.Value
	}
	return w
}

// wholeOrRough writes a dimension, which between two of them is no whole number.
func wholeOrRough(d float64) string {
	if d == math.Trunc(d) {
		return digits.Short(d)
	}
	return digits.Rough(d)
}

// byRho lays out a quantity with correlations as columns and dimensions as
// rows.
func byRho(s *view.Source, f rows.Filter, caption string) view.Table {
	es := s.Estimates(f)
	var cols []view.Column
	for _, rho := range rows.Numbers(es, names.ParamRho) {
		cols = append(cols, view.Column{Heads: []string{"ρ" + view.Equals + digits.Short(rho)}, Rows: f.With(names.ParamRho, rho)})
	}
	lines := view.LinesOf(names.ParamDimension, rows.Numbers(es, names.ParamDimension), wholeOrRough)
	return s.Fill(view.Table{Caption: caption, Head: []string{names.ParamDimension}}, lines, cols)
}
