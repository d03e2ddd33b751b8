package statedict

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
	"mcsim/sim/simtest"
)

// shapes are arrays by name.
type shapes map[string][]int

// opened finds the layers of arrays.
func opened(t *testing.T, config string, arrays shapes, o Options) (*Model, error) {
	t.Helper()
	var files *tensor.Files
	o.Path, files = file(t, config, arrays)
	return Open(files, o)
}

// separateOf are W_Q and W_K of a layer.
func separateOf(prefix string, q, k, width int) shapes {
	return shapes{prefix + "q_proj.weight": {q, width}, prefix + "k_proj.weight": {k, width}}
}

// with adds arrays.
func (s shapes) with(name string, shape ...int) shapes {
	s[name] = shape
	return s
}

// What cannot be read is refused in one line that says where and why.
func TestRefused(t *testing.T) {
	const at = "model.layers.0.self_attn."
	for _, of := range []struct {
		name, config string
		arrays       shapes
		o            Options
		want         []string
	}{
		{"nothing found", "", shapes{"embed.weight": {24, 16}, "head.weight": {3, 3}}, Options{Heads: 4},
			[]string{"q_proj", "embed.weight, head.weight", "--wq"}},
		{"a gain over all heads says no d_k", "", separateOf(at, 24, 24, 16).with(at+"q_norm.weight",
			24).with(at+"k_norm.weight", 24), Options{}, []string{"--heads or --d-k"}},
		{"Mamba has no queries", "", shapes{"layers.0.mixer.in_proj.weight": {48, 16}}, Options{Heads: 4},
			[]string{"q_proj"}},
		{"queries, keys and values by head or packed", "", shapes{"layers.0.attn.qkv_proj.weight": {48, 16}},
			Options{Heads: 4}, []string{"--layout", "interleaved", "packed"}},
		{"CodeGen", `{"model_type":"codegen","n_head":4}`, shapes{"h.0.attn.qkv_proj.weight": {48, 16}},
			Options{}, []string{"codegen", "is not read"}},
		{"heads beyond all bounds", `{"num_attention_heads":4611686018427387910,"head_dim":4}`, separateOf(at,
			24, 24, 16), Options{}, []string{"not a whole number of 0 to 65536"}},
		{"negative heads", `{"num_attention_heads":-4}`, separateOf(at, 24, 24, 16), Options{},
			[]string{"num_attention_heads is -4"}},
		{"norm and factors of a cosine", "", join(separateOf(at, 24, 24, 24), shapes{at + "q_norm.weight": {6}, at + "logit_scale": {4}}),
			Options{Heads: 4}, []string{"which comes first is not known"}},
		{"no numbers", "", separateOf(at, 0, 0, 64), Options{Heads: 4}, []string{"0 × 64", "no numbers"}},
		{"d_k of all heads", "", separateOf(at, 2048, 2048, 16), Options{Heads: 1}, []string{"d_k = 2048", "1024"}},
		{"more queries than are held", "", separateOf(at, 4096, 4096, 16), Options{Heads: 64, Tokens: 1 << 14}, []string{"at most 8192 tokens"}},
		{"no such array", "", separateOf(at, 24, 24, 16), Options{Heads: 4, Query: "nope"}, []string{`no array "nope"`}},
		{"latents that are none", "", separateOf(at, 24, 24, 16), Options{Heads: 4, Layout: LayoutLatent}, []string{"latent is not that"}},
		{"another model's width", `{"num_attention_heads":4,"hidden_size":512}`, separateOf(at, 24, 24, 16), Options{},
			[]string{"512", "takes 16 inputs"}},
		{"another model's layers", `{"num_attention_heads":4,"num_hidden_layers":2}`, separateOf("model.layers.2.self_attn.", 24, 24, 16), Options{},
			[]string{"2 layers", "layer 2"}},
		{"heads that sinks contradict", `{"num_attention_heads":2}`, separateOf(at, 24, 24, 16).with(at+"sinks", 4), Options{},
			[]string{"of 4 heads", "of 2"}},
		{"packed heads that are not the inputs", "", shapes{"layers.0.attn.qkv.weight": {90, 16}}, Options{Heads: 3},
			[]string{"90 outputs of 16 inputs", "--kv-heads", "--d-k"}},
		{"a tower whose config has no heads", `{"vision_config":{"hidden_size":16},"text_config":{"num_attention_heads":2}}`,
			separateOf("vision_model.layers.0.", 24, 24, 16), Options{}, []string{"vision_config", "does not say", "--heads"}},
		{"no such tower", "", separateOf(at, 24, 24, 16), Options{Heads: 4, Tower: "visual"}, []string{"--tower", "model.layers"}},
		{"a list of layers that is too short", `{"num_query_heads":[2,4]}`, separateOf("layers.5.", 24, 24, 16), Options{},
			[]string{"num_query_heads", "layer 5"}},
		{"texts of layers that differ", "", join(separateOf("h.0.", 24, 24, 16), separateOf("h.1.", 24, 24, 16), shapes{"h.0.x": {8, 16}, "h.1.x": {2, 8, 16}}),
			Options{Heads: 4, X: "h.{}.x"}, []string{"h.1.x has 2 texts"}},
		{"samples of layers", "", shapes{"layer0.q": {2, 3, 16, 8}, "layer0.k": {2, 3, 16, 8}}, Options{}, []string{"--q 'layer{}.q'"}},
		{"too long", strings.Repeat(" ", (1<<20)+1), separateOf(at, 24, 24, 16), Options{},
			[]string{"config.json", "1 MiB"}},
	} {
		t.Run(of.name, func(t *testing.T) {
			_, err := opened(t, of.config, of.arrays, of.o)
			if err == nil {
				t.Fatal("taken")
			}
			text := err.Error()
			if strings.Contains(text, "\n") {
				t.Errorf("several lines: %s", text)
			}
			for _, part := range of.want {
				if !strings.Contains(text, part) {
					t.Errorf("%s\ndoes not say %q", text, part)
				}
			}
		})
	}
}

