package report

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The report knows the result document, the templates and itself.
func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			ours := strings.HasPrefix(name, "mcsim/")
			// The tests in a browser stand outside and look at the site.
			ours = ours && filepath.Dir(path) != "browser"
			if ours && name != "mcsim/sim/result" && name != "mcsim/templates" && !strings.HasPrefix(name, "mcsim/report/") {
				t.Errorf("%s imports %s", path, name)
			}
			if strings.HasSuffix(name, "internal/synthetic") && !strings.HasSuffix(path, "_test.go") {
				t.Errorf("%s imports what is for tests", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
