// Package report turns a result document into a folder of pages that people
// read. [Write] is all that a program calls:
//
//	err := report.Write(doc, page.Run{Version: "v1"}, "out", report.Options{})
//
// It computes no statistic. It selects rows, writes numbers with the digits
// their errors support, and repeats the verdicts that the document holds. The
// same document and templates give the same bytes, but for the one page on the
// run itself. Strings that come from a plan (names of distributions and rules, the
// plan's own name) are text wherever they appear, never markup.
//
// # The way of a number
//
// A row of the document ([mcsim/sim/result.Estimate]) is found by a
// [mcsim/report/selection.Filter] and written by [mcsim/report/digits]. From there
// it goes two ways, and both end in [mcsim/report/site]:
//
//   - into a table or a sentence of a page: [mcsim/report/page] prepares what the
//     pages show, a template (templates/*.md) holds the prose of each, and
//     [mcsim/report/markdown] writes the filled template as HTML;
//   - into a chart: [mcsim/report/chart] declares it, [mcsim/report/plot] selects
//     what its axes show, [mcsim/report/figure] lays it out and draws it on a
//     canvas, with words of [mcsim/report/label] and colours of [mcsim/report/theme].
//
// # Where to add what
//
// A page is a file and a row in package page, and a template. A chart is a file
// and a row in package chart; the template of a page shows it by
// {{figure "name"}}. A form of number is a function of package digits. One test
// over each table (go test -run Conformance ./report/...) says of a new row what
// it lacks. docs/design.md lists which package may import which.
package report
