package statedict

import (
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/names"
)

// nameUnused says which arrays next to W_Q and W_K are not read. What changes q·k is a doubt, which
// --scale settles if it is a scale.
func (m *Model) nameUnused(all []module) {
	read := map[string]bool{} // names without endings
	for _, module := range all {
		read[withoutEnding(module.query)], read[withoutEnding(module.key)] = true, true
	}
	var unused, changing []string
	for _, l := range m.Layers {
		for _, name := range []string{l.query, l.key} {
			if strings.Contains(name, ".base_layer.") { // the adapter may be in another file
				changing = addOnce(changing, "the adapter of "+anyLayer(name))
			}
		}
		names, modules := l.besides()
		for _, name := range names {
			concerns, changes := l.concerns(name, modules)
			if !concerns || read[withoutEnding(name)] {
				continue
			}
			short := anyLayer(name)
			unused = addOnce(unused, short)
			if strings.Contains(short, "sink") {
				m.Caveats = addOnce(m.Caveats, "without the sinks")
			}
			isSame := func(other string) bool { return withoutEnding(other) == withoutEnding(short) }
			if changes && !slices.ContainsFunc(changing, isSame) {
				changing = append(changing, short)
			}
		}
	}
	const maxShown = 6
	if len(unused) > 0 {
		m.addSubject("Left out, next to W_Q and W_K: %s", names.List(unused, "; ", maxShown))
	}
	for _, name := range changing {
		switch {
		case adding.MatchString(name):
			m.Doubts = append(m.Doubts, name+" is not merged into the weights")
		case scaling.MatchString(name):
			m.Scales = append(m.Scales, name+" may change q·k and is not used")
		default:
			m.Doubts = append(m.Doubts, name+" may change q·k and is not used")
		}
	}
}

// withoutEnding returns the name of an array without weight, bias and their like.
func withoutEnding(name string) string {
	return strings.TrimSuffix(ending.FindStringSubmatch(name)[1], ".bias")
}

// attending matches arrays in a module that is named as attention, and the module.
var attending = regexp.MustCompile(`(?i)^(.*?(?:attn|attention)_?\d*[./])\w+[./]\w`)

// nameUnknown says which modules are named as attention and have no W_Q of a name that is known.
func (m *Model) nameUnknown(all []module) {
	known := map[string]bool{} // modules of W_Q, and those that they are in
	for _, module := range all {
		for i, r := range module.query {
			if r == '.' || r == '/' {
				known[module.query[:i+1]] = true
			}
		}
	}
	var unknown []string
	for _, name := range m.files.Names() {
		match := attending.FindStringSubmatch(name)
		if match == nil || known[match[1]] {
			continue
		}
		if a, err := m.files.Lookup(name); err == nil && len(a.Shape) > 1 {
			known[match[1]] = true
			unknown = append(unknown, strings.TrimRight(match[1], "./"))
		}
	}
	if len(unknown) > 0 {
		some := names.Count(len(unknown), "module") + " of attention whose W_Q is not known by name"
		m.addSubject("Left out: %s, such as %s", some, unknown[0])
		m.Caveats = append(m.Caveats, "without "+some)
	}
}

var (
	// mattering matches names of arrays that change q·k, and telling those that may concern logits.
	mattering, telling = words("mattering"), words("telling")
	// inner matches arrays in a module of queries or keys, and around those next to attention's module
	// that are norms or scales of q and k.
	inner  = regexp.MustCompile(`(?i)^(\w*_)?(q|k|qk|qkv|query|key)(_\w*)?[./]`)
	around = regexp.MustCompile(`(?i)^(((q|k|qk|query|key)_?(norm|ln|layer_?norm|rms|scal|temp|conv|gain)|` +
		`(norm|ln|scale)_?(q|k|qk|query|key)|att(n|ention)_?(scal|temp)|logit_scale)\w*|temperature)([./]|$)`)
	// adding matches what is added to weights, and scaling what a scale of q·k may stand for.
	adding  = regexp.MustCompile(`(?i)lora|adapter|base_layer`)
	scaling = regexp.MustCompile(`(?i)scal|temp|tau`)
	// values matches modules after softmax, and norms of what these give.
	values = regexp.MustCompile(`(?i)^((` + strings.Join(lists["values"], "|") +
		`)(_proj|_bias|_norm|_lin|_b_proj)?|bv|bo|b_v|b_o)([._/]|$)`)
)

// words returns an expression for names of which one of the words of a list is a part.
func words(list string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[._/])(\w*_)?(` + strings.Join(lists[list], "|") + `)(_\w*)?([._/]|$)`)
}

// concerns reports whether an array may concern q·k, and whether it changes q·k. The modules are those
// that W_Q is in, its own first.
func (l *Layer) concerns(name string, modules []string) (concerns, changes bool) {
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
	isInside := slices.ContainsFunc([]string{l.query, l.key}, func(read string) bool { // as those of an adapter are
		after, ok := strings.CutPrefix(name, withoutEnding(read))
		return ok && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, "/"))
	})
	isDeep := strings.Count(rest, ".")+strings.Count(rest, "/") > 1
	isWord := mattering.MatchString(rest)
	concerns = isInside || inner.MatchString(rest) || adding.MatchString(rest) ||
		!isDeep && (isWord || telling.MatchString(rest))
	return concerns, isInside || isWord && !strings.Contains(rest, "add") // tokens of another kind, as in Flux
}

// besides returns the names of arrays in the layer of W_Q and W_K, and the modules that these are in. Of
// a large layer, such as one with experts, the arrays are those of the module of W_Q; none if that is
// large, too.
func (l *Layer) besides() (names, modules []string) {
	const maxArrays = 1000
	modules = l.enclosing()
	names = l.files.under(l.prefix)
	if block := l.files.under(modules[len(modules)-1]); l.number() != "" && len(block) <= maxArrays {
		names = block
	}
	if len(names) > maxArrays {
		names = nil
	}
	return names, modules
}
