package statedict

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
)

// Layer is one layer of attention.
type Layer struct {
	Title                      string
	Heads, KeyHeads, Dimension int
	Scale                      float64 // what the model multiplies q·k by

	found  found
	config *modelconfig.Config // of its tower, or nil
	scores modelconfig.Scores
	source string    // what told the number of heads
	narrow string    // how the heads do not make up the inputs, though nothing tells d_k
	layers int       // that the config has; 0 if it does not tell
	stored [2]string // shapes of W_Q and W_K in the file
	used   []string  // arrays
	order  order
	layout string
	gated  bool          // W_Q has rows of a gate after those of each head
	width  int           // of a token
	wq, wk tensor.Matrix // outputs × inputs; of MLA those after the latents
	bq, bk []float64     // of all outputs of the matrices, or nil
	gain   []float64     // of the norm before it, or nil
	shift  []float64     // likewise
	before string        // name of the gain's array
	place  string        // why there is none, in words
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
	unit        bool      // makes vectors of length 1, in place of mean square 1
}

// latent has what MLA does before its matrices of heads.
type latent struct {
	query            tensor.Matrix // of queries; without columns if they have none
	key              tensor.Matrix // of keys, with the rotated part, which all heads share, after them
	queryGain, gain  []float64
	queryBias, bias  []float64
	nope, rope, full int // rows of a head: of both, of the rotated part, and of nope with values
}

// side is queries or keys of a layer: a matrix with size rows from rows(head) on for each head.
type side struct {
	weights tensor.Matrix
	bias    []float64
	heads   int
	rows    func(head int) int
	size    int
	norm    *headNorm
}

// sides returns queries and keys.
func (l *Layer) sides() (q, k side) {
	group := l.Heads / l.KeyHeads
	q = side{l.wq, l.bq, l.Heads, func(h int) int { at, _ := l.rows(h); return at }, l.Dimension, l.qNorm}
	k = side{l.wk, l.bk, l.KeyHeads, func(h int) int { _, at := l.rows(h * group); return at }, l.Dimension, l.kNorm}
	return q, k
}

// heads returns the tokens projected by every head, and the Gram matrices of the heads' weights.
func (l *Layer) heads(s side, x projection.Tokens, e projection.Entry, workers int) (out, grams []inspect.Vectors, err error) {
	out, grams = make([]inspect.Vectors, s.heads), make([]inspect.Vectors, s.heads)
	err = projection.Parallel(workers, s.heads, func(h int) error {
		first := s.rows(h)
		v, w, err := projectRows(s.weights, s.bias, first, first+s.size, x, e)
		if err != nil {
			return err
		}
		out[h], grams[h] = v, w.Gram()
		w.Release()
		return nil
	})
	if err == nil && s.norm != nil {
		s.norm.apply(out)
	}
	return out, grams, err
}

// projectRows returns tokens times some rows of a matrix behind a norm, plus their biases if there are
// any, and these rows.
func projectRows(
	m tensor.Matrix, biases []float64, first, last int, x projection.Tokens, e projection.Entry,
) (inspect.Vectors, *projection.Packed, error) {
	rows := m.Part(first, last, 0, m.Columns)
	w, err := projection.Pack(rows, e)
	if err != nil {
		return inspect.Vectors{}, nil, err
	}
	bias := make([]float64, last-first)
	if biases != nil {
		copy(bias, biases[first:])
	}
	if e.Shift != nil {
		err = addShift(bias, rows, e.Shift)
	}
	return w.Project(x, bias), w, err
}

