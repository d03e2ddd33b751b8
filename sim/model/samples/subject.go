package samples

import (
	"fmt"
	"regexp"
	"slices"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// relevantName matches names of arrays that may change the input of softmax, or contain it.
var relevantName = regexp.MustCompile(`(?i)(^|[^a-z])(q|k|query|key|queries|keys|` +
	`cap|alibi|rope|temperature)([^a-z]|$)|` +
	`norm|scale|sink|mask|bias|softcap|logit|score|attn_?weight|attention|weights|prob`)

// findUnused returns the names of arrays that are not read although they have a relevant name or
// the shape of logits.
func (s *Samples) findUnused(files *tensor.Files) (unused []string) {
	q := s.layers[0].query
	shape := []int{q.texts, q.heads, q.rows, s.Keys}
	for _, name := range files.Names() {
		isUsed := slices.ContainsFunc(s.layers, func(l *sampledLayer) bool {
			return slices.Contains(append([]string{l.q, l.k, l.logits, l.weights}, l.call.names...), name)
		})
		a, err := files.Lookup(name)
		if !isUsed && (relevantName.MatchString(name) || err == nil && slices.Equal(a.Shape, shape)) {
			unused = append(unused, name)
		}
	}
	return unused
}

// typeNames maps types to their names in NumPy and PyTorch.
var typeNames = map[string]string{"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}

// formatLayout describes how the axes of an array are interpreted.
func formatLayout(l arrayAxes) string {
	return fmt.Sprintf("%s × %s × %s × d_k = %d",
		names.Count(l.texts, "text"), names.Count(l.heads, "head"), names.Count(l.rows, "row"), l.columns)
}

// chooseVerb returns "is" or "are" for a subject of n things.
func chooseVerb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// describe adds to the summary what was judged and what was not.
func (s *Samples) describe(summary *inspect.Summary, observed *observations, applied *inspect.AppliedScale) {
	addSentence := func(format string, args ...any) {
		summary.Subject = append(summary.Subject, fmt.Sprintf(format, args...))
	}
	l := s.layers[0]
	describeArray := func(name string, l arrayAxes) string {
		return names.Printable(name) + ", " + formatLayout(l) + ", " + typeNames[l.array.Type]
	}
	addSentence("Queries: %s.", describeArray(l.q, l.query))
	addSentence("Keys: %s.", describeArray(l.k, l.key))
	for _, pairs := range []struct{ kind, name string }{{"Logits", l.logits}, {"Weights", l.weights}} {
		if pairs.name != "" {
			addSentence("%s: %s.", pairs.kind, names.Printable(pairs.name))
		}
	}
	if last := s.layers[len(s.layers)-1]; last != l {
		addSentence("Layers: %d, %s to %s, of %d heads in all.", len(s.layers), l.title, last.title, s.Heads)
	}
	if len(s.unused) > 0 {
		const maxShown = 6
		addSentence("Not used: %s.", names.Printable(names.List(s.unused, ", ", maxShown)))
	}
	if s.blocks > 1 {
		summary.Notes = append(summary.Notes,
			fmt.Sprintf("A head is judged in %d blocks of %d rows, one after the other; "+
				"queries of a block meet its keys. Texts are these blocks.", s.blocks, s.Queries/s.blocks))
	}
	summary.Caveats = append(summary.Caveats, s.newCaveats(observed, applied)...)
	summary.Warnings = newWarnings(*summary, s.Source)
}

// newCaveats returns the restrictions of the verdict.
func (s *Samples) newCaveats(observed *observations, applied *inspect.AppliedScale) (caveats []string) {
	add := func(format string, args ...any) { caveats = append(caveats, fmt.Sprintf(format, args...)) }
	switch {
	case applied == nil && len(s.unused) > 0:
		add("the code's factor was not checked: the file has no logits or weights that are used")
	case applied == nil:
		add("the code's factor was not checked: the file has no logits or weights")
	}
	if slices.ContainsFunc(s.layers, func(l *sampledLayer) bool { return l.call.masked }) {
		add("a mask was given that the file does not have: pairs that it masks are judged like others")
	}
	if s.incomplete > 0 {
		lack := "lack"
		if s.incomplete == 1 {
			lack = "lacks"
		}
		add("without %s that %s q or k", names.Count(s.incomplete, "layer"), lack)
	}
	if n := observed.sums.zeroRows; n > 0 && s.blocks == 1 {
		add("%s of weights %s 0 throughout, such as padding, and left out", names.Count(n, "row"), chooseVerb(n))
	}
	if applied != nil && applied.Verdict == result.Pass && applied.Diagnosis != "" {
		add("%s", applied.Diagnosis)
	}
	if n := observed.zeroQueries + observed.zeroKeys; n > 0 {
		add("%s of queries and %d of keys %s 0, such as padding, and left out",
			names.Count(observed.zeroQueries, "row"), observed.zeroKeys, chooseVerb(n))
	}
	if observed.zeroHeads > 0 {
		add("only zeros as queries or keys, which count with a variance of 0: %s, each of one text",
			names.Count(observed.zeroHeads, "head"))
	}
	if v := observed.overflow; v.overflowing > 0 {
		after := "none is beyond it after the scale: multiply q by the scale before the product, or q and k " +
			"each by its root"
		if v.overflowingScaled > 0 {
			after = fmt.Sprintf("%d %s beyond it after the scale, too", v.overflowingScaled,
				chooseVerb(v.overflowingScaled))
		}
		add("overflow in float16: %d of %d products q·k %s beyond %d; the largest is %.4g; %s", v.overflowing,
			v.products,
			chooseVerb(v.overflowing), maxHalf, v.largest, after)
	}
	return caveats
}
