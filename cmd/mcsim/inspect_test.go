package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// TestInspectSamples checks the output about samples: the verdict, its caveats, and the names of
// the judged arrays with the scale.
func TestInspectSamples(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string][]byte{
		"layers.npz": encodeLayers(t), "a.npy": encodeArray(2, 16, 32), "b.npy": encodeArray(2, 16, 32),
		"qk.npz":      readFile(t, "../../testdata/attention/saved/right.npz"),
		"dropout.npz": readFile(t, "../../testdata/attention/saved/dropout-left-on.npz"),
	})
	for name, c := range map[string]struct {
		args string
		code int
		want []string
	}{
		"arrays and scale": {"qk.npz", 0,
			[]string{"Judged Queries: q, 16 texts × 2 heads × 16 rows × d_k = 48, float16.",
				"Keys: k, 16 texts", "Logits: logits.", "Weights: weights.",
				"Scale: 0.1443, 1/√48, assumed since --scale is not given."}},
		"scale that is given": {"qk.npz --scale 1/8", 0, []string{"Scale: 0.125, of --scale 1/8."}},
		"fault in spite of a right factor": {"dropout.npz --check 20%", 1,
			[]string{"FAIL: rows of weights do not sum to 1",
				"in eval mode; by the logits the code multiplies q·k by 0.14434; the scale is 0.1443."}},
		"rule of n": {"qk.npz --scale log-n --causal", 0, []string{
			"of --scale log-n with n = 16; each row's factor is checked with n = the keys that it sees."}},
		"normalised": {"qk.npz --scale qk-norm", 0,
			[]string{"of qk-norm(1): queries and keys are divided by their root mean square first"}},
		"format": {"qk.npz --format float16", 0, []string{"Format float16, whose largest number is 65 504. " +
			"No head fails with the scale after the product, on q, on k, on both by its root.",
			"Rows are evenly spaced. Intervals are over texts; < is a limit for independent rows.",
			"head scale rows overflow median moved weight the format",
			"head 1 on both by its root 256 < 0.014 ", "does not fail"}},
		"format in JSON": {"qk.npz --format e4m3 --json", 0, []string{`"formats": [ { "head": 0, "format": ` +
			`"e4m3fn-saturating", "arithmetic": "practice", "placement": "after-product", "rows": 256, "overflow": {`,
			`"placement": "before-product-on-k"`, `"median_moved_weight": {`}},
		"factor not checked": {"a.npy b.npy --gate 0.001..1000", 0, []string{
			"(the code's factor was not checked: the file has no logits or weights)"}},
		"layers": {"layers.npz", 0, []string{"Queries: h.0.q,", "Layers: 2, 0 to 1, of 8 heads in all.",
			"layer heads logit_sd"}},
		"--json": {"a.npy b.npy --json", 0, []string{`"subject": [ "Queries: a,`,
			`"caveats": [ "the code's factor was not checked`}},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := runIn(t, dir, strings.Fields("inspect "+c.args)...)
			text := joinWords(stdout)
			if code != c.code || stderr != "" {
				t.Errorf("exit code %d, want %d: %s%s", code, c.code, stdout, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("the output lacks %q: %s", want, stdout)
				}
			}
		})
	}
}

// TestInspectSeries checks the output about several files: trends, the exponent in the width, the
// comparison of two, the verdict over all files, and the figure.
func TestInspectSeries(t *testing.T) {
	dir := t.TempDir()
	right := readFile(t, "../../testdata/attention/saved/right.npz")
	simtest.Must(t, os.Mkdir(filepath.Join(dir, "run"), 0o755))
	writeFiles(t, dir, map[string][]byte{
		"run/step10.npz": right, "run/step20.npz": right, "run/step100.npz": right,
		"width8.npz":    encodeArchive(t, []string{"q", "k"}, 2, 64, 8),
		"width32.npz":   encodeArchive(t, []string{"q", "k"}, 2, 64, 32),
		"forgotten.npz": readFile(t, "../../testdata/attention/saved/scale-forgotten.npz"),
	})
	for name, c := range map[string]struct {
		args string
		code int
		want []string
	}{
		"steps in a folder": {"run --map map.svg --summary s.md", 0, []string{
			"has no significant linear trend: its slope is", "From step 10 to 100, 0 of 4 differences are significant",
			"run/step20.npz 20 –", "slopes per step"}},
		"gate that passes": {"run/step10.npz run/step20.npz run/step100.npz --gate 0.1..9", 0,
			[]string{"PASS: 3 pass, 0 fail"}},
		"gate that fails": {"run --gate 5..9", 1,
			[]string{"FAIL: 0 pass, 3 fail, 0 undecided. run/step10.npz: "}},
		"limit": {"run --gate-max 1000 --json", 0,
			[]string{`"limit": 1000`, `"how": "`, `"slopes": {`}},
		"widths": {"width8.npz width32.npz --by width", 0,
			[]string{"d_k grows like width^1,", "Excluded: "}},
		"two files": {"run/step10.npz run/step20.npz", 0,
			[]string{"0 of 4 differences are significant at α = 0.001"}},
		"two files that differ":           {"run/step10.npz width8.npz --by width", 2, nil},
		"CSV":                             {"run --csv", 0, []string{"file,step,layer,logit_sd,logit_sd_se,max_logit"}},
		"one file in a folder of its own": {"width8.npz --by width", 0, []string{"The exponent is not known"}},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := runIn(t, dir, strings.Fields("inspect "+c.args)...)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s%s", code, c.code, stdout, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(joinWords(stdout), want) {
					t.Errorf("the output lacks %q: %s", want, stdout)
				}
			}
		})
	}
	if svg := string(readFile(t, dir+"/map.svg")); !strings.Contains(svg, "every layer") {
		t.Error("the map has no title")
	}
	if summary := string(readFile(t, dir+"/s.md")); !strings.Contains(summary, "| slopes per step |") {
		t.Errorf("the summary has no table of slopes: %s", summary)
	}
}
