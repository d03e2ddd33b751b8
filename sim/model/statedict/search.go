package statedict

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
		`token_to_image|image_to_token|channel_(attn|block)|linear_attn|(^|[./])assign[./]|(^|[./])(head|pooler|attn_?pool\w*|attention_pool\w*)[./]`)
	// second matches modules that are such only next to another one of self-attention.
	second = regexp.MustCompile(`(^|[./])(attn2|multihead_attn)[./]`)
)

// found is a layer as its arrays are named.
type found struct {
	pattern
	prefix     string // before the names
	query, key string // arrays
	kernel     bool   // the name of W_Q says that it is inputs × outputs
	from       int    // where the number of the layer begins in prefix, or a byte before that

	votes map[[2]int][2]int                       // results of votes, by the shape of W_Q
	ends  func() (afterEmbedding, afterLast bool) // of endNorms
}

// search finds the layers by the names of arrays, in the order of their numbers.
func search(files *tensor.Files) []found {
	var all []found
	bases := map[string]string{} // names of arrays by their names without ending
	for _, name := range files.Names() {
		if m := ending.FindStringSubmatch(name); m[1] != "" && (bases[m[1]] == "" || m[2]+m[3]+m[4] != "") {
			bases[m[1]] = name
		}
	}
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
			f := found{pattern: p, prefix: prefix, query: name, key: name, kernel: isKernel(name)}
			if p.key != "" {
				f.key = bases[prefix+p.key]
			}
			all = append(all, f)
		}
	}
	latent := map[string]bool{}
	for _, f := range all {
		latent[f.prefix] = latent[f.prefix] || f.layout == LayoutLatent
	}
	all = slices.DeleteFunc(all, func(f found) bool { return latent[f.prefix] && f.layout != LayoutLatent })
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(natural(a.prefix, b.prefix), cmp.Compare(a.query, b.query))
	})
	return all
}

// isKernel reports whether a name is that of a matrix of inputs × outputs in its framework.
func isKernel(name string) bool {
	m := ending.FindStringSubmatch(name)
	return m[3]+m[4] != ""
}

// named returns the layers that Options name.
func (o *Options) named(files *tensor.Files) ([]found, error) {
	key := cmp.Or(o.Key, o.Query)
	p := pattern{o.Query, key, LayoutSeparate}
	if key == o.Query {
		base := ending.FindStringSubmatch(o.Query)[1]
		last := base[strings.LastIndexAny(base, "./")+1:]
		i := slices.IndexFunc(patterns, func(known pattern) bool { return known.query == last && known.key == "" })
		if p = (pattern{query: last}); i >= 0 {
			p = patterns[i]
		}
	}
	one := func(number string) found {
		q, k := strings.ReplaceAll(o.Query, "{}", number), strings.ReplaceAll(key, "{}", number)
		return found{pattern: p, prefix: commonModule(q, k), query: q, key: k, kernel: isKernel(q)}
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

// splitCross parts layers of self-attention from those whose keys come from other tokens.
func splitCross(files *tensor.Files, all []found) (self, cross []found) {
	for _, f := range all {
		isCross := crossing.MatchString(f.prefix)
		if at := second.FindStringIndex(f.prefix); at != nil {
			block := f.prefix[:at[0]]
			isCross = isCross || len(under(files, block+".attn1.")) > 0 || len(under(files, block+".self_attn.")) > 0
		}
		if isCross {
			cross = append(cross, f)
		} else {
			self = append(self, f)
		}
	}
	return self, cross
}

// under returns the names of arrays that begin with a prefix.
func under(files *tensor.Files, prefix string) []string {
	names := files.Names()
	first, _ := slices.BinarySearch(names, prefix)
	last := first
	for last < len(names) && strings.HasPrefix(names[last], prefix) {
		last++
	}
	return names[first:last]
}

var (
	number = regexp.MustCompile(`\d+`)
	// numbered matches a module whose name is a number, or layer_0 and its like.
	numbered = regexp.MustCompile(`(?i)(?:^|[./])(?:\w*(?:layers?|blocks?)_?|h_?)?(\d+)(?:[./_]|$)`)
)

// layerAt returns where the number of a layer is in a name: the number of the first numbered module
// after the first bytes, such as the 0 of dinov2.encoder.layer.0, else the first number; nil if there
// is none.
func layerAt(name string, from int) []int {
	from = min(from, len(name))
	span := number.FindStringIndex(name[from:])
	if at := numbered.FindStringSubmatchIndex(name[from:]); at != nil {
		span = at[2:4]
	}
	if span == nil {
		return nil
	}
	return []int{from + span[0], from + span[1]}
}

// layerNumber returns the number of the layer of a name, as it is written; empty if it has none.
func layerNumber(name string, from int) string {
	if at := layerAt(name, from); at != nil {
		return name[at[0]:at[1]]
	}
	return ""
}

// number returns the number of the layer, as it is written.
func (f *found) number() string { return layerNumber(f.prefix, f.from) }

// placeNumbers finds the number of each layer in its name: the first one that differs between layers of
// the same name, unless it numbers heads.
func placeNumbers(all []found) {
	groups := map[string][]*found{}
	for i := range all {
		name := number.ReplaceAllString(all[i].prefix, "")
		groups[name] = append(groups[name], &all[i])
	}
	for _, group := range groups {
		first, common := group[0].prefix, 0
		last := group[len(group)-1].prefix // they are sorted
		for last != first && last[common] == first[common] {
			common++
		}
		from, at := 0, layerAt(first, 0)
		for at != nil && at[1] < common {
			from = at[1]
			at = layerAt(first, from)
		}
		if at == nil || ownModule.MatchString(first[:at[1]]+".") {
			from = 0
		}
		for _, f := range group {
			f.from = from
		}
	}
}

// natural compares names with numbers in them by the numbers.
func natural(a, b string) int {
	inA, inB := number.FindAllString(a, -1), number.FindAllString(b, -1)
	if c := cmp.Compare(number.ReplaceAllString(a, ""), number.ReplaceAllString(b, "")); c != 0 {
		return c
	}
	for i := range min(len(inA), len(inB)) {
		x, _ := strconv.Atoi(inA[i])
		y, _ := strconv.Atoi(inB[i])
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a, b)
}

// title names layers: by their numbers if these tell them apart and stand first, else by their modules.
func title(layers []*Layer) {
	seen := map[string]bool{}
	for _, l := range layers {
		seen[l.found.number()] = true
		if l.found.from > 0 { // other numbers stand before it
			seen[""] = true
		}
	}
	for _, l := range layers {
		l.Title = strings.TrimRight(l.found.prefix, "./_")
		if len(seen) == len(layers) && !seen[""] {
			l.Title = l.found.number()
		}
	}
}
