package trust

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// warnings says each thing once, with all cells it is said of.
func warnings(s *view.Source) view.Table {
	t := view.Table{
		Caption: "What a reader of a row must know. Nothing here is a failure.",
		Head:    []string{"quantity", "what, and where"},
		Left:    []int{1},
	}
	type said struct{ quantity, text string }
	order, of := view.ByKey(s.Doc.Warnings, func(w result.Warning) said {
		text, _ := shareless(w.Text)
		return said{w.Quantity, text}
	})
	for _, k := range order {
		var cells, shares []string
		for _, w := range of[k] {
			_, share := shareless(w.Text)
			cells, shares = append(cells, w.Cell), append(shares, share)
		}
		t.Rows = append(t.Rows, []string{view.QuantityName(k.quantity), markdown.Escape(withPowers(withShares(k.text, shares))) + ". *Where:* " + places(s, cells) + "."})
	}
	return t
}

// cellName is the id of a cell with a law and a dimension.
var cellName = regexp.MustCompile(`^[a-z]+/(.+)/d_k=(\d+)((?:/gram)?)$`)

// grid is a law, drawn for one estimator, whose cells stand at several d_k.
type grid struct{ law, estimator string }

// onGrid reads the id of a cell.
func onGrid(id string) (g grid, d int, ok bool) {
	m := cellName.FindStringSubmatch(id)
	if m == nil {
		return g, 0, false
	}
	d, err := strconv.Atoi(m[2])
	return grid{m[1], strings.TrimPrefix(m[3], "/")}, d, err == nil
}

// places names cells, those of one law together: "normal at d_k = 1 to 8, 64".
func places(s *view.Source, ids []string) string {
	var order []string
	of := map[grid][]int{}
	var grids []grid
	for _, id := range ids {
		g, d, ok := onGrid(id)
		if !ok {
			if name := markdown.Escape(id); !slices.Contains(order, name) { // a cell may have one warning for several rows
				order = append(order, name)
			}
			continue
		}
		if of[g] == nil {
			grids = append(grids, g)
		}
		of[g] = append(of[g], d)
	}
	for _, g := range grids {
		name := markdown.Escape(g.law)
		if g.estimator != "" {
			name += " (" + g.estimator + ")"
		}
		order = append(order, fmt.Sprintf("%s at d_k%s%s", name, view.Equals, ranges(of[g], drawn(s, g))))
	}
	return strings.Join(order, "; ")
}

// drawn lists the d_k of all cells of a law.
func drawn(s *view.Source, g grid) []int {
	var ds []int
	for _, c := range s.Doc.Cells {
		if of, d, ok := onGrid(c.ID); ok && of == g {
			ds = append(ds, d)
		}
	}
	slices.Sort(ds)
	return ds
}

// ranges writes numbers, those that follow one another among all as a range.
func ranges(ds, all []int) string {
	slices.Sort(ds)
	ds = slices.Compact(ds)
	var parts []string
	for i := 0; i < len(ds); {
		j := i
		for j+1 < len(ds) && slices.Index(all, ds[j+1]) == slices.Index(all, ds[j])+1 && slices.Contains(all, ds[j]) {
			j++
		}
		switch {
		case j-i < 2:
			parts, j = append(parts, digits.Count(int64(ds[i]))), i
		default:
			parts = append(parts, digits.Count(int64(ds[i]))+" to "+digits.Count(int64(ds[j])))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// power is a number as programs write it.
var power = regexp.MustCompile(`\b\d+(\.\d+)?e[+-]\d+\b`)

// withPowers writes the numbers of a text that have a power of ten as people do.
func withPowers(text string) string {
	return power.ReplaceAllStringFunc(text, func(n string) string {
		x, err := strconv.ParseFloat(n, 64)
		if err != nil {
			return n
		}
		return digits.Short(x)
	})
}

// percentage is one in a text.
var percentage = regexp.MustCompile(`\d+(\.\d+)? %`)

// shareless takes the first percentage out of a text, so that what is said
// alike of several cells is said once.
func shareless(text string) (rest, share string) {
	at := percentage.FindStringIndex(text)
	if at == nil {
		return text, ""
	}
	return text[:at[0]] + hole + text[at[1]:], strings.TrimSuffix(text[at[0]:at[1]], " %")
}

// hole stands where a percentage was; no text that is shown holds it.
const hole = "\x00"

// withShares puts the percentages back, as a range where they are several.
func withShares(text string, shares []string) string {
	value := func(s string) float64 { x, _ := strconv.ParseFloat(s, 64); return x }
	slices.SortFunc(shares, func(a, b string) int { return cmp.Compare(value(a), value(b)) })
	first, last := shares[0], shares[len(shares)-1]
	if first != last {
		first += " to " + last
	}
	if first == "" {
		return text
	}
	return strings.Replace(text, hole, first+" %", 1)
}
