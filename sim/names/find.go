package names

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// AliasGaussian is another name of LawNormal, which is read and never written.
const AliasGaussian = "gaussian"

// Find returns the entries of a name, in every group that has it, and those whose sign it is:
// but for capitals and for what stands around it and between its words, or without its
// parameter, as student-t(10), or by another name. A quantile and its like have the entry that
// is composed for them.
func Find(name string) []Entry {
	name = strings.TrimSpace(name)
	if plainly(name) == AliasGaussian {
		name = LawNormal
	}
	found := called(func(e Entry) bool { return plainly(e.Name) == plainly(name) })
	if found = append(found, signs[name].entries()...); len(found) > 0 {
		return found
	}
	for _, composing := range []string{GroupQuantity, GroupGate} {
		if e, ok := Lookup(composing, name); ok {
			return []Entry{e}
		}
	}
	if base, _, given, err := CutParameter(name); given && err == nil {
		return called(func(e Entry) bool { return e.Name == base && (e.Group == GroupLaw || e.Group == GroupRule) })
	}
	return nil
}

// called are the entries that pass.
func called(is func(Entry) bool) (found []Entry) {
	for _, e := range table {
		if is(e) {
			found = append(found, e)
		}
	}
	return found
}

// plainly is a name as one might type it: in small letters, with one sign between words.
func plainly(name string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
}

// Near lists the names that an unknown one may be meant for: the nearest, and those that
// contain it, a few in all.
func Near(name string, valid []string) []string {
	const most = 6
	var found []string
	if best := nearest(name, valid); best != "" {
		found = append(found, best)
	}
	for _, other := range holding(name, valid) {
		if len(found) < most && !slices.Contains(found, other) {
			found = append(found, other)
		}
	}
	return found
}

// nearest is the name of the fewest changes, none where all are far; one that shares no
// letter with the unknown one is not near.
func nearest(name string, valid []string) string {
	best, distance := "", max(3, 1+len(name)/2)
	for _, v := range valid {
		if d := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil); d < min(distance, max(len(name), len(v))) {
			best, distance = v, d
		}
	}
	return best
}

// closest are so many names of the fewest changes, however many these are.
func closest(name string, valid []string, n int) []string {
	far := func(v string) int { return levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil) }
	sorted := slices.Clone(valid)
	slices.SortStableFunc(sorted, func(a, b string) int { return far(a) - far(b) })
	return sorted[:min(n, len(sorted))]
}

// holding are the names that contain a part, of two letters at least.
func holding(part string, valid []string) []string {
	var found []string
	for _, name := range valid {
		if len(part) >= 2 && strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}
