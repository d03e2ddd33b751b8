package site

import (
	"bytes"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcsim/report/essay"
	"mcsim/report/page"
	"mcsim/sim/result"
	"mcsim/templates"
)

// Names of the files that are not pages.
const (
	shellFile     = "shell.html"
	styleFile     = "style.css"
	sourcesFile   = "sources.md"
	exercisesFile = "exercises.md" // tasks, which one page shows with answers and one without
	iconFile      = "icon.svg"

	labStyleFile = "lab.css"
	embedFile    = "embed.html" // the strip without the first page, for other sites
	programFile  = "program.js" // the program that two pages run
	cardFile     = "card.png"   // the picture of links to the site
)

// templateSet has the templates of the pages, and the files that the pages load.
type templateSet struct {
	dir     string            // folder whose files replace embedded ones; may be empty
	data    map[string][]byte // files by name
	shell   *htmltemplate.Template
	widgets map[string]widget // by the names of the pages
	program []byte            // the script of the program; nil if it is missing
	sources map[string]string // footnotes by name
	texts   []*essay.Text     // templates of the essay
}

// loadTemplates reads and parses the templates, and builds the parts with scripts.
func loadTemplates(opt Options) (*templateSet, error) {
	set, err := readTemplates(opt.Templates)
	if err != nil {
		return nil, err
	}
	set.sources = parseSources(set.data[sourcesFile])
	set.shell, err = htmltemplate.New(shellFile).Parse(string(set.data[shellFile]))
	if err != nil {
		return nil, set.shortError(err)
	}
	if err := set.addWidgets(); err != nil {
		return nil, err
	}
	set.program, err = packProgram(set.data[programFile], opt.Lab)
	return set, err
}

// readTemplates reads the embedded files, the files of dir that replace them, and the findings of
// the essay. It fails if a file of dir does not replace an embedded one, since its name is probably
// wrong.
func readTemplates(dir string) (*templateSet, error) {
	set := &templateSet{dir: dir, data: map[string][]byte{}}
	if err := set.addFiles(templates.Files, nil); err != nil {
		return nil, err
	}
	if dir != "" {
		info, err := os.Stat(dir)
		if err != nil {
			return nil, fmt.Errorf("templates: %w", err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("templates: %s is not a folder", dir)
		}
		if err := set.addFiles(os.DirFS(dir), slices.Sorted(maps.Keys(set.data))); err != nil {
			return nil, err
		}
	}
	for _, name := range page.EssayNames() {
		t, err := essay.Read(name, string(set.data[name+".md"]))
		if err != nil {
			return nil, set.shortError(err)
		}
		set.texts = append(set.texts, t)
	}
	return set, nil
}

// addFiles reads the files of a folder. If allowed is not nil, a file with another name is an
// error.
func (set *templateSet) addFiles(files fs.FS, allowed []string) error {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("templates: %w", err)
	}
	extensions := []string{".md", ".html", ".css", ".svg", ".js"}
	for _, e := range entries {
		if e.IsDir() || !slices.Contains(extensions, filepath.Ext(e.Name())) {
			continue
		}
		if allowed != nil && !slices.Contains(allowed, e.Name()) {
			return fmt.Errorf("templates: %s replaces nothing; there are %s",
				filepath.Join(set.dir, e.Name()), strings.Join(allowed, ", "))
		}
		data, err := readTemplate(files, e.Name())
		if err != nil {
			return fmt.Errorf("templates: %w", err)
		}
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		set.data[e.Name()] = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	return nil
}

// maxTemplate is the largest size of a template in bytes.
const maxTemplate = 1 << 22

// readTemplate reads a file. It refuses pipes, which would block, and devices, which do not end.
func readTemplate(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > maxTemplate:
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", name, info.Size(), maxTemplate)
	}
	return fs.ReadFile(files, name)
}

// parseSources reads lines of the form [^name]: text.
func parseSources(data []byte) map[string]string {
	sources := map[string]string{}
	for line := range strings.Lines(string(data)) {
		head, text, hasText := strings.Cut(strings.TrimSpace(line), "]: ")
		if name, hasName := strings.CutPrefix(head, "[^"); hasName && hasText {
			sources[name] = text
		}
	}
	return sources
}

// Judge returns which findings of the essay the document supports. If dir is not empty, its files
// replace embedded templates.
func Judge(doc *result.Document, dir string) (essay.Report, error) {
	set, err := readTemplates(dir)
	if err != nil {
		return essay.Report{}, err
	}
	return essay.Judge(set.texts, doc), set.checkEstimates(doc)
}

// checkEstimates returns an error if the document has all estimates of the embedded essay, but not
// all estimates of the pages that replace it.
func (set *templateSet) checkEstimates(doc *result.Document) error {
	if set.dir == "" {
		return nil
	}
	embedded, err := readTemplates("")
	if err != nil {
		return err
	}
	for _, t := range embedded.texts {
		if len(t.Missing(doc)) > 0 {
			return nil
		}
	}
	for _, t := range set.texts {
		if missing := t.Missing(doc); len(missing) > 0 {
			return set.errorAt(t.Name+".md", missing[0], "these results do not hold "+missing[0])
		}
	}
	return nil
}

// errorAt returns an error about a text in a template. Its message begins with the number of the
// last line that has the text: if a text must not be repeated, its second occurrence is the fault.
func (set *templateSet) errorAt(file, text, reason string) error {
	position := file
	for i, line := range strings.Split(string(set.data[file]), "\n") {
		if strings.Contains(line, text) {
			position = fmt.Sprintf("%s:%d", file, i+1)
		}
	}
	return set.shortError(errors.New(position + ": " + reason))
}

// shortError converts an error of the template packages into one line that begins with the file and
// the number of the line, like the errors of compilers.
func (set *templateSet) shortError(err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "html/"), "template: ")
	text = strings.Join(strings.Fields(text), " ")
	if set.dir != "" {
		name, _, _ := strings.Cut(text, ":")
		if _, statErr := os.Stat(filepath.Join(set.dir, name)); statErr == nil {
			text = filepath.Join(set.dir, text)
		}
	}
	return errors.New("templates: " + text)
}
