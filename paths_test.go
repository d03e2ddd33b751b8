package mcsim_test

import (
	"io/fs"
	"mcsim/sim/simtest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pathy is a word with a folder, or a file's name; address is what a link points to.
var (
	pathy   = regexp.MustCompile(`[\w*-][\w.*-]*(/[\w.*-]+)+|\w+\.(go|md)\b`)
	address = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
)

// made are the folders that the program and the build fill.
var made = []string{"out", "bin"}

// Every path in the documents leads somewhere: one with a folder that there is, a
// link, and a file of Go or Markdown by its name alone.
func TestPathsInDocuments(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) < 2 {
		t.Fatal("no documents", err)
	}
	files := filesByName(t)
	checked := 0
	for _, name := range append(documents, "README.md", "CONTRIBUTING.md") {
		data, err := os.ReadFile(name)
		simtest.Must(t, err)
		for _, p := range pathsIn(string(data)) {
			checked++
			if !leads(name, p, files) {
				t.Errorf("%s: there is no %s", name, p)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d paths were found", checked)
	}
}

// pathsIn are the paths in a document: those that begin with a folder that there is, files of
// Go or Markdown by their names alone, and what links point to. What the fence of a block says is
// to come is left out.
func pathsIn(text string) (found []string) {
	before, after, _ := strings.Cut(text, "\n```rooms\n")
	_, after, _ = strings.Cut(after, "\n```\n")
	text = before + "\n" + after
	for _, w := range pathy.FindAllString(address.ReplaceAllString(text, ""), -1) {
		w = strings.TrimRight(w, "./")
		top, _, folder := strings.Cut(w, "/")
		info, err := os.Stat(top)
		if folder && err == nil && info.IsDir() && !slices.Contains(made, top) || !folder && (strings.HasSuffix(w, ".go") || strings.HasSuffix(w, ".md")) {
			found = append(found, w)
		}
	}
	for _, m := range address.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "://") {
			found = append(found, m[1])
		}
	}
	return found
}

// leads reports whether a path of a document leads somewhere, from the root or from
// the document.
func leads(document, p string, files map[string]bool) bool {
	for _, from := range []string{".", path.Dir(document)} {
		if found, err := filepath.Glob(filepath.Join(from, p)); err == nil && len(found) > 0 {
			return true
		}
	}
	return !strings.Contains(p, "/") && files[p]
}

// filesByName are the names of all files of the module.
func filesByName(t *testing.T) map[string]bool {
	t.Helper()
	files := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.IsDir():
			files[d.Name()] = true
		}
		return nil
	})
	simtest.Must(t, err)
	return files
}
