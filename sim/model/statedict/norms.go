package statedict

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/elementary"
	"mcsim/sim/model/projection"
)

// gainName matches the name of the gain of a norm.
var gainName = regexp.MustCompile(`(?s)^(.+)[._/](?:weight|scale|gamma|gain|g)(?::0)?$`)

// shiftEndings are pairs of endings of the names of a gain and of its shift.
var shiftEndings = [][2]string{
	{"weight", "bias"}, {"scale", "bias"}, {"scale", "offset"}, {"gamma", "beta"}, {"gain", "bias"}, {"g", "b"},
}

// norm has the names of the arrays of a norm. A name is empty if the norm does not have the array.
type norm struct{ weight, bias string }

// findNorm returns the norm in a module with one of the given names. If there are several, it
// returns the one whose name comes first in names.
func (files arrayIndex) findNorm(module string, names []string) (n norm) {
	best := len(names)
	for _, array := range files.namesWithPrefix(module) {
		m := gainName.FindStringSubmatch(array[len(module):])
		if m == nil {
			continue
		}
		i := slices.Index(names, strings.ReplaceAll(m[1], "/", "."))
		if i < 0 || i >= best {
			continue
		}
		best, n = i, norm{weight: array}
		for _, s := range shiftEndings {
			name := strings.TrimSuffix(array, ":0")
			base, ok := strings.CutSuffix(name, s[0])
			if bias := base + s[1] + array[len(name):]; ok && files.Has(bias) {
				n.bias = bias
			}
		}
	}
	return n
}

// findNamedNorm finds the norm before attention by its name. modules has the module of attention,
// followed by the modules around it. isSure is false if some models have a norm of this name after
// attention.
func (files arrayIndex) findNamedNorm(modules []string) (n norm, isSure bool) {
	attention, outer := modules[0], modules[1:]
	for _, kind := range []string{"before", "usual"} {
		// A norm in the module of attention comes last, since it may be applied after attention.
		for _, module := range append(slices.Clone(outer), attention) {
			if n := files.findNorm(module, nameLists[kind]); n.weight != "" {
				return n, kind == "before"
			}
		}
	}
	return norm{}, false
}

// findNorms finds the norm whose output a layer reads, and the norms of queries and keys.
func (l *Layer) findNorms() {
	n := l.findInputNorm()
	l.normName = n.weight
	l.gain, l.shift = l.readGains(n, l.width)
	if l.latent == nil {
		l.qNorm, l.kNorm = l.findHeadNorm(nameLists["queries"], l.Heads), l.findHeadNorm(nameLists["keys"], l.KeyHeads)
		l.setCosine()
	}
}

// findInputNorm returns the norm whose output a layer reads, by the config and by names. It also
// sets noNormReason, which is used if no norm is found.
func (l *Layer) findInputNorm() norm {
	modules := l.enclosingModules()
	block := modules[len(modules)-1]
	previous, next := l.neighbourModule(block, -1), l.neighbourModule(block, 1)
	position := l.config.NormPosition()
	for _, module := range append(modules, previous) {
		if position == "" && module != "" && l.files.findNorm(module, nameLists["end"]).weight != "" {
			position = modelconfig.NormAfter
		}
	}
	switch position {
	case modelconfig.NormResidual:
		l.noNormReason = "since the model has none before attention"
		return norm{}
	case modelconfig.NormAfter:
		l.noNormReason = "since the model's norms stand after attention, and the last one before the layer is not found"
		return l.findPreviousNorm(block)
	}
	n, isSure := l.files.findNamedNorm(modules)
	if n.weight != "" && !isSure && position == "" && l.mayFollowAttention(block, n) {
		l.noNormReason = "since names do not tell whether " + replaceNumbers(n.weight) +
			" stands before attention (norm_first) or after it"
		return norm{}
	}
	l.noNormReason = "since no norm before attention is found by its name"
	if n.weight == "" && next != "" && previous == "" {
		if later, _ := l.files.findNamedNorm([]string{next, next}); later.weight != "" { // modeling_modernbert.py
			return l.findPreviousNorm(block)
		}
	}
	return n
}

// mayFollowAttention reports whether a norm may be after attention. This is possible in layers of
// PyTorch such as nn.TransformerEncoderLayer (norm_first), in layers of fairseq and wav2vec2
// (normalize_before), in Swin v2, and in models with a norm after the embedding but not after the
// last layer.
func (l *Layer) mayFollowAttention(block string, n norm) bool {
	afterEmbedding, afterLast := l.opener.endNorms()
	isNamed := func(name string) bool { return l.files.findNorm(block, []string{name}).weight == n.weight }
	switch {
	case isNamed("norm1") && l.files.Has(block+"linear1.weight"), l.files.Has(l.prefix + "logit_scale"):
		return true
	case isNamed("layer_norm") && l.files.findNorm(block, []string{"final_layer_norm"}).weight != "":
		return true
	case isNamed("self_attn_layer_norm"):
		return !afterLast
	}
	return afterEmbedding && !afterLast
}

// findEndNorms reports whether there are norms after the embedding and after the last layer.
func (files arrayIndex) findEndNorms() (afterEmbedding, afterLast bool) {
	for _, name := range files.Names() {
		m := gainName.FindStringSubmatch(strings.ToLower(name))
		if m == nil || digits.MatchString(name) || !strings.Contains(m[1], "norm") && !strings.Contains(m[1], "ln") {
			continue
		}
		if strings.Contains(m[1], "emb") && !strings.Contains(m[1], "after") {
			afterEmbedding = true
		} else {
			afterLast = true
		}
	}
	return afterEmbedding, afterLast
}

