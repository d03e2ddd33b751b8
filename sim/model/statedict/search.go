package statedict

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
)

// pattern has the names of W_Q and W_K of a layer, relative to their module.
type pattern struct {
	query, key string // key is empty if one array has W_Q and W_K
	layout     string // empty if the layout depends on the model
}

//go:embed names.txt
var namesText string

// patterns has the known names of W_Q and W_K. nameLists maps a kind, such as queries, to names of
// norms or other arrays.
var patterns, nameLists = readNames(namesText)

// readNames parses lines of patterns, and lines with a kind followed by names.
func readNames(text string) (patterns []pattern, nameLists map[string][]string) {
	nameLists = map[string][]string{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if kind, ok := strings.CutSuffix(words[0], ":"); ok {
			nameLists[kind] = append(nameLists[kind], words[1:]...)
			continue
		}
		patterns = append(patterns, pattern{words[0], strings.Trim(words[1], "-"), strings.Trim(words[2], "-")})
	}
	return patterns, nameLists
}

var (
	// matrixEnding matches the name of a matrix. It ends with weight (PyTorch), kernel (Flax and
	// Keras), w (Haiku), or none of these. In peft, weights with a LoRA are in a module base_layer.
	matrixEnding = regexp.MustCompile(`(?s)^(.*?)(?:\.base_layer)?(?:[._](weight)|[./](kernel)|/(w))?(?::0)?$`)
	// underscoreModule matches a name whose module ends with an underscore, such as block_0_Wq.
	underscoreModule = regexp.MustCompile(`(?s)^(.*(?:\d|attn|attention|mha|sa)_)([^_].*)$`)
	// crossModule matches modules of cross-attention or pooling, where queries and keys come from
	// different tokens.
	crossModule = regexp.MustCompile(`(?i)cross|(^|[./])encoder_attn|encdec|enc_dec|encoder_decoder_att|src_attn|` +
		`token_to_image|image_to_token|channel_(attn|block)|linear_attn|(^|[./])assign[./]|` +
		`(^|[./])(head|pooler|attn_?pool\w*|attention_pool\w*)[./]`)
	// secondModule matches modules that are cross-attention if the same block also has a module of
	// self-attention.
	secondModule = regexp.MustCompile(`(^|[./])(attn2|multihead_attn)[./]`)
)

// arrayIndex finds the arrays of a state dict by name.
type arrayIndex struct{ *tensor.Files }

// namesWithPrefix returns the names of arrays that begin with a prefix.
func (files arrayIndex) namesWithPrefix(prefix string) []string {
	names := files.Names()
	first, _ := slices.BinarySearch(names, prefix)
	last := first
	for last < len(names) && strings.HasPrefix(names[last], prefix) {
		last++
	}
	return names[first:last]
}

// module has the names of the arrays of a module of attention.
type module struct {
	pattern
	prefix               string // prefix of the names of its arrays
	queryArray, keyArray string // full names of W_Q and W_K
	numberStart          int    // offset in prefix at which the search for the number of the layer starts
}

// isJoint reports whether one array has W_Q and W_K.
func (m *module) isJoint() bool { return m.queryArray == m.keyArray }

// isKernel reports whether the name of W_Q belongs to a framework whose matrices are inputs ×
// outputs.
func (m *module) isKernel() bool {
	match := matrixEnding.FindStringSubmatch(m.queryArray)
	return match[3]+match[4] != ""
}

// findModules finds the modules of attention by the names of arrays, sorted by their numbers.
func (files arrayIndex) findModules() (modules []module) {
	bases := map[string]string{} // names of arrays by their names without an ending such as weight
	for _, name := range files.Names() {
		if m := matrixEnding.FindStringSubmatch(name); m[1] != "" && (bases[m[1]] == "" || m[2]+m[3]+m[4] != "") {
			bases[m[1]] = name
		}
	}
	latent := map[string]bool{} // prefixes of modules with a latent layout, which have no other layout
	for base, name := range bases {
		moduleEnd := strings.LastIndexAny(base, "./") + 1
		if m := underscoreModule.FindStringSubmatch(base[moduleEnd:]); m != nil {
			moduleEnd += len(m[1])
		}
		prefix, last := base[:moduleEnd], base[moduleEnd:]
		for _, p := range patterns {
			if last != p.query && name[moduleEnd:] != p.query {
				continue
			}
			m := module{pattern: p, prefix: prefix, queryArray: name, keyArray: name}
			if p.key != "" {
				m.keyArray = bases[prefix+p.key]
			}
			modules = append(modules, m)
			latent[prefix] = latent[prefix] || p.layout == LayoutLatent
		}
	}
	modules = slices.DeleteFunc(modules, func(m module) bool { return latent[m.prefix] && m.layout != LayoutLatent })
	slices.SortFunc(modules, func(a, b module) int {
		return cmp.Or(compareNumbered(a.prefix, b.prefix), cmp.Compare(a.queryArray, b.queryArray))
	})
	return modules
}

// newNamedModules returns the modules whose W_Q and W_K the options name.
func (o *opener) newNamedModules() (modules []module, err error) {
	key := cmp.Or(o.Key, o.Query)
	p := pattern{o.Query, key, LayoutSeparate}
	if key == o.Query {
		base := matrixEnding.FindStringSubmatch(o.Query)[1]
		last := base[strings.LastIndexAny(base, "./")+1:]
		p = pattern{query: last}
		for _, known := range patterns {
			if known.query == last && known.key == "" {
				p = known
			}
		}
	}
	newModule := func(number string) module {
		q, k := strings.ReplaceAll(o.Query, "{}", number), strings.ReplaceAll(key, "{}", number)
		return module{pattern: p, prefix: commonModule(q, k), queryArray: q, keyArray: k}
	}
	if !strings.Contains(o.Query, "{}") {
		return []module{newModule("")}, nil
	}
	for i := 0; o.files.Has(newModule(fmt.Sprint(i)).queryArray); i++ {
		modules = append(modules, newModule(fmt.Sprint(i)))
	}
	if len(modules) == 0 {
		return nil, fmt.Errorf("there is no array %s", newModule("0").queryArray)
	}
	return modules, nil
}

// commonModule returns the common beginning of two names, up to a dot, a slash or an underscore.
// If the names are equal, it ends at a dot or a slash.
func commonModule(a, b string) string {
	if a == b {
		return a[:strings.LastIndexAny(a, "./")+1]
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:strings.LastIndexAny(a[:n], "./_")+1]
}

// splitCross separates modules of self-attention from modules whose keys come from other tokens.
func (files arrayIndex) splitCross(modules []module) (self, cross []module) {
	for _, m := range modules {
		isCross := crossModule.MatchString(m.prefix)
		if span := secondModule.FindStringIndex(m.prefix); span != nil {
			block := m.prefix[:span[0]]
			isCross = isCross || len(files.namesWithPrefix(block+".attn1.")) > 0 ||
				len(files.namesWithPrefix(block+".self_attn.")) > 0
		}
		if isCross {
			cross = append(cross, m)
		} else {
			self = append(self, m)
		}
	}
	return self, cross
}
