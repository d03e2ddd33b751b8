package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Drawn is what a chart shows, for a caption that speaks of nothing else.
type Drawn []plot.Data

// reading returns the caption of the figure in the notation, from what is
// drawn, with names of the plan as text writes them.
func (f Figure) reading(text Text) string {
	d := Drawn(f.panels)
	var own []string
	if f.Caption != nil {
		own = f.Caption(d, text)
	}
	parts := append(append(own, d.estimators(), d.maps()), d.omissions()...)
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return f.checked(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " "))
}

// finding returns what the rows show, in the notation.
func (f Figure) finding(text Text) string {
	if f.Sentence == nil {
		return ""
	}
	return f.checked(noted(f.Sentence(f.doc, text)))
}

// fullCaption returns finding and caption in the notation, and what the marks mean: that
// of a file, which leaves the page that says so.
func (f Figure) fullCaption() string {
	parts := append([]string{f.finding(label.Literal), f.reading(label.Literal)}, f.notation()...)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// Reading returns the caption of the figure as plain text, without its Notation.
func (f Figure) Reading(text Text) string {
	return label.Plain(f.reading(quoting(text)))
}

// Finding says in one sentence of plain text what the rows show, or nothing
// where the rows that it speaks of are missing.
func (f Figure) Finding(text Text) string {
	return label.Plain(f.finding(quoting(text)))
}

// quoting keeps what text makes of a name from being read as notation.
func quoting(text Text) Text { return func(s string) string { return label.Quoted(text(s)) } }

// When returns the clause if it holds.
func When(holds bool, clause string) string {
	if holds {
		return clause
	}
	return ""
}

// Points reports whether any marker of what is measured is as asked.
func (d Drawn) Points(as func(plot.Point) bool) bool {
	return slices.ContainsFunc(d, func(p plot.Data) bool { return p.Measured(as) })
}

// First returns the parameters of the first row that has all of the named ones;
// of none it has nothing.
func (d Drawn) First(params ...string) result.Params {
	for _, p := range d {
		for _, e := range p.Shown {
			if !slices.ContainsFunc(params, func(name string) bool { _, ok := e.Params[name]; return !ok }) {
				return e.Params
			}
		}
	}
	return nil
}

// Law is that of the first row that is shown and has one.
func (d Drawn) Law() string {
	law, _ := d.First(names.ParamLaw).Text(names.ParamLaw)
	return law
}

// estimators explains markers of another estimator.
func (d Drawn) estimators() string {
	any := slices.ContainsFunc(d, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Series, func(s plot.Series) bool { return s.OtherEstimator })
	})
	return When(any, "Where the Gram estimator stands besides the direct one, its marker is set to the right of it.")
}

// Measured writes a value as running text says it: with few digits where its error leaves
// these certain, else with the error, or with a mark where it has none.
func Measured(e result.Estimate) string {
	if text := digits.NoneSeen(float64(e.Value), float64(e.SE), float64(e.Hi)); text != "" {
		return text
	}
	if rows.OnlyBounded(e) {
		return digits.SaidBounded(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := digits.Said(float64(e.Value), float64(e.SE), float64(e.Resolution))
	if rows.ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}

// noted explains the mark where a sentence has it.
func noted(sentence string) string {
	return sentence + When(strings.Contains(sentence, digits.Unsure), " ("+digits.Unsure+" The error is not known.)")
}

// omissions say what the panels could not show.
func (d Drawn) omissions() []string {
	var partial, lost, below int
	for _, p := range d {
		partial, lost, below = max(partial, p.Partial), lost+p.Lost-len(p.Zeros), below+p.Below // zeros are written beside their names
	}
	return []string{
		leftOut(partial, "One column that was drawn at fewer heights is left out.", "%d columns that were drawn at fewer heights are left out."),
		leftOut(lost, "One value that is not above 0 has no place on a logarithmic axis.", "%d values that are not above 0 have no place on a logarithmic axis."),
		leftOut(below, "One value below the axis is left out.", "%d values below the axis are left out."),
	}
}

// leftOut is the sentence for so many things; none needs none.
func leftOut(n int, one, more string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return one
	}
	return fmt.Sprintf(more, n)
}

// Lines reports whether a line of theory is drawn.
func (d Drawn) Lines() bool {
	return slices.ContainsFunc(d, func(p plot.Data) bool { return len(p.Theory) > 0 })
}

// Names reports whether a series has that label.
func (d Drawn) Names(label string) bool {
	return slices.ContainsFunc(d, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Series, func(s plot.Series) bool { return s.Label == label })
	})
}

// maps says what a map cannot show.
func (d Drawn) maps() string {
	maps, holes := false, false
	for _, p := range d {
		if h := p.Map; h != nil {
			maps, holes = true, holes || len(h.Colours) < len(h.Xs)*len(h.Ys)
		}
	}
	return When(maps, "The errors of the fields stand in the data of the figure."+When(holes, " An empty field has no value to show."))
}

// tolerances writes limits around 1, which may differ, as percentages for a title.
func tolerances(band []plot.Limits) string {
	if len(band) == 0 {
		return ""
	}
	narrow := slices.MinFunc(band, func(a, b plot.Limits) int { return cmp.Compare(a.Width(), b.Width()) })
	wide := slices.MaxFunc(band, func(a, b plot.Limits) int { return cmp.Compare(a.Width(), b.Width()) })
	return "±" + digits.Percent(narrow.Width()) + When(narrow.Width() < wide.Width(), " to ±"+digits.Percent(wide.Width()))
}
