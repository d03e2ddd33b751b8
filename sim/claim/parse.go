package claim

import (
	"cmp"
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

// reader walks the tree of a ledger, or of the conditions of a finding, which may read gates
// and rows that nothing is drawn for, and what theory says.
type reader struct {
	markup.Reader
	finding bool
}

// Parse reads a ledger. Every error is a *[markup.Error], which says where it stands.
func Parse(file string, text []byte) (*Ledger, error) {
	r := &reader{Reader: markup.Reader{File: file, Noun: "ledger", MaxText: maxText}}
	tree, err := r.Parse(text)
	if err != nil {
		return nil, err
	}
	l := &Ledger{}
	if _, err := r.ReadMapping(tree, "", r.ledger(l)); err != nil {
		return nil, err
	}
	return l, nil
}

// ledger are the keys of a ledger.
func (r *reader) ledger(l *Ledger) []markup.Field {
	claim := func() map[string]any { return markup.ObjectSchema(r.claim(new(Claim), new(given))) }
	return []markup.Field{
		r.text("source", &l.Source, maxName).MakeRequired(),
		r.text("title", &l.Title, maxText),
		key("address", valueSchema, r.ScalarReader(func(text string) error {
			if l.Address = text; !strings.HasPrefix(text, "https://") {
				return fmt.Errorf("%q does not begin with https://", text)
			}
			return markup.CheckLine(text, maxText)
		})),
		key("claims", listOf(MaxClaims, claim), r.claims(l)).MakeRequired(),
	}
}

// claims reads the list of claims.
func (r *reader) claims(l *Ledger) func(ast.Node, string) error {
	first := map[string]string{}
	var repeats []func() error
	return func(n ast.Node, path string) error {
		err := r.ReadList(n, path, MaxClaims, func(item ast.Node, path string) error {
			c, err := r.readClaim(item, path)
			if err != nil {
				return err
			}
			if at, twice := first[c.ID]; twice {
				return r.NewError(item, path, fmt.Errorf("the id %s stands here a second time, first in %s", c.ID, at))
			}
			first[c.ID] = path
			l.Claims = append(l.Claims, c)
			repeats = append(repeats, func() error {
				if c.Repeats == "" ||
					slices.ContainsFunc(l.Claims, func(o Claim) bool { return o.ID == c.Repeats && o.Repeats == "" }) {
					return nil
				}
				return r.NewError(item, path+".repeats",
					fmt.Errorf("%q is no other claim of this ledger that repeats none", c.Repeats))
			})
			return nil
		})
		if err != nil {
			return err
		}
		for _, check := range repeats {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

// claim are the keys of a claim.
func (r *reader) claim(c *Claim, g *given) []markup.Field {
	return append(r.function(g),
		r.text("id", &c.ID, maxName).MakeRequired(),
		r.text("text", &c.Text, maxText).MakeRequired(),
		r.choice("kind", "value", &c.Kind, names.ClaimKinds).MakeRequired(),
		r.choice("hedge", "value", &c.Hedge, names.ClaimHedges),
		r.text("why", &c.Why, maxText),
		r.group("because", &c.because),
		r.text("repeats", &c.Repeats, maxName),
		r.choice("mistake", "value", &c.Mistake,
			names.Map(names.ClaimMistakes, func(m names.ClaimMistake) string { return m.Name })),
		key("line", valueSchema, r.ScalarReader(func(text string) error {
			if c.Line = text; !linesIn.MatchString(text) {
				return fmt.Errorf("%q is no line such as 12, nor lines such as 12-15", text)
			}
			return nil
		})),
		r.texts("published", &c.published, checkPrinted),
		r.text("as", &c.as, maxText),
		r.group("literal", &c.literal),
		r.group("weakened", &c.weakened),
		r.choice("verdict", "value", &c.verdict, names.ClaimVerdicts),
		r.text("evidence", &c.evidence, maxText),
		r.date("dated", &c.dated),
	)
}

// linesIn are the lines of a text: 12, or 12-15.
var linesIn = regexp.MustCompile(`^[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?$`)

// readClaim reads one claim.
func (r *reader) readClaim(n ast.Node, path string) (c Claim, err error) {
	var g given
	seen, err := r.ReadMapping(n, path, r.claim(&c, &g))
	if err != nil {
		return c, err
	}
	if c.call, err = r.call(n, path, &g, seen); err != nil {
		return c, err
	}
	if err := c.sound(seen); err != nil {
		return c, r.NewError(n, path, err)
	}
	return c, nil
}

// sound wants a claim to have one thing that settles it, and all that goes with that.
func (c *Claim) sound(seen map[string]ast.Node) error {
	numbers, words, evidence := seen["by"] != nil, seen["literal"] != nil, seen["verdict"] != nil
	ways := 0
	for _, way := range []bool{numbers, words, evidence} {
		if way {
			ways++
		}
	}
	switch {
	case ways != 1:
		return errors.New("needs one of these: by (a function), literal (conditions) or verdict (with evidence)")
	case evidence != !c.computed():
		return fmt.Errorf("a claim of the kind %s has a verdict with evidence, and no other has", names.KindDocument)
	case evidence && (seen["evidence"] == nil || seen["dated"] == nil):
		return errors.New("a verdict wants evidence, and dated, the day it was found")
	case !evidence && (seen["evidence"] != nil || seen["dated"] != nil):
		return errors.New("evidence and dated go with a verdict alone")
	case numbers && seen["published"] == nil:
		return errors.New("by wants published, the numbers that the function is held against")
	case !numbers && (seen["published"] != nil || seen["hedge"] != nil):
		return errors.New("published and hedge want by, the function that they are held against")
	case seen["weakened"] != nil && !words:
		return errors.New("weakened wants literal")
	case seen["why"] != nil && seen["because"] == nil:
		return errors.New("why wants because, the conditions that these words rest on")
	case seen["because"] != nil && seen["why"] == nil:
		return errors.New("because wants why, the words that rest on it")
	}
	if c.call != nil {
		if at, _ := c.call.values(); len(at) != len(c.published) {
			return fmt.Errorf("%d numbers are published, and %s gives %d", len(c.published), c.call.name, len(at))
		}
	}
	return nil
}

// given is a function with its arguments, or a row, before they are understood.
type given struct {
	by, row string
	of      ast.Node
	rounded []string
	pick    int64
}

// function are the keys of a function with its arguments.
func (r *reader) function(g *given) []markup.Field {
	return []markup.Field{
		r.choice("by", "function", &g.by, Functions()),
		key("of", argumentsSchema, markup.KeepNode(&g.of)),
		r.texts(keyRounded, &g.rounded, anything),
		key("pick", valueSchema, r.ScalarReader(func(text string) (err error) {
			g.pick, err = experiment.Integer(text, 1, maxNumbers)
			return err
		})),
	}
}

// call is the function that was given; nil where none was.
func (r *reader) call(n ast.Node, path string, g *given, seen map[string]ast.Node) (*call, error) {
	at := func(key string, err error) error { return r.NewError(seen[key], markup.JoinPath(path, key), err) }
	if g.by == "" {
		for _, key := range []string{"of", keyRounded, "pick"} {
			if seen[key] != nil {
				return nil, at(key, errors.New("goes with by, a function"))
			}
		}
		return nil, nil
	}
	c := newCall(g.by, int(g.pick))
	if g.of != nil {
		if _, err := r.ReadMapping(g.of, markup.JoinPath(path, "of"), r.arguments(c, g.rounded)); err != nil {
			return nil, err
		}
	}
	for _, name := range g.rounded {
		if c.texts[name] == nil {
			return nil, at(keyRounded, fmt.Errorf("%q is no argument that is given", name))
		}
	}
	for _, p := range c.args {
		if c.texts[p.name] == nil && !p.optional {
			return nil, r.NewError(n, path, fmt.Errorf("%s lacks its argument %s", c.name, p.name))
		}
		if err := p.checkRoundable(); slices.Contains(g.rounded, p.name) && err != nil {
			return nil, at(keyRounded, err)
		}
	}
	if err := c.check(); err != nil {
		return nil, r.NewError(n, path, err)
	}
	return c, nil
}

// arguments are the keys of what a function takes, each a text or a list of them.
func (r *reader) arguments(c *call, wereRounded []string) (fields []markup.Field) {
	for _, p := range c.args {
		fields = append(fields, markup.Field{Key: p.name, Read: func(n ast.Node, path string) error {
			var texts []string
			if err := r.each(&texts, anything)(n, path); err != nil {
				return err
			}
			printed, err := p.parse(texts, false)
			if err != nil {
				return r.NewError(n, path, err)
			}
			rounded, err := p.parse(texts, slices.Contains(wereRounded, p.name))
			if err != nil {
				return r.NewError(n, path, err)
			}
			c.texts[p.name], c.printed.numbers[p.name], c.rounded.numbers[p.name] = texts, printed, rounded
			return nil
		}})
	}
	return fields
}

// group is a key with conditions: a list, or a mapping that says that one of them is enough.
func (r *reader) group(name string, to *group) markup.Field {
	one := func() map[string]any { return markup.ObjectSchema(r.condition(new(condition), new(given))) }
	schema := listOf(maxConditions, one)
	conditions := key("any", schema, func(n ast.Node, path string) error {
		return r.ReadList(n, path, maxConditions, func(item ast.Node, path string) error {
			c, err := r.readCondition(item, path)
			to.conditions = append(to.conditions, c)
			return err
		})
	}).MakeRequired()
	either := func() map[string]any {
		return map[string]any{"anyOf": []any{schema(), markup.ObjectSchema([]markup.Field{conditions})}}
	}
	return key(name, either, func(n ast.Node, path string) error {
		if _, ok := n.(*ast.SequenceNode); ok {
			return conditions.Read(n, path)
		}
		to.any = true
		_, err := r.ReadMapping(n, path, []markup.Field{conditions})
		return err
	})
}

// condition are the keys of a condition.
func (r *reader) condition(c *condition, g *given) []markup.Field {
	over := func(n ast.Node, path string) (err error) {
		var by given
		c.over = &reading{}
		seen, err := r.ReadMapping(n, path, r.reading(&by))
		if err == nil {
			*c.over, err = r.read(n, path, &by, seen)
		}
		return err
	}
	is := r.ScalarReader(func(text string) (err error) {
		c.is = text
		if c.theory = r.finding && text == asTheory; !c.theory {
			c.least, c.most, err = thresholds(text)
		}
		return err
	})
	overSchema := func() map[string]any { return markup.ObjectSchema(r.reading(new(given))) }
	fields, wants := append(r.reading(g), key("over", overSchema, over)), key("is", valueSchema, is)
	if r.finding {
		return append(fields, wants, markup.Field{Key: "gates", Read: r.gatesOn(&c.reading)})
	}
	return append(fields, wants.MakeRequired())
}

// readCondition reads one.
func (r *reader) readCondition(n ast.Node, path string) (c condition, err error) {
	var g given
	seen, err := r.ReadMapping(n, path, r.condition(&c, &g))
	switch {
	case err != nil:
		return c, err
	case seen["gates"] != nil && len(seen) > 1:
		return c, r.NewError(n, path, errors.New("gates stand alone: they must pass"))
	case seen["gates"] != nil:
		return c, nil
	}
	if c.reading, err = r.read(n, path, &g, seen); err != nil {
		return c, err
	}
	switch {
	case seen["is"] == nil:
		err = r.NewError(n, path, errors.New("lacks the key is, what it wants"))
	case c.theory && (c.row == nil || c.over != nil):
		err = r.NewError(n, path, errors.New("theory is that of a single row"))
	}
	return c, err
}

// reading are the keys of a row or a function.
func (r *reader) reading(g *given) []markup.Field {
	return append(r.function(g), r.text("row", &g.row, maxText))
}

// read is the row or the function that was given.
func (r *reader) read(n ast.Node, path string, g *given, seen map[string]ast.Node) (of reading, err error) {
	at := func(key string) func(error) error {
		return func(err error) error { return r.NewError(seen[key], markup.JoinPath(path, key), err) }
	}
	if (seen["row"] != nil) == (seen["by"] != nil) {
		return of, r.NewError(n, path, errors.New("reads one of these: row, or by (a function)"))
	}
	if seen["row"] != nil {
		read := ParseClaimRow
		if r.finding {
			read = ParseRow
		}
		if of.row, err = read(g.row); err != nil {
			return of, at("row")(err)
		}
		of.row.At = at("row")
	}
	if of.call, err = r.call(n, path, g, seen); err != nil || of.call == nil {
		return of, err
	}
	if numbers, _ := of.call.values(); len(numbers) != 1 {
		return of, at("by")(fmt.Errorf("gives %d numbers; pick one of them with pick", len(numbers)))
	}
	return of, nil
}

// gatesOn reads the gates on a quantity, as experiment.quantity.
func (r *reader) gatesOn(of *reading) func(ast.Node, string) error {
	return r.ScalarReader(func(text string) error {
		x, quantity, _, err := SplitRow(text + "[]")
		if err == nil {
			of.gates = [2]string{x.Name, quantity}
		}
		return err
	})
}

// key is the key of a ledger, which keys.txt defines.
func key(name string, schema func() map[string]any, read func(ast.Node, string) error) markup.Field {
	return markup.Field{Key: name, Doc: meanings()[name], Schema: schema, Read: read}
}

// text is a key with a line of text.
func (r *reader) text(name string, to *string, most int) markup.Field {
	return key(name, valueSchema, r.ScalarReader(func(text string) error {
		*to = text
		return markup.CheckLine(text, most)
	}))
}

// texts is a key with one value or a list of them, which check refuses.
func (r *reader) texts(name string, to *[]string, check func(string) error) markup.Field {
	return key(name, valuesSchema, r.each(to, check))
}

// each reads one value or a list of them.
func (r *reader) each(to *[]string, check func(string) error) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		return r.ReadOneOrList(n, path, maxNumbers, r.ScalarReader(func(text string) error {
			*to = append(*to, text)
			return cmp.Or(markup.CheckLine(text, maxName), check(text))
		}))
	}
}

// anything is a check that refuses nothing.
func anything(string) error { return nil }

// choice is a key with one of some names of a kind.
func (r *reader) choice(name, kind string, to *string, of []string) markup.Field {
	schema := func() map[string]any { return map[string]any{"enum": of} }
	return key(name, schema, r.ScalarReader(func(text string) error {
		if *to = text; !slices.Contains(of, text) {
			return names.UnknownError{Kind: kind, Name: text, Names: of}
		}
		return nil
	}))
}

// date is a key with a day.
func (r *reader) date(name string, to *string) markup.Field {
	return key(name, dateSchema, r.ScalarReader(func(text string) error {
		*to = text
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return fmt.Errorf("%q is no day such as 2026-11-23", text)
		}
		return nil
	}))
}
