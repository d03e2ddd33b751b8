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

// importList has the entries of a list of packages by paragraph and line. An entry is a package, or
// a+b for a package a that may also import package b.
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

// find returns the position of a package in the list, and its entry; ok is false if the list does
// not have it.
func (list importList) find(name string) (paragraph, line int, entry string, ok bool) {
	for paragraph, lines := range list {
		for line, entries := range lines {
			for _, entry := range entries {
				if entry == name || strings.HasPrefix(entry, name+"+") {
					return paragraph, line, entry, true
				}
			}
		}
	}
	return 0, 0, "", false
}

// mayImport reports whether the list allows an import: of a package on a line above in the same
// paragraph, of any package in the first paragraph, or of a package that the importer's entry
// names. Packages of the last paragraph may import all packages above.
func (list importList) mayImport(importer, imported string) bool {
	paragraph, line, entry, ok := list.find(importer)
	importedParagraph, importedLine, _, importedOK := list.find(imported)
	if !ok || !importedOK {
		return false
	}
	if paragraph == importedParagraph {
		return importedLine < line
	}
	isNamed := slices.Contains(strings.Split(entry, "+")[1:], imported)
	isAboveLast := paragraph == len(list)-1 && importedParagraph < paragraph
	return isNamed || importedParagraph == 0 || isAboveLast
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

// readImports maps each package of the module to the packages of the module that it imports, and
// each of these to a file with the import. Tests may import any package, so they are omitted.
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
			if target, isOwn := strings.CutPrefix(address, "mcsim/"); isOwn || address == "mcsim" {
				found[name][target] = file
			}
		}
		return nil
	})
	return found
}

// packageName returns the name that the list gives to the package of a folder.
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
		if _, _, _, ok := list.find(importer); !ok {
			t.Errorf("package %s is not in the list of %s", importer, design)
			continue
		}
		for imported, file := range targets {
			if !list.mayImport(importer, imported) {
				t.Errorf("%s: %s imports %s, which is not above it in %s", file, importer, imported, design)
			}
			isInternal := strings.Contains(imported, "/internal/")
			isTestHelper := strings.HasSuffix(imported, "test") && !strings.HasSuffix(importer, "test")
			if isInternal || isTestHelper {
				t.Errorf("%s imports %s, which is for tests", file, imported)
			}
		}
	}
	seen := map[string]bool{}
	for _, entry := range slices.Concat(slices.Concat(list...)...) {
		name, _, _ := strings.Cut(entry, "+")
		if found[name] == nil {
			t.Errorf("%s lists %s, which does not exist", design, name)
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
		t.Errorf("counted %d packages, want at least 30", len(lines))
	}
}
