package mcsim_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mcsim/sim/claim"
	"mcsim/sim/engine/plan"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// schemas maps the published files to the functions that generate them.
var schemas = map[string]func() map[string]any{
	"docs/plan.schema.json":    plan.Schema,
	"docs/results.schema.json": result.JSONSchema,
	"docs/claims.schema.json":  claim.Schema,
}

// parseJSON returns JSON as the values that package jsonschema validates.
func parseJSON(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	simtest.Must(t, err)
	return v
}

// compileSchema returns the schema of a file, and checks that it is valid.
func compileSchema(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(file)
	simtest.Must(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	simtest.Must(t, c.AddResource(file, parseJSON(t, text)))
	s, err := c.Compile(file)
	simtest.Must(t, err)
	if s.DraftVersion != 2020 {
		t.Errorf("%s has the draft version %d, want 2020", file, s.DraftVersion)
	}
	return s
}

// TestPublishedSchemas checks that the published schemas are up to date (make generate).
func TestPublishedSchemas(t *testing.T) {
	for file, schema := range schemas {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		generated, err := json.MarshalIndent(schema(), "", "  ")
		simtest.Must(t, err)
		if a, b := fmt.Sprint(parseJSON(t, text)), fmt.Sprint(parseJSON(t, generated)); a != b {
			t.Errorf("%s is out of date; run make generate", file)
		}
		compileSchema(t, file)
	}
}

// parseYAML converts YAML to JSON values; ok is false if the text is not YAML.
func parseYAML(text []byte) (v any, ok bool) {
	if err := yaml.Unmarshal(text, &v); err != nil {
		return nil, false
	}
	again, err := json.Marshal(v)
	if err != nil {
		return nil, false
	}
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(again))
	return v, err == nil
}

