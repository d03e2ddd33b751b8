// Package claim judges what texts print about attention scores. A ledger is a file of YAML
// with the claims of one text, each in words of our own, with the numbers that it publishes
// and with what settles it: a function of this package with its arguments, rows of results,
// or, where nothing can be computed, evidence and a date.
//
// No verdict that can be computed is stored. A published number is held against the one that
// a function gives: [Interval] arithmetic over what the printed inputs were rounded from says
// which numbers it could have come out as. A claim in words has a literal sense, and may have
// a weakened one, each of conditions on rows or on functions: if the literal one is met it
// holds, if only the weakened one is it is imprecise, if neither it is wrong. Where the
// interval of a row lies on both sides of a threshold, or a row is not drawn, nothing is
// settled. Words such as "near one-hot" begin where package names says.
//
// [Embedded] are the ledgers of this program, one file a source in the folder ledger.
// [Parse] reads one of a user's own, [Judge] judges, and [Missing] lists the cells that claims read
// and a document lacks.
package claim

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/names"
)

// Ledger is the claims of one text.
type Ledger struct {
	Source, Title string
	Address       string // of the text, where it is public
	Claims        []Claim
}

// Claim is one of them.
type Claim struct {
	ID, Text, Kind, Hedge, Why string
	Repeats                    string // the claim whose error this one has, too
	Mistake                    string // the kind of mistake, of names.ClaimMistakes
	Line                       string // where it stands in the text

	published []string // numbers with their digits
	as        string   // what stands for them where a formula is published
	call      *call    // what gives the published numbers; nil for none
	literal   group
	weakened  group
	because   group // what Why says; without them nobody checks that

	verdict, evidence, dated string // of a claim that is settled by evidence
}

// group is a list of conditions of which all must be met, or any one.
type group struct {
	any        bool
	conditions []condition
}

//go:embed ledger/*.yaml
var files embed.FS

// Embedded returns the ledgers of this program, in the order of their ids. Callers must not change
// them.
var Embedded = sync.OnceValue(func() (all []*Ledger) {
	list, err := files.ReadDir("ledger")
	if err != nil {
		panic(err)
	}
	for _, f := range list {
		text, err := files.ReadFile(path.Join("ledger", f.Name()))
		if err != nil {
			panic(err)
		}
		l, err := Parse(f.Name(), text)
		if err != nil {
			panic(err)
		}
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *Ledger) int { return strings.Compare(a.Claims[0].ID, b.Claims[0].ID) })
	return all
})

// Sources returns the names of the sources of the embedded ledgers.
func Sources() []string { return names.Map(Embedded(), func(l *Ledger) string { return l.Source }) }

// computed reports whether the verdict of the claim is computed.
func (c *Claim) computed() bool { return c.Kind != names.KindDocument }
