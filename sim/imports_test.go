package sim_test

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
)

// layers lists our packages from left to right: one may import those of the
// layers before its own, and none of its own. The documents of result stand
// in the second, after the names that all use.
var layers = [][]string{
	{"sim/names"},
	{"sim/result", "sim/moments", "sim/elementary"},
	{"sim/stream"},
	{"sim/law"},
	{"sim/kernel"},
	{"sim/attention", "sim/rule", "sim/precision", "sim/weights", "sim/theory", "sim/array"},
	{"sim/experiment"},
	{"sim/advice", "sim/gate", "sim/claim", "sim/store", "sim/compare", "sim/bench"},
	{"sim"},
}

// itself is the package at the root, what the module says about itself.
const itself = "."

// mayImport reports whether a package of ours may import another.
func mayImport(from, to string) bool {
	layer := func(name string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
	}
	command := func(name string) string { return strings.Join(strings.SplitN(name, "/", 3)[:2], "/") }
	reporting := func(name string) bool { return name == "report" || strings.HasPrefix(name, "report/") }
	switch {
	case strings.HasPrefix(from, "cmd/"): // what a command prints stands below it
		return !strings.HasPrefix(to, "cmd/") || command(to) == command(from)
	case reporting(from):
		return reporting(to) || to == "sim/result" || to == "sim/names" || to == "templates" || to == itself
	case from == "templates" || from == itself:
		return false
	case layer(from) >= 0:
		return layer(to) >= 0 && layer(to) < layer(from)
	}
	return false
}

// known reports whether the design knows the package.
func known(name string) bool {
	return name == itself || name == "templates" || name == "report" || strings.HasPrefix(name, "report/") || strings.HasPrefix(name, "cmd/") ||
		slices.ContainsFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
}

// imports maps each package of the module to the files that import another of
// it. Tests are left out: they may look wherever they need to.
func imports(t *testing.T) map[string]map[string][]string {
	t.Helper()
	const root = ".."
	found := map[string]map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped(file, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := path.Dir(filepath.ToSlash(inside))
		if found[name] == nil {
			found[name] = map[string][]string{}
		}
		for _, spec := range parsed.Imports {
			address := strings.Trim(spec.Path.Value, `"`)
			if address == "mcsim" {
				address = "mcsim/" + itself
			}
			if to, ours := strings.CutPrefix(address, "mcsim/"); ours {
				found[name][to] = append(found[name][to], file)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// skipped are the folders that hold no package of this module, as do those of
// the generators, which are modules of their own.
func skipped(file, name string) bool {
	if file == ".." {
		return false
	}
	_, err := os.Stat(filepath.Join(file, "go.mod"))
	return err == nil || name == "testdata" || name == "out" || name == "node_modules" || strings.HasPrefix(name, ".")
}

func TestImportDirections(t *testing.T) {
	found := imports(t)
	for _, want := range []string{"sim", "sim/result", "sim/kernel", "report", "cmd/mcsim", "templates"} {
		if found[want] == nil {
			t.Fatalf("no files of %s: the walk goes wrong", want)
		}
	}
	for from, targets := range found {
		if !known(from) {
			t.Errorf("package %s has no place among the layers; give it one here", from)
			continue
		}
		for to, files := range targets {
			if !mayImport(from, to) {
				t.Errorf("%s imports %s, which is not to its left: %s", from, to, strings.Join(files, ", "))
			}
		}
	}
}

// The rule itself, so that a test which passes means something.
func TestMayImport(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"sim/stream", "sim/moments", true},
		{"sim/kernel", "sim/law", true},
		{"sim", "sim/gate", true},
		{"sim/gate", "sim/experiment", true},
		{"sim/law", "sim/kernel", false},
		{"sim/result", "sim/moments", false},
		{"sim/gate", "sim/store", false},
		{"sim/theory", "sim/rule", false},
		{"sim/experiment", "sim", false},
		{"sim", "report", false},
		{"sim", "cmd/mcsim", false},
		{"report", "sim/result", true},
		{"report", "report/figure", true},
		{"report/figure", "report/digits", true},
		{"report", "templates", true},
		{"report", "sim", false},
		{"report", "sim/law", false},
		{"templates", "sim/result", false},
		{"templates", "report", false},
		{"report", itself, true},
		{"sim", itself, false},
		{itself, "report", false},
		{"cmd/mcsim", "sim/law", true},
		{"cmd/mcsim", "report/digits", true},
		{"cmd/mcsim", "cmd/mcsim/internal/show", true},
		{"cmd/mcsim/internal/junit", "cmd/mcsim/internal/show", true},
		{"cmd/lab", "cmd/mcsim", false},
		{"cmd/lab", "cmd/mcsim/internal/show", false},
		{"sim/newcomer", "sim/result", false},
		{"sim", "sim/newcomer", false},
	} {
		if got := mayImport(c.from, c.to); got != c.want {
			t.Errorf("mayImport(%s, %s) = %v", c.from, c.to, got)
		}
	}
}
