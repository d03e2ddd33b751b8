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

// names of the files that are not pages.
const (
	shellFile   = "shell.html"
	styleFile   = "style.css"
	sourcesFile = "sources.md"
	// exercisesFile has the tasks, which stand on a page with their answers and on another without.
	exercisesFile = "exercises.md"
	iconFile      = "icon.svg"

	labMarkupFile = "lab.html"
	labScriptFile = "lab.js"
	labStyleFile  = "lab.css"
)

// templateSet is everything that decides how pages look and read.
type templateSet struct {
	dir   string            // whose files replace embedded ones; empty where nothing is replaced
	data  map[string][]byte // the files by name
	shell *htmltemplate.Template
	lab   lab
	notes map[string]string // the sources by name
	texts []*essay.Text     // of the pages of the essay
}

// load reads the templates: the embedded ones, and those of a folder in their
// place.
func load(opt Options) (*templateSet, error) {
	set, err := read(opt.Templates)
	if err != nil {
		return nil, err
	}
	set.notes = notes(set.data[sourcesFile])
	if set.shell, err = htmltemplate.New(shellFile).Parse(string(set.data[shellFile])); err != nil {
		return nil, set.clear(err)
	}
	set.lab, err = newLab(string(set.data[labMarkupFile]), string(set.data[labScriptFile]), opt.Lab)
	return set, err
}

// read reads the files of a folder and the embedded ones that it does not replace, and of
// these the texts of the essay.
func read(dir string) (*templateSet, error) {
	set := &templateSet{dir: dir, data: map[string][]byte{}}
	if err := set.read(); err != nil {
		return nil, err
	}
	for _, name := range page.Names() {
		t, err := essay.Read(name, string(set.data[name+".md"]))
		if err != nil {
			return nil, set.clear(err)
		}
		set.texts = append(set.texts, t)
	}
	return set, nil
}

// Judge is what the document makes of the findings of the essay, by the embedded templates or
// those of a folder.
func Judge(doc *result.Document, dir string) (essay.Report, error) {
	set, err := read(dir)
	if err != nil {
		return essay.Report{}, err
	}
	return essay.Judge(set.texts, doc), set.lacking(doc)
}

// lacking is an error of a replaced page that reads a row which the document does not hold,
// though it holds all that the built-in essay reads.
func (set *templateSet) lacking(doc *result.Document) error {
	if set.dir == "" {
		return nil
	}
	built, err := essay.ReadAll(templates.Files, page.Names())
	if err != nil || slices.ContainsFunc(built, func(t *essay.Text) bool { return len(t.Lacks(doc)) > 0 }) {
		return err
	}
	for _, t := range set.texts {
		if lacks := t.Lacks(doc); len(lacks) > 0 {
			return set.misplaced(t.Name+".md", lacks[0], "these results do not hold "+lacks[0])
		}
	}
	return nil
}

// notes reads lines of the form [^name]: text.
func notes(data []byte) map[string]string {
	out := map[string]string{}
	for l := range strings.Lines(string(data)) {
		head, text, ok := strings.Cut(strings.TrimSpace(l), "]: ")
		if name, is := strings.CutPrefix(head, "[^"); ok && is {
			out[name] = text
		}
	}
	return out
}

// read takes the embedded files, then those of the folder in their place. A file of
// it that replaces nothing is a mistake in its name.
func (set *templateSet) read() error {
	if err := set.add(templates.Files, nil); err != nil || set.dir == "" {
		return err
	}
	if info, err := os.Stat(set.dir); err != nil {
		return fmt.Errorf("templates: %w", err)
	} else if !info.IsDir() {
		return fmt.Errorf("templates: %s is not a folder", set.dir)
	}
	return set.add(os.DirFS(set.dir), slices.Sorted(maps.Keys(set.data)))
}

// add takes the templates of a folder; where names are known, no others.
func (set *templateSet) add(files fs.FS, known []string) error {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("templates: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() || !slices.Contains([]string{".md", ".html", ".css", ".svg", ".js"}, filepath.Ext(e.Name())) {
			continue
		}
		if known != nil && !slices.Contains(known, e.Name()) {
			return fmt.Errorf("templates: %s replaces nothing; there are %s", filepath.Join(set.dir, e.Name()), strings.Join(known, ", "))
		}
		data, err := fs.ReadFile(files, e.Name())
		if err != nil {
			return fmt.Errorf("templates: %w", err)
		}
		set.data[e.Name()] = bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	}
	return nil
}

// misplaced is an error of a template about something that is written in it: in its last
// line that has it, since what is said twice is wrong the second time.
func (set *templateSet) misplaced(file, written, reason string) error {
	place := file
	for i, l := range strings.Split(string(set.data[file]), "\n") {
		if strings.Contains(l, written) {
			place = fmt.Sprintf("%s:%d", file, i+1)
		}
	}
	return set.clear(errors.New(place + ": " + reason))
}

// clear turns an error of the template packages into one line that begins
// with the file and line, as compilers write it.
func (set *templateSet) clear(err error) error {
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
