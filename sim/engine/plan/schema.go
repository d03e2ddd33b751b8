package plan

import (
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// Schema returns the JSON schema of a plan, with the experiments and axes of the table of
// experiments. It accepts every plan that Parse accepts. It also accepts some plans that Parse
// refuses, since a schema cannot express the range of a text such as 1..2^21, or impossible cells.
func Schema() map[string]any {
	s := markup.ObjectSchema((&planReader{}).fields(Default(), nil, nil))
	s["$schema"], s["title"], s["description"] = markup.Dialect, "a plan of mcsim", "a plan of mcsim"
	return s
}

// entriesSchema returns the schema of the list of experiments.
func entriesSchema() map[string]any {
	variants := make([]any, len(all.Table))
	for i, x := range all.Table {
		variants[i] = entrySchema(x)
	}
	return map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"oneOf": variants}}
}

// entrySchema returns the schema of an entry of the experiment.
func entrySchema(x *experiment.Experiment) map[string]any {
	s := markup.ObjectSchema((&planReader{}).entryFields(&Entry{Experiment: x}, &gate.Rates{}))
	required := []string{"experiment"}
	for _, a := range x.Axes {
		if a.Defaults() == nil && (x.ReadsFrom == "" || a.Shared) {
			required = append(required, a.Name)
		}
	}
	s["description"], s["required"] = x.Doc(), required
	if x.ReadsFrom == "" {
		s["not"] = map[string]any{"required": []string{"samples", "rel_se"}}
	}
	return s
}

func nameSchema() map[string]any {
	return map[string]any{"type": "string", "minLength": 1, "maxLength": maxName}
}

func onlySchema() map[string]any {
	return map[string]any{"type": []string{"string", "array"}, "items": map[string]any{"type": "string"}}
}

func booleanSchema() map[string]any { return map[string]any{"type": "boolean"} }

// axisSchema returns the schema of an axis: one value, or a list of different values. cartesian is
// the experiment's CartesianScalings, with which a shared axis always keeps its default.
func axisSchema(a *experiment.Axis, cartesian bool) map[string]any {
	value := valueSchema(a)
	s := map[string]any{"description": a.Doc(),
		"oneOf": []any{value, map[string]any{"type": "array", "minItems": 1, "uniqueItems": true, "items": value}}}
	if defaults := a.Defaults(); defaults != nil {
		s["default"] = defaults
	}
	if a.Shared && !cartesian {
		s["description"] = a.Doc() + "; without a default in an entry that names another scaling"
	}
	return s
}

// valueSchema returns the schema of one value of an axis, or of a range as a text.
func valueSchema(a *experiment.Axis) map[string]any {
	switch {
	case a.Names == nil && a.Lo == a.Hi: // numbers, and also names
		return map[string]any{"type": []string{"number", "string"}}
	case a.Names == nil && a.Integer:
		return wholeNumber(a.Lo, a.Hi)
	case a.Names == nil:
		s := numberSchema()
		s["minimum"], s["maximum"] = a.Lo, a.Hi
		return s
	case slices.Equal(a.Names(), []string{names.No, names.Yes}):
		return map[string]any{"enum": []any{names.No, names.Yes, false, true}}
	case a.Closed:
		return map[string]any{"enum": a.Names()}
	}
	valueNames := a.Names()
	if a.Aliases != nil {
		valueNames = slices.Concat(valueNames, a.Aliases())
	}
	return map[string]any{"type": "string", "examples": a.Names(), "pattern": withParameter(valueNames)}
}

// withParameter returns a pattern of the names, each with or without a parameter in parentheses.
func withParameter(valueNames []string) string {
	quoted := make([]string, len(valueNames))
	for i, name := range valueNames {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return `^(` + strings.Join(quoted, "|") + `)(\(.*\))?$`
}

// numberText matches a number as a text: 1/3, 2^10, 5%, or a range.
const numberText = `^[-+0-9.eE^/% ]+$`

// numberSchema returns the schema of a number: a JSON number, or a text such as 1/3.
func numberSchema() map[string]any {
	return map[string]any{"type": []string{"number", "string"}, "pattern": numberText}
}

// wholeNumber returns the schema of a whole number within bounds, or of a text for one.
func wholeNumber(min, max float64) map[string]any {
	s := numberSchema()
	s["type"], s["minimum"], s["maximum"] = []string{"integer", "string"}, min, max
	return s
}

// spanSchema returns the schema of a number of a span, or of a text for one.
func spanSchema(s experiment.Span) map[string]any {
	n := numberSchema()
	n["exclusiveMaximum"] = s.Hi
	if s.Lo == 0 {
		n["exclusiveMinimum"] = s.Lo
	} else {
		n["minimum"] = s.Lo
	}
	return n
}

// withDefault adds a default to the schema of a number; 0 means that it has none.
func withDefault(value float64, schema map[string]any) map[string]any {
	if value != 0 {
		schema["default"] = value
	}
	return schema
}
