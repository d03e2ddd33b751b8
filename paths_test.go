package mcsim_test

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// pathPattern matches a word with a slash. linkPattern matches the target of a Markdown link.
var (
	pathPattern = regexp.MustCompile(`[\w*-][\w.*-]*(/[\w.*-]+)+`)
	linkPattern = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
)

// generated lists the folders whose files the build and the program make.
var generated = []string{"out", "bin"}

// TestPathsInDocuments checks that every path in the documents exists: link targets, and words that
// begin with a folder of the module.
func TestPathsInDocuments(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) < 2 {
		t.Fatalf("docs has %d documents, want at least 2 (%v)", len(documents), err)
	}
	checked := 0
	for _, name := range append(documents, "README.md", "CONTRIBUTING.md") {
		data, err := os.ReadFile(name)
		simtest.Must(t, err)
		for _, p := range pathsIn(string(data)) {
			checked++
			if !pathExists(name, p) {
				t.Errorf("%s names %s, which does not exist", name, p)
			}
		}
	}
	if checked < 50 {
		t.Errorf("found %d paths, want at least 50", checked)
	}
}

// pathsIn returns the paths in a document: those that begin with a folder of the module, and the
// targets of links.
func pathsIn(text string) (found []string) {
	for _, w := range pathPattern.FindAllString(linkPattern.ReplaceAllString(text, ""), -1) {
		w = strings.TrimRight(w, "./")
		top, _, _ := strings.Cut(w, "/")
		if info, err := os.Stat(top); err == nil && info.IsDir() && !slices.Contains(generated, top) {
			found = append(found, w)
		}
	}
	for _, m := range linkPattern.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "://") {
			found = append(found, m[1])
		}
	}
	return found
}

// pathExists reports whether a path exists, relative to the root or to the document's folder.
func pathExists(document, p string) bool {
	for _, folder := range []string{".", path.Dir(document)} {
		if found, err := filepath.Glob(filepath.Join(folder, p)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// goFile matches the name of a Go file without a folder.
var goFile = regexp.MustCompile(`(?:^|[\s(])([a-z0-9_]+\.go)\b`)

// TestFilesInPackageComments checks that every Go file that a package comment names is in the
// package.
func TestFilesInPackageComments(t *testing.T) {
	named := 0
	walkSources(t, func(file string) error {
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
		t.Errorf("the package comments name %d files, want at least 50", named)
	}
}
