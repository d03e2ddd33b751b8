// Package statedict finds W_Q and W_K of every head in the state dict of a model by their names,
// and computes queries and keys of tokens. Tokens are given, or they are sampled and normalised as
// in the model. Rotary positions (RoPE) are omitted.
//
//   - search.go finds layers by the names in names.txt, number.go their numbers, and tower.go groups
//     layers that belong together.
//   - layer.go opens a layer: heads.go counts its heads, layout.go and order.go find the arrangement
//     of its matrices, norms.go finds its norms, latent.go opens MLA.
//   - tokens.go provides tokens, package projection multiplies them; summary.go joins the heads.
//   - describe.go says how arrays are interpreted, unused.go which arrays may matter but are not read.
package statedict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
)

// Options are the settings of a user. The values of empty settings are found in the files.
type Options struct {
	Query, Key                 string // names of arrays; {} is the number of a layer
	Layout, Order              string
	Tower                      string // part of the names of the layers to measure
	Heads, KeyHeads, Dimension int
	Norm                       string // norm of tokens
	Tokens                     int    // number of tokens that are sampled for queries, and again for keys
	X                          string // array of activations, rows × d_model; {} is the number of a layer
	Seed                       uint64
	Path                       string // path of the file; config.json may be next to it
}

// Model has the layers of a state dict.
type Model struct {
	Layers  []*Layer
	Subject []string // sentences on the arrays that are judged
	Caveats []string // phrases on the restrictions of a verdict
	Notes   []string // assumptions
	Doubts  []string // reasons for which there is no verdict
	Scales  []string // reasons for which there is no verdict unless the user gives the scale

	files       arrayIndex
	options     Options
	norm        string
	activations []string // arrays of activations, one per layer; nil if tokens are sampled
	texts       int
}

// opener opens the layers of a state dict.
type opener struct {
	Options
	files  arrayIndex
	config *modelconfig.Config

	// votes maps the shape of W_Q to the votes for outputs × inputs and for inputs × outputs.
	votes    map[[2]int][2]int
	endNorms func() (afterEmbedding, afterLast bool) // computes findEndNorms only once
}

// Open finds the layers of attention in the files, and checks that they can be measured with the
// options.
func Open(files *tensor.Files, options Options) (*Model, error) {
	index := arrayIndex{files}
	config, err := modelconfig.ReadNextTo(options.Path)
	if err != nil {
		return nil, err
	}
	o := &opener{options, index, config, map[[2]int][2]int{}, sync.OnceValues(index.findEndNorms)}
	modules, cross, err := o.findModules()
	if err != nil {
		return nil, err
	}
	setNumberStarts(modules)
	var candidates []*candidate
	for _, module := range modules {
		candidates = append(candidates, o.newCandidate(module))
	}
	chosen, others, err := o.chooseTower(candidates)
	if err != nil {
		return nil, err
	}
	m := &Model{files: index, options: options, texts: 1}
	var failed []*candidate
	for _, c := range chosen.candidates {
		switch {
		case errors.Is(c.err, errMisfit):
			return nil, c.err
		case c.err != nil:
			failed = append(failed, c)
		default:
			m.Layers = append(m.Layers, c.layer)
		}
	}
	if len(m.Layers) == 0 {
		return nil, failed[0].err
	}
	setTitles(m.Layers)
	m.describe(chosen)
	m.describeOmissions(failed, cross, others)
	m.describeUnused(append(modules, cross...))
	if options.Query == "" {
		m.describeUnknown(append(modules, cross...))
	}
	if options.X == "" {
		m.Caveats = append(m.Caveats, "for drawn tokens, which says nothing about a trained model: "+
			"save q and k of a forward pass, or give --x")
	}
	if err := m.refuseWidths(); err != nil {
		return nil, err
	}
	return m, m.checkTokens()
}

// findModules returns the modules of attention to read, and the modules of cross-attention to omit.
// If the options name modules, it returns these. Otherwise it returns the modules of self-attention
// with known names. If there are none, it returns the modules of cross-attention.
func (o *opener) findModules() (modules, cross []module, err error) {
	if o.Query != "" {
		modules, err = o.newNamedModules()
		return modules, nil, err
	}
	modules, cross = o.files.splitCross(o.files.findModules())
	if len(modules) == 0 {
		modules, cross = cross, nil
	}
	if len(modules) > 0 {
		return modules, cross, nil
	}
	var pairs []string
	for _, p := range patterns[1:5] {
		pairs = append(pairs, p.query+" and "+p.key)
	}
	_, err = o.files.Lookup(patterns[1].query)
	return nil, nil, fmt.Errorf("no arrays are named as queries and keys (q, k), or as W_Q and W_K of a state "+
		"dict are (%s, or in_proj_weight, c_attn, qkv): name them by --q and --k, or by --wq and --wk; %w",
		strings.Join(pairs, ", "), err)
}

