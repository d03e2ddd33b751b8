package statedict

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
)

// stacking matches modules of all layers.
var stacking = regexp.MustCompile(`(^|[./])(layers?|blocks?|encoderblock|h)[./]`)

// refuseStacked refuses a kernel of JAX with an axis for layers, as nn.scan of Flax and T5X create
// it.
func (l *Layer) refuseStacked() error {
	a, err := l.files.Lookup(l.query)
	isMany := err == nil && (len(a.Shape) > 3 || len(a.Shape) == 3 && stacking.MatchString(l.prefix))
	if !isMany || !l.isKernel() || numberedModule.MatchString(l.prefix) {
		return nil
	}
	return fmt.Errorf("%s has the shape %s, of which one axis may be that of layers: save each layer's arrays apart, "+
		"with its number in their names", l.query, a.Dimensions())
}

// headShape returns inputs × heads × d_k of a kernel of Flax (flax/linen/attention.py,
// MultiHeadDotProductAttention), nil for other arrays.
func (files arrayIndex) headShape(name string) []int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) != 3 || !strings.HasSuffix(name, "kernel") {
		return nil
	}
	return a.Shape
}

// matrix returns an array as a matrix and marks it as used. It must have two axes, or be a kernel
// whose last two axes are outputs.
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

// vector reads an array of n numbers and marks it as used, nil if it does not exist.
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

// lastAxis returns the length of an array's last axis, 0 if there is none.
func (files arrayIndex) lastAxis(name string) int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) == 0 {
		return 0
	}
	return a.Shape[len(a.Shape)-1]
}

// findBias returns the name of the bias of a matrix, such as bq for Wq, "" if there is none.
func (files arrayIndex) findBias(weight string) string {
	start := strings.LastIndexAny(weight, "./") + 1
	for _, pair := range [][2]string{{"weight", "bias"}, {"kernel", "bias"}, {"W", "b"}, {"w", "b"}} {
		for end := len(weight); end > start; {
			if end = strings.LastIndex(weight[:end], pair[0]); end < start {
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
