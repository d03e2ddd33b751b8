package samples

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
)

// Names holds the names of arrays that a user gives, with {} for the number of a layer. If a name
// is empty, the array is found by its common names.
type Names struct{ Q, K string }

// Common names of queries, keys, logits and weights. The layer is identified by the prefix before
// the common name and by the number after it.
var (
	queryPattern   = newNamePattern("q|query|queries|query_states|xq|query_layer")
	keyPattern     = newNamePattern("k|key|keys|key_states|xk|key_layer")
	logitsPattern  = newNamePattern("logits|scores|attn_scores|attention_scores|attn_logits")
	weightsPattern = newNamePattern("weights|attn_weights|attention_weights|attentions|" +
		"probs|attn_probs|attention_probs")
)

// newNamePattern returns a pattern of a prefix, one of the alternatives, and an optional number,
// which are its groups 1 to 3.
func newNamePattern(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(|.*?[._/-])(` + alternatives + `)([._/-]?\d+)?$`)
}

// ErrNoArrays says that no array has a common name of queries or keys.
var ErrNoArrays = errors.New("no arrays are named as queries and keys are, such as q and k: name them by --q and --k")

// layerArrays holds the names of the arrays of a layer. Its title consists of the numbers in them:
// 3, or 1.2.
type layerArrays struct{ title, q, k, logits, weights string }

var numbers = regexp.MustCompile(`\d+`)

// findArrays returns the arrays of each layer, sorted by the numbers in their names.
func findArrays(files *tensor.Files, n Names) ([]layerArrays, error) {
	var layers []layerArrays
	isNumbered := strings.Contains(n.Q+n.K, "{}")
	bothHaveOne := strings.Count(n.Q, "{}") == 1 && strings.Count(n.K, "{}") == 1
	switch {
	case isNumbered && !bothHaveOne:
		return nil, errors.New("--q and --k must both have one {}, for the number of a layer")
	case isNumbered:
		layers = findNumberedLayers(files, n)
	case n.Q != "" && n.K != "":
		layers = []layerArrays{{q: n.Q, k: n.K}}
	default:
		layers = findNamedLayers(files, n)
	}
	if len(layers) == 0 && n.Q != "" {
		_, err := files.Lookup(strings.Replace(n.Q, "{}", "0", 1))
		return nil, cmp.Or(err, ErrNoArrays)
	}
	if n.K != "" && n.Q == "" && len(layers) > 1 {
		return nil, fmt.Errorf("--k %s is given, and there are %d arrays of queries, such as %s: say --q, too", n.K,
			len(layers),
			layers[0].q)
	}
	stems := map[string]bool{}
	for i, a := range layers {
		stems[numbers.ReplaceAllString(a.q, "{}")] = true
		if len(layers) > 1 {
			layers[i].title = strings.Join(numbers.FindAllString(a.q, -1), ".")
		}
		layers[i].logits = findSibling(files, a.q, logitsPattern, len(layers) == 1)
		layers[i].weights = findSibling(files, a.q, weightsPattern, len(layers) == 1)
	}
	if len(stems) > 1 {
		return nil, fmt.Errorf("several arrays are named as queries are, such as %s and %s: name one kind by "+
			"--q and --k",
			layers[0].q, layers[len(layers)-1].q)
	}
	slices.SortFunc(layers, func(a, b layerArrays) int { return compareTitles(a.title, b.title) })
	return layers, nil
}

// compareTitles compares titles of layers by their numbers.
func compareTitles(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// findNumberedLayers returns the arrays whose names have a number in the position of {}.
func findNumberedLayers(files *tensor.Files, n Names) (layers []layerArrays) {
	pattern := regexp.MustCompile("^" + strings.Replace(regexp.QuoteMeta(n.Q), `\{\}`, `(\d+)`, 1) + "$")
	for _, q := range files.Names() {
		if m := pattern.FindStringSubmatch(q); m != nil {
			layers = append(layers, layerArrays{q: q, k: strings.Replace(n.K, "{}", m[1], 1)})
		}
	}
	return layers
}

// findNamedLayers returns the arrays of queries with a common name, or with the given name n.Q, and
// the keys that belong to them. If an array of queries has no prefix and no number, such as q, the
// result has only this array and its keys.
func findNamedLayers(files *tensor.Files, n Names) (layers []layerArrays) {
	for _, q := range files.Names() {
		m := queryPattern.FindStringSubmatch(q)
		isQuery := q == n.Q
		if n.Q == "" {
			isQuery = m != nil
		}
		if !isQuery || weightName.MatchString(q) {
			continue
		}
		k := cmp.Or(n.K, findSibling(files, q, keyPattern, n.Q != ""))
		switch {
		case k == "": // no keys belong to it
		case m != nil && m[1]+m[3] == "":
			return []layerArrays{{q: q, k: k}}
		default:
			layers = append(layers, layerArrays{q: q, k: k})
		}
	}
	return layers
}

// countIncompleteLayers counts the layers with only one of q and k whose names resemble those of
// the complete layers.
func countIncompleteLayers(files *tensor.Files, layers []layerArrays) int {
	replaceNumbers := func(name string) string { return numbers.ReplaceAllString(name, "{}") }
	count := -2 * len(layers)
	for _, name := range files.Names() {
		if replaceNumbers(name) == replaceNumbers(layers[0].q) || replaceNumbers(name) == replaceNumbers(layers[0].k) {
			count++
		}
	}
	return count
}

// findSibling returns the array that matches the pattern and has the same prefix and number as q.
// If there is none, anywhere is set and exactly one array matches the pattern, it returns that
// array.
func findSibling(files *tensor.Files, q string, pattern *regexp.Regexp, anywhere bool) string {
	var found []string
	queryMatch := queryPattern.FindStringSubmatch(q)
	if queryMatch == nil {
		queryMatch = logSumPattern.FindStringSubmatch(q)
	}
	for _, name := range files.Names() {
		m := pattern.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		if queryMatch != nil && queryMatch[1] == m[1] && queryMatch[3] == m[3] {
			return name
		}
		found = append(found, name)
	}
	if len(found) == 1 && anywhere {
		return found[0]
	}
	return ""
}

// takeTwoFiles returns two .npy files with any names as queries and keys, in the order in which the
// user lists them. It returns ErrNoArrays if the files are not two .npy files, or have
// log-sum-exps.
func takeTwoFiles(files *tensor.Files, n Names) ([]layerArrays, error) {
	listed := files.NamesInFileOrder()
	if n != (Names{}) || len(listed) != 2 || weightName.MatchString(listed[0]+" "+listed[1]) ||
		slices.ContainsFunc(listed, logSumPattern.MatchString) {
		return nil, ErrNoArrays
	}
	for _, name := range listed {
		a, err := files.Lookup(name)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(filepath.Ext(a.File), ".npy") {
			return nil, ErrNoArrays
		}
	}
	return []layerArrays{{q: listed[0], k: listed[1]}}, nil
}
