package experiment

import (
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"64", 64}, {" 64 ", 64}, {"-3", -3}, {"+3", 3}, {"0", 0}, {"0.5", 0.5}, {".5", 0.5}, {"5.", 5},
		{"1e6", 1e6}, {"1E-6", 1e-6}, {"1/3", 1.0 / 3}, {"2/3", 2.0 / 3}, {" 1 / 4 ", 0.25}, {"-1/2", -0.5},
		{"5%", 0.05}, {"0.1%", 0.001}, {"5 %", 0.05}, {"1/2%", 0.005}, {"100%", 1},
		{"2^10", 1024}, {"2^20", 1 << 20}, {"2^-1", 0.5}, {"10^3", 1000}, {"2^0", 1}, {"4^0.5", 2},
		{"2^53", 1 << 53}, {"3^33", 5559060566555523}, {"7^18", 1628413597910449}, {"10^15", 1e15},
		{"12^14", 1283918464548864}, {"2^10/2", 512}, {"1/2^2", 0.25},
		{"0x1p-3", 0.125}, {"1_000", 1000}, // as Go writes numbers
	} {
		got, err := Number(c.text)
		if err != nil || got != c.want {
			t.Errorf("Number(%q) = %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestNumberRefuses(t *testing.T) {
	for text, problem := range map[string]string{
		"": "not a number", " ": "not a number", "x": "not a number", "%": "not a number", "/": "not a number",
		"1/": "not a number", "/2": "not a number", "^": "not a number", "2^": "not a number", "1 000": "not a number",
		"1,5": "not a number", "--1": "not a number", "1e": "not a number", "1e400": "not a finite number",
		"0x": "not a number", "0x10": "not a number",
		"½": "not a number", "1/x": "not a number", "x%": "not a number", "64 pairs": "not a number",
		"NaN": "not a finite number", "nan": "not a finite number", "inf": "not a finite number",
		"-Inf": "not a finite number", "+infinity": "not a finite number", "1/0": "not a finite number",
		"0/0": "not a finite number", "-1/0": "not a finite number", "10^400": "not a finite number",
		"1e308/1e-308": "not a finite number", "0^-1": "not a finite number",
		"inf%": "finite", "1/inf": "number", "nan^0": "number",
	} {
		if x, err := Number(text); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("Number(%q) = %v, %v; want an error that contains %q", text, x, err, problem)
		}
	}
}

func TestInteger(t *testing.T) {
	for _, c := range []struct {
		text    string
		lo, hi  int64
		want    int64
		problem string // part of the error; empty if no error is expected
	}{
		{"64", 1, 100, 64, ""}, {"1", 1, 100, 1, ""}, {"100", 1, 100, 100, ""}, {"1e2", 1, 100, 100, ""},
		{"2^6", 1, 100, 64, ""}, {"6/3", 1, 100, 2, ""}, {"64.0", 1, 100, 64, ""}, {"-5", -9, 9, -5, ""},
		{"2^53", 0, 1 << 53, 1 << 53, ""},
		{"0", 1, 100, 0, "not in 1..100"}, {"101", 1, 100, 0, "not in 1..100"}, {"-1", 1, 100, 0, "not in 1..100"},
		{"1e300", 1, 100, 0, "not in 1..100"}, {"1.5", 1, 100, 0, "not a whole number"},
		{"1/3", 1, 100, 0, "not a whole number"},
		{"5%", 1, 100, 0, "not a whole number"}, {"x", 1, 100, 0, "not a number"}, {"", 1, 100, 0, "not a number"},
		{"inf", 1, 100, 0, "not a finite number"},
	} {
		got, err := Integer(c.text, c.lo, c.hi)
		switch {
		case c.problem == "" && (err != nil || got != c.want):
			t.Errorf("Integer(%q, %d, %d) = %d, %v; want %d", c.text, c.lo, c.hi, got, err, c.want)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("Integer(%q, %d, %d) = %d, %v; want an error that contains %q", c.text, c.lo, c.hi, got, err,
				c.problem)
		}
	}
}
