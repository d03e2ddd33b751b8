// Package figure draws charts. The charts of the report are declared in [mcsim/report/chart], and
// this package does not depend on any experiment.
//
// # From a declaration to a file
//
// A [Chart] has a name, a title and panels ([mcsim/report/plot.Panel]). A panel is a
// pair of axes with marks: points with intervals, lines, bands, or a heat map.
// Its filters select the estimates of a document. [Figure.HasData] reports whether a document has
// data for the chart, and [Figure.File] returns the figure in one of [Formats].
//
// The steps are:
//
//   - chart.go selects the data of each panel ([mcsim/report/plot.Data]);
//   - layout.go places the panels in a grid, below the legend (legend.go);
//   - draw.go and series.go draw the marks, and axes.go the ticks and labels;
//   - render.go puts the drawing on a canvas (canvas.go), as SVG, PDF or PNG, in a
//     [mcsim/report/theme.Theme];
//   - caption.go adds the fixed parameters and the meaning of the marks to the caption of a chart;
//   - files.go writes the data, the caption and the citation.
//
// Lengths are in points, and the origin is at the lower left. The same document gives the same
// bytes: a figure contains neither a date nor the name of the machine.
package figure
