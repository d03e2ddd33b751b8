package chart

import (
	"bytes"
	"image/png"
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
	"mcsim/sim/result"
)

// fileName matches the allowed names of charts, which become names of files and anchors.
var fileName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// TestConformanceCharts checks the declaration of each chart, and says in a sentence what is wrong.
// The tests of package figure check the drawings.
func TestConformanceCharts(t *testing.T) {
	doc, templates, seen := sample.Document(), readTemplates(t), map[string]bool{}
	for _, c := range All {
		t.Run(c.Name, func(t *testing.T) {
			defer func() {
				if fault := recover(); fault != nil {
					t.Errorf("chart %q: %v", c.Name, fault)
				}
			}()
			f := c.NewFigure(doc)
			inRecord := c.Experiment() != ""
			onPage := strings.Contains(templates, `{{figure "`+c.Name+`"`)
			for fault, found := range map[string]bool{
				"its name is not small letters and digits with single hyphens": !fileName.MatchString(c.Name),
				"another chart has this name":                                  seen[c.Name],
				"it lacks a title, a height or a caption": c.Title == "" || c.Height == 0 ||
					c.Caption == "",
				"neither a template nor an experiment of the record shows it": !inRecord && !onPage,
				"an axis has no label": hasUnlabelledAxis(c),
				"the sample of the report's tests has no data for it; " +
					"report/internal/sample/sample.go explains how to sample it again": !f.HasData(),
			} {
				if found {
					t.Errorf("chart %q: %s", c.Name, fault)
				}
			}
			seen[c.Name] = true
			for _, param := range seriesParams(c) {
				isNumeric := names.EntryOf(names.GroupParameter, param).Unit != ""
				hasSymbol := strings.HasPrefix(plot.SeriesLabel(plot.SeriesID{Param: param, Value: 1.0}), "$")
				if isNumeric && !hasSymbol {
					t.Errorf("chart %q: no symbol for the parameter %s; give it one in report/plot/names.go", c.Name,
						param)
				}
			}
			svg, err := f.File("svg", theme.Web)
			if len(svg) == 0 || err != nil {
				t.Errorf("chart %q: the SVG is empty (%v)", c.Name, err)
			}
			if f.Reading(strings.ToUpper) == "" {
				t.Errorf("chart %q: the explanation of the marks is empty", c.Name)
			}
		})
	}
}

// hasUnlabelledAxis reports whether an axis without categories lacks a label.
func hasUnlabelledAxis(c figure.Chart) bool {
	for _, p := range c.Panels {
		if p.X.Label == "" || p.Y.Label == "" && !p.Y.IsCategorical {
			return true
		}
	}
	return false
}

// seriesParams returns the parameters by whose values the chart distinguishes series or panels.
func seriesParams(c figure.Chart) (params []string) {
	if c.Facet != nil {
		params = append(params, c.Facet.Param)
	}
	for _, p := range c.Panels {
		for _, spec := range p.Points {
			params = append(params, spec.SeriesParam)
		}
		for _, spec := range p.Lines {
			params = append(params, spec.SeriesParam)
		}
	}
	return params
}

// readTemplates returns the text of all templates.
func readTemplates(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../../templates/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no templates (%v)", err)
	}
	var text strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	return text.String()
}

// TestCard checks the size of the card, which other services prescribe, and that there is no card
// without the weights of a row.
func TestCard(t *testing.T) {
	doc := sample.Essay()
	doc.Index()
	data, err := Card(doc)
	if err != nil {
		t.Fatal(err)
	}
	card, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || card.Width != 1200 || card.Height != 630 {
		t.Errorf("the card has %d × %d pixels (%v), want 1200 × 630", card.Width, card.Height, err)
	}
	if data, err := Card(&result.Document{}); data != nil || err != nil {
		t.Errorf("a document without weights has a card of %d bytes (%v), want none", len(data), err)
	}
}