// TestReadyPlansFitTheirSchema checks that ready plans name the schema in their first line. They
// must be valid as they are, and in the form with all default values that results.json has.
func TestReadyPlansFitTheirSchema(t *testing.T) {
	schema := compileSchema(t, "docs/plan.schema.json")
	for _, name := range plan.Names() {
		file := filepath.Join("sim", "engine", "plan", "plans", name+".yaml")
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		first, _, _ := strings.Cut(string(text), "\n")
		path, found := strings.CutPrefix(first, "# yaml-language-server: $schema=")
		if !found || filepath.ToSlash(filepath.Join(filepath.Dir(file), path)) != "docs/plan.schema.json" {
			t.Errorf("the first line of %s does not name the schema: %s", file, first)
		}
		v, ok := parseYAML(text)
		if !ok {
			t.Errorf("%s is not YAML", file)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		p, err := plan.Parse(file, text)
		simtest.Must(t, err)
		complete, err := json.Marshal(p)
		simtest.Must(t, err)
		if err := schema.Validate(parseJSON(t, complete)); err != nil {
			t.Errorf("%s with all default values: %v", file, err)
		}
	}
}

// TestPlanSchemaAcceptsSpellings checks that the schema accepts spellings of values that the parser
// accepts.
func TestPlanSchemaAcceptsSpellings(t *testing.T) {
	schema := compileSchema(t, "docs/plan.schema.json")
	for _, text := range []string{
		"{name: a, seed: 1e6, tolerance: 5%, alpha: 1/1000, experiments: [{experiment: variance, distribution: " +
			"[gaussian, student-t(nu=10), bernoulli-gaussian], d_k: [1..8, 2^10, 1e4, 12]}]}",
		"experiments: [{experiment: softmax, distribution: normal, d_k: 4, keys: 8, exponent: [0, 1/3], " +
			"temperature: [0, 4, infinite], shared_keys: true, samples: 2^12}]",
		"experiments: [{experiment: softmax, distribution: normal, d_k: 4, keys: 8, shared_keys: [no, yes], " +
			"temperature: inf}]",
		"experiments: [{experiment: depth, tokens: 4, width: 8, layers: 2, residual: [false, yes], norm: no, gate: " +
			"false, rel_se: 10%}]",
		"experiments: [{experiment: rules, distribution: normal, d_k: [2, 4], keys: 4, rule: [power(1/2), " +
			"sqrt(d_k/2), cosine]}]",
	} {
		if _, err := plan.Parse("plan.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
		v, ok := parseYAML([]byte(text))
		if !ok {
			t.Fatalf("%s is not YAML", text)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// notInSchema matches the errors of the parser that the schema cannot express: details of YAML that
// a parser of YAML does not report, numbers as texts, parameters of names, and impossible cells and
// gates.
var notInSchema = regexp.MustCompile(`is not YAML: |stands here a second time|a tab indents|YAML (directive|document|anchor|tag)|is a block of text|"<<"|visible characters|a value has at most|` +
	`is not a (finite )?number|not a range of doublings|: \S+ is not in |is not 0, |` +
	`distribution [a-z-]+: |takes no parameter|: cell |reads (the cells|every cell)`)

// TestPlanSchemaRefusesBadPlans checks that the schema refuses the bad plans that the parser
// refuses, except for the errors in notInSchema.
func TestPlanSchemaRefusesBadPlans(t *testing.T) {
	schema := compileSchema(t, "docs/plan.schema.json")
	archive, err := txtar.ParseFile("sim/engine/plan/testdata/plans/bad.txtar")
	simtest.Must(t, err)
	refused := 0
	for _, f := range archive.Files {
		text, message, _ := strings.Cut("\n"+string(f.Data), "\n=> ")
		message, _, _ = strings.Cut(message, " | ") // the line of the plan
		v, ok := parseYAML([]byte(strings.ReplaceAll(text, "⟦", "")))
		switch {
		case ok && schema.Validate(v) != nil:
			refused++
		case !notInSchema.MatchString(message):
			t.Errorf("%s: the schema accepts the plan; the parser's error is %s", f.Name, message)
		}
	}
	t.Logf("the schema refuses %d of %d bad plans", refused, len(archive.Files))
	if refused < len(archive.Files)/2 {
		t.Errorf("the schema refuses %d of %d bad plans, want at least half", refused, len(archive.Files))
	}
}

// sampleDocument returns the report's sample document as JSON, with at most 20 elements of each
// long list.
func sampleDocument(t *testing.T) string {
	t.Helper()
	var d map[string]any
	simtest.Must(t, json.Unmarshal(simtest.ReadSampleDocument(t, "."), &d))
	schema := compileSchema(t, "docs/results.schema.json")
	if err := schema.Validate(d); err != nil {
		t.Errorf("the complete sample: %v", err)
	}
	d["plan"] = nil // the plan has names of its own, which the changes below must not find
	for _, list := range []string{"estimates", "curves", "gates", "cells", "warnings"} {
		rows := d[list].([]any)
		d[list] = rows[:min(20, len(rows))]
	}
	text, err := json.Marshal(d)
	simtest.Must(t, err)
	return string(text)
}

// TestResultsFitTheirSchema checks that results are valid, and that the schema detects unknown
// fields and names, missing fields, and numbers as texts.
func TestResultsFitTheirSchema(t *testing.T) {
	schema := compileSchema(t, "docs/results.schema.json")
	text := sampleDocument(t)
	simtest.Must(t, schema.Validate(parseJSON(t, []byte(text))))
	for _, change := range [][2]string{
		{`"seed":`, `"sead":1,"seed":`}, {`"seed":`, `"sead":`}, {`"seed":`, `"seed":-`},
		{`"theory_kind":"exact"`, `"theory_kind":"known"`}, {`"experiment":"variance"`, `"experiment":"varience"`},
		{`"verdict":"pass"`, `"verdict":"passed"`}, {`"distribution":"normal"`, `"low":"normal"`},
		{`"distribution":"normal"`, `"distribution":1`}, {`"d_k":`, `"d_k":"1","d_v":`},
		{`"schema":"mcsim`, `"schema":"other`},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Fatalf("the sample has no %s", change[0])
		}
		if schema.Validate(parseJSON(t, []byte(changed))) == nil {
			t.Errorf("the schema accepts %s", change[1])
		}
	}
}

// TestLedgersAgainstTheirSchema checks that the ledgers are valid, and invalid with an unknown key.
func TestLedgersAgainstTheirSchema(t *testing.T) {
	s := compileSchema(t, "docs/claims.schema.json")
	files, err := filepath.Glob("sim/claim/ledger/*.yaml")
	if err != nil || len(files) != 15 {
		t.Fatalf("got the ledgers %q, want 15 (%v)", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		v, ok := parseYAML(text)
		if !ok {
			t.Fatalf("%s is not YAML", file)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		v, _ = parseYAML(append(text, "\nverdicts: none\n"...))
		if s.Validate(v) == nil {
			t.Errorf("%s is valid with an unknown key", file)
		}
	}
}
