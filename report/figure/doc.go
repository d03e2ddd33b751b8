// Package figure is the chart engine: declarations go in, drawings come out.
// The charts of the report are declared in [mcsim/report/chart]; nothing there
// draws, and nothing here knows of an experiment.
//
// # From a declaration to a file
//
// A [Chart] has a name, a title and panels ([mcsim/report/plot.Panel]), each a
// pair of axes with marks: points with intervals, lines, bands, a map.
// It selects rows by filters and has no number. [Figure.Shows] says whether a document has
// rows for it; [Figure.File] makes one of [Formats].
//
// On the way:
//
//   - chart.go has each panel select its data ([mcsim/report/plot.Data]), the
//     same series in the same style through all panels;
//   - layout.go places the panels in a grid, below the legend (legend.go);
//   - draw.go and series.go draw the marks, axes.go the ticks and labels;
//   - render.go puts the drawing on a canvas (canvas.go), as SVG, PDF or PNG, in a
//     [mcsim/report/theme.Theme];
//   - caption.go adds the fixed parameters and the meaning of the marks to the caption of a chart;
//     files.go writes data, caption and citation.
//
// Lengths are in points; the origin is at the lower left. A figure has no
// date and no name of the machine: the same document gives the same bytes.
package figure
