package show

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/names"
)

// notes are what else a user should know, beside a verdict on the rows that were asked for.
func (a *Advice) notes(verdict []string) []string {
	all := []string{}
	for _, note := range []string{a.inTables(verdict), a.otherShape(), a.otherNorm(), a.ofScheme()} {
		if note != "" {
			all = append(all, note)
		}
	}
	return all
}

// inTables says what tables call an initialisation of such logits, where that is not the
// verdict.
func (a *Advice) inTables(verdict []string) string {
	if sameSet(a.tabled, verdict) {
		return ""
	}
	called := map[string]string{
		names.LabelTooSoft: fmt.Sprintf("are too soft (below about %g)", names.SafeFrom),
		names.LabelSafe:    fmt.Sprintf("are safe (from about %g to about %g)", names.SafeFrom, names.FreezesFrom),
		names.LabelFreezes: fmt.Sprintf("freeze (from about %g on)", names.FreezesFrom),
	}
	var all []string
	for _, label := range a.tabled {
		all = append(all, called[label])
	}
	note := fmt.Sprintf("rows of %d keys with normal logits of this standard deviation, which the site's tables label, %s", names.SafeKeys, either(all))
	if a.Keys > names.SafeKeys && !sameSet(a.tabled, []string{names.LabelSafe}) {
		note += "; a causal model has such short rows too"
	}
	return note
}

// sameSet reports whether two lists have the same labels, each of which they have once.
func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// otherShape says what was taken in place of the outputs that the source of the
// initialisation counts, which are those of d_model/d_k heads of queries and of keys.
func (a *Advice) otherShape() string {
	h := a.head
	usual := h.Shape.Layer()
	if h.Layer == usual {
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

// ofScheme is what is to know of the initialisation. Of normal-0.02 that is about Llama alone.
func (a *Advice) ofScheme() string {
	if a.Init == names.InitNormal002 && !strings.HasPrefix(a.Published, "Llama") {
		return ""
	}
	return strings.TrimSuffix(a.head.Scheme.Note, ".")
}
