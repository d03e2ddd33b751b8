// Package claim judges what texts print about attention scores. A ledger is a file of YAML
// with the claims of one text. Each claim has our paraphrase of the text, the numbers that the
// text publishes, and the means to settle it: a function of this package with its arguments,
// rows of results, or, if nothing can be computed, evidence and a date.
//
// A verdict that can be computed is never stored. A published number is compared with the one
// that a function computes: [Interval] arithmetic over the values that the printed inputs may
// have been rounded from gives the numbers that the text could have printed. A claim in words
// has a literal sense and possibly a weakened one; each is a list of conditions on rows or on
// functions. The claim holds if the literal sense is met, is imprecise if only the weakened
// sense is met, and is wrong otherwise. It is not settled if the interval of a row contains a
// threshold or a row is not sampled. Package names defines the ranges of words such as
// "near one-hot".
//
// [Embedded] returns the ledgers of this program, one file per source in the folder ledger.
// [Parse] reads a user's ledger, [Judge] judges claims, and [Missing] returns the cells that
// claims read and a document does not have.
package claim

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/names"
)

// Ledger holds the claims of one text.
type Ledger struct {
	Source, Title string
	Address       string // URL of the text, empty if it is not public
	Claims        []Claim
}

// Claim is one statement of a text.
type Claim struct {
	ID, Text, Kind, Hedge, Why string
	Repeats                    string // ID of an earlier claim that has the same mistake
	Mistake                    string // name of an entry of names.ClaimMistakes
	Line                       string // line or lines of the text: 12 or 12-15
	Address                    string // URL of the claim if it differs from that of the ledger
	Bug                        Bug    // not set if the claim is not about a bug in code

	published []string // numbers with their printed digits
	formula   string   // published formula, shown in place of the numbers
	call      *call    // computes the published numbers; nil for other claims
	literal   conditionGroup
	weakened  conditionGroup
	because   conditionGroup // conditions under which Why is true

	verdict, evidence, dated string // only if Kind is names.KindDocument
}

// conditionGroup is met if all of its conditions are met. If needsOnlyOne is set, it is met if at
// least one condition is met.
type conditionGroup struct {
	needsOnlyOne bool
	conditions   []condition
}

//go:embed ledger/*.yaml museum/*.yaml
var files embed.FS

// Embedded returns the ledgers of this program, sorted by the ID of the first claim. Callers must
// not modify them.
var Embedded = sync.OnceValue(func() (ledgers []*Ledger) {
	entries, err := files.ReadDir("ledger")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		ledgers = append(ledgers, parseEmbedded(path.Join("ledger", entry.Name())))
	}
	slices.SortFunc(ledgers, func(a, b *Ledger) int { return strings.Compare(a.Claims[0].ID, b.Claims[0].ID) })
	return ledgers
})

// parseEmbedded parses an embedded ledger.
func parseEmbedded(file string) *Ledger {
	text, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	l, err := Parse(path.Base(file), text)
	if err != nil {
		panic(err)
	}
	return l
}

// Sources returns the names of the sources of the embedded ledgers and of the museum.
func Sources() []string {
	return names.Map(append(slices.Clone(Embedded()), Museum()), func(l *Ledger) string { return l.Source })
}

// isComputed reports whether the verdict is computed and not read from the ledger.
func (c *Claim) isComputed() bool { return c.Kind != names.KindDocument }
