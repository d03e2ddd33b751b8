// Package inspect says what softmax makes of queries and keys that someone gives, such as
// those of one layer of a trained model: how large their scores are, how far queries and
// keys agree in direction, and what a scale does to them. It draws nothing, so that its
// numbers describe these arrays and have no errors.
package inspect

import (
	"fmt"
	"strings"

	"mcsim/sim/attention"
	"mcsim/sim/rule"
)

// MostScores is how many pairs of a query and a key may be asked for: of a few vectors of
// 64 components that is a second, and a gigabyte of memory.
const MostScores = 1 << 24

// Question is queries, keys and, where there are any, values, and the rule that turns
// their products into logits.
type Question struct {
	Input  attention.Input // its scale is the rule's
	Values bool            // V was given; else it is zeros of one component
	Rule   rule.Rule
}

// Names are those of the arrays of a file. V may be empty, and is then the array V, if
// there is one; Mask may be empty for none.
type Names struct{ Q, K, V, Mask string }

// Read takes the named arrays out of a file, of the shape rows × components, heads × rows ×
// components, or batches × heads × rows × components.
func Read(archive *Archive, names Names, causal bool, r rule.Rule) (Question, error) {
	if names.V == "" && archive.Has("V") {
		names.V = "V"
	}
	out := Question{Rule: r, Values: names.V != ""}
	in := &out.Input
	in.Mask.Causal = causal
	for _, a := range []struct {
		name string
		to   *attention.Tensor
	}{{names.Q, &in.Q}, {names.K, &in.K}, {names.V, &in.V}, {names.Mask, &in.Mask.Added}} {
		if a.name == "" {
			continue
		}
		array, err := archive.Array(a.name)
		if err != nil {
			return out, err
		}
		if a.to == &in.Mask.Added {
			array.forbid()
		}
		if *a.to, err = tensor(array); err != nil {
			return out, fmt.Errorf("%s %w", a.name, err)
		}
	}
	if !out.Values {
		in.V = attention.NewTensor(in.K.Batches, in.K.Heads, in.K.Rows, 1)
	}
	if pairs := in.Q.Batches * in.Q.Heads * in.Q.Rows * in.K.Rows; pairs > MostScores {
		return out, fmt.Errorf("there are %d scores; at most %d are computed at once", pairs, MostScores)
	}
	factor, ok := r.Factor(in.Q.Columns, in.K.Rows)
	if !ok {
		return out, fmt.Errorf("the rule %s is no factor; of the rules only those that multiply q·k can be asked for here", r)
	}
	in.Scale = factor
	return out, nil
}

// forbid makes of truth values, which say which keys a query may see, what is added to its
// logits. Numbers are that already.
func (a Array) forbid() {
	if !strings.HasSuffix(a.Type, "b1") {
		return
	}
	for i, allowed := range a.Data {
		a.Data[i] = 0
		if allowed == 0 {
			a.Data[i] = attention.Forbidden
		}
	}
}

// tensor gives an array the four sizes of a tensor.
func tensor(a Array) (attention.Tensor, error) {
	s := a.Shape
	switch len(s) {
	case 2:
		return attention.Of(a.Data, 1, 1, s[0], s[1]), nil
	case 3:
		return attention.Of(a.Data, 1, s[0], s[1], s[2]), nil
	case 4:
		return attention.Of(a.Data, s[0], s[1], s[2], s[3]), nil
	}
	return attention.Tensor{}, fmt.Errorf("has the shape %s; it needs rows × components, with heads before them, or batches and heads", a.Dimensions())
}
