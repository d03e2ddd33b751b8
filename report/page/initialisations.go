package page

import (
	"mcsim/report/chart"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// initsView is the view of the page on initialisations.
type initsView struct {
	Verdict    view.Verdict
	Any        bool
	Model, Key string
	Count      string
	Low, High  initSD
	Zeros      string // initialisations that start at 0, beside those between Low and High
	Off        bool   // a common default is not near 1
	Differ     bool   // the smallest and the largest have intervals that lie apart
	Gates      string
	Support    view.Support
	Ledger     view.Table
	Parts      view.Table
	Gradient   bool // the page on softmax shows the gradient of scores divided by d_k
	Own        []ownShape
	Shapes     view.Table
	Others     []scaleTable
	Heads      view.Table
	Same       view.Table
	Sources    view.Table
	Mismatch   view.Table
}

// initSD is the standard deviation of a logit under an initialisation.
type initSD struct{ Name, Value string }

// usualInits are the common defaults.
var usualInits = []string{names.InitTorchLinear, names.InitTorchMHA, names.InitNormal002, names.InitKeras, names.InitHeNormal}

// initialisations fills the page on initialisations.
func initialisations(s *view.Source) initsView {
	grid := rows.InitGrid(s.Doc)
	f := rows.Init(names.LogitSD).Within(grid)
	es := s.Estimates(f)
	v := initsView{
		Verdict: s.Verdict(), Model: view.NumberIn(grid, names.ParamModel), Key: view.NumberIn(grid, names.ParamDimension),
		Count:    digits.Count(int64(len(es))),
		Gates:    s.GatesOn(names.ExperimentInit, names.HeadVariance, "the variance of a logit, worked out from the drawn weights for all tokens there might be,"),
		Support:  s.Support(es, names.HeadVariance, names.LogitVariance),
		Ledger:   ledger(s, grid),
		Parts:    parts(s, grid),
		Own:      ownShapes(s, grid),
		Shapes:   shapes(s),
		Others:   otherShapes(s, grid),
		Heads:    heads(s, grid),
		Same:     sameToken(s, grid),
		Sources:  initSources(s, es),
		Mismatch: mismatched(s),
	}
	v.Gradient = fades(s)
	v.Any = len(es)+len(v.Mismatch.Rows) > 0
	if low, high, ok := chart.SpreadOf(es); ok {
		v.Low, v.High = initNamed(low), initNamed(high)
		var zeros []string
		for _, e := range chart.Zeros(es) {
			zeros = append(zeros, initNamed(e).Name)
		}
		v.Zeros = view.Listed(zeros)
		v.Differ = low.Hi.Present() && high.Lo.Present() && low.Hi < high.Lo && v.Support.Firm
	}
	for _, name := range usualInits {
		if e, ok := rows.One(s.Doc, f.With(names.ParamInit, name)); ok {
			v.Off = v.Off || v.Support.Firm && (view.Above(e, 1.1) || view.Below(e, 0.9))
		}
	}
	return v
}

// fades reports whether the gradient of scores divided by d_k shrinks from the smallest
// d_k to the largest by more than three standard errors of each.
func fades(s *view.Source) bool {
	grid := rows.SoftmaxGrid(s.Doc)
	es := s.Estimates(rows.Softmax(names.KeyGradient).Within(grid).With(names.ParamExponent, 1.0))
	if len(es) < 2 {
		return false
	}
	first, last := es[0], es[len(es)-1]
	return last.Value+3*last.SE < first.Value-3*first.SE
}

// initNamed writes a row with the name of its initialisation.
func initNamed(e result.Estimate) initSD {
	name, _ := e.Params.Text(names.ParamInit)
	return initSD{Name: markdown.Escape(name), Value: view.Said(e)}
}

// ofShape says of which shape a table is.
func ofShape(grid result.Params) string {
	return "a head of d_k" + view.Equals + view.NumberIn(grid, names.ParamDimension) + " in a model of D" + view.Equals + view.NumberIn(grid, names.ParamModel) + " components"
}

// ledger holds every initialisation of the shape: what it makes of a logit, and
// the formula that says so.
func ledger(s *view.Source, grid result.Params) view.Table {
	inits := initsOf(s, grid, names.LogitSD)
	t := s.Fill(view.Table{
		Caption: "Standard deviation σ of a logit under each initialisation and score scale, in " + ofShape(grid) +
			", and the formula of its variance, σ². In the formulas d is d_k and H the number of heads.",
		Head: []string{"initialisation"},
		Left: []int{3, 4, 5},
	}, view.LinesOf(names.ParamInit, inits, markdown.Escape), []view.Column{
		{Heads: []string{"σ of a logit", "theory"}, Rows: rows.Init(names.LogitSD).Within(grid), Write: view.BesideTheory},
	})
	t.Head = append(t.Head, "score scale", "formula of σ²", "framework")
	for i, name := range inits {
		scheme, _ := rows.Scheme(s.Doc, names.ExperimentInit, name)
		t.Rows[i] = append(t.Rows[i], markdown.Escape(scheme.Scale), markdown.Escape(scheme.Logit), markdown.Escape(scheme.Framework))
	}
	return t
}

// initsOf lists the initialisations of the shape that have a quantity.
func initsOf(s *view.Source, grid result.Params, quantity string) []string {
	return rows.Names(s.Estimates(rows.Init(quantity).Within(grid)), names.ParamInit)
}

// parts holds the variances that a logit is made of.
func parts(s *view.Source, grid result.Params) view.Table {
	return initColumns(s, grid, view.Table{
		Caption: "What a logit is made of, in " + ofShape(grid) + ": the variance of a component of a query and of a key, σ² of the logit under the framework's own scale, and under 1/√d_k.",
	}, []initColumn{
		{names.QueryVariance, "Var of q", true}, {names.KeyVariance, "Var of k", true},
		{names.LogitVariance, "σ² of the logit", true}, {names.ScaledVariance, "σ² under 1/√d_k", true},
	})
}

// heads holds what one draw of the weights makes of a head.
func heads(s *view.Source, grid result.Params) view.Table {
	return initColumns(s, grid, view.Table{
		Caption: "The variance of a logit over all tokens there might be, on average over draws of the weights, and its relative variance from head to head.",
	}, []initColumn{{names.HeadVariance, "Var of the logit", true}, {names.HeadSpread, "from head to head", false}})
}

// sameToken holds what becomes of the logit of a token with itself, and in how
// many directions tokens lie.
func sameToken(s *view.Source, grid result.Params) view.Table {
	return initColumns(s, grid, view.Table{
		Caption: "The logit of a token with itself: its variance over weights and tokens, its mean, and the variance over weights of its mean over tokens; and the effective number of independent directions of the tokens, each time of other ones.",
	}, []initColumn{
		{names.SameTokenVariance, "Var", true}, {names.SameTokenMean, "mean", true},
		{names.SameTokenMeanVariance, "Var of a head’s mean", false}, {names.ParticipationRatio, "directions", true},
	})
}

// initColumn is a quantity beside its theory. An error of its own tells how many
// digits of theory matter; that of a variance over draws is too wide for that.
type initColumn struct {
	quantity, head string
	sharp          bool
}

// initColumns lays out quantities of the shape's initialisations. It is no table
// where none of them has a row.
func initColumns(s *view.Source, grid result.Params, t view.Table, columns []initColumn) view.Table {
	var shown []view.Column
	for _, c := range columns {
		if len(initsOf(s, grid, c.quantity)) == 0 {
			continue
		}
		of := view.Column{Heads: []string{c.head, "theory"}, Rows: rows.Init(c.quantity).Within(grid), Write: view.BesideTheory, Missing: digits.None}
		if !c.sharp {
			of.Write = besideRough
		}
		shown = append(shown, of)
	}
	if len(shown) == 0 {
		return view.Table{}
	}
	t.Head = []string{"initialisation"}
	return s.Fill(t, view.LinesOf(names.ParamInit, initsOf(s, grid, shown[0].Rows.Quantity), markdown.Escape), shown)
}

// besideRough writes a row and a few digits of its theory.
func besideRough(e result.Estimate) []string {
	if !e.Theory.Present() {
		return view.BesideTheory(e)
	}
	return []string{view.Concise(e), digits.Rough(float64(e.Theory))}
}

// initSources says what each initialisation is, and where it is written.
func initSources(s *view.Source, es []result.Estimate) view.Table {
	t := view.Table{
		Caption: "What each initialisation is, and where it is written: a repository and a commit or release, the file and its lines.",
		Head:    []string{"initialisation", "what it is", "variance of an entry", "source"},
		Left:    []int{1, 2, 3},
	}
	for _, name := range rows.Names(es, names.ParamInit) {
		if c, ok := rows.Scheme(s.Doc, names.ExperimentInit, name); ok {
			t.Rows = append(t.Rows, []string{markdown.Escape(name), described(c), markdown.WithSubscripts(c.Entry), view.References(c.Source)})
		}
	}
	return t
}

// described is what an initialisation is, with its note.
func described(c result.Scheme) string {
	if c.Note == "" {
		return markdown.WithSubscripts(c.Title)
	}
	return markdown.WithSubscripts(c.Title) + ". " + view.References(c.Note)
}
