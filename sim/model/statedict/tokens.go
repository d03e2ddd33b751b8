package statedict

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
	"mcsim/sim/names"
)

// maxProjected is the largest number of components of all queries of a layer.
const maxProjected = 1 << 25

// checkTokens checks the arrays of activations, if they are given, and the number of tokens.
func (m *Model) checkTokens() error {
	if m.options.X == "" {
		return m.refuseTokens(m.options.Tokens)
	}
	for i, l := range m.Layers {
		name := strings.ReplaceAll(m.options.X, "{}", l.layerNumber())
		a, err := m.files.Lookup(name)
		if err != nil {
			return err
		}
		if a.IsWhole() {
			return fmt.Errorf("--x: %s holds whole numbers (%s); activations are float64, float32, float16 or bfloat16",
				name, a.Type)
		}
		n := len(a.Shape)
		if n < 2 || a.Shape[n-1] != l.width || slices.Contains(a.Shape, 0) {
			return fmt.Errorf("%s has the shape %s; it needs tokens × %d, with texts before them, "+
				"since W_Q of layer %s takes %d inputs", name, a.Dimensions(), l.width, l.Title, l.width)
		}
		texts := product(a.Shape[:n-2])
		if i > 0 && texts != m.texts {
			return fmt.Errorf("%s has %s, and %s has %d: all layers need as many",
				name, names.Count(texts, "text"), m.activations[0], m.texts)
		}
		m.texts, m.activations = texts, append(m.activations, name)
		if err := m.refuseTokens(a.Shape[n-2]); err != nil {
			return err
		}
	}
	return nil
}

// product returns the product of sizes.
func product(sizes []int) int {
	n := 1
	for _, size := range sizes {
		n *= size
	}
	return n
}

// refuseTokens returns an error if the queries of so many tokens need too much memory.
func (m *Model) refuseTokens(tokens int) error {
	for _, l := range m.Layers {
		if outputs := l.Heads * l.Dimension; tokens*outputs > maxProjected {
			return fmt.Errorf("%d tokens make %d queries of d_k = %d in layer %s; at most %d tokens of a text are read",
				tokens, tokens*l.Heads, l.Dimension, l.Title, maxProjected/outputs)
		}
	}
	return nil
}

// readInputs returns, for each text, the tokens of queries and the tokens of keys of a layer.
// Sampled tokens of queries and of keys are independent. Given tokens are the same for queries and
// keys.
func (m *Model) readInputs(layer int) (inputs [][2]projection.Tokens, err error) {
	if m.activations == nil {
		sample := func(side string) projection.Tokens {
			return projection.SampleTokens(m.options.Tokens, m.Layers[layer].width, m.norm, m.options.Seed, side)
		}
		return [][2]projection.Tokens{{sample("queries"), sample("keys")}}, nil
	}
	a, err := m.files.Lookup(m.activations[layer])
	if err != nil {
		return nil, err
	}
	for text := range m.texts {
		v, err := readText(a, text)
		if err != nil {
			return nil, err
		}
		tokens := v.Pack()
		projection.Normalise(tokens, m.norm)
		inputs = append(inputs, [2]projection.Tokens{tokens, tokens})
	}
	return inputs, nil
}

// readText reads the rows of a text. text is an index over all axes before the last two.
func readText(a *tensor.Array, text int) (inspect.Vectors, error) {
	index := make([]int, len(a.Shape)-2)
	for axis := len(index) - 1; axis >= 0; axis-- {
		index[axis] = text % a.Shape[axis]
		text /= a.Shape[axis]
	}
	m, err := a.Matrix(index...)
	if err != nil {
		return inspect.Vectors{}, err
	}
	v := inspect.Vectors{Rows: m.Rows, Dimension: m.Columns, Data: make([]float64, m.Rows*m.Columns)}
	return v, tensor.Read(m, v.Data)
}

// headWeights returns the weights of queries and keys.
func (l *Layer) headWeights() (q, k projection.HeadWeights) {
	groupSize := l.Heads / l.KeyHeads
	firstQueryRow := func(head int) int { row, _ := l.firstRows(head); return row }
	firstKeyRow := func(keyHead int) int { _, row := l.firstRows(keyHead * groupSize); return row }
	q = projection.HeadWeights{Weights: l.wq, Bias: l.bq, Heads: l.Heads, FirstRow: firstQueryRow,
		RowsPerHead: l.Dimension, Norm: l.qNorm}
	k = projection.HeadWeights{Weights: l.wk, Bias: l.bk, Heads: l.KeyHeads, FirstRow: firstKeyRow,
		RowsPerHead: l.Dimension, Norm: l.kNorm}
	return q, k
}

// project returns the queries of the tokens xq and the keys of the tokens xk.
func (l *Layer) project(xq, xk projection.Tokens, e projection.FoldedNorm, workers int) (q,
	k projection.ProjectedHeads, err error) {
	queryWeights, keyWeights := l.headWeights()
	q, err = queryWeights.Project(xq, e, workers)
	if err != nil {
		return q, k, err
	}
	k, err = keyWeights.Project(xk, e, workers)
	return q, k, err
}
