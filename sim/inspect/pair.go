package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/tensor"
)

// Names are what arrays are called; empty ones are found.
type Names struct{ Q, K, Logits string }

// usual are the names that queries, keys and logits have where nothing is said.
var usual = [3][]string{
	{"q", "query", "queries", "query_states", "xq", "query_layer"},
	{"k", "key", "keys", "key_states", "xk", "key_layer"},
	{"logits", "scores", "attn_scores", "attention_scores", "attn_logits"},
}

// Samples are arrays of queries and keys: texts × heads × rows × d_k. Keys may have fewer heads,
// which neighbouring heads of queries share.
type Samples struct {
	Source
	Texts, Heads, KeyHeads int
	Queries, Keys          int
	Dimension              int
	Logits                 bool // there are logits, too

	q, k, logits layout4
	blocks       int // that a head of one text is cut into
}

// layout4 reads one head of one text from an array, of which the last axis may hold all heads.
type layout4 struct {
	array       *tensor.Array
	texts       int
	heads, rows int
	columns     int
	split       bool
}

// mostDimension is what d_k may be: a head keeps matrices of its square.
const mostDimension = 4096

// Find takes queries and keys, and logits if there are any, out of files. Heads above 0 split
// the last axis into so many, of keys into keyHeads.
func Find(files *tensor.Files, n Names, heads, keyHeads int) (*Samples, error) {
	for i, name := range []*string{&n.Q, &n.K, &n.Logits} {
		if *name == "" {
			*name = find(files, usual[i])
		}
	}
	if all := files.Listed(); n.Q == "" && n.K == "" && len(all) == 2 && // as two .npy files are given
		!weightName.MatchString(all[0]) && !weightName.MatchString(all[1]) {
		n.Q, n.K = all[0], all[1]
	}
	if n.Q == "" || n.K == "" {
		return nil, ErrNone
	}
	s := &Samples{}
	var err error
	if s.q, err = layoutOf(files, n.Q, heads); err != nil {
		return nil, err
	}
	if s.k, err = layoutOf(files, n.K, keyHeads); err != nil {
		return nil, err
	}
	s.Source = Source{n.Q, n.K, s.q.array.Shape, s.k.array.Shape, s.q.split}
	s.Texts, s.Heads, s.KeyHeads = s.q.texts, s.q.heads, s.k.heads
	s.Queries, s.Keys, s.Dimension = s.q.rows, s.k.rows, s.q.columns
	switch {
	case s.k.texts != s.Texts || s.k.columns != s.Dimension || s.Heads%s.KeyHeads != 0:
		return nil, fmt.Errorf("%s is %s and %s %s: texts and d_k must be the same, and heads of queries a multiple of "+
			"those of keys", n.Q, s.q.array.Dimensions(), n.K, s.k.array.Dimensions())
	case s.Dimension > mostDimension:
		return nil, fmt.Errorf("%s has a last axis of %d; d_k is at most %d: say --heads, which splits it",
			n.Q, s.Dimension, mostDimension)
	}
	if n.Logits != "" {
		err = s.addLogits(files, n.Logits)
	}
	return s, err
}

// ErrNone says that no array has a name that queries or keys usually have.
var ErrNone = errors.New("no arrays are named as queries and keys are, such as q and k: name them by --q and --k")

// find is the array with one of these names, however its letters are written; one that ends
// with a dot and the name counts, if it is the only one.
func find(files *tensor.Files, names []string) string {
	var ends []string
	for _, want := range names {
		for _, name := range files.Names() {
			lower := strings.ToLower(name)
			if lower == want {
				return name
			}
			if strings.HasSuffix(lower, "."+want) {
				ends = append(ends, name)
			}
		}
	}
	if len(ends) == 1 {
		return ends[0]
	}
	return ""
}

