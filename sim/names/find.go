package names

import (
	"slices"
	"strings"
)

// AliasGaussian is another name of DistributionNormal, which plans may use and no output uses.
const AliasGaussian = "gaussian"

// synonyms maps other words, normalized, to the name that they mean. Find accepts them; no output
// uses them.
var synonyms = map[string]string{
	AliasGaussian: DistributionNormal, "gqa": ParamKeyHeads, "grouped_queries": ParamKeyHeads,
	"grouped_query_attention": ParamKeyHeads, "mqa": ParamKeyHeads, "1/d": RulePower, "1/d_k": RulePower,
	"1/√d": ScaleRoot, "1/√d_k": ScaleRoot, "1/sqrt(d)": ScaleRoot, "1/sqrt(d_k)": ScaleRoot,
}

// Find returns the entries of all groups that have the given name or symbol. Case and surrounding
// space are ignored, and spaces, hyphens and underscores between words are equal. A symbol must
// have the right case. The name of a distribution or rule may have a parameter, as in
// student-t(10). For composed names, such as quantiles, Find returns the entry that Lookup
// composes.
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
	base, _, hasParameter, err := CutParameter(name)
	if hasParameter && err == nil {
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

// FindSimilar returns valid names that may be meant by an unknown name: the nearest one, or up to
// six that contain it. If the first of these begins with the unknown name, they are preferred.
func FindSimilar(name string, valid []string) []string {
	const maxNames = 6
	containing := findContaining(name, valid)
	isBeginning := len(containing) > 0 && strings.HasPrefix(containing[0], name)
	if nearest := findNearest(name, valid); nearest != "" && !isBeginning {
		return []string{nearest}
	}
	return containing[:min(maxNames, len(containing))]
}
