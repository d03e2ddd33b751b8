package plan

import (
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
)

// Dialect is the JSON Schema that schemas are written in.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Schema is the JSON schema of a plan. Its experiments and their axes come
// from the table of experiments. It refuses no plan that Parse takes, and lets through
// what a schema cannot say: texts such as 1..2^21 that stand for numbers out of bounds, and
// cells that cannot be.
func Schema() map[string]any {
	variants := make([]any, len(all.Table))
	for i, e := range all.Table {
		variants[i] = entrySchema(e)
	}
	s := object("a plan of mcsim", map[string]any{
		"name":      map[string]any{"type": "string", "minLength": 1, "maxLength": maxName},
		"attempt":   whole("0..20: how many times the plan was undecided; each attempt draws anew, twice as much, at half the rates", 0, MaxAttempt),
		"seed":      defaulted(defaultSeed, whole("seed of the random streams, a whole number in 0..2^53", 0, MaxSeed)),
		"tolerance": defaulted(DefaultTolerance, tolerances.schema("how far a gated quantity may be from theory, between 0 and 1; 5% by percent")),
		"alpha":     defaulted(DefaultRate, rates.schema("chance that any gate does not pass though all is as theory says")),
		"beta":      defaulted(DefaultRate, rates.schema("chance that all gates pass though a quantity lies on or beyond its band")),
		"only": map[string]any{"type": []string{"string", "array"}, "items": map[string]any{"type": "string"},
			"description": "experiments of the plan that are drawn, alone; all count for the error rates and the numbers of samples"},
		"experiments": map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"oneOf": variants}},
	}, "experiments")
	s["$schema"] = Dialect
	s["title"] = "a plan of mcsim"
	return s
}

// entrySchema is the schema of an entry that names the experiment.
func entrySchema(e *experiment.Experiment) map[string]any {
	keys := map[string]any{
		"experiment": map[string]any{"const": e.Name},
		"tolerance":  tolerances.schema("in place of the plan's"),
		"alpha":      rates.schema("in place of a share of the plan's"),
		"beta":       rates.schema("in place of the plan's"),
		"gate":       map[string]any{"type": "boolean", "description": "false: measure, but do not judge"},
	}
	required := []string{"experiment"}
	if e.Of == "" {
		keys["samples"] = whole("units of each cell, in place of what the rates ask for; rounded up to blocks", 1, MaxSamples)
		keys["rel_se"] = relativeErrors.schema("wanted relative standard error of " + e.Headline + ", in place of samples")
	}
	for _, a := range e.Axes {
		if e.Of != "" && !a.Shared {
			continue
		}
		keys[a.Name] = axisSchema(a, e.Crossed)
		if a.Default == nil {
			required = append(required, a.Name)
		}
	}
	s := object(e.Doc(), keys, required...)
	if e.Of == "" {
		s["not"] = map[string]any{"required": []string{"samples", "rel_se"}}
	}
	return s
}

// axisSchema is the schema of an axis: one value, or a list of different ones. Crossed are
// shared axes that have their defaults in any case.
func axisSchema(a experiment.Axis, crossed bool) map[string]any {
	one := valueSchema(a)
	s := map[string]any{"description": a.Doc(),
		"oneOf": []any{one, map[string]any{"type": "array", "minItems": 1, "uniqueItems": true, "items": one}}}
	if a.Default != nil {
		s["default"] = a.Default
	}
	if a.Shared && !crossed {
		s["description"] = a.Doc() + "; without a default in an entry that names another scaling"
	}
	return s
}

// valueSchema is the schema of one value of an axis, or of a range in a text.
func valueSchema(a experiment.Axis) map[string]any {
	switch {
	case a.Names == nil && a.Lo == a.Hi: // numbers, and names beside them
		return map[string]any{"type": []string{"number", "string"}}
	case a.Names == nil && a.Whole:
		return whole("", a.Lo, a.Hi)
	case a.Names == nil:
		s := number("")
		s["minimum"], s["maximum"] = a.Lo, a.Hi
		return s
	case slices.Equal(a.Names(), []string{names.No, names.Yes}):
		return map[string]any{"enum": []any{names.No, names.Yes, false, true}}
	case a.Closed:
		return map[string]any{"enum": a.Names()}
	}
	read := a.Names()
	if a.Aliases != nil {
		read = slices.Concat(read, a.Aliases())
	}
	return map[string]any{"type": "string", "examples": a.Names(), "pattern": withParameter(read)}
}

// withParameter matches the names, each alone or with a parameter in parentheses.
func withParameter(all []string) string {
	quoted := make([]string, len(all))
	for i, name := range all {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return `^(` + strings.Join(quoted, "|") + `)(\(.*\))?$`
}

// object is the schema of a mapping that has these keys and no others.
func object(doc string, keys map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "description": doc, "properties": keys,
		"required": required, "additionalProperties": false}
}

// numberText is what a number that is written as a text has: 1/3, 2^10, 5%, or a range.
const numberText = `^[-+0-9.eE^/% ]+$`

// number is a number as plans write it: a JSON number, or a text such as 1/3.
func number(doc string) map[string]any {
	s := map[string]any{"type": []string{"number", "string"}, "pattern": numberText}
	if doc != "" {
		s["description"] = doc
	}
	return s
}

// whole is a whole number between bounds, or a text that stands for one.
func whole(doc string, least, most float64) map[string]any {
	s := number(doc)
	s["type"], s["minimum"], s["maximum"] = []string{"integer", "string"}, least, most
	return s
}

// schema is a number of the span, or a text that stands for one.
func (s span) schema(doc string) map[string]any {
	n := number(doc)
	n["exclusiveMaximum"] = s.hi
	if s.lo == 0 {
		n["exclusiveMinimum"] = s.lo
	} else {
		n["minimum"] = s.lo
	}
	return n
}

// defaulted is a number that a plan may leave out.
func defaulted(usual float64, n map[string]any) map[string]any {
	n["default"] = usual
	return n
}
