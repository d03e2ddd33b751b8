// Package statedict finds W_Q and W_K of every head in the state dict of a model, by their names,
// and makes queries and keys of tokens with them. Tokens are drawn behind the model's norm, or
// given. Positions (RoPE) are left out: they turn queries and keys.
package statedict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"mcsim/sim/inspect"
	"mcsim/sim/tensor"
)

// Options are what a user says of a model; what is not said is found.
type Options struct {
	Query, Key                 string // names of arrays; {} stands for the number of a layer
	Layout                     string
	Heads, KeyHeads, Dimension int
	Norm                       string // of tokens
	Tokens                     int    // that are drawn, for queries and for keys each
	X                          string // array of activations, rows × d_model, that are taken in their place
	Seed                       uint64
	Path                       string // of the file, beside which config.json may stand
}

// Model is the layers of a state dict.
type Model struct {
	Layers []*Layer
	Scale  float64  // what the model multiplies q·k by
	Notes  []string // what was taken for granted

	norm   string
	given  *tokens
	tokens int
	seed   uint64
}

// ErrNone says that no array has a name that W_Q and W_K usually have.
var ErrNone = errors.New(
	"no arrays are named as queries and keys (q, k) or as W_Q and W_K of a state dict are: name them by --q and --k, or by --wq and --wk",
)

// Open finds the layers.
func Open(files *tensor.Files, o Options) (*Model, error) {
	c, err := configBeside(o.Path)
	if err != nil {
		return nil, err
	}
	all, err := o.layers(files)
	if err != nil {
		return nil, err
	}
	m := &Model{tokens: o.Tokens, seed: o.Seed}
	names := titles(all)
	for i, f := range all {
		l, err := o.open(files, c, f)
		if err != nil {
			return nil, err
		}
		l.Title = names[i]
		m.Layers = append(m.Layers, l)
	}
	m.assume(c, o, all)
	return m, m.take(files, o)
}

// layers are those that are named, or found.
func (o *Options) layers(files *tensor.Files) ([]found, error) {
	if o.Query == "" {
		all := search(files)
		if len(all) == 0 {
			return nil, ErrNone
		}
		return all, nil
	}
	key := either(o.Key, o.Query)
	separate := pattern{o.Query, key, LayoutSeparate}
	if key == o.Query {
		separate.layout = ""
	}
	one := func(number string) found {
		q := strings.ReplaceAll(o.Query, "{}", number)
		return found{
			pattern:    separate,
			prefix:     q[:strings.LastIndexAny(q, "./")+1],
			query:      q,
			key:        strings.ReplaceAll(key, "{}", number),
			transposed: strings.HasSuffix(q, "kernel"),
		}
	}
	if !strings.Contains(o.Query, "{}") {
		return []found{one("")}, nil
	}
	var all []found
	for i := 0; files.Has(one(fmt.Sprint(i)).query); i++ {
		all = append(all, one(fmt.Sprint(i)))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no array %s", one("0").query)
	}
	return all, nil
}

// assume settles what no array tells, and says so.
func (m *Model) assume(c config, o Options, all []found) {
	note := func(format string, of ...any) { m.Notes = append(m.Notes, fmt.Sprintf(format, of...)) }
	l := m.Layers[0]
	from := "the flags"
	if o.Heads == 0 && o.Dimension == 0 {
		from = either(c.path, "the norm of queries")
	}
	layers := fmt.Sprintf("%d layers", len(m.Layers))
	if len(m.Layers) == 1 {
		layers = "One layer"
	}
	note(
		"%s, %s, of %d heads of queries and %d of keys, d_k = %d, by %s.",
		layers,
		l.layout,
		l.Heads,
		l.KeyHeads,
		l.Dimension,
		from,
	)
	scale, why := c.scale(l.Dimension)
	m.Scale = either(scale, 1/math.Sqrt(float64(l.Dimension)))
	if why != "" {
		note("The scale %.4g is that of %s (%s).", scale, c.path, why)
	}
	m.norm = either(o.Norm, map[bool]string{true: NormRMS}[l.gain != nil && l.shift == nil || c.RMSEps > 0], NormLayer)
	if o.X != "" {
		return
	}
	gain := "without a gain, since the file has none"
	if l.gain != nil {
		gain = "with the file's own gain"
	}
	switch {
	case m.norm == NormNone:
		note("Tokens are independent normal numbers.")
	default:
		note(
			"Tokens are independent normal numbers behind %s %s.",
			map[string]string{NormRMS: "RMSNorm", NormLayer: "LayerNorm"}[m.norm],
			gain,
		)
	}
	note("Positions (RoPE) are left out.")
}

