package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/base/tensor"

	"github.com/spf13/cobra"
)

// openModel copies the tiny state dict of a folder of sim/model/statedict/testdata, writes another
// config.json next to it, and opens it.
func openModel(t *testing.T, folder, config string) (*tensor.Files, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.safetensors")
	writeFiles(t, filepath.Dir(path), map[string][]byte{
		"model.safetensors": readFile(t, "../../sim/model/statedict/testdata/"+folder+"/model.safetensors"),
		"config.json":       []byte(config),
	})
	files, err := tensor.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return files, path
}

// TestScalesOfLayers checks heads of layers with different scales: each head uses the scale of its
// layer, and the numbers for all heads are means of these. The variances of q·k are PyTorch's
// (sim/model/statedict/testdata/layouts.py).
func TestScalesOfLayers(t *testing.T) {
	var cases []struct {
		Folder   string
		Variance []float64
	}
	if err := json.Unmarshal(readFile(t, "../../sim/model/statedict/testdata/layouts.json"), &cases); err != nil {
		t.Fatal(err)
	}
	var variance []float64
	for _, c := range cases {
		if c.Folder == "heads_by_layer" {
			variance = c.Variance
		}
	}
	files, path := openModel(t, "heads_by_layer",
		`{"model_type":"openelm","num_query_heads":[2,4],"num_kv_heads":[1,2],"head_dim":6,`+
			`"scale_attn_by_inverse_layer_idx":true}`)
	for scale, factors := range map[string][2]float64{
		"":     {1 / math.Sqrt(6), 1 / math.Sqrt(6) / 2},
		"none": {1, 1},
	} {
		f := inspectFlags{scale: scale}
		f.weights.X, f.options.Workers = "x", 1
		a, err := f.inspectWeights(newRunningCommand(t), files, []string{path})
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for h, head := range a.Heads {
			want := variance[h] * factors[min(1, h/2)] * factors[min(1, h/2)]
			mean += want / 6
			if got := float64(head.ScaledVariance.Value); math.Abs(got/want-1) > 1e-6 {
				t.Errorf("--scale %q, head %d of layer %s: %v, want %v", scale, h, head.Layer, got, want)
			}
		}
		if got := float64(a.Overall.ScaledVariance.Value); len(a.Heads) != 6 || math.Abs(got/mean-1) > 1e-6 {
			t.Errorf("--scale %q: %v for all %d heads, want %v", scale, got, len(a.Heads), mean)
		}
	}
}

// TestRefusedVerdicts checks that a verdict is refused if q·k is changed in a way that is not
// understood, and that --scale settles only doubts about the scale.
func TestRefusedVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, folder, config, scale, order string
		want                               string // part of the error; empty if there is none
	}{
		{"sound", "separate", `{"num_attention_heads":4}`, "", "", ""},
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
		{"order said", "inputs_by_outputs_said", `{"num_attention_heads":4}`, "", "in-out", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, path := openModel(t, c.folder, c.config)
			f := inspectFlags{scale: c.scale}
			f.weights.X, f.weights.Order, f.options.Workers, f.gate.Tolerance = "x", c.order, 1, 0.05
			_, err := f.inspectWeights(newRunningCommand(t), files, []string{path})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
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