// refuseWidths returns an error if only the number of heads is given and layers differ in width.
func (m *Model) refuseWidths() error {
	if m.options.Heads == 0 || m.options.Dimension > 0 {
		return nil
	}
	for _, l := range m.Layers {
		if first := m.Layers[0]; l.width != first.width {
			return fmt.Errorf("layer %s takes %d inputs, and layer %s %d: say --d-k in place of --heads, or "+
				"choose with --tower",
				l.Title, l.width, first.Title, first.width)
		}
	}
	return nil
}

// Heads returns the number of heads in all layers.
func (m *Model) Heads() (n int) {
	for _, l := range m.Layers {
		n += l.Heads
	}
	return n
}

// CountHeadTexts returns the number of heads times the number of texts.
func (m *Model) CountHeadTexts() int { return m.Heads() * m.texts }

// isUniform reports whether all layers have the same scale and d_k.
func (m *Model) isUniform() bool {
	return !slices.ContainsFunc(m.Layers, func(l *Layer) bool {
		return l.Scale != m.Layers[0].Scale || l.Dimension != m.Layers[0].Dimension
	})
}

// MeasuredHead is the result for one head of one text.
type MeasuredHead struct {
	Layer         string
	Head          int
	Text          inspect.HeadText
	ScaledText    inspect.HeadText // the same for queries times the layer's scale; only if layers are not uniform
	Participation float64          // participation ratio of W_QᵀW_K
}

// Measure measures every head of every layer on each text; all heads of the first text come first.
// A scale of 0 is replaced by the scale of each layer. It calls done after each head.
func (m *Model) Measure(ctx context.Context, o inspect.Options, done func()) ([]MeasuredHead, error) {
	measured := make([]MeasuredHead, m.CountHeadTexts())
	o.Texts = m.texts
	first := 0
	for i, l := range m.Layers {
		inputs, err := m.readInputs(i)
		if err != nil {
			return nil, err
		}
		for text, tokens := range inputs {
			heads, err := l.measure(m, tokens[0], tokens[1], o)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			copy(measured[text*m.Heads()+first:], heads)
			for range heads {
				done()
			}
		}
		first += l.Heads
	}
	return measured, nil
}

// measure measures the heads of a layer.
func (l *Layer) measure(m *Model, xq, xk projection.Tokens, o inspect.Options) ([]MeasuredHead, error) {
	var e projection.FoldedNorm
	if m.norm != projection.NormNone {
		e = projection.FoldedNorm{Gain: l.gain, Shift: l.shift, Centred: m.norm == projection.NormLayer}
	}
	project := l.project
	if l.latent != nil {
		project = l.projectLatent
	}
	q, k, err := project(xq, xk, e, o.Workers)
	if err != nil {
		return nil, err
	}
	isUniform, workers := m.isUniform(), o.Workers
	o.Scale, o.Workers = cmp.Or(o.Scale, l.Scale), 1 // heads are measured in parallel, each by one worker
	heads := make([]MeasuredHead, l.Heads)
	return heads, projection.RunParallel(workers, l.Heads, func(h int) error {
		keyHead := h * len(k.Vectors) / l.Heads
		if l.isType("plamo") { // pfnet/plamo-13b, modeling_plamo.py: heads use the heads of keys in turn
			keyHead = h % len(k.Vectors)
		}
		queries, keys := q.Vectors[h], k.Vectors[keyHead]
		text, err := inspect.Measure(queries, keys, o)
		heads[h] = MeasuredHead{Layer: l.Title, Head: h, Text: text,
			Participation: projection.Participation(q.Grams[h], k.Grams[keyHead])}
		if err == nil && !isUniform {
			scaled := o
			scaled.Scale = 1
			heads[h].ScaledText, err = inspect.Measure(multiply(queries, o.Scale), keys, scaled)
		}
		if err != nil {
			return fmt.Errorf("layer %s, head %d: %w", l.Title, h, err)
		}
		return nil
	})
}

// multiply returns vectors times a factor.
func multiply(v inspect.Vectors, factor float64) inspect.Vectors {
	product := inspect.Vectors{Rows: v.Rows, Dimension: v.Dimension}
	for _, x := range v.Data {
		product.Data = append(product.Data, x*factor)
	}
	return product
}
