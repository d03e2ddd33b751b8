package results

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

// errNotDocument reports a file that holds no document.
var errNotDocument = errors.New("not a document")

// readOutline reads the plan and the gates of a document.
func readOutline(path string) (*result.Document, error) {
	file, _, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	doc, err := result.Outline(file)
	if err != nil {
		return nil, errNotDocument
	}
	return doc, nil
}

// Outline reads the plan and the gates of the document in a folder; nil if there is none.
func Outline(dir string) *result.Document {
	doc, err := readOutline(filepath.Join(dir, DocumentFile))
	if err != nil {
		return nil
	}
	return doc
}

// planChange is how the plan of existing results differs from a new plan.
type planChange struct {
	keys []string // that differ, sorted
	only []string // experiments that the existing results are limited to
}

// isSamePlan reports whether both are attempts at, or parts of, one plan.
func (c planChange) isSamePlan() bool {
	return !slices.ContainsFunc(c.keys, func(key string) bool { return key != "attempt" && key != "only" })
}

// comparePlan compares the plan of the document at path with p.
func comparePlan(path string, p *plan.Plan) (planChange, error) {
	doc, err := readOutline(path)
	if err != nil {
		return planChange{}, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return planChange{}, err
	}
	var existing struct{ Only []string }
	if err := json.Unmarshal(doc.Plan, &existing); err != nil {
		return planChange{}, fmt.Errorf("the plan in the document: %w", err)
	}
	return planChange{keys: compare.PlanKeys(doc.Plan, text), only: existing.Only}, nil
}

// RefuseLoss refuses to replace results by a part of a plan that does not cover them: results of
// another plan, or of more experiments of the same one. Experiments that the user requested
// count as a part even if the plan has no others.
func RefuseLoss(dir string, p *plan.Plan, requested []string) error {
	only := p.Selection
	if len(only) == 0 {
		only = slices.Compact(slices.Sorted(slices.Values(requested)))
	}
	if len(only) == 0 {
		return nil
	}
	path := filepath.Join(dir, DocumentFile)
	change, err := comparePlan(path, p)
	isLost := func(name string) bool { return !slices.Contains(p.Selection, name) }
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil && !errors.Is(err, errNotDocument) {
		return err
	}
	isCovered := len(p.Selection) == 0 || len(change.only) > 0 && !slices.ContainsFunc(change.only, isLost)
	if err == nil && change.isSamePlan() && isCovered {
		return nil
	}
	return fmt.Errorf("%s holds other results than of %s alone, which would replace them; give another folder with -o",
		path, strings.Join(only, ", "))
}

// DescribeReplaced says in one line which results of another plan a run of p replaces, and which
// site still shows them; empty if there are none. A new attempt or a larger part is only worth
// a line if there is a site.
func DescribeReplaced(dir string, p *plan.Plan) string {
	path := filepath.Join(dir, DocumentFile)
	change, err := comparePlan(path, p)
	if err != nil || len(change.keys) == 0 {
		return ""
	}
	_, err = os.Stat(filepath.Join(dir, "report.md"))
	hasSite := err == nil
	if change.isSamePlan() && !hasSite {
		return ""
	}
	text := fmt.Sprintf("%s holds results of another plan, which this run replaces; they differ in: %s",
		path, strings.Join(change.keys, ", "))
	if hasSite {
		text += fmt.Sprintf("; %s shows the old ones until `mcsim report %s`", filepath.Join(dir, "index.html"), dir)
	}
	return names.Printable(text)
}
