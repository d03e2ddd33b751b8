package show

import (
	"fmt"

	"mcsim/sim/names"
	"mcsim/sim/weights"
)

// model is what a published model is, which the table of names does not have: it would have to
// know the shapes of models.
const model = "model"

// ModelExplained says what the published model of a name is; ok is false where none is called so.
func ModelExplained(name string) (x Explained, ok bool) {
	m, err := weights.LookupModel(name)
	if err != nil {
		return Explained{}, false
	}
	keys := ""
	if m.KeyHeads != m.Heads {
		keys = fmt.Sprintf(", which share %d of keys", m.KeyHeads)
	}
	return Explained{Entry: names.Entry{Group: model, Name: m.Typed(), Title: m.Name + ", a published model",
		Definition: fmt.Sprintf("The published model %s: tokens of %d components, %d heads of d_k %d in a layer%s. Its W_Q and W_K were drawn as %s: %s.",
			m.Name, m.Shape.Model, m.Heads, m.Shape.Key, keys, m.Init, names.InitialisationOf(m.Init).Title)}}, true
}
