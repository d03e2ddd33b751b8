package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
)

// docs/data.md is what the program prints, and describes every file of a folder of results.
func TestDataIsGenerated(t *testing.T) {
	committed := file(t, "../../docs/data.md")
	var made strings.Builder
	if err := show.Data(&made); err != nil {
		t.Fatal(err)
	}
	if made.String() != string(committed) {
		t.Error("docs/data.md is not what `mcsim explain --markdown` prints; make generate writes it")
	}
	for _, name := range []string{results.DocumentFile, results.EstimatesFile, results.RunFile, results.NodesFile} {
		if !strings.Contains(made.String(), "\n- `"+name+"` ") {
			t.Errorf("docs/data.md does not say what %s is", name)
		}
	}
}

// Every text in estimates.csv is explained, but ids of cells, which are built of names; so are
// every gate and every named value of a ready plan, and every model of advise.
func TestEveryTextIsExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for every name")
	}
	asked := map[string]bool{"inf": true, "direct+gram": true, "gpt2": true, " entropy ": true}
	for _, e := range sampleDocument(t).Estimates {
		for _, text := range append([]string{e.Experiment, e.Quantity, e.Estimator, e.TheoryKind},
			slices.Sorted(maps.Keys(e.Params))...) {
			asked[text] = text != ""
		}
		for name := range e.Params {
			if text, ok := e.Params.Text(name); ok {
				asked[text] = true
			}
		}
	}
	for _, g := range sampleDocument(t).Gates {
		asked[g.Name] = true
	}
	for _, p := range plan.Names() {
		for _, name := range namesOf(t, p) {
			asked[name] = true
		}
	}
	for _, name := range models.Names() {
		asked[name] = true
	}
	if len(asked) < 100 {
		t.Errorf("only %d texts", len(asked))
	}
	delete(asked, "")
	for text := range asked {
		if _, err := lookUp(text); err != nil {
			t.Error(err)
		}
	}
}

// namesOf are the names of the gates that a ready plan declares, and of the values of its axes.
func namesOf(t *testing.T, name string) (found []string) {
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
	for _, g := range s.Entries {
		for _, k := range g.Checks {
			found = append(found, k.Name)
		}
		for _, values := range g.Entry.Values {
			for _, v := range values {
				if v.Name != "" && strings.TrimLeft(v.Name, "0123456789./") != "" {
					found = append(found, v.Name)
				}
			}
		}
	}
	return found
}

// sampleDocument is the one that the report is tested with, which has every experiment.
func sampleDocument(t *testing.T) *result.Document {
	t.Helper()
	_, doc, err := results.LocateAndRead([]string{"../../report/internal/sample/results.json.gz"})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
