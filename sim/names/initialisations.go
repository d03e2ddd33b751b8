package names

import (
	"fmt"
	"strings"
)

// Initialisation describes a way to sample W_Q and W_K.
type Initialisation struct {
	Name      string
	Title     string
	Framework string // the library that has it
	Source    string // repository@commit, file:lines
	Note      string // what else a user should know; may be empty
	Formulas  Formulas
}

// Formulas are closed forms as text, with D for d_model, d for d_k and H for the number of heads.
type Formulas struct {
	Entry string // variance of an entry; of W_Q and of W_K if they differ
	Query string // query_variance
	Key   string // key_variance
	Scale string
	Logit string // logit_variance
}

// InitialisationOf returns the texts of an initialisation. For an unknown name it returns only the
// name, which is also the title, as EntryOf does.
func InitialisationOf(name string) Initialisation {
	if i, ok := initialisations[name]; ok {
		return i
	}
	return Initialisation{Name: name, Title: name}
}

func newInitialisation(name string, f blockFields) Initialisation {
	return Initialisation{name, f.get("title"), f.get("framework"), f.get("source"), f.get(definitionKey),
		Formulas{f.get("entry"), f.get("query"), f.get("key"), f.get("scale"), f.get("logit")}}
}

// describeEntry returns e with the definition and the formula of the initialisation.
func (i Initialisation) describeEntry(e Entry) Entry {
	f := i.Formulas
	e.Definition = strings.TrimSpace(toSentence(i.Title+"; "+i.Framework) + " " + i.Note)
	e.Formula = fmt.Sprintf("variance of an entry %s, of a query %s, of a key %s, of a logit %s under the scale %s",
		f.Entry, f.Query, f.Key, f.Logit, f.Scale)
	return e
}
