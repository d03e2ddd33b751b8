// Package site makes the files of the report: templates and views become
// Markdown, Markdown becomes the pages and one report.md, and the charts become
// figures in every form.
package site

import (
	"io/fs"

	"mcsim/report/essay"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/report/view"
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
	Lab       fs.FS  // the lab's program in place of the one that was built in
}

// Files returns all files of the site, with what the document makes of the findings of the
// essay: where it lacks a row that the essay reads, the site is the record alone. They are made
// by the embedded templates or those of a folder. The site stands in dir, beside the files of its run, which it lists
// and whose digests it gives last. The same document and templates give the
// same bytes of all of them but record.html, which holds the facts of the run, and
// lab.html, which holds a program as one version of Go compiles it.
func Files(doc *result.Document, run view.Run, dir string, opt Options) ([]File, essay.Report, error) {
	doc.Index()
	others := present(dir)
	built := figuresOf(doc)
	drawn, err := draw(built)
	if err != nil {
		return nil, essay.Report{}, err
	}
	known := map[string]bool{}
	for _, f := range drawn {
		known[f.Name] = true
	}
	for _, name := range others {
		known[name] = true
	}
	files, findings, err := texts(view.NewSource(doc, run, known), built, opt)
	if err != nil {
		return nil, essay.Report{}, err
	}
	files = append(files, drawn...)
	list, err := sums(files, dir, others, len(findings.Lacks) > 0)
	return append(files, File{sumsFile, list}), findings, err
}

// texts returns all files but the figures, which the pages refer to.
func texts(src *view.Source, built []figure.Figure, opt Options) ([]File, essay.Report, error) {
	set, err := load(opt)
	if err != nil {
		return nil, essay.Report{}, err
	}
	c, findings := contentOf(src, built, set)
	if err := set.lacking(src.Doc); err != nil {
		return nil, findings, err
	}
	files, err := c.files()
	return files, findings, err
}

// files are the pages, alone and as one document, and what shows them.
func (c *content) files() ([]File, error) {
	each, anchors, err := c.pages()
	if err != nil {
		return nil, err
	}
	whole, err := c.joined()
	if err != nil {
		return nil, err
	}
	font, err := markdown.Font()
	if err != nil {
		return nil, err
	}
	checks, err := gates(c.src.Doc)
	if err != nil {
		return nil, err
	}
	known := markdown.Site{Images: c.sizes, Anchors: anchors}
	files := []File{{styleFile, c.set.data[styleFile]}, {iconFile, c.set.data[iconFile]}, {markdown.FontFile, font}, {reportFile, whole}, {gatesFile, checks}}
	if c.essay() {
		known.Terms = page.Terms(c.src.Doc)
		files = append(files, File{labStyleFile, c.set.data[labStyleFile]})
	}
	for i, text := range each {
		html, err := c.html(i, text, known)
		if err != nil {
			return nil, err
		}
		files = append(files, File{c.sheets[i].Name + ".html", html})
	}
	return files, nil
}
