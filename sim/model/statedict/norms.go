package statedict

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
)

// gainName matches the name of a norm's gain.
var gainName = regexp.MustCompile(`(?s)^(.+)[._/](?:weight|scale|gamma|gain|g)(?::0)?$`)

// shifts are, for the ending of the name of a gain, that of the shift next to it.
var shifts = [][2]string{
	{"weight", "bias"}, {"scale", "bias"}, {"scale", "offset"}, {"gamma", "beta"}, {"gain", "bias"}, {"g", "b"},
}

// norm names the arrays of a norm; empty if there is none.
type norm struct{ weight, bias string }

// findNorm returns the first of the names that there is in a module.
func findNorm(files *tensor.Files, module string, names []string) (n norm) {
	best := len(names)
	for _, array := range under(files, module) {
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

// enclosing returns the modules that a layer's arrays stand in, from their own to that with its number.
func (f *found) enclosing() []string {
	own := f.prefix
	all, at, end := []string{own}, layerAt(own, f.from), 0
	if at != nil {
		end = at[1]
	}
	separators := "./"
	if strings.HasSuffix(own, "_") {
		separators = "./_"
	}
	for module := own; module != "" && (at != nil || len(all) == 1); {
		module = module[:strings.LastIndexAny(strings.TrimRight(module, separators), separators)+1]
		if len(module) < end {
			break
		}
		all = append(all, module)
	}
	if at != nil && strings.HasPrefix(own[end:], "_") && all[len(all)-1] != own[:end+1] { // h0_attn and h0_ln_1 of Haiku
		all = append(all, own[:end+1])
	}
	return all
}

// neighbour returns the module of a layer some layers on; empty if there is none.
func (f *found) neighbour(block string, step int) string {
	at := layerAt(block, f.from)
	if at == nil {
		return ""
	}
	n, _ := strconv.Atoi(block[at[0]:at[1]])
	if n+step < 0 {
		return ""
	}
	return block[:at[0]] + strconv.Itoa(n+step) + block[at[1]:]
}

// usualNorm returns the norm before attention by its name in the modules of a layer, of which the
// first is attention's own; isSure is false if it stands after attention in some models.
func usualNorm(files *tensor.Files, modules []string) (n norm, isSure bool) {
	own, outer := modules[0], modules[1:]
	for _, kind := range []string{"before", "usual"} {
		for _, module := range append(slices.Clone(outer), own) { // a norm of its own may be of what attention gives
			if n := findNorm(files, module, lists[kind]); n.weight != "" {
				return n, kind == "before"
			}
		}
	}
	return norm{}, false
}

// norms finds the norm whose output a layer takes, and those of its queries and keys.
func (l *Layer) norms(files *tensor.Files) error {
	n := l.normBefore(files)
	var err error
	if l.before = n.weight; n.weight != "" {
		if l.gain, l.shift, err = l.gains(files, n, l.width); err != nil {
			return err
		}
	}
	if l.latent != nil {
		return nil
	}
	if l.qNorm, err = l.headNorms(files, lists["queries"], l.Heads); err != nil {
		return err
	}
	if l.kNorm, err = l.headNorms(files, lists["keys"], l.KeyHeads); err != nil {
		return err
	}
	return l.cosine(files)
}

// normBefore returns the norm whose output a layer takes, by the config and by names; if there is
// none it says why in place.
func (l *Layer) normBefore(files *tensor.Files) norm {
	modules := l.found.enclosing()
	block := modules[len(modules)-1]
	where := l.config.NormPlace()
	for _, module := range append(modules, l.found.neighbour(block, -1)) {
		if where == "" && module != "" && findNorm(files, module, lists["end"]).weight != "" {
			where = modelconfig.NormAfter
		}
	}
	switch where {
	case modelconfig.NormResidual:
		l.place = "since the model has none before attention"
		return norm{}
	case modelconfig.NormAfter:
		l.place = "since the model's norms stand after attention, and the last one before the layer is not found"
		return l.previous(files, block)
	}
	n, isSure := usualNorm(files, modules)
	if n.weight != "" && !isSure && where == "" && l.isOpen(files, block, n) {
		l.place = "since names do not tell whether " + anyLayer(n.weight) +
			" stands before attention (norm_first) or after it"
		return norm{}
	}
	l.place = "since no norm before attention is found by its name"
	if next := l.found.neighbour(block, 1); n.weight == "" && next != "" && l.found.neighbour(block, -1) == "" {
		if later, _ := usualNorm(files, []string{next, next}); later.weight != "" { // modeling_modernbert.py
			return l.previous(files, block)
		}
	}
	return n
}

// isOpen reports whether a usual norm of a layer may stand after attention: in the layers that come
// with PyTorch, nn.TransformerEncoderLayer and its like (norm_first), in those of fairseq and wav2vec2
// (normalize_before), in Swin v2, and if there is a norm after the embedding and none after the last
// layer.
func (l *Layer) isOpen(files *tensor.Files, block string, n norm) bool {
	afterEmbedding, afterLast := l.found.ends()
	switch has := func(name string) bool { return findNorm(files, block, []string{name}).weight == n.weight }; {
	case has("norm1") && files.Has(block+"linear1.weight"), files.Has(l.found.prefix + "logit_scale"):
		return true
	case has("layer_norm") && findNorm(files, block, []string{"final_layer_norm"}).weight != "":
		return true
	case has("self_attn_layer_norm"):
		return !afterLast
	}
	return afterEmbedding && !afterLast
}

// endNorms reports whether there is a norm after the embedding, and one after the last layer.
func endNorms(files *tensor.Files) (afterEmbedding, afterLast bool) {
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

// previous returns the norm at the end of the layer before, or after the embedding.
func (l *Layer) previous(files *tensor.Files, block string) norm {
	at := layerAt(block, l.found.from)
	shared := findNorm(files, block, []string{"full_layer_layer_norm"}) // of ALBERT
	if shared.weight != "" || at == nil {
		return shared
	}
	before := l.found.neighbour(block, -1)
	if before != "" {
		if n := findNorm(files, before, lists["last"]); n.weight != "" {
			return n
		}
	}
	for root := block[:at[0]]; root != ""; {
		root = root[:strings.LastIndexAny(strings.TrimRight(root, "./"), "./")+1]
		names := lists["embedded"]
		if before != "" {
			names = []string{"layer_norm2." + layerNumber(before, l.found.from)} // modeling_xlm.py
		}
		if n := findNorm(files, root, names); n.weight != "" {
			return n
		}
	}
	return norm{}
}

// gains reads the gain and the shift of a norm.
func (l *Layer) gains(files *tensor.Files, n norm, size int) (gain, shift []float64, err error) {
	if gain, err = l.vector(files, n.weight, size); err != nil {
		return nil, nil, err
	}
	if l.config.PlusOne() {
		for i := range gain {
			gain[i]++
		}
	}
	shift, err = l.vector(files, n.bias, size)
	return gain, shift, err
}

// headNorms returns the norm of queries or keys: of each head, or of all together (OLMo 2); nil if
// there is none.
func (l *Layer) headNorms(files *tensor.Files, names []string, heads int) (*headNorm, error) {
	d := l.Dimension
	layerNorm, _ := l.config.LayerNorm()
	out := &headNorm{epsilon: cmp.Or(l.config.Epsilon(), epsilon)}
	out.layer = layerNorm || strings.Contains(l.scores.Norm, "LayerNorm")
	n := findNorm(files, l.found.prefix, names)
	if n.weight == "" {
		return l.listed(files, out, names, heads)
	}
	a, err := files.Lookup(n.weight)
	if err != nil {
		return nil, err
	}
	size := d
	each := len(a.Shape) == 2 // [heads, d_k], as Cohere's
	if each || len(a.Shape) == 1 && a.Shape[0] == heads*d {
		size = heads * d
	}
	out.whole = !each && size > d
	if out.gain, out.shift, err = l.gains(files, n, size); err != nil {
		return nil, err
	}
	out.layer = out.layer || out.shift != nil
	return out, nil
}

// listed returns a norm with a module for each head (modeling_stablelm.py, StableLmLayerNormPerHead),
// or one without arrays that the config tells; nil if there is neither.
func (l *Layer) listed(files *tensor.Files, out *headNorm, names []string, heads int) (*headNorm, error) {
	text := l.scores.Norm
	if strings.Contains(text, "of each head") && strings.Contains(text, "no gain") && !strings.Contains(text, "queries") {
		return out, nil
	}
	out.layer = true
	for h := range heads {
		var at []string
		for _, name := range names {
			at = append(at, fmt.Sprintf("%s.norms.%d", name, h))
		}
		n := findNorm(files, l.found.prefix, at)
		if n.weight == "" {
			return nil, nil
		}
		gain, _, err := l.gains(files, n, l.Dimension)
		if err != nil {
			return nil, err
		}
		out.gain = append(out.gain, gain...)
	}
	return out, nil
}

// maxCosine is the largest factor of a cosine in Swin v2 (Liu et al. 2022, 3.3; timm
// swin_transformer_v2.py): logit_scale is cut at its logarithm.
const maxCosine = 100

// cosine makes queries and keys of length 1, with a factor for each head, if there is the array of
// these factors that Swin v2 has.
func (l *Layer) cosine(files *tensor.Files) error {
	name := l.found.prefix + "logit_scale"
	logs, err := l.vector(files, name, l.Heads)
	if err != nil || logs == nil {
		return err
	}
	if l.qNorm != nil || l.kNorm != nil {
		return fmt.Errorf("%s is beside arrays of a norm of queries or keys; which comes first is not known", name)
	}
	l.Scale, l.qNorm, l.kNorm = 1, &headNorm{unit: true}, &headNorm{unit: true}
	if a, err := files.Lookup(name); err == nil && len(a.Shape) == 3 && l.layout == LayoutPacked && l.bk != nil {
		clear(l.bk[l.Heads*l.Dimension:][:l.Heads*l.Dimension]) // pytorch/vision, swin_transformer.py: keys have no bias
	}
	for _, x := range logs {
		factor := elementary.Exp(min(x, elementary.Log(maxCosine)))
		for range l.Dimension {
			l.qNorm.gain = append(l.qNorm.gain, factor)
		}
	}
	return nil
}
