// Package plan reads the YAML file that names the experiments, their grids, the seed, the
// tolerance and the error rates, and lists the cells to sample.
//
// [Parse] walks the YAML tree key by key (parse.go, entry.go, values.go), so that every error is
// an [Error] with its file, line, column and key. The axes of an experiment
// ([mcsim/sim/experiment]) determine which keys an entry may have and what their values mean. The
// same axes determine the JSON schema (schema.go). [Entry.Cells] returns the points of an entry's
// grid (cells.go).
//
// A [Change] overrides the text: the tolerance, the error rates, the values of an axis (change.go),
// or the selection of experiments (selection.go). If settings make two entries overlap, overlap.go
// removes the common cells from the later one.
//
// The ready plans (plans/*.yaml) are embedded. [Plan.Smaller] returns the plan that asks the same
// questions of fewer cells.
package plan

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// Plan names the experiments, their grids, the seed, the tolerance and the
// error rates.
type Plan struct {
	Name        string
	Seed        uint64
	Attempt     int // 0 for the first run, n for the n-th repetition after "undecided"
	Tolerance   float64
	Alpha, Beta float64
	Entries     []Entry
	Selection   []string // the experiments to sample; nil means all. The others still count for the error rates.
}

// defaultName is the name of a plan that has none.
const defaultName = "plan"

// Title returns the name of the plan for messages.
func (p *Plan) Title() string {
	if p.Name == defaultName {
		return "plan"
	}
	return "plan " + p.Name
}

// Samples reports whether the plan samples, or reads, cells of the named experiment.
func (p *Plan) Samples(experiment string) bool {
	return len(p.Selection) == 0 || slices.Contains(p.Selection, experiment)
}

// Entry is one experiment of a plan with its grid.
type Entry struct {
	Experiment *experiment.Experiment
	Values     map[string][]experiment.AxisValue // by axis
	Tolerance  float64
	Rates      *gate.Rates // its own error rates; nil if it shares the plan's
	Gated      bool
	Samples    int64   // units of each cell; 0: derived from the rates
	RelativeSE float64 // wanted relative standard error; 0: derived from the rates
}

// Plans are the ready plans.
//
//go:embed plans/*.yaml
var Plans embed.FS

// Embedded returns the text of the named ready plan.
func Embedded(name string) ([]byte, error) {
	text, err := Plans.ReadFile("plans/" + name + ".yaml")
	if err == nil {
		return text, nil
	}
	return nil, names.UnknownError{Kind: "plan", Name: name, Names: Names()}
}

// editorLine begins the first line of a ready plan, which tells editors where the schema of plans
// is.
const editorLine = "# yaml-language-server: $schema="

// Copy returns the text of the named ready plan for another folder, which is expected to hold the
// schema.
func Copy(name string) ([]byte, error) {
	text, err := Embedded(name)
	if err != nil {
		return nil, err
	}
	if first, rest, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(first, []byte(editorLine)) {
		text = append([]byte(editorLine+
			"plan.schema.json\n# For editors: mcsim export --schema plan > plan.schema.json\n\n"), rest...)
	}
	return text, nil
}

// Names returns the names of the ready plans.
func Names() []string {
	files, err := Plans.ReadDir("plans")
	if err != nil {
		panic("plan: the embedded plans cannot be listed")
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name()[:len(f.Name())-len(".yaml")]
	}
	return names
}

// smallerPlans maps ready plans to smaller ones with the same questions.
var smallerPlans = map[string]string{"default": "quick", "full": "quick"}

// Smaller returns the ready plan that samples less than this one, or than the same selection of
// it; nil if there is none.
func (p *Plan) Smaller() *Plan {
	name := smallerPlans[p.Name]
	text, err := Embedded(name)
	if err != nil || p.Tolerance != DefaultTolerance {
		return nil
	}
	found, err := Change{Selection: p.Selection}.Parse(name, text)
	if err != nil {
		return nil // it has none of the part
	}
	return found
}

// MarshalJSON writes the plan as results.json has it: complete, so that it can be parsed as a
// plan, and in one form.
func (p *Plan) MarshalJSON() ([]byte, error) {
	entries := make([]map[string]any, len(p.Entries))
	for i, e := range p.Entries {
		entries[i] = e.document()
	}
	m := map[string]any{
		"name": p.Name, "seed": p.Seed, "attempt": p.Attempt, "tolerance": p.Tolerance, "alpha": p.Alpha,
		"beta":        p.Beta,
		"experiments": entries,
	}
	if len(p.Selection) > 0 {
		m["only"] = p.Selection
	}
	return json.Marshal(m)
}

// document returns the entry with every axis, as a plan would give it.
func (e Entry) document() map[string]any {
	m := map[string]any{"experiment": e.Experiment.Name, "tolerance": e.Tolerance}
	for name, values := range e.Values {
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v.Any()
		}
		m[name] = list
	}
	if e.Rates != nil {
		m["alpha"], m["beta"] = e.Rates.Alpha, e.Rates.Beta
	}
	if !e.Gated {
		m["gate"] = false
	}
	if e.Samples > 0 {
		m["samples"] = e.Samples
	}
	if e.RelativeSE > 0 {
		m["rel_se"] = e.RelativeSE
	}
	return m
}

// Decode parses the plan of a document. Every variant has at least one row, so the number of rows
// bounds the number of variants.
func Decode(text json.RawMessage, rows int) (*Plan, error) {
	p, err := Change{MaxCells: int64(max(rows, DefaultMaxCells))}.Parse("results.json: plan", text)
	if err != nil {
		return nil, fmt.Errorf("the plan in the document: %w", err)
	}
	return p, nil
}
