// Package statedict finds W_Q and W_K of every head in the state dict of a model, by their names,
// and makes queries and keys of tokens with them. Tokens are drawn after the model's norm, or
// given. Positions (RoPE) are left out: they turn queries and keys.
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

// Options are what a user says of a model; what is not said is found.
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

	norm   string
	x      []string // for each layer the array of its activations; empty if tokens are drawn
	texts  int
	tokens int
	seed   uint64
}

// errNone says that no array has a name that W_Q and W_K usually have.
func errNone(files *tensor.Files) error {
	var usual []string
	for _, p := range patterns[1:5] {
		usual = append(usual, p.query+" and "+p.key)
	}
	_, err := files.Lookup(patterns[1].query)
	return fmt.Errorf("no arrays are named as queries and keys (q, k), or as W_Q and W_K of a state dict are "+
		"(%s, or in_proj_weight, c_attn, qkv): name them by --q and --k, or by --wq and --wk; %w",
		strings.Join(usual, ", "), err)
}

// Open finds the layers.
func Open(files *tensor.Files, o Options) (*Model, error) {
	config, err := modelconfig.Beside(o.Path)
	if err != nil {
		return nil, err
	}
	all, cross := search(files), []found(nil)
	if o.Query != "" {
		if all, err = o.named(files); err != nil {
			return nil, err
		}
	} else if all, cross = splitCross(files, all); len(all) == 0 {
		all, cross = cross, nil
	}
	if len(all) == 0 {
		return nil, errNone(files)
	}
	placeNumbers(all)
	ends := sync.OnceValues(func() (bool, bool) { return endNorms(files) })
	var candidates []*candidate
	counts := map[[2]int][2]int{}
	for _, f := range all {
		f.ends, f.votes = ends, counts
		candidates = append(candidates, o.try(files, config, f))
	}
	taken, others, err := o.choose(config, candidates)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(taken.candidates, func(a, b *candidate) int { return natural(a.found.prefix, b.found.prefix) })
	m := &Model{tokens: o.Tokens, texts: 1, seed: o.Seed}
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
	title(m.Layers)
	m.describe(files, &o, taken)
	m.leaveOut(failed, cross, others)
	m.nameUnused(files, append(all, cross...))
	if o.Query == "" {
		m.nameUnknown(files, append(all, cross...))
	}
	if o.X == "" {
		m.Caveats = append(m.Caveats, "for drawn tokens, which says nothing about a trained model: "+
			"save q and k of a forward pass, or give --x")
	}
	if err := m.severalWidths(&o); err != nil {
		return nil, err
	}
	return m, m.take(files, o)
}

// severalWidths refuses one number of heads for layers of several widths.
func (m *Model) severalWidths(o *Options) error {
	for _, l := range m.Layers {
		if first := m.Layers[0]; o.Heads > 0 && o.Dimension == 0 && l.width != first.width {
			return fmt.Errorf("layer %s takes %d inputs, and layer %s %d: say --d-k in place of --heads, or choose with --tower",
				l.Title, l.width, first.Title, first.width)
		}
	}
	return nil
}

// take checks the activations that are given, if there are any.
func (m *Model) take(files *tensor.Files, o Options) error {
	if o.X == "" {
		return m.fits(m.tokens)
	}
	for i, l := range m.Layers {
		name := strings.ReplaceAll(o.X, "{}", l.found.number())
		a, err := files.Lookup(name)
		if err != nil {
			return err
		}
		if a.IsWhole() {
			return fmt.Errorf("--x: %s holds whole numbers (%s); activations are float64, float32, float16 or bfloat16", name, a.Type)
		}
		n := len(a.Shape)
		if n < 2 || a.Shape[n-1] != l.width {
			return fmt.Errorf("%s has the shape %s; it needs tokens × %d, with texts before them, "+
				"since W_Q of layer %s takes %d inputs", name, a.Dimensions(), l.width, l.Title, l.width)
		}
		texts := 1
		for _, size := range a.Shape[:n-2] {
			texts *= size
		}
		if i > 0 && texts != m.texts {
			return fmt.Errorf("%s has %s, and %s has %d: all layers need as many", name, counted(texts, "text"), m.x[0], m.texts)
		}
		m.texts, m.x = texts, append(m.x, name)
		if err := m.fits(a.Shape[n-2]); err != nil {
			return err
		}
	}
	return nil
}

// fits refuses more tokens than the queries of a layer can be kept of.
func (m *Model) fits(tokens int) error {
	for _, l := range m.Layers {
		if outputs := l.Heads * l.Dimension; tokens*outputs > maxProjected {
			return fmt.Errorf("%d tokens make %d queries of d_k = %d in layer %s; at most %d tokens of a text are read",
				tokens, tokens*l.Heads, l.Dimension, l.Title, maxProjected/outputs)
		}
	}
	return nil
}

