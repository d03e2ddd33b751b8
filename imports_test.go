package mcsim_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"mcsim/sim/simtest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// design holds the list of packages that these tests read.
const design = "docs/design.md"

// order is the list of packages: paragraphs of lines of names.
type order [][][]string

// listed reads the fenced block of that kind.
func listed(t *testing.T, kind string) (out order) {
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
		out = append(out, lines)
	}
	return out
}

// place is where a package stands; ok is false where it stands nowhere.
func (o order) place(name string) (paragraph, line int, ok bool) {
	for p, lines := range o {
		named := func(entry string) bool { return entry == name || strings.HasPrefix(entry, name+"+") }
		if l := slices.IndexFunc(lines, func(names []string) bool { return slices.ContainsFunc(names, named) }); l >= 0 {
			return p, l, true
		}
	}
	return 0, 0, false
}

// mayImport reports whether the list lets a package import another: one on a
// line above its own, in its paragraph or the first. Those of the last
// paragraph may import whatever stands above them.
func (o order) mayImport(from, to string) bool {
	p, l, known := o.place(from)
	q, m, there := o.place(to)
	switch {
	case !known || !there:
		return false
	case p == q:
		return m < l
	case slices.ContainsFunc(o[p][l], func(entry string) bool {
		return strings.HasPrefix(entry, from+"+") && slices.Contains(strings.Split(entry, "+"), to)
	}):
		return true
	}
	return q == 0 || q < p && p == len(o)-1
}

// eachSource visits the files of the module's packages but their tests.
func eachSource(t *testing.T, visit func(file string) error) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped(file, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		return visit(file)
	})
	simtest.Must(t, err)
}

// packages maps each package of the module to those of it that it imports,
// with the file that does. Tests are left out: they may look wherever they
// need to.
func packages(t *testing.T) map[string]map[string]string {
	t.Helper()
	found := map[string]map[string]string{}
	eachSource(t, func(file string) error {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name := nameOf(path.Dir(filepath.ToSlash(file)))
		if found[name] == nil {
			found[name] = map[string]string{}
		}
		for _, spec := range parsed.Imports {
			address := strings.Trim(spec.Path.Value, `"`)
			if to, ours := strings.CutPrefix(address, "mcsim/"); ours || address == "mcsim" {
				found[name][to] = file
			}
		}
		return nil
	})
	return found
}

// nameOf is the name of a folder's package in the list.
func nameOf(folder string) string {
	if folder == "." {
		return "mcsim"
	}
	return folder
}

// skipped are the folders that hold no package of this module, as do those of
// the generators, which are modules of their own.
func skipped(file, name string) bool {
	if file == "." {
		return false
	}
	_, err := os.Stat(filepath.Join(file, "go.mod"))
	return err == nil || name == "testdata" || name == "out" || name == "node_modules" || strings.HasPrefix(name, ".")
}

// Imports run one way only, as docs/design.md lists the packages.
func TestImports(t *testing.T) {
	list, found := listed(t, "imports"), packages(t)
	for from, targets := range found {
		if _, _, ok := list.place(from); !ok {
			t.Errorf("package %s has no place in the list of %s", from, design)
			continue
		}
		for to, file := range targets {
			if !list.mayImport(from, to) {
				t.Errorf("%s: %s imports %s, which does not stand above it in %s", file, from, to, design)
			}
			if strings.Contains(to, "/internal/") && path.Base(from) != "generate" || // which no program holds
				strings.HasSuffix(to, "test") && !strings.HasSuffix(from, "test") {
				t.Errorf("%s imports %s, which is for tests", file, to)
			}
		}
	}
	seen := map[string]bool{}
	for _, entry := range slices.Concat(slices.Concat(list...)...) {
		name, _, _ := strings.Cut(entry, "+")
		if found[name] == nil {
			t.Errorf("%s lists %s, and there is no such package", design, name)
		}
		if seen[name] {
			t.Errorf("%s lists %s twice", design, name)
		}
		seen[name] = true
	}
}

// mostLines is what one head holds of a package; generated files do not count.
const mostLines = 2500

// No package outgrows one head.
func TestNoPackageIsTooLarge(t *testing.T) {
	lines := map[string]int{}
	eachSource(t, func(file string) error {
		text, err := os.ReadFile(file)
		if err == nil && !strings.HasPrefix(string(text), "// Code generated ") {
			lines[path.Dir(filepath.ToSlash(file))] += strings.Count(string(text), "\n")
		}
		return err
	})
	for name, n := range lines {
		if n > mostLines {
			t.Errorf("package %s has %d lines; at most %d are to be in one", nameOf(name), n, mostLines)
		}
	}
	if len(lines) < 30 {
		t.Errorf("only %d packages were counted", len(lines))
	}
}
