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
)

// drawn is what a figure shows, for texts that speak of nothing else.
type drawn []plot.Data

// reading returns the caption of the figure in the notation, with names of the plan as text
// writes them.
func (f Figure) reading(text Text) string {
	d := drawn(f.panels)
	said := joined(f.Caption, f.setting(text), d.maps(), d.omissions())
	if err := label.Allows(said); err != nil {
		panic(fmt.Sprintf("figure: chart %q: its caption: %v", f.Name, err))
	}
	return said
}

// fullCaption returns the caption in the notation, and what the marks mean: that
// of a file, which leaves the page that says so.
func (f Figure) fullCaption() string {
	return joined(append([]string{f.reading(label.Literal)}, f.notation()...)...)
}

// joined puts sentences behind each other, without those that are empty.
func joined(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// Reading returns the caption of the figure as plain text, without its Notation. What text
// makes of a name is not read as notation.
func (f Figure) Reading(text Text) string {
	return label.Plain(f.reading(func(s string) string { return label.Quoted(text(s)) }))
}

// setting says which parameters are fixed, and which law stands for all.
func (f Figure) setting(text Text) string {
	fixed := f.fixedParams(f.doc)
	var parts []string
	for _, e := range names.All() {
		if e.Group != names.GroupParameter {
			continue
		}
		if name, ok := fixed.Text(e.Name); ok {
			parts = append(parts, label.Literal(strings.ReplaceAll(e.Name, "_", " "))+" "+text(name))
		} else if _, ok := fixed.Number(e.Name); ok {
			parts = append(parts, plot.NameOf(plot.Key{By: e.Name, Of: fixed[e.Name]}))
		}
	}
	law := rows.DefaultLaw(f.doc)
	one := slices.ContainsFunc(f.panels, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Points, func(s plot.Points) bool { return s.DefaultLaw })
	})
	return joined(when(len(parts) > 0, "Fixed in this figure: "+strings.Join(parts, ", ")+"."), when(one && law != "", "Where one law stands for all, it is "+text(law)+"."))
}

// when returns the clause if it holds.
func when(holds bool, clause string) string {
	if holds {
		return clause
	}
	return ""
}

// points reports whether any marker of what is measured is as asked.
func (d drawn) points(as func(plot.Point) bool) bool {
	return d.series(func(s plot.Series) bool { return !s.Theory && slices.ContainsFunc(s.Points, as) })
}

// series reports whether any series is as asked.
func (d drawn) series(as func(plot.Series) bool) bool {
	return slices.ContainsFunc(d, func(p plot.Data) bool { return slices.ContainsFunc(p.Series, as) })
}

// omissions say what the panels could not show; zeros are written beside their names.
func (d drawn) omissions() string {
	lost := 0
	for _, p := range d {
		lost += p.Lost - len(p.Zeros)
	}
	return when(lost > 0, fmt.Sprintf("Values that are not above 0, and have no place on a logarithmic axis: %d.", lost))
}

// maps says what a map cannot show.
func (d drawn) maps() string {
	some := slices.ContainsFunc(d, func(p plot.Data) bool { return p.Map != nil })
	return when(some, "The errors of the fields stand in the data of the figure. A column that was drawn at fewer heights than others is left out.")
}

// tolerances writes limits around 1, which may differ, as percentages for a title.
func tolerances(band []plot.Limits) string {
	if len(band) == 0 {
		return ""
	}
	narrow := slices.MinFunc(band, func(a, b plot.Limits) int { return cmp.Compare(a.Width(), b.Width()) })
	wide := slices.MaxFunc(band, func(a, b plot.Limits) int { return cmp.Compare(a.Width(), b.Width()) })
	return ", ±" + digits.Percent(narrow.Width()) + when(narrow.Width() < wide.Width(), " to ±"+digits.Percent(wide.Width()))
}
