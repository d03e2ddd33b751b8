package result

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// An outline has the plan, the cells and the gates; what is no document is an error.
func TestOutline(t *testing.T) {
	doc := &Document{Schema: Schema, Seed: 7, Plan: []byte(`{"name":"p"}`), Cells: []Cell{{ID: "c", N: 3}},
		Estimates: []Estimate{{Experiment: "e", Cell: "c"}, {Experiment: "f"}}, Gates: []Gate{{Name: "g", Cell: "c", Verdict: Fail}},
		Warnings: []Warning{{}}}
	must(t, Seal(doc))
	text, err := Encode(doc)
	must(t, err)
	got, err := Outline(bytes.NewReader(text))
	must(t, err)
	if len(got.Estimates)+len(got.Warnings) != 0 || got.Seed != 7 || !reflect.DeepEqual(got.Cells, doc.Cells) || got.Gates[0].Verdict != Fail || got.Digest != doc.Digest {
		t.Errorf("outline %+v", got)
	}
	for _, bad := range []string{"", "[]", "null", string(text[:len(text)/2]), strings.Replace(string(text), Schema, "mcsim/results/1", 1)} {
		if _, err := Outline(strings.NewReader(bad)); err == nil {
			t.Errorf("%.40q… has an outline", bad)
		}
	}
}
