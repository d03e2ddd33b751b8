package statedict

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/model/projection"
	"mcsim/sim/names"
)

// addSubject adds a sentence to what is judged.
func (m *Model) addSubject(format string, args ...any) {
	m.Subject = append(m.Subject, fmt.Sprintf(format, args...)+".")
}

// each joins the different texts of the layers.
func (m *Model) each(text func(*Layer) string) string {
	const maxShown = 4
	var texts []string
	for _, l := range m.Layers {
		texts = addOnce(texts, text(l))
	}
	return names.List(texts, "; ", maxShown)
}

// addOnce adds a text that is not there yet.
func addOnce(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// describe says which arrays are judged, and how they are read.
func (m *Model) describe(t *tower) {
	first := m.Layers[0]
	queries, keys := first.query, first.key
	if first.latent != nil {
		queries, keys = strings.Join(first.used[2:], ", "), first.query+" and "+first.key
	}
	queries += " (" + first.stored[0] + ")"
	if keys != first.query {
		queries += ", keys by " + keys + " (" + first.stored[1] + ")"
	}
	part := ""
	if first.layers > len(m.Layers) {
		part = fmt.Sprintf(", of the %d that %s has", first.layers, filepath.Base(first.config.Path))
	}
	m.addSubject("Queries are made by %s; %s of %s%s", queries, names.Count(len(m.Layers), "layer"), t.name, part)
	m.addSubject("Arrays are %s", m.each((*Layer).describeHeads))
	m.addSubject("W is %s", m.each(func(l *Layer) string { return l.order.String() }))
	if slices.ContainsFunc(m.Layers, func(l *Layer) bool { return !l.order.sure }) {
		m.Doubts = append(m.Doubts, "whether W is inputs × outputs or outputs × inputs is not known: say --order")
	}
	m.addSubject("The model's scale: %s", m.each((*Layer).describeScale))
	m.addSubject("Norm of queries and keys that is used: %s", m.each((*Layer).describeNorms))
	for _, l := range m.Layers {
		m.addDoubts(l)
	}
	m.describeTokens()
	if m.mayRotate() {
		m.Notes = append(m.Notes, "Positions (RoPE) are left out.")
	}
}

// describeHeads says how the arrays are arranged.
func (l *Layer) describeHeads() string {
	layout := l.layout
	if l.gated {
		layout += " with a gate"
	}
	return fmt.Sprintf("%s, of %s of queries and %d of keys, d_k = %d, %d inputs, by %s",
		layout, names.Count(l.Heads, "head"), l.KeyHeads, l.Dimension, l.width, l.source)
}

// isCosine reports whether queries and keys are scaled to length 1.
func (l *Layer) isCosine() bool { return l.qNorm != nil && l.qNorm.UnitLength }

// describeScale says what the layer multiplies q·k by.
func (l *Layer) describeScale() string {
	text := l.scores.String()
	if l.isCosine() {
		text = "the cosine of q and k times exp(min(logit_scale, ln 100)) of each head"
	}
	if l.scores.Source != "" {
		text += ", by " + filepath.Base(l.scores.Source)
	}
	return text
}

// describeNorms says which norms queries and keys have.
func (l *Layer) describeNorms() string {
	if q, k := describeNorm(l.qNorm), describeNorm(l.kNorm); q != k {
		return q + " of queries, " + k + " of keys"
	}
	return describeNorm(l.qNorm)
}

// addDoubts adds what is not known of a layer.
func (m *Model) addDoubts(l *Layer) {
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
		if !l.isCosine() || !strings.Contains(doubt, "logit_scale") {
			m.Scales = addOnce(m.Scales, doubt)
		}
	}
	if l.scores.Norm != "" && l.qNorm == nil && l.latent == nil && !strings.HasPrefix(l.scores.Norm, "components") {
		m.Doubts = addOnce(m.Doubts, "the config says that q and k have a norm ("+l.scores.Norm+
			"), and no array of it is found")
	}
	for _, caveat := range l.scores.Caveats() {
		if !l.isCosine() || caveat != modelconfig.UsualScale { // of a cosine the weights tell
			m.Caveats = addOnce(m.Caveats, caveat)
		}
	}
}

