package claim

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/markup"
	"mcsim/sim/names"
	"mcsim/sim/names/ledger"
	"mcsim/sim/plain"
	"mcsim/sim/row"
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
	tree, err := r.Tree(text)
	if err != nil {
		return nil, err
	}
	l := &Ledger{}
	var list ast.Node
	seen, err := r.Mapping(tree, "", []markup.Field{
		markup.Key("source", r.text(&l.Source, maxName)),
		markup.Key("title", r.text(&l.Title, maxText)),
		markup.Key("claims", func(n ast.Node, _ string) error { list = n; return nil }),
	})
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"source", "claims"} {
		if seen[key] == nil {
			return nil, r.At(tree, "", fmt.Errorf("the ledger lacks the key %s", key))
		}
	}
	return l, r.claims(list, l)
}

// claims reads the list of claims.
func (r *reader) claims(n ast.Node, l *Ledger) error {
	first := map[string]string{}
	return r.List(n, "claims", MaxClaims, func(item ast.Node, path string) error {
		c, err := r.claim(item, path)
		if err != nil {
			return err
		}
		if at, twice := first[c.ID]; twice {
			return r.At(item, path, fmt.Errorf("the id %s stands here a second time, first in %s", c.ID, at))
		}
		first[c.ID] = path
		l.Claims = append(l.Claims, c)
		return nil
	})
}

// claim reads one claim.
func (r *reader) claim(n ast.Node, path string) (c Claim, err error) {
	var g given
	fields := append(r.givenFields(&g),
		markup.Key("id", r.text(&c.ID, maxName)),
		markup.Key("text", r.text(&c.Text, maxText)),
		markup.Key("kind", r.choice(&c.Kind, ledger.Kinds)),
		markup.Key("hedge", r.choice(&c.Hedge, ledger.Hedges)),
		markup.Key("why", r.text(&c.Why, maxText)),
		markup.Key("published", r.texts(&c.published, isPrinted)),
		markup.Key("as", r.text(&c.as, maxText)),
		markup.Key("literal", r.group(&c.literal)),
		markup.Key("weakened", r.group(&c.weakened)),
		markup.Key("verdict", r.choice(&c.verdict, ledger.Verdicts)),
		markup.Key("evidence", r.text(&c.evidence, maxText)),
		markup.Key("dated", r.date(&c.dated)),
	)
	seen, err := r.Mapping(n, path, fields)
	if err != nil {
		return c, err
	}
	for _, key := range []string{"id", "text", "kind"} {
		if seen[key] == nil {
			return c, r.At(n, path, fmt.Errorf("lacks the key %s", key))
		}
	}
	if c.call, err = r.call(n, path, &g, seen); err != nil {
		return c, err
	}
	if err := c.sound(seen); err != nil {
		return c, r.At(n, path, err)
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
		return errors.New("is settled by one of these: by (a function), literal (conditions) or verdict (with evidence)")
	case evidence != !c.computed():
		return fmt.Errorf("a claim of the kind %s has a verdict with evidence, and no other has", ledger.OfDocument)
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
	}
	if c.call != nil {
		if at, _ := c.call.values(); len(at) != len(c.published) {
			return fmt.Errorf("%d numbers are published, and %s gives %d", len(c.published), c.call.name, len(at))
		}
	}
	return nil
}

// given is a function with its arguments, or a row, before they are read.
type given struct {
	by      string
	of      map[string][]string
	nodes   map[string]ast.Node
	rounded []string
	pick    string
	row     string
}

// givenFields are the keys of a function with its arguments.
func (r *reader) givenFields(g *given) []markup.Field {
	return []markup.Field{
		markup.Key("by", r.text(&g.by, maxName)),
		markup.Key("of", r.arguments(g)),
		markup.Key(keyRounded, r.texts(&g.rounded)),
		markup.Key("pick", r.text(&g.pick, maxName)),
	}
}

