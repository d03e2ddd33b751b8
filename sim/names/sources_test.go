package names_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/names"
)

// root is the module's, from here.
const root = "../.."

// spared are folders whose files may say names as text: the table itself, another
// module, and programs to compare with.
var spared = []string{"sim/names", "sim/kernel/gen", "templates/generate"}

// sources calls f with every file of the module that is no test and not spared.
func sources(t *testing.T, f func(file string, parsed *ast.File, files *token.FileSet)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, file)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(spared, filepath.ToSlash(inside)) || strings.HasPrefix(d.Name(), ".") && inside != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(files, file, nil, 0)
		if err != nil {
			return err
		}
		f(inside, parsed, files)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// telling are the names that no text can have by chance: quantities, and all
// others that have more than one word. Plain words, such as law or rule, are names
// where a parameter or an experiment is asked for alone.
func telling(e names.Entry) bool {
	compound := strings.ContainsAny(e.Name, "_-(")
	switch e.Group {
	case names.GroupQuantity, names.GroupLabel:
		return true
	case names.GroupColumn, names.GroupValue, names.GroupTerm, names.GroupExample, names.GroupStep:
		return false
	}
	return compound
}

// composed reports whether a text is the name of a quantile, a share or a count,
// which functions of the table write.
func composed(text string) bool {
	_, ok := names.Lookup(names.GroupQuantity, text)
	return ok
}

// Code says names by their constants alone.
func TestConformanceNamesAreConstants(t *testing.T) {
	unsaid := map[string]bool{}
	for _, e := range names.All() {
		if telling(e) {
			unsaid[e.Name] = true
		}
	}
	count := 0
	sources(t, func(file string, parsed *ast.File, files *token.FileSet) {
		count++
		complain := func(at ast.Expr, text string) {
			t.Errorf("%s: %q is a name: take its constant of sim/names", files.Position(at.Pos()), text)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field: // of a struct: its tag is no code
				n.Tag = nil
			case *ast.BasicLit:
				if text, ok := text(n); ok && (unsaid[text] || composed(text)) {
					complain(n, text)
				}
			default:
				if sum, ok := n.(*ast.BinaryExpr); ok {
					if text, ok := joined(sum); ok && (unsaid[text] || composed(text)) {
						complain(sum, text)
					}
				}
				for _, l := range keys(n) {
					if text, ok := text(l); ok && plain(text) && !unsaid[text] {
						complain(l, text)
					}
				}
				for _, l := range askedFor(n) {
					if text, ok := text(l); ok && !unsaid[text] {
						complain(l, text)
					}
				}
			}
			return true
		})
	})
	if count < 100 {
		t.Errorf("only %d files were read", count)
	}
}

// keys are the texts that are the keys of a map.
func keys(n ast.Node) []*ast.BasicLit {
	var found []*ast.BasicLit
	c, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	if _, ok := c.Type.(*ast.MapType); !ok {
		return nil
	}
	for _, e := range c.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if l, ok := pair.Key.(*ast.BasicLit); ok {
				found = append(found, l)
			}
		}
	}
	return found
}

// plain reports whether a text is the name of what a table of the program has a row of,
// however common a word it is.
func plain(text string) bool {
	return slices.ContainsFunc([]string{names.GroupExperiment, names.GroupLaw, names.GroupRule, names.GroupInitialisation}, func(group string) bool {
		_, ok := names.Lookup(group, text)
		return ok
	})
}

// joined is what texts that are added say together.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return text(e)
	case *ast.BinaryExpr:
		left, ok := joined(e.X)
		right, also := joined(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}

// The scan sees names that are keys of a map, and names that are added up of parts.
func TestConformanceScanSees(t *testing.T) {
	for code, seen := range map[string]bool{
		`map[string]int{"normal": 1}`:   true,
		`map[string]int{"median": 1}`:   false,
		`[]string{"normal"}`:            false,
		`"score_" + "vari" + "ance"`:    true,
		`"score_" + name`:               false,
		`map[string]int{"he-" + x: 1}`:  false,
		`map[string]int{"variance": 1}`: true,
	} {
		e, err := parser.ParseExpr(code)
		if err != nil {
			t.Fatal(err)
		}
		said, ok := joined(e)
		found := ok && composed(said)
		for _, l := range keys(e) {
			key, ok := text(l)
			found = found || ok && plain(key)
		}
		if found != seen {
			t.Errorf("%s is seen: %v", code, found)
		}
	}
}

// askedFor are the texts in a node that stand where a name belongs: the parameter
// of params, the key of values, and the quantity or experiment of a row.
func askedFor(n ast.Node) []*ast.BasicLit {
	var found []*ast.BasicLit
	add := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok {
			found = append(found, l)
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		switch {
		case !ok || len(n.Args) == 0 || isPackage(f.X) && f.Sel.Name == "Number":
		case slices.Contains([]string{"Number", "Text", "Axis", "CountAxis", "NumberAxis", "BoundedAxis", "YesNoAxis"}, f.Sel.Name):
			add(n.Args[0])
		case f.Sel.Name == "With":
			add(n.Args[0])
		case slices.Contains([]string{"Numbers", "Names", "NumberIn"}, f.Sel.Name) && len(n.Args) > 1: // of rows or parameters
			add(n.Args[1])
		case f.Sel.Name == "Row" || f.Sel.Name == "Params": // pairs of a name and a value at the end
			for _, a := range n.Args {
				add(a)
			}
		}
	case *ast.IndexExpr:
		if f, ok := n.X.(*ast.SelectorExpr); ok && slices.Contains([]string{"Values", "Shared", "Params"}, f.Sel.Name) {
			add(n.Index)
		}
	case *ast.CompositeLit:
		if isParams(n.Type) {
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					add(pair.Key)
				}
			}
		}
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok && isNamed(n.Type, "Axis", "Experiment") && isNamed(pair.Key, "Name") {
				add(pair.Value)
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Quantity", "Experiment", "TheoryKind", "Estimator", "Headline", "Asked", "By", "Param"}, key.Name) {
			add(n.Value)
		}
		if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Has" || key.Name == "Lacks") {
			if list, ok := n.Value.(*ast.CompositeLit); ok {
				for _, e := range list.Elts {
					add(e)
				}
			}
		}
	case *ast.BinaryExpr:
		if f, ok := n.X.(*ast.SelectorExpr); ok && (n.Op == token.EQL || n.Op == token.NEQ) && slices.Contains([]string{"Quantity", "Experiment", "TheoryKind", "Estimator"}, f.Sel.Name) {
			add(n.Y)
		}
	}
	return found
}

// isPackage reports whether an expression is a lower-case word by itself that
// names the package of Number: experiment.Number reads a number.
func isPackage(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "experiment"
}

// isParams reports whether a composite literal is of result.Params, or a map of
// values by parameter.
func isParams(e ast.Expr) bool {
	if m, ok := e.(*ast.MapType); ok {
		return isNamed(m.Value, "Value")
	}
	return isNamed(e, "Params")
}

// isNamed reports whether an expression is one of the names, of whatever package.
func isNamed(e ast.Expr, wanted ...string) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return slices.Contains(wanted, e.Sel.Name)
	case *ast.Ident:
		return slices.Contains(wanted, e.Name)
	}
	return false
}

// text is what a literal says, if it is a text that is not empty.
func text(l *ast.BasicLit) (string, bool) {
	if l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil && s != ""
}