// describeNorm says which norm of queries or keys it is.
func describeNorm(n *projection.HeadNorm) string {
	switch {
	case n == nil:
		return "none"
	case n.UnitLength:
		return "length 1"
	}
	kind, span := "RMSNorm", " of each head"
	if n.SubtractsMean {
		kind = "LayerNorm"
	}
	if n.SpansHeads {
		span = " over all heads"
	}
	if n.Gain == nil {
		span += ", without a gain"
	}
	return kind + span
}

// describeTokens decides what tokens are, and says so.
func (m *Model) describeTokens() {
	o := m.options
	first := slices.IndexFunc(m.Layers, func(l *Layer) bool { return l.gain != nil })
	switch {
	case o.Norm != "":
		m.norm = o.Norm
	case o.X != "":
		m.norm = projection.NormNone
	case m.Layers[max(0, first)].isRMS():
		m.norm = projection.NormRMS
	default:
		m.norm = projection.NormLayer
	}
	after := map[string]string{projection.NormRMS: " after RMSNorm", projection.NormLayer: " after LayerNorm"}[m.norm]
	gain := ", as they are"
	if m.norm != projection.NormNone {
		gain = ", " + m.each(m.describeGain)
	}
	if o.X == "" {
		m.addSubject("Tokens are independent normal numbers%s%s", after, gain)
		return
	}
	m.addSubject("Tokens of %s go into W_Q and W_K of %s%s%s", o.X, names.Count(len(m.Layers), "layer"), after, gain)
	if n := len(m.Layers); n > 1 && !strings.Contains(o.X, "{}") {
		m.Doubts = append(m.Doubts, fmt.Sprintf(
			"--x %s, the input of one layer, was used for all %d: write {} for the number of a layer", o.X, n))
	}
}

// describeGain says which gain the tokens of a layer have. That there is none is a caveat, unless the
// model has none.
func (m *Model) describeGain(l *Layer) string {
	if l.gain != nil {
		return "with the gain of " + anyLayer(l.before)
	}
	text := "without a gain, " + l.place
	if l.config.NormPlace() != modelconfig.NormResidual {
		m.Caveats = addOnce(m.Caveats, text)
	}
	return text
}

var (
	// rotary matches names of arrays, and keys of a config, of models that may have rotary positions.
	rotary = regexp.MustCompile(`(?i)rope|rotary|inv_freq|freqs_c|eva0?2`)
	// placed matches names of arrays of other positions, and of UNets, which have none.
	placed = regexp.MustCompile(
		`(?i)pos_?emb|position|wpe\b|embed_pos|relative|rel_pos|attention_biases|(down|mid)_block`)
)

// mayRotate reports whether the model may have rotary positions: a config or a name says so, or nothing
// tells of other positions.
func (m *Model) mayRotate() bool {
	names, config := strings.Join(m.files.Names(), "\n"), []byte(nil)
	if c := m.Layers[0].config; c != nil {
		config, _ = os.ReadFile(c.Path)
	}
	return rotary.MatchString(names) || rotary.Match(config) || !placed.MatchString(names)
}

// meanName matches the gain of a LayerNorm that may have no bias, as in nanoGPT and x-transformers.
var meanName = regexp.MustCompile(`(^|[./_])(ln\w*[._/]\w+|gamma)$`)

// isRMS reports whether the norm before a layer is RMSNorm: as the config says, else if it has no bias.
func (l *Layer) isRMS() bool {
	takesMean, known := l.config.LayerNorm()
	if l.gain == nil || known {
		return known && !takesMean && l.shift == nil
	}
	return l.shift == nil && !meanName.MatchString(l.before)
}

// describeOmissions says which layers are not judged.
func (m *Model) describeOmissions(failed []*candidate, cross []module, others []*tower) {
	if len(failed) > 0 {
		m.addSubject("Left out: %s that cannot be read, such as this: %s", names.Count(len(failed), "layer"),
			failed[0].err)
		m.Caveats = append(m.Caveats, "without "+names.Count(len(failed), "layer")+" that cannot be read")
	}
	if len(cross) > 0 {
		m.addSubject("Left out: %s of cross-attention or pooling, such as %s", names.Count(len(cross), "layer"),
			cross[0].query)
	}
	if len(others) > 0 {
		m.addSubject("Left out: %s; --tower NAME chooses", strings.Join(names.Map(others, (*tower).String), ", "))
	}
}
