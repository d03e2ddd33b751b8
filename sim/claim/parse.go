package claim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Bounds of a ledger.
const (
	MaxClaims     = 1000
	maxName       = 80  // characters of an id or a source
	maxText       = 600 // bytes of a value
	maxConditions = 16
)

// reader parses a ledger or, with isFinding, the conditions of a finding. A finding may also read
// gates, rows that belong to no cell, and the theory of a row.
type reader struct {
	markup.Reader
	isFinding bool
}

// Parse parses a ledger. Every error is a *[markup.Error], which has the position.
func Parse(file string, text []byte) (*Ledger, error) {
	r := &reader{Reader: markup.Reader{File: file, Noun: "ledger", MaxText: maxText}}
	tree, err := r.Parse(text)
	if err != nil {
		return nil, err
	}
	l := &Ledger{}
	if _, err := r.ReadMapping(tree, "", r.ledgerFields(l)); err != nil {
		return nil, err
	}
	return l, nil
}

// ledgerFields returns the keys of a ledger.
func (r *reader) ledgerFields(l *Ledger) []markup.Field {
	newClaimSchema := func() map[string]any { return markup.ObjectSchema(r.claimFields(new(Claim), new(rawReading))) }
	return []markup.Field{
		r.textField("source", &l.Source, maxName).MakeRequired(),
		r.textField("title", &l.Title, maxText),
		r.addressField(&l.Address),
		newField("claims", newListSchema(MaxClaims, newClaimSchema), r.readClaims(l)).MakeRequired(),
	}
}