// arguments reads those of a function: texts, or lists of them.
func (r *reader) arguments(g *given) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		pairs, err := r.Pairs(n, path)
		if err != nil {
			return err
		}
		g.of, g.nodes = map[string][]string{}, map[string]ast.Node{}
		for _, pair := range pairs {
			name := pair.Key.GetToken().Value
			if _, twice := g.of[name]; twice {
				return r.At(pair.Key, path, fmt.Errorf("%q stands here a second time", plain.Printable(name)))
			}
			var values []string
			if err := r.texts(&values)(pair.Value, markup.Join(path, name)); err != nil {
				return err
			}
			g.of[name], g.nodes[name] = values, pair.Value
		}
		return nil
	}
}

// call is the function that was given; nil where none was.
func (r *reader) call(n ast.Node, path string, g *given, seen map[string]ast.Node) (*call, error) {
	if seen["by"] == nil {
		for _, key := range []string{"of", keyRounded, "pick"} {
			if seen[key] != nil {
				return nil, r.At(seen[key], markup.Join(path, key), errors.New("goes with by, a function"))
			}
		}
		return nil, nil
	}
	f, err := find(g.by)
	if err != nil {
		return nil, r.At(seen["by"], markup.Join(path, "by"), err)
	}
	for _, name := range g.rounded {
		if _, ok := g.of[name]; !ok {
			return nil, r.At(seen[keyRounded], markup.Join(path, keyRounded), fmt.Errorf("%q is no argument that is given", name))
		}
	}
	picked := 0
	if g.pick != "" {
		if picked, err = strconv.Atoi(g.pick); err != nil || picked < 1 || picked > mostNumbers {
			return nil, r.At(seen["pick"], markup.Join(path, "pick"), fmt.Errorf("%q is not the place of a number, from 1 to %d", g.pick, mostNumbers))
		}
	}
	c, argument, err := newCall(f, g.of, g.rounded, picked)
	if err != nil {
		at, where := n, path
		if node := g.nodes[argument]; node != nil {
			at, where = node, markup.Join(path, "of."+argument)
		}
		if argument == keyRounded {
			at, where = seen[keyRounded], markup.Join(path, keyRounded)
		}
		return nil, r.At(at, where, err)
	}
	return c, nil
}

// group reads conditions: a list, or a mapping that says that one of them is enough.
func (r *reader) group(to *group) func(ast.Node, string) error {
	conditions := func(n ast.Node, path string) error {
		return r.List(n, path, maxConditions, func(item ast.Node, path string) error {
			c, err := r.condition(item, path)
			to.of = append(to.of, c)
			return err
		})
	}
	return func(n ast.Node, path string) error {
		if _, ok := n.(*ast.SequenceNode); ok {
			return conditions(n, path)
		}
		to.any = true
		seen, err := r.Mapping(n, path, []markup.Field{markup.Key("any", conditions)})
		if err == nil && seen["any"] == nil {
			err = r.At(n, path, errors.New("lacks its key any"))
		}
		return err
	}
}

// condition reads one.
func (r *reader) condition(n ast.Node, path string) (c condition, err error) {
	over := func(n ast.Node, path string) error {
		of, _, err := r.reading(n, path)
		c.over = &of
		return err
	}
	is := func(n ast.Node, path string) (err error) {
		if c.is, err = r.Scalar(n, path); err != nil {
			return err
		}
		if c.theory = r.finding && c.is == asTheory; c.theory {
			return nil
		}
		if c.least, c.most, err = thresholds(c.is); err != nil {
			return r.At(n, path, err)
		}
		return nil
	}
	var seen map[string]ast.Node
	if c.reading, seen, err = r.reading(n, path, markup.Key("is", is), markup.Key("over", over)); err != nil {
		return c, err
	}
	switch {
	case seen["gates"] != nil:
		if seen["is"] != nil || c.over != nil {
			err = r.At(n, path, errors.New("gates stand alone: they must pass"))
		}
	case seen["is"] == nil:
		err = r.At(n, path, errors.New("lacks the key is, what it wants"))
	case c.theory && (c.row == nil || c.over != nil):
		err = r.At(n, path, errors.New("theory is that of a single row"))
	}
	return c, err
}