// eachText calls f with the rows of each text of an array.
func eachText(a *tensor.Array, f func(inspect.Vectors) error) error {
	at := make([]int, len(a.Shape)-2)
	for {
		m, err := a.Matrix(at...)
		if err != nil {
			return err
		}
		v := inspect.Vectors{Rows: m.Rows, Dimension: m.Columns, Data: make([]float64, m.Rows*m.Columns)}
		if err := tensor.Read(m, v.Data); err != nil {
			return err
		}
		if err := f(v); err != nil {
			return err
		}
		axis := len(at) - 1
		for ; axis >= 0; axis-- {
			if at[axis]++; at[axis] < a.Shape[axis] {
				break
			}
			at[axis] = 0
		}
		if axis < 0 {
			return nil
		}
	}
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

// Alike reports whether all layers have the same scale and d_k.
func (m *Model) Alike() bool {
	return !slices.ContainsFunc(m.Layers, func(l *Layer) bool {
		return l.Scale != m.Layers[0].Scale || l.Dimension != m.Layers[0].Dimension
	})
}

// Measured is one head.
type Measured struct {
	Layer         string
	Head          int
	Part          inspect.Part
	Scaled        inspect.Part // of queries times the layer's scale, if layers differ
	Participation float64      // of W_QᵀW_K
}

// Measure judges every head of every layer on each text, all heads of the first text first. A scale
// of 0 is each layer's own. Done is called after each head.
func (m *Model) Measure(ctx context.Context, files *tensor.Files, o inspect.Options, done func()) ([]Measured, error) {
	all := make([]Measured, m.Count())
	o.Texts = m.texts
	first := 0
	for i, l := range m.Layers {
		inputs, err := m.inputs(files, i)
		for text := 0; text < len(inputs) && err == nil; text++ {
			var heads []Measured
			if heads, err = l.measure(m, inputs[text][0], inputs[text][1], o); err == nil {
				err = ctx.Err()
			}
			copy(all[text*m.Heads()+first:], heads)
			for range heads {
				done()
			}
		}
		if err != nil {
			return nil, err
		}
		first += l.Heads
	}
	return all, nil
}

// inputs returns the tokens of queries and of keys of a layer: those of each text that is given, or
// drawn apart.
func (m *Model) inputs(files *tensor.Files, layer int) (all [][2]projection.Tokens, err error) {
	if m.x == nil {
		width := m.Layers[layer].width
		queries := projection.DrawTokens(m.tokens, width, m.norm, m.seed, "queries")
		return [][2]projection.Tokens{{queries, projection.DrawTokens(m.tokens, width, m.norm, m.seed, "keys")}}, nil
	}
	a, err := files.Lookup(m.x[layer])
	if err != nil {
		return nil, err
	}
	return all, eachText(a, func(v inspect.Vectors) error {
		given := projection.TokensOf(v)
		given.Normalise(m.norm)
		all = append(all, [2]projection.Tokens{given, given})
		return nil
	})
}

// measure judges the heads of a layer.
func (l *Layer) measure(m *Model, xq, xk projection.Tokens, o inspect.Options) ([]Measured, error) {
	var e projection.Entry
	if m.norm != projection.NormNone {
		e = projection.Entry{Gain: l.gain, Shift: l.shift, Centred: m.norm == projection.NormLayer}
	}
	var q, k, gq, gk []inspect.Vectors
	var err error
	if l.latent != nil {
		q, k, gq, gk, err = l.projectLatent(xq, xk, e, o.Workers)
	} else {
		sq, sk := l.sides()
		if q, gq, err = l.heads(sq, xq, e, o.Workers); err == nil {
			k, gk, err = l.heads(sk, xk, e, o.Workers)
		}
	}
	if err != nil {
		return nil, err
	}
	alike := m.Alike()
	o.Scale = cmp.Or(o.Scale, l.Scale)
	workers := o.Workers
	o.Workers = 1
	all := make([]Measured, l.Heads)
	return all, projection.Parallel(workers, l.Heads, func(h int) error {
		shared := h * len(k) / l.Heads
		if l.isType("plamo") { // pfnet/plamo-13b, modeling_plamo.py repeats the keys as a whole
			shared = h % len(k)
		}
		part, err := inspect.Measure(q[h], k[shared], o)
		all[h] = Measured{Layer: l.Title, Head: h, Part: part, Participation: projection.Participation(gq[h], gk[shared])}
		if err == nil && !alike {
			scaled := o
			scaled.Scale = 1
			all[h].Scaled, err = inspect.Measure(times(q[h], o.Scale), k[shared], scaled)
		}
		if err != nil {
			return fmt.Errorf("layer %s, head %d: %w", l.Title, h, err)
		}
		return nil
	})
}

// times returns vectors times a factor.
func times(v inspect.Vectors, factor float64) inspect.Vectors {
	out := inspect.Vectors{Rows: v.Rows, Dimension: v.Dimension}
	for _, x := range v.Data {
		out.Data = append(out.Data, x*factor)
	}
	return out
}
