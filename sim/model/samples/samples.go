// Package samples finds the queries and keys that a user saved, and the logits or attention weights
// next to them, and judges them: sim/model/inspect measures the heads, and this package compares the
// input of softmax with q·k.
//
//   - find.go finds arrays by name, samples.go checks that they go together, axes.go reads their axes, and
//     places.go one head of one text at a time.
//   - rows.go reads rows of scores, logits and weights; fits.go collects what they show.
//   - factor.go judges the factor by it, bias.go if something else is added to the logits, and weights.go
//     the weights. study.go reads pairs again if no one factor explains the logits.
//   - subject.go says what is judged and what is not, warnings.go what the arrays look like.
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

// Samples are arrays of queries and keys of one layer or several: texts × heads × rows × d_k.
// Keys may have fewer heads, which neighbouring heads of queries share.
type Samples struct {
	Source
	Texts, Heads    int // heads of all layers
	Queries, Keys   int
	Dimension       int
	Logits, Weights bool // they are there, too

	layers []*sampled
	blocks int      // that a head of one text is cut into
	unused []string // arrays beside them whose names matter
	lone   int      // layers that lack q or k
}

// sampled is the arrays of a layer.
type sampled struct {
	arrays
	query, key, logit, weight axes
	first                     int // its first head among those of all layers
}

// maxDimension is what d_k may be: a head keeps matrices of its square.
const maxDimension = 4096

// Find takes queries and keys of all layers, and logits and weights if there are any, out of
// files. Heads above 0 split the last axis of queries, and keyHeads that of keys, unless the
// arrays have as many on an axis; of the two, one that is 0 follows from the other.
func Find(files *tensor.Files, n Names, heads, keyHeads int) (*Samples, error) {
	all, err := findArrays(files, n)
	if err == nil && len(all) == 0 {
		all, err = twoFiles(files, n)
	}
	if err != nil {
		return nil, err
	}
	s := &Samples{}
	for i, a := range all {
		l := &sampled{arrays: a, first: s.Heads}
		if err := l.open(files, heads, keyHeads); err != nil {
			return nil, err
		}
		if i == 0 {
			s.Source = Source{a.q, a.k, l.query.array.Shape, l.key.array.Shape, l.query.split}
			s.Texts, s.Dimension, s.Queries, s.Keys = l.query.texts, l.query.columns, l.query.rows, l.key.rows
			s.Logits, s.Weights = l.logits != "", l.weights != ""
		}
		switch {
		case l.query.texts != s.Texts || l.query.columns != s.Dimension || l.query.rows != s.Queries ||
			l.key.rows != s.Keys:
			return nil, fmt.Errorf("%s is %s and %s %s: texts, rows and d_k of layers judged together must be "+
				"the same; "+
				"name one layer by --q and --k", s.QueryName, layoutText(s.layers[0].query), a.q, layoutText(l.query))
		case s.Logits != (l.logits != "") || s.Weights != (l.weights != ""):
			return nil, fmt.Errorf("layers %s and %s do not both have logits, or weights: save those of all layers",
				s.layers[0].title, l.title)
		}
		s.layers = append(s.layers, l)
		s.Heads += l.query.heads
	}
	s.unused = s.unusedBeside(files)
	if n == (Names{}) || strings.Contains(n.Q, "{}") {
		s.lone = loneLayers(files, all)
	}
	return s, nil
}

// open reads the axes of a layer's arrays, and refuses those that do not fit.
func (l *sampled) open(files *tensor.Files, heads, keyHeads int) (err error) {
	heads, keyHeads = l.splitHeads(files, heads, keyHeads)
	if l.query, err = axesOf(files, l.q, heads, "--heads"); err != nil {
		return err
	}
	if l.key, err = axesOf(files, l.k, keyHeads, "--kv-heads"); err != nil {
		return err
	}
	q, k := l.query, l.key
	switch {
	case l.title != "" && len(q.array.Shape) < 3 && heads == 0:
		return fmt.Errorf("%s has the shape %s: for samples of several layers it needs heads × rows × d_k; "+
			"for weights type --wq and --wk", l.q, q.array.Dimensions())
	case k.texts != q.texts || k.columns != q.columns || q.heads%k.heads != 0:
		queries, keys, remedy := q.array.Dimensions(), k.array.Dimensions(), ""
		if q.split || k.split {
			queries, keys = layoutText(q), layoutText(k)
		}
		if k.columns != q.columns && !q.split && !k.split && len(q.array.Shape) < 4 {
			remedy = "; if a row holds all heads side by side, say --heads and --kv-heads"
		}
		return fmt.Errorf("%s is %s and %s %s: texts and d_k must be the same, and heads of queries a multiple of "+
			"those of keys%s", l.q, queries, l.k, keys, remedy)
	case q.columns > maxDimension:
		return fmt.Errorf("%s has a last axis of %d; d_k is at most %d: say --heads, which splits it",
			l.q, q.columns, maxDimension)
	}
	if l.logit, err = l.pairs(files, l.logits); err != nil {
		return err
	}
	if l.weight, err = l.pairs(files, l.weights); err != nil {
		return err
	}
	return l.recogniseWeights()
}

