package statedict

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/attention/reach"
	"mcsim/sim/model/projection"
	"mcsim/sim/names"
)

// addSubject adds a sentence on what is judged.
func (m *Model) addSubject(format string, args ...any) {
	m.Subject = append(m.Subject, fmt.Sprintf(format, args...)+".")
}

// joinTexts returns a list of the distinct texts of the layers.
func (m *Model) joinTexts(text func(*Layer) string) string {
	const maxShown = 4
	var texts []string
	for _, l := range m.Layers {
		texts = addOnce(texts, text(l))
	}
	return names.List(texts, "; ", maxShown)
}

// addOnce appends a text unless it is already there.
func addOnce(texts []string, text string) []string {
	if slices.Contains(texts, text) {
		return texts
	}
	return append(texts, text)
}

// describe says which arrays are judged and how they are interpreted.
func (m *Model) describe(t *tower) {
	first := m.Layers[0]
	queries, keys := first.queryArray, first.keyArray
	if first.latent != nil { // query and key are the compression and the expansion of keys, read first
		queries, keys = strings.Join(first.used[2:], ", "), first.queryArray+" and "+first.keyArray
	}
	queries += " (" + first.storedShapes[0] + ")"
	if keys != first.queryArray {
		queries += ", keys by " + keys + " (" + first.storedShapes[1] + ")"
	}
	proportion := ""
	if first.configLayers > len(m.Layers) {
		proportion = fmt.Sprintf(", of the %d that %s has", first.configLayers, filepath.Base(first.config.Path))
	}
	m.addSubject("Queries are made by %s; %s of %s%s", queries, names.Count(len(m.Layers), "layer"), t.name, proportion)
	m.addSubject("Arrays are %s", m.joinTexts((*Layer).describeHeads))
	m.addSubject("W is %s", m.joinTexts(func(l *Layer) string { return l.order.String() }))
	if slices.ContainsFunc(m.Layers, func(l *Layer) bool { return !l.order.isSure }) {
		m.Doubts = append(m.Doubts, "whether W is inputs × outputs or outputs × inputs is not known: say --order")
	}
	m.addSubject("The model's scale: %s", m.joinTexts((*Layer).describeScale))
	m.addSubject("Norm of queries and keys that is used: %s", m.joinTexts((*Layer).describeNorms))
	m.describeReach()
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
	if l.isGated {
		layout += " with a gate"
	}
	return fmt.Sprintf("%s, of %s of queries and %d of keys, d_k = %d, %d inputs, by %s",
		layout, names.Count(l.Heads, "head"), l.KeyHeads, l.Dimension, l.width, l.source)
}

// isCosine reports whether queries and keys are normalised to length 1.
func (l *Layer) isCosine() bool { return l.qNorm != nil && l.qNorm.UnitLength }

// describeScale returns the factor of q·k in words.
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

// describeNorms names the norms of queries and keys.
func (l *Layer) describeNorms() string {
	if q, k := describeNorm(l.qNorm), describeNorm(l.kNorm); q != k {
		return q + " of queries, " + k + " of keys"
	}
	return describeNorm(l.qNorm)
}

// describeReach says how large the norms of queries and keys let logits be, and how much weight the
// largest logit gets in a row with as many keys as the context. It says nothing if the norms of a layer
// do not bound the logits of each head, or if a soft cap does.
func (m *Model) describeReach() {
	first := m.Layers[0]
	keys, source := first.config.Context(), "the context"
	if keys == 0 {
		keys, source = max(2, first.opener.Tokens), "by --keys, since the context is not known"
	}
	var logits, sds, reaches []float64
	for _, l := range m.Layers {
		for _, n := range []*projection.HeadNorm{l.qNorm, l.kNorm} {
			if n == nil || n.SpansHeads || n.Shift != nil || l.scores.Cap > 0 || len(l.scores.Unresolved) > 0 {
				return
			}
		}
		scale, d := l.Scale, float64(l.Dimension)
		if l.isCosine() {
			scale /= d // vectors have length 1 in place of √d
		}
		for h := range l.Heads {
			_, rotated, sd := reach.Gains(l.qNorm.HeadGain(h, l.Dimension),
				l.kNorm.HeadGain(h*l.KeyHeads/l.Heads, l.Dimension))
			a, b := float64(scale*sd*math.Sqrt(d)), float64(scale*rotated)
			if max(a, b) > reach.MaxLogit {
				return
			}
			logits, sds = append(logits, b), append(sds, float64(scale*sd))
			reaches = append(reaches, reach.Moments(keys-1, l.Dimension, a, b)[0])
		}
	}
	formatRange := func(x []float64) string {
		if lo, hi := fmt.Sprintf("%.3g", slices.Min(x)), fmt.Sprintf("%.3g", slices.Max(x)); lo != hi {
			return lo + ".." + hi
		}
		return fmt.Sprintf("%.3g", x[0])
	}
	m.addSubject("With the gains of these norms and the model's scale, a logit is at most %s (over heads): the "+
		"scale, times the largest lengths, whatever the rotation. Among %d keys (%s) such a logit gets a mean weight "+
		"of about %s if the others have independent directions, whose logits have a standard deviation of %s",
		formatRange(logits), keys, source, formatRange(reaches), formatRange(sds))
}

