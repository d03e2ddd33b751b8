package ask

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mcsim/sim/base/tensor"
	"mcsim/sim/simtest"
)

// openModel copies the tiny state dict of a folder of sim/model/statedict/testdata, writes another
// config.json next to it, and opens it.
func openModel(t *testing.T, folder, config string) (*tensor.Files, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.safetensors")
	weights, err := os.ReadFile("../../../sim/model/statedict/testdata/" + folder + "/model.safetensors")
	simtest.Must(t, err)
	simtest.Must(t, os.WriteFile(path, weights, 0o600))
	simtest.Must(t, os.WriteFile(filepath.Join(filepath.Dir(path), "config.json"), []byte(config), 0o600))
	files, err := tensor.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return files, path
}

// TestScalesOfLayers checks the variances of the logits of heads in two layers with different
// scales. The expected variance of a head is the variance of q·k from PyTorch
// (sim/model/statedict/testdata/layouts.py) times the square of its layer's scale. The expected
// overall variance is the mean over the heads. The tolerance is relative.
func TestScalesOfLayers(t *testing.T) {
	var cases []struct {
		Folder   string
		Variance []float64
	}
	text, err := os.ReadFile("../../../sim/model/statedict/testdata/layouts.json")
	simtest.Must(t, err)
	simtest.Must(t, json.Unmarshal(text, &cases))
	var variance []float64
	for _, c := range cases {
		if c.Folder == "heads_by_layer" {
			variance = c.Variance
		}
	}
	files, path := openModel(t, "heads_by_layer",
		`{"model_type":"openelm","num_query_heads":[2,4],"num_kv_heads":[1,2],"head_dim":6,`+
			`"scale_attn_by_inverse_layer_idx":true}`)
	const d, headCount, headsOfFirstLayer, tolerance = 6, 6, 2, 1e-6
	for scale, layerScales := range map[string][2]float64{
		"":     {1 / math.Sqrt(d), 1 / math.Sqrt(d) / 2},
		"none": {1, 1},
	} {
		f := inspectFlags{scale: scale}
		f.weights.X, f.options.Workers = "x", 1
		a, err := f.inspectWeights(newRunningCommand(t), files, []string{path})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Heads) != headCount {
			t.Fatalf("--scale %q: got %d heads, want %d", scale, len(a.Heads), headCount)
		}
		mean := 0.0
		for h, head := range a.Heads {
			layerScale := layerScales[min(1, h/headsOfFirstLayer)]
			want := variance[h] * layerScale * layerScale
			mean += want / headCount
			if got := float64(head.ScaledVariance.Value); math.Abs(got/want-1) > tolerance {
				t.Errorf("--scale %q, head %d of layer %s: the variance is %v, want %v", scale, h, head.Layer, got, want)
			}
		}
		if got := float64(a.Overall.ScaledVariance.Value); math.Abs(got/mean-1) > tolerance {
			t.Errorf("--scale %q: the variance over all heads is %v, want %v", scale, got, mean)
		}
	}
}

// TestRefusedVerdicts checks that a verdict is refused if the model changes q·k in a way that mcsim
// does not understand. If the user gives --scale, only doubts that are not about the scale remain.
func TestRefusedVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, folder, config, scale, order string
		want                               string // part of the error; empty if no error is expected
	}{
		{"nothing unknown", "separate", `{"num_attention_heads":4}`, "", "", ""},
		{"unknown key", "separate", `{"num_attention_heads":4,"logit_multiplier":2}`, "", "",
			"--check: the config's logit_multiplier = 2 is not understood: say --scale"},
		{"many unknown keys", "separate",
			`{"num_attention_heads":4,"logit_multiplier":2,"qk_scale_a":2,"qk_scale_b":2}`, "", "",
			"qk_scale_a = 2 is not understood; and 1 more: say --scale"},
		{"unknown key with --scale", "separate", `{"num_attention_heads":4,"logit_multiplier":2}`, "1/sqrt(d_k)",
			"", ""},
		{"norm that is not found", "separate", `{"num_attention_heads":4,"model_type":"qwen3"}`, "1/sqrt(d_k)", "",
			"no array of it is found"},
		{"order not known", "inputs_by_outputs_said", `{"num_attention_heads":4}`, "", "", "say --order"},
		{"order given by --order", "inputs_by_outputs_said", `{"num_attention_heads":4}`, "", "in-out", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, path := openModel(t, c.folder, c.config)
			f := inspectFlags{scale: c.scale}
			f.weights.X, f.weights.Order, f.options.Workers, f.gate.Tolerance = "x", c.order, 1, 0.05
			_, err := f.inspectWeights(newRunningCommand(t), files, []string{path})
			switch {
			case c.want == "" && err != nil:
				t.Errorf("got the error %v, want none", err)
			case c.want != "" && err == nil:
				t.Errorf("got no error, want %q", c.want)
			case err != nil && !strings.Contains(err.Error(), c.want):
				t.Errorf("got the error %v, want %q", err, c.want)
			}
		})
	}
}

// newRunningCommand returns a command with the context of the test.
func newRunningCommand(t *testing.T) *cobra.Command {
	c := &cobra.Command{}
	c.SetContext(t.Context())
	return c
}
