package distribution

import (
	"errors"
	"strings"
	"testing"

	"mcsim/sim/names"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text, name string
		param      float64
		canonical  string
	}{
		{"normal", "normal", 0, "normal"},
		{"student-t", "student-t", 10, "student-t(10)"},
		{"student-t(10)", "student-t", 10, "student-t(10)"},
		{"student-t(10.0)", "student-t", 10, "student-t(10)"},
		{"student-t:6.5", "student-t", 6.5, "student-t(6.5)"},
		{"student-t=3", "student-t", 3, "student-t(3)"},
		{"student-t(nu=12)", "student-t", 12, "student-t(12)"},
		{"student-t(nu:12)", "student-t", 12, "student-t(12)"},
		{"student-t(999999)", "student-t", 999999, "student-t(999999)"},
		{"bernoulli-gaussian", "bernoulli-gaussian", 0.1, "bernoulli-gaussian(0.1)"},
		{"bernoulli-gaussian(p=1e-1)", "bernoulli-gaussian", 0.1, "bernoulli-gaussian(0.1)"},
		{"bernoulli-gaussian(0.00001)", "bernoulli-gaussian", 1e-5, "bernoulli-gaussian(0.00001)"},
		{"sphere", "sphere", 0, "sphere"},
		{"gaussian", "normal", 0, "normal"},
		{"bernoulli-gaussian(0.30000000000000004)", "bernoulli-gaussian", 0.30000000000000004,
			"bernoulli-gaussian(0.30000000000000004)"},
	} {
		d, err := Parse(c.text, parseNumber)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if d.Name() != c.name || d.Param() != c.param || d.String() != c.canonical {
			t.Errorf("%s: got name %s, parameter %v, text %s; want %s, %v, %s", c.text, d.Name(), d.Param(), d,
				c.name, c.param, c.canonical)
		}
		if again, err := Parse(d.String(), parseNumber); err != nil || again != d {
			t.Errorf("%v is written and parsed again as %v (error %v)", d, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, part := range map[string]string{
		"student-t(10":              "closing parenthesis",
		"normal(1)":                 "takes no parameter",
		"sphere:2":                  "takes no parameter",
		"student-t(x)":              "nu",
		"student-t()":               "nu",
		"student-t(2)":              "not in (2, 1000000)",
		"student-t(-5)":             "not in",
		"student-t(1e6)":            "not in",
		"student-t(NaN)":            "not in",
		"student-t(Inf)":            "not in",
		"student-t(p=5)":            "nu",
		"bernoulli-gaussian(0)":     "not in",
		"bernoulli-gaussian(1)":     "not in",
		"bernoulli-gaussian(0.1))":  "p",
		"bernoulli-gaussian=(0.1":   "p",
		"student-t(10)(11)":         "nu",
		"bernoulli-gaussian(p=p=.1": "closing parenthesis",
	} {
		_, err := Parse(text, parseNumber)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error %v, want one that contains %q", text, err, part)
		}
	}
	for _, text := range []string{"", "Normal", "norml", " normal", "gauss(1)", "(1)"} {
		var unknown names.UnknownError
		if _, err := Parse(text, parseNumber); !errors.As(err, &unknown) {
			t.Errorf("%q: error %v, want an UnknownError", text, err)
		}
	}
}
