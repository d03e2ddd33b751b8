package show

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/cost"
	"mcsim/sim/names"
	"mcsim/sim/names/sense"
)

// Every field of every file and object in JSON, and every key of a plan, has a definition;
// and no definition is of a field that nothing has.
func TestFieldsAreExplained(t *testing.T) {
	seen := map[string]bool{}
	want := func(where, name string) {
		seen[name] = true
		if e, ok := names.Field(name); !ok || e.Definition == "" {
			t.Errorf("%s: nothing says what %s is: sim/names/fields.go lacks it", where, name)
		}
	}
	for _, o := range Outputs {
		fields := o.Fields()
		if len(fields) < 5 {
			t.Errorf("%s has the fields %v alone", o.Name, fields)
		}
		for _, f := range fields {
			want(o.Name+": "+f.Path, f.Name)
		}
	}
	keys := planKeys()
	if len(keys) < 30 || !slices.Contains(keys["samples"], "key of entries") || len(keys["tolerance"]) != 2 {
		t.Errorf("a plan has the keys %v", keys)
	}
	for key := range keys {
		want("a plan", key)
	}
	for _, e := range names.All() {
		if e.Group == names.GroupField && !seen[e.Name] {
			t.Errorf("%s is explained, but no file, object or plan has it", e.Name)
		}
	}
	if len(seen) < 150 {
		t.Errorf("only %d fields", len(seen))
	}
}

// A field stands where a document has it.
func TestPathsOfFields(t *testing.T) {
	found := map[string]bool{}
	for _, f := range Outputs[0].Fields() {
		found[f.Path] = true
	}
	for _, path := range []string{"seed", "cells[].id", "estimates[].theory_kind", "gates[].band", "budget.alpha", "examples[].steps[].printed"} {
		if !found[path] {
			t.Errorf("results.json has no %s: %v", path, found)
		}
	}
	for path := range found {
		if path == "plan.name" || path == "gates[].value.x" {
			t.Errorf("%s is found", path)
		}
	}
}

// What is declared nowhere is not printed.
func TestUndeclaredObjectsAreRefused(t *testing.T) {
	if err := JSON(io.Discard, struct{ Secret int }{1}); err == nil {
		t.Error("an object that nothing explains is printed")
	}
	if err := JSON(io.Discard, &cost.Count{}); err != nil {
		t.Error(err)
	}
}

// elsewhere finds what a definition says of one place alone: "Of a control the gate …".
var elsewhere = regexp.MustCompile(`(?:^|\. )(?:Of|In) (?:a control|a plan|a comparison|a budget|a judgement|a step|an initialisation|a rule|given arrays|advice|one row|what mcsim|where|results\.json|run\.json)|: of an? |, of given arrays|, of advice`)

// What is said of a field is said of it where it stands, and not of a field of that name elsewhere.
func TestFieldsSpeakOfThemselves(t *testing.T) {
	for _, o := range Outputs {
		for _, f := range o.Fields() {
			e, _ := sense.At(o.Name, f.Path)
			if e.Group == names.GroupField && elsewhere.MatchString(e.Definition) || elsewhere.MatchString(sentence.FindString(e.Definition)) {
				t.Errorf("%s: %s is explained for several places at once: %s", o.Name, f.Path, e.Definition)
			}
		}
	}
	for place, want := range map[[2]string]string{
		{"advise --json", "verdict"}: "too soft", {"compare --json", "rows[].verdict"}: "differs", {"advise --json", "gate"}: "band", {"inspect --json", "rows[].query"}: "Which query",
		{"plan --json", "seconds"}: "estimate", {"plan --json", "plan"}: "name of the plan", {"results.json", "budget.gates"}: "How many", {"results.json", "examples[].steps[].value"}: "matrix", {"results.json", "gates[].verdict"}: "Pass, fail",
		{"inspect --json", "scale.max_weight_q50"}: "median over rows of the greatest weight",
	} {
		if e, ok := sense.At(place[0], place[1]); !ok || !strings.Contains(e.Definition, want) {
			t.Errorf("%v is explained as %q, without %q", place, e.Definition, want)
		}
	}
}

// Whatever means something of its own in a place is a field there.
func TestSensesAreOfFields(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Outputs {
		for _, f := range o.Fields() {
			seen[sense.Place(o.Name, f.Path)] = true
		}
	}
	for _, s := range sense.All() {
		if !seen[s.Place()] {
			t.Errorf("nothing has the field %s", s.Place())
		}
		if e, ok := names.Field(s.Name()); !ok || e.Definition == s.Definition {
			t.Errorf("%s has no entry, or the definition of all others", s.Place())
		}
		seen[s.Place()] = false // which one sense has alone
	}
}
