package figure

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

var keep = flag.String("keep", "", "directory to leave the figures in, to look at them")

func documents() map[string]*result.Document {
	blank := sample.Document()
	for i := range blank.Estimates {
		blank.Estimates[i].Lo, blank.Estimates[i].Hi = result.Absent(), result.Absent()
	}
	low := sample.Document()
	for i := range low.Estimates {
		low.Estimates[i].Lo = -1 // below every logarithm
	}
	empty := sample.Document()
	empty.Curves, empty.Gates = nil, nil
	tiny := sample.Document()
	for i := range tiny.Estimates {
		e := &tiny.Estimates[i]
		if !e.Theory.Present() {
			continue
		}
		for _, x := range []*result.Number{&e.Value, &e.Lo, &e.Hi} {
			*x = e.Theory + (*x-e.Theory)*1e-9
		}
	}
	return map[string]*result.Document{
		"tiny":         tiny,
		"default":      sample.Document(),
		"one law":      sample.Law("normal", 4096),
		"one d_k":      sample.Law("normal", 1),
		"short":        sample.Join(sample.Law("uniform", 4), sample.Law("laplace", 2)),
		"no intervals": blank,
		"bars below 0": low,
		"empty":        empty,
		"hostile law":  sample.Law("<script>*_{^\\ ]]>&\x00\"", 8),
	}
}

// few leaves one of so many under -short, the first among them.
func few[T any](all []T, of int) []T {
	if !testing.Short() {
		return all
	}
	var left []T
	for i := 0; i < len(all); i += of {
		left = append(left, all[i])
	}
	return left
}

// drawn are the documents that every chart is drawn from, in the looks of them.
func drawn() (map[string]*result.Document, map[string]theme.Theme) {
	all := documents()
	if !testing.Short() {
		return all, themes
	}
	docs, looks := map[string]*result.Document{}, map[string]theme.Theme{}
	for _, name := range []string{"default", "hostile law"} {
		docs[name] = all[name]
	}
	for _, name := range []string{"web-narrow", "nature"} {
		looks[name] = themes[name]
	}
	return docs, looks
}

// themes are the ways in which a test draws.
var themes = map[string]theme.Theme{
	"web": theme.Web, "web-dark": theme.Web.OnDark(), "web-narrow": theme.Web.InColumn(), "web-narrow-dark": theme.Web.InColumn().OnDark(),
	"nature": theme.Print, "nature-narrow": theme.Print.InColumn(), "ieee": {Style: theme.Styles[1]}, "ieee-narrow": {Style: theme.Styles[1], Narrow: true},
}

// hasContent reports whether a chart has something to show. Those of gates and of lines
// alone have nothing where there are none; the others then show their axes.
func hasContent(doc *result.Document, chart string) bool {
	switch chart {
	case "gates":
		return len(doc.Gates) > 0
	case "walks", "ranked-weights", "cost", "precision-headroom":
		return len(doc.Curves) > 0
	}
	return true
}

func TestCharts(t *testing.T) {
	docs, looks := drawn()
	for name, doc := range docs {
		for _, c := range charts {
			t.Run(name+"/"+c.Name, func(t *testing.T) {
				if shows := hasContent(doc, c.Name); c.Of(doc).Shows() != shows {
					t.Fatalf("has rows, and is shown: %t", !shows)
				} else if !shows {
					return
				}
				for suffix, in := range looks {
					svg := c.Of(doc).SVG(in)
					checkSVG(t, svg)
					if !bytes.Equal(svg, c.Of(doc).SVG(in)) {
						t.Error("two drawings differ")
					}
					leave(t, name+"-"+c.Name+"-"+suffix+".svg", svg)
				}
			})
		}
	}
}

func checkSVG(t *testing.T, svg []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(svg))
	seen, ids := map[string]int{}, map[string]bool{}
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		seen[e.Name.Local]++
		for _, a := range e.Attr {
			switch {
			case a.Name.Local == "id" && ids[a.Value]:
				t.Errorf("two elements are called %s", a.Value)
			case a.Name.Local == "id":
				ids[a.Value] = true
			case a.Name.Local == "href" && strings.HasPrefix(a.Value, "data:image/png;base64,"):
			case a.Name.Local == "href" && !ids[strings.TrimPrefix(a.Value, "#")]:
				t.Errorf("points to %.40s, which is not in the file", a.Value)
			}
		}
	}
	if seen["title"] != 1 || seen["desc"] != 1 || seen["script"]+seen["text"]+seen["style"] != 0 {
		t.Errorf("elements: %v", seen)
	}
	for _, bad := range []string{"NaN", "Inf", "url(", "font"} {
		if strings.Contains(string(svg), bad) {
			t.Errorf("holds %s", bad)
		}
	}
	if !strings.Contains(string(svg), `role="img"`) {
		t.Error("has no role")
	}
}

func TestNoRows(t *testing.T) {
	for _, c := range charts {
		if c.Of(&result.Document{}).Shows() {
			t.Errorf("%s is shown without rows", c.Name)
		}
		if got := c.Of(&result.Document{}).Finding(as); got != "" {
			t.Errorf("%s finds %q without rows", c.Name, got)
		}
	}
}

func leave(t *testing.T, name string, data []byte) {
	t.Helper()
	if *keep == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*keep, strings.ReplaceAll(name, " ", "_")), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Values at the ends of what a number can be give a figure in due time, with
// an axis that has finite ends and few ticks.
func TestExtremeValues(t *testing.T) {
	for _, v := range few([]result.Number{1e300, math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e17, 1e-300}, 3) {
		doc := sample.Document()
		e := &doc.Estimates[1]
		e.Value, e.Lo, e.Hi = v, v/2, min(v*10, math.MaxFloat64)
		for _, c := range charts {
			checkSVG(t, c.Of(doc).SVG(theme.Web.InColumn()))
		}
	}
}

// A caption speaks of what is drawn, and of nothing else.
func TestCaptions(t *testing.T) {
	read := func(doc *result.Document) (all string) {
		for _, c := range charts {
			all += c.Of(doc).fullCaption() + "\n"
		}
		return all
	}
	doc := sample.Document()
	for i := range doc.Gates {
		g := &doc.Gates[i]
		if law, _ := g.Params.Text("law"); law == "laplace" && g.Quantity == "score_variance" {
			d, _ := g.Params.Number("d_k")
			g.Band = [2]result.Number{result.Number(0.95 * d), result.Number(1.05 * d)}
		}
	}
	full, empty := read(doc), documents()["empty"]
	for i := range empty.Estimates {
		empty.Estimates[i].Lo = result.Absent()
	}
	spare := read(empty)
	for _, clause := range []string{"confidence intervals", "shaded band", "Theory is $d_k^"} {
		if !strings.Contains(full, clause) || strings.Contains(spare, clause) {
			t.Errorf("%q: drawn %v, not drawn %v", clause, strings.Contains(full, clause), strings.Contains(spare, clause))
		}
	}
	if title := charted("variance").Of(doc).panels; !slices.ContainsFunc(title, func(p plot.Data) bool { return p.Title == "laplace: allowed ±5\u202f%" }) {
		t.Error("no panel names the tolerance of its law")
	}
	empty.Estimates[1].Value = 0
	whole := charted("variance").Of(documents()["empty"]).Reading(as)
	if got := charted("variance").Of(empty).Reading(as); strings.Contains(whole, "not above 0") || !strings.Contains(got, "not above 0") {
		t.Error("a value of 0 vanishes in silence:", got)
	}
}

// as leaves a name as it is.
func as(s string) string { return s }
