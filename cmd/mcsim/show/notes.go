package show

import (
	"fmt"
	"strings"

	"mcsim/sim/model/advice"
	"mcsim/sim/names"
)

// notes are what else a user should know, beside a verdict.
func (a *Advice) notes() []string {
	all := []string{}
	for _, note := range []string{a.ofLibrary(), a.otherShape(), a.otherNorm(), a.fewerKeys(), a.ofScheme()} {
		if note != "" {
			all = append(all, note)
		}
	}
	return all
}

// ofLibrary warns of an initialisation that is no more than a library's.
func (a *Advice) ofLibrary() string {
	if a.Evidence == "" {
		return ""
	}
	return libraryDefault(a.released)
}

// fewerKeys says that rows are shorter than the model's context.
func (a *Advice) fewerKeys() string {
	if a.Keys != advice.MaxKeys || a.released.Context <= a.Keys {
		return ""
	}
	return fmt.Sprintf("rows are of %d keys, the most that are drawn, in place of the model's %d", a.Keys, a.released.Context)
}

// otherShape says what was taken in place of the outputs that the source of the
// initialisation counts, which are those of d_model/d_k heads of queries and of keys.
func (a *Advice) otherShape() string {
	h := a.head
	usual := h.Shape.Layer()
	if h.Layer == usual || h.Normalised { // a norm undoes every variance
		return ""
	}
	if h.Scheme.Name == names.InitTorchMHA {
		return fmt.Sprintf("nn.MultiheadAttention cannot have this shape: its heads times d_k are d_model, and it shares no keys; here its one matrix has the %d outputs of these heads (fan_out), not the 3D of the source",
			(h.Heads+2*h.KeyHeads)*h.Shape.Key)
	}
	of := h.Scheme.At(h.Shape)
	if h.Query.Variance == of.Query.Variance && h.Key.Variance == of.Key.Variance {
		return "" // no output is counted
	}
	return fmt.Sprintf("the source counts the outputs of as many heads as make up d_model; here W_Q has %s and W_K %s", Counted(h.Heads, "head"), Counted(h.KeyHeads, "head"))
}

// otherNorm says what is assumed of a model whose norm is not LayerNorm.
func (a *Advice) otherNorm() string {
	if !a.rms || a.head.Raw {
		return ""
	}
	return fmt.Sprintf("LayerNorm is assumed in place of RMSNorm, and besides takes away the mean of a token, one of its %d dimensions", a.Model)
}

// ofScheme is what is to know of the initialisation. Of normal-0.02 that is about Llama alone. Notes are
// about variances, which a norm of q and k undoes.
func (a *Advice) ofScheme() string {
	if a.head.Normalised && !a.head.Scheme.Normalised {
		return ""
	}
	if a.Init == names.InitNormal002 && !strings.HasPrefix(a.Published, "Llama") {
		return ""
	}
	return strings.TrimSuffix(a.head.Scheme.Note, ".")
}
