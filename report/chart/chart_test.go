package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/report/figure"
	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/names"
)

// TestConformanceCharts holds each row of the table to what every chart needs, and says
// in a sentence what a row lacks: a name of its own, a title, axes with labels
// that can be set, rows in a document of all experiments, a drawing at full
// width and in one column, a caption, and a page that shows it.
func TestConformanceCharts(t *testing.T) {
	doc := sample.Document()
	templates := pages(t)
	seen := map[string]bool{}
	for _, c := range All {
		t.Run(c.Name, func(t *testing.T) {
			defer func() {
				if fault := recover(); fault != nil {
					t.Errorf("chart %q: %v", c.Name, fault)
				}
			}()
			if err := c.Check(); err != nil {
				t.Error(err)
				return
			}
			if seen[c.Name] {
				t.Errorf("chart %q: another chart has this name", c.Name)
			}
			seen[c.Name] = true
			if !strings.Contains(templates, `{{figure "`+c.Name+`"}}`) {
				t.Errorf("chart %q: no template shows it; write {{figure %q}} in one", c.Name, c.Name)
			}
			if !c.Of(doc).Shows() {
				t.Errorf("chart %q: a document of all experiments has no rows for it", c.Name)
				return
			}
			if strings.TrimSpace(c.Of(doc).Reading(asIs)) == "" {
				t.Errorf("chart %q: its caption is empty", c.Name)
			}
			for place, in := range map[string]theme.Theme{"full width": theme.Web, "one column": theme.Web.InColumn(), "a dark page": theme.Web.OnDark()} {
				svg, err := c.Of(doc).File("svg", in)
				if err == nil {
					err = wellFormed(svg)
				}
				if err != nil {
					t.Errorf("chart %q: no drawing for %s: %v", c.Name, place, err)
				}
			}
		})
	}
}

// A declaration that lacks something is refused by the name of the chart and
// what is wrong with it, before anything is drawn.
func TestConformanceFindsEachFault(t *testing.T) {
	for fault, spoil := range map[string]func(*figure.Chart){
		"its name is not":     func(c *figure.Chart) { c.Name = "Two Words" },
		"no title":            func(c *figure.Chart) { c.Title = "" },
		`"$\\nosuch$"`:        func(c *figure.Chart) { c.Title = `$\nosuch$` },
		"no panels":           func(c *figure.Chart) { c.Panels = nil },
		"an axis has no":      func(c *figure.Chart) { c.Panels[0].X.Label = "" },
		`"a $ alone"`:         func(c *figure.Chart) { c.Panels[0].Y.Label = "a $ alone" },
		"the font has no":     func(c *figure.Chart) { c.Panels[0].Title = "字" },
		"shows neither":       func(c *figure.Chart) { c.Panels[0].Points, c.Panels[0].Lines = nil, nil },
		"its x axis shows no": func(c *figure.Chart) { c.Panels[0].X.Param = "" },
		"rows without":        func(c *figure.Chart) { c.Panels[0].Points[0].Rows.Quantity = "" },
		"rows without an": func(c *figure.Chart) {
			c.Panels[0].Points, c.Panels[0].Lines = nil, []plot.Lines{{Label: "of nothing"}}
		},
	} {
		c := variance
		c.Panels = append(c.Panels[:0:0], c.Panels...)
		c.Panels[0].Points = append(c.Panels[0].Points[:0:0], c.Panels[0].Points...)
		spoil(&c)
		_, err := c.Of(sample.Document()).File("svg", theme.Web)
		if err == nil || !strings.Contains(err.Error(), fault) || !strings.Contains(err.Error(), `chart "`+c.Name+`"`) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

// A parameter that is a number has a symbol where it parts series or panels.
func TestParametersHaveSymbols(t *testing.T) {
	for _, c := range All {
		var parts []string
		if c.Each != nil {
			parts = append(parts, c.Each.Param)
		}
		for _, p := range c.Panels {
			for _, spec := range p.Points {
				parts = append(parts, spec.By)
			}
			for _, spec := range p.Lines {
				parts = append(parts, spec.By)
			}
		}
		for _, param := range parts {
			if param == "" {
				continue // one series alone
			}
			if e := names.Of(names.GroupParameter, param); e.Unit != "" && !strings.HasPrefix(plot.NameOf(plot.Key{By: param, Of: 1.0}), "$") {
				t.Errorf("chart %q: no symbol for the parameter %s; give it one in report/plot/names.go", c.Name, param)
			}
		}
	}
}

// asIs is a text of a plan as it stands.
func asIs(s string) string { return s }

// pages is the text of all templates.
func pages(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("../../templates/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal("no templates", err)
	}
	var all strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

// wellFormed reads an SVG to its end.
func wellFormed(svg []byte) error {
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
