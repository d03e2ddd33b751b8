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

// gainName matches the name of a norm's gain.
var gainName = regexp.MustCompile(`(?s)^(.+)[._/](?:weight|scale|gamma|gain|g)(?::0)?$`)

// shifts are, for the ending of the name of a gain, the ending of the shift next to it.
var shifts = [][2]string{
	{"weight", "bias"}, {"scale", "bias"}, {"scale", "offset"}, {"gamma", "beta"}, {"gain", "bias"}, {"g", "b"},
}

// norm names the arrays of a norm; empty if there is none.
type norm struct{ weight, bias string }

// findNorm returns the first of the names that there is in a module.
func (files arrays) findNorm(module string, names []string) (n norm) {
	best := len(names)
	for _, array := range files.under(module) {
		m := gainName.FindStringSubmatch(array[len(module):])
		if m == nil {
			continue
		}
		i := slices.Index(names, strings.ReplaceAll(m[1], "/", "."))
		if i < 0 || i >= best {
			continue
		}
		best, n = i, norm{weight: array}
		for _, s := range shifts {
			name := strings.TrimSuffix(array, ":0")
			base, ok := strings.CutSuffix(name, s[0])
			if bias := base + s[1] + array[len(name):]; ok && files.Has(bias) {
				n.bias = bias
			}
		}
	}
	return n
}

// usualNorm returns the norm before attention by its name in the modules of a layer, of which the
// first is attention's own; isSure is false if it stands after attention in some models.
func (files arrays) usualNorm(modules []string) (n norm, isSure bool) {
	own, outer := modules[0], modules[1:]
	for _, kind := range []string{"before", "usual"} {
		for _, module := range append(slices.Clone(outer), own) { // a norm of its own may be of what attention gives
			if n := files.findNorm(module, lists[kind]); n.weight != "" {
				return n, kind == "before"
			}
		}
	}
	return norm{}, false
}

// findNorms finds the norm whose output a layer takes, and those of its queries and keys.
func (l *Layer) findNorms() {
	n := l.normBefore()
	l.before = n.weight
	l.gain, l.shift = l.gains(n, l.width)
	if l.latent == nil {
		l.qNorm, l.kNorm = l.headNorm(lists["queries"], l.Heads), l.headNorm(lists["keys"], l.KeyHeads)
		l.setCosine()
	}
}

// normBefore returns the norm whose output a layer takes, by the config and by names; if there is
// none it says why in place.
func (l *Layer) normBefore() norm {
	modules := l.enclosing()
	block := modules[len(modules)-1]
	previous, next := l.neighbour(block, -1), l.neighbour(block, 1)
	where := l.config.NormPlace()
	for _, module := range append(modules, previous) {
		if where == "" && module != "" && l.files.findNorm(module, lists["end"]).weight != "" {
			where = modelconfig.NormAfter
		}
	}
	switch where {
	case modelconfig.NormResidual:
		l.place = "since the model has none before attention"
		return norm{}
	case modelconfig.NormAfter:
		l.place = "since the model's norms stand after attention, and the last one before the layer is not found"
		return l.previousNorm(block)
	}
	n, isSure := l.files.usualNorm(modules)
	if n.weight != "" && !isSure && where == "" && l.mayFollow(block, n) {
		l.place = "since names do not tell whether " + anyLayer(n.weight) +
			" stands before attention (norm_first) or after it"
		return norm{}
	}
	l.place = "since no norm before attention is found by its name"
	if n.weight == "" && next != "" && previous == "" {
		if later, _ := l.files.usualNorm([]string{next, next}); later.weight != "" { // modeling_modernbert.py
			return l.previousNorm(block)
		}
	}
	return n
}

// mayFollow reports whether a usual norm of a layer may stand after attention: in the layers that come
// with PyTorch, nn.TransformerEncoderLayer and its like (norm_first), in those of fairseq and wav2vec2
// (normalize_before), in Swin v2, and if there is a norm after the embedding and none after the last
// layer.
func (l *Layer) mayFollow(block string, n norm) bool {
	afterEmbedding, afterLast := l.opener.endNorms()
	switch isNamed := func(name string) bool { return l.files.findNorm(block, []string{name}).weight == n.weight }; {
	case isNamed("norm1") && l.files.Has(block+"linear1.weight"), l.files.Has(l.prefix + "logit_scale"):
		return true
	case isNamed("layer_norm") && l.files.findNorm(block, []string{"final_layer_norm"}).weight != "":
		return true
	case isNamed("self_attn_layer_norm"):
		return !afterLast
	}
	return afterEmbedding && !afterLast
}

