package report

import (
	"mcsim/report/chart"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// initsView is the view of the page on initialisations.
type initsView struct {
	Verdict    verdict
	Any        bool
	Model, Key string
	Count      string
	Low, High  initSD
	Usual      []initSD // what common defaults leave
	Off        bool     // one of them is not near 1
	Gates      string
	Standing   standing
	Ledger     table
	Parts      table
	Gradient   bool // the page on softmax shows the gradient of scores divided by d_k
	Own        []ownShape
	Shapes     table
	Others     []scaleTable
	Heads      table
	Same       table
	Sources    table
	Mismatch   table
}

// initSD is the standard deviation of a logit under an initialisation.
type initSD struct {
	Name, Value string
	Last        bool // of several
}

// usualInits are the defaults that the first sentences name, where they were
// drawn.
var usualInits = []string{"torch-linear", "torch-mha", "normal-0.02", "keras", "he-normal"}

func (s *source) initialisations() initsView {
	grid := rows.InitGrid(s.doc)
	f := rows.Init("logit_sd").Within(grid)
	es := s.estimates(f)
	v := initsView{
		Verdict: s.verdict(), Model: numberOf(grid, "d_model"), Key: numberOf(grid, "d_k"),
		Count:    digits.Count(int64(len(es))),
		Gates:    s.gatesOn("init", "head_variance", "the variance of a logit by the weights alone"),
		Standing: s.standing(es, "head_variance", "logit_variance"),
		Ledger:   s.ledger(grid),
		Parts:    s.parts(grid),
		Own:      s.ownShapes(grid),
		Shapes:   s.shapes(),
		Others:   s.otherShapes(grid),
		Heads:    s.heads(grid),
		Same:     s.sameToken(grid),
		Sources:  s.initSources(es),
		Mismatch: s.mismatched(),
	}
	v.Gradient = len(s.estimates(rows.Softmax("key_gradient").Within(rows.SoftmaxGrid(s.doc)).With("exponent", 1.0))) > 1
	v.Any = len(es)+len(v.Mismatch.Rows) > 0
	if low, high, ok := chart.SpreadOf(es); ok {
		v.Low, v.High = initNamed(low), initNamed(high)
	}
	for _, name := range usualInits {
		if e, ok := rows.One(s.doc, f.With("init", name)); ok {
			v.Usual = append(v.Usual, initNamed(e))
			v.Off = v.Off || above(e, 1.1) || below(e, 0.9)
		}
	}
	if n := len(v.Usual); n > 1 {
		v.Usual[n-1].Last = true
	}
	return v
}

func initNamed(e result.Estimate) initSD {
	name, _ := e.Params.Text("init")
	return initSD{Name: escape(name), Value: measured(e)}
}

// ofShape says of which shape a table is.
func ofShape(grid result.Params) string {
	return "a head of d_k" + is + numberOf(grid, "d_k") + " in a model of D" + is + numberOf(grid, "d_model") + " components"
}

// ledger holds every initialisation of the shape: what it makes of a logit, and
// the formula that says so.
func (s *source) ledger(grid result.Params) table {
	t := table{
		Caption: "Standard deviation σ of a logit under each initialisation and score scale, in " + ofShape(grid) +
			", and the formula of its variance, σ². In the formulas d is d_k and H the number of heads." + conciseNote,
		Head: []string{"initialisation", "σ of a logit", "theory", "score scale", "formula of σ²", "framework"},
		Left: []int{3, 4, 5},
	}
	for _, name := range s.initsOf(grid, "logit_sd") {
		scheme, _ := rows.Scheme(s.doc, "init", name)
		line := append([]string{escape(name)}, s.held(rows.Init("logit_sd").Within(grid).With("init", name))[:2]...)
		t.Rows = append(t.Rows, append(line, escape(scheme.Scale), escape(scheme.Logit), escape(scheme.Framework)))
	}
	return t
}

// initsOf lists the initialisations of the shape that have a quantity.
func (s *source) initsOf(grid result.Params, quantity string) []string {
	return rows.Names(s.estimates(rows.Init(quantity).Within(grid)), "init")
}

// parts holds the variances that a logit is made of.
func (s *source) parts(grid result.Params) table {
	return s.initColumns(grid, table{
		Caption: "What a logit is made of, in " + ofShape(grid) + ": the variance of a component of a query and of a key, σ² of the logit under the framework's own scale, and under 1/√d_k." + conciseNote,
	}, []initColumn{
		{"query_variance", "Var of q", true}, {"key_variance", "Var of k", true},
		{"logit_variance", "σ² of the logit", true}, {"scaled_variance", "σ² under 1/√d_k", true},
	})
}

// heads holds what one draw of the weights makes of a head.
func (s *source) heads(grid result.Params) table {
	return s.initColumns(grid, table{
		Caption: "Over draws of the weights: the variance of a logit by the weights alone, and the relative variance of it from head to head." + conciseNote,
	}, []initColumn{{"head_variance", "Var of the logit", true}, {"head_spread", "from head to head", false}})
}

// sameToken holds what becomes of the logit of a token with itself, and in how
// many directions tokens lie.
func (s *source) sameToken(grid result.Params) table {
	return s.initColumns(grid, table{
		Caption: "The logit of a token with itself: its variance over weights and tokens, its mean, and the variance over weights of its mean over tokens; and the participation ratio of the tokens, each time of other ones." + conciseNote,
	}, []initColumn{
		{"same_token_variance", "Var", true}, {"same_token_mean", "mean", true},
		{"same_token_mean_variance", "Var of a head’s mean", false}, {"participation_ratio", "participation ratio", true},
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
func (s *source) initColumns(grid result.Params, t table, columns []initColumn) table {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c initColumn) bool { return len(s.initsOf(grid, c.quantity)) == 0 })
	if len(columns) == 0 {
		return table{}
	}
	t.Head = []string{"initialisation"}
	for _, c := range columns {
		t.Head = append(t.Head, c.head, "theory")
	}
	for _, name := range s.initsOf(grid, columns[0].quantity) {
		line := []string{escape(name)}
		for _, c := range columns {
			line = append(line, s.besideTheory(rows.Init(c.quantity).Within(grid).With("init", name), c.sharp)...)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// besideTheory writes a row and its theory; one that is not asked of the
// initialisation is none.
func (s *source) besideTheory(f rows.Filter, sharp bool) []string {
	e, ok := rows.One(s.doc, f)
	switch {
	case !ok:
		return []string{digits.None, digits.None}
	case !sharp && e.Theory.Present():
		return []string{concise(e), digits.Rough(float64(e.Theory))}
	}
	return heldRow(e)[:2]
}

// initSources says what each initialisation is, and where it is written.
func (s *source) initSources(es []result.Estimate) table {
	t := table{
		Caption: "What each initialisation is, and where it is written: a repository and a commit or release, the file and its lines.",
		Head:    []string{"initialisation", "what it is", "variance of an entry", "source"},
		Left:    []int{1, 2, 3},
	}
	for _, name := range rows.Names(es, "init") {
		if c, ok := rows.Scheme(s.doc, "init", name); ok {
			t.Rows = append(t.Rows, []string{escape(name), described(c), withSubscripts(c.Entry), escape(c.Source)})
		}
	}
	return t
}

// described is what an initialisation is, with its note.
func described(c result.Scheme) string {
	if c.Note == "" {
		return withSubscripts(c.Title)
	}
	return withSubscripts(c.Title) + ". " + withSubscripts(c.Note)
}