// splitHeads returns into how many heads the last axes of queries and keys are split, 0 for not at
// all. Where one of the two is not given, d_k is the same.
func (l *sampled) splitHeads(files *tensor.Files, heads, keyHeads int) (queries, keys int) {
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

// areHeadsFirst reports whether arrays of three axes have the heads on the first, as many as are given,
// so that the last must not be split: texts would not agree, or the last is d_k of many
// models and its part is not.
func areHeadsFirst(q, k []int, heads, keyHeads int) bool {
	if len(q) != 3 || len(k) != 3 || q[2] != k[2] || cmp.Or(heads, q[0]) != q[0] || cmp.Or(keyHeads, k[0]) != k[0] {
		return false
	}
	return q[0] != k[0] || slices.Contains(usualDimensions, q[2]) && q[2]/q[0] < usualDimensions[0]
}

// pairs reads the axes of an array of logits or weights, which has a row for each query and a column
// for each key.
func (l *sampled) pairs(files *tensor.Files, name string) (p axes, err error) {
	if name == "" {
		return p, nil
	}
	p, err = axesOf(files, name, 0, "")
	q := l.query
	if err != nil || p.texts == q.texts && p.heads == q.heads && p.rows == q.rows && p.columns == l.key.rows {
		return p, err
	}
	averaged := ""
	if p.texts == 1 && p.heads == q.texts && q.heads > 1 {
		averaged = " PyTorch averages weights over heads: say average_attn_weights=False."
	}
	return p, fmt.Errorf("%s has the shape %s; logits and weights of these queries and keys are %d × %d × %d × %d. "+
		"If it is something else, save it under another name.%s", name, p.array.Dimensions(),
		q.texts, q.heads, q.rows, l.key.rows, averaged)
}

// recogniseWeights takes logits for weights if their first rows are what softmax gives.
func (l *sampled) recogniseWeights() error {
	if l.logits == "" || l.weights != "" || l.key.rows < 2 {
		return nil
	}
	m, err := l.logit.matrix(0, 0)
	if err != nil {
		return err
	}
	m.Infinite = true
	m = m.Part(0, min(m.Rows, 8), 0, m.Columns)
	xs := make([]float64, m.Rows*m.Columns)
	err = tensor.Read(m, xs)
	for row := range slices.Chunk(xs, m.Columns) {
		if err != nil || slices.Min(row) < 0 || math.Abs(elementary.Sum(row)-1) > maxSumError {
			return err
		}
	}
	l.weights, l.weight, l.logits, l.logit = l.logits, l.logit, "", axes{}
	return nil
}

// Measure judges every head of every text. Done is called after each place.
func (s *Samples) Measure(
	ctx context.Context, o inspect.Options, done func(),
) (inspect.Summary, *inspect.AppliedScale, error) {
	if _, err := s.Count(o.Paired); err != nil {
		return inspect.Summary{}, nil, err
	}
	var parts []inspect.HeadText
	o.Texts, o.Blocks = s.Texts, s.blocks
	seen := &observed{Samples: s, options: o, logits: s.newFits(), weights: s.newFits(), softmax: s.newFits(),
		sums: newRowSums(s.Texts)}
	for _, p := range s.places() {
		if err := ctx.Err(); err != nil {
			return inspect.Summary{}, nil, err
		}
		m, err := s.read(p, p.keyHead(), o)
		if err != nil {
			return inspect.Summary{}, nil, err
		}
		part, err := inspect.Measure(m.q, m.k, o)
		if err == nil {
			err = seen.add(m)
		}
		if err != nil {
			return inspect.Summary{}, nil, fmt.Errorf("text %d, %s: %w", p.text, p.headTitle(), err)
		}
		parts = append(parts, part)
		done()
	}
	out := inspect.Summarise(parts, s.Heads, o)
	for _, p := range s.places()[:s.Heads] {
		out.Heads[p.head].Layer, out.Heads[p.head].Head = p.layer.title, p.headInLayer()
	}
	applied, err := seen.judge()
	if err != nil {
		return out, nil, err
	}
	s.describe(&out, seen, applied)
	return out, applied, nil
}