// Whole numbers are weights that some scale belongs to.
func TestQuantised(t *testing.T) {
	path, _ := file(t, "", separateOf("layers.0.", 24, 24, 16))
	text, err := os.ReadFile(path)
	simtest.Must(t, err)
	simtest.Must(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte("F16"), []byte("I16")), 0o644))
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	if _, err := Open(files, Options{Path: path, Heads: 4}); err == nil || !strings.Contains(err.Error(),
		"q_proj.weight has the type I16") {
		t.Errorf("taken: %v", err)
	}
}

// What a model takes for granted is what its code does.
func TestAssumed(t *testing.T) {
	const at = "model.layers.0."
	with := func(norms ...string) shapes {
		s := separateOf(at+"self_attn.", 24, 24, 16)
		for _, n := range norms {
			s[n] = []int{16}
		}
		return s
	}
	vit := shapes{"vit.encoder.layer.0.attention.attention.query.weight": {24, 16},
		"vit.encoder.layer.0.attention.attention.key.weight": {24, 16},
		"vit.encoder.layer.0.layernorm_before.weight":        {16}, "vit.encoder.layer.0.layernorm_before.bias": {16}}
	for _, of := range []struct {
		name, config string
		arrays       shapes
		norm, note   string
		gain         bool
	}{
		{"llama", `{"model_type":"llama"}`, with(at + "input_layernorm.weight"), projection.NormRMS,
			"model.layers.{}.input_layernorm.weight", true},
		{"gpt-2", `{}`, with(at+"ln_1.weight", at+"ln_1.bias"), projection.NormLayer, "model.layers.{}.ln_1.weight", true},
		{"vit, two blocks up", `{}`, vit, projection.NormLayer, "layernorm_before.weight", true},
		{"cohere: LayerNorm without a bias", `{"model_type":"cohere"}`, with(at + "input_layernorm.weight"),
			projection.NormLayer, "", true},
		{"bart: behind attention", `{"model_type":"bart"}`, with(at+"self_attn_layer_norm.weight",
			at+"self_attn_layer_norm.bias"), projection.NormLayer, "without a gain", false},
		{"opt-350m: likewise", `{"model_type":"opt","do_layer_norm_before":false}`,
			with(at+"self_attn_layer_norm.weight", at+"self_attn_layer_norm.bias"), projection.NormLayer, "without a gain",
			false},
		{"no norm", `{}`, with(), projection.NormLayer, "without a gain", false},
	} {
		t.Run(of.name, func(t *testing.T) {
			m, err := opened(t, of.config, of.arrays, Options{Heads: 4, Tokens: 16})
			simtest.Must(t, err)
			if m.norm != of.norm || (m.Layers[0].gain != nil) != of.gain {
				t.Errorf("%s, gain %v", m.norm, m.Layers[0].gain != nil)
			}
			if notes := strings.Join(m.Subject, "\n"); !strings.Contains(notes, of.note) {
				t.Errorf("%s\ndoes not say %q", notes, of.note)
			}
		})
	}
}

