package show

import (
	"io"
	"slices"
	"testing"

	"mcsim/sim/names"
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
	if err := JSON(io.Discard, &GivenCost{}); err != nil {
		t.Error(err)
	}
}