// take reads the activations that are given, if there are any.
func (m *Model) take(files *tensor.Files, o Options) error {
	width := m.Layers[0].width
	for _, l := range m.Layers {
		if l.width != width {
			return fmt.Errorf("layer %s takes %d inputs, and layer %s %d", l.Title, l.width, m.Layers[0].Title, width)
		}
	}
	if o.X == "" {
		return nil
	}
	a, err := files.Lookup(o.X)
	if err != nil {
		return err
	}
	x, err := a.Matrix(make([]int, max(0, len(a.Shape)-2))...)
	if err != nil {
		return err
	}
	if x.Columns != width {
		return fmt.Errorf("%s has %d columns; W_Q takes %d", o.X, x.Columns, width)
	}
	v := inspect.Vectors{Rows: x.Rows, Dimension: x.Columns, Data: make([]float64, x.Rows*x.Columns)}
	if err := tensor.Read(x, v.Data); err != nil {
		return err
	}
	given := tokensOf(v)
	m.given = &given
	m.Notes = append(m.Notes, fmt.Sprintf("%s goes into W_Q and W_K as it is; positions (RoPE) are left out.", o.X))
	return nil
}

// Count is how many heads there are.
func (m *Model) Count() (n int) {
	for _, l := range m.Layers {
		n += l.Heads
	}
	return n
}

// Measured is one head.
type Measured struct {
	Layer         string
	Head          int
	Part          inspect.Part
	Participation float64 // of W_QᵀW_K
}

// Measure looks at every head of every layer, in their order. Done is called after each.
func (m *Model) Measure(ctx context.Context, o inspect.Options, done func()) ([]Measured, error) {
	xq, xk := m.inputs()
	var all []Measured
	for _, l := range m.Layers {
		of, err := l.measure(m, xq, xk, o)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for range of {
			done()
		}
		all = append(all, of...)
	}
	return all, nil
}

// inputs are the tokens of queries and of keys: those that are given, or drawn apart.
func (m *Model) inputs() (xq, xk tokens) {
	if m.given != nil {
		return *m.given, *m.given
	}
	width := m.Layers[0].width
	return drawTokens(m.tokens, width, m.norm, m.seed, "queries"), drawTokens(m.tokens, width, m.norm, m.seed, "keys")
}

// measure looks at the heads of a layer.
func (l *Layer) measure(m *Model, xq, xk tokens, o inspect.Options) ([]Measured, error) {
	gain, shift := l.gain, l.shift
	if m.given != nil || m.norm == NormNone {
		gain, shift = nil, nil
	}
	var q, k, gq, gk []inspect.Vectors
	var err error
	if l.latent != nil {
		q, k, gq, gk, err = l.projectLatent(xq, xk, gain, shift, o.Workers)
	} else {
		sq, sk := l.sides()
		if q, gq, err = l.heads(sq, xq, gain, shift, o.Workers); err == nil {
			k, gk, err = l.heads(sk, xk, gain, shift, o.Workers)
		}
	}
	if err != nil {
		return nil, err
	}
	all := make([]Measured, l.Heads)
	workers := o.Workers
	o.Workers = 1
	return all, parallel(workers, l.Heads, func(h int) error {
		shared := h * len(k) / l.Heads
		part, err := inspect.Measure(q[h], k[shared], o)
		if err != nil {
			return fmt.Errorf("layer %s, head %d: %w", l.Title, h, err)
		}
		all[h] = Measured{l.Title, h, part, participation(gq[h], gk[shared])}
		return nil
	})
}
