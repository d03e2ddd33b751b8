package report

import (
	"mcsim/report/digits"
	"mcsim/report/figure"
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
	Heads      table
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
		Heads:    s.heads(grid),
		Sources:  s.initSources(es),
		Mismatch: s.mismatched(),
	}
	v.Any = len(es)+len(v.Mismatch.Rows) > 0
	if low, high, ok := figure.SpreadOf(es); ok {
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

// ledger holds every initialisation of the shape: what its formulas say, and
// what was measured.
func (s *source) ledger(grid result.Params) table {
	t := table{
		Caption: "Variance of a logit under each initialisation and score scale, at d_model" + is + numberOf(grid, "d_model") + " and d_k" + is + numberOf(grid, "d_k") +
			", and its standard deviation. In the formulas D is d_model, d is d_k and H the number of heads." + conciseNote,
		Head: []string{"initialisation", "framework", "scale", "formula", "variance", "theory", "difference", "standard deviation"},
		Left: []int{1, 2, 3},
	}
	for _, e := range s.estimates(rows.Init("logit_variance").Within(grid)) {
		name, _ := e.Params.Text("init")
		scheme, _ := rows.Scheme(s.doc, "init", name)
		at := func(q string) rows.Filter { return rows.Init(q).Within(grid).With("init", name) }
		line := []string{escape(name), escape(scheme.Framework), escape(scheme.Scale), escape(scheme.Logit)}
		line = append(line, s.held(at("logit_variance"))...)
		t.Rows = append(t.Rows, append(line, s.cell(at("logit_sd"))))
	}
	return t
}

// heads holds what one draw of the weights makes of a head.
func (s *source) heads(grid result.Params) table {
	t := table{
		Caption: "Over draws of the weights: the variance of a logit by the weights alone, and the relative variance from head to head of what one head has." + conciseNote,
		Head:    []string{"initialisation", "variance", "theory", "difference", "relative variance from head to head", "theory"},
	}
	for _, e := range s.estimates(rows.Init("head_spread").Within(grid)) {
		name, _ := e.Params.Text("init")
		at := func(q string) rows.Filter { return rows.Init(q).Within(grid).With("init", name) }
		line := append([]string{escape(name)}, s.held(at("head_variance"))...)
		t.Rows = append(t.Rows, append(line, concise(e), digits.Rough(float64(e.Theory))))
	}
	return t
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
			t.Rows = append(t.Rows, []string{escape(name), described(c), escape(c.Entry), escape(c.Source)})
		}
	}
	return t
}

// described is what an initialisation is, with its note.
func described(c result.Scheme) string {
	if c.Note == "" {
		return escape(c.Title)
	}
	return escape(c.Title) + ". " + escape(c.Note)
}
