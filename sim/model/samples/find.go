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

// Names are what arrays are called; {} in them stands for the number of a layer. Empty ones are
// found.
type Names struct{ Q, K string }

// The usual names of queries, keys, logits and weights: what stands before the name, and a number
// after it, tell the layer.
var (
	queryName   = usualName("q|query|queries|query_states|xq|query_layer")
	keyName     = usualName("k|key|keys|key_states|xk|key_layer")
	logitsName  = usualName("logits|scores|attn_scores|attention_scores|attn_logits")
	weightsName = usualName("weights|attn_weights|attention_weights|attentions|probs|attn_probs|attention_probs")
)

// usualName matches what stands before one of some names, the name, and a number after it.
func usualName(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(|.*?[._/-])(` + alternatives + `)([._/-]?\d+)?$`)
}

// ErrNone says that no array has a name that queries or keys usually have.
var ErrNone = errors.New("no arrays are named as queries and keys are, such as q and k: name them by --q and --k")

// arrays are the names of a layer's. Its title is the numbers in them: 3, or 1.2.
type arrays struct{ title, q, k, logits, weights string }

// numbers matches the numbers in a name.
var numbers = regexp.MustCompile(`\d+`)

// findArrays returns the arrays of each layer, in the order of their numbers.
func findArrays(files *tensor.Files, n Names) ([]arrays, error) {
	var all []arrays
	switch numbered := strings.Contains(n.Q+n.K, "{}"); {
	case numbered && (strings.Count(n.Q, "{}") != 1 || strings.Count(n.K, "{}") != 1):
		return nil, errors.New("--q and --k must both have one {}, for the number of a layer")
	case numbered:
		all = numberedLayers(files, n)
	case n.Q != "" && n.K != "":
		all = []arrays{{q: n.Q, k: n.K}}
	default:
		all = usualLayers(files, n)
	}
	if len(all) == 0 && n.Q != "" {
		_, err := files.Lookup(strings.Replace(n.Q, "{}", "0", 1))
		return nil, cmp.Or(err, ErrNone)
	}
	if n.K != "" && n.Q == "" && len(all) > 1 {
		return nil, fmt.Errorf("--k %s is given, and there are %d arrays of queries, such as %s: say --q, too", n.K,
			len(all),
			all[0].q)
	}
	stems := map[string]bool{}
	for i, a := range all {
		stems[numbers.ReplaceAllString(a.q, "{}")] = true
		if len(all) > 1 {
			all[i].title = strings.Join(numbers.FindAllString(a.q, -1), ".")
		}
		all[i].logits = beside(files, a.q, logitsName, len(all) == 1)
		all[i].weights = beside(files, a.q, weightsName, len(all) == 1)
	}
	if len(stems) > 1 {
		return nil, fmt.Errorf("several arrays are named as queries are, such as %s and %s: name one kind by "+
			"--q and --k",
			all[0].q, all[len(all)-1].q)
	}
	slices.SortFunc(all, func(a, b arrays) int {
		return slices.CompareFunc(strings.Split(a.title, "."), strings.Split(b.title, "."), func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		})
	})
	return all, nil
}

// numberedLayers returns the arrays whose names have numbers in the place of {}.
func numberedLayers(files *tensor.Files, n Names) (all []arrays) {
	form := regexp.MustCompile("^" + strings.Replace(regexp.QuoteMeta(n.Q), `\{\}`, `(\d+)`, 1) + "$")
	for _, q := range files.Names() {
		if m := form.FindStringSubmatch(q); m != nil {
			all = append(all, arrays{q: q, k: strings.Replace(n.K, "{}", m[1], 1)})
		}
	}
	return all
}

// usualLayers returns the queries with a usual name, or the one that is given, and their keys; only
// those with nothing before or after their name, if there are any.
func usualLayers(files *tensor.Files, n Names) (all []arrays) {
	for _, q := range files.Names() {
		m := queryName.FindStringSubmatch(q)
		if n.Q != "" && n.Q != q || n.Q == "" && m == nil || weightName.MatchString(q) {
			continue
		}
		k := cmp.Or(n.K, beside(files, q, keyName, n.Q != ""))
		switch {
		case k == "":
		case m != nil && m[1]+m[3] == "":
			return []arrays{{q: q, k: k}}
		default:
			all = append(all, arrays{q: q, k: k})
		}
	}
	return all
}

// loneLayers counts the layers with either q or k, by names like those of the layers with both.
func loneLayers(files *tensor.Files, layers []arrays) int {
	form := func(name string) string { return numbers.ReplaceAllString(name, "{}") }
	lone := -2 * len(layers)
	for _, name := range files.Names() {
		if form(name) == form(layers[0].q) || form(name) == form(layers[0].k) {
			lone++
		}
	}
	return lone
}

// beside returns the array of a usual name in the module of the queries; or else the only one
// there is, if any place will do.
func beside(files *tensor.Files, q string, usual *regexp.Regexp, anywhere bool) string {
	var found []string
	own := queryName.FindStringSubmatch(q)
	for _, name := range files.Names() {
		m := usual.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		if own != nil && own[1] == m[1] && own[3] == m[3] {
			return name
		}
		found = append(found, name)
	}
	if len(found) == 1 && anywhere {
		return found[0]
	}
	return ""
}

// twoFiles takes two .npy files as queries and keys, whatever they are called.
func twoFiles(files *tensor.Files, n Names) ([]arrays, error) {
	listed := files.NamesInFileOrder()
	if n != (Names{}) || len(listed) != 2 || weightName.MatchString(listed[0]+" "+listed[1]) {
		return nil, ErrNone
	}
	for _, name := range listed {
		a, err := files.Lookup(name)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(filepath.Ext(a.File), ".npy") {
			return nil, ErrNone
		}
	}
	return []arrays{{q: listed[0], k: listed[1]}}, nil
}
