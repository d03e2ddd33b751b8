package result

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestOutline(t *testing.T) {
	doc := &Document{Schema: Schema, Seed: 7, Plan: []byte(`{"name":"p"}`), Cells: []Cell{{ID: "c", N: 3}},
		Estimates: []Estimate{{Experiment: "e", Cell: "c"}, {Experiment: "f"}},
		Gates:     []Gate{{Name: "g", Cell: "c", Verdict: Fail}}, Warnings: []Warning{{}}}
	must(t, Seal(doc))
	text, err := Encode(doc)
	must(t, err)
	got, err := Outline(bytes.NewReader(text))
	must(t, err)
	if len(got.Estimates) > 0 || len(got.Warnings) > 0 {
		t.Errorf("the outline has %d estimates and %d warnings, want none", len(got.Estimates), len(got.Warnings))
	}
	if got.Seed != 7 || got.Digest != doc.Digest {
		t.Errorf("seed %d and digest %s, want 7 and %s", got.Seed, got.Digest, doc.Digest)
	}
	if !reflect.DeepEqual(got.Cells, doc.Cells) || !reflect.DeepEqual(got.Gates, doc.Gates) {
		t.Errorf("cells %+v and gates %+v, want %+v and %+v", got.Cells, got.Gates, doc.Cells, doc.Gates)
	}
	otherSchema := strings.Replace(string(text), Schema, "mcsim/results/1", 1)
	for _, bad := range []string{"", "[]", "null", string(text[:len(text)/2]), otherSchema} {
		if _, err := Outline(strings.NewReader(bad)); err == nil {
			t.Errorf("Outline accepts %.40q…, want an error", bad)
		}
	}
}
