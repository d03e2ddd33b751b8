package figure

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// Shown returns the rows that the figure shows, as measured.
func (f Figure) Shown() (all []result.Estimate) {
	for _, p := range f.panels {
		all = append(all, p.Shown...)
	}
	return all
}

// CSV returns the rows that the figure shows, as measured, each once, with their errors
// and theory, and then the points of its lines of theory.
func (f Figure) CSV() ([]byte, error) {
	var lines []result.Estimate
	for _, p := range f.panels {
		for _, l := range p.Curves {
			lines = append(lines, l.Rows...)
		}
	}
	seen := map[string]bool{} // two panels may show one row in two units
	all := slices.DeleteFunc(append(f.Shown(), lines...), func(e result.Estimate) bool {
		id := fmt.Sprint(e.Experiment, e.Cell, e.Quantity, e.Params)
		twice := seen[id]
		seen[id] = true
		return twice
	})
	var b bytes.Buffer
	if err := result.WriteCSV(&b, all); err != nil {
		return nil, fmt.Errorf("%s.csv: %w", f.Name, err)
	}
	return b.Bytes(), nil
}

// TeX returns the figure as an environment to paste: one across the columns if the
// figure is as wide as a page with several.
func (f Figure) TeX(in theme.Theme) []byte {
	environment, across := "figure", ""
	if in.Style.Columns > 1 && !in.Narrow {
		environment, across = "figure*", ", across both columns"
	}
	return fmt.Appendf(nil, `%% Needs \usepackage{graphicx}. The figure is %.4g mm wide%s.
%% Cite as: %s
\begin{%s}
  \centering
  \includegraphics[width=\linewidth]{%s.pdf}
  \caption[%s]{%s}
  \label{fig:mcsim-%s}
\end{%s}
`, float64(in.Width()/vg.Millimeter), across, strings.Join(strings.Fields(f.Citation()), " "), environment, f.Name,
		label.LaTeX(f.Title), label.LaTeX(f.fullCaption()), f.Name, environment)
}

// Citation returns one line that names the figure, its results with their digest, and the year of the
// program.
func (f Figure) Citation() string {
	return fmt.Sprintf("%s (%s). “%s.” Figure “%s” of %s; seed %d, results %s.",
		author, year, label.Plain(f.Title), f.Name, work, f.doc.Seed, f.doc.Digest)
}

// Credit returns one line that names the figure, for another page that shows it.
func (f Figure) Credit() string {
	return fmt.Sprintf("Figure “%s” of mcsim; %s, %s.", f.Name, author, year)
}
