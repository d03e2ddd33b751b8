package plan

import (
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
)

// Schema is the JSON schema of a plan. Its experiments and their axes come
// from the table of experiments.
func Schema() map[string]any {
	variants := make([]any, len(all.Table))
	for i, e := range all.Table {
		variants[i] = entrySchema(e)
	}
	return object("a plan of mcsim", map[string]any{
		"name":      map[string]any{"type": "string", "maxLength": 80},
		"attempt":   number("0..20: how many times the plan was undecided; each attempt draws anew, twice as much, at half the rates"),
		"seed":      defaulted(defaultSeed, "seed of the random streams, a whole number in 0..2^53"),
		"tolerance": defaulted(DefaultTolerance, "how far a gated quantity may be from theory, between 0 and 1; 5% by percent"),
		"alpha":     defaulted(DefaultRate, "chance that any gate does not pass though all is as theory says"),
		"beta":      defaulted(DefaultRate, "chance that all gates pass though a quantity lies on or beyond its band"),
		"only": map[string]any{"type": []string{"string", "array"}, "items": map[string]any{"type": "string"},
			"description": "experiments of the plan that are drawn, alone; all count for the error rates and the numbers of samples"},
		"experiments": map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"oneOf": variants}},
	}, "experiments")
}

// entrySchema is the schema of an entry that names the experiment.
func entrySchema(e *experiment.Experiment) map[string]any {
	keys := map[string]any{
		"experiment": map[string]any{"const": e.Name},
		"tolerance":  number("in place of the plan's"),
		"alpha":      number("in place of a share of the plan's"),
		"beta":       number("in place of the plan's"),
		"gate":       map[string]any{"type": "boolean", "description": "false: measure, but do not judge"},
	}
	required := []string{"experiment"}
	if e.Of == "" {
		keys["samples"] = number("units of each cell, in place of what the rates ask for; rounded up to blocks")
		keys["rel_se"] = number("wanted relative standard error of " + e.Headline + ", in place of samples")
	}
	for _, a := range e.Axes {
		if e.Of != "" && !a.Shared {
			continue
		}
		keys[a.Name] = axisSchema(a)
		if a.Default == nil {
			required = append(required, a.Name)
		}
	}
	return object(e.Doc(), keys, required...)
}

// axisSchema is the schema of an axis: one value, or a list of different ones.
func axisSchema(a experiment.Axis) map[string]any {
	one := map[string]any{"type": []string{"number", "string"}}
	if a.Names != nil {
		one = map[string]any{"type": "string", "examples": a.Names()}
	}
	s := map[string]any{"description": a.Doc(),
		"oneOf": []any{one, map[string]any{"type": "array", "minItems": 1, "uniqueItems": true, "items": one}}}
	if a.Default != nil {
		s["default"] = a.Default
	}
	if a.Shared {
		s["description"] = a.Doc() + "; without a default in an entry that names another scaling"
	}
	return s
}

// object is the schema of a mapping that has these keys and no others.
func object(doc string, keys map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "description": doc, "properties": keys,
		"required": required, "additionalProperties": false}
}

// number is a number as plans write it: a JSON number, or a text such as 1/3.
func number(doc string) map[string]any {
	return map[string]any{"type": []string{"number", "string"}, "description": doc}
}

// defaulted is a number that a plan may leave out.
func defaulted(usual float64, doc string) map[string]any {
	n := number(doc)
	n["default"] = usual
	return n
}
