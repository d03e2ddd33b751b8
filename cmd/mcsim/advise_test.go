package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/names"
)

// runAdvise runs mcsim advise.
func runAdvise(t *testing.T, arguments ...string) (out, errs string, code int) {
	t.Helper()
	return execute(t, "advise", arguments...)
}

// execute runs a command of mcsim to its end.
func execute(t *testing.T, name string, arguments ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.Command("mcsim", append([]string{name}, arguments...)...)
	c.Stdout, c.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := c.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), code
}

// adviceOf runs advise --json.
func adviceOf(t *testing.T, arguments ...string) map[string]any {
	t.Helper()
	out, errs, code := runAdvise(t, append([]string{"--json"}, arguments...)...)
	if code != exitPassed {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	var a map[string]any
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// What is predicted by hand: the packed projection of PyTorch has a logit variance
// of 1/4, normal weights of deviation 0.02 one of (D/2500)².
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		arguments string
		sd, scale float64 // of the logits; that makes it one
	}{
		{"--init torch-mha", 0.5, 1.0 / 4},
		{"--init normal-0.02 --d-model 1280 --keys 512", 0.512, 1 / 8.0 / 0.512},
		{"--init mup --d-model 512 --d-k 64", 0.125, 1.0 / 8},
	} {
		if testing.Short() && c.arguments != "--init torch-mha" {
			continue
		}
		a := adviceOf(t, strings.Fields(c.arguments)...)
		number := func(name string) float64 { return a[name].(float64) }
		if math.Abs(number("logit_sd_predicted")-c.sd) > 1e-9 || math.Abs(number("unit_scale")-c.scale) > 1e-9 {
			t.Errorf("%s: %v, unit scale %v; want %v and %v", c.arguments, a["logit_sd_predicted"], a["unit_scale"], c.sd, c.scale)
		}
		found := a["logit_sd"].(map[string]any)
		if z := (found["value"].(float64) - c.sd) / found["se"].(float64); math.Abs(z) > 4.5 {
			t.Errorf("%s: measured %v, %.1f standard errors from %v", c.arguments, found, z, c.sd)
		}
		gain := number("unit_gain")
		if math.Abs(gain*gain*c.sd-1) > 1e-9 {
			t.Errorf("%s: the gain %v gives a deviation of %v", c.arguments, gain, gain*gain*c.sd)
		}
	}
	if a := adviceOf(t, "--init", "mup-zero-query"); a["unit_scale"] != nil || a["gradient_survival"].(map[string]any)["value"].(float64) != 1 {
		t.Errorf("queries of zero: %v", a)
	}
}

// Of two greatest weights of as many keys the larger is not called the evener, and the
// label is the one of the table of names; digits are those that tokens deserve, which are
// no independent normal numbers.
func TestAdviceFollowsItsRule(t *testing.T) {
	if testing.Short() {
		t.Skip("draws several heads")
	}
	order := []string{names.LabelTooSoft, names.LabelSoft, names.LabelUneven, names.LabelSharp}
	last, least := 0, 0.0
	for _, init := range []string{"mup", "normal-0.02", "torch-mha", "he-normal"} { // rising logits
		arguments := []string{"--init", init, "--d-model", "512", "--draws", "16"}
		a := adviceOf(t, arguments...)
		weight := a["max_weight"].(map[string]any)["value"].(float64)
		at := slices.Index(order, a["evenness"].(string))
		if at < last || weight < least {
			t.Errorf("%s: a greatest weight of %v is %v", init, weight, a["evenness"])
		}
		last, least = at, weight
		out, _, _ := runAdvise(t, arguments...)
		_, text, _ := strings.Cut(out, "keeps R = ")
		shown, _, _ := strings.Cut(text, " ")
		if _, decimals, _ := strings.Cut(shown, "."); len(decimals) > 3 {
			t.Errorf("%s: R is printed as %s", init, shown)
		}
	}
}

func TestAdviceInWords(t *testing.T) {
	out, _, _ := runAdvise(t, "--init", "torch-mha")
	for _, want := range []string{"heads of d_k 64", "0.5 predicted", "√(2 ln n) = 3.723", "R = 1.000 of", "healthy", "attention begins soft", "divide q·k by 4 instead of 8", "by 1.414 each"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for arguments, want := range map[string]string{
		"--init torch-mah":             "did you mean torch-mha?",
		"--d-model 100":                "no whole number of heads",
		"--init orthogonal --d-k 1024": "at most d_model",
		"--keys 1":                     "2..262144",
		"--draws 1":                    "16..",
	} {
		_, errs, code := runAdvise(t, strings.Fields(arguments)...)
		if code != exitBad || !strings.Contains(errs, want) {
			t.Errorf("advise %s: exit code %d, %s", arguments, code, errs)
		}
	}
}