// addDoubts adds doubts and caveats about the interpretation of a layer.
func (m *Model) addDoubts(l *Layer) {
	if l.misfit != "" && l.source == sourceFlags {
		m.Caveats = addOnce(m.Caveats, "though "+l.misfit)
	} else if l.misfit != "" {
		m.Doubts = addOnce(m.Doubts, l.misfit)
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
		if !l.isCosine() || caveat != modelconfig.AssumedScale { // the scale of a cosine is in the weights
			m.Caveats = addOnce(m.Caveats, caveat)
		}
	}
}

// describeNorm names a norm of queries or keys.
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

// describeTokens chooses the norm of tokens and describes the tokens.
func (m *Model) describeTokens() {
	o := m.options
	firstWithGain := slices.IndexFunc(m.Layers, func(l *Layer) bool { return l.gain != nil })
	switch {
	case o.Norm != "":
		m.norm = o.Norm
	case o.X != "":
		m.norm = projection.NormNone
	case m.Layers[max(0, firstWithGain)].isRMS():
		m.norm = projection.NormRMS
	default:
		m.norm = projection.NormLayer
	}
	after := map[string]string{projection.NormRMS: " after RMSNorm", projection.NormLayer: " after LayerNorm"}[m.norm]
	gain := ", as they are"
	if m.norm != projection.NormNone {
		gain = ", " + m.joinTexts(m.describeGain)
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

// describeGain names the gain of the tokens of a layer. It adds a caveat if the gain is missing,
// unless the model does not have a norm before attention.
func (m *Model) describeGain(l *Layer) string {
	if l.gain != nil {
		return "with the gain of " + replaceNumbers(l.normName)
	}
	text := "without a gain, " + l.noNormReason
	if l.config.NormPosition() != modelconfig.NormResidual {
		m.Caveats = addOnce(m.Caveats, text)
	}
	return text
}

var (
	// rotaryName matches names in files and configs of models that may have rotary positions.
	rotaryName = regexp.MustCompile(`(?i)rope|rotary|inv_freq|freqs_c|eva0?2`)
	// positionName matches names of arrays of other kinds of positions, and of arrays of UNets,
	// which do not have positions.
	positionName = regexp.MustCompile(
		`(?i)pos_?emb|position|wpe\b|embed_pos|relative|rel_pos|attention_biases|(down|mid)_block`)
)

// mayRotate reports whether the model may have rotary positions: the config or a name of an array
// indicates them, or nothing indicates other positions.
func (m *Model) mayRotate() bool {
	names, config := strings.Join(m.files.Names(), "\n"), []byte(nil)
	if c := m.Layers[0].config; c != nil {
		config, _ = os.ReadFile(c.Path)
	}
	return rotaryName.MatchString(names) || rotaryName.Match(config) || !positionName.MatchString(names)
}

// layerNormName matches the gain of a LayerNorm that may have no bias, as in nanoGPT and
// x-transformers.
var layerNormName = regexp.MustCompile(`(^|[./_])(ln\w*[._/]\w+|gamma)$`)

// isRMS reports whether the norm before a layer is RMSNorm. If the config does not say, a norm
// without a bias is RMSNorm, except if its name is usual for a LayerNorm.
func (l *Layer) isRMS() bool {
	subtractsMean, isKnown := l.config.SubtractsMean()
	if l.gain == nil || isKnown {
		return isKnown && !subtractsMean && l.shift == nil
	}
	return l.shift == nil && !layerNormName.MatchString(l.normName)
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
			cross[0].queryArray)
	}
	if len(others) > 0 {
		m.addSubject("Left out: %s; --tower NAME chooses", strings.Join(names.Map(others, (*tower).String), ", "))
	}
}
