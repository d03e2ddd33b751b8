package sim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// portableMath lists the functions and constants of package math that have the same bits on every
// machine: exact functions, and the square root, which IEEE 754 defines.
var portableMath = map[string]bool{
	"Abs": true, "Ceil": true, "Copysign": true, "Float32bits": true, "Float32frombits": true, "Float64bits": true,
	"Float64frombits": true, "Floor": true, "Frexp": true, "Inf": true, "IsInf": true, "IsNaN": true, "Ldexp": true,
	"Nextafter": true, "Nextafter32": true,
	"Max": true, "Min": true, "Mod": true, "NaN": true, "Round": true, "RoundToEven": true, "Signbit": true,
	"Sqrt":  true,
	"Trunc": true,
	// constants
	"E": true, "Ln2": true, "Log2E": true, "MaxInt32": true, "MaxInt64": true, "Pi": true, "Sqrt2": true,
}

// forbiddenImports maps packages whose results depend on the machine or may change to the reason.
var forbiddenImports = map[string]string{
	"math/rand": "its samplers use math.Exp and math.Log", "math/rand/v2": "its samplers use math.Exp and math.Log",
	"math/cmplx":                     "it uses package math",
	"gonum.org/v1/gonum/stat/distuv": "it uses package math", "gonum.org/v1/gonum/mathext": "it uses package math",
	"gonum.org/v1/gonum/stat": "its sums may be fused", "gonum.org/v1/gonum/floats": "its sums may be fused",
}

// exceptions maps files that do not affect results.json to the reason.
var exceptions = map[string]string{
	"engine/verify/verify.go": "it compares written results with new ones to within a stated tolerance",
}

// TestOnlyPortableMath checks that everything that affects results.json is computed with
// sim/base/elementary and plain IEEE operations, so that all machines agree.
func TestOnlyPortableMath(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == "testdata" || d.Name() == "gen" || d.Name() == "bench") {
				return filepath.SkipDir
			}
			return err
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && exceptions[path] == "" {
			checkMath(t, path)
		}
		return nil
	})
	simtest.Must(t, err)
}

func checkMath(t *testing.T, path string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, 0)
	simtest.Must(t, err)
	for _, i := range f.Imports {
		if why := forbiddenImports[strings.Trim(i.Path.Value, `"`)]; why != "" {
			t.Errorf("%s imports %s: %s", path, i.Path.Value, why)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && x.Name == "math" && x.Obj == nil && !portableMath[s.Sel.Name] {
			t.Errorf("%v: math.%s may have other bits on another machine; use sim/base/elementary",
				files.Position(s.Pos()), s.Sel.Name)
		}
		return true
	})
	checkRandMethods(t, files, f)
}

// checkRandMethods checks that only integer methods of golang.org/x/exp/rand are used.
func checkRandMethods(t *testing.T, files *token.FileSet, f *ast.File) {
	t.Helper()
	floatMethods := map[string]bool{"NormFloat64": true, "ExpFloat64": true}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && floatMethods[s.Sel.Name] {
			t.Errorf("%v: %s is a standard sampler; sample with sim/kernel", files.Position(s.Pos()), s.Sel.Name)
		}
		return true
	})
}
