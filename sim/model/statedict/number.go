package statedict

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

var (
	number = regexp.MustCompile(`\d+`)
	// numbered matches a module whose name is a number, or layer_0 and its like.
	numbered = regexp.MustCompile(`(?i)(?:^|[./])(?:\w*(?:layers?|blocks?)_?|h_?)?(\d+)(?:[./_]|$)`)
	// numberedModule matches a module that has a number for a name.
	numberedModule = regexp.MustCompile(`([./])\d+([./])`)
	// ownModule matches the module of a single head.
	ownModule = regexp.MustCompile(`(^|[./])heads?[._]\d+[./_]$`)
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
func (m *module) number() string { return layerNumber(m.prefix, m.from) }

// anyLayer returns a name with {} for the number of its layer, and for those of modules.
func anyLayer(name string) string {
	if at := layerAt(name, 0); at != nil {
		name = name[:at[0]] + "{}" + name[at[1]:]
	}
	return numberedModule.ReplaceAllString(name, "$1{}$2")
}

// placeNumbers finds the number of each layer in its name: the first one that differs between layers of
// the same name, unless it numbers heads.
func placeNumbers(all []module) {
	groups := map[string][]*module{}
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
		for _, m := range group {
			m.from = from
		}
	}
}

// outer returns what stands before the modules of layers, such as transformer. of transformer.h.0.attn.
func (m *module) outer() string {
	at := layerAt(m.prefix, m.from)
	if at == nil {
		return ""
	}
	return parent(m.prefix[:at[0]], "./")
}

// parent returns the module that a module stands in; empty if it is the root.
func parent(module, separators string) string {
	return module[:strings.LastIndexAny(strings.TrimRight(module, separators), separators)+1]
}

// enclosing returns the modules that a layer's arrays stand in, from their own to that with its number.
func (m *module) enclosing() []string {
	own := m.prefix
	all, at, end := []string{own}, layerAt(own, m.from), 0
	if at != nil {
		end = at[1]
	}
	separators := "./"
	if strings.HasSuffix(own, "_") {
		separators = "./_"
	}
	for module := own; module != "" && (at != nil || len(all) == 1); {
		if module = parent(module, separators); len(module) < end {
			break
		}
		all = append(all, module)
	}
	// h0_attn and h0_ln_1 of Haiku
	if at != nil && strings.HasPrefix(own[end:], "_") && all[len(all)-1] != own[:end+1] {
		all = append(all, own[:end+1])
	}
	return all
}

// neighbour returns the module of a layer some layers on; empty if there is none.
func (m *module) neighbour(block string, step int) string {
	at := layerAt(block, m.from)
	if at == nil {
		return ""
	}
	n, _ := strconv.Atoi(block[at[0]:at[1]])
	if n+step < 0 {
		return ""
	}
	return block[:at[0]] + strconv.Itoa(n+step) + block[at[1]:]
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

// setTitles names layers: by their numbers if these tell them apart and stand first, else by their
// modules.
func setTitles(layers []*Layer) {
	seen := map[string]bool{}
	for _, l := range layers {
		seen[l.number()] = true
		if l.from > 0 { // other numbers stand before it
			seen[""] = true
		}
	}
	for _, l := range layers {
		l.Title = strings.TrimRight(l.prefix, "./_")
		if len(seen) == len(layers) && !seen[""] {
			l.Title = l.number()
		}
	}
}
