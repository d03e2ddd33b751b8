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
	if len(got.Estimates)+len(got.Warnings) != 0 || got.Seed != 7 || got.Digest != doc.Digest ||
		!reflect.DeepEqual(got.Cells, doc.Cells) || got.Gates[0].Verdict != Fail {
		t.Errorf("outline %+v", got)
	}
	otherSchema := strings.Replace(string(text), Schema, "mcsim/results/1", 1)
	for _, bad := range []string{"", "[]", "null", string(text[:len(text)/2]), otherSchema} {
		if _, err := Outline(strings.NewReader(bad)); err == nil {
			t.Errorf("%.40q… has an outline", bad)
		}
	}
}
