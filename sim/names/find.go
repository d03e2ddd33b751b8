package names

import (
	"slices"
	"strings"
)

// AliasGaussian is another name of DistributionNormal, which is read and never written.
const AliasGaussian = "gaussian"

// synonyms are other words for a name, which are found and never written.
var synonyms = map[string]string{
	AliasGaussian: DistributionNormal, "gqa": ParamKeyHeads, "grouped_queries": ParamKeyHeads,
	"grouped_query_attention": ParamKeyHeads,
	"1/d":                     RulePower, "1/d_k": RulePower,
}

// Find returns the entries of a name, in every group that has it, and those whose sign it is:
// but for capitals and for what stands around it and between its words, or without its
// parameter, as student-t(10), or by another name. A quantile and its like have the entry that
// is composed for them.
func Find(name string) []Entry {
	name = strings.TrimSpace(name)
	if meant, ok := synonyms[plainly(name)]; ok {
		name = meant
	}
	found := called(func(e Entry) bool {
		return plainly(e.Name) == plainly(name) || slices.Contains(strings.Fields(e.signs), name)
	})
	if len(found) > 0 {
		return found
	}
	for _, composing := range []string{GroupQuantity, GroupGate} {
		if e, ok := Lookup(composing, name); ok {
			return []Entry{e}
		}
	}
	if base, _, given, err := CutParameter(name); given && err == nil {
		return called(func(e Entry) bool {
			return e.Name == base &&
				(e.Group == GroupDistribution || e.Group == GroupRule)
		})
	}
	return nil
}

// called are the entries that pass.
func called(is func(Entry) bool) []Entry {
	return slices.DeleteFunc(slices.Clone(table), func(e Entry) bool { return !is(e) })
}

// plainly is a name as one might type it: in small letters, with one sign between words.
func plainly(name string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
}

// Near lists the names that an unknown one may be meant for: the nearest, or a few of those that
// contain it.
func Near(name string, valid []string) []string {
	const most = 6
	found := holding(name, valid)
	if best := nearest(name, valid); best != "" && (len(found) == 0 || !strings.HasPrefix(found[0], name)) {
		return []string{best}
	}
	return found[:min(most, len(found))]
}
