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

// matters matches names of arrays that change what softmax gets, or hold it.
var matters = regexp.MustCompile(`(?i)(^|[^a-z])(q|k|query|key|queries|keys|cap|alibi|rope|temperature)([^a-z]|$)|` +
	`norm|scale|sink|mask|bias|softcap|logit|score|attn_?weight|attention|weights|prob`)

// unusedBeside names the arrays that are not looked at, though their names say that they matter, or
// they have the shape of logits.
func (s *Samples) unusedBeside(files *tensor.Files) (all []string) {
	q := s.layers[0].query
	shape := []int{q.texts, q.heads, q.rows, s.Keys}
	for _, name := range files.Names() {
		isUsed := slices.ContainsFunc(s.layers, func(l *sampled) bool {
			return name == l.q || name == l.k || name == l.logits || name == l.weights
		})
		a, err := files.Lookup(name)
		if !isUsed && (matters.MatchString(name) || err == nil && slices.Equal(a.Shape, shape)) {
			all = append(all, name)
		}
	}
	return all
}

// typeNames are the types of numbers as NumPy and PyTorch write them.
var typeNames = map[string]string{"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}

// layoutText says how the axes of an array are read.
func layoutText(l axes) string {
	return fmt.Sprintf("%s × %s × %s × d_k = %d",
		names.Count(l.texts, "text"), names.Count(l.heads, "head"), names.Count(l.rows, "row"), l.columns)
}

// isOrAre returns the verb for a number of things.
func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// describe says what is judged, and what is not.
func (s *Samples) describe(out *inspect.Summary, o *observed, a *inspect.AppliedScale) {
	say := func(format string, args ...any) { out.Subject = append(out.Subject, fmt.Sprintf(format, args...)) }
	l := s.layers[0]
	describe := func(name string, l axes) string {
		return names.Printable(name) + ", " + layoutText(l) + ", " + typeNames[l.array.Type]
	}
	say("Queries: %s.", describe(l.q, l.query))
	say("Keys: %s.", describe(l.k, l.key))
	for _, pairs := range []struct{ kind, name string }{{"Logits", l.logits}, {"Weights", l.weights}} {
		if pairs.name != "" {
			say("%s: %s.", pairs.kind, names.Printable(pairs.name))
		}
	}
	if last := s.layers[len(s.layers)-1]; last != l {
		say("Layers: %d, %s to %s, of %d heads in all.", len(s.layers), l.title, last.title, s.Heads)
	}
	if len(s.unused) > 0 {
		const maxShown = 6
		say("Not used: %s.", names.Printable(names.List(s.unused, ", ", maxShown)))
	}
	if s.blocks > 1 {
		out.Notes = append(out.Notes, fmt.Sprintf("A head is judged in %d blocks of %d rows, one after the other; "+
			"queries of a block meet its keys. Texts are these blocks.", s.blocks, s.Queries/s.blocks))
	}
	out.Caveats = append(out.Caveats, s.caveats(o, a)...)
	out.Warnings = warnings(*out, s.Source)
}

// caveats returns what the verdict leaves out.
func (s *Samples) caveats(o *observed, a *inspect.AppliedScale) (all []string) {
	caveat := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case a == nil && len(s.unused) > 0:
		caveat("the code's factor was not checked: the file has no logits or weights that are used")
	case a == nil:
		caveat("the code's factor was not checked: the file has no logits or weights")
	}
	if s.lone > 0 {
		lack := "lack"
		if s.lone == 1 {
			lack = "lacks"
		}
		caveat("without %s that %s q or k", names.Count(s.lone, "layer"), lack)
	}
	if n := o.sums.empty; n > 0 && s.blocks == 1 {
		caveat("%s of weights %s 0 throughout, such as padding, and left out", names.Count(n, "row"), isOrAre(n))
	}
	if a != nil && a.Verdict == result.Pass && a.Diagnosis != "" {
		caveat("%s", a.Diagnosis)
	}
	if n := o.zeroQueries + o.zeroKeys; n > 0 {
		caveat("%s of queries and %d of keys %s 0, such as padding, and left out",
			names.Count(o.zeroQueries, "row"), o.zeroKeys, isOrAre(n))
	}
	if o.empty > 0 {
		caveat("only zeros as queries or keys, which count with a variance of 0: %s, each of one text",
			names.Count(o.empty, "head"))
	}
	if v := o.overflow; v.beyond > 0 {
		after := "none is beyond it after the scale: multiply q by the scale before the product, or q and k " +
			"each by its root"
		if v.scaled > 0 {
			after = fmt.Sprintf("%d %s beyond it after the scale, too", v.scaled, isOrAre(v.scaled))
		}
		caveat("overflow in float16: %d of %d products q·k %s beyond %d; the largest is %.4g; %s", v.beyond, v.products,
			isOrAre(v.beyond), maxHalf, v.largest, after)
	}
	return all
}