// readClaims returns a function that reads the list of claims.
func (r *reader) readClaims(l *Ledger) func(ast.Node, string) error {
	firstPaths := map[string]string{}
	var repeatChecks []func() error
	return func(n ast.Node, path string) error {
		err := r.ReadList(n, path, MaxClaims, func(item ast.Node, path string) error {
			c, err := r.readClaim(item, path)
			if err != nil {
				return err
			}
			if firstPath, isRepeated := firstPaths[c.ID]; isRepeated {
				return r.NewError(item, path, fmt.Errorf("duplicate id %s, first in %s", c.ID, firstPath))
			}
			firstPaths[c.ID] = path
			l.Claims = append(l.Claims, c)
			repeatChecks = append(repeatChecks, func() error {
				isOriginal := func(other Claim) bool { return other.ID == c.Repeats && other.Repeats == "" }
				if c.Repeats == "" || slices.ContainsFunc(l.Claims, isOriginal) {
					return nil
				}
				return r.NewError(item, path+".repeats",
					fmt.Errorf("%q must be another claim of this ledger that does not itself repeat one", c.Repeats))
			})
			return nil
		})
		if err != nil {
			return err
		}
		for _, check := range repeatChecks {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

// claimFields returns the keys of a claim.
func (r *reader) claimFields(c *Claim, raw *rawReading) []markup.Field {
	return append(r.callFields(raw),
		r.textField("id", &c.ID, maxName).MakeRequired(),
		r.textField("text", &c.Text, maxText).MakeRequired(),
		r.choiceField("kind", "value", &c.Kind, names.ClaimKinds).MakeRequired(),
		r.choiceField("hedge", "value", &c.Hedge, names.ClaimHedges),
		r.textField("why", &c.Why, maxText),
		r.conditionsField("because", &c.because),
		r.textField("repeats", &c.Repeats, maxName),
		r.choiceField("mistake", "value", &c.Mistake,
			names.Map(names.ClaimMistakes, func(m names.ClaimMistake) string { return m.Name })),
		newField("line", valueSchema, r.ScalarReader(func(text string) error {
			c.Line = text
			if !linePattern.MatchString(text) {
				return fmt.Errorf("%q is neither a line such as 12 nor lines such as 12-15", text)
			}
			return nil
		})),
		r.textsField("published", &c.published, checkPrinted),
		r.textField("as", &c.formula, maxText),
		r.conditionsField("literal", &c.literal),
		r.conditionsField("weakened", &c.weakened),
		r.choiceField("verdict", "value", &c.verdict, names.ClaimVerdicts),
		r.textField("evidence", &c.evidence, maxText),
		r.dateField("dated", &c.dated),
		r.addressField(&c.Address),
		r.choiceField("bug", "value", &c.Bug.Kind,
			names.Map(names.BugKinds, func(m names.ClaimMistake) string { return m.Name })),
		r.textField("right", &c.Bug.Right, maxText),
		r.textField("wrong", &c.Bug.Wrong, maxText),
		r.textField("found", &c.Bug.Found, maxText),
		r.textField("where", &c.Bug.Where, maxText),
		r.textField("fixed", &c.Bug.Fixed, maxText),
		r.textField("effect", &c.Bug.Effect, maxText),
		r.textField("inspect", &c.Bug.Inspect, maxText),
		r.textsField("shape", &c.Bug.Shape, checkPrinted),
	)
}

// addressField returns the field of a URL.
func (r *reader) addressField(target *string) markup.Field {
	return newField("address", valueSchema, r.ScalarReader(func(text string) error {
		*target = text
		if !strings.HasPrefix(text, "https://") {
			return fmt.Errorf("%q does not begin with https://", text)
		}
		return markup.CheckLine(text, maxText)
	}))
}

// linePattern matches lines of a text: 12 or 12-15.
var linePattern = regexp.MustCompile(`^[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?$`)

func (r *reader) readClaim(n ast.Node, path string) (c Claim, err error) {
	var raw rawReading
	seen, err := r.ReadMapping(n, path, r.claimFields(&c, &raw))
	if err != nil {
		return c, err
	}
	if c.call, err = r.readCall(n, path, &raw, seen); err != nil {
		return c, err
	}
	if err := c.checkKeys(seen); err != nil {
		return c, r.NewError(n, path, err)
	}
	return c, nil
}

// checkKeys returns an error unless a claim has exactly one means to settle it, with all keys that
// belong to this means.
func (c *Claim) checkKeys(seen map[string]ast.Node) error {
	hasNumbers, hasWords, hasEvidence := seen["by"] != nil, seen["literal"] != nil, seen["verdict"] != nil
	count := 0
	for _, isGiven := range []bool{hasNumbers, hasWords, hasEvidence} {
		if isGiven {
			count++
		}
	}
	switch {
	case count != 1:
		return errors.New("needs one of these: by (a function), literal (conditions) or verdict (with evidence)")
	case hasEvidence != !c.isComputed():
		return fmt.Errorf("a verdict with evidence: required for a claim of the kind %s and allowed for no other",
			names.KindDocument)
	case hasEvidence && (seen["evidence"] == nil || seen["dated"] == nil):
		return errors.New("a verdict needs evidence, and dated, the day on which it was found")
	case !hasEvidence && (seen["evidence"] != nil || seen["dated"] != nil):
		return errors.New("evidence and dated need a verdict")
	case hasNumbers && seen["published"] == nil:
		return errors.New("by needs published, the numbers to compare with those of the function")
	case !hasNumbers && (seen["published"] != nil || seen["hedge"] != nil):
		return errors.New("published and hedge need by, the function that computes the numbers")
	case seen["weakened"] != nil && !hasWords:
		return errors.New("weakened needs literal")
	case seen["why"] != nil && seen["because"] == nil:
		return errors.New("why needs because, the conditions under which it is true")
	case seen["because"] != nil && seen["why"] == nil:
		return errors.New("because needs why, the reason that it supports")
	}
	for _, key := range []string{"right", "wrong", "where", "found", "fixed", "inspect", "shape"} {
		if (seen[key] != nil) != (seen["bug"] != nil) {
			return fmt.Errorf("bug and %s need each other", key)
		}
	}
	if c.call != nil {
		if computed, _ := c.call.evaluate(); len(computed) != len(c.published) {
			return fmt.Errorf("%d numbers are published, but %s computes %d", len(c.published), c.call.name,
				len(computed))
		}
	}
	return nil
}

// rawReading has the texts of a function with its arguments, or of a row, before they are checked.
type rawReading struct {
	function, row string
	arguments     ast.Node
	roundedNames  []string
	index         int64
}

// callFields returns the fields of a function with its arguments.
func (r *reader) callFields(raw *rawReading) []markup.Field {
	return []markup.Field{
		r.choiceField("by", "function", &raw.function, Functions()),
		newField("of", argumentsSchema, markup.KeepNode(&raw.arguments)),
		r.textsField(keyRounded, &raw.roundedNames, acceptAny),
		newField("pick", valueSchema, r.ScalarReader(func(text string) (err error) {
			raw.index, err = experiment.Integer(text, 1, maxNumbers)
			return err
		})),
	}
}

// readCall checks and returns the call of a function, or nil if the mapping does not have one.
func (r *reader) readCall(n ast.Node, path string, raw *rawReading, seen map[string]ast.Node) (*call, error) {
	wrapError := func(key string, err error) error { return r.NewError(seen[key], markup.JoinPath(path, key), err) }
	if raw.function == "" {
		for _, key := range []string{"of", keyRounded, "pick"} {
			if seen[key] != nil {
				return nil, wrapError(key, errors.New("needs by, a function"))
			}
		}
		return nil, nil
	}
	c := newCall(raw.function, int(raw.index))
	if raw.arguments != nil {
		if _, err := r.ReadMapping(raw.arguments, markup.JoinPath(path, "of"),
			r.argumentFields(c, raw.roundedNames)); err != nil {
			return nil, err
		}
	}
	for _, name := range raw.roundedNames {
		if c.texts[name] == nil {
			return nil, wrapError(keyRounded, fmt.Errorf("%q is not a given argument", name))
		}
	}
	for _, p := range c.parameters {
		if c.texts[p.name] == nil && !p.isOptional {
			return nil, r.NewError(n, path, fmt.Errorf("%s lacks its argument %s", c.name, p.name))
		}
		if err := p.checkRoundable(); slices.Contains(raw.roundedNames, p.name) && err != nil {
			return nil, wrapError(keyRounded, err)
		}
	}
	if err := c.check(); err != nil {
		return nil, r.NewError(n, path, err)
	}
	return c, nil
}

// argumentFields returns the keys of the arguments of a function. Each is a value or a list of
// values.
func (r *reader) argumentFields(c *call, roundedNames []string) (fields []markup.Field) {
	for _, p := range c.parameters {
		fields = append(fields, markup.Field{Key: p.name, Read: func(n ast.Node, path string) error {
			var texts []string
			if err := r.textsReader(&texts, acceptAny)(n, path); err != nil {
				return err
			}
			printed, err := p.parse(texts, false)
			if err != nil {
				return r.NewError(n, path, err)
			}
			rounded, err := p.parse(texts, slices.Contains(roundedNames, p.name))
			if err != nil {
				return r.NewError(n, path, err)
			}
			c.texts[p.name], c.printed.numbers[p.name], c.unrounded.numbers[p.name] = texts, printed, rounded
			return nil
		}})
	}
	return fields
}

// conditionsField returns the field of a condition group. Its value is a list of conditions that
// must all be met, or a mapping with the key "any" and a list of conditions of which one must be
// met.
func (r *reader) conditionsField(name string, group *conditionGroup) markup.Field {
	newItemSchema := func() map[string]any {
		return markup.ObjectSchema(r.conditionFields(new(condition),
			new(rawReading)))
	}
	newSchema := newListSchema(maxConditions, newItemSchema)
	conditions := newField("any", newSchema, func(n ast.Node, path string) error {
		return r.ReadList(n, path, maxConditions, func(item ast.Node, path string) error {
			c, err := r.readCondition(item, path)
			group.conditions = append(group.conditions, c)
			return err
		})
	}).MakeRequired()
	newEitherSchema := func() map[string]any {
		return map[string]any{"anyOf": []any{newSchema(), markup.ObjectSchema([]markup.Field{conditions})}}
	}
	return newField(name, newEitherSchema, func(n ast.Node, path string) error {
		if _, ok := n.(*ast.SequenceNode); ok {
			return conditions.Read(n, path)
		}
		group.needsOnlyOne = true
		_, err := r.ReadMapping(n, path, []markup.Field{conditions})
		return err
	})
}

// conditionFields returns the keys of a condition.
func (r *reader) conditionFields(c *condition, raw *rawReading) []markup.Field {
	readDivisor := func(n ast.Node, path string) (err error) {
		var raw rawReading
		c.divisor = &reading{}
		seen, err := r.ReadMapping(n, path, r.readingFields(&raw))
		if err == nil {
			*c.divisor, err = r.readReading(n, path, &raw, seen)
		}
		return err
	}
	readRequirement := r.ScalarReader(func(text string) (err error) {
		c.requirement = text
		c.needsTheory = r.isFinding && text == theoryRequirement
		if !c.needsTheory {
			c.minValue, c.maxValue, err = parseThresholds(text)
		}
		return err
	})
	newDivisorSchema := func() map[string]any { return markup.ObjectSchema(r.readingFields(new(rawReading))) }
	fields := append(r.readingFields(raw), newField("over", newDivisorSchema, readDivisor))
	requirementField := newField("is", valueSchema, readRequirement)
	if r.isFinding {
		return append(fields, requirementField, markup.Field{Key: "gates", Read: r.gatesReader(&c.reading)})
	}
	return append(fields, requirementField.MakeRequired())
}

func (r *reader) readCondition(n ast.Node, path string) (c condition, err error) {
	var raw rawReading
	seen, err := r.ReadMapping(n, path, r.conditionFields(&c, &raw))
	switch {
	case err != nil:
		return c, err
	case seen["gates"] != nil && len(seen) > 1:
		return c, r.NewError(n, path, errors.New("gates cannot be combined with other keys"))
	case seen["gates"] != nil:
		return c, nil
	}
	if c.reading, err = r.readReading(n, path, &raw, seen); err != nil {
		return c, err
	}
	switch {
	case seen["is"] == nil:
		err = r.NewError(n, path, errors.New("lacks the key is, the requirement"))
	case c.needsTheory && (c.row == nil || c.divisor != nil):
		err = r.NewError(n, path, errors.New("only a single row has a theory"))
	}
	return c, err
}

// readingFields returns the keys of a row or a function.
func (r *reader) readingFields(raw *rawReading) []markup.Field {
	return append(r.callFields(raw), r.textField("row", &raw.row, maxText))
}

// readReading checks and returns the row or the function of a mapping.
func (r *reader) readReading(n ast.Node, path string, raw *rawReading, seen map[string]ast.Node) (result reading,
	err error) {
	wrapErrorAt := func(key string) func(error) error {
		return func(err error) error { return r.NewError(seen[key], markup.JoinPath(path, key), err) }
	}
	if (seen["row"] != nil) == (seen["by"] != nil) {
		return result, r.NewError(n, path, errors.New("needs either row or by (a function)"))
	}
	if seen["row"] != nil {
		parseRef := ParseClaimRow
		if r.isFinding {
			parseRef = ParseRow
		}
		if result.row, err = parseRef(raw.row); err != nil {
			return result, wrapErrorAt("row")(err)
		}
		result.row.WrapError = wrapErrorAt("row")
	}
	if result.call, err = r.readCall(n, path, raw, seen); err != nil || result.call == nil {
		return result, err
	}
	if numbers, _ := result.call.evaluate(); len(numbers) != 1 {
		return result, wrapErrorAt("by")(fmt.Errorf("gives %d numbers; pick one of them with pick", len(numbers)))
	}
	return result, nil
}

// gatesReader returns a function that parses experiment.quantity and sets result.gatesOn.
func (r *reader) gatesReader(result *reading) func(ast.Node, string) error {
	return r.ScalarReader(func(text string) error {
		e, quantity, _, err := ParseRowName(text + "[]")
		if err == nil {
			result.gatesOn = [2]string{e.Name, quantity}
		}
		return err
	})
}

// newField returns a field of a ledger with its definition in keys.txt.
func newField(name string, schema func() map[string]any, read func(ast.Node, string) error) markup.Field {
	return markup.Field{Key: name, Doc: keyMeanings()[name], Schema: schema, Read: read}
}

func (r *reader) textField(name string, target *string, maxLength int) markup.Field {
	return newField(name, valueSchema, r.ScalarReader(func(text string) error {
		*target = text
		return markup.CheckLine(text, maxLength)
	}))
}

// textsField returns a field with one value or a list of values. check returns an error for an
// invalid one.
func (r *reader) textsField(name string, target *[]string, check func(string) error) markup.Field {
	return newField(name, valuesSchema, r.textsReader(target, check))
}

func (r *reader) textsReader(target *[]string, check func(string) error) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		return r.ReadOneOrList(n, path, maxNumbers, r.ScalarReader(func(text string) error {
			*target = append(*target, text)
			if err := markup.CheckLine(text, maxName); err != nil {
				return err
			}
			return check(text)
		}))
	}
}

func acceptAny(string) error { return nil }

func (r *reader) choiceField(name, kind string, target *string, choices []string) markup.Field {
	schema := func() map[string]any { return map[string]any{"enum": choices} }
	return newField(name, schema, r.ScalarReader(func(text string) error {
		*target = text
		if !slices.Contains(choices, text) {
			return names.UnknownError{Kind: kind, Name: text, Names: choices}
		}
		return nil
	}))
}

func (r *reader) dateField(name string, target *string) markup.Field {
	return newField(name, dateSchema, r.ScalarReader(func(text string) error {
		*target = text
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return fmt.Errorf("%q is not a date such as 2026-11-23", text)
		}
		return nil
	}))
}
