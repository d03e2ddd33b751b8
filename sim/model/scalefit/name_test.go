package scalefit

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestNamedFactors checks that ExplainFactor names the mistake that leads to a factor.
func TestNamedFactors(t *testing.T) {
	newLayer := func(d, heads, keyHeads int) LayerShape { return LayerShape{d, heads, keyHeads, 128} }
	mscale := func(s float64) float64 { return 1 + 0.1*math.Log(s) }
	for _, c := range []struct {
		factor float64
		scale  float64 // 0 for 1/√d_k
		layer  LayerShape
		want   string
	}{
		{1, 0, newLayer(64, 12, 12), "the scale is forgotten"},
		{1. / 64, 0, newLayer(64, 12, 12),
			"that is 1/√4096, or 0.125 times the scale: " +
				"q·k is divided by d_k = 64, not by its root, or is scaled twice"},
		{1 / math.Sqrt(768), 0, newLayer(64, 12, 12),
			"1/√768, or 0.2887 times the scale: q·k is divided by the root of d_model = 768, not of d_k = 64"},
		{1. / 768, 0, newLayer(64, 12, 12), "divided by d_model = 768"},
		{8, 0, newLayer(64, 12, 12), "multiplied where it should be divided"},
		{-0.125, 0, newLayer(64, 12, 12), "its sign is turned"},
		{math.Sqrt(0.125), 0, newLayer(64, 12, 12), "one of q and k is scaled by the root"},
		{1 / math.Sqrt(12), 0, newLayer(64, 12, 12), "the root of 12 heads"},
		{1. / 12, 0, newLayer(64, 12, 12), "the number of heads"},
		{1. / 96, 0, newLayer(64, 12, 12), "the scale is divided by 12, the number of heads"},
		{1.5, 0, newLayer(64, 12, 12), "the scale is multiplied by 12, the number of heads"},
		{0.125 / 23, 0, newLayer(64, 12, 12), "divided by 23, as by the number of a layer"},
		{1. / 24, 0, newLayer(64, 1, 1), "1/√576"},
		{1 / math.Sqrt(384), 0, newLayer(64, 1, 1), "384 may be d_model, of 6 heads"},
		{1. / 32, 0, newLayer(64, 12, 12), "d_k ** 1 / 2"},
		{32, 0, newLayer(64, 12, 12), "write d_k ** -0.5"},
		{math.Pow(192, -0.5) / math.Pow(mscale(40), 2), math.Pow(192, -0.5), newLayer(192, 16, 16),
			"mscale 1.369 (of factor 40) is missing, squared"},
		{math.Pow(192, -0.5), math.Pow(192, -0.5) * mscale(40) * mscale(40), newLayer(192, 16, 16),
			"not multiplied by the scale"},
		{0.125 * mscale(32), 0, newLayer(64, 16, 16), "mscale 1.347 (of factor 32) is extra"},
		{1. / 24, math.Pow(192, -0.5), newLayer(192, 16, 1), "absorbed latent attention, 512 + 64"},
		{1 / math.Sqrt(192), 0, newLayer(128, 16, 16), "d_k and 64 components for RoPE"},
		{1 / math.Sqrt(192), 0, newLayer(64, 2, 2), "3 d_k, of queries, keys and values in one array"},
		{1 / math.Sqrt(96), 0, newLayer(80, 16, 16), "96 (d_k padded)"},
		{1 / math.Sqrt(80), 0, newLayer(72, 16, 16), "80 (d_k padded)"},
		{0.125 * math.Log2E, 0, newLayer(64, 16, 16), "log₂e is in the logits"},
		{0.125 * math.Ln2, 0, newLayer(64, 16, 16), "log₂e is missing before an exp2"},
		{0.14453125, 0, newLayer(48, 4, 4), "rounded to bfloat16"},
		{0.144, 0, newLayer(48, 4, 4), "rounded to 3 decimals"},
		{1. / 6, 0, newLayer(48, 4, 4), "divisor is cut to a whole number"},
		{1. / 11.3, 0, newLayer(128, 4, 4), "the divisor is rounded to 1 decimal"},
		{0.125 / 0.7, 0, newLayer(64, 4, 4), "a temperature of 0.7"},
		{0.125 * 2 / 3, 0, newLayer(64, 5, 5), "a temperature of 1.5"},
		{1. / 128, 0, newLayer(64, 5, 5), "2 d_k"},
		{math.Sqrt2 / math.Sqrt(128), 0, newLayer(128, 8, 8),
			"divided by 8, the number of heads, or q·k is divided by the root of 64 (d_k/2)"},
		{0.125 / 3, 0, newLayer(64, 5, 5), "or a temperature of 3"},
		{math.Ldexp(1, -9), 0, newLayer(80, 5, 5), "a power of two, 2^-9"},
	} {
		scale := c.scale
		if scale == 0 {
			scale = 1 / math.Sqrt(float64(c.layer.Dimension))
		}
		if got := ExplainFactor(c.factor, 1e-6*c.factor, scale, c.layer); !strings.Contains(got, c.want) {
			t.Errorf("factor %v of %+v: the text is %q, want it to contain %q", c.factor, c.layer, got, c.want)
		}
	}
}

// TestUnnamedFactors checks that at most 2.5 % of 1000 arbitrary factors are explained by a
// mistake.
func TestUnnamedFactors(t *testing.T) {
	const draws = 1000
	named := 0
	for i := range draws {
		factor := 0.002 * math.Pow(1000, math.Mod(float64(i)*0.6180339887498949, 1))
		got := ExplainFactor(factor, 1e-6*factor, 0.125, LayerShape{64, 12, 12, 128})
		if !strings.Contains(got, fmt.Sprintf("%.4g times the scale", factor/0.125)) {
			t.Fatalf("%v: %q", factor, got)
		}
		if strings.Contains(got, ": ") {
			named++
		}
	}
	// About 250 mistakes explain ±10⁻⁴ each, and ln 1000 = 6.9 is the range of the logarithm of the
	// factors: 250·2·10⁻⁴/6.9 is 0.7 %.
	if named > draws/40 {
		t.Errorf("%d of %d factors are explained, want %d at most", named, draws, draws/40)
	}
}

// TestUnsureFactors checks that a factor with a large standard error is not explained.
func TestUnsureFactors(t *testing.T) {
	if got := ExplainFactor(0.06, 0.003, 0.125, LayerShape{64, 12, 12, 128}); strings.Contains(got, ": ") {
		t.Errorf("the text for a factor with a large error is %q, want no mistake", got)
	}
}
