package chart

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/figure"
	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/names"
)

// fileName is what the name of a chart may be: of files, and of an anchor.
var fileName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// TestConformanceCharts holds each row of the table to what every chart needs, and says
// in a sentence what a row lacks: a name of its own, a title, a height, labelled axes, rows
// in a document of all experiments, a drawing and a caption that the notation allows, a
// symbol for each number that parts series or panels, and a page that shows it. (That words
// can be set and do not collide is held by package figure.)
func TestConformanceCharts(t *testing.T) {
	doc, templates, seen := sample.Document(), pages(t), map[string]bool{}
	for _, c := range All {
		t.Run(c.Name, func(t *testing.T) {
			defer func() {
				if fault := recover(); fault != nil {
					t.Errorf("chart %q: %v", c.Name, fault)
				}
			}()
			f := c.Of(doc)
			for fault, found := range map[string]bool{
				"its name is not small letters and digits with hyphens between": !fileName.MatchString(c.Name),
				"another chart has this name":                                   seen[c.Name],
				"it has no title, no height or no caption":                      c.Title == "" || c.Height == 0 || c.Caption == "",
				"no template shows it, and no experiment in the record":         c.Experiment() == "" && !strings.Contains(templates, `{{figure "`+c.Name+`"`),
				"an axis has no label":                                          unlabelled(c),
				"the sample of the report's tests has no rows for it; report/internal/sample/sample.go says how it is drawn": !f.Shows(),
			} {
				if found {
					t.Errorf("chart %q: %s", c.Name, fault)
				}
			}
			seen[c.Name] = true
			for _, param := range parting(c) {
				if e := names.EntryOf(names.GroupParameter, param); e.Unit != "" && !strings.HasPrefix(plot.NameOf(plot.Key{By: param, Value: 1.0}), "$") {
					t.Errorf("chart %q: no symbol for the parameter %s; give it one in report/plot/names.go", c.Name, param)
				}
			}
			if svg, err := f.File("svg", theme.Web); f.Reading(strings.ToUpper) == "" || len(svg) == 0 || err != nil {
				t.Errorf("chart %q: nothing is drawn", c.Name)
			}
		})
	}
}

// unlabelled reports whether an axis of values lacks a label.
func unlabelled(c figure.Chart) bool {
	for _, p := range c.Panels {
		if p.X.Label == "" || p.Y.Label == "" && !p.Y.Names {
			return true
		}
	}
	return false
}

// parting are the parameters that part series or panels.
func parting(c figure.Chart) (params []string) {
	if c.Each != nil {
		params = append(params, c.Each.Param)
	}
	for _, p := range c.Panels {
		for _, spec := range p.Points {
			params = append(params, spec.By)
		}
		for _, spec := range p.Lines {
			params = append(params, spec.By)
		}
	}
	return params
}

// pages is the text of all templates.
func pages(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../../templates/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no templates", err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
