package names

import (
	"slices"
	"strings"
)

// AliasGaussian is another name of DistributionNormal. It is read and never written.
const AliasGaussian = "gaussian"

// synonyms maps other words to the name that they mean. Find understands them; nothing writes
// them.
var synonyms = map[string]string{
	AliasGaussian: DistributionNormal, "gqa": ParamKeyHeads, "grouped_queries": ParamKeyHeads,
	"grouped_query_attention": ParamKeyHeads, "1/d": RulePower, "1/d_k": RulePower,
}

// Find returns the entries with a name or a symbol, in every group. Case, surrounding space and
// the characters between words are ignored, and a parameter, as in student-t(10), may follow. A
// quantile and other composed names have a composed entry.
func Find(name string) []Entry {
	name = strings.TrimSpace(name)
	if synonym, ok := synonyms[normalize(name)]; ok {
		name = synonym
	}
	entries := selectEntries(func(e Entry) bool {
		return normalize(e.Name) == normalize(name) || slices.Contains(strings.Fields(e.symbols), name)
	})
	if len(entries) > 0 {
		return entries
	}
	for _, group := range []string{GroupQuantity, GroupGate} {
		if e, ok := Lookup(group, name); ok {
			return []Entry{e}
		}
	}
	if base, _, hasParameter, err := CutParameter(name); hasParameter && err == nil {
		return selectEntries(func(e Entry) bool {
			return e.Name == base && (e.Group == GroupDistribution || e.Group == GroupRule)
		})
	}
	return nil
}

func selectEntries(accept func(Entry) bool) []Entry {
	return slices.DeleteFunc(slices.Clone(table), func(e Entry) bool { return !accept(e) })
}

// normalize returns a name in lower case, with underscores between its words.
func normalize(name string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
}

// FindSimilar returns the valid names that an unknown one may be meant for: the nearest, or a few
// that contain it.
func FindSimilar(name string, valid []string) []string {
	const maxNames = 6
	found := findContaining(name, valid)
	if best := findNearest(name, valid); best != "" && (len(found) == 0 || !strings.HasPrefix(found[0], name)) {
		return []string{best}
	}
	return found[:min(maxNames, len(found))]
}
