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

// published are the schemas by their files, each with what makes it.
var published = map[string]func() map[string]any{
	"docs/plan.schema.json":    plan.Schema,
	"docs/results.schema.json": result.JSONSchema,
	"docs/claims.schema.json":  claim.Schema,
}

// content is JSON as package jsonschema takes it.
func content(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	simtest.Must(t, err)
	return v
}

// compiled is the schema of a file, which must be one of JSON Schema.
func compiled(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(file)
	simtest.Must(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	simtest.Must(t, c.AddResource(file, content(t, text)))
	s, err := c.Compile(file)
	simtest.Must(t, err)
	if s.DraftVersion != 2020 {
		t.Errorf("%s is of the draft %d", file, s.DraftVersion)
	}
	return s
}

// The published schemas are those that the program makes (make generate).
func TestPublishedSchemas(t *testing.T) {
	for file, schema := range published {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		made, err := json.MarshalIndent(schema(), "", "  ")
		simtest.Must(t, err)
		if a, b := fmt.Sprint(content(t, text)), fmt.Sprint(content(t, made)); a != b {
			t.Errorf("%s is not what the program makes; make generate writes it", file)
		}
		compiled(t, file)
	}
}

// yamlContent is what a plan's text says, as JSON; ok is false where it is no YAML.
func yamlContent(text []byte) (v any, ok bool) {
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

// Ready plans fit the schema that their first line names, and so does what a document
// says of a plan.
func TestReadyPlansFitTheirSchema(t *testing.T) {
	schema := compiled(t, "docs/plan.schema.json")
	for _, name := range plan.Names() {
		file := filepath.Join("sim", "engine", "plan", "plans", name+".yaml")
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		first, _, _ := strings.Cut(string(text), "\n")
		path, found := strings.CutPrefix(first, "# yaml-language-server: $schema=")
		if !found || filepath.ToSlash(filepath.Join(filepath.Dir(file), path)) != "docs/plan.schema.json" {
			t.Errorf("%s does not name the schema: %s", file, first)
		}
		v, ok := yamlContent(text)
		if !ok {
			t.Errorf("%s is no YAML", file)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		p, err := plan.Parse(file, text)
		simtest.Must(t, err)
		complete, err := json.Marshal(p)
		simtest.Must(t, err)
		if err := schema.Validate(content(t, complete)); err != nil {
			t.Errorf("%s, complete: %v", file, err)
		}
	}
}

// The schema lets every spelling through that plans have.
func TestPlanSchemaTakesWhatPlansSay(t *testing.T) {
	schema := compiled(t, "docs/plan.schema.json")
	for _, text := range []string{
		"{name: a, seed: 1e6, tolerance: 5%, alpha: 1/1000, experiments: [{experiment: variance, distribution: [gaussian, student-t(nu=10), bernoulli-gaussian], d_k: [1..8, 2^10, 1e4, 12]}]}",
		"experiments: [{experiment: softmax, distribution: normal, d_k: 4, keys: 8, exponent: [0, 1/3], temperature: [0, 4, infinite], shared_keys: true, samples: 2^12}]",
		"experiments: [{experiment: softmax, distribution: normal, d_k: 4, keys: 8, shared_keys: [no, yes], temperature: inf}]",
		"experiments: [{experiment: depth, tokens: 4, width: 8, layers: 2, residual: [false, yes], norm: no, gate: false, rel_se: 10%}]",
		"experiments: [{experiment: rules, distribution: normal, d_k: [2, 4], keys: 4, rule: [power(1/2), sqrt(d_k/2), cosine]}]",
	} {
		if _, err := plan.Parse("plan.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
		v, ok := yamlContent([]byte(text))
		if !ok {
			t.Fatalf("%s is no YAML", text)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// beyond are what no schema of ours says, by what the parser says of it: what readers of
// YAML do not pass on, texts that stand for numbers, parameters of names, and cells and
// gates that cannot be.
var beyond = regexp.MustCompile(`is not YAML: |stands here a second time|a tab indents|YAML (directive|document|anchor|tag)|is a block of text|"<<"|visible characters|a value has at most|` +
	`is not a (finite )?number|not a range of doublings|: \S+ is not in |is not 0, |` +
	`distribution [a-z-]+: |takes no parameter|: cell |reads (the cells|every cell)`)

// The schema refuses whatever the parser does, but for what a schema cannot say.
func TestPlanSchemaRefusesBadPlans(t *testing.T) {
	schema := compiled(t, "docs/plan.schema.json")
	archive, err := txtar.ParseFile("sim/engine/plan/testdata/plans/bad.txtar")
	simtest.Must(t, err)
	refused := 0
	for _, f := range archive.Files {
		text, said, _ := strings.Cut("\n"+string(f.Data), "\n=> ")
		said, _, _ = strings.Cut(said, " | ") // the line of the plan
		v, ok := yamlContent([]byte(strings.ReplaceAll(text, "⟦", "")))
		switch {
		case ok && schema.Validate(v) != nil:
			refused++
		case !beyond.MatchString(said):
			t.Errorf("%s: the schema lets it through, the parser says %s", f.Name, said)
		}
	}
	t.Logf("%d of %d bad plans are refused by the schema", refused, len(archive.Files))
	if refused < len(archive.Files)/2 {
		t.Errorf("only %d of %d bad plans are refused by the schema", refused, len(archive.Files))
	}
}

// sampled is the report's sample document, which has rows of every experiment, as JSON: a
// few of each of its long lists.
func sampled(t *testing.T) string {
	t.Helper()
	var d map[string]any
	simtest.Must(t, json.Unmarshal(simtest.ReadSampleDocument(t, "."), &d))
	schema := compiled(t, "docs/results.schema.json")
	if err := schema.Validate(d); err != nil {
		t.Errorf("the whole sample: %v", err)
	}
	delete(d, "plan") // which has names of its own
	d["plan"] = nil
	for _, list := range []string{"estimates", "curves", "gates", "cells", "warnings"} {
		rows := d[list].([]any)
		d[list] = rows[:min(20, len(rows))]
	}
	text, err := json.Marshal(d)
	simtest.Must(t, err)
	return string(text)
}

// Results fit their schema, which notices a field or a name of nobody's, one that is not
// there, and numbers that are texts.
func TestResultsFitTheirSchema(t *testing.T) {
	schema := compiled(t, "docs/results.schema.json")
	text := sampled(t)
	simtest.Must(t, schema.Validate(content(t, []byte(text))))
	for _, change := range [][2]string{
		{`"seed":`, `"sead":1,"seed":`}, {`"seed":`, `"sead":`}, {`"seed":`, `"seed":-`}, {`"theory_kind":"exact"`, `"theory_kind":"known"`}, {`"experiment":"variance"`, `"experiment":"varience"`},
		{`"verdict":"pass"`, `"verdict":"passed"`}, {`"distribution":"normal"`, `"low":"normal"`}, {`"distribution":"normal"`, `"distribution":1`}, {`"d_k":`, `"d_k":"1","d_v":`}, {`"schema":"mcsim`, `"schema":"other`},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Fatalf("the sample has no %s", change[0])
		}
		if schema.Validate(content(t, []byte(changed))) == nil {
			t.Errorf("the schema lets %s through", change[1])
		}
	}
}

// The ledgers of the program are such as the schema of ledgers wants them, and one with a key
// that no ledger has is not.
func TestLedgersAgainstTheirSchema(t *testing.T) {
	s := compiled(t, "docs/claims.schema.json")
	files, err := filepath.Glob("sim/claim/ledger/*.yaml")
	if err != nil || len(files) != 15 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		v, ok := yamlContent(text)
		if !ok {
			t.Fatalf("%s is no YAML", file)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		v, _ = yamlContent(append(text, "\nverdicts: none\n"...))
		if s.Validate(v) == nil {
			t.Errorf("%s with a key more is a ledger", file)
		}
	}
}
