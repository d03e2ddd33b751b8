package statedict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/inspect"
	"mcsim/sim/tensor"
)

// Layer is one layer of attention.
type Layer struct {
	Title                      string
	Heads, KeyHeads, Dimension int

	layout string
	width  int           // of a token
	wq, wk tensor.Matrix // outputs × inputs; of MLA those behind the latents
	bq, bk []float64     // of all outputs of the matrices, or nil
	gain   []float64     // of the norm before it, or nil
	shift  []float64     // likewise
	before string        // the array of the gain
	unsure bool          // there is a norm, of which names do not tell where it stands
	qNorm  *headNorm
	kNorm  *headNorm
	latent *latent // of MLA
}

// headNorm is a norm of queries or keys.
type headNorm struct {
	gain, shift []float64 // of a head, or of all heads
	epsilon     float64   // that is added to the mean square
	layer       bool      // LayerNorm, which takes the mean off
	whole       bool      // over all heads together
}

// latent is what MLA has before its matrices of heads.
type latent struct {
	query            tensor.Matrix // of queries; without columns where they have none
	key              tensor.Matrix // of keys, with the rotated part, which all heads share, behind
	queryGain, gain  []float64
	queryBias, bias  []float64
	nope, rope, full int // rows of a head: of both, of the rotated part, and of nope with values
}

// side is one of the two in a layer: its matrix, from row(head) on so many rows a head.
type side struct {
	weights tensor.Matrix
	bias    []float64
	heads   int
	rows    func(head int) int
	size    int
	norm    *headNorm
}

// sides are queries and keys.
func (l *Layer) sides() (q, k side) {
	group := l.Heads / l.KeyHeads
	q = side{l.wq, l.bq, l.Heads, func(h int) int { at, _ := l.rows(h); return at }, l.Dimension, l.qNorm}
	k = side{l.wk, l.bk, l.KeyHeads, func(h int) int { _, at := l.rows(h * group); return at }, l.Dimension, l.kNorm}
	return q, k
}

// heads projects tokens by every head, with the Gram matrix of its weights.
func (l *Layer) heads(s side, x tokens, e entry, workers int) (out, grams []inspect.Vectors, err error) {
	out, grams = make([]inspect.Vectors, s.heads), make([]inspect.Vectors, s.heads)
	err = parallel(workers, s.heads, func(h int) error {
		at := s.rows(h)
		w, err := pack(s.weights.Part(at, at+s.size, 0, s.weights.Columns), e)
		if err != nil {
			return err
		}
		bias := make([]float64, s.size)
		if s.bias != nil {
			copy(bias, s.bias[at:])
		}
		if e.shift != nil {
			if err := addShift(bias, s.weights.Part(at, at+s.size, 0, s.weights.Columns), e.shift); err != nil {
				return err
			}
		}
		out[h], grams[h] = w.project(x, bias), w.gram()
		packs.Put(w)
		return nil
	})
	if err == nil && s.norm != nil {
		s.norm.apply(out)
	}
	return out, grams, err
}

// addShift adds what the shift of the norm before the layer gives.
func addShift(bias []float64, m tensor.Matrix, shift []float64) error {
	row := make([]float64, m.Columns)
	for i := range bias {
		if err := tensor.Read(m.Part(i, i+1, 0, m.Columns), row); err != nil {
			return err
		}
		for c, x := range row {
			bias[i] += float64(x * shift[c])
		}
	}
	return nil
}

// apply normalises the vectors of all heads.
func (n *headNorm) apply(heads []inspect.Vectors) {
	for i := range heads[0].Rows {
		if n.whole {
			var all []float64
			for _, h := range heads {
				all = append(all, h.Row(i)...)
			}
			n.one(all, n.gain, n.shift)
			for _, h := range heads {
				all = all[copy(h.Row(i), all):]
			}
			continue
		}
		for h, v := range heads {
			d := v.Dimension
			at := h * d % max(1, len(n.gain)) // a gain of its own, or one for all
			gain, shift := n.gain, n.shift
			if len(gain) > d {
				gain = gain[at : at+d]
			}
			if len(shift) > d {
				shift = shift[at : at+d]
			}
			n.one(v.Row(i), gain, shift)
		}
	}
}

// epsilon is what most models add to the mean square.
const epsilon = 1e-6

