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

// refuseStacked refuses a kernel of JAX that has an axis for layers, as nn.scan of Flax and T5X make it.
func (l *Layer) refuseStacked() error {
	a, err := l.files.Lookup(l.query)
	isMany := err == nil && (len(a.Shape) > 3 || len(a.Shape) == 3 && stacking.MatchString(l.prefix))
	if !isMany || !l.isKernel() || numbered.MatchString(l.prefix) {
		return nil
	}
	return fmt.Errorf("%s has the shape %s, of which one axis may be that of layers: save each layer's arrays apart, "+
		"with its number in their names", l.query, a.Dimensions())
}

// headShape returns inputs × heads × d_k of a kernel of Flax (flax/linen/attention.py,
// MultiHeadDotProductAttention); nil for other arrays.
func (files arrays) headShape(name string) []int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) != 3 || !strings.HasSuffix(name, "kernel") {
		return nil
	}
	return a.Shape
}

// matrix returns an array of two axes, or of three whose last two are the outputs.
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
			"name them by --q and --k, such as --q '%s'", name, a.Dimensions(), number.ReplaceAllString(name, "{}"))
	case !strings.HasPrefix(a.Type, "F") && a.Type != "BF16":
		err = fmt.Errorf("%s has the type %s; weights that are quantised are not read: "+
			"save them as BF16, F16, F32 or F64", name, a.Type)
	default:
		m, err = a.Matrix()
	}
	l.fail(err)
	return m
}

// vector reads an array of n numbers; nil if there is none of that name.
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
	out := make([]float64, n)
	m, err := flat.Matrix()
	if err == nil {
		err = tensor.Read(m, out)
	}
	l.fail(err)
	return out
}

// lastAxis returns the length of an array's last axis; 0 if there is none.
func (files arrays) lastAxis(name string) int {
	a, err := files.Lookup(name)
	if err != nil || len(a.Shape) == 0 {
		return 0
	}
	return a.Shape[len(a.Shape)-1]
}

// biasOf returns the name of the bias of a matrix, such as bq of Wq; empty if there is none.
func (files arrays) biasOf(weight string) string {
	cut := strings.LastIndexAny(weight, "./") + 1
	for _, pair := range [][2]string{{"weight", "bias"}, {"kernel", "bias"}, {"W", "b"}, {"w", "b"}} {
		for at := len(weight); at > cut; {
			if at = strings.LastIndex(weight[:at], pair[0]); at < cut {
				break
			}
			if name := weight[:at] + pair[1] + weight[at+len(pair[0]):]; files.Has(name) {
				return name
			}
		}
	}
	if m := ending.FindStringSubmatch(weight); m[2] != "" && files.Has(m[1]+"_bias") {
		return m[1] + "_bias"
	}
	return ""
}