// endNorms reports whether there is a norm after the embedding, and one after the last layer.
func (files arrays) endNorms() (afterEmbedding, afterLast bool) {
	for _, name := range files.Names() {
		m := gainName.FindStringSubmatch(strings.ToLower(name))
		if m == nil || number.MatchString(name) || !strings.Contains(m[1], "norm") && !strings.Contains(m[1], "ln") {
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

// previousNorm returns the norm at the end of the layer before, or after the embedding.
func (l *Layer) previousNorm(block string) norm {
	at := layerAt(block, l.from)
	shared := l.files.findNorm(block, []string{"full_layer_layer_norm"}) // of ALBERT
	if shared.weight != "" || at == nil {
		return shared
	}
	names, previous := lists["embedded"], l.neighbour(block, -1)
	if previous != "" {
		if n := l.files.findNorm(previous, lists["last"]); n.weight != "" {
			return n
		}
		names = []string{"layer_norm2." + layerNumber(previous, l.from)} // modeling_xlm.py
	}
	for root := block[:at[0]]; root != ""; {
		root = parent(root, "./")
		if n := l.files.findNorm(root, names); n.weight != "" {
			return n
		}
	}
	return norm{}
}

// gains reads the gain and the shift of a norm; nil if it has none.
func (l *Layer) gains(n norm, size int) (gain, shift []float64) {
	gain = l.vector(n.weight, size)
	if l.config.PlusOne() {
		for i := range gain {
			gain[i]++
		}
	}
	return gain, l.vector(n.bias, size)
}

// headNorm returns the norm of queries or keys: of each head, or of all together (OLMo 2); nil if
// there is none.
func (l *Layer) headNorm(names []string, heads int) *projection.HeadNorm {
	takesMean, _ := l.config.LayerNorm()
	out := &projection.HeadNorm{Epsilon: cmp.Or(l.config.Epsilon(), projection.Epsilon)}
	out.SubtractsMean = takesMean || strings.Contains(l.scores.Norm, "LayerNorm")
	n := l.files.findNorm(l.prefix, names)
	if n.weight == "" {
		return l.unnamedNorm(out, names, heads)
	}
	a, err := l.files.Lookup(n.weight)
	if err != nil {
		l.fail(err)
		return nil
	}
	size := l.Dimension
	isEach := len(a.Shape) == 2 // [heads, d_k], as Cohere's
	if isEach || len(a.Shape) == 1 && a.Shape[0] == heads*size {
		size *= heads
	}
	out.SpansHeads = !isEach && size > l.Dimension
	out.Gain, out.Shift = l.gains(n, size)
	out.SubtractsMean = out.SubtractsMean || out.Shift != nil
	return out
}

// unnamedNorm returns a norm with a module for each head (modeling_stablelm.py,
// StableLmLayerNormPerHead), or one without arrays that the config tells; nil if there is neither.
func (l *Layer) unnamedNorm(out *projection.HeadNorm, names []string, heads int) *projection.HeadNorm {
	text := l.scores.Norm
	if strings.Contains(text, "of each head") && strings.Contains(text, "no gain") &&
		!strings.Contains(text, "queries") {
		return out
	}
	out.SubtractsMean = true
	for h := range heads {
		var own []string
		for _, name := range names {
			own = append(own, fmt.Sprintf("%s.norms.%d", name, h))
		}
		n := l.files.findNorm(l.prefix, own)
		if n.weight == "" {
			return nil
		}
		gain, _ := l.gains(n, l.Dimension)
		out.Gain = append(out.Gain, gain...)
	}
	return out
}

// maxCosine is the largest factor of a cosine in Swin v2 (Liu et al. 2022, 3.3; timm
// swin_transformer_v2.py): logit_scale is limited to its logarithm.
const maxCosine = 100

// setCosine makes queries and keys of length 1, with a factor for each head, if there is the array of
// these factors that Swin v2 has.
func (l *Layer) setCosine() {
	name := l.prefix + "logit_scale"
	logs := l.vector(name, l.Heads)
	if logs == nil {
		return
	}
	if l.qNorm != nil || l.kNorm != nil {
		l.fail(fmt.Errorf("%s is beside arrays of a norm of queries or keys; which comes first is not known", name))
		return
	}
	l.Scale, l.qNorm, l.kNorm = 1, &projection.HeadNorm{UnitLength: true}, &projection.HeadNorm{UnitLength: true}
	if a, err := l.files.Lookup(name); err == nil && len(a.Shape) == 3 && l.layout == LayoutPacked && l.bk != nil {
		keys := l.Heads * l.Dimension
		clear(l.bk[keys : 2*keys]) // pytorch/vision, swin_transformer.py: keys have no bias
	}
	for _, x := range logs {
		factor := elementary.Exp(min(x, elementary.Log(maxCosine)))
		l.qNorm.Gain = append(l.qNorm.Gain, slices.Repeat([]float64{factor}, l.Dimension)...)
	}
}
