package statedict

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/projection"
)

// subject adds a sentence to what is judged.
func (m *Model) subject(format string, args ...any) {
	m.Subject = append(m.Subject, fmt.Sprintf(format, args...)+".")
}

// each returns the different texts of the layers.
func (m *Model) each(text func(*Layer) string) string {
	const maxShown = 4
	var texts []string
	for _, l := range m.Layers {
		texts = addOnce(texts, text(l))
	}
	return modelconfig.Few(texts, maxShown)
}

// describe says which arrays are judged, and how they are read.
func (m *Model) describe(files *tensor.Files, o *Options, t *tower) {
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
	if m.mayRotate(files) {
		m.Notes = append(m.Notes, "Positions (RoPE) are left out.")
	}
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
	m.subject("Norm of queries and keys that is used: %s", m.each(func(l *Layer) string {
		if q, k := l.qNorm.String(), l.kNorm.String(); q != k {
			return q + " of queries, " + k + " of keys"
		}
		return l.qNorm.String()
	}))
	for _, l := range m.Layers {
		if l.narrow != "" && l.source == saidByFlags {
			m.Caveats = addOnce(m.Caveats, "though "+l.narrow)
		} else if l.narrow != "" {
			m.Doubts = addOnce(m.Doubts, l.narrow)
		}
		isGrouped := l.KeyHeads > 1 && l.KeyHeads < l.Heads && l.layout != LayoutGrouped
		if isGrouped && l.scores.Assumed && !l.isType("plamo") {
			m.Caveats = addOnce(m.Caveats, "neighbouring heads are taken to share keys")
		}
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
			if caveat == modelconfig.UsualScale && l.qNorm != nil && l.qNorm.unit { // the weights tell
				continue
			}
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

var (
	// rotary matches names of arrays, and keys of a config, of models that may have rotary positions.
	rotary = regexp.MustCompile(`(?i)rope|rotary|inv_freq|freqs_c|eva0?2`)
	// placed matches names of arrays of other positions, and of UNets, which have none.
	placed = regexp.MustCompile(`(?i)pos_?emb|position|wpe\b|embed_pos|relative|rel_pos|attention_biases|(down|mid)_block`)
)

// mayRotate reports whether the model may have rotary positions: a config or a name says so, or nothing
// tells of other positions.
func (m *Model) mayRotate(files *tensor.Files) bool {
	names, config := strings.Join(files.Names(), "\n"), []byte(nil)
	if c := m.Layers[0].config; c != nil {
		config, _ = os.ReadFile(c.Path)
	}
	return rotary.MatchString(names) || rotary.Match(config) || !placed.MatchString(names)
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

// leaveOut says which layers are not judged.
func (m *Model) leaveOut(failed []*candidate, cross []found, others []*tower) {
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
}

// nameUnused says which arrays next to W_Q and W_K are not read. What changes q·k is a doubt, which
// --scale settles if it is a scale.
func (m *Model) nameUnused(files *tensor.Files, all []found) {
	read := map[string]bool{} // names without endings
	var unused, matter []string
	for _, f := range all {
		read[plain(f.query)], read[plain(f.key)] = true, true
	}
	for _, l := range m.Layers {
		for _, name := range []string{l.found.query, l.found.key} {
			if strings.Contains(name, ".base_layer.") { // the adapter may be in another file
				matter = addOnce(matter, "the adapter of "+anyLayer(name))
			}
		}
		names, modules := l.besides(files)
		for _, name := range names {
			may, does := l.concerns(name, modules)
			if !may || read[plain(name)] {
				continue
			}
			short := anyLayer(name)
			unused = addOnce(unused, short)
			if strings.Contains(short, "sink") {
				m.Caveats = addOnce(m.Caveats, "without the sinks")
			}
			if does && !slices.ContainsFunc(matter, func(m string) bool { return plain(m) == plain(short) }) {
				matter = append(matter, short)
			}
		}
	}
	const maxShown = 6
	if len(unused) > 0 {
		m.subject("Left out, next to W_Q and W_K: %s", modelconfig.Few(unused, maxShown))
	}
	for _, name := range matter {
		doubt, to := name+" may change q·k and is not used", &m.Doubts
		if adding.MatchString(name) {
			doubt = name + " is not merged into the weights"
		} else if scaling.MatchString(name) {
			to = &m.Scales
		}
		*to = append(*to, doubt)
	}
}

// plain returns the name of an array without its ending.
func plain(name string) string {
	return strings.TrimSuffix(ending.FindStringSubmatch(name)[1], ".bias")
}

// attending matches arrays in a module that is named as attention, and the module.
var attending = regexp.MustCompile(`(?i)^(.*?(?:attn|attention)_?\d*[./])\w+[./]\w`)

// nameUnknown says which modules are named as attention and have no W_Q of a name that is known.
func (m *Model) nameUnknown(files *tensor.Files, all []found) {
	known := map[string]bool{} // modules of W_Q, and those that they stand in
	for _, f := range all {
		for i, r := range f.query {
			known[f.query[:i+1]] = known[f.query[:i+1]] || r == '.' || r == '/'
		}
	}
	var unknown []string
	for _, name := range files.Names() {
		match := attending.FindStringSubmatch(name)
		if match == nil || known[match[1]] {
			continue
		}
		if a, err := files.Lookup(name); err == nil && len(a.Shape) > 1 {
			known[match[1]] = true
			unknown = append(unknown, strings.TrimRight(match[1], "./"))
		}
	}
	if len(unknown) > 0 {
		some := counted(len(unknown), "module") + " of attention whose W_Q is not known by name"
		m.subject("Left out: %s, such as %s", some, unknown[0])
		m.Caveats = append(m.Caveats, "without "+some)
	}
}

// anyLayer returns a name with {} for the number of its layer, and for those of modules.
func anyLayer(name string) string {
	if at := layerAt(name, 0); at != nil {
		name = name[:at[0]] + "{}" + name[at[1]:]
	}
	return module.ReplaceAllString(name, "$1{}$2")
}

// module matches a module that has a number for a name.
var module = regexp.MustCompile(`([./])\d+([./])`)

var (
	// mattering matches names of arrays that change q·k, and telling those that may concern logits.
	mattering = words("q|k|qk|qkv|query|key|scale|scaling|temp|temperature|tau|lora|adapter|talking|reattn|sr|sequence|" +
		"proj_[lw]|rel_pos_[hw]|lambda")
	telling = words("norm|ln|sinks?|mask|bias|gru_rel_pos|rel_attn|caps?|softcap|alibi|slopes?|gains?")
	// inner matches arrays in a module of queries or keys, and around those next to attention's module
	// that are norms or scales of q and k.
	inner  = regexp.MustCompile(`(?i)^(\w*_)?(q|k|qk|qkv|query|key)(_\w*)?[./]`)
	around = regexp.MustCompile(`(?i)^(((q|k|qk|query|key)_?(norm|ln|layer_?norm|rms|scal|temp|conv|gain)|` +
		`(norm|ln|scale)_?(q|k|qk|query|key)|att(n|ention)_?(scal|temp)|logit_scale)\w*|temperature)([./]|$)`)
	// adding matches what is added to weights, and scaling what a scale of q·k may stand for.
	adding  = regexp.MustCompile(`(?i)lora|adapter|base_layer`)
	scaling = regexp.MustCompile(`(?i)scal|temp|tau`)
	// values matches modules after softmax, and norms of what these give.
	values = regexp.MustCompile(`(?i)^((v|o|out|value|values|output|to_v|to_out|c_proj|proj|dense|wv|wo|w_v|w_o|` +
		`linear_v|linear_out|gate|key_conv_attn_layer)(_proj|_bias|_norm|_lin|_b_proj)?|bv|bo|b_v|b_o)([._/]|$)`)
)

// words returns an expression for names of which one of the words, with | between, is a part.
func words(all string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[._/])(\w*_)?(` + all + `)(_\w*)?([._/]|$)`)
}

// inside reports whether an array is in the module of one that is read, as those of an adapter are.
func (l *Layer) inside(name string) bool {
	return slices.ContainsFunc([]string{plain(l.found.query), plain(l.found.key)}, func(module string) bool {
		return strings.HasPrefix(name, module+".") || strings.HasPrefix(name, module+"/")
	})
}

// concerns reports whether an array may concern q·k, and whether it changes q·k. The modules are those
// that W_Q stands in, its own first.
func (l *Layer) concerns(name string, modules []string) (may, does bool) {
	i := slices.IndexFunc(modules, func(module string) bool { return strings.HasPrefix(name, module) })
	rest := name[len(modules[i]):]
	switch {
	case slices.Contains(l.used, name), strings.HasSuffix(name, "_extra_state"):
		return false, false
	case i > 0:
		return around.MatchString(rest), true
	case values.MatchString(rest) && !strings.HasPrefix(rest, "proj_"):
		return false, false
	}
	isDeep := strings.Count(rest, ".")+strings.Count(rest, "/") > 1
	isWord, isInside := mattering.MatchString(rest), l.inside(name)
	may = isInside || inner.MatchString(rest) || adding.MatchString(rest) || !isDeep && (isWord || telling.MatchString(rest))
	return may, isInside || isWord && !strings.Contains(rest, "add") // tokens of another kind, as in Flux
}

// besides returns the names of arrays in the layer of W_Q and W_K, and the modules that these stand in. Of
// a large layer, such as one with experts, the arrays are those of the module of W_Q; none if that is
// large, too.
func (l *Layer) besides(files *tensor.Files) (names, modules []string) {
	const maxArrays = 1000
	modules = l.found.enclosing()
	names = under(files, l.found.prefix)
	if block := under(files, modules[len(modules)-1]); l.found.number() != "" && len(block) <= maxArrays {
		names = block
	}
	if len(names) > maxArrays {
		names = nil
	}
	return names, modules
}
