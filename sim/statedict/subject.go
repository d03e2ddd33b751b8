package statedict

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/modelconfig"
	"mcsim/sim/projection"
	"mcsim/sim/tensor"
)

// subject adds a sentence to what is judged.
func (m *Model) subject(format string, args ...any) {
	m.Subject = append(m.Subject, fmt.Sprintf(format, args...)+".")
}

// each returns the different texts of the layers.
func (m *Model) each(text func(*Layer) string) string {
	const shown = 4
	var texts []string
	for _, l := range m.Layers {
		texts = addOnce(texts, text(l))
	}
	if more := len(texts) - shown; more > 0 {
		texts = append(texts[:shown], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

// describe says which arrays are judged, and how they are read.
func (m *Model) describe(o *Options, t *tower) {
	first := m.Layers[0]
	queries, keys := first.arrays()
	queries += " (" + first.stored[0] + ")"
	if keys != first.found.query {
		queries += ", keys by " + keys + " (" + first.stored[1] + ")"
	}
	part := ""
	if first.layers > len(m.Layers) {
		part = fmt.Sprintf(", of the %d that %s has", first.layers, filepath.Base(first.config.Path))
	}
	m.subject("Queries are made by %s; %s of %s%s", queries, counted(len(m.Layers), "layer"), t.name, part)
	m.subject("Arrays are %s", m.each(func(l *Layer) string {
		layout := l.layout
		if l.gated {
			layout += " with a gate"
		}
		return fmt.Sprintf("%s, of %s of queries and %d of keys, d_k = %d, %d inputs, by %s",
			layout, counted(l.Heads, "head"), l.KeyHeads, l.Dimension, l.width, l.source)
	}))
	m.subject("W is %s", m.each(func(l *Layer) string { return l.order.String() }))
	if slices.ContainsFunc(m.Layers, func(l *Layer) bool { return !l.order.sure }) {
		m.Doubts = append(m.Doubts, "whether W is inputs × outputs or outputs × inputs is not known: say --order")
	}
	m.describeScale()
	m.describeTokens(o)
}

// arrays returns the names of the arrays of queries and of keys, with those of MLA.
func (l *Layer) arrays() (queries, keys string) {
	if l.latent == nil {
		return l.found.query, l.found.key
	}
	return strings.Join(l.used[2:], ", "), l.found.query + " and " + l.found.key
}

// describeScale says what each layer multiplies q·k by, and what it does besides.
func (m *Model) describeScale() {
	m.subject("The model's scale: %s", m.each(func(l *Layer) string {
		text := l.scores.String()
		if l.qNorm != nil && l.qNorm.unit {
			text = "the cosine of q and k times exp(min(logit_scale, ln 100)) of each head"
		}
		if l.scores.Source != "" {
			text += ", by " + filepath.Base(l.scores.Source)
		}
		return text
	}))
	m.subject("Norm of queries and keys that is used: %s", m.each(func(l *Layer) string { return l.qNorm.String() }))
	for _, l := range m.Layers {
		for _, doubt := range l.scores.Doubts() {
			if l.qNorm == nil || !l.qNorm.unit || !strings.Contains(doubt, "logit_scale") {
				m.Scales = addOnce(m.Scales, doubt)
			}
		}
		if l.scores.Norm != "" && l.qNorm == nil && l.latent == nil && !strings.HasPrefix(l.scores.Norm, "components") {
			m.Doubts = addOnce(m.Doubts,
				"the config says that q and k have a norm ("+l.scores.Norm+"), and no array of it is found")
		}
		for _, caveat := range l.scores.Caveats() {
			m.Caveats = addOnce(m.Caveats, caveat)
		}
	}
}

// addOnce adds a text that is not there yet.
func addOnce(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// String says which norm it is.
func (n *headNorm) String() string {
	switch {
	case n == nil:
		return "none"
	case n.unit:
		return "length 1"
	}
	kind, span := "RMSNorm", " of each head"
	if n.layer {
		kind = "LayerNorm"
	}
	if n.whole {
		span = " over all heads"
	}
	if n.gain == nil {
		span += ", without a gain"
	}
	return kind + span
}

// describeTokens settles what tokens are, and says so.
func (m *Model) describeTokens(o *Options) {
	m.Notes = append(m.Notes, "Positions (RoPE) are left out.")
	m.norm = projection.NormLayer
	first := slices.IndexFunc(m.Layers, func(l *Layer) bool { return l.gain != nil })
	if m.Layers[max(0, first)].rms() {
		m.norm = projection.NormRMS
	}
	if o.X != "" {
		m.norm = projection.NormNone
	}
	m.norm = cmp.Or(o.Norm, m.norm)
	after := map[string]string{projection.NormRMS: " after RMSNorm", projection.NormLayer: " after LayerNorm"}[m.norm]
	gain := ", as they are"
	if m.norm != projection.NormNone {
		gain = ", " + m.each(func(l *Layer) string {
			if l.gain != nil {
				return "with the gain of " + anyLayer(l.before)
			}
			text := "without a gain, " + l.place
			if l.config.NormPlace() != modelconfig.NormResidual {
				m.Caveats = addOnce(m.Caveats, text)
			}
			return text
		})
	}
	if o.X != "" {
		m.subject("Tokens of %s go into W_Q and W_K of %s%s%s", o.X, counted(len(m.Layers), "layer"), after, gain)
		if n := len(m.Layers); n > 1 && !strings.Contains(o.X, "{}") {
			m.Doubts = append(m.Doubts, fmt.Sprintf(
				"--x %s, the input of one layer, was used for all %d: write {} for the number of a layer", o.X, n))
		}
		return
	}
	m.subject("Tokens are independent normal numbers%s%s", after, gain)
}

// meanName matches the gain of a LayerNorm that may have no bias, as in nanoGPT and x-transformers.
var meanName = regexp.MustCompile(`(^|[./_])(ln\w*[._/]\w+|gamma)$`)

// rms reports whether the norm before a layer is RMSNorm: as the config says, else if it has no bias.
func (l *Layer) rms() bool {
	takesMean, known := l.config.LayerNorm()
	if l.gain == nil || known {
		return known && !takesMean && l.shift == nil
	}
	return l.shift == nil && !meanName.MatchString(l.before)
}

// leaveOut says what is not judged.
func (m *Model) leaveOut(files *tensor.Files, failed []*candidate, cross []found, others []*tower) {
	if len(failed) > 0 {
		m.subject("Left out: %s that cannot be read, such as this: %s", counted(len(failed), "layer"), failed[0].err)
		m.Caveats = append(m.Caveats, "without "+counted(len(failed), "layer")+" that cannot be read")
	}
	if len(cross) > 0 {
		m.subject("Left out: %s of cross-attention or pooling, such as %s", counted(len(cross), "layer"), cross[0].query)
	}
	var names []string
	for _, t := range others {
		names = append(names, t.String())
	}
	if len(names) > 0 {
		m.subject("Left out: %s; --tower NAME chooses", strings.Join(names, ", "))
	}
	var unused, matter []string
	for _, l := range m.Layers {
		for _, name := range l.unused(files) {
			short := anyLayer(name)
			unused = addOnce(unused, short)
			if strings.Contains(short, "sink") {
				m.Caveats = addOnce(m.Caveats, "without the sinks")
			}
			rest := name[len(l.found.prefix):]
			if mattering.MatchString(rest) && !strings.Contains(rest, "add") { // tokens of another kind, as in Flux
				matter = addOnce(matter, short)
			}
		}
	}
	if len(unused) > 0 {
		m.subject("Left out, next to W_Q and W_K: %s", few(unused))
	}
	for _, name := range matter {
		if strings.Contains(strings.ToLower(name), "lora") {
			m.Doubts = append(m.Doubts, name+" is not merged into the weights")
		} else {
			m.Scales = append(m.Scales, name+" may change q·k and is not used")
		}
	}
}

// anyLayer returns a name with {} for the number of its layer, and for those of modules.
func anyLayer(name string) string {
	if at := layerAt(name); at != nil {
		name = name[:at[0]] + "{}" + name[at[1]:]
	}
	return module.ReplaceAllString(name, "$1{}$2")
}

// module matches a module that has a number for a name.
var module = regexp.MustCompile(`([./])\d+([./])`)

// few lists some names.
func few(names []string) string {
	const shown = 6
	text := strings.Join(names[:min(shown, len(names))], ", ")
	if len(names) > shown {
		text += fmt.Sprintf(" and %d more", len(names)-shown)
	}
	return text
}

var (
	// mattering matches names of arrays that change q·k, and telling those that may concern logits.
	mattering = words("q|k|qk|query|key|scale|scaling|temp|temperature|tau|lora|adapter|talking|reattn|sr|sequence|" +
		"proj_[lw]|rel_pos_[hw]|lambda")
	telling = words("norm|ln|sinks?|mask|bias")
	// values matches modules after softmax, and norms of what these give.
	values = regexp.MustCompile(`(?i)^((v|o|out|value|values|output|to_v|to_out|c_proj|proj|dense|wv|wo|w_v|w_o|` +
		`linear_v|linear_out|gate)(_proj|_bias|_norm|_lin|_b_proj)?|bv|bo|b_v|b_o)([._/]|$)`)
)

// words returns an expression for names of which one of the words, with | between, is a part.
func words(all string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[._/])(\w*_)?(` + all + `)(_\w*)?([._/]|$)`)
}

// unused returns the arrays in the module of W_Q and W_K that may concern q·k and are not read.
func (l *Layer) unused(files *tensor.Files) (all []string) {
	const maxArrays = 200 // of a module; more are those of the whole model
	names := under(files, l.found.prefix)
	if len(names) > maxArrays {
		return nil
	}
	for _, name := range names {
		rest := name[len(l.found.prefix):]
		deep := strings.Count(rest, ".")+strings.Count(rest, "/") > 1
		added := strings.Contains(rest, "lora") || strings.Contains(rest, "adapter")
		if deep && !added || values.MatchString(rest) && !strings.HasPrefix(rest, "proj_") || slices.Contains(l.used, name) {
			continue
		}
		if mattering.MatchString(rest) || telling.MatchString(rest) {
			all = append(all, name)
		}
	}
	return all
}