// addShift adds to biases the projection of the shift of the norm before the layer.
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
	if n.unit {
		factor = 1 / max(math.Sqrt(square), 1e-12) // torch.nn.functional.normalize
	}
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
func (o *Options) open(files *tensor.Files, config *modelconfig.Config, f found) (*Layer, error) {
	if _, err := files.Lookup(f.query); err != nil {
		return nil, err
	}
	if f.key == "" {
		return nil, fmt.Errorf("%s has no %s next to it", f.query, f.pattern.key)
	}
	if name := f.prefix + "q_conv1d.weight"; files.Has(name) { // linear attention, modeling_kimi.py
		return nil, fmt.Errorf("%s is between %s and the queries, and is not read", name, f.query)
	}
	if err := refuseStacked(files, f); err != nil {
		return nil, err
	}
	l := &Layer{found: f, config: config.For(f.query), used: []string{f.query, f.key}}
	var err error
	if l.wq, err = matrix(files, f.query); err != nil {
		return nil, err
	}
	if l.wk, err = matrix(files, f.key); err != nil {
		return nil, err
	}
	for i, m := range []tensor.Matrix{l.wq, l.wk} {
		l.stored[i] = fmt.Sprintf("%d × %d", m.Rows, m.Columns)
	}
	l.order = o.orderOf(files, f, l.wq, l.wk)
	if l.order.inOut {
		l.wq, l.wk = l.wq.Transposed(), l.wk.Transposed()
	}
	// Numbers before that of the layer are not the layer's.
	shape, err := l.config.Shape(number.ReplaceAllString(f.query[:f.from], "_")+f.query[f.from:], l.wq.Columns)
	if err != nil && o.Heads == 0 && o.Dimension == 0 {
		return nil, err
	}
	if err = l.compare(shape); err != nil {
		return nil, err
	}
	if l.layout, err = o.layoutOf(files, f, shape.Layout); err != nil {
		return nil, err
	}
	two := l.layout == LayoutSeparate || l.layout == LayoutLatent
	if two == (f.query == f.key) || l.layout == LayoutLatent && f.pattern.layout != l.layout {
		return nil, fmt.Errorf("%s and %s: the layout %s is not that of these arrays", f.query, f.key, l.layout)
	}
	if l.layout == LayoutLatent {
		err = l.openLatent(files, o, shape)
	} else {
		err = l.openPlain(files, o, shape)
	}
	if err != nil {
		return nil, err
	}
	l.layers = shape.Layers
	index, _ := strconv.Atoi(f.number())
	l.scores = l.config.Scores(index, l.Dimension)
	if err := l.config.Err(); err != nil {
		return nil, err
	}
	l.Scale = l.scores.Factor()
	return l, l.norms(files)
}

// isType reports whether the config says that the model is of a type.
func (l *Layer) isType(name string) bool { return l.config != nil && l.config.Type == name }

// errMisfit says that a config is not that of the weights.
var errMisfit = errors.New("does not fit the weights; if it is another model's, move it away")

// compare refuses a config that does not fit the weights.
func (l *Layer) compare(s modelconfig.Shape) error {
	name, width := l.found.query, l.wq.Columns
	if len(s.Widths) > 0 && !slices.Contains(s.Widths, width) {
		return fmt.Errorf("%s %w: its hidden size is %d, and %s takes %d inputs",
			l.config.Path, errMisfit, s.Widths[0], name, width)
	}
	if n, _ := strconv.Atoi(l.found.number()); s.Layers > 0 && n >= s.Layers {
		return fmt.Errorf("%s %w: it has %s, and %s is of layer %d, counted from 0",
			l.config.Path, errMisfit, counted(s.Layers, "layer"), name, n)
	}
	return nil
}

// The largest matrices of which a head, and the tokens, can be kept.
const maxOutputs, maxWidth, maxDimension = 1 << 18, 1 << 17, 1024

// maxProjected bounds the numbers of all queries of a layer.
const maxProjected = 1 << 25

