// Package site turns a result document into a folder of pages that people read. [Write] is all that a
// program calls:
//
//	findings, err := site.Write(doc, page.Run{Version: "v1"}, "out", site.Options{})
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
// it goes two ways, and both end in this package:
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
package site

import (
	"io/fs"

	"mcsim/report/essay"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/sim/result"
)

// File is one file of the site.
type File struct {
	Name string // slash-separated, relative to the folder of the site
	Data []byte
}

// Options are choices of the caller.
type Options struct {
	Templates string // a folder whose files replace the embedded ones of the same name
	Lab       fs.FS  // the lab's program in place of the embedded one
}

// Files returns all files of the site, and whether the document supports the findings of the essay.
// If the document lacks a row that the essay reads, the site is only the record. Options name
// templates that replace embedded ones. The site belongs into dir, next to the files of its run,
// which it lists and whose digests are in its last file.
//
// The same document and templates give the same bytes of all files except record.html, which has
// the facts of the run, and lab.html, which has a program that depends on the version of Go.
func Files(doc *result.Document, run page.Run, dir string, opt Options) ([]File, essay.Report, error) {
	doc.Index()
	figures := figuresOf(doc)
	drawn, err := drawAll(figures)
	if err != nil {
		return nil, essay.Report{}, err
	}
	existing := existingRunFiles(dir)
	known := map[string]bool{}
	for _, f := range drawn {
		known[f.Name] = true
	}
	for _, name := range existing {
		known[name] = true
	}
	files, findings, err := textFiles(page.NewSource(doc, run, known), figures, opt)
	if err != nil {
		return nil, essay.Report{}, err
	}
	files = append(files, drawn...)
	list, err := digests(files, dir, existing, len(findings.Lacks) > 0)
	return append(files, File{sumsFile, list}), findings, err
}

// textFiles returns all files except the figures, which the pages refer to.
func textFiles(src *page.Source, figures []figure.Figure, opt Options) ([]File, essay.Report, error) {
	set, err := load(opt)
	if err != nil {
		return nil, essay.Report{}, err
	}
	c, findings := newContent(src, figures, set)
	if err := set.checkRows(src.Doc); err != nil {
		return nil, findings, err
	}
	files, err := c.files()
	return files, findings, err
}

// files returns the pages, each as a file and all as one document, and the files that they need.
func (c *content) files() ([]File, error) {
	texts, anchors, err := c.markdownPages()
	if err != nil {
		return nil, err
	}
	single, err := c.singleDocument()
	if err != nil {
		return nil, err
	}
	font, err := markdown.Font()
	if err != nil {
		return nil, err
	}
	gates, err := gatesCSV(c.src.Doc)
	if err != nil {
		return nil, err
	}
	files := []File{
		{styleFile, c.set.data[styleFile]},
		{iconFile, c.set.data[iconFile]},
		{markdown.FontFile, font},
		{reportFile, single},
		{gatesFile, gates},
	}
	site := markdown.Site{Images: c.sizes, Anchors: anchors}
	if c.isEssay() {
		site.Terms = page.Terms(c.src.Doc)
		files = append(files, File{labStyleFile, c.set.data[labStyleFile]})
	}
	for i, text := range texts {
		html, err := c.html(i, text, site)
		if err != nil {
			return nil, err
		}
		files = append(files, File{c.pages[i].Name + ".html", html})
	}
	return files, nil
}
