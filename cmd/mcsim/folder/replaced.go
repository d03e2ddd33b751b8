package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcsim/sim/engine/compare"
	"mcsim/sim/engine/plan"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// errNoResults says that a file is no document.
var errNoResults = errors.New("is no results")

// outline reads the plan and the gates of a document.
func outline(path string) (*result.Document, error) {
	file, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	doc, err := result.Outline(file)
	if err != nil {
		err = errNoResults
	}
	return doc, err
}

// Outline reads the plan and the gates of the results in a folder; nil where there are none.
func Outline(dir string) *result.Document {
	doc, err := outline(filepath.Join(dir, Results))
	if err != nil {
		return nil
	}
	return doc
}

// change is how the plan of the results in a folder differs from another.
type change struct {
	keys []string // in which it does, sorted
	was  []string // the experiments that it draws alone
}

// goesOn reports whether both are of one plan: another attempt, or another part of it.
func (c change) goesOn() bool {
	return !slices.ContainsFunc(c.keys, func(key string) bool { return key != "attempt" && key != "only" })
}

// changeOf holds the plan of the results in a file against another.
func changeOf(path string, p *plan.Plan) (c change, err error) {
	doc, err := outline(path)
	if err != nil {
		return c, err
	}
	own, err := json.Marshal(p)
	if err != nil {
		return c, err
	}
	var part struct{ Only []string }
	if err := json.Unmarshal(doc.Plan, &part); err != nil {
		return c, fmt.Errorf("the plan in the document: %w", err)
	}
	return change{compare.PlanKeys(doc.Plan, own), part.Only}, nil
}

// Spares refuses that a part of a plan takes the place of results that it does not hold:
// those of another plan, and those of more experiments of the same one. Experiments that
// are asked for alone are a part of the plan though they are all that it has.
func Spares(dir string, p *plan.Plan, asked []string) error {
	path := filepath.Join(dir, Results)
	alone := p.Only
	if len(alone) == 0 {
		alone = slices.Compact(slices.Sorted(slices.Values(asked)))
	}
	if len(alone) == 0 {
		return nil
	}
	c, err := changeOf(path, p)
	spared := slices.ContainsFunc(c.was, func(name string) bool { return !slices.Contains(p.Only, name) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && !errors.Is(err, errNoResults):
		return err
	case err == nil && c.goesOn() && (len(p.Only) == 0 || len(c.was) > 0 && !spared):
		return nil
	}
	return fmt.Errorf("%s holds other results than of %s alone, which would replace them; give another folder with -o", path, strings.Join(alone, ", "))
}

// Replaced says in one line which finished results of another plan a run of p takes the place
// of, and which site shows them until it is made again; nothing where there are none. A new
// attempt and a larger part are asked for, and worth a line only where a site shows the old.
func Replaced(dir string, p *plan.Plan) string {
	path, site := filepath.Join(dir, Results), siteIn(dir)
	c, err := changeOf(path, p)
	if err != nil || len(c.keys) == 0 || c.goesOn() && site == "" {
		return ""
	}
	said := fmt.Sprintf("%s holds results of another plan, which this run replaces; they differ in: %s", path, strings.Join(c.keys, ", "))
	if site != "" {
		said += fmt.Sprintf("; %s shows the old ones until `mcsim report %s`", site, dir)
	}
	return names.Printable(said)
}

// siteIn is the first page of the site that stands in the folder; empty where none does.
func siteIn(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, "report.md")); err != nil {
		return ""
	}
	return filepath.Join(dir, "index.html")
}
