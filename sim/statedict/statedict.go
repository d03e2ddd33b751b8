// Package statedict finds W_Q and W_K of every head in the state dict of a model, by their names,
// and makes queries and keys of tokens with them. Tokens are drawn behind the model's norm, or
// given. Positions (RoPE) are left out: they turn queries and keys.
package statedict

import (
	"context"
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
	given  []tokens // of each text
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
	c, err := configBeside(o.Path)
	if err != nil {
		return nil, err
	}
	all, err := o.layers(files)
	if err != nil {
		return nil, err
	}
	all, rest := widest(files, all)
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
	m.assume(c, o)
	if len(rest) > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("Layers of another width, %d, such as %s, are left out: "+
			"name them by --wq and --wk.", len(rest), rest[0].query))
	}
	return m, m.take(files, o)
}

// widest are the layers of the stacks that take as many inputs as most weights do: that of text in
// a model that also sees. The rest are those of other stacks.
func widest(files *tensor.Files, all []found) (taken, rest []found) {
	sizes, most, widths := map[int]int{}, 0, make([]int, len(all))
	for i, f := range all {
		if a, err := files.Lookup(f.query); err == nil && len(a.Shape) == 2 {
			widths[i] = a.Shape[1]
			sizes[widths[i]] += a.Shape[0] * a.Shape[1]
		}
		if sizes[widths[i]] > sizes[most] {
			most = widths[i]
		}
	}
	stack := func(f found) string { return number.ReplaceAllString(f.query, "") }
	stacks := map[string]bool{}
	for i, f := range all {
		stacks[stack(f)] = stacks[stack(f)] || widths[i] == most
	}
	for _, f := range all {
		if stacks[stack(f)] {
			taken = append(taken, f)
		} else {
			rest = append(rest, f)
		}
	}
	if len(taken) == 0 { // all are empty, which whoever reads them says
		return all, nil
	}
	return taken, rest
}

// layers are those that are named, or found.
func (o *Options) layers(files *tensor.Files) ([]found, error) {
	if o.Query == "" {
		all := search(files)
		if len(all) == 0 {
			return nil, errNone(files)
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
		return found{pattern: separate, prefix: q[:strings.LastIndexAny(q, "./")+1], query: q,
			key: strings.ReplaceAll(key, "{}", number), transposed: strings.HasSuffix(q, "kernel")}
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
func (m *Model) assume(c config, o Options) {
	note := func(format string, of ...any) { m.Notes = append(m.Notes, fmt.Sprintf(format, of...)) }
	l := m.Layers[0]
	from := "the flags"
	if o.Heads == 0 && o.Dimension == 0 {
		from = either(c.path, "the shapes of arrays")
	}
	layers := fmt.Sprintf("%d layers", len(m.Layers))
	if len(m.Layers) == 1 {
		layers = "One layer"
	}
	note("%s, %s, of %d heads of queries and %d of keys, d_k = %d, by %s.",
		layers, l.layout, l.Heads, l.KeyHeads, l.Dimension, from)
	scale, why := c.scale(l.Dimension)
	m.Scale = either(scale, 1/math.Sqrt(float64(l.Dimension)))
	if why != "" {
		note("The scale %.4g is that of %s (%s).", scale, c.path, why)
	}
	rms := l.gain != nil && l.shift == nil && !c.layerNorm() || c.RMSEps > 0
	m.norm = either(o.Norm, map[bool]string{true: NormRMS}[rms], NormLayer)
	if o.X != "" {
		return
	}
	gain := "without a gain, since no norm before attention is found by its name"
	switch {
	case l.gain != nil:
		gain = "with the gain of " + l.before + " and its like"
	case l.unsure:
		gain = "without a gain, since names do not tell whether norm1 stands before attention (norm_first=True)"
	case c.postNorm():
		gain = "without a gain, since the model's norms stand behind attention"
	}
	switch {
	case m.norm == NormNone:
		note("Tokens are independent normal numbers.")
	default:
		note("Tokens are independent normal numbers behind %s %s.",
			map[string]string{NormRMS: "RMSNorm", NormLayer: "LayerNorm"}[m.norm], gain)
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
		return m.fits(m.tokens)
	}
	a, err := files.Lookup(o.X)
	if err != nil {
		return err
	}
	if n := len(a.Shape); n < 2 || a.Shape[n-1] != width {
		return fmt.Errorf("%s has the shape %s; it needs tokens × %d, with texts before them, since W_Q takes %d inputs",
			o.X, a.Dimensions(), width, width)
	}
	how := "as it is"
	if m.norm = either(o.Norm, NormNone); m.norm != NormNone {
		how = "behind " + m.norm
	}
	err = eachText(a, func(v inspect.Vectors) error {
		given := tokensOf(v)
		given.normalise(m.norm)
		m.given = append(m.given, given)
		return m.fits(v.Rows)
	})
	if err != nil {
		return err
	}
	m.Notes = append(m.Notes, fmt.Sprintf("%s goes into W_Q and W_K %s; positions (RoPE) are left out.", o.X, how))
	return nil
}

// fits refuses so many tokens that the queries of a layer cannot be held.
func (m *Model) fits(tokens int) error {
	for _, l := range m.Layers {
		if outputs := l.Heads * l.Dimension; tokens*outputs > mostProjected {
			return fmt.Errorf("%d tokens make %d queries of d_k = %d in layer %s; at most %d tokens of a text are looked at",
				tokens, tokens*l.Heads, l.Dimension, l.Title, mostProjected/outputs)
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

// Heads is how many heads there are.
func (m *Model) Heads() (n int) {
	for _, l := range m.Layers {
		n += l.Heads
	}
	return n
}

// Count is how many there are of all texts.
func (m *Model) Count() int { return m.Heads() * max(1, len(m.given)) }

// Measured is one head.
type Measured struct {
	Layer         string
	Head          int
	Part          inspect.Part
	Participation float64 // of W_QᵀW_K
}

// Measure looks at every head of every layer, in their order, of each text. Done is called after
// each.
func (m *Model) Measure(ctx context.Context, o inspect.Options, done func()) (all []Measured, err error) {
	for _, x := range m.inputs() {
		for _, l := range m.Layers {
			of, err := l.measure(m, x[0], x[1], o)
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
	}
	return all, nil
}

// inputs are the tokens of queries and of keys: those of each text that is given, or drawn apart.
func (m *Model) inputs() (all [][2]tokens) {
	for _, x := range m.given {
		all = append(all, [2]tokens{x, x})
	}
	if width := m.Layers[0].width; all == nil {
		all = [][2]tokens{{drawTokens(m.tokens, width, m.norm, m.seed, "queries"), drawTokens(m.tokens, width, m.norm, m.seed, "keys")}}
	}
	return all
}

// measure looks at the heads of a layer.
func (l *Layer) measure(m *Model, xq, xk tokens, o inspect.Options) ([]Measured, error) {
	var e entry
	if m.norm != NormNone {
		e = entry{l.gain, l.shift, m.norm == NormLayer}
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
