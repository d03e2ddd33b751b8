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
}

// layout4 reads one head of one text from an array, of which the last axis may hold all heads.
type layout4 struct {
	array       *tensor.Array
	texts       int
	heads, rows int
	columns     int
	split       bool
}

// Find takes queries and keys, and logits if there are any, out of files. Heads above 0 split
// the last axis into so many, of keys into keyHeads.
func Find(files *tensor.Files, n Names, heads, keyHeads int) (*Samples, error) {
	given := n.Logits != ""
	for i, name := range []*string{&n.Q, &n.K, &n.Logits} {
		if *name == "" {
			*name = find(files, usual[i])
		}
	}
	if all := files.Listed(); n.Q == "" && n.K == "" && len(all) == 2 &&
		!files.Has("logits") { // as two .npy files are given
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
	s.Source = Source{
		QueryName:  n.Q,
		KeyName:    n.K,
		QueryShape: s.q.array.Shape,
		KeyShape:   s.k.array.Shape,
		Split:      s.q.split,
	}
	s.Texts, s.Heads, s.KeyHeads, s.Queries, s.Keys, s.Dimension = s.q.texts, s.q.heads, s.k.heads, s.q.rows, s.k.rows, s.q.columns
	if s.k.texts != s.Texts || s.k.columns != s.Dimension || s.Heads%s.KeyHeads != 0 {
		return nil, fmt.Errorf(
			"%s is %s and %s %s: texts and d_k must be the same, and heads of queries a multiple of those of keys",
			n.Q,
			s.q.array.Dimensions(),
			n.K,
			s.k.array.Dimensions(),
		)
	}
	if n.Logits != "" {
		err = s.addLogits(files, n.Logits)
	}
	if err != nil && !given {
		err = nil // something else has that name
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
		return l, fmt.Errorf(
			"%s has the shape %s; it needs rows × d_k, with heads before them, or texts and heads",
			name,
			a.Dimensions(),
		)
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

// vectors reads one head of one text.
func (l layout4) vectors(text, head int) (Vectors, error) {
	m, err := l.matrix(text, head)
	if err != nil {
		return Vectors{}, err
	}
	v := Vectors{m.Rows, m.Columns, make([]float64, m.Rows*m.Columns)}
	return v, tensor.Read(m, v.Data)
}

// addLogits takes an array of logits, which has a row for each query and a column for each key.
func (s *Samples) addLogits(files *tensor.Files, name string) (err error) {
	if s.logits, err = layoutOf(files, name, 0); err != nil {
		return err
	}
	if l := s.logits; l.texts != s.Texts || l.heads != s.Heads || l.rows != s.Queries || l.columns != s.Keys {
		return fmt.Errorf(
			"%s has the shape %s; logits of these queries and keys are %d × %d × %d × %d",
			name,
			l.array.Dimensions(),
			s.Texts,
			s.Heads,
			s.Queries,
			s.Keys,
		)
	}
	s.Logits = true
	return nil
}

// Head reads the queries and keys of one head of one text.
func (s *Samples) Head(text, head int) (q, k Vectors, err error) {
	if q, err = s.q.vectors(text, head); err != nil {
		return q, k, err
	}
	k, err = s.k.vectors(text, head/(s.Heads/s.KeyHeads))
	return q, k, err
}

// Compare adds the rows of a head's logits, beside those of its queries and keys.
func (s *Samples) Compare(to *Logits, text, head int, q, k Vectors) error {
	m, err := s.logits.matrix(text, head)
	if err != nil {
		return err
	}
	m.Infinite = true
	row, scores := make([]float64, m.Columns), make([]float64, m.Columns)
	for i := range m.Rows {
		if err := tensor.Read(m.Part(i, i+1, 0, m.Columns), row); err != nil {
			return err
		}
		for j := range scores {
			scores[j] = dot(q.Row(i), k.Row(j))
		}
		to.Add(scores, row)
	}
	return nil
}

// Measure looks at every head of every text. Done is called after each.
func (s *Samples) Measure(ctx context.Context, o Options, done func()) (Summary, *Applied, error) {
	if o.Paired && s.Queries != s.Keys {
		return Summary{}, nil, fmt.Errorf("there are %d queries and %d keys, which cannot be paired", s.Queries, s.Keys)
	}
	var parts []Part
	var logits Logits
	for at := range s.Texts * s.Heads {
		if err := ctx.Err(); err != nil {
			return Summary{}, nil, err
		}
		text, head := at/s.Heads, at%s.Heads
		q, k, err := s.Head(text, head)
		if err != nil {
			return Summary{}, nil, err
		}
		part, err := Measure(q, k, o)
		if err == nil && s.Logits {
			err = s.Compare(&logits, text, head, q, k)
		}
		if err != nil {
			return Summary{}, nil, fmt.Errorf("text %d, head %d: %w", text, head, err)
		}
		if s.Texts > 1 {
			part.rows, part.cols = nil, nil
		}
		parts = append(parts, part)
		done()
	}
	out := Summarise(parts, s.Heads, o)
	out.Warnings = out.warnings(s.Source)
	if !s.Logits {
		return out, nil, nil
	}
	applied := logits.Applied(o.Scale, s.Dimension, s.Heads)
	return out, &applied, nil
}
