package names

import (
	"fmt"
	"strings"
)

// Initialisation describes a way to sample the weights of the query and key projections, W_Q and
// W_K.
type Initialisation struct {
	Name      string
	Title     string
	Framework string // library that implements it
	Source    string // repository@commit, file:lines
	Note      string // further facts for users; may be empty
	Formulas  Formulas
}

// Formulas holds closed forms as text, with D for d_model, d for d_k and H for the number of heads.
type Formulas struct {
	Entry string // variance of an element of W_Q and W_K, or both variances if they differ
	Query string // variance of a component of a query
	Key   string // variance of a component of a key
	Scale string // factor of the scores
	Logit string // variance of a logit, a score times the factor
}

// InitialisationOf returns the texts of an initialisation. Like EntryOf, it returns for an unknown
// name only this name, which is also the title.
func InitialisationOf(name string) Initialisation {
	if i, ok := initialisations[name]; ok {
		return i
	}
	return Initialisation{Name: name, Title: name}
}

func newInitialisation(name string, f blockFields) Initialisation {
	return Initialisation{
		Name: name, Title: f.get("title"), Framework: f.get("framework"), Source: f.get("source"),
		Note: f.get(definitionKey),
		Formulas: Formulas{
			Entry: f.get("entry"), Query: f.get("query"), Key: f.get("key"), Scale: f.get("scale"),
			Logit: f.get("logit"),
		},
	}
}

// describeEntry returns e with the definition and the formula of the initialisation.
func (i Initialisation) describeEntry(e Entry) Entry {
	f := i.Formulas
	firstSentence := toSentence(i.Title + "; " + i.Framework)
	e.Definition = strings.TrimSpace(firstSentence + " " + i.Note)
	e.Formula = fmt.Sprintf("variance of an entry %s, of a query %s, of a key %s, of a logit %s under the scale %s",
		f.Entry, f.Query, f.Key, f.Logit, f.Scale)
	return e
}
