package precision

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/formats"
	"mcsim/sim/result"
)

// judged is what is said of a format over d_k.
type judged struct {
	name  string
	spans []rows.Span
	dims  []float64
}

// judgedFormats are the formats that the document has in a setting. What is said of both
// kinds of e4m3fn stands once where it is the same, and where there is one kind alone.
func judgedFormats(doc *result.Document, placement, arithmetic string) (all []judged) {
	for _, format := range formatHeads {
		spans, dims := rows.FormatSpans(doc, format, placement, arithmetic)
		if len(dims) > 0 {
			all = append(all, judged{format, spans, dims})
		}
	}
	kinds := func(j judged) bool { return strings.HasPrefix(j.name, formats.E4M3) }
	first := slices.IndexFunc(all, kinds)
	if first < 0 {
		return all
	}
	if next := first + 1; next < len(all) && kinds(all[next]) {
		if !all[first].sameAs(all[next]) {
			return all
		}
		all = slices.Delete(all, next, next+1)
	}
	all[first].name = formats.E4M3
	return all
}

// sameAs reports whether the same is said of two formats at the same d_k.
func (j judged) sameAs(other judged) bool {
	return slices.Equal(j.spans, other.spans) && slices.Equal(j.dims, other.dims)
}

// kind is how a format comes out over d_k, in the order in which a sentence says it.
type kind int

const (
	holdsAll kind = iota
	failsFrom
	mixed
	undecidedAll
	failsAll
)

// kindOf is how a format comes out, and from which d_k on it fails where it does so from one
// on and not before.
func (j judged) kindOf() (k kind, from float64) {
	last := j.spans[len(j.spans)-1]
	fails := func(s rows.Span) bool { return s.Verdict == formats.Fails }
	switch {
	case len(j.spans) == 1:
		return map[string]kind{formats.Holds: holdsAll, formats.Fails: failsAll, formats.Unsettled: undecidedAll}[last.Verdict], 0
	case fails(last) && slices.IndexFunc(j.spans, fails) == len(j.spans)-1:
		return failsFrom, last.From
	}
	return mixed, 0
}

// mostNumbers is how many numbers the sentence that leads the page may have.
const mostNumbers = 3

// lead writes clauses on formats, and counts the numbers in them.
type lead struct{ numbers int }

// formatLead says in a sentence which formats hold and which fail, in the first setting that
// the document has, and what is otherwise if sums are in the format.
func formatLead(doc *result.Document) string {
	for _, of := range slices.Concat([]setting{usual}, settings) {
		all := judgedFormats(doc, of.placement, of.arithmetic)
		if len(all) == 0 {
			continue
		}
		var l lead
		text := "Here " + l.clause(all, nil) + ", " + of.said
		if of.arithmetic == formats.Practice {
			text += l.worst(all, judgedFormats(doc, of.placement, formats.Worst))
		}
		return text + "."
	}
	return ""
}

// worst says of which formats another thing is said if sums are in the format.
func (l *lead) worst(practice, worst []judged) string {
	if len(worst) == 0 {
		return ""
	}
	others := slices.DeleteFunc(slices.Clone(worst), func(j judged) bool {
		return slices.ContainsFunc(practice, func(p judged) bool { return p.name == j.name && p.sameAs(j) })
	})
	if len(others) == 0 {
		return "; with sums and scale in the format it is the same"
	}
	return "; with sums and scale in the format, " + l.clause(others, practice[0].dims)
}

