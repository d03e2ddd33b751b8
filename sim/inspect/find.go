package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/tensor"
)

// Names are what arrays are called; {} in them stands for the number of a layer. Empty ones are
// found.
type Names struct{ Q, K string }

// The usual names of queries, keys, logits and weights, and of keys in the order of queries.
var (
	queryNames  = []string{"q", "query", "queries", "query_states", "xq", "query_layer"}
	keyNames    = []string{"k", "key", "keys", "key_states", "xk", "key_layer"}
	logitNames  = []string{"logits", "scores", "attn_scores", "attention_scores", "attn_logits"}
	weightNames = []string{"weights", "attn_weights", "attention_weights", "attentions", "probs", "attn_probs",
		"attention_probs"}
)

// ErrNone says that no array has a name that queries or keys usually have.
var ErrNone = errors.New("no arrays are named as queries and keys are, such as q and k: name them by --q and --k")

// title is how the numbers in a name are written as a layer's: 3, or 1.2 of a block in a stage.
type arrays struct{ title, q, k, logits, weights string }

// numbers matches the numbers in a name.
var numbers = regexp.MustCompile(`\d+`)

// findArrays returns the arrays of each layer, in the order of their numbers.
func findArrays(files *tensor.Files, n Names) ([]arrays, error) {
	var all []arrays
	switch {
	case strings.Contains(n.Q, "{}") || strings.Contains(n.K, "{}"):
		if strings.Count(n.Q, "{}") != 1 || strings.Count(n.K, "{}") != 1 {
			return nil, errors.New("--q and --k must both have one {}, for the number of a layer")
		}
		all = numberedLayers(files, n)
		if len(all) == 0 {
			_, err := files.Lookup(strings.Replace(n.Q, "{}", "0", 1))
			return nil, err
		}
	default:
		q, k := cmp.Or(n.Q, findOne(files, queryNames)), cmp.Or(n.K, findOne(files, keyNames))
		if q != "" && k != "" {
			return []arrays{besides(files, arrays{q: q, k: k})}, nil
		}
		if n == (Names{}) {
			all = usualLayers(files)
		}
	}
	var stems []string
	for i, a := range all {
		if stem := numbers.ReplaceAllString(a.q, "{}"); !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
		all[i].title = strings.Join(numbers.FindAllString(a.q, -1), ".")
	}
	if len(stems) > 1 {
		return nil, fmt.Errorf("several arrays are named as queries are: %s: name those of one kind by --q and --k",
			strings.Join(stems, ", "))
	}
	slices.SortFunc(all, func(a, b arrays) int { return compareNumbers(a.title, b.title) })
	return all, nil
}

// compareNumbers orders titles by their numbers.
func compareNumbers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Compare(x, y)
	})
}

// numberedLayers are the arrays whose names have numbers in the place of {}.
func numberedLayers(files *tensor.Files, n Names) (all []arrays) {
	before, after, _ := strings.Cut(n.Q, "{}")
	for _, q := range files.Names() {
		number, ok := strings.CutPrefix(q, before)
		number, found := strings.CutSuffix(number, after)
		k := strings.Replace(n.K, "{}", number, 1)
		if ok && found && numbers.FindString(number) == number && number != "" && files.Has(k) {
			all = append(all, besides(files, arrays{q: q, k: k}))
		}
	}
	return all
}

// besides adds the logits and weights that are named as queries are, with a usual name in its
// place: of layers.0.q these are layers.0.logits and the like.
func besides(files *tensor.Files, a arrays) arrays {
	find := func(names []string) string {
		for _, name := range files.Names() {
			before, _, after := splitName(name, names)
			if wasBefore, was, wasAfter := splitName(a.q, queryNames); was != "" && before == wasBefore && after == wasAfter {
				return name
			}
		}
		return ""
	}
	a.logits, a.weights = find(logitNames), find(weightNames)
	if !numbers.MatchString(a.q) { // whatever stands before the names
		a.logits, a.weights = cmp.Or(a.logits, findOne(files, logitNames)), cmp.Or(a.weights, findOne(files, weightNames))
	}
	return a
}

// splitName splits a name at the usual name that it ends with, which a number may follow.
func splitName(name string, usual []string) (before, found, after string) {
	lower := strings.ToLower(name)
	stem := strings.TrimRight(lower, "0123456789")
	stem = strings.TrimRight(stem, "._-/")
	for _, u := range usual {
		for _, end := range []string{stem, lower} {
			if prefix, ok := strings.CutSuffix(end, u); ok && len(u) > len(found) &&
				(prefix == "" || strings.ContainsAny(prefix[len(prefix)-1:], "._-/")) {
				before, found, after = name[:len(prefix)], u, name[len(end):]
			}
		}
	}
	if found == "" {
		return "\x00", "", ""
	}
	return before, found, after
}

// usualLayers are the arrays with a usual name of queries and a number, and their keys.
func usualLayers(files *tensor.Files) (all []arrays) {
	for _, q := range files.Names() {
		before, found, after := splitName(q, queryNames)
		if found == "" || !numbers.MatchString(before+after) || weightName.MatchString(q) {
			continue
		}
		for _, k := range files.Names() {
			keyBefore, key, keyAfter := splitName(k, keyNames)
			if keyBefore == before && keyAfter == after && slices.Index(keyNames, key) == slices.Index(queryNames, found) {
				all = append(all, besides(files, arrays{q: q, k: k}))
			}
		}
	}
	return all
}

// findOne is the array with one of these names, however its letters are written; one that ends
// with a dot and the name counts, if it is the only one.
func findOne(files *tensor.Files, usual []string) string {
	var ends []string
	for _, want := range usual {
		for _, name := range files.Names() {
			lower := strings.ToLower(name)
			if lower == want {
				return name
			}
			if strings.HasSuffix(lower, "."+want) {
				ends = append(ends, name)
			}
		}
	}
	if len(ends) == 1 {
		return ends[0]
	}
	return ""
}
