package plan

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"mcsim/sim/names"
)

// The full plan is the default one, and beside it training at more d_k and of more steps, and twenty repeats,
// all without gates.
func TestFullIsTheDefaultAndMore(t *testing.T) {
	read := func(name string) (*Plan, []byte) {
		text, err := Embedded(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := bytes.Cut(text, []byte("\nseed:"))
		return p, body
	}
	usual, text := read("default")
	full, whole := read("full")
	if !bytes.HasPrefix(whole, text) {
		t.Error("the full plan does not begin as the default one")
	}
	last := full.Entries[len(full.Entries)-1]
	for _, e := range full.Entries[len(usual.Entries) : len(full.Entries)-1] {
		if e.Experiment.Name != names.ExperimentTraining {
			t.Errorf("%s is drawn more than in the default plan", e.Experiment.Name)
		}
	}
	if len(full.Entries) <= len(usual.Entries) || last.Experiment.Name != names.ExperimentRepeats || len(last.Cells()) != 20 {
		t.Fatalf("%d entries and %d, the last of %s with %d cells", len(full.Entries), len(usual.Entries), last.Experiment.Name, len(last.Cells()))
	}
	if full.Seed != usual.Seed || full.Alpha != usual.Alpha || full.Beta != usual.Beta || full.Tolerance != usual.Tolerance {
		t.Error("the full plan has another seed, other rates or another tolerance")
	}
	if slices.ContainsFunc(usual.Entries, func(e Entry) bool { return e.Experiment.Name == names.ExperimentRepeats }) {
		t.Error("the default plan draws repeats")
	}
	for i, e := range usual.Entries {
		if !reflect.DeepEqual(ids(e), ids(full.Entries[i])) {
			t.Errorf("entry %d has other cells", i+1)
		}
	}
}

// ids are those of the cells of an entry that draws.
func ids(e Entry) (list []string) {
	if e.Experiment.Of != "" {
		return nil
	}
	for _, c := range e.Cells() {
		list = append(list, c.ID)
	}
	return list
}
