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

// commonDimensions has the d_k of nearly all models, in increasing order.
var commonDimensions = []int{16, 32, 40, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256}

// Source describes the arrays of queries and keys.
type Source struct {
	QueryName, KeyName string
	QueryShape         []int
	KeyShape           []int
	IsSplit            bool // whether the last axis was split into heads
}

// newWarnings returns likely mistakes in the arrays, each with the flags that correct it.
func newWarnings(s inspect.Summary, source Source) (warnings []string) {
	warn := func(format string, args ...any) {
		warnings = append(warnings, names.Printable(fmt.Sprintf(format, args...)))
	}
	columns := source.QueryShape[len(source.QueryShape)-1]
	rows := 1
	if len(source.QueryShape) > 1 {
		rows = source.QueryShape[len(source.QueryShape)-2]
	}
	isNamedWeights := weightName.MatchString(source.QueryName) || weightName.MatchString(source.KeyName)
	isSquareMatrix := len(source.QueryShape) == 2 && !source.IsSplit && columns == rows && columns >= 512 &&
		slices.Equal(source.QueryShape, source.KeyShape) && float64(s.Overall.QueryVariance) < 0.05
	shape := source.QueryShape
	switch {
	case isNamedWeights || isSquareMatrix:
		warn("%s and %s look like weights, not like queries and keys: for weights type --wq %s --wk %s",
			source.QueryName, source.KeyName, source.QueryName, source.KeyName)
	case !source.IsSplit && columns >= 384 && columns%64 == 0 && len(shape) < 4:
		warn("rows of %d components look like all heads side by side, whose d_k is smaller: type --heads %d", columns,
			columns/64)
	case len(shape) == 4 && shape[1] > shape[2] && shape[2] <= 128 && source.KeyShape[2] <= shape[2]:
		warn("there are %d heads of %d rows; if the arrays are [batch, rows, heads, d_k], save q.transpose(1, 2) and "+
			"k.transpose(1, 2)", shape[1], shape[2])
	}
	if s.HasSameVectors() {
		warn("queries and keys are the same vectors, so they are not independent: name the keys by --k")
	}
	if !s.HasSameVectors() && columns > rows && slices.Contains(commonDimensions, rows) &&
		!slices.Contains(commonDimensions, columns) {
		warn("there are %d rows of %d components; if d_k is %d, the arrays are transposed: save them as rows × d_k",
			rows, columns, rows)
	}
	if s.Overall.Variance.Value == 0 {
		warn("q·k does not vary: queries or keys are all the same, or 0")
	}
	vq, vk, d := float64(s.Overall.QueryVariance), float64(s.Overall.KeyVariance), float64(s.Dimension)
	scaled := float64(s.Scale*s.Scale) * d
	if v := s.Overall.Variance; d >= 8 && math.Abs(float64(scaled)-1) < 0.01 && v.Lo < 1.1 && v.Hi > 0.9 &&
		math.Abs(float64(vq*vk*d)-1) < 0.25 {
		warn("q·k has a variance of about 1 before it is scaled: q or k seem to be divided by √d_k already; " +
			"then type --scale none")
	}
	return warnings
}
