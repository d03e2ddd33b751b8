// Package site writes a result document as a site. A program needs only [Write]:
//
//	findings, err := site.Write(doc, page.Run{Version: "v1"}, "out", site.Options{})
//
// The package computes no statistics. It selects estimates, writes numbers with the digits that
// their errors support, and repeats the verdicts of the document. The same document and templates
// give the same bytes, except for the page with facts about the run and the program of the lab.
// Strings of a plan, such as its name and the names of distributions and rules, are always escaped,
// and never become markup.
//
// # From an estimate to a page
//
// A [mcsim/report/selection.Filter] finds an estimate of the document
// ([mcsim/sim/result.Estimate]), and [mcsim/report/digits] writes its numbers. The estimate is
// shown
//
//   - in a table or a sentence of a page: [mcsim/report/page] prepares the data of the
//     pages, a template (templates/*.md) has the prose of each page, and
//     [mcsim/report/markdown] converts the executed template into HTML;
//   - or in a chart: [mcsim/report/chart] declares it, [mcsim/report/plot] selects
//     its data, and [mcsim/report/figure] draws it, with labels of
//     [mcsim/report/label] and colours of [mcsim/report/theme].
//
// # Additions
//
// A new page needs an element of page.EssayPages and a template. A new chart needs a declaration
// in package chart, and the template of a page shows it by {{figure "name"}}. A new format of
// numbers is a function of package digits. The tests of conformance (go test -run Conformance
// ./report/...) check each declaration, and explain what is missing. docs/design.md lists which
// package may import which.
package site

import (
	"io/fs"

	"mcsim/report/chart"
	"mcsim/report/essay"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/sim/result"
)

// File is a file of the site.
type File struct {
	Name string // slash-separated, relative to the folder of the site
	Data []byte
}

// Options are the parts of the site that a caller may replace. The zero value replaces nothing.
type Options struct {
	Templates string // folder whose files replace the embedded templates of the same names; may be empty
	Lab       fs.FS  // folder with the program of the lab; nil for the embedded one
}

// Files returns all files of the site, and which findings of the essay the document supports. If
// the document does not have all estimates of the essay, the site is only the record.
//
// dir is the folder for which the site is made. If it has files of the run, such as results.json,
// the site links to them. The last file, SHA256SUMS, lists the digests of all files, also of the
// run, that have the same bytes on every machine.
//
// The same document and templates give the same bytes of all files except record.html, which has
// facts about the run, and program.js, whose program depends on the version of Go.
func Files(doc *result.Document, run page.Run, dir string, opt Options) ([]File, essay.Report, error) {
	doc.Index()
	figures := newFigures(doc)
	figureFiles, err := drawFigures(figures)
	if err != nil {
		return nil, essay.Report{}, err
	}
	existing := existingRunFiles(dir)
	card, err := chart.Card(doc)
	if err != nil {
		return nil, essay.Report{}, err
	}
	if card != nil {
		figureFiles = append(figureFiles, File{cardFile, card})
	}
	availableFiles := map[string]bool{}
	for _, f := range figureFiles {
		availableFiles[f.Name] = true
	}
	for _, name := range existing {
		availableFiles[name] = true
	}
	files, findings, err := textFiles(page.NewSource(doc, run, availableFiles), figures, opt)
	if err != nil {
		return nil, essay.Report{}, err
	}
	files = append(files, figureFiles...)
	list, err := listDigests(files, dir, existing, len(findings.Missing) > 0)
	if err != nil {
		return nil, findings, err
	}
	return append(files, File{sumsFile, list}), findings, nil
}

// textFiles returns all files except the figures and the digests.
func textFiles(src *page.Source, figures []figure.Figure, opt Options) ([]File, essay.Report, error) {
	set, err := loadTemplates(opt)
	if err != nil {
		return nil, essay.Report{}, err
	}
	c, findings := newContent(src, figures, set)
	if err := set.checkEstimates(src.Doc); err != nil {
		return nil, findings, err
	}
	files, err := c.files()
	return files, findings, err
}

// files returns the pages, the single document, and the files that the pages load.
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
		embed, err := c.set.embedPage()
		if err != nil {
			return nil, err
		}
		files = append(files, File{labStyleFile, c.set.data[labStyleFile]}, File{embedFile, embed})
		if c.set.program != nil {
			files = append(files, File{programFile, c.set.program})
		}
	}
	for i, text := range texts {
		html, err := c.renderPage(i, text, site)
		if err != nil {
			return nil, err
		}
		files = append(files, File{c.pages[i].Name + ".html", html})
	}
	return files, nil
}