// Of a model that sees and reads, the layers of the greater part are taken, and what is left out is said.
func TestLayersOfAnotherWidth(t *testing.T) {
	all := separateOf("vision_tower.layers.0.self_attn.", 12, 12, 12)
	for _, i := range []string{"0", "1", "10"} {
		for name, shape := range separateOf("language_model.model.layers."+i+".self_attn.", 24, 12, 16) {
			all[name] = shape
		}
	}
	m, err := opened(t,
		`{"text_config":{"num_attention_heads":4,"num_key_value_heads":2,"model_type":"llama"}}`, all,
		Options{Tokens: 16})
	simtest.Must(t, err)
	if len(m.Layers) != 3 || m.Layers[2].Title != "10" || m.Layers[0].KeyHeads != 2 {
		t.Errorf("%d layers, the last %v", len(m.Layers), m.Layers[len(m.Layers)-1].Title)
	}
	if notes := strings.Join(m.Subject, "\n"); !strings.Contains(notes, "vision_tower.layers.0.self_attn") {
		t.Errorf("%s\ndoes not name what is left out", notes)
	}
}

// Names that tell how queries, keys and values lie, and where PyTorch's own norm1 stands, do not.
func TestNames(t *testing.T) {
	m, err := opened(t, "", shapes{"gpt_neox.layers.0.attention.query_key_value.weight": {48, 16}}, Options{Heads: 4, Tokens: 16})
	if err != nil || m.Layers[0].layout != LayoutInterleaved {
		t.Errorf("GPT-NeoX: %v", err)
	}
	m, err = opened(t, "", shapes{"layers.0.self_attn.qkv_proj.weight": {32, 16}}, Options{Heads: 4, KeyHeads: 2, Tokens: 16})
	if err != nil || m.Layers[0].layout != LayoutPacked {
		t.Errorf("shared keys: %v", err)
	}
	m, err = opened(t, "", shapes{"layers.0.self_attn.in_proj_weight": {48, 16}, "layers.0.linear1.weight": {8, 16}, "layers.0.norm1.weight": {16}},
		Options{Heads: 4, Tokens: 16})
	if err != nil || m.Layers[0].gain != nil || !strings.Contains(strings.Join(m.Subject, " "), "norm_first") {
		t.Errorf("PyTorch: %v", err)
	}
}

// All texts of activations are taken.
func TestActivations(t *testing.T) {
	m, err := opened(t, "", separateOf("layers.0.self_attn.", 24, 24, 16).with("x", 3, 5, 20, 16),
		Options{Heads: 4, X: "x"})
	simtest.Must(t, err)
	if len(m.x) != 1 || m.texts != 15 || m.Count() != 60 {
		t.Errorf("%d texts, %d heads of them", m.texts, m.Count())
	}
}

// The number of workers changes no bit.
func TestWorkers(t *testing.T) {
	path := "testdata/behind_layernorm/model.safetensors"
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	var of [2]string
	for i := range of {
		m, err := Open(files, Options{Path: path, Tokens: 40})
		simtest.Must(t, err)
		all, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 1 + 2*i}, func() {})
		simtest.Must(t, err)
		of[i] = fmt.Sprint(all)
	}
	if of[0] != of[1] {
		t.Errorf("%s by one worker, %s by three", of[0], of[1])
	}
}

// A file of many arrays is searched in a moment.
func TestManyArrays(t *testing.T) {
	arrays := shapes{}
	if testing.Short() {
		t.Skip("a moment")
	}
	for i := range 100_000 / 4 {
		at := "layers." + strconv.Itoa(i) + ".self_attn."
		for _, n := range []string{"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight"} {
			arrays[at+n] = []int{2, 2}
		}
	}
	path, _ := file(t, "", arrays)
	start := time.Now()
	files, err := tensor.Open(path)
	simtest.Must(t, err)
	defer files.Close()
	read := time.Since(start)
	m, err := Open(files, Options{Heads: 1, Tokens: 16, Path: path})
	simtest.Must(t, err)
	if len(m.Layers) != 25_000 || m.Layers[24_999].Title != "24999" {
		t.Errorf("%d layers", len(m.Layers))
	}
	t.Logf("read in %v, found in %v", read, time.Since(start)-read)
}