// layoutOf reads the axes of an array.
func layoutOf(files *tensor.Files, name string, heads int) (l layout4, err error) {
	a, err := files.Lookup(name)
	if err != nil {
		return l, err
	}
	l = layout4{a, 1, 1, 0, 0, heads > 0}
	shape := a.Shape
	n := len(shape)
	switch {
	case n < 2 || n > 4 || heads > 0 && n > 3:
		return l, fmt.Errorf("%s has the shape %s; it needs rows × d_k, with heads before them, or texts and heads",
			name, a.Dimensions())
	case slices.Contains(shape, 0):
		return l, fmt.Errorf("%s has the shape %s, and so no numbers", name, a.Dimensions())
	case heads > 0 && shape[n-1]%heads != 0:
		return l, fmt.Errorf("%s has %d columns, which %d heads do not divide", name, shape[n-1], heads)
	}
	l.rows, l.columns = shape[n-2], shape[n-1]
	switch {
	case heads > 0:
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

// matrix is one head of one text.
func (l layout4) matrix(text, head int) (m tensor.Matrix, err error) {
	n := len(l.array.Shape)
	at := []int{text, head}[4-n:]
	if l.split {
		at = []int{text}[:n-2]
	}
	if m, err = l.array.Matrix(at...); err == nil && l.split {
		m = m.Part(0, l.rows, head*l.columns, (head+1)*l.columns)
	}
	return m, err
}

// vectors reads rows of one head of one text.
func (l layout4) vectors(text, head, from, to int) (Vectors, error) {
	m, err := l.matrix(text, head)
	if err != nil {
		return Vectors{}, err
	}
	m = m.Part(from, to, 0, m.Columns)
	v := Vectors{m.Rows, m.Columns, make([]float64, m.Rows*m.Columns)}
	return v, tensor.Read(m, v.Data)
}

// addLogits takes an array of logits, which has a row for each query and a column for each key.
func (s *Samples) addLogits(files *tensor.Files, name string) (err error) {
	if s.logits, err = layoutOf(files, name, 0); err != nil {
		return err
	}
	if l := s.logits; l.texts != s.Texts || l.heads != s.Heads || l.rows != s.Queries || l.columns != s.Keys {
		return fmt.Errorf("%s has the shape %s; logits of these queries and keys are %d × %d × %d × %d. "+
			"If it is something else, save it under another name",
			name, l.array.Dimensions(), s.Texts, s.Heads, s.Queries, s.Keys)
	}
	s.Logits = true
	return nil
}

// A head of more numbers than mostNumbers is looked at in blocks of rows, one behind the other, so
// that memory has a bound: queries of a block meet its keys alone. Where every query meets every
// key a block has blockRows at most.
const (
	mostNumbers = 1 << 22
	blockRows   = 4096
)

// cut says how many blocks a head is looked at in.
func (s *Samples) cut(paired bool) error {
	rows, most := max(s.Queries, s.Keys), mostNumbers/s.Dimension
	s.blocks = 1
	if rows <= most {
		return nil
	}
	if !paired {
		most = min(most, blockRows)
	}
	s.blocks = (rows + most - 1) / most
	if few := min(s.Queries, s.Keys); few/s.blocks < 2 {
		return fmt.Errorf("there are %d queries and %d keys, too many to be kept: give as many of the one as of the other",
			s.Queries, s.Keys)
	}
	return nil
}

// place is a block of rows of one head of one text.
type place struct{ text, block, head int }

// places are all, the heads of a block together.
func (s *Samples) places() (all []place) {
	for text := range s.Texts {
		for block := range s.blocks {
			for head := range s.Heads {
				all = append(all, place{text, block, head})
			}
		}
	}
	return all
}

// rows are those of a block among so many.
func (s *Samples) rows(block, of int) (from, to int) {
	return block * of / s.blocks, (block + 1) * of / s.blocks
}

// read reads the queries and keys of a place.
func (s *Samples) read(at place) (q, k Vectors, err error) {
	from, to := s.rows(at.block, s.Queries)
	if q, err = s.q.vectors(at.text, at.head, from, to); err != nil {
		return q, k, err
	}
	from, to = s.rows(at.block, s.Keys)
	k, err = s.k.vectors(at.text, at.head/(s.Heads/s.KeyHeads), from, to)
	return q, k, err
}

// compare adds the rows of a place's logits, beside those of its queries and keys.
func (s *Samples) compare(to *Logits, at place, q, k Vectors) error {
	m, err := s.logits.matrix(at.text, at.head)
	if err != nil {
		return err
	}
	m.Infinite = true
	first, _ := s.rows(at.block, s.Queries)
	from, end := s.rows(at.block, s.Keys)
	row, scores := make([]float64, k.Rows), make([]float64, k.Rows)
	for i := range q.Rows {
		if err := tensor.Read(m.Part(first+i, first+i+1, from, end), row); err != nil {
			return err
		}
		for j := range scores {
			scores[j] = dot(q.Row(i), k.Row(j))
		}
		to.Add(scores, row)
	}
	return nil
}

// Count is how many places there are to look at, of pairs or of every query with every key.
func (s *Samples) Count(paired bool) (int, error) {
	err := s.cut(paired)
	n := s.Texts * s.Heads * s.blocks
	if err == nil && n > mostParts {
		err = fmt.Errorf("%s has %d heads of texts; at most %d are looked at", s.QueryName, n, mostParts)
	}
	return n, err
}

// mostParts bounds what is kept of parts, a kilobyte and a half each.
const mostParts = 1 << 17

// Measure looks at every head of every text. Done is called after each place.
func (s *Samples) Measure(ctx context.Context, o Options, done func()) (Summary, *Applied, error) {
	if _, err := s.Count(o.Paired); err != nil {
		return Summary{}, nil, err
	}
	var parts []Part
	var logits Logits
	for _, at := range s.places() {
		if err := ctx.Err(); err != nil {
			return Summary{}, nil, err
		}
		q, k, err := s.read(at)
		if err != nil {
			return Summary{}, nil, err
		}
		part, err := Measure(q, k, o)
		if err == nil && s.Logits {
			err = s.compare(&logits, at, q, k)
		}
		if err != nil {
			return Summary{}, nil, fmt.Errorf("text %d, head %d: %w", at.text, at.head, err)
		}
		if s.Texts*s.blocks > 1 { // what heads share is asked of one text alone
			part.rows, part.cols = nil, nil
		}
		parts = append(parts, part)
		done()
	}
	out := Summarise(parts, s.Heads, o)
	if out.Warnings = out.warnings(s.Source); s.blocks > 1 {
		out.Notes = append(out.Notes, fmt.Sprintf("A head is judged in %d blocks of %d rows, one after the other; "+
			"queries of a block meet its keys. Texts are these blocks.", s.blocks, s.Queries/s.blocks))
	}
	if !s.Logits {
		return out, nil, nil
	}
	applied := logits.Applied(o.Scale, s.Dimension, s.Heads)
	return out, &applied, nil
}
