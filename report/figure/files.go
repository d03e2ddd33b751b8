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

// ShownEstimates returns the estimates that the marks of the figure show, in the units of the
// document.
func (f Figure) ShownEstimates() (estimates []result.Estimate) {
	for _, p := range f.panels {
		estimates = append(estimates, p.ShownEstimates...)
	}
	return estimates
}

// CSV returns the estimates that the marks of the figure show, in the units of the document, and
// then the points of its lines as estimates. It writes each estimate once.
func (f Figure) CSV() ([]byte, error) {
	estimates := f.ShownEstimates()
	for _, p := range f.panels {
		for _, l := range p.Curves {
			estimates = append(estimates, l.Estimates...)
		}
	}
	seen := map[string]bool{} // two panels may show the same estimate in different units
	estimates = slices.DeleteFunc(estimates, func(e result.Estimate) bool {
		id := fmt.Sprint(e.Experiment, e.Cell, e.Quantity, e.Params)
		isRepeated := seen[id]
		seen[id] = true
		return isRepeated
	})
	var b bytes.Buffer
	if err := result.WriteCSV(&b, estimates); err != nil {
		return nil, fmt.Errorf("%s.csv: %w", f.Name, err)
	}
	return b.Bytes(), nil
}

// TeX returns a LaTeX environment that includes the figure: figure*, if the figure is as wide as a
// page of two columns, and otherwise figure.
func (f Figure) TeX(variant theme.Theme) []byte {
	environment, acrossColumns := "figure", ""
	if variant.Style.Columns > 1 && !variant.Narrow {
		environment, acrossColumns = "figure*", ", across both columns"
	}
	return fmt.Appendf(nil, `%% Needs \usepackage{graphicx}. The figure is %.4g mm wide%s.
%% Cite as: %s
\begin{%s}
  \centering
  \includegraphics[width=\linewidth]{%s.pdf}
  \caption[%s]{%s}
  \label{fig:mcsim-%s}
\end{%s}
`, float64(variant.Width()/vg.Millimeter), acrossColumns, strings.Join(strings.Fields(f.Citation()), " "),
		environment, f.Name, label.LaTeX(f.Title), label.LaTeX(f.fullCaption()), f.Name, environment)
}

// Citation returns a line that cites the figure, with the seed and the digest of its results.
func (f Figure) Citation() string {
	return fmt.Sprintf("%s (%s). “%s.” Figure “%s” of %s; seed %d, results %s.",
		author, year, label.Plain(f.Title), f.Name, workTitle, f.doc.Seed, f.doc.Digest)
}

// Credit returns a line that names the source of the figure, for a page outside the site that
// shows it.
func (f Figure) Credit() string {
	return fmt.Sprintf("Figure “%s” of mcsim; %s, %s.", f.Name, author, year)
}
