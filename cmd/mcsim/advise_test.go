package main

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/names"
)

func runAdvise(arguments ...string) (stdout, stderr string, code int) {
	return runHere(append([]string{"advise"}, arguments...)...)
}

// readAdvice runs advise with --json and returns its output.
func readAdvice(t *testing.T, arguments ...string) map[string]any {
	t.Helper()
	stdout, stderr, code := runAdvise(append([]string{"--json"}, arguments...)...)
	if code != program.Passed {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var a map[string]any
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// joinWords replaces the white space of a text by single spaces.
func joinWords(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestAdviceText checks which phrases, separated by |, the text about a head has and which it
// lacks: its numbers and the notes on a replaced shape or norm. For normalised queries and keys the
// text must not have a variance of the initialisation.
func TestAdviceText(t *testing.T) {
	const varianceOrNote = "(variance|Note"
	const assumption = "assumed|here W_Q has|Llama has no"
	for _, c := range []struct{ arguments, want, unwanted string }{
		{"--init torch-mha", "12 heads of d_k 64|0.5 predicted (variance 1/4)|√(2 ln n) = 3.723|effective keys, the " +
			"inverse of the mean of Σα²; below 4.25,|the norm of the median row is 0.56|the entropy is 0.982", ""},
		{"--scale qk-norm", "standard deviation 1 predicted, ", varianceOrNote},
		{"--scale cosine(10)", "q·k divided by 6.4, that is cosine × 10;", varianceOrNote},
		{"--scale qk-norm --heads 5 --d-k 64", "standard deviation 1 predicted, ", varianceOrNote},
		{"--init mup --scale cosine(1) --d-k 64", "that is cosine × 1;", varianceOrNote},
		{"--heads 5 --d-k 64", "nn.MultiheadAttention cannot have this shape", ""},
		{"--kv-heads 4", "the 1280 outputs of these heads (fan_out), not the 3D of the source", ""},
		{"--init glorot-fused --kv-heads 4", "here W_Q has 12 heads and W_K 4 heads", ""},
		{"--model t5", "LayerNorm is assumed in place of RMSNorm", ""},
		{"--model gpt2", "GPT-2 small: d_model 768, 12 heads", assumption},
	} {
		t.Run(c.arguments, func(t *testing.T) {
			arguments := strings.Fields(c.arguments)
			if c.arguments != "--init torch-mha" {
				arguments = append(arguments, "--keys", "16", "--draws", "16")
			}
			stdout, _, _ := runAdvise(arguments...)
			for line := range strings.Lines(stdout) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > show.Width {
					t.Errorf("a line has %d characters, want at most %d: %s", n, show.Width, line)
				}
			}
			for _, want := range strings.Split(c.want, "|") {
				if !strings.Contains(joinWords(stdout), want) {
					t.Errorf("the text lacks %q:\n%s", want, stdout)
				}
			}
			for _, phrase := range strings.Split(c.unwanted, "|") {
				if phrase != "" && strings.Contains(joinWords(stdout), phrase) {
					t.Errorf("the text has the unwanted %q:\n%s", phrase, stdout)
				}
			}
		})
	}
}

// TestAdvice compares the standard deviation of the logits with closed forms in D = d_model: the
// predicted one to 1e-9, and the measured one to five standard errors. It also checks that the
// recommended scale and gain give a standard deviation of 1.
func TestAdvice(t *testing.T) {
	const small = "--d-model 64 --d-k 16 --keys 16 "
	for arguments, sd := range map[string]float64{
		"--init torch-mha --keys 16 --draws 16":                      0.5,
		"--init normal-0.02 --d-model 1280 --keys 512 --draws 16":    0.512,
		"--init mup --d-model 512 --d-k 64 --keys 16 --draws 16":     0.125,
		small + "--init-sd 0.1":                                      0.64, // D·sd²
		small + "--init-sd 0.1 --scale 1/d_k":                        0.16, // over √d_k
		small + "--init-sd 0.1 --scale none":                         2.56, // times √d_k
		small + "--init-sd 0.1 --scale 0.5":                          1.28,
		small + "--init-sd 0.1 --norm none":                          0.64, // E[|x|²|y|²] of two tokens x, y is D²
		small + "--init qk-norm":                                     1,
		"--d-model 64 --heads 2 --keys 16 --init-sd 0.1":             0.64, // d_k = 32, which leaves D·sd²
		"--d-model 64 --heads 2 --keys 16 --init-sd 0.1 --scale 1/d": 0.64 / math.Sqrt(32),
		small + "--init-sd 0.1 --scale qk-norm(2)":                   2,    // g
		small + "--init-sd 0.1 --scale cosine(8)":                    2,    // s/√d_k
		small + "--init qk-norm --scale 1/d_k":                       0.25, // 1/√d_k
		// Glorot: entries have variance 2/(D + outputs). √(D·2/(2D) · D·2/(D + 16)), for 64 and 16
		// outputs:
		small + "--init glorot-fused --kv-heads 1": math.Sqrt(1 * 2 / 1.25),
		// W_Q, W_K and W_V are one matrix with 64 + 2·2·16 outputs:
		small + "--init torch-mha --kv-heads 2": 2 * 64.0 / (64 + 64 + 2*2*16),
		// W_Q and W_K have 32 outputs each:
		small + "--init keras --heads 2":       2 * 64.0 / (64 + 32),
		"--model t5-base --keys 16 --draws 16": 1,
	} {
		a := readAdvice(t, strings.Fields(arguments)...)
		measured := a["logit_sd"].(map[string]any)
		if got := a["logit_sd_predicted"].(float64); math.Abs(got/sd-1) > 1e-9 {
			t.Errorf("%s: predicted %v, want %v", arguments, got, sd)
		}
		if z := (measured["value"].(float64) - sd) / measured["se"].(float64); !(math.Abs(z) < 5) {
			t.Errorf("%s: the measured %v is %.1f standard errors from %v, want at most 5", arguments, measured, z, sd)
		}
		if unit := a["unit_scale"].(float64) / a["scale"].(float64); math.Abs(unit*sd-1) > 1e-9 {
			t.Errorf("%s: %v times the scale gives a standard deviation of %v, want 1", arguments, unit, unit*sd)
		}
		if gain, ok := a["unit_gain"].(float64); ok && math.Abs(gain*gain*sd-1) > 1e-9 {
			t.Errorf("%s: the gain %v gives a standard deviation of %v, want 1", arguments, gain, gain*gain*sd)
		}
	}
	a := readAdvice(t, "--init", "mup-zero-query")
	if a["unit_scale"] != nil {
		t.Errorf("queries of zero: the unit scale is %v, want none", a["unit_scale"])
	}
	const defaultKeys = 1024
	collision := a["collision"].(map[string]any)["value"].(float64)
	if math.Abs(collision*defaultKeys-1) > 1e-6 {
		t.Errorf("queries of zero: the mean of Σα² is %v, want 1/%d", collision, defaultKeys)
	}
}

// TestAdviceOnModels checks that --model sets the shape, the initialisation and the context.
func TestAdviceOnModels(t *testing.T) {
	a := readAdvice(t, "--model", "gpt2", "--keys", "16", "--draws", "16")
	for name, want := range map[string]any{
		"published_model": "GPT-2 small", "d_model": 768.0, "heads": 12.0, "init": "normal-0.02",
	} {
		if a[name] != want {
			t.Errorf("gpt2: %s is %v, want %v", name, a[name], want)
		}
	}
	if a := readAdvice(t, "--model", "bert", "--draws", "16"); a["keys"] != 512.0 {
		t.Errorf("bert: rows have %v keys, want its context, 512", a["keys"])
	}
	a = readAdvice(t, "--norm", "rmsnorm", "--keys", "8", "--draws", "16")
	if !strings.Contains(fmt.Sprint(a["notes"]), "in place of RMSNorm") {
		t.Errorf("with RMSNorm, no note says that LayerNorm is assumed: %v", a["notes"])
	}
	a = readAdvice(t, "--model", "gpt2", "--keys", "8", "--draws", "16", "--init", "mup")
	if a["init"] != "mup" {
		t.Errorf("gpt2 with --init mup: the initialisation is %v", a["init"])
	}
	if change := a["change"].(string); !strings.HasPrefix(change, "none that the label requires") {
		t.Errorf("gpt2 with --init mup: the change is %q, want none that the label requires", change)
	}
}

// TestAdviceBeginsWithItsVerdict checks that the output begins with the verdict, that the reason
// has at most three numbers, and that the weights with the recommended gain have the verdict
// "spread".
func TestAdviceBeginsWithItsVerdict(t *testing.T) {
	number := regexp.MustCompile(`\(?[0-9]+(\.[0-9]+)?( ± [0-9.]+\)·10\S*| ± [0-9.]+| \[[^\]]+\])?`)
	for arguments, want := range map[string]string{
		"--d-model 64 --d-k 16 --init lecun-normal":                "spread",
		"--d-model 64 --d-k 16 --init-sd 0.01":                     "spread",
		"--d-model 64 --d-k 16 --init-sd 0.5":                      "concentrated",
		"--d-model 64 --d-k 16 --init-sd 2 --scale none --keys 8":  "dead",
		"--d-model 64 --d-k 16 --init-sd 0.21 --keys 2":            "concentrated", // σ is 2.7, but rows have two keys
		"--d-model 64 --d-k 16 --init mup-zero-query":              "spread",
		"--d-model 64 --d-k 16 --init he-fan-out --scale 1e-4":     "spread",
		"--d-model 64 --d-k 16 --init-sd 100 --scale power(-4)":    "dead",
		"--d-model 64 --d-k 16 --init-sd 1e-6 --scale power(4)":    "spread",
		"--d-model 64 --d-k 16 --init-sd 0.1 --norm none --keys 8": "spread",
		"--d-model 64 --d-k 16 --init-sd 0.22":                     "spread", // σ is 3.1, but rows have 1024 keys
		"--d-model 64 --d-k 16 --init-sd 0.26 --keys 8":            "concentrated",
		"--d-model 768 --d-k 64 --init torch-mha --scale none":     "concentrated", // σ is 4, √(2 ln 1024) 3.72
		"--model gpt-3 --keys 2048":                                "concentrated", // σ is 4.9
	} {
		arguments += " --draws 16"
		stdout, stderr, code := runAdvise(strings.Fields(arguments)...)
		first, _, _ := strings.Cut(stdout, "\nChange: ")
		if code != program.Passed {
			t.Errorf("%s: exit code %d: %s", arguments, code, stderr)
			continue
		}
		if !strings.HasPrefix(stdout, strings.ToUpper(want)+": ") {
			t.Errorf("%s: the verdict is not %s: %s", arguments, want, stdout)
			continue
		}
		if strings.Contains(stdout, "NaN") {
			t.Errorf("%s: the output has NaN: %s", arguments, stdout)
		}
		if n := len(number.FindAllString(joinWords(first), -1)); n > 3 {
			t.Errorf("%s: the reason has %d numbers, want at most 3: %q", arguments, n, first)
		}
		a := readAdvice(t, strings.Fields(arguments)...)
		if a["verdict"] != want {
			t.Errorf("%s: the verdict in JSON is %v, want %s", arguments, a["verdict"], want)
		}
		for _, name := range []string{"reason", "change"} {
			if text := a[name].(string); !strings.Contains(joinWords(stdout), joinWords(text)) {
				t.Errorf("%s: the text lacks the %s in JSON, %q", arguments, name, text)
			}
		}
		gain, hasGain := a["unit_gain"].(float64)
		sd := initSD.FindStringSubmatch(arguments)
		if want == names.LabelSpread || !hasGain || len(sd) == 0 {
			continue
		}
		x, err := strconv.ParseFloat(sd[1], 64)
		if err != nil || x*gain > 100 { // more than --init-sd accepts
			continue
		}
		corrected := strings.Replace(arguments, sd[0], fmt.Sprint("--init-sd ", x*gain), 1)
		if a := readAdvice(t, strings.Fields(corrected)...); a["verdict"] != names.LabelSpread {
			t.Errorf("%s with the gain %v: the verdict is %v, want spread", arguments, gain, a["verdict"])
		}
	}
}

// initSD matches --init-sd and its value.
var initSD = regexp.MustCompile("--init-sd ([0-9.e-]+)")
