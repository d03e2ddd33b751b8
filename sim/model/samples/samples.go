// Package samples finds the queries and keys that a user saved, and logits or attention weights in
// the same files. sim/model/inspect measures the heads; this package compares the input of softmax
// with q·k.
//
//   - find.go finds arrays by name, samples.go checks that they fit together, axes.go interprets their
//     axes, and blocks.go reads one head of one text at a time.
//   - rows.go reads rows of scores, logits and weights; fits.go fits lines to them.
//   - factor.go judges the factor, bias.go logits to which something is added, and weights.go weights.
//     study.go reads pairs again if one factor does not explain the logits. call.go reads the scale and
//     the kind of mask that a hook saved.
//   - logsum.go reads log-sum-exps of rows, for files without queries and keys.
//   - subject.go describes what is judged and what is not; warnings.go recognises likely mistakes.
package samples

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// Samples holds the arrays of queries and keys of one or several layers: texts × heads × rows ×
// d_k. There may be fewer heads of keys than of queries; neighbouring heads of queries then share a
// head of keys.
type Samples struct {
	Source
	Texts, Heads    int // Heads counts the heads of all layers
	Queries, Keys   int
	Dimension       int
	Logits, Weights bool // whether the files have logits and weights

	layers     []*sampledLayer
	blocks     int      // number of blocks into which a head of one text is divided
	unused     []string // other arrays that may matter
	incomplete int      // number of layers that lack q or k
}

// sampledLayer holds the arrays of a layer.
type sampledLayer struct {
	layerArrays
	query, key, logit, weight arrayAxes
	call                      callSettings
	firstHead                 int // index of its first head among the heads of all layers
}

// maxDimension limits d_k, since a head needs matrices of d_k × d_k.
const maxDimension = 4096

// Find finds queries and keys of all layers, and logits and weights if there are any. If heads or
// keyHeads is above 0, the last axis of queries or of keys is split into that many heads, unless
// the array already has an axis of heads. If only one of the two is given, the other follows from
// d_k.
func Find(files *tensor.Files, n Names, heads, keyHeads int) (*Samples, error) {
	layers, err := findArrays(files, n)
	if err == nil && len(layers) == 0 {
		layers, err = takeTwoFiles(files, n)
	}
	if err != nil {
		return nil, err
	}
	s := &Samples{}
	for i, a := range layers {
		l := &sampledLayer{layerArrays: a, firstHead: s.Heads}
		if err := l.readAxes(files, heads, keyHeads); err != nil {
			return nil, err
		}
		if l.call, err = readCall(files, l.q); err != nil {
			return nil, err
		}
		if i == 0 {
			s.Source = Source{a.q, a.k, l.query.array.Shape, l.key.array.Shape, l.query.isSplit}
			s.Texts, s.Dimension, s.Queries, s.Keys = l.query.texts, l.query.columns, l.query.rows, l.key.rows
			s.Logits, s.Weights = l.logits != "", l.weights != ""
		}
		switch {
		case l.query.texts != s.Texts || l.query.columns != s.Dimension || l.query.rows != s.Queries ||
			l.key.rows != s.Keys:
			return nil, fmt.Errorf("%s is %s and %s %s: texts, rows and d_k of layers judged together must be the "+
				"same; name one layer by --q and --k", s.QueryName, formatLayout(s.layers[0].query), a.q,
				formatLayout(l.query))
		case s.Logits != (l.logits != "") || s.Weights != (l.weights != ""):
			return nil, fmt.Errorf("layers %s and %s do not both have logits, or weights: save those of all layers",
				s.layers[0].title, l.title)
		}
		s.layers = append(s.layers, l)
		s.Heads += l.query.heads
	}
	s.unused = s.findUnused(files)
	if n == (Names{}) || strings.Contains(n.Q, "{}") {
		s.incomplete = countIncompleteLayers(files, layers)
	}
	return s, nil
}

// readAxes interprets the axes of a layer's arrays and checks that they fit together.
func (l *sampledLayer) readAxes(files *tensor.Files, heads, keyHeads int) (err error) {
	heads, keyHeads = l.splitHeads(files, heads, keyHeads)
	if l.query, err = readAxes(files, l.q, heads, "--heads"); err != nil {
		return err
	}
	if l.key, err = readAxes(files, l.k, keyHeads, "--kv-heads"); err != nil {
		return err
	}
	q, k := l.query, l.key
	switch {
	case l.title != "" && len(q.array.Shape) < 3 && heads == 0:
		return fmt.Errorf("%s has the shape %s: for samples of several layers it needs heads × rows × d_k; "+
			"for weights type --wq and --wk", l.q, q.array.Dimensions())
	case k.texts != q.texts || k.columns != q.columns || q.heads%k.heads != 0:
		queries, keys, remedy := q.array.Dimensions(), k.array.Dimensions(), ""
		if q.isSplit || k.isSplit {
			queries, keys = formatLayout(q), formatLayout(k)
		}
		if k.columns != q.columns && !q.isSplit && !k.isSplit && len(q.array.Shape) < 4 {
			remedy = "; if a row holds all heads side by side, say --heads and --kv-heads"
		}
		return fmt.Errorf("%s is %s and %s %s: texts and d_k must be the same, and heads of queries a multiple of "+
			"those of keys%s", l.q, queries, l.k, keys, remedy)
	case q.columns > maxDimension:
		return fmt.Errorf("%s has a last axis of %d; d_k is at most %d: say --heads, which splits it",
			l.q, q.columns, maxDimension)
	}
	if l.logit, err = l.readPairAxes(files, l.logits); err != nil {
		return err
	}
	if l.weight, err = l.readPairAxes(files, l.weights); err != nil {
		return err
	}
	return l.recogniseWeights()
}