// setHeads takes the numbers of heads and d_k that flags, the config or the shape of a kernel tell. It
// refuses a kernel that contradicts the others.
func (l *Layer) setHeads(files *tensor.Files, o *Options, s modelconfig.Shape) error {
	l.Heads, l.KeyHeads = cmp.Or(o.Heads, s.Heads), cmp.Or(o.KeyHeads, s.KeyHeads)
	l.Dimension = cmp.Or(o.Dimension, s.Dimension)
	if o.Dimension > 0 && l.layout == LayoutSeparate && !s.Gated { // heads that the config has may be pruned
		l.Heads, l.KeyHeads = o.Heads, o.KeyHeads
	}
	l.source = saidByFlags
	if o.Heads == 0 && o.Dimension == 0 {
		l.source = "the shapes of arrays"
		if l.config != nil && (s.Heads > 0 || s.Dimension > 0) {
			l.source = filepath.Base(l.config.Path)
		}
	}
	if shape := headShape(files, l.found.query); shape != nil { // a kernel of Flax that has them
		if shape[0] < shape[1] { // KerasHub's Gemma has heads × inputs × d_k
			return fmt.Errorf("%s has shape %v; with 3 axes, inputs × heads × d_k are read, and no layer has more heads "+
				"than inputs", l.found.query, shape)
		}
		said := [3]int{l.Heads, l.KeyHeads, l.Dimension}
		l.Heads, l.Dimension, l.KeyHeads = shape[1], shape[2], shape[1]
		if keys := headShape(files, l.found.key); keys != nil {
			l.KeyHeads = keys[1]
		}
		for i, n := range [3]int{l.Heads, l.KeyHeads, l.Dimension} {
			if said[i] > 0 && said[i] != n {
				return fmt.Errorf("%s has %d heads of queries, %d of keys and d_k = %d by its shape, and not what %s says",
					l.found.query, l.Heads, l.KeyHeads, l.Dimension, l.source)
			}
		}
	}
	return nil
}

// openPlain finds the heads of W_Q and W_K, and their biases.
func (l *Layer) openPlain(files *tensor.Files, o *Options, s modelconfig.Shape) error {
	f := l.found
	if err := l.setHeads(files, o, s); err != nil {
		return err
	}
	if err := l.countBeside(files); err != nil {
		return err
	}
	if l.wk.Columns != l.wq.Columns {
		return fmt.Errorf("%s takes %d inputs, and %s %d; if W is inputs × outputs, say --order in-out",
			f.query, l.wq.Columns, f.key, l.wk.Columns)
	}
	l.width = l.wq.Columns
	isTold := l.Dimension > 0 || ownModule.MatchString(f.prefix)
	if err := l.count(); err != nil {
		return err
	}
	if l.layout == LayoutSeparate && !isTold && !l.isType("convbert") && l.Heads*l.Dimension != l.width {
		l.narrow = fmt.Sprintf("%d heads of d_k = %d make %d outputs of %d inputs, as if heads are pruned or in "+
			"another file: say --d-k", l.Heads, l.Dimension, l.Heads*l.Dimension, l.width)
	}
	l.gated = l.layout == LayoutSeparate && s.Gated && l.wq.Rows == 2*l.Heads*l.Dimension
	need, rows := outputs(l.layout, l.Heads, l.KeyHeads, l.Dimension), l.wq.Rows
	if l.gated {
		need *= 2
	}
	if need != rows {
		return fmt.Errorf("%s has %d outputs; %d heads of queries and %d of keys of d_k = %d, %s, are %d",
			f.query, rows, l.Heads, l.KeyHeads, l.Dimension, l.layout, need)
	}
	if need := l.KeyHeads * l.Dimension; l.layout == LayoutSeparate && need != l.wk.Rows {
		return fmt.Errorf("%s has %d outputs; %d heads of d_k = %d are %d: say --kv-heads",
			f.key, l.wk.Rows, l.KeyHeads, l.Dimension, need)
	}
	if l.width > maxWidth || l.wq.Rows > maxOutputs || l.Dimension > maxDimension {
		return fmt.Errorf("%s has %d outputs of %d inputs, and d_k = %d; at most %d, %d and %d are read",
			f.query, l.wq.Rows, l.width, l.Dimension, maxOutputs, maxWidth, maxDimension)
	}
	return l.biases(files)
}

// saidByFlags is the source of numbers that a user says.
const saidByFlags = "the flags"

// ownModule matches the module of a single head.
var ownModule = regexp.MustCompile(`(^|[./])heads?[._]\d+[./_]$`)

