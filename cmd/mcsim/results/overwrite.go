package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

var errNotDocument = errors.New("not a document")

// readOutline reads the plan and the gates of a document, packed or not.
func readOutline(path string) (doc *result.Document, err error) {
	err = ReadWith(path, func(text io.Reader) error {
		doc, err = result.Outline(text)
		if err != nil {
			return errNotDocument
		}
		return nil
	})
	return doc, err
}

// Outline reads the plan and the gates of the document in a folder; it returns nil if it cannot.
func Outline(dir string) *result.Document {
	doc, err := readOutline(Path(dir, DocumentFile))
	if err != nil {
		return nil
	}
	return doc
}

// planChange is the difference between the plan of existing results and a new plan.
type planChange struct {
	changedKeys []string // top-level keys whose values differ, sorted
	selection   []string // selected experiments of the existing results; empty if all
}

// isSamePlan reports whether the plans differ at most in their attempt and selection.
func (c planChange) isSamePlan() bool {
	return !slices.ContainsFunc(c.changedKeys, func(key string) bool { return key != "attempt" && key != "only" })
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
	var existing struct {
		Selection []string `json:"only"`
	}
	if err := json.Unmarshal(doc.Plan, &existing); err != nil {
		return planChange{}, fmt.Errorf("the plan in the document: %w", err)
	}
	return planChange{changedKeys: compare.PlanKeys(doc.Plan, text), selection: existing.Selection}, nil
}

// RefuseLoss returns an error if a run of selected experiments of p would replace results in the
// folder that it does not make again: results of another plan, or of experiments that are not
// selected. requested are the experiments that the user selected. They count as a selection even if
// they are all experiments of the plan.
func RefuseLoss(dir string, p *plan.Plan, requested []string) error {
	selected := p.Selection
	if len(selected) == 0 {
		selected = slices.Compact(slices.Sorted(slices.Values(requested)))
	}
	if len(selected) == 0 {
		return nil
	}
	path := Path(dir, DocumentFile)
	change, err := comparePlan(path, p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil && !errors.Is(err, errNotDocument) {
		return err
	}
	isOmitted := func(name string) bool { return !slices.Contains(p.Selection, name) }
	drawsAll, hadAll := len(p.Selection) == 0, len(change.selection) == 0
	isCovered := drawsAll || !hadAll && !slices.ContainsFunc(change.selection, isOmitted)
	if err == nil && change.isSamePlan() && isCovered {
		return nil
	}
	return fmt.Errorf("%s: the results of %s would replace others there; give another folder with -o",
		path, strings.Join(selected, ", "))
}

// DescribeReplaced says in one line that a run of p replaces results of another plan in the folder,
// and which site still shows these results. The text is empty if the folder has no results, or
// results of the same plan. Another attempt or selection of the same plan counts as another plan
// only if the folder has a site.
func DescribeReplaced(dir string, p *plan.Plan) string {
	path := Path(dir, DocumentFile)
	change, err := comparePlan(path, p)
	if err != nil || len(change.changedKeys) == 0 {
		return ""
	}
	_, err = os.Stat(filepath.Join(dir, "report.md"))
	hasSite := err == nil
	if change.isSamePlan() && !hasSite {
		return ""
	}
	text := fmt.Sprintf("%s holds results of another plan, which this run replaces; they differ in: %s",
		path, strings.Join(change.changedKeys, ", "))
	if hasSite {
		text += fmt.Sprintf("; %s shows the old ones until `mcsim report %s`", filepath.Join(dir, "index.html"), dir)
	}
	return names.Printable(text)
}
