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

// pattern is how the arrays of a layer are named after the name of their module.
type pattern struct {
	query, key string // key is empty if one array has both
	layout     string // empty if it depends on the model
}

//go:embed names.txt
var namesText string

// patterns and lists are what names.txt has: the names of W_Q and W_K, and those of norms by kind.
var patterns, lists = readNames(namesText)

// readNames reads lines of a pattern, and lines of names after their kind.
func readNames(text string) (all []pattern, lists map[string][]string) {
	lists = map[string][]string{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if kind, ok := strings.CutSuffix(words[0], ":"); ok {
			lists[kind] = append(lists[kind], words[1:]...)
			continue
		}
		all = append(all, pattern{words[0], strings.Trim(words[1], "-"), strings.Trim(words[2], "-")})
	}
	return all, lists
}

var (
	// ending matches the name of a matrix: weight of PyTorch, kernel of Flax and Keras, w of Haiku, or
	// none of these. base_layer is what peft calls a weight that has a LoRA.
	ending = regexp.MustCompile(`(?s)^(.*?)(?:\.base_layer)?(?:[._](weight)|[./](kernel)|/(w))?(?::0)?$`)
	// joined matches the name of a module that ends with an underscore, such as that of block_0_Wq.
	joined = regexp.MustCompile(`(?s)^(.*(?:\d|attn|attention|mha|sa)_)([^_].*)$`)
	// crossing matches modules whose queries and keys come from different tokens, as in pooling.
	crossing = regexp.MustCompile(`(?i)cross|(^|[./])encoder_attn|encdec|enc_dec|encoder_decoder_att|src_attn|` +
		`token_to_image|image_to_token|channel_(attn|block)|linear_attn|(^|[./])assign[./]|` +
		`(^|[./])(head|pooler|attn_?pool\w*|attention_pool\w*)[./]`)
	// second matches modules that are such only next to another one of self-attention.
	second = regexp.MustCompile(`(^|[./])(attn2|multihead_attn)[./]`)
)

// arrays are the arrays of a state dict.
type arrays struct{ *tensor.Files }

// under returns the names of arrays that begin with a prefix.
func (files arrays) under(prefix string) []string {
	names := files.Names()
	first, _ := slices.BinarySearch(names, prefix)
	last := first
	for last < len(names) && strings.HasPrefix(names[last], prefix) {
		last++
	}
	return names[first:last]
}

// module is a module of attention, by the names of its arrays.
type module struct {
	pattern
	prefix     string // before the names
	query, key string // arrays
	from       int    // where the number of the layer begins in prefix, or a byte before that
}

// isOne reports whether one array has queries and keys.
func (m *module) isOne() bool { return m.query == m.key }

// isKernel reports whether the name of W_Q is that of a matrix of inputs × outputs in its framework.
func (m *module) isKernel() bool {
	match := ending.FindStringSubmatch(m.query)
	return match[3]+match[4] != ""
}

// search finds the modules by the names of arrays, in the order of their numbers.
func (files arrays) search() (all []module) {
	bases := map[string]string{} // names of arrays by their names without ending
	for _, name := range files.Names() {
		if m := ending.FindStringSubmatch(name); m[1] != "" && (bases[m[1]] == "" || m[2]+m[3]+m[4] != "") {
			bases[m[1]] = name
		}
	}
	latent := map[string]bool{}
	for base, name := range bases {
		cut := strings.LastIndexAny(base, "./") + 1
		if m := joined.FindStringSubmatch(base[cut:]); m != nil {
			cut += len(m[1])
		}
		prefix, last := base[:cut], base[cut:]
		for _, p := range patterns {
			if last != p.query && name[cut:] != p.query {
				continue
			}
			m := module{pattern: p, prefix: prefix, query: name, key: name}
			if p.key != "" {
				m.key = bases[prefix+p.key]
			}
			all = append(all, m)
			latent[prefix] = latent[prefix] || p.layout == LayoutLatent
		}
	}
	all = slices.DeleteFunc(all, func(m module) bool { return latent[m.prefix] && m.layout != LayoutLatent })
	slices.SortFunc(all, func(a, b module) int {
		return cmp.Or(natural(a.prefix, b.prefix), cmp.Compare(a.query, b.query))
	})
	return all
}

// named returns the modules that Options name.
func (o *opener) named() (all []module, err error) {
	key := cmp.Or(o.Key, o.Query)
	p := pattern{o.Query, key, LayoutSeparate}
	if key == o.Query {
		base := ending.FindStringSubmatch(o.Query)[1]
		last := base[strings.LastIndexAny(base, "./")+1:]
		p = pattern{query: last}
		for _, known := range patterns {
			if known.query == last && known.key == "" {
				p = known
			}
		}
	}
	one := func(number string) module {
		q, k := strings.ReplaceAll(o.Query, "{}", number), strings.ReplaceAll(key, "{}", number)
		return module{pattern: p, prefix: commonModule(q, k), query: q, key: k}
	}
	if !strings.Contains(o.Query, "{}") {
		return []module{one("")}, nil
	}
	for i := 0; o.files.Has(one(fmt.Sprint(i)).query); i++ {
		all = append(all, one(fmt.Sprint(i)))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no array %s", one("0").query)
	}
	return all, nil
}

// commonModule returns what two names begin with, up to a dot, a slash or an underscore; of one name
// up to a dot or a slash.
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

// splitCross separates modules of self-attention from those whose keys come from other tokens.
func (files arrays) splitCross(all []module) (self, cross []module) {
	for _, m := range all {
		isCross := crossing.MatchString(m.prefix)
		if at := second.FindStringIndex(m.prefix); at != nil {
			block := m.prefix[:at[0]]
			isCross = isCross || len(files.under(block+".attn1.")) > 0 || len(files.under(block+".self_attn.")) > 0
		}
		if isCross {
			cross = append(cross, m)
		} else {
			self = append(self, m)
		}
	}
	return self, cross
}
