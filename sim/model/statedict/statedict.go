// Package statedict finds W_Q and W_K of every head in the state dict of a model, by their names,
// and makes queries and keys of tokens with them. Tokens are drawn after the model's norm, or
// given. Positions (RoPE) are left out: they rotate queries and keys.
//
//   - search.go finds layers by the names of names.txt, number.go their numbers, tower.go those that
//     belong together.
//   - layer.go opens a layer: heads.go counts its heads, layout.go and order.go say how its matrices
//     are arranged, norms.go finds its norms, latent.go opens MLA.
//   - tokens.go gives tokens, package projection multiplies them; summary.go joins the heads.
//   - describe.go says how arrays are read, unused.go which ones may matter and are not.
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

// Options are what a user says of a model; the rest is found.
type Options struct {
	Query, Key                 string // names of arrays; {} stands for the number of a layer
	Layout, Order              string
	Tower                      string // part of the names of the layers to take
	Heads, KeyHeads, Dimension int
	Norm                       string // of tokens
	Tokens                     int    // that are drawn, for queries and for keys each
	X                          string // array of activations, rows × d_model; {} stands for the number of a layer
	Seed                       uint64
	Path                       string // of the file, next to which config.json may be
}

// Model is the layers of a state dict.
type Model struct {
	Layers  []*Layer
	Subject []string // sentences that say what is judged, and how it is read
	Caveats []string // phrases of what a verdict does not say
	Notes   []string // what is assumed
	Doubts  []string // what forbids a verdict
	Scales  []string // what forbids a verdict on the model's own scale

	files   arrays
	options Options
	norm    string
	x       []string // for each layer the array of its activations; empty if tokens are drawn
	texts   int
}

// opener opens the layers of a state dict.
type opener struct {
	Options
	files  arrays
	config *modelconfig.Config

	votes    map[[2]int][2]int                       // of other arrays on the order, by the shape of W_Q
	endNorms func() (afterEmbedding, afterLast bool) // of files
}

// Open finds the layers.
func Open(all *tensor.Files, options Options) (*Model, error) {
	files := arrays{all}
	config, err := modelconfig.Beside(options.Path)
	if err != nil {
		return nil, err
	}
	o := &opener{options, files, config, map[[2]int][2]int{}, sync.OnceValues(files.endNorms)}
	modules, cross, err := o.modules()
	if err != nil {
		return nil, err
	}
	placeNumbers(modules)
	var candidates []*candidate
	for _, module := range modules {
		candidates = append(candidates, o.try(module))
	}
	taken, others, err := o.choose(candidates)
	if err != nil {
		return nil, err
	}
	m := &Model{files: files, options: options, texts: 1}
	var failed []*candidate
	for _, c := range taken.candidates {
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
	m.describe(taken)
	m.describeOmissions(failed, cross, others)
	m.nameUnused(append(modules, cross...))
	if options.Query == "" {
		m.nameUnknown(append(modules, cross...))
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

// modules returns the modules of attention that the options name, else those of self-attention with a
// usual name, else those of cross-attention; and the modules of cross-attention that are left out.
func (o *opener) modules() (all, cross []module, err error) {
	if o.Query != "" {
		all, err = o.named()
		return all, nil, err
	}
	all, cross = o.files.splitCross(o.files.search())
	if len(all) == 0 {
		all, cross = cross, nil
	}
	if len(all) > 0 {
		return all, cross, nil
	}
	var usual []string
	for _, p := range patterns[1:5] {
		usual = append(usual, p.query+" and "+p.key)
	}
	_, err = o.files.Lookup(patterns[1].query)
	return nil, nil, fmt.Errorf("no arrays are named as queries and keys (q, k), or as W_Q and W_K of a state "+
		"dict are "+
		"(%s, or in_proj_weight, c_attn, qkv): name them by --q and --k, or by --wq and --wk; %w",
		strings.Join(usual, ", "), err)
}

// refuseWidths refuses one number of heads for layers of several widths.
func (m *Model) refuseWidths() error {
	for _, l := range m.Layers {
		if first := m.Layers[0]; m.options.Heads > 0 && m.options.Dimension == 0 && l.width != first.width {
			return fmt.Errorf("layer %s takes %d inputs, and layer %s %d: say --d-k in place of --heads, or "+
				"choose with --tower",
				l.Title, l.width, first.Title, first.width)
		}
	}
	return nil
}

// Heads returns the number of heads.
func (m *Model) Heads() (n int) {
	for _, l := range m.Layers {
		n += l.Heads
	}
	return n
}

// Count returns the number of heads of all texts.
func (m *Model) Count() int { return m.Heads() * m.texts }

// isUniform reports whether all layers have the same scale and d_k.
func (m *Model) isUniform() bool {
	return !slices.ContainsFunc(m.Layers, func(l *Layer) bool {
		return l.Scale != m.Layers[0].Scale || l.Dimension != m.Layers[0].Dimension
	})
}

// Measured is one head.
type Measured struct {
	Layer         string
	Head          int
	Part          inspect.HeadText
	Scaled        inspect.HeadText // of queries times the layer's scale, if layers differ
	Participation float64          // of W_QᵀW_K
}

// Measure judges every head of every layer on each text, all heads of the first text first. A scale
// of 0 is each layer's own. Done is called after each head.
func (m *Model) Measure(ctx context.Context, o inspect.Options, done func()) ([]Measured, error) {
	all := make([]Measured, m.Count())
	o.Texts = m.texts
	first := 0
	for i, l := range m.Layers {
		inputs, err := m.inputs(i)
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
			copy(all[text*m.Heads()+first:], heads)
			for range heads {
				done()
			}
		}
		first += l.Heads
	}
	return all, nil
}

// measure judges the heads of a layer.
func (l *Layer) measure(m *Model, xq, xk projection.Tokens, o inspect.Options) ([]Measured, error) {
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
	o.Scale, o.Workers = cmp.Or(o.Scale, l.Scale), 1
	all := make([]Measured, l.Heads)
	return all, projection.RunParallel(workers, l.Heads, func(h int) error {
		shared := h * len(k.Vectors) / l.Heads
		if l.isType("plamo") { // pfnet/plamo-13b, modeling_plamo.py repeats the keys as a whole
			shared = h % len(k.Vectors)
		}
		queries, keys := q.Vectors[h], k.Vectors[shared]
		part, err := inspect.Measure(queries, keys, o)
		all[h] = Measured{Layer: l.Title, Head: h, Part: part,
			Participation: projection.Participation(q.Grams[h], k.Grams[shared])}
		if err == nil && !isUniform {
			scaled := o
			scaled.Scale = 1
			all[h].Scaled, err = inspect.Measure(multiply(queries, o.Scale), keys, scaled)
		}
		if err != nil {
			return fmt.Errorf("layer %s, head %d: %w", l.Title, h, err)
		}
		return nil
	})
}

// multiply returns vectors times a factor.
func multiply(v inspect.Vectors, factor float64) inspect.Vectors {
	out := inspect.Vectors{Rows: v.Rows, Dimension: v.Dimension}
	for _, x := range v.Data {
		out.Data = append(out.Data, x*factor)
	}
	return out
}