// splitHeads returns the numbers of heads into which the last axes of queries and keys are split,
// 0 for no split. If only one of the two is given, the other one follows from a common d_k.
func (l *sampledLayer) splitHeads(files *tensor.Files, heads, keyHeads int) (queries, keys int) {
	q, err := files.Lookup(l.q)
	k, errKeys := files.Lookup(l.k)
	if err != nil || errKeys != nil || len(q.Shape) < 2 || len(k.Shape) < 2 || heads+keyHeads == 0 {
		return heads, keyHeads
	}
	columns, keyColumns := q.Shape[len(q.Shape)-1], k.Shape[len(k.Shape)-1]
	switch {
	case areHeadsFirst(q.Shape, k.Shape, heads, keyHeads):
		return 0, 0
	case keyHeads == 0 && len(k.Shape) < 4:
		keyHeads = heads
		if len(q.Shape) < 4 {
			columns /= heads
		}
		if columns > 0 && keyColumns%columns == 0 {
			keyHeads = keyColumns / columns
		}
	case heads == 0 && len(q.Shape) < 4 && len(k.Shape) < 4 && keyColumns%keyHeads == 0:
		heads = columns / (keyColumns / keyHeads)
	}
	return heads, keyHeads
}

// areHeadsFirst reports whether queries and keys with three axes have the given numbers of heads on
// their first axes, so that their last axes must not be split. The first axes hold heads, not
// texts, if they differ, or if the last axis is a common d_k and a part of it would be too small.
func areHeadsFirst(q, k []int, heads, keyHeads int) bool {
	if len(q) != 3 || len(k) != 3 || q[2] != k[2] {
		return false
	}
	if cmp.Or(heads, q[0]) != q[0] || cmp.Or(keyHeads, k[0]) != k[0] { // 0 means any number
		return false
	}
	return q[0] != k[0] || slices.Contains(commonDimensions, q[2]) && q[2]/q[0] < commonDimensions[0]
}

// readPairAxes interprets the axes of an array of logits or weights, with a row for each query and
// a column for each key.
func (l *sampledLayer) readPairAxes(files *tensor.Files, name string) (axes arrayAxes, err error) {
	if name == "" {
		return axes, nil
	}
	axes, err = readAxes(files, name, 0, "")
	q := l.query
	if err != nil || axes.texts == q.texts && axes.heads == q.heads && axes.rows == q.rows &&
		axes.columns == l.key.rows {
		return axes, err
	}
	hint := ""
	if axes.texts == 1 && axes.heads == q.texts && q.heads > 1 {
		hint = " PyTorch averages weights over heads: say average_attn_weights=False."
	}
	return axes, fmt.Errorf("%s has the shape %s; logits and weights of these queries and keys are %d × %d × %d × %d. "+
		"If it is something else, save it under another name.%s", name, axes.array.Dimensions(),
		q.texts, q.heads, q.rows, l.key.rows, hint)
}

// recogniseWeights treats logits as weights if their first rows are not negative and sum to 1.
func (l *sampledLayer) recogniseWeights() error {
	if l.logits == "" || l.weights != "" || l.key.rows < 2 {
		return nil
	}
	m, err := l.logit.matrix(0, 0)
	if err != nil {
		return err
	}
	m.AllowInfinite = true
	m = m.Submatrix(0, min(m.Rows, 8), 0, m.Columns)
	xs := make([]float64, m.Rows*m.Columns)
	err = tensor.Read(m, xs)
	for row := range slices.Chunk(xs, m.Columns) {
		if err != nil || slices.Min(row) < 0 || math.Abs(elementary.Sum(row)-1) > maxSumError {
			return err
		}
	}
	l.weights, l.weight, l.logits, l.logit = l.logits, l.logit, "", arrayAxes{}
	return nil
}

// Measure measures every head of every text and judges the factor of logits or weights. The
// AppliedScale is nil if there are neither. Measure calls done after each block.
func (s *Samples) Measure(
	ctx context.Context, o inspect.Options, done func(),
) (inspect.Summary, *inspect.AppliedScale, error) {
	if _, err := s.CountBlocks(o.Paired); err != nil {
		return inspect.Summary{}, nil, err
	}
	var headTexts []inspect.HeadText
	o.Texts, o.Blocks = s.Texts, s.blocks
	observed := &observations{Samples: s, options: o, logitFits: s.newFits(), weightFits: s.newFits(),
		softmaxFits: s.newFits(),
		sums:        newRowSums(s.Texts)}
	for _, block := range s.headBlocks() {
		if err := ctx.Err(); err != nil {
			return inspect.Summary{}, nil, err
		}
		vectors, err := s.readBlock(block, block.keyHead(), o)
		if err != nil {
			return inspect.Summary{}, nil, err
		}
		part, err := inspect.Measure(vectors.q, vectors.k, o)
		if err == nil {
			err = observed.addBlock(vectors)
		}
		if err != nil {
			return inspect.Summary{}, nil, fmt.Errorf("text %d, %s: %w", block.text, block.headTitle(), err)
		}
		headTexts = append(headTexts, part)
		done()
	}
	summary := inspect.Summarise(headTexts, s.Heads, o)
	for _, block := range s.headBlocks()[:s.Heads] {
		summary.Heads[block.head].Layer, summary.Heads[block.head].Head = block.layer.title, block.headInLayer()
	}
	summary.SetLayers(headTexts, o)
	if o.Format != nil {
		summary.Formats = inspect.EstimateFormat(headTexts, summary.Heads, o.Format)
	}
	applied, err := observed.judge()
	if err != nil {
		return summary, nil, err
	}
	if applied == nil && o.Length == 0 {
		applied = s.judgeSavedScale(o)
	}
	s.describe(&summary, observed, applied)
	return summary, applied, nil
}