// one normalises a vector.
func (n *headNorm) one(x, gain, shift []float64) {
	mean, square := 0.0, 0.0
	if n.layer {
		for _, a := range x {
			mean += a / float64(len(x))
		}
	}
	for _, a := range x {
		square += float64((a - mean) * (a - mean))
	}
	factor := 1 / math.Sqrt(square/float64(len(x))+n.epsilon)
	for c := range x {
		x[c] = (x[c] - mean) * factor
		if gain != nil {
			x[c] *= gain[c]
		}
		if shift != nil {
			x[c] += shift[c]
		}
	}
}

// open finds the arrays of a layer.
func (o *Options) open(files *tensor.Files, c config, f found) (*Layer, error) {
	if _, err := files.Lookup(f.query); err != nil {
		return nil, err
	}
	if f.key == "" {
		return nil, fmt.Errorf("%s has no %s beside it", f.query, f.pattern.key)
	}
	layout, err := f.of(c, *o)
	if err != nil {
		return nil, err
	}
	two := layout == LayoutSeparate || layout == LayoutLatent
	if two == (f.query == f.key) || layout == LayoutLatent && f.pattern.layout != layout {
		return nil, fmt.Errorf("%s and %s: the layout %s is not that of these arrays", f.query, f.key, layout)
	}
	l := &Layer{layout: layout}
	if layout == LayoutLatent {
		err = l.openLatent(files, o, c, f)
	} else {
		err = l.openPlain(files, o, c, f)
	}
	if err != nil {
		return nil, err
	}
	return l, o.norms(files, c, f, l)
}

// What W_Q may have, so that a head, and the tokens, can be held.
const mostOutputs, mostWidth, mostDimension = 1 << 18, 1 << 17, 1024

// mostProjected bounds the numbers of all queries of a layer.
const mostProjected = 1 << 25

// openPlain finds W_Q and W_K, and their biases.
func (l *Layer) openPlain(files *tensor.Files, o *Options, c config, f found) (err error) {
	l.Heads, l.KeyHeads = either(o.Heads, c.heads()), either(o.KeyHeads, c.keyHeads())
	l.Dimension = either(o.Dimension, c.dimension())
	if l.wq, err = matrix(files, f.query); err != nil {
		return err
	}
	if l.wk, err = matrix(files, f.key); err != nil {
		return err
	}
	if shape := headShape(files, f.query); shape != nil { // a kernel of Flax that has them
		l.Heads, l.Dimension, l.KeyHeads = shape[1], shape[2], shape[1]
		if keys := headShape(files, f.key); keys != nil {
			l.KeyHeads = keys[1]
		}
	}
	if f.transposed || l.layout == LayoutPacked && l.wq.Columns == 3*l.wq.Rows {
		l.wq, l.wk = l.wq.Transposed(), l.wk.Transposed()
	}
	if l.Dimension == 0 && l.Heads == 0 {
		l.Dimension = o.gainOf(files, f, l.wq.Rows)
	}
	if err := l.count(f); err != nil {
		return err
	}
	if l.wk.Columns != l.wq.Columns {
		return fmt.Errorf("%s takes %d inputs, and %s %d", f.query, l.wq.Columns, f.key, l.wk.Columns)
	}
	if need, rows := outputs(l.layout, l.Heads, l.KeyHeads, l.Dimension), l.wq.Rows; need != rows {
		return fmt.Errorf("%s has %d outputs; %d heads of queries and %d of keys of d_k = %d, %s, are %d",
			f.query, rows, l.Heads, l.KeyHeads, l.Dimension, l.layout, need)
	}
	if need := l.KeyHeads * l.Dimension; l.layout == LayoutSeparate && need != l.wk.Rows {
		return fmt.Errorf("%s has %d outputs; %d heads of d_k = %d are %d: say --kv-heads",
			f.key, l.wk.Rows, l.KeyHeads, l.Dimension, need)
	}
	if l.width = l.wq.Columns; l.width > mostWidth || l.wq.Rows > mostOutputs || l.Dimension > mostDimension {
		return fmt.Errorf("%s has %d outputs of %d inputs, and d_k = %d; at most %d, %d and %d are read",
			f.query, l.wq.Rows, l.width, l.Dimension, mostOutputs, mostWidth, mostDimension)
	}
	return l.biases(files, f)
}

