package statedict

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
)

// stackedModule matches modules that may hold the arrays of all layers.
var stackedModule = regexp.MustCompile(`(^|[./])(layers?|blocks?|encoderblock|h)[./]`)

// refuseStacked returns an error for a kernel of JAX that has an axis for layers. Flax's nn.scan
// and T5X create such kernels.
func (l *Layer) refuseStacked() error {
	a, err := l.files.Lookup(l.queryArray)
	if err != nil || !l.isKernel() || numberedModule.MatchString(l.prefix) {
		return nil
	}
	hasLayerAxis := len(a.Shape) > 3 || len(a.Shape) == 3 && stackedModule.MatchString(l.prefix)
	if !hasLayerAxis {
		return nil
	}
	return fmt.Errorf("%s has the shape %s, of which one axis may be that of layers: save each layer's arrays apart, "+
		"with its number in their names", l.queryArray, a.Dimensions())
}

// headShape returns the shape inputs × heads × d_k of a kernel of Flax (flax/linen/attention.py,
// MultiHeadDotProductAttention), and nil for other arrays.
func (files arrayIndex) headShape(name string) []int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) != 3 || !strings.HasSuffix(name, "kernel") {
		return nil
	}
	return a.Shape
}

// matrix returns an array as a matrix and marks it as used. The array must have two axes, or be a
// kernel with three axes whose last two are outputs. An error is recorded by fail.
func (l *Layer) matrix(name string) (m tensor.Matrix) {
	l.used = append(l.used, name)
	a, err := l.files.Lookup(name)
	if err != nil {
		l.fail(err)
		return m
	}
	if l.files.headShape(name) != nil {
		if merged, ok := a.MergeLastAxes(); ok {
			a = merged
		}
	}
	switch {
	case slices.Contains(a.Shape, 0):
		err = fmt.Errorf("%s has the shape %s, and so no numbers", name, a.Dimensions())
	case len(a.Shape) != 2:
		err = fmt.Errorf("%s has the shape %s; weights have two axes. If these are queries or keys, "+
			"name them by --q and --k, such as --q '%s'", name, a.Dimensions(), digits.ReplaceAllString(name, "{}"))
	case !strings.HasPrefix(a.Type, "F") && a.Type != "BF16":
		err = fmt.Errorf("%s has the type %s; weights that are quantised are not read: "+
			"save them as BF16, F16, F32 or F64", name, a.Type)
	default:
		m, err = a.Matrix()
	}
	l.fail(err)
	return m
}

// vector reads an array of n numbers and marks it as used. It returns nil if there is no such
// array. An error is recorded by fail.
func (l *Layer) vector(name string, n int) []float64 {
	if name == "" || !l.files.Has(name) {
		return nil
	}
	a, err := l.files.Lookup(name)
	if err == nil && product(a.Shape) != n {
		err = fmt.Errorf("%s has the shape %s; it should have %d numbers", name, a.Dimensions(), n)
	}
	if err != nil {
		l.fail(err)
		return nil
	}
	flat := *a
	flat.Shape = []int{n}
	l.used = append(l.used, name)
	numbers := make([]float64, n)
	m, err := flat.Matrix()
	if err == nil {
		err = tensor.Read(m, numbers)
	}
	l.fail(err)
	return numbers
}

// lastAxis returns the length of an array's last axis, or 0 if there is no such array.
func (files arrayIndex) lastAxis(name string) int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) == 0 {
		return 0
	}
	return a.Shape[len(a.Shape)-1]
}

// findBias returns the name of the bias of a matrix, such as bq for Wq, or "" if there is none.
func (files arrayIndex) findBias(weight string) string {
	start := strings.LastIndexAny(weight, "./") + 1
	for _, pair := range [][2]string{{"weight", "bias"}, {"kernel", "bias"}, {"W", "b"}, {"w", "b"}} {
		for end := len(weight); end > start; {
			end = strings.LastIndex(weight[:end], pair[0])
			if end < start {
				break
			}
			if name := weight[:end] + pair[1] + weight[end+len(pair[0]):]; files.Has(name) {
				return name
			}
		}
	}
	if m := matrixEnding.FindStringSubmatch(weight); m[2] != "" && files.Has(m[1]+"_bias") {
		return m[1] + "_bias"
	}
	return ""
}
