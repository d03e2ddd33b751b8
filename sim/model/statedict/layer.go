package statedict

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/projection"
	"mcsim/sim/names"
)

// Layer is one layer of attention.
type Layer struct {
	Title                      string
	Heads, KeyHeads, Dimension int
	Scale                      float64 // what the model multiplies q·k by

	module
	opener *opener
	files  arrays
	config *modelconfig.Config // of its tower, or nil
	scores modelconfig.Scores
	source string        // what told the number of heads
	narrow string        // how the heads do not make up the inputs, though nothing tells d_k
	layers int           // that the config has; 0 if it does not tell
	stored [2]string     // shapes of W_Q and W_K in the file
	used   []string      // arrays
	order  order         // of W_Q and W_K
	layout string        // one of Layouts
	gated  bool          // W_Q has rows of a gate after those of each head
	width  int           // of a token
	wq, wk tensor.Matrix // outputs × inputs; of MLA those after the latents
	bq, bk []float64     // of all outputs of the matrices, or nil
	gain   []float64     // of the norm before it, or nil
	shift  []float64     // likewise
	before string        // name of the gain's array
	place  string        // why there is no gain, in words
	qNorm  *projection.HeadNorm
	kNorm  *projection.HeadNorm
	latent *latent // of MLA
	err    error   // the first error while reading arrays
}

// open finds the arrays of a layer.
func (o *opener) open(m module) (*Layer, error) {
	if _, err := o.files.Lookup(m.query); err != nil {
		return nil, err
	}
	if m.key == "" {
		return nil, fmt.Errorf("%s has no %s next to it", m.query, m.pattern.key)
	}
	if name := m.prefix + "q_conv1d.weight"; o.files.Has(name) { // linear attention, modeling_kimi.py
		return nil, fmt.Errorf("%s is between %s and the queries, and is not read", name, m.query)
	}
	l := &Layer{module: m, opener: o, files: o.files, config: o.config.ForArray(m.query)}
	if err := l.refuseStacked(); err != nil {
		return nil, err
	}
	l.wq, l.wk = l.matrix(m.query), l.matrix(m.key)
	if l.err != nil {
		return nil, l.err
	}
	l.stored = [2]string{fmt.Sprintf("%d × %d", l.wq.Rows, l.wq.Columns),
		fmt.Sprintf("%d × %d", l.wk.Rows, l.wk.Columns)}
	if l.order = l.findOrder(); l.order.inOut {
		l.wq, l.wk = l.wq.Transpose(), l.wk.Transpose()
	}
	// Numbers before that of the layer are not the layer's.
	name := number.ReplaceAllString(m.query[:m.from], "_") + m.query[m.from:]
	shape, err := l.config.Shape(name, l.wq.Columns)
	if err != nil && o.Heads == 0 && o.Dimension == 0 {
		return nil, err
	}
	if err = l.refuseMisfit(shape); err != nil {
		return nil, err
	}
	if l.layout, err = l.findLayout(shape.Layout); err != nil {
		return nil, err
	}
	if l.layout == LayoutLatent {
		err = l.openLatent(shape)
	} else {
		err = l.openPlain(shape)
	}
	if err != nil {
		return nil, err
	}
	l.layers = shape.Layers
	index, _ := strconv.Atoi(m.number())
	l.scores = l.config.Scores(index, l.Dimension)
	if err := l.config.Err(); err != nil {
		return nil, err
	}
	l.Scale = l.scores.Factor()
	l.findNorms()
	return l, l.err
}

// fail keeps the first error.
func (l *Layer) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// isType reports whether the config says that the model is of a type.
func (l *Layer) isType(name string) bool { return l.config != nil && l.config.Type == name }

// errMisfit says that a config is not that of the weights.
var errMisfit = errors.New("does not fit the weights; if it is another model's, move it away")

// refuseMisfit refuses a config that does not fit the weights.
func (l *Layer) refuseMisfit(s modelconfig.Shape) error {
	if len(s.Widths) > 0 && !slices.Contains(s.Widths, l.wq.Columns) {
		return fmt.Errorf("%s %w: its hidden size is %d, and %s takes %d inputs",
			l.config.Path, errMisfit, s.Widths[0], l.query, l.wq.Columns)
	}
	if n, _ := strconv.Atoi(l.number()); s.Layers > 0 && n >= s.Layers {
		return fmt.Errorf("%s %w: it has %s, and %s is of layer %d, counted from 0",
			l.config.Path, errMisfit, names.Count(s.Layers, "layer"), l.query, n)
	}
	return nil
}
