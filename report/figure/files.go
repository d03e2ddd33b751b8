package figure

import (
	"bytes"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/sim/result"
)

// CSV returns the rows that the chart shows, as measured, with their errors
// and theory.
func (c Chart) CSV(doc *result.Document) ([]byte, error) {
	panels, _, _ := build(c, doc)
	var shown []result.Estimate
	seen := map[string]bool{}
	for _, p := range panels {
		for _, e := range p.rows {
			// Two panels may show one row in two units.
			id := fmt.Sprint(e.Experiment, e.Cell, e.Quantity, e.Params)
			if !seen[id] {
				seen[id] = true
				shown = append(shown, e)
			}
		}
	}
	var b bytes.Buffer
	if err := result.WriteCSV(&b, shown); err != nil {
		return nil, fmt.Errorf("%s.csv: %w", c.Name, err)
	}
	return b.Bytes(), nil
}

// Markdown returns the figure with its caption, its data and how to cite it.
func (c Chart) Markdown(doc *result.Document) []byte {
	return []byte(fmt.Sprintf("![%s](%s.svg)\n\n%s\n\nData: [%s.csv](%s.csv). Cite as: %s\n",
		Markdown(quoted(Plain(c.Title))), c.Name, Markdown(c.whole(doc)), c.Name, c.Name, Markdown(quoted(c.Citation(doc)))))
}

// TeX returns the figure as an environment to paste.
func (c Chart) TeX(doc *result.Document, look Look) []byte {
	environment := "figure"
	if !look.Narrow {
		environment = "figure*" // across both columns; in one column the same as figure
	}
	return []byte(fmt.Sprintf(`%% Needs \usepackage{graphicx}; the figure is %s wide.
%% Cite as: %s
\begin{%s}
  \centering
  \includegraphics[width=\linewidth]{%s.pdf}
  \caption[%s]{%s}
  \label{fig:mcsim-%s}
\end{%s}
`, millimetres(look.width()), oneLine(c.Citation(doc)), environment, c.Name, LaTeX(c.Title), LaTeX(c.whole(doc)), c.Name, environment))
}

// Citation is one line that names the figure and the results it shows. It has
// no date: the digest says which results they are.
func (c Chart) Citation(doc *result.Document) string {
	return fmt.Sprintf("%s. “%s.” Figure “%s” of %s; seed %d, results %s.", author, Plain(c.Title), c.Name, work, doc.Seed, doc.Digest)
}

func millimetres(w vg.Length) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(w/vg.Millimeter)), ".0") + " mm"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