// countBeside takes the number of heads, or d_k, of arrays next to W_Q: those that have a number for
// each head, and the gain of a norm of queries. It refuses what contradicts the number that is said.
func (l *Layer) countBeside(files *tensor.Files) error {
	for _, name := range []string{"logit_scale", "sinks", "relative_position_bias_table", "attention_biases"} {
		a, err := files.Lookup(l.found.prefix + name)
		if err != nil || len(a.Shape) == 0 {
			continue
		}
		n := a.Shape[0]
		if name == "relative_position_bias_table" {
			n = a.Shape[len(a.Shape)-1]
		}
		if l.Heads > 0 && l.Heads != n && n > 1 {
			return fmt.Errorf("%s has the shape %s, of %d heads, and %s makes %s of %d",
				a.Name, a.Dimensions(), n, l.source, l.found.query, l.Heads)
		}
		if l.Heads == 0 && l.Dimension == 0 && n > 1 {
			l.Heads, l.source = n, a.Name
		}
	}
	if l.Heads == 0 && l.Dimension == 0 && ownModule.MatchString(l.found.prefix) {
		l.Heads = 1
	}
	if l.Heads > 0 || l.Dimension > 0 {
		return nil
	}
	if n := findNorm(files, l.found.prefix, lists["queries"]); n.weight != "" {
		a, err := files.Lookup(n.weight)
		if err == nil && len(a.Shape) > 0 && a.Shape[len(a.Shape)-1] < l.wq.Rows { // else of all heads together
			l.Dimension = a.Shape[len(a.Shape)-1]
		}
	}
	return nil
}

// biases finds those of queries and keys: next to their weights, in one with that of values though
// the weights are apart (MultiheadAttention whose values have another width), or of queries alone
// (BEiT: huggingface/pytorch-image-models, timm/models/beit.py).
func (l *Layer) biases(files *tensor.Files) (err error) {
	f, n := l.found, l.wq.Rows
	if l.bq, err = l.vector(files, biasOf(files, f.query), n); err != nil {
		return err
	}
	if l.bk, err = l.vector(files, biasOf(files, f.key), l.wk.Rows); err != nil || l.bq != nil {
		return err
	}
	if l.layout == LayoutSeparate {
		all, err := l.vector(files, f.prefix+"in_proj_bias", 3*n)
		if all != nil {
			l.bq, l.bk = all[:n], all[n:2*n]
			return err
		}
	}
	q, err := l.vector(files, f.prefix+"q_bias", l.Heads*l.Dimension)
	if q == nil || err != nil || l.layout != LayoutSeparate && l.layout != LayoutPacked {
		return err
	}
	k, err := l.vector(files, f.prefix+"k_bias", l.KeyHeads*l.Dimension)
	if k == nil {
		k = make([]float64, l.KeyHeads*l.Dimension)
	}
	if l.bq = append(q, k...); l.layout == LayoutSeparate {
		l.bk = k
		return err
	}
	l.bq = append(l.bq, make([]float64, n-len(l.bq))...)
	l.bk = l.bq
	return err
}

