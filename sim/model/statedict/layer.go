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
	Scale                      float64 // factor of q·k in the model

	module
	opener       *opener
	files        arrayIndex
	config       *modelconfig.Config // config of its tower, or nil
	scores       modelconfig.Scores
	source       string        // source of the number of heads, in words
	misfit       string        // sentence if heads × d_k is not width although d_k is not given, otherwise ""
	configLayers int           // number of layers in the config; 0 if the config does not say
	storedShapes [2]string     // shapes of W_Q and W_K in the file
	used         []string      // names of the arrays that are read
	order        order         // order of the axes of W_Q and W_K
	layout       string        // one of Layouts
	isGated      bool          // in W_Q, rows of a gate follow the rows of each head
	width        int           // number of components of a token
	wq, wk       tensor.Matrix // outputs × inputs; in MLA, wk is the expansion, and wq too if queries are compressed
	bq, bk       []float64     // biases, one per row of wq and wk, or nil
	gain         []float64     // gain of the norm before the layer, or nil
	shift        []float64     // shift of the norm before the layer, or nil
	normName     string        // name of the gain's array
	noNormReason string        // reason for the missing gain, in words
	qNorm        *projection.HeadNorm
	kNorm        *projection.HeadNorm
	latent       *latentAttention // nil except in MLA
	err          error            // the first error while reading arrays
}

// open finds and checks the arrays of the layer of a module.
func (o *opener) open(m module) (*Layer, error) {
	if _, err := o.files.Lookup(m.queryArray); err != nil {
		return nil, err
	}
	if m.keyArray == "" {
		return nil, fmt.Errorf("%s has no %s next to it", m.queryArray, m.pattern.key)
	}
	if name := m.prefix + "q_conv1d.weight"; o.files.Has(name) { // linear attention, modeling_kimi.py
		return nil, fmt.Errorf("%s is between %s and the queries, and is not read", name, m.queryArray)
	}
	l := &Layer{module: m, opener: o, files: o.files, config: o.config.ForArray(m.queryArray)}
	if err := l.refuseStacked(); err != nil {
		return nil, err
	}
	l.wq, l.wk = l.matrix(m.queryArray), l.matrix(m.keyArray)
	if l.err != nil {
		return nil, l.err
	}
	l.storedShapes = [2]string{fmt.Sprintf("%d × %d", l.wq.Rows, l.wq.Columns),
		fmt.Sprintf("%d × %d", l.wk.Rows, l.wk.Columns)}
	l.order = l.findOrder()
	if l.order.inOut {
		l.wq, l.wk = l.wq.Transpose(), l.wk.Transpose()
	}
	// Numbers before the number of the layer must not be mistaken for it.
	name := digits.ReplaceAllString(m.queryArray[:m.numberStart], "_") + m.queryArray[m.numberStart:]
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
		err = l.openHeads(shape)
	}
	if err != nil {
		return nil, err
	}
	l.configLayers = shape.Layers
	index, _ := strconv.Atoi(m.layerNumber())
	l.scores = l.config.Scores(index, l.Dimension)
	if err := l.config.Err(); err != nil {
		return nil, err
	}
	l.Scale = l.scores.Factor()
	l.findNorms()
	return l, l.err
}

// fail records an error in err if it is the first one; err may be nil.
func (l *Layer) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// isType reports whether the config has the given model type.
func (l *Layer) isType(name string) bool { return l.config != nil && l.config.Type == name }

// errMisfit says that a config belongs to other weights.
var errMisfit = errors.New("does not fit the weights; if it is another model's, move it away")

func (l *Layer) refuseMisfit(s modelconfig.Shape) error {
	if len(s.Widths) > 0 && !slices.Contains(s.Widths, l.wq.Columns) {
		return fmt.Errorf("%s %w: its hidden size is %d, and %s takes %d inputs",
			l.config.Path, errMisfit, s.Widths[0], l.queryArray, l.wq.Columns)
	}
	if n, _ := strconv.Atoi(l.layerNumber()); s.Layers > 0 && n >= s.Layers {
		return fmt.Errorf("%s %w: it has %s, and %s is of layer %d, counted from 0",
			l.config.Path, errMisfit, names.Count(s.Layers, "layer"), l.queryArray, n)
	}
	return nil
}
