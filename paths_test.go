package mcsim_test

import (
	"go/parser"
	"go/token"
	"mcsim/sim/simtest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pathy is a word with a folder, address is what a link points to.
var (
	pathy   = regexp.MustCompile(`[\w*-][\w.*-]*(/[\w.*-]+)+`)
	address = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
)

// made are the folders that the program and the build fill.
var made = []string{"out", "bin"}

// Every path in the documents leads somewhere: one with a folder that there is, and a link.
func TestPathsInDocuments(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) < 2 {
		t.Fatal("no documents", err)
	}
	checked := 0
	for _, name := range append(documents, "README.md", "CONTRIBUTING.md") {
		data, err := os.ReadFile(name)
		simtest.Must(t, err)
		for _, p := range pathsIn(string(data)) {
			checked++
			if !leads(name, p) {
				t.Errorf("%s: there is no %s", name, p)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d paths were found", checked)
	}
}

// pathsIn returns the paths in a document: those that begin with a folder of the module, and the
// targets of links.
func pathsIn(text string) (found []string) {
	for _, w := range pathy.FindAllString(address.ReplaceAllString(text, ""), -1) {
		w = strings.TrimRight(w, "./")
		top, _, _ := strings.Cut(w, "/")
		if info, err := os.Stat(top); err == nil && info.IsDir() && !slices.Contains(made, top) {
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
func leads(document, p string) bool {
	for _, from := range []string{".", path.Dir(document)} {
		if found, err := filepath.Glob(filepath.Join(from, p)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// goFile matches the name of a Go file without a folder.
var goFile = regexp.MustCompile(`(?:^|[\s(])([a-z0-9_]+\.go)\b`)

// TestFilesInPackageComments: every Go file that a package comment names is in the package.
func TestFilesInPackageComments(t *testing.T) {
	named := 0
	eachSource(t, func(file string) error {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		for _, match := range goFile.FindAllStringSubmatch(parsed.Doc.Text(), -1) {
			named++
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), match[1])); err != nil {
				t.Errorf("%s: the package comment names %s, which does not exist", file, match[1])
			}
		}
		return nil
	})
	if named < 50 {
		t.Errorf("only %d files are named", named)
	}
}