// count works out the numbers of heads and d_k. Of one array for queries, keys and values, whose
// heads of keys are not said, heads make up the inputs.
func (l *Layer) count() error {
	name, rows := l.found.query, l.wq.Rows
	said := l.Dimension > 0
	switch {
	case l.Heads == 0 && !said:
		return fmt.Errorf("%s has %d outputs: say --heads or --d-k; %s", name, rows, l.untold())
	case l.layout == LayoutSeparate:
		l.Heads = cmp.Or(l.Heads, rows/max(1, l.Dimension))
		l.Dimension = cmp.Or(l.Dimension, rows/l.Heads)
		l.KeyHeads = cmp.Or(l.KeyHeads, l.wk.Rows/max(1, l.Dimension))
	case l.Heads == 0:
		l.Heads = (rows/l.Dimension - 2*l.KeyHeads) / (3 - 2*min(1, l.KeyHeads))
	case said || l.KeyHeads > 0 || l.layout == LayoutInterleaved || l.width%l.Heads != 0:
	case rows != 3*l.width && rows != 2*l.width: // GC-ViT has keys and values alone in twice its inputs
		l.Dimension = l.width / l.Heads
		l.KeyHeads = (rows/l.Dimension - l.Heads) / 2
	}
	if l.KeyHeads == 0 || l.layout == LayoutInterleaved {
		l.KeyHeads = l.Heads
	}
	l.Dimension = cmp.Or(l.Dimension, rows/max(1, l.Heads+2*l.KeyHeads))
	if min(l.Heads, l.Dimension, l.KeyHeads) < 1 || max(l.Heads, l.Dimension) > rows || l.Heads%l.KeyHeads != 0 {
		return fmt.Errorf("%s has %d outputs, which do not make %d heads of queries and %d of keys",
			name, rows, l.Heads, l.KeyHeads)
	}
	if l.layout != LayoutSeparate && !said && l.Heads*l.Dimension != l.width {
		return fmt.Errorf("%s has %d outputs of %d inputs; %d heads of queries and %d of keys would have d_k = %d, "+
			"and %d × %d is not %d: say --kv-heads, or --d-k if that is meant",
			name, rows, l.width, l.Heads, l.KeyHeads, l.Dimension, l.Heads, l.Dimension, l.width)
	}
	return nil
}

// untold says why no config.json gives the number of heads.
func (l *Layer) untold() string {
	switch {
	case l.config == nil:
		return "no config.json is next to the file"
	case l.config.Tower != "":
		return l.config.Tower + " of " + l.config.Path + " does not say"
	}
	return l.config.Path + " does not say"
}

// stacking matches modules of all layers.
var stacking = regexp.MustCompile(`(^|[./])(layers?|blocks?|encoderblock|h)[./]`)

// refuseStacked refuses a kernel of JAX that has an axis for layers, as nn.scan of Flax and T5X make it.
func refuseStacked(files *tensor.Files, f found) error {
	a, err := files.Lookup(f.query)
	isMany := err == nil && (len(a.Shape) > 3 || len(a.Shape) == 3 && stacking.MatchString(f.prefix))
	if !isMany || !f.kernel || numbered.MatchString(f.prefix) {
		return nil
	}
	return fmt.Errorf("%s has the shape %s, of which one axis may be that of layers: save each layer's arrays apart, "+
		"with its number in their names", f.query, a.Dimensions())
}

// headShape returns inputs × heads × d_k of a kernel of Flax (flax/linen/attention.py,
// MultiHeadDotProductAttention); nil for other arrays.
func headShape(files *tensor.Files, name string) []int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) != 3 || !strings.HasSuffix(name, "kernel") {
		return nil
	}
	return a.Shape
}

// matrix returns an array of two axes, or of three whose last two are the outputs.
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
		layers := number.ReplaceAllString(name, "{}")
		return tensor.Matrix{}, fmt.Errorf("%s has the shape %s; weights have two axes. If these are queries or keys, "+
			"name them by --q and --k, such as --q '%s'", name, a.Dimensions(), layers)
	}
	if !strings.HasPrefix(a.Type, "F") && a.Type != "BF16" {
		return tensor.Matrix{}, fmt.Errorf("%s has the type %s; weights that are quantised are not read: "+
			"save them as BF16, F16, F32 or F64", name, a.Type)
	}
	return a.Matrix()
}

// vector reads an array of n numbers; nil if there is none of that name.
func (l *Layer) vector(files *tensor.Files, name string, n int) ([]float64, error) {
	if name == "" || !files.Has(name) {
		return nil, nil
	}
	a, err := files.Lookup(name)
	if err != nil {
		return nil, err
	}
	size := 1
	for _, s := range a.Shape {
		size *= s
	}
	if size != n {
		return nil, fmt.Errorf("%s has the shape %s; it should have %d numbers", name, a.Dimensions(), n)
	}
	flat := *a
	flat.Shape = []int{n}
	m, err := flat.Matrix()
	if err != nil {
		return nil, err
	}
	l.used = append(l.used, name)
	out := make([]float64, n)
	return out, tensor.Read(m, out)
}