// reading reads a row or a function, with further keys beside it.
func (r *reader) reading(n ast.Node, path string, more ...markup.Field) (of reading, seen map[string]ast.Node, err error) {
	var g given
	fields := append(append(r.givenFields(&g), markup.Key("row", r.text(&g.row, maxText))), more...)
	if r.finding {
		fields = append(fields, markup.Key("gates", r.gatesOn(&of)))
	}
	if seen, err = r.Mapping(n, path, fields); err != nil || seen["gates"] != nil {
		return of, seen, err
	}
	if (seen["row"] != nil) == (seen["by"] != nil) {
		return of, seen, r.At(n, path, errors.New("reads one of these: row, or by (a function)"))
	}
	if seen["row"] != nil {
		read := row.OfClaim
		if r.finding {
			read = row.Read
		}
		if of.row, err = read(g.row); err != nil {
			return of, seen, r.At(seen["row"], markup.Join(path, "row"), err)
		}
		of.row.At = func(err error) error { return r.At(seen["row"], markup.Join(path, "row"), err) }
	}
	if of.call, err = r.call(n, path, &g, seen); err != nil || of.call == nil {
		return of, seen, err
	}
	if at, _ := of.call.values(); len(at) != 1 {
		return of, seen, r.At(seen["by"], markup.Join(path, "by"), fmt.Errorf("gives %d numbers; pick one of them with pick", len(at)))
	}
	return of, seen, nil
}

// gatesOn reads the gates on a quantity, as experiment.quantity.
func (r *reader) gatesOn(of *reading) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		text, err := r.Scalar(n, path)
		if err != nil {
			return err
		}
		x, quantity, _, err := row.Parts(text + "[]")
		if err != nil {
			return r.At(n, path, err)
		}
		of.gates = [2]string{x.Name, quantity}
		return nil
	}
}

// text reads a line of text.
func (r *reader) text(to *string, most int) func(ast.Node, string) error {
	return func(n ast.Node, path string) (err error) {
		if *to, err = r.Scalar(n, path); err != nil {
			return err
		}
		if count := utf8.RuneCountInString(*to); count < 1 || count > most {
			return r.At(n, path, fmt.Errorf("has %d characters; it takes 1 to %d", count, most))
		}
		if _, hidden := plain.FirstHidden(*to); hidden {
			return r.At(n, path, errors.New("is no line of visible characters"))
		}
		return nil
	}
}

// texts reads one value or a list of them, which checks may refuse.
func (r *reader) texts(to *[]string, checks ...func(string) error) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		return r.Each(n, path, mostNumbers, func(n ast.Node, path string) error {
			var text string
			if err := r.text(&text, maxName)(n, path); err != nil {
				return err
			}
			for _, check := range checks {
				if err := check(text); err != nil {
					return r.At(n, path, err)
				}
			}
			*to = append(*to, text)
			return nil
		})
	}
}

// choice reads one of some words.
func (r *reader) choice(to *string, of []string) func(ast.Node, string) error {
	return func(n ast.Node, path string) (err error) {
		if *to, err = r.Scalar(n, path); err == nil && !slices.Contains(of, *to) {
			err = r.At(n, path, names.UnknownError{Kind: "value", Name: *to, Names: of})
		}
		return err
	}
}

// date reads a day.
func (r *reader) date(to *string) func(ast.Node, string) error {
	return func(n ast.Node, path string) (err error) {
		if *to, err = r.Scalar(n, path); err != nil {
			return err
		}
		day, bad := time.Parse(time.DateOnly, *to)
		if bad != nil {
			return r.At(n, path, fmt.Errorf("%q is no day such as 2026-11-23", *to))
		}
		// East of Greenwich a day begins up to 14 hours earlier.
		if day.After(time.Now().UTC().Add(14 * time.Hour)) {
			return r.At(n, path, fmt.Errorf("%s has not come yet", *to))
		}
		return nil
	}
}
