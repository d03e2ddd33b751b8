package selection

import (
	"maps"
	"testing"

	"mcsim/sim/result"
)

// TestFixMostCommon checks that the chosen parameters have the most values on the axis, and that
// they are those of the normal distribution if it was measured. Estimates with excluded parameters,
// such as shared_keys, do not count.
func TestFixMostCommon(t *testing.T) {
	doc := &result.Document{}
	add := func(experiment, quantity string, p result.Params) {
		doc.Estimates = append(doc.Estimates,
			result.Estimate{Experiment: experiment, Quantity: quantity, Params: p, Value: 1})
	}
	add("softmax", "max_weight", result.Params{"distribution": "uniform", "d_k": 4.0, "keys": 2.0, "exponent": 0.0})
	for _, d := range []float64{2, 4} {
		add("softmax", "max_weight", result.Params{"distribution": "normal", "d_k": d, "keys": 8.0, "exponent": 0.0})
	}
	for _, p := range []float64{0, 0.5, 1} {
		add("softmax", "max_weight", result.Params{"distribution": "normal", "d_k": 4.0, "keys": 64.0, "exponent": p})
	}
	for _, d := range []float64{2, 4, 8} {
		add("softmax", "max_weight",
			result.Params{"distribution": "normal", "d_k": d, "keys": 16.0, "exponent": 0.0, "shared_keys": "yes"})
	}
	for _, temperature := range []any{0.0, 2.0, "infinite"} {
		add("softmax", "max_weight",
			result.Params{"distribution": "normal", "d_k": 4.0, "keys": 64.0, "temperature": temperature})
	}
	add("depth", "relative_trace",
		result.Params{"tokens": 4.0, "width": 8.0, "layers": 2.0, "layer": 1.0, "scale": "unscaled"})
	filter := func(scaleParam string) Filter {
		f := NewFilter("softmax", "max_weight", "distribution", scaleParam)
		f.Excluded = []string{"shared_keys"}
		return f
	}
	temperatures := FixMainDistribution(filter("temperature"), "temperature", "d_k", "keys")
	layers := FixMostCommon(NewFilter("depth", "relative_trace"), "layer", "tokens", "width", "layers")
	for name, c := range map[string]struct{ got, want result.Params }{
		"softmax": {
			FixMainDistribution(filter("exponent"), "d_k", "keys")(doc),
			result.Params{"distribution": "normal", "keys": 8.0},
		},
		"temperature": {temperatures(doc), result.Params{"distribution": "normal", "keys": 64.0, "d_k": 4.0}},
		"depth":       {layers(doc), result.Params{"tokens": 4.0, "width": 8.0, "layers": 2.0}},
		"empty": {
			FixMainDistribution(filter("exponent"), "d_k", "keys")(&result.Document{}),
			result.Params{"distribution": "normal", "keys": nil},
		},
	} {
		if !maps.Equal(c.got, c.want) {
			t.Errorf("%s: the chosen parameters are %v, want %v", name, c.got, c.want)
		}
	}
}
