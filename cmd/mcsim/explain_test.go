package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/attention/models"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
)

// TestDataIsGenerated checks that docs/data.md is the output of `mcsim explain --markdown`, and
// that it describes every file of a results folder.
func TestDataIsGenerated(t *testing.T) {
	committed := readFile(t, "../../docs/data.md")
	var printed strings.Builder
	if err := view.Data(&printed); err != nil {
		t.Fatal(err)
	}
	if printed.String() != string(committed) {
		t.Error("docs/data.md is not what `mcsim explain --markdown` prints; make generate writes it")
	}
	for _, name := range []string{results.DocumentFile, results.EstimatesFile, results.RunFile, results.NodesFile} {
		if !strings.Contains(printed.String(), "\n- `"+name+"` ") {
			t.Errorf("docs/data.md does not say what %s is", name)
		}
	}
}

// TestEveryTextIsExplained checks that `mcsim explain` finds every text in estimates.csv except for
// the IDs of cells, every gate, every named value of a ready plan, and every model.
func TestEveryTextIsExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("looks up every name")
	}
	isText := map[string]bool{"inf": true, "direct+gram": true, "gpt2": true, " entropy ": true} // a set of texts
	for _, e := range readSampleDocument(t).Estimates {
		for _, text := range append([]string{e.Experiment, e.Quantity, e.Estimator, e.TheoryKind},
			slices.Sorted(maps.Keys(e.Params))...) {
			isText[text] = text != ""
		}
		for name := range e.Params {
			if text, ok := e.Params.Text(name); ok {
				isText[text] = true
			}
		}
	}
	for _, g := range readSampleDocument(t).Gates {
		isText[g.Name] = true
	}
	for _, p := range plan.Names() {
		for _, name := range namesInPlan(t, p) {
			isText[name] = true
		}
	}
	for _, name := range models.Names() {
		isText[name] = true
	}
	if len(isText) < 100 {
		t.Errorf("only %d texts are tested, want at least 100", len(isText))
	}
	delete(isText, "")
	for text := range isText {
		if _, err := lookUp(text); err != nil {
			t.Error(err)
		}
	}
}

// namesInPlan returns the names of the gates and of the axis values of a ready plan.
func namesInPlan(t *testing.T, name string) (names []string) {
	t.Helper()
	text, err := plan.Embedded(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Entries {
		for _, check := range e.Checks {
			names = append(names, check.Name)
		}
		for _, values := range e.Entry.Values {
			for _, v := range values {
				if strings.TrimLeft(v.Name, "0123456789./") != "" { // not empty, and not a number
					names = append(names, v.Name)
				}
			}
		}
	}
	return names
}

// readSampleDocument returns the sample document of the report's tests, which has every experiment.
func readSampleDocument(t *testing.T) *result.Document {
	t.Helper()
	_, doc, err := results.LocateAndRead([]string{"../../report/internal/sample/results.json.gz"})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