// clause says how formats come out: with the range of d_k, or behind a clause on the given ones.
func (l *lead) clause(all []judged, before []float64) string {
	type group struct {
		kind
		from  float64
		names []string
	}
	var groups []group
	for _, j := range all {
		k, from := j.kindOf()
		i := slices.IndexFunc(groups, func(g group) bool { return g.kind == k && g.from == from })
		if i < 0 {
			i, groups = len(groups), append(groups, group{kind: k, from: from})
		}
		groups[i].names = append(groups[i].names, j.name)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.from, b.from))
	})
	var where, later string
	if slices.ContainsFunc(groups, func(g group) bool { return g.throughout() }) {
		where, later = l.where(all, before)
	}
	var parts []string
	for _, g := range groups {
		switch text := view.Listed(g.names); {
		case g.throughout():
			parts = append(parts, text+" "+g.verb(len(g.names))+where)
			where = later
		case g.kind == failsFrom:
			parts = append(parts, text+" "+digits.Form(len(g.names), "fails", "fail")+l.from(g.from))
		default:
			parts = append(parts, "the verdict on "+text+" depends on $d_k$")
		}
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + ", and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// throughout reports whether the same is said at every d_k.
func (k kind) throughout() bool { return k == holdsAll || k == failsAll || k == undecidedAll }

// verb says of so many formats what is said of them throughout.
func (k kind) verb(n int) string {
	switch k {
	case holdsAll:
		return digits.Form(n, "holds", "hold")
	case failsAll:
		return digits.Form(n, "fails", "fail")
	}
	return digits.Form(n, "is undecided", "are undecided")
}

// where says at which d_k formats hold or fail, and how those that come later in the
// sentence do so at all of them.
func (l *lead) where(all []judged, before []float64) (first, later string) {
	dims, ranged := all[0].dims, before == nil
	alike := !slices.ContainsFunc(all, func(j judged) bool { return !slices.Equal(j.dims, dims) })
	n := len(dims)
	switch {
	case !alike || !ranged && !slices.Equal(dims, before):
		return " wherever drawn", " wherever drawn"
	case n == 1 && !ranged:
		return "", ""
	case n == 1:
		l.numbers++
		return " at $d_k$ = " + digits.Short(dims[0]), ""
	case !ranged:
		return " throughout", " throughout"
	}
	l.numbers += 2
	return fmt.Sprintf(" at every $d_k$, from %s to %s", digits.Short(dims[0]), digits.Short(dims[n-1])), " throughout"
}

// from says from which d_k on, if there is room for a number.
func (l *lead) from(d float64) string {
	if l.numbers >= mostNumbers {
		return " at the larger $d_k$"
	}
	l.numbers++
	return " from $d_k$ = " + digits.Short(d) + " on"
}

// tooFewDigits names the formats that fail in practice with the scale after the product,
// though their scores do not overflow.
func tooFewDigits(doc *result.Document) (all []string) {
	for _, format := range formatHeads {
		if rows.TooFewDigits(doc, format, usual.placement, usual.arithmetic) {
			name, _, _ := strings.Cut(format, "-")
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// verbs are how a table says what is said of a format.
var verbs = map[string]string{formats.Holds: "holds", formats.Fails: "fails", formats.Unsettled: "is undecided"}

// said writes what is said of a format over d_k.
func (j judged) said() string {
	if len(j.spans) == 1 {
		if len(j.dims) == 1 {
			return verbs[j.spans[0].Verdict] + " at d_k" + view.Equals + digits.Short(j.dims[0])
		}
		return verbs[j.spans[0].Verdict] + " at all d_k"
	}
	var parts []string
	for i, s := range j.spans {
		at := " at " + digits.Short(s.From)
		switch {
		case i == len(j.spans)-1:
			at = " from d_k" + view.Equals + digits.Short(s.From) + " on"
		case i == 0 && s.From != s.To:
			at = " up to " + digits.Short(s.To)
		case s.From != s.To:
			at = " from " + digits.Short(s.From) + " to " + digits.Short(s.To)
		}
		parts = append(parts, verbs[s.Verdict]+at)
	}
	return strings.Join(parts, ", ")
}

// formatVerdicts lays out what is said of each format, a column for each arithmetic.
func formatVerdicts(doc *result.Document) view.Table {
	t := view.Table{
		Caption: "Whether a format holds or fails at the values of d_k that were drawn. Where the place of the scale is not named, the verdict is the same at all places that were drawn.",
		Head:    []string{names.ParamFormat}, Left: []int{1, 2},
	}
	var lines []string
	cells := map[string][]string{}
	for i, arithmetic := range []string{formats.Practice, formats.Worst} {
		texts := verdictsIn(doc, arithmetic)
		if len(texts) == 0 {
			continue
		}
		t.Head = append(t.Head, []string{"sums in float32", "sums and scale in the format"}[i])
		for _, format := range formatHeads {
			if !slices.Contains(lines, format) && texts[format] != "" {
				lines = append(lines, format)
			}
		}
		for _, format := range formatHeads {
			cells[format] = append(cells[format], texts[format])
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Compare(slices.Index(formatHeads, a), slices.Index(formatHeads, b)) })
	for _, format := range lines {
		t.Rows = append(t.Rows, append([]string{format}, cells[format]...))
	}
	return once(t)
}

// once writes the two kinds of e4m3fn in one line where they have the same verdicts.
func once(t view.Table) view.Table {
	for i := range t.Rows {
		if i > 0 && t.Rows[i][0] == formats.E4M3NaN && t.Rows[i-1][0] == formats.E4M3Saturating && slices.Equal(t.Rows[i][1:], t.Rows[i-1][1:]) {
			t.Rows[i-1][0] = formats.E4M3
			t.Rows = slices.Delete(t.Rows, i, i+1)
			break
		}
	}
	return t
}

// places are how a table says where the scale stands.
var places = []struct{ placement, said string }{
	{formats.After, "scale after the product"}, {formats.Before, "scale on the query"}, {formats.Split, "scale on query and key"},
}

// verdictsIn says of each format what holds in an arithmetic, once for all places of the
// scale that have the same verdicts.
func verdictsIn(doc *result.Document, arithmetic string) map[string]string {
	out := map[string]string{}
	for _, format := range formatHeads {
		var texts []string
		at := map[string][]string{}
		for _, p := range places {
			spans, dims := rows.FormatSpans(doc, format, p.placement, arithmetic)
			if len(dims) == 0 {
				continue
			}
			text := judged{format, spans, dims}.said()
			if at[text] == nil {
				texts = append(texts, text)
			}
			at[text] = append(at[text], p.said)
		}
		if len(texts) > 1 {
			for i, text := range texts {
				texts[i] = view.Listed(at[text]) + ": " + text
			}
		}
		if len(texts) > 0 {
			out[format] = strings.Join(texts, "; ")
		}
	}
	return out
}
