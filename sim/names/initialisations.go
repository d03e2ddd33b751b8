package names

import (
	"fmt"
	"strings"
)

// Initialisation says what one way to draw W_Q and W_K is, and whose.
type Initialisation struct {
	Name      string
	Title     string // what it is, in words
	Framework string // whose it is
	Source    string // repository@commit, file:lines
	Note      string // what else a user should know; may be empty
	Formulas  Formulas
}

// Formulas are the closed forms as text, with D for d_model, d for d_k and H
// for the number of heads.
type Formulas struct {
	Entry string // variance of an entry; of W_Q and of W_K where they differ
	Query string // query_variance
	Key   string // key_variance
	Scale string
	Logit string // logit_variance
}

// InitialisationOf returns the texts of an initialisation; one that has none is its own
// title, as Of says.
func InitialisationOf(name string) Initialisation {
	if i, ok := initialisations[name]; ok {
		return i
	}
	return Initialisation{Name: name, Title: name}
}

// initialisationOf is the initialisation of a block of the table.
func initialisationOf(name string, f fields) Initialisation {
	return Initialisation{name, f.of("title"), f.of("framework"), f.of("source"), f.of(meaning),
		Formulas{f.of("entry"), f.of("query"), f.of("key"), f.of("scale"), f.of("logit")}}
}

// explained completes the entry of an initialisation.
func (i Initialisation) explained(e Entry) Entry {
	f := i.Formulas
	e.Definition = strings.TrimSpace(sentence(i.Title+"; "+i.Framework) + " " + i.Note)
	e.Formula = fmt.Sprintf("variance of an entry %s, of a query %s, of a key %s, of a logit %s under the scale %s",
		f.Entry, f.Query, f.Key, f.Logit, f.Scale)
	return e
}
