// Package report turns a result document into pages that people read: the
// document becomes a view of finished strings, the view and the templates
// become Markdown, and the Markdown becomes a static site and one report.md.
//
// It computes no statistic. It selects rows, writes numbers with the digits
// their errors support, and repeats the verdicts that the document holds.
// Strings that come from a plan (names of laws and rules, the plan's own name)
// are text wherever they appear, never markup.
package report

import (
	"fmt"
	"mcsim/report/chart"
	"mcsim/report/theme"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"mcsim/sim/result"
)

// Run is what is known about the run besides its results. It differs from
// machine to machine, and so appears on one page of its own only. Empty fields
// are left out.
type Run struct {
	Version  string // of mcsim
	Revision string // of its source
	Go       string // version of the toolchain
	Host     string
	Date     time.Time
	Wall     time.Duration // of the sampling
}

// Options are choices of the caller.
type Options struct {
	Templates string // a folder whose files replace the embedded ones of the same name
}

// File is one file of the site.
type File struct {
	Name string // slash-separated, relative to the folder of the site
	Data []byte
}

// render returns all files of the site; others are the names of those that
// stand beside them already. The same document and templates give the same bytes
// of all of them but run.html, which holds the facts of the run.
func render(doc *result.Document, run Run, opt Options, others []string) ([]File, error) {
	drawn, err := figures(doc)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, f := range drawn {
		known[f.Name] = true
	}
	for _, name := range others {
		known[name] = true
	}
	files, err := texts(newSource(doc, run, known), opt)
	return append(files, drawn...), err
}

// texts returns all files but the figures.
func texts(src *source, opt Options) ([]File, error) {
	set, err := load(opt.Templates)
	if err != nil {
		return nil, err
	}
	each, err := src.pages(set)
	if err != nil {
		return nil, err
	}
	whole, err := src.whole(set)
	if err != nil {
		return nil, err
	}
	font, err := mathFont()
	if err != nil {
		return nil, err
	}
	files := []File{{styleFile, set.style}, {fontCSS, font}, {reportFile, whole}}
	for i, text := range each {
		html, err := set.page(src, i, text)
		if err != nil {
			return nil, err
		}
		files = append(files, File{pages[i].name + ".html", html})
	}
	return files, nil
}

// drawings are the files of each figure: for the pages in four variants, and
// for who cites it, for print, with its data and its caption.
var drawings = []struct {
	suffix, format string
	look           theme.Theme
}{
	{".svg", "svg", theme.Web},
	{"-dark.svg", "svg", theme.Web.OnDark()},
	{"-narrow.svg", "svg", theme.Web.InColumn()},
	{"-narrow-dark.svg", "svg", theme.Web.InColumn().OnDark()},
	{".pdf", "pdf", theme.Print},
	{".png", "png", theme.Print},
	{".csv", "csv", theme.Print},
	{".md", "md", theme.Print},
	{".tex", "tex", theme.Print},
}

func figures(doc *result.Document) ([]File, error) {
	var files []File
	for _, c := range chart.All {
		if !c.Shows(doc) {
			continue
		}
		for _, f := range drawings {
			data, err := c.File(doc, f.format, f.look)
			if err != nil {
				return nil, err
			}
			files = append(files, File{"figures/" + c.Name + f.suffix, data})
		}
	}
	return files, nil
}

// Write renders the site into dir, which it makes if need be. Each file is
// replaced at once, so a reader never meets half of one. The digests of those
// that are the same on every machine come last.
func Write(doc *result.Document, run Run, dir string, opt Options) error {
	others := present(dir)
	files, err := render(doc, run, opt, others)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	list, err := sums(files, dir, others)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files = append(files, File{sumsFile, list})
	if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := renameio.WriteFile(path, f.Data, 0o644); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}
