package rule

import (
	"math"
	"strings"
	"testing"
)

// TestParseScale checks the factor of q·k for many spellings of scales, with 64
// components and 16 keys.
func TestParseScale(t *testing.T) {
	for text, want := range map[string]float64{
		"sqrt(d_k)": 1.0 / 8, "1/sqrt(d_k)": 1.0 / 8, "1 / sqrt(d_k)": 1.0 / 8, "√d_k": 1.0 / 8, "1/√(d_k)": 1.0 / 8,
		"d_k**-0.5":        1.0 / 8,
		"head_dim ** -0.5": 1.0 / 8, "1/math.sqrt(d_head)": 1.0 / 8, "d_k^0.5": 1.0 / 8, "d_k^(1/2)": 1.0 / 8,
		"power(1/2)": 1.0 / 8, "power": 1.0 / 8, "0.125": 1.0 / 8, "1/8": 1.0 / 8,
		"1/d": 1.0 / 64, "sqrt(d)": 1.0 / 8, "d_k": 1.0 / 64, "1/d_k": 1.0 / 64, "1/dk": 1.0 / 64, "d_k^1": 1.0 / 64,
		"power(1)": 1.0 / 64,
		"none":     1, "None": 1, "1": 1, "power(0)": 1, "2/sqrt(d_k)": 1.0 / 4, "learned(2)": 1.0 / 4,
		"sqrt(d_k/2)": 1 / math.Sqrt(32), "1/sqrt(d_k/2)": 1 / math.Sqrt(32), "temperature(8)": 1.0 / 8,
		"temperature(1/8)": 8, "temperature(T=8)": 1.0 / 8, "5%": 0.05,
		"log-n": math.Log(16) / 8, "yarn(32)": 1.8132604340394958 / 8, "1/d_k^0.75": math.Pow(64, -0.75),
	} {
		r, err := ParseScale(text, parseFraction)
		if err != nil {
			t.Errorf("ParseScale(%q): %v", text, err)
			continue
		}
		if got, ok := r.Factor(64, 16); !ok || math.Abs(got/want-1) > 1e-12 {
			t.Errorf("ParseScale(%q) multiplies by %v, want %v", text, got, want)
		}
	}
}

// TestParseScaleRefuses checks the errors for ambiguous texts and for texts that are not a factor.
func TestParseScaleRefuses(t *testing.T) {
	list := "write sqrt(d_k), 1/sqrt(d_k), c/sqrt(d_k), d_k, 1/d_k, d_k^p, none, a factor up to 1 such as 0.125 or " +
		"1/8, or one of the rules power(p), sqrt(d_k/2), temperature(T), learned(c), log-n(s), yarn(s)"
	for text, want := range map[string]string{
		"":              "\"\" is not a scale; " + list,
		"c/sqrt(d_k)":   "write a number for c, such as 0.5/sqrt(d_k)",
		"sqrt(d_model)": list, "sqrt": list, "8/d_k": list, "x/d_k": list, "2/sqrt(d_k/2)": list, "d_k^x": list,
		"powr(1)": list, "nan": "a factor is in 1e-06..1", "100/8": "1/12.5 to divide", "sqrt(d_k": list,
		"cosine":      "\"cosine\" does more than multiply q·k; " + list,
		"qk-norm":     "does more than multiply",
		"1/d_k^-0.5":  "multiplies by a power of d_k, which is probably a mistake; " + list,
		"8":           `"8" may divide q·k or multiply it; write 1/8 to divide, or temperature(1/8) to multiply`,
		"0":           "a factor is in 1e-06..1",
		"-0.125":      "a factor is in 1e-06..1",
		"d_k^5":       "p = 5 is not in -4..4",
		"power(5)":    "p = 5 is not in -4..4",
		"learned(0)":  "is not in 1e-06..1e+06",
		"power(1":     "lacks its closing",
		"0/sqrt(d_k)": "is not in 1e-06",
	} {
		if r, err := ParseScale(text, parseFraction); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseScale(%q) = %v with the error %v, want an error that contains %q", text, r, err, want)
		}
	}
}

// parseFraction reads numbers as the command line does: decimals, ratios and percentages.
func parseFraction(text string) (float64, error) {
	if part, ok := strings.CutSuffix(text, "%"); ok {
		x, err := number(part)
		return x / 100, err
	}
	numerator, denominator, isRatio := strings.Cut(text, "/")
	x, err := number(numerator)
	if err != nil || !isRatio {
		return x, err
	}
	y, err := number(denominator)
	return x / y, err
}
