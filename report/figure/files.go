package figure

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// CSV returns the rows that the figure shows, as measured, with their errors
// and theory, and the points of its lines that stand in no row.
func (f Figure) CSV() ([]byte, error) {
	var shown []result.Estimate
	seen := map[string]bool{}
	add := func(e result.Estimate) {
		// Two panels may show one row in two units.
		if id := fmt.Sprint(e.Experiment, e.Cell, e.Quantity, e.Params); !seen[id] {
			seen[id] = true
			shown = append(shown, e)
		}
	}
	for _, p := range f.panels {
		for _, e := range p.Shown {
			add(e)
		}
	}
	measured := theories{rows: shown}
	for _, p := range f.panels {
		for _, l := range p.Theory {
			for _, t := range l.Rows {
				if !measured.have(t) {
					add(t)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := result.WriteCSV(&b, shown); err != nil {
		return nil, fmt.Errorf("%s.csv: %w", f.Name, err)
	}
	return b.Bytes(), nil
}

// theories are measured rows, to be asked for those that have the theory of a point.
type theories struct {
	rows []result.Estimate
	at   map[string]map[string]bool // by the names of a point's parameters, then by their values
}

// have reports whether a row of the point's quantity has a theory, and the point's
// parameters among its own.
func (x *theories) have(point result.Estimate) bool {
	params := slices.Sorted(maps.Keys(point.Params))
	key := func(e result.Estimate) string {
		parts := []string{e.Experiment, e.Quantity}
		for _, name := range params {
			parts = append(parts, fmt.Sprintf("%T %v", e.Params[name], e.Params[name]))
		}
		return strings.Join(parts, "\x00")
	}
	names := strings.Join(params, "\x00")
	if x.at[names] == nil {
		found := map[string]bool{}
		for _, e := range x.rows {
			if e.Theory.Present() {
				found[key(e)] = true
			}
		}
		if x.at == nil {
			x.at = map[string]map[string]bool{}
		}
		x.at[names] = found
	}
	return x.at[names][key(point)]
}

// Markdown returns the figure with its caption, its data and how to cite it.
func (f Figure) Markdown() []byte {
	return []byte(fmt.Sprintf("![%s](%s.svg)\n\n%s\n\nData: [%s.csv](%s.csv). Cite as: %s\n",
		label.Markdown(label.Quoted(label.Plain(f.Title))), f.Name, label.Markdown(f.fullCaption()), f.Name, f.Name, label.Markdown(label.Quoted(f.Citation()))))
}

// TeX returns the figure as an environment to paste: one across the columns where the
// figure is as wide as a page that has several.
func (f Figure) TeX(in theme.Theme) []byte {
	environment, across, width := "figure", "", `\linewidth`
	switch several := in.Style.Columns > 1; {
	case several && !in.Narrow:
		environment, across = "figure*", ", across both columns"
	case !several && in.Narrow: // a line is twice as wide
		width = strings.ReplaceAll(millimetres(in.Width()), " ", "")
	}
	caption := label.LaTeX(f.fullCaption())
	if in.Style.Letter > 0 {
		caption = f.boldLetters(caption)
	}
	return []byte(fmt.Sprintf(`%% Needs \usepackage{graphicx}. The figure is %s wide%s.
%% Cite as: %s
\begin{%s}
  \centering
  \includegraphics[width=%s]{%s.pdf}
  \caption[%s]{%s}
  \label{fig:mcsim-%s}
\end{%s}
`, millimetres(in.Width()), across, oneLine(f.Citation()), environment, width, f.Name, label.LaTeX(f.Title), caption, f.Name, environment))
}

// Citation is one line that names the figure and the results it shows, which the digest
// tells from all others; the year is that of the program.
func (f Figure) Citation() string {
	return fmt.Sprintf("%s (%s). “%s.” Figure “%s” of %s; seed %d, results %s.", draw.Author, draw.Year, label.Plain(f.Title), f.Name, draw.Work, f.doc.Seed, f.doc.Digest)
}

// Credit is one line that names the figure where it is shown elsewhere.
func (f Figure) Credit() string {
	return fmt.Sprintf("Figure “%s” of mcsim; %s, %s.", f.Name, draw.Author, draw.Year)
}

// millimetres writes a length for a reader.
func millimetres(w vg.Length) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(w/vg.Millimeter)), ".0") + " mm"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
