// Package samples finds the queries and keys that a user saved, and the logits or attention weights
// next to them, and judges them: sim/model/inspect measures the heads, and here is compared what softmax
// got with q·k.
//
//   - find.go finds arrays by name; samples.go reads their axes, and one head of one text at a time.
//   - observe.go collects what rows of logits and weights show; applied.go judges the factor by it,
//     attention.go the weights. study.go reads pairs again where no one factor explains the logits.
//   - subject.go says what is judged and what is not, warnings.go what the arrays look like.
package samples

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
	query, key, logit, weight layout4
	first                     int // its first head among those of all layers
}

// layout4 reads one head of one text from an array, of which the last axis may hold all heads.
type layout4 struct {
	array       *tensor.Array
	texts       int
	heads, rows int
	columns     int
	split       bool
}

// maxDimension is what d_k may be: a head keeps matrices of its square.
const maxDimension = 4096

// Find takes queries and keys of all layers, and logits and weights if there are any, out of
// files. Heads above 0 split the last axis into so many, of keys into keyHeads, unless the
// arrays have that many on an axis; of the two, one that is 0 follows from the other.
func Find(files *tensor.Files, n Names, heads, keyHeads int) (*Samples, error) {
	all, err := findArrays(files, n)
	if err == nil && len(all) == 0 {
		all, err = twoFiles(files, n)
	}
	if err != nil {
		return nil, err
	}
	s := &Samples{}
	for _, a := range all {
		l := &sampled{arrays: a, first: s.Heads}
		if err := l.open(files, heads, keyHeads); err != nil {
			return nil, err
		}
		if len(s.layers) == 0 {
			s.Source = Source{a.q, a.k, l.query.array.Shape, l.key.array.Shape, l.query.split}
			s.Texts, s.Dimension, s.Queries, s.Keys = l.query.texts, l.query.columns, l.query.rows, l.key.rows
			s.Logits, s.Weights = l.logits != "", l.weights != ""
		}
		switch {
		case l.query.texts != s.Texts || l.query.columns != s.Dimension || l.query.rows != s.Queries || l.key.rows != s.Keys:
			return nil, fmt.Errorf("%s is %s and %s %s: texts, rows and d_k of layers judged together must be the same; "+
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
		s.lone = loneLayers(files, all[0])
	}
	return s, nil
}

// open reads the axes of a layer's arrays, and refuses those that do not fit.
func (l *sampled) open(files *tensor.Files, heads, keyHeads int) (err error) {
	heads, keyHeads = l.headsOf(files, heads, keyHeads)
	if l.query, err = layoutOf(files, l.q, heads, "--heads"); err != nil {
		return err
	}
	if l.key, err = layoutOf(files, l.k, keyHeads, "--kv-heads"); err != nil {
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
	return l.exchange()
}

// headsOf returns into how many heads the last axes of queries and keys are split, 0 for not at
// all. Where one of the two is not given, d_k is the same.
func (l *sampled) headsOf(files *tensor.Files, heads, keyHeads int) (ofQueries, ofKeys int) {
	q, err := files.Lookup(l.q)
	k, errKeys := files.Lookup(l.k)
	if err != nil || errKeys != nil || len(q.Shape) < 2 || len(k.Shape) < 2 || heads+keyHeads == 0 {
		return heads, keyHeads
	}
	columns, keyColumns := q.Shape[len(q.Shape)-1], k.Shape[len(k.Shape)-1]
	switch {
	case headsFirst(q.Shape, k.Shape, heads, keyHeads):
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

// headsFirst reports whether arrays of three axes have so many heads on the first, or as many as is
// not given, so that the last is not to be split: texts would not agree, or the last is d_k of many
// models and its part is not.
func headsFirst(q, k []int, heads, keyHeads int) bool {
	if len(q) != 3 || len(k) != 3 || q[2] != k[2] || cmp.Or(heads, q[0]) != q[0] || cmp.Or(keyHeads, k[0]) != k[0] {
		return false
	}
	return q[0] != k[0] || slices.Contains(usualDimensions, q[2]) && q[2]/q[0] < usualDimensions[0]
}

// layoutOf reads the axes of an array; the flag is the one that says how many heads there are.
func layoutOf(files *tensor.Files, name string, heads int, flag string) (l layout4, err error) {
	a, err := files.Lookup(name)
	if err != nil {
		return l, err
	}
	l = layout4{array: a, texts: 1, heads: 1}
	shape := a.Shape
	n := len(shape)
	switch {
	case a.IsWhole():
		return l, fmt.Errorf("%s holds whole numbers (%s), such as token ids or a mask: queries and keys, logits and weights "+
			"are float64, float32, float16 or bfloat16", a.Name, a.Type)
	case n < 2 || n > 4:
		return l, fmt.Errorf("%s has the shape %s; it needs rows × d_k, with heads before them, or texts and heads",
			a.Name, a.Dimensions())
	case slices.Contains(shape, 0):
		return l, fmt.Errorf("%s has the shape %s, and so no numbers", a.Name, a.Dimensions())
	case n == 4 && heads > 0 && shape[1] != heads:
		return l, fmt.Errorf("%s has the shape %s, and so %d heads on its second axis, not %d: leave out %s",
			a.Name, a.Dimensions(), shape[1], heads, flag)
	}
	l.rows, l.columns = shape[n-2], shape[n-1]
	l.split = heads > 0 && n < 4
	switch {
	case l.split && l.columns%heads != 0:
		return l, fmt.Errorf("%s has %d columns, which %d heads do not divide", a.Name, l.columns, heads)
	case l.split:
		l.heads, l.columns = heads, l.columns/heads
		if n == 3 {
			l.texts = shape[0]
		}
	case n == 4:
		l.texts, l.heads = shape[0], shape[1]
	case n == 3:
		l.heads = shape[0]
	}
	return l, nil
}

// pairs reads the axes of an array of logits or weights, which has a row for each query and a column
// for each key.
func (l *sampled) pairs(files *tensor.Files, name string) (p layout4, err error) {
	if name == "" {
		return p, nil
	}
	p, err = layoutOf(files, name, 0, "")
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

// exchange takes logits for weights if their first rows are what softmax gives.
func (l *sampled) exchange() error {
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
	l.weights, l.weight, l.logits, l.logit = l.logits, l.logit, "", layout4{}
	return nil
}

// matrix returns one head of one text.
func (l layout4) matrix(text, head int) (m tensor.Matrix, err error) {
	n := len(l.array.Shape)
	index := []int{text, head}[4-n:]
	if l.split {
		index = []int{text}[:n-2]
	}
	if m, err = l.array.Matrix(index...); err == nil && l.split {
		m = m.Part(0, l.rows, head*l.columns, (head+1)*l.columns)
	}
	return m, err
}

// vectors reads rows of one head of one text.
func (l layout4) vectors(text, head, start, end int) (inspect.Vectors, error) {
	m, err := l.matrix(text, head)
	if err != nil {
		return inspect.Vectors{}, err
	}
	m = m.Part(start, end, 0, m.Columns)
	v := inspect.Vectors{Rows: m.Rows, Dimension: m.Columns, Data: make([]float64, m.Rows*m.Columns)}
	return v, tensor.Read(m, v.Data)
}

// A head of more numbers than maxNumbers is judged in blocks of rows, one after the other, so that
// memory has a bound: queries of a block meet only its keys. If every query meets every key a block
// has at most blockRows.
// There are at least minBlocks, since the error of one text is the scatter between them.
const (
	maxNumbers = 1 << 22
	blockRows  = 4096
	minBlocks  = 8
)

// setBlocks sets the number of blocks that a head is judged in.
func (s *Samples) setBlocks(paired bool) error {
	rows, most := max(s.Queries, s.Keys), maxNumbers/s.Dimension
	s.blocks = 1
	if rows <= most {
		return nil
	}
	if !paired {
		most = min(most, blockRows)
	}
	s.blocks = max(minBlocks, (rows+most-1)/most)
	if few := min(s.Queries, s.Keys); few/s.blocks < 2 {
		return fmt.Errorf("there are %d queries and %d keys, too many to be kept: give as many of the one as of the other",
			s.Queries, s.Keys)
	}
	return nil
}

// place is a block of rows of one head of one text.
type place struct {
	text, block, head int // the head of all layers
	layer             *sampled
}

// places returns all places, the heads of a block together.
func (s *Samples) places() (all []place) {
	for text := range s.Texts {
		for block := range s.blocks {
			for _, l := range s.layers {
				for head := range l.query.heads {
					all = append(all, place{text, block, l.first + head, l})
				}
			}
		}
	}
	return all
}

// headInLayer returns the number of the head in its layer.
func (p place) headInLayer() int { return p.head - p.layer.first }

// keyHead returns the head of keys that the head of queries meets.
func (p place) keyHead() int { return p.headInLayer() / (p.layer.query.heads / p.layer.key.heads) }

// title names a place.
func (p place) title() string {
	if p.layer.title != "" {
		return fmt.Sprintf("text %d, layer %s, head %d", p.text, p.layer.title, p.headInLayer())
	}
	return fmt.Sprintf("text %d, head %d", p.text, p.headInLayer())
}

// rows returns the range of rows of a block, of count rows in all.
func (s *Samples) rows(block, count int) (start, end int) {
	return block * count / s.blocks, (block + 1) * count / s.blocks
}

// meeting is the queries and keys of a place, with their rows in the arrays, without rows of zeros,
// which are padding.
type meeting struct {
	place
	q, k                  inspect.Vectors
	queries, keys         []int
	zeroQueries, zeroKeys int
	empty                 bool // all queries or all keys are 0
}

// read reads the queries and keys of a place, against the given head of keys.
func (s *Samples) read(p place, keyHead int, o inspect.Options) (m meeting, err error) {
	m.place = p
	start, end := s.rows(p.block, s.Queries)
	if m.q, err = p.layer.query.vectors(p.text, p.headInLayer(), start, end); err != nil {
		return m, err
	}
	first, last := s.rows(p.block, s.Keys)
	if m.k, err = p.layer.key.vectors(p.text, keyHead, first, last); err != nil {
		return m, err
	}
	zeroQ, zeroK := zeroRows(m.q), zeroRows(m.k)
	if m.empty = len(zeroQ) == m.q.Rows || len(zeroK) == m.k.Rows; m.empty { // nothing would be left
		clear(zeroQ)
		clear(zeroK)
	}
	m.zeroQueries, m.zeroKeys = len(zeroQ), len(zeroK)
	if o.Paired || o.Causal { // what is left must stay in step
		maps.Copy(zeroQ, zeroK)
		zeroK = zeroQ
	}
	m.q, m.queries = dropRows(m.q, zeroQ, start)
	m.k, m.keys = dropRows(m.k, zeroK, first)
	if o.Length > 0 {
		normalise(m.q, o.Length)
		normalise(m.k, o.Length)
	}
	return m, nil
}

// zeroRows returns the rows whose components are all 0.
func zeroRows(v inspect.Vectors) map[int]bool {
	all := map[int]bool{}
	for i := range v.Rows {
		if elementary.SumOfSquares(v.Row(i)) == 0 {
			all[i] = true
		}
	}
	return all
}

// dropRows returns the vectors without some rows, and the numbers of the rest, counted from first.
func dropRows(v inspect.Vectors, omitted map[int]bool, first int) (inspect.Vectors, []int) {
	out := inspect.Vectors{Dimension: v.Dimension, Data: v.Data[:0]}
	left := make([]int, 0, v.Rows)
	for i := range v.Rows {
		if !omitted[i] {
			out.Data = append(out.Data, v.Row(i)...)
			left = append(left, first+i)
		}
	}
	out.Rows = len(left)
	return out, left
}

// normalise scales rows to a length.
func normalise(v inspect.Vectors, length float64) {
	for i := range v.Rows {
		row := v.Row(i)
		if size := math.Sqrt(elementary.SumOfSquares(row)); size > 0 {
			for c := range row {
				row[c] *= length / size
			}
		}
	}
}

// Count returns the number of places that Measure judges, for pairs or for every query with every key.
func (s *Samples) Count(paired bool) (int, error) {
	err := s.setBlocks(paired)
	n := s.Texts * s.Heads * s.blocks
	if err == nil && n > maxParts {
		err = fmt.Errorf("%s has %d heads of texts; at most %d are judged", s.QueryName, n, maxParts)
	}
	return n, err
}

// maxParts bounds what is kept of parts, a kilobyte and a half each.
const maxParts = 1 << 17

// Measure judges every head of every text. Done is called after each place.
func (s *Samples) Measure(ctx context.Context, o inspect.Options, done func()) (inspect.Summary, *inspect.Applied, error) {
	if _, err := s.Count(o.Paired); err != nil {
		return inspect.Summary{}, nil, err
	}
	var parts []inspect.Part
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
			return inspect.Summary{}, nil, fmt.Errorf("%s: %w", p.title(), err)
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
