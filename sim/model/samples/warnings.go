package samples

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
)

// weightName matches names of weights.
var weightName = regexp.MustCompile(`(?i)weight|kernel|_proj|\bw_?[qk]\b|query_key_value|c_attn|qkv`)

// usualDimensions are those of a head of nearly every model.
var usualDimensions = []int{16, 32, 40, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256}

// Source is where queries and keys come from.
type Source struct {
	QueryName, KeyName string
	QueryShape         []int
	KeyShape           []int
	Split              bool // the last axis was split into heads
}

// warnings returns the mistakes that samples from a source look like, each with what to type.
func warnings(s inspect.Summary, from Source) (all []string) {
	say := func(format string, args ...any) { all = append(all, names.Printable(fmt.Sprintf(format, args...))) }
	last := from.QueryShape[len(from.QueryShape)-1]
	before := 1
	if len(from.QueryShape) > 1 {
		before = from.QueryShape[len(from.QueryShape)-2]
	}
	named := weightName.MatchString(from.QueryName) || weightName.MatchString(from.KeyName)
	square := len(from.QueryShape) == 2 && !from.Split && last == before && last >= 512 &&
		slices.Equal(from.QueryShape, from.KeyShape) && float64(s.Overall.QueryVariance) < 0.05
	shape := from.QueryShape
	switch {
	case named || square:
		say("%s and %s look like weights, not like queries and keys: for weights type --wq %s --wk %s",
			from.QueryName, from.KeyName, from.QueryName, from.KeyName)
	case !from.Split && last >= 384 && last%64 == 0 && len(shape) < 4:
		say("rows of %d components look like all heads side by side, whose d_k is smaller: type --heads %d", last,
			last/64)
	case len(shape) == 4 && shape[1] > shape[2] && shape[2] <= 128 && from.KeyShape[2] <= shape[2]:
		say("there are %d heads of %d rows; if the arrays are [batch, rows, heads, d_k], save q.transpose(1, 2) and "+
			"k.transpose(1, 2)", shape[1], shape[2])
	}
	if s.HasSameVectors() {
		say("queries and keys are the same vectors, so they are not independent: name the keys by --k")
	}
	if !s.HasSameVectors() && last > before && slices.Contains(usualDimensions, before) &&
		!slices.Contains(usualDimensions, last) {
		say("there are %d rows of %d components; if d_k is %d, the arrays are transposed: save them as rows × d_k",
			before, last, before)
	}
	if s.Overall.Variance.Value == 0 {
		say("q·k does not vary: queries or keys are all the same, or 0")
	}
	vq, vk, d := float64(s.Overall.QueryVariance), float64(s.Overall.KeyVariance), float64(s.Dimension)
	scaled := float64(s.Scale*s.Scale) * d
	if v := s.Overall.Variance; d >= 8 && math.Abs(float64(scaled)-1) < 0.01 && v.Lo < 1.1 && v.Hi > 0.9 &&
		math.Abs(float64(vq*vk*d)-1) < 0.25 {
		say("q·k has a variance of about 1 before it is scaled: q or k seem to be divided by √d_k already; then type " +
			"--scale none")
	}
	return all
}
