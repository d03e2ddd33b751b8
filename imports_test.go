package mcsim_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// design is the document with the list of packages.
const design = "docs/design.md"

// importList has the names of packages by paragraph and line.
type importList [][][]string

// readImportList reads the fenced block of the given kind.
func readImportList(t *testing.T, kind string) (list importList) {
	t.Helper()
	data, err := os.ReadFile(design)
	simtest.Must(t, err)
	_, block, ok := strings.Cut(string(data), "\n```"+kind+"\n")
	block, _, end := strings.Cut(block, "\n```\n")
	if !ok || !end {
		t.Fatalf("%s has no block ```%s", design, kind)
	}
	for paragraph := range strings.SplitSeq(block, "\n\n") {
		var lines [][]string
		for line := range strings.Lines(paragraph) {
			lines = append(lines, strings.Fields(line))
		}
		list = append(list, lines)
	}
	return list
}

// position returns the paragraph and line of a package; ok is false if the list does not have it.
func (o importList) position(name string) (paragraph, line int, ok bool) {
	for p, lines := range o {
		named := func(entry string) bool { return entry == name || strings.HasPrefix(entry, name+"+") }
		if l := slices.IndexFunc(lines,
			func(names []string) bool { return slices.ContainsFunc(names, named) }); l >= 0 {
			return p, l, true
		}
	}
	return 0, 0, false
}

// mayImport reports whether the list allows an import: of a package on a line above in the same
// paragraph, or of any package in the first paragraph. Packages of the last paragraph may import
// all packages above.
func (o importList) mayImport(importer, imported string) bool {
	p, l, known := o.position(importer)
	q, m, listed := o.position(imported)
	switch {
	case !known || !listed:
		return false
	case p == q:
		return m < l
	case slices.ContainsFunc(o[p][l], func(entry string) bool {
		return strings.HasPrefix(entry, importer+"+") && slices.Contains(strings.Split(entry, "+"), imported)
	}):
		return true
	}
	return q == 0 || q < p && p == len(o)-1
}

// walkSources visits the Go files of the module except tests.
func walkSources(t *testing.T, visit func(file string) error) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && isSkipped(file, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		return visit(file)
	})
	simtest.Must(t, err)
}

// readImports maps each package of the module to the packages of the module that it imports, with a
// file that does. Tests may import any package, so they are omitted.
func readImports(t *testing.T) map[string]map[string]string {
	t.Helper()
	found := map[string]map[string]string{}
	walkSources(t, func(file string) error {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name := packageName(path.Dir(filepath.ToSlash(file)))
		if found[name] == nil {
			found[name] = map[string]string{}
		}
		for _, spec := range parsed.Imports {
			address := strings.Trim(spec.Path.Value, `"`)
			if target, ours := strings.CutPrefix(address, "mcsim/"); ours || address == "mcsim" {
				found[name][target] = file
			}
		}
		return nil
	})
	return found
}

// packageName returns the name of a folder's package in the list.
func packageName(folder string) string {
	if folder == "." {
		return "mcsim"
	}
	return folder
}

// isSkipped reports whether a folder has no packages of this module. The generators are separate
// modules.
func isSkipped(file, name string) bool {
	if file == "." {
		return false
	}
	_, err := os.Stat(filepath.Join(file, "go.mod"))
	return err == nil || name == "testdata" || name == "out" || name == "node_modules" || strings.HasPrefix(name, ".")
}

// TestImports checks that all imports agree with the list in docs/design.md.
func TestImports(t *testing.T) {
	list, found := readImportList(t, "imports"), readImports(t)
	for importer, targets := range found {
		if _, _, ok := list.position(importer); !ok {
			t.Errorf("package %s is not in the list of %s", importer, design)
			continue
		}
		for imported, file := range targets {
			if !list.mayImport(importer, imported) {
				t.Errorf("%s: %s imports %s, which is not above it in %s", file, importer, imported, design)
			}
			// generators are not part of a program
			if strings.Contains(imported, "/internal/") && path.Base(importer) != "generate" ||
				strings.HasSuffix(imported, "test") && !strings.HasSuffix(importer, "test") {
				t.Errorf("%s imports %s, which is for tests", file, imported)
			}
		}
	}
	seen := map[string]bool{}
	for _, entry := range slices.Concat(slices.Concat(list...)...) {
		name, _, _ := strings.Cut(entry, "+")
		if found[name] == nil {
			t.Errorf("%s lists %s, but there is no such package", design, name)
		}
		if seen[name] {
			t.Errorf("%s lists %s twice", design, name)
		}
		seen[name] = true
	}
}

// maxLines is the largest number of lines of a package, without tests and generated files.
const maxLines = 2500

func TestNoPackageIsTooLarge(t *testing.T) {
	lines := map[string]int{}
	walkSources(t, func(file string) error {
		text, err := os.ReadFile(file)
		if err == nil && !strings.HasPrefix(string(text), "// Code generated ") {
			lines[path.Dir(filepath.ToSlash(file))] += strings.Count(string(text), "\n")
		}
		return err
	})
	for name, n := range lines {
		if n > maxLines {
			t.Errorf("package %s has %d lines; the limit is %d", packageName(name), n, maxLines)
		}
	}
	if len(lines) < 30 {
		t.Errorf("only %d packages were counted", len(lines))
	}
}