// findPreviousNorm returns the norm at the end of the previous layer. For the first layer, it
// returns the norm after the embedding.
func (l *Layer) findPreviousNorm(block string) norm {
	span := findLayerNumber(block, l.numberStart)
	shared := l.files.findNorm(block, []string{"full_layer_layer_norm"}) // ALBERT
	if shared.weight != "" || span == nil {
		return shared
	}
	names, previous := nameLists["embedded"], l.neighbourModule(block, -1)
	if previous != "" {
		if n := l.files.findNorm(previous, nameLists["last"]); n.weight != "" {
			return n
		}
		names = []string{"layer_norm2." + layerNumber(previous, l.numberStart)} // modeling_xlm.py
	}
	for root := block[:span[0]]; root != ""; {
		root = parent(root, "./")
		if n := l.files.findNorm(root, names); n.weight != "" {
			return n
		}
	}
	return norm{}
}

// readGains reads the gain and the shift of a norm. Each is nil if the norm does not have it.
func (l *Layer) readGains(n norm, size int) (gain, shift []float64) {
	gain = l.vector(n.weight, size)
	if l.config.AddsOneToGain() {
		for i := range gain {
			gain[i]++
		}
	}
	return gain, l.vector(n.bias, size)
}

// findHeadNorm returns the norm of queries or keys, or nil if there is none. The norm is applied to
// each head, or to all heads together (OLMo 2).
func (l *Layer) findHeadNorm(names []string, heads int) *projection.HeadNorm {
	subtractsMean, _ := l.config.SubtractsMean()
	headNorm := &projection.HeadNorm{Epsilon: cmp.Or(l.config.Epsilon(), projection.Epsilon)}
	headNorm.SubtractsMean = subtractsMean || strings.Contains(l.scores.Norm, "LayerNorm")
	n := l.files.findNorm(l.prefix, names)
	if n.weight == "" {
		return l.findUnnamedNorm(headNorm, names, heads)
	}
	a, err := l.files.Lookup(n.weight)
	if err != nil {
		l.fail(err)
		return nil
	}
	size := l.Dimension
	hasHeadAxis := len(a.Shape) == 2 // [heads, d_k], Cohere
	if hasHeadAxis || len(a.Shape) == 1 && a.Shape[0] == heads*size {
		size *= heads
	}
	headNorm.SpansHeads = !hasHeadAxis && size > l.Dimension
	headNorm.Gain, headNorm.Shift = l.readGains(n, size)
	headNorm.SubtractsMean = headNorm.SubtractsMean || headNorm.Shift != nil
	return headNorm
}

// findUnnamedNorm completes and returns headNorm in two cases: the config describes a norm without
// arrays, or the norm has a module for each head (modeling_stablelm.py, StableLmLayerNormPerHead).
// Otherwise it returns nil.
func (l *Layer) findUnnamedNorm(headNorm *projection.HeadNorm, names []string, heads int) *projection.HeadNorm {
	text := l.scores.Norm
	if strings.Contains(text, "of each head") && strings.Contains(text, "no gain") &&
		!strings.Contains(text, "queries") {
		return headNorm
	}
	headNorm.SubtractsMean = true
	for h := range heads {
		var moduleNames []string
		for _, name := range names {
			moduleNames = append(moduleNames, fmt.Sprintf("%s.norms.%d", name, h))
		}
		n := l.files.findNorm(l.prefix, moduleNames)
		if n.weight == "" {
			return nil
		}
		gain, _ := l.readGains(n, l.Dimension)
		headNorm.Gain = append(headNorm.Gain, gain...)
	}
	return headNorm
}

// maxCosineFactor is the largest factor of a cosine in Swin v2, which limits logit_scale to ln 100
// (Liu et al. 2022, 3.3; timm swin_transformer_v2.py).
const maxCosineFactor = 100

// setCosine normalises queries and keys to length 1, with a factor for each head, if the layer has
// logit_scale, the array of the logarithms of these factors in Swin v2.
func (l *Layer) setCosine() {
	name := l.prefix + "logit_scale"
	logs := l.vector(name, l.Heads)
	if logs == nil {
		return
	}
	if l.qNorm != nil || l.kNorm != nil {
		l.fail(fmt.Errorf("%s is next to arrays of a norm of queries or keys: which is applied first is not known",
			name))
		return
	}
	l.Scale, l.qNorm, l.kNorm = 1, &projection.HeadNorm{UnitLength: true}, &projection.HeadNorm{UnitLength: true}
	if a, err := l.files.Lookup(name); err == nil && len(a.Shape) == 3 && l.layout == LayoutPacked && l.bk != nil {
		keys := l.Heads * l.Dimension
		clear(l.bk[keys : 2*keys]) // pytorch/vision, swin_transformer.py: keys have no bias
	}
	for _, x := range logs {
		factor := elementary.Exp(min(x, elementary.Log(maxCosineFactor)))
		l.qNorm.Gain = append(l.qNorm.Gain, slices.Repeat([]float64{factor}, l.Dimension)...)
	}
}