// biases finds those of queries and keys: beside their weights, in one with that of values though
// the weights are apart (MultiheadAttention whose values have another width), or of queries alone
// (BEiT: huggingface/pytorch-image-models, timm/models/beit.py).
func (l *Layer) biases(files *tensor.Files, f found) (err error) {
	if l.bq, err = vector(files, biasOf(f.query), l.wq.Rows); err != nil {
		return err
	}
	if l.bk, err = vector(files, biasOf(f.key), l.wk.Rows); err != nil || l.bq != nil {
		return err
	}
	n := l.wq.Rows
	if l.layout == LayoutSeparate {
		all, err := vector(files, f.prefix+"in_proj_bias", 3*n)
		if all != nil {
			l.bq, l.bk = all[:n], all[n:2*n]
		}
		return err
	}
	q, err := vector(files, f.prefix+"q_bias", l.Heads*l.Dimension)
	if q != nil && l.layout == LayoutPacked {
		l.bq = append(q, make([]float64, n-len(q))...)
		l.bk = l.bq
	}
	return err
}

// count works out how many heads there are.
func (l *Layer) count(f found) error {
	rows := l.wq.Rows
	switch {
	case l.Heads == 0 && l.Dimension == 0:
		return fmt.Errorf("%s has %d outputs: say --heads or --d-k; no config.json beside the file tells",
			f.query, rows)
	case l.layout == LayoutSeparate:
		l.Heads = either(l.Heads, rows/max(1, l.Dimension))
		l.Dimension = either(l.Dimension, rows/l.Heads)
		l.KeyHeads = either(l.KeyHeads, l.wk.Rows/max(1, l.Dimension))
	case l.Heads == 0:
		l.Heads = (rows/l.Dimension - 2*l.KeyHeads) / (3 - 2*min(1, l.KeyHeads))
	}
	l.KeyHeads = either(l.KeyHeads, l.Heads)
	if l.layout == LayoutInterleaved {
		l.KeyHeads = l.Heads
	}
	l.Dimension = either(l.Dimension, rows/max(1, l.Heads+2*l.KeyHeads))
	if min(l.Heads, l.Dimension, l.KeyHeads) < 1 || max(l.Heads, l.Dimension) > rows || l.Heads%l.KeyHeads != 0 {
		return fmt.Errorf("%s has %d outputs, which do not make %d heads of queries and %d of keys",
			f.query, rows, l.Heads, l.KeyHeads)
	}
	return nil
}

// headShape is inputs × heads × d_k of a kernel of Flax (flax/linen/attention.py,
// MultiHeadDotProductAttention); nil of other arrays.
func headShape(files *tensor.Files, name string) []int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) != 3 || !strings.HasSuffix(name, "kernel") {
		return nil
	}
	return a.Shape
}

// matrix is an array of two axes, or of three whose last two are the outputs.
func matrix(files *tensor.Files, name string) (tensor.Matrix, error) {
	a, err := files.Lookup(name)
	if err != nil {
		return tensor.Matrix{}, err
	}
	if headShape(files, name) != nil {
		if all, ok := a.Merged(); ok {
			a = all
		}
	}
	if slices.Contains(a.Shape, 0) {
		return tensor.Matrix{}, fmt.Errorf("%s has the shape %s, and so no numbers", name, a.Dimensions())
	}
	if len(a.Shape) != 2 {
		return tensor.Matrix{}, fmt.Errorf("%s has the shape %s; weights have outputs × inputs. "+
			"For samples type --q and --k in place of --wq and --wk", name, a.Dimensions())
	}
	if !strings.HasPrefix(a.Type, "F") && a.Type != "BF16" {
		return tensor.Matrix{}, fmt.Errorf("%s has the type %s; weights that are quantised are not read: "+
			"save them as BF16, F16, F32 or F64", name, a.Type)
	}
	return a.Matrix()
}

// vector is an array of so many numbers; nil where there is none of that name.
func vector(files *tensor.Files, name string, n int) ([]float64, error) {
	if name == "" || !files.Has(name) {
		return nil, nil
	}
	a, err := files.Lookup(name)
	if err != nil {
		return nil, err
	}
	m, err := a.Matrix()
	if err != nil {
		return nil, err
	}
	if m.Rows*m.Columns != n {
		return nil, fmt.Errorf("%s has the shape %s; it should have %d numbers", name, a.Dimensions(), n)
	}
	out := make([]float64, n)
	return out, tensor.Read(m, out)
}

// biasOf is the name of the bias beside a weight.
func biasOf(weight string) string {
	for _, e := range []string{"weight", "kernel"} {
		if base, ok := strings.CutSuffix(weight, e); ok {
			return base + "bias"
		}
	}
	return ""
}
