package figure

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// table reads a chart's CSV as a list of records by column.
func table(t *testing.T, c Chart, doc *result.Document) []map[string]string {
	t.Helper()
	file, err := c.Of(doc).CSV()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = l[i]
		}
		out = append(out, row)
	}
	return out
}

// TestCSV: as many rows as marks, each once, with its error and its theory.
func TestCSV(t *testing.T) {
	doc := sample.Document()
	for _, c := range []Chart{charted("scaled"), charted("variance"), charted("slope")} {
		panels := c.Of(doc).panels
		marks := 0
		for _, p := range panels {
			for _, s := range p.Series {
				if !p.Wide { // repeats what a panel below it shows
					marks += len(s.Points)
				}
			}
		}
		rows := table(t, c, doc)
		if len(rows) != marks {
			t.Errorf("%s: %d rows for %d marks", c.Name, len(rows), marks)
		}
		for _, r := range rows {
			if r["value"] == "" || r["se"] == "" || r["theory"] == "" || r["estimator"] == "theory" {
				t.Errorf("%s: %v", c.Name, r)
			}
		}
	}
}

// TestCSVOfLines: theory that no measured row has is among the data, and a
// band has both its ends.
func TestCSVOfLines(t *testing.T) {
	count := map[string]int{}
	for _, r := range table(t, gradient, invented()) {
		if (r["estimator"] == "theory") != (r["value"] == "") || (r["estimator"] == "theory") != (r["theory"] != "") {
			t.Errorf("%v", r)
		}
		count[r["quantity"]]++
	}
	// 12 widths, three exponents; the line has no exponent.
	for quantity, want := range map[string]int{"query_gradient_q05": 36, "query_gradient_q50": 36, "query_gradient_q95": 36, "query_gradient": 12} {
		if count[quantity] != want {
			t.Errorf("%d rows of %s, want %d", count[quantity], quantity, want)
		}
	}
}

// TestConformanceCaptionFiles: caption, finding, data and citation stand in Markdown and
// LaTeX, mathematics between dollars, brackets in balance.
func TestConformanceCaptionFiles(t *testing.T) {
	for name, doc := range documents() {
		for _, c := range charts {
			md, tex := string(c.Of(doc).Markdown()), string(c.Of(doc).TeX(theme.Print))
			for _, want := range []string{c.Name + ".svg", c.Name + ".csv", "Cite as: The mcsim authors", label.Markdown(label.Quoted(doc.Digest)), "$"} {
				if !strings.Contains(md, want) {
					t.Errorf("%s: %s.md lacks %q", name, c.Name, want)
				}
			}
			for _, want := range []string{`\begin{figure*}`, `\end{figure*}`, `\includegraphics[width=\linewidth]{` + c.Name + ".pdf}", `\caption[`, `\label{fig:mcsim-` + c.Name + "}", "% Cite as: ", doc.Digest} {
				if !strings.Contains(tex, want) {
					t.Errorf("%s: %s.tex lacks %q", name, c.Name, want)
				}
			}
			_, body, _ := strings.Cut(tex, `\begin`)
			plain := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\$`, "").Replace(body)
			if strings.Count(plain, "{") != strings.Count(plain, "}") || strings.Count(plain, "$")%2 != 0 {
				t.Errorf("%s: %s.tex is out of balance:\n%s", name, c.Name, body)
			}
			for _, r := range body {
				if r > 0x7e {
					t.Errorf("%s: %s.tex has %q, which LaTeX's fonts may lack", name, c.Name, r)
				}
			}
		}
	}
}
