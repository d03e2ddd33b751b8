package statedict

import (
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/names"
)

// describeUnused reports arrays next to W_Q and W_K that are not read. Arrays that change q·k are
// added to Doubts. If such an array may be a scale, it is added to Scales, since --scale then
// resolves the doubt.
func (m *Model) describeUnused(modules []module) {
	read := map[string]bool{} // names without endings
	for _, module := range modules {
		read[trimEnding(module.queryArray)], read[trimEnding(module.keyArray)] = true, true
	}
	var unused, changing []string
	for _, l := range m.Layers {
		for _, name := range []string{l.queryArray, l.keyArray} {
			if strings.Contains(name, ".base_layer.") { // the adapter may be in another file
				changing = addOnce(changing, "the adapter of "+replaceNumbers(name))
			}
		}
		names, modules := l.listNeighbours()
		for _, name := range names {
			isRelevant, changesScores := l.classifyArray(name, modules)
			if !isRelevant || read[trimEnding(name)] {
				continue
			}
			short := replaceNumbers(name)
			unused = addOnce(unused, short)
			if strings.Contains(short, "sink") {
				m.Caveats = addOnce(m.Caveats, "without the sinks")
			}
			isSame := func(other string) bool { return trimEnding(other) == trimEnding(short) }
			if changesScores && !slices.ContainsFunc(changing, isSame) {
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
		case adapterName.MatchString(name):
			m.Doubts = append(m.Doubts, name+" is not merged into the weights")
		case scaleName.MatchString(name):
			m.Scales = append(m.Scales, name+" may change q·k and is not used")
		default:
			m.Doubts = append(m.Doubts, name+" may change q·k and is not used")
		}
	}
}

// trimEnding returns the name of an array without an ending such as weight or bias.
func trimEnding(name string) string {
	return strings.TrimSuffix(matrixEnding.FindStringSubmatch(name)[1], ".bias")
}

// attentionModule matches an array in a module with a name of attention, and captures the module.
var attentionModule = regexp.MustCompile(`(?i)^(.*?(?:attn|attention)_?\d*[./])\w+[./]\w`)

// describeUnknown reports modules with a name of attention whose W_Q has no known name.
func (m *Model) describeUnknown(modules []module) {
	known := map[string]bool{} // modules that contain a W_Q
	for _, module := range modules {
		for i, r := range module.queryArray {
			if r == '.' || r == '/' {
				known[module.queryArray[:i+1]] = true
			}
		}
	}
	var unknown []string
	for _, name := range m.files.Names() {
		match := attentionModule.FindStringSubmatch(name)
		if match == nil || known[match[1]] {
			continue
		}
		if a, err := m.files.Lookup(name); err == nil && len(a.Shape) > 1 {
			known[match[1]] = true
			unknown = append(unknown, strings.TrimRight(match[1], "./"))
		}
	}
	if len(unknown) > 0 {
		count := names.Count(len(unknown), "module") + " of attention whose W_Q is not known by name"
		m.addSubject("Left out: %s, such as %s", count, unknown[0])
		m.Caveats = append(m.Caveats, "without "+count)
	}
}

var (
	// changingName matches names of arrays that change q·k. attentionName matches names of arrays
	// that may change logits.
	changingName, attentionName = newWordPattern("mattering"), newWordPattern("telling")
	// innerName matches names of arrays in a module of queries or keys. neighbourName matches names
	// of norms and scales of q and k that are next to the module of attention.
	innerName     = regexp.MustCompile(`(?i)^(\w*_)?(q|k|qk|qkv|query|key)(_\w*)?[./]`)
	neighbourName = regexp.MustCompile(`(?i)^(((q|k|qk|query|key)_?(norm|ln|layer_?norm|rms|scal|temp|conv|gain)|` +
		`(norm|ln|scale)_?(q|k|qk|query|key)|att(n|ention)_?(scal|temp)|logit_scale)\w*|temperature)([./]|$)`)
	// adapterName matches names of arrays that are added to weights. scaleName matches names of
	// possible scales of q·k.
	adapterName = regexp.MustCompile(`(?i)lora|adapter|base_layer`)
	scaleName   = regexp.MustCompile(`(?i)scal|temp|tau`)
	// valueName matches names of arrays of values and of what follows softmax.
	valueName = regexp.MustCompile(`(?i)^((` + strings.Join(nameLists["values"], "|") +
		`)(_proj|_bias|_norm|_lin|_b_proj)?|bv|bo|b_v|b_o)([._/]|$)`)
)

// newWordPattern matches names that contain a word of a list.
func newWordPattern(list string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[._/])(\w*_)?(` + strings.Join(nameLists[list], "|") + `)(_\w*)?([._/]|$)`)
}

// classifyArray reports whether an array may concern the logits, and whether it changes q·k.
// modules has the modules that contain W_Q, the innermost first.
func (l *Layer) classifyArray(name string, modules []string) (isRelevant, changesScores bool) {
	i := slices.IndexFunc(modules, func(module string) bool { return strings.HasPrefix(name, module) })
	rest := name[len(modules[i]):]
	switch {
	case slices.Contains(l.used, name), strings.HasSuffix(name, "_extra_state"):
		return false, false
	case i > 0:
		return neighbourName.MatchString(rest), true
	case valueName.MatchString(rest) && !strings.HasPrefix(rest, "proj_"):
		return false, false
	}
	// isInside: the array is in the module of W_Q or W_K, such as an adapter.
	isInside := slices.ContainsFunc([]string{l.queryArray, l.keyArray}, func(read string) bool {
		after, ok := strings.CutPrefix(name, trimEnding(read))
		return ok && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, "/"))
	})
	isDeep := strings.Count(rest, ".")+strings.Count(rest, "/") > 1
	isChanging := changingName.MatchString(rest)
	isRelevant = isInside || innerName.MatchString(rest) || adapterName.MatchString(rest)
	if !isDeep {
		isRelevant = isRelevant || isChanging || attentionName.MatchString(rest)
	}
	isForOtherTokens := strings.Contains(rest, "add") // as in Flux
	return isRelevant, isInside || isChanging && !isForOtherTokens
}

// listNeighbours returns the names of arrays in the same layer as W_Q, and the modules that contain
// W_Q. If the layer has too many arrays, such as experts, it returns only the names in the module
// of W_Q. If these are also too many, it returns no names.
func (l *Layer) listNeighbours() (names, modules []string) {
	const maxArrays = 1000
	modules = l.enclosingModules()
	names = l.files.namesWithPrefix(l.prefix)
	if block := l.files.namesWithPrefix(modules[len(modules)-1]); l.layerNumber() != "" && len(block) <= maxArrays {
		names = block
	}
	if len(names) > maxArrays {
		names = nil
	}
	return names, modules
}
