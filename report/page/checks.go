package page

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// checksView is the view of the page of gates.
type checksView struct {
	Verdict   view.Verdict
	NotPassed view.Table
	Budget    view.Table
	Groups    view.Table
	Health    view.Table
	Laws      []lawGates
	Warnings  view.Table
}

// lawGates is the full list of the gates of one law.
type lawGates struct {
	Title string
	Gates view.Table
}

func checks(s *view.Source) checksView {
	return checksView{
		Verdict:   s.Verdict(),
		NotPassed: notPassed(s),
		Budget:    budget(s),
		Groups:    groups(s),
		Health:    health(s),
		Laws:      gatesByLaw(s),
		Warnings:  warnings(s),
	}
}

func budget(s *view.Source) view.Table {
	if len(s.Doc.Gates) == 0 {
		return view.Table{}
	}
	b := s.Doc.Budget
	t := view.Table{Caption: "The error budget of all gates together.", Head: []string{"what", "value"}, Rows: [][]string{
		{"α, the chance that any gate does not pass although theory holds everywhere", view.Short(b.Alpha)},
		{"β, the chance that all pass although one quantity lies on or beyond its band", view.Short(b.Beta)},
		{"gates", digits.Count(int64(b.Gates))},
		{"verdict", emphatic(b.Verdict)},
	}}
	if s.Plan.Tolerance.Present() {
		t.Rows = append(t.Rows, []string{"tolerance of the plan, relative to theory", digits.Percent(float64(s.Plan.Tolerance))})
	}
	return t
}

// emphatic sets whatever is not a pass in bold.
func emphatic(v result.Verdict) string {
	if v == result.Pass {
		return string(v)
	}
	return "**" + markdown.Escape(string(v)) + "**"
}

func groups(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Gates by kind. A gate that expects its quantity outside fails when the band still holds it: it proves that the test can see a difference.",
		Head:    []string{"gate", "quantity", "expects", "gates", "pass", "undecided", "fail"},
		Left:    []int{1, 2},
	}
	type kind struct{ name, quantity, expect string }
	var kinds []kind
	of := map[kind][]result.Gate{}
	for _, g := range s.Doc.Gates {
		k := kind{g.Name, g.Quantity, g.Expect}
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], g)
	}
	for _, k := range kinds {
		n := view.Count(of[k])
		t.Rows = append(t.Rows, []string{markdown.Escape(k.name), quantityName(k.quantity), markdown.Escape(k.expect),
			fmt.Sprint(n.Gates), fmt.Sprint(n.Pass), bold(n.Undecided), bold(n.Fail)})
	}
	return t
}

func bold(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("**%d**", n)
}

var gateHead = []string{"gate", "at", "measured", "interval held against the band", "band", "verdict"}

func notPassed(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Every gate that does not pass.",
		Head:    append([]string{"law"}, append(slices.Clone(gateHead), "scores that would decide")...),
		Left:    []int{1, 2},
	}
	for _, g := range s.Doc.Gates {
		if g.Verdict == result.Pass {
			continue
		}
		need := ""
		if g.NToDecide != nil {
			need = digits.Count(*g.NToDecide)
		}
		t.Rows = append(t.Rows, append([]string{markdown.Escape(lawOf(g.Params))}, append(gateRow(g), need)...))
	}
	return t
}

func gateRow(g result.Gate) []string {
	band := digits.Band(float64(g.Band[0]), float64(g.Band[1]), float64(g.Hi-g.Lo)/2)
	if g.Expect == "outside" {
		band = "not in " + band
	}
	return []string{
		markdown.Escape(g.Name), where(g.Params),
		digits.PlusMinus(float64(g.Value), float64(g.SE)),
		digits.IntervalOf(float64(g.Lo), float64(g.Hi), float64(g.SE)),
		band, emphatic(g.Verdict),
	}
}

func lawOf(p result.Params) string {
	law, _ := p.Text("law")
	return law
}

// where writes the parameters of a gate other than its law.
func where(p result.Params) string {
	var names, parts []string
	for name := range p {
		if name != "law" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		label := map[string]string{"d_k": "d_k", "exponent": "p"}[name]
		if label == "" {
			label = markdown.Escape(name)
		}
		parts = append(parts, label+view.Equals+parameter(name, p[name]))
	}
	return strings.Join(parts, ", ")
}

func parameter(name string, value any) string {
	switch v := value.(type) {
	case float64:
		if name == "exponent" {
			return digits.Fraction(v)
		}
		return digits.Short(v)
	case string:
		if name == "rule" {
			return view.RuleName(v)
		}
		return markdown.Escape(v)
	}
	return markdown.Escape(fmt.Sprint(value))
}

func gatesByLaw(s *view.Source) []lawGates {
	var laws []string
	of := map[string][]result.Gate{}
	for _, g := range s.Doc.Gates {
		law := lawOf(g.Params)
		if !slices.Contains(laws, law) {
			laws = append(laws, law)
		}
		of[law] = append(of[law], g)
	}
	var out []lawGates
	for _, law := range laws {
		title, caption := "Law "+markdown.Escape(law), "All gates of "+view.LawHead(law)+"."
		if law == "" {
			title, caption = "All laws together", "All gates that belong to no single law."
		}
		t := view.Table{Caption: caption, Head: gateHead, Left: []int{1}}
		for _, g := range of[law] {
			t.Rows = append(t.Rows, gateRow(g))
		}
		out = append(out, lawGates{title, t})
	}
	return out
}

// healthColumns are the quantities that watch the random bits themselves.
var healthColumns = []struct{ quantity, head string }{
	{"component_mean", "mean"},
	{"component_variance", "variance"},
	{"component_kurtosis", "kurtosis"},
	{"lag_correlation", "neighbours"},
	{"qk_correlation", "q with k"},
	{"lane_correlation", "lanes"},
}

func health(s *view.Source) view.Table {
	t := view.Table{Head: []string{"law"}, Caption: "The components as drawn. Theory says mean 0 and variance 1, the kurtosis κ of the law, and correlation 0 " +
		"between neighbouring components, between q and k, and between lanes of the generator." + view.ConciseNote}
	var laws []string
	for _, c := range healthColumns {
		t.Head = append(t.Head, c.head)
		for _, law := range rows.Names(s.Estimates(rows.Filter{Experiment: "health", Quantity: c.quantity}), "law") {
			if !slices.Contains(laws, law) {
				laws = append(laws, law)
			}
		}
	}
	for _, law := range laws {
		line := []string{markdown.Escape(law)}
		for _, c := range healthColumns {
			line = append(line, s.Cell(rows.Filter{Experiment: "health", Quantity: c.quantity}.With("law", law)))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// quantityName writes a quantity of the document in words.
func quantityName(q string) string { return markdown.Escape(strings.ReplaceAll(q, "_", " ")) }
