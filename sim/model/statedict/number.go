package statedict

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

var (
	digits = regexp.MustCompile(`\d+`)
	// numberedModule matches a module whose name is a number, or a name such as layer_0.
	numberedModule = regexp.MustCompile(`(?i)(?:^|[./])(?:\w*(?:layers?|blocks?)_?|h_?)?(\d+)(?:[./_]|$)`)
	// moduleNumber matches a module whose name is a number.
	moduleNumber = regexp.MustCompile(`([./])\d+([./])`)
	// headModule matches the module of a single head.
	headModule = regexp.MustCompile(`(^|[./])heads?[._]\d+[./_]$`)
)

// findLayerNumber returns the start and end of the number of the layer in a name. This is the
// number of the first numbered module from start on, such as the 0 of dinov2.encoder.layer.0. If
// there is no numbered module, it is the first number. The result is nil if there is no number.
func findLayerNumber(name string, start int) []int {
	start = min(start, len(name))
	span := digits.FindStringIndex(name[start:])
	if match := numberedModule.FindStringSubmatchIndex(name[start:]); match != nil {
		span = match[2:4]
	}
	if span == nil {
		return nil
	}
	return []int{start + span[0], start + span[1]}
}

// layerNumber returns the number of the layer as written in a name, or "" if there is none.
func layerNumber(name string, start int) string {
	if span := findLayerNumber(name, start); span != nil {
		return name[span[0]:span[1]]
	}
	return ""
}

// layerNumber returns the number of the module's layer as written, or "" if there is none.
func (m *module) layerNumber() string { return layerNumber(m.prefix, m.numberStart) }

// replaceNumbers replaces the number of the layer, and numbers that are names of modules, by {}.
func replaceNumbers(name string) string {
	if span := findLayerNumber(name, 0); span != nil {
		name = name[:span[0]] + "{}" + name[span[1]:]
	}
	return moduleNumber.ReplaceAllString(name, "$1{}$2")
}

// setNumberStarts sets numberStart of each module such that findLayerNumber finds the number of the
// layer: the first number that differs between modules whose names are equal except for numbers. If
// that number counts heads, numberStart is 0.
func setNumberStarts(modules []module) {
	groups := map[string][]*module{}
	for i := range modules {
		name := digits.ReplaceAllString(modules[i].prefix, "")
		groups[name] = append(groups[name], &modules[i])
	}
	for _, group := range groups {
		first, commonLength := group[0].prefix, 0
		last := group[len(group)-1].prefix // modules are sorted
		for last != first && last[commonLength] == first[commonLength] {
			commonLength++
		}
		start, span := 0, findLayerNumber(first, 0)
		for span != nil && span[1] < commonLength {
			start = span[1]
			span = findLayerNumber(first, start)
		}
		if span == nil || headModule.MatchString(first[:span[1]]+".") {
			start = 0
		}
		for _, m := range group {
			m.numberStart = start
		}
	}
}

// outerModule returns the module that contains the modules of layers, such as transformer. for
// transformer.h.0.attn.
func (m *module) outerModule() string {
	span := findLayerNumber(m.prefix, m.numberStart)
	if span == nil {
		return ""
	}
	return parent(m.prefix[:span[0]], "./")
}

// parent returns the module that contains a module, or "" for the root. Each character of
// separators ends the name of a module.
func parent(module, separators string) string {
	return module[:strings.LastIndexAny(strings.TrimRight(module, separators), separators)+1]
}

// enclosingModules returns the modules that contain a layer's W_Q, from the innermost one to the
// module of the layer, whose name ends with the layer's number.
func (m *module) enclosingModules() []string {
	prefix := m.prefix
	modules, span, end := []string{prefix}, findLayerNumber(prefix, m.numberStart), 0
	if span != nil {
		end = span[1]
	}
	separators := "./"
	if strings.HasSuffix(prefix, "_") {
		separators = "./_"
	}
	for module := prefix; module != "" && (span != nil || len(modules) == 1); {
		module = parent(module, separators)
		if len(module) < end {
			break
		}
		modules = append(modules, module)
	}
	// Haiku's modules of a layer, such as h0_attn and h0_ln_1, have only a common prefix.
	if span != nil && strings.HasPrefix(prefix[end:], "_") && modules[len(modules)-1] != prefix[:end+1] {
		modules = append(modules, prefix[:end+1])
	}
	return modules
}

// neighbourModule returns the name of the module block with step added to its layer number. It
// returns "" if block does not have a layer number or the sum is negative.
func (m *module) neighbourModule(block string, step int) string {
	span := findLayerNumber(block, m.numberStart)
	if span == nil {
		return ""
	}
	n, _ := strconv.Atoi(block[span[0]:span[1]])
	if n+step < 0 {
		return ""
	}
	return block[:span[0]] + strconv.Itoa(n+step) + block[span[1]:]
}

// compareNumbered compares names without their numbers first, and then their numbers by value.
func compareNumbered(a, b string) int {
	numbersA, numbersB := digits.FindAllString(a, -1), digits.FindAllString(b, -1)
	if c := cmp.Compare(digits.ReplaceAllString(a, ""), digits.ReplaceAllString(b, "")); c != 0 {
		return c
	}
	for i := range min(len(numbersA), len(numbersB)) {
		x, _ := strconv.Atoi(numbersA[i])
		y, _ := strconv.Atoi(numbersB[i])
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a, b)
}

// setTitles sets the titles of layers. Titles are the layers' numbers if these are distinct and
// each is the first number in its name. Otherwise titles are the layers' modules.
func setTitles(layers []*Layer) {
	distinct, areFirst := map[string]bool{}, true
	for _, l := range layers {
		distinct[l.layerNumber()] = true
		areFirst = areFirst && l.numberStart == 0 && l.layerNumber() != ""
	}
	for _, l := range layers {
		l.Title = strings.TrimRight(l.prefix, "./_")
		if len(distinct) == len(layers) && areFirst {
			l.Title = l.layerNumber()
		}
	}
}
