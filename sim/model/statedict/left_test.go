package statedict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// What changes q·k and is not read forbids a verdict, wherever it stands in the layer.
func TestDoubts(t *testing.T) {
	const layer = "model.layers.0."
	const at = layer + "self_attn."
	proj := pair(at+"q_proj.weight", at+"k_proj.weight")
	base := pair(at+"q_proj.base_layer.weight", at+"k_proj.weight")
	qkv := shapes{"blocks.0.attn.qkv.weight": {72, 24}}
	for _, c := range []struct {
		name, config string
		arrays       shapes
		o            Options
		doubt        string // part of the only kind of doubt; empty if there is none
	}{
		{"IA3", "", join(base, shapes{at + "q_proj.ia3_l.default": {24, 1}}), Options{Heads: 4}, "q_proj.ia3_l.default"},
		{"OFT of plain weights", "", join(proj, shapes{at + "k_proj.oft_R.default.weight": {4, 6, 6}}), Options{Heads: 4}, "k_proj.oft_R"},
		{"an adapter in another file", "", base, Options{Heads: 4}, "is not merged"},
		{"state of Transformer Engine", "", join(proj, shapes{at + "q_proj._extra_state": {8}}), Options{Heads: 4}, ""},
		{"norm in the module of a projection", "", join(proj, gains(at+"q_proj.norm.weight")), Options{Heads: 4}, "q_proj.norm"},
		{"norm one module down", "", join(proj, shapes{at + "q_norm.norm.weight": {6}}), Options{Heads: 4}, "q_norm.norm"},
		{"norm in the layer", "", join(proj, shapes{layer + "q_norm.weight": {6}}), Options{Heads: 4}, "layers.{}.q_norm"},
		{"scale in the layer", "", join(proj, shapes{layer + "attn_scale": {1}}), Options{Heads: 4}, "attn_scale"},
		{"convolution", "", join(qkv, shapes{"blocks.0.attn.qkv_dwconv.weight": {72, 1, 3, 3}}), Options{Heads: 4}, "qkv_dwconv"},
		{"pooling", "", join(qkv, shapes{"blocks.0.attn.pool_q.pool.weight": {6, 1, 3, 3}}), Options{Heads: 4}, "pool_q.pool"},
		{"other modules of the layer", "", join(proj, gains(layer+"mlp.norm.weight", layer+"norm2.weight", at+"v_proj.norm.weight")), Options{Heads: 4}, ""},
		{"pruned heads", `{"num_attention_heads":4}`, separateOf(at, 12, 12, 24), Options{}, "say --d-k"},
		{"heads that are counted by --d-k", `{"num_attention_heads":4}`, separateOf(at, 12, 12, 24), Options{Dimension: 6}, ""},
		{"head_dim of the config", `{"num_attention_heads":4,"head_dim":3}`, separateOf(at, 12, 12, 24), Options{}, ""},
		{"bias of queries, keys and values", "", join(qkv, shapes{"blocks.0.attn.qkv_bias": {72}}), Options{Heads: 4}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Tokens = 16
			m, err := opened(t, c.config, c.arrays, c.o)
			simtest.Must(t, err)
			doubts := append(m.Doubts, m.Scales...)
			if c.doubt == "" && len(doubts) > 0 {
				t.Errorf("doubts: %q", doubts)
			}
			if !strings.Contains(strings.Join(doubts, "\n"), c.doubt) {
				t.Errorf("%q do not name %s", doubts, c.doubt)
			}
		})
	}
}

// What is taken for granted or left out stays with the verdict.
func TestCaveats(t *testing.T) {
	const at = "model.layers.0.self_attn."
	grouped := separateOf(at, 24, 12, 24)
	for _, c := range []struct {
		name, config string
		arrays       shapes
		o            Options
		says, not    string // parts of the caveats
	}{
		{"grouped keys", "", grouped, Options{Heads: 4, KeyHeads: 2}, "neighbouring heads", ""},
		{"grouped keys of a known type", `{"model_type":"llama","num_attention_heads":4,"num_key_value_heads":2}`, grouped, Options{}, "", "neighbouring"},
		{"fewer outputs by --heads", "", separateOf(at, 12, 12, 24), Options{Heads: 4}, "12 outputs of 24 inputs", ""},
		{"attention of another name", "", shapes{"blocks.0.attn.qkv.weight": {72, 24}, "blocks.1.attn.qk.weight": {48, 24}, "blocks.2.attn.qk.weight": {48, 24}},
			Options{Heads: 4}, "without 2 modules of attention", ""},
		{"no attention of another name", "", join(separateOf(at, 24, 24, 24), shapes{at + "o_proj.weight": {24, 24}, "model.layers.0.attn_norm.fc.weight": {24, 24}}),
			Options{Heads: 4}, "", "modules of attention"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Tokens = 16
			m, err := opened(t, c.config, c.arrays, c.o)
			simtest.Must(t, err)
			caveats := strings.Join(m.Caveats, "; ")
			if !strings.Contains(caveats, c.says) {
				t.Errorf("%q do not say %q", caveats, c.says)
			}
			if c.not != "" && strings.Contains(caveats, c.not) {
				t.Errorf("%q say %q", caveats, c.not)
			}
		})
	}
}

// The number of a layer is the one that differs between layers, wherever it stands.
func TestNumberOfLayer(t *testing.T) {
	for _, c := range []struct {
		name, prefix, other string
		titles              []string
		scales              [2]float64 // by the number of the layer
	}{
		{"first in the name", "h.0.attn.", "h.1.attn.", []string{"0", "1"}, [2]float64{1, 2}},
		{"after that of a module", "0.transformer.h.1.attn.", "0.transformer.h.2.attn.",
			[]string{"0.transformer.h.1.attn", "0.transformer.h.2.attn"}, [2]float64{2, 3}},
		{"with a module of its own in each layer", "h.0.3.attn.", "h.1.3.attn.", []string{"0", "1"}, [2]float64{1, 2}},
		{"two digits", "0.h.1.attn.", "0.h.10.attn.", []string{"0.h.1.attn", "0.h.10.attn"}, [2]float64{2, 11}},
		{"in a stage", "stages.1.blocks.0.attn.", "stages.1.blocks.1.attn.",
			[]string{"stages.1.blocks.0.attn", "stages.1.blocks.1.attn"}, [2]float64{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			arrays := join(separateOf(c.prefix, 24, 24, 24), separateOf(c.other, 24, 24, 24))
			m, err := opened(t, `{"num_attention_heads":4,"scale_attn_by_inverse_layer_idx":true}`, arrays, Options{Tokens: 16})
			simtest.Must(t, err)
			var titles []string
			for i, l := range m.Layers {
				titles = append(titles, l.Title)
				if want := 1 / math.Sqrt(6) / c.scales[i]; math.Abs(l.Scale/want-1) > 1e-12 {
					t.Errorf("layer %s multiplies by %v, want %v", l.Title, l.Scale, want)
				}
			}
			if !slices.Equal(titles, c.titles) {
				t.Errorf("%q, want %q", titles, c.titles)
			}
		})
	}
}

// A copy of a model is a tower of its own, which is taken only if there is no other, or if it is named.
func TestCopies(t *testing.T) {
	arrays := join(separateOf("ema_model.layers.0.self_attn.", 24, 24, 24), separateOf("model.layers.0.self_attn.", 24, 24, 24))
	for tower, want := range map[string]string{"": "model.layers.0", "ema": "ema_model.layers.0"} {
		m, err := opened(t, "", arrays, Options{Heads: 4, Tokens: 16, Tower: tower})
		simtest.Must(t, err)
		if len(m.Layers) != 1 || !strings.HasPrefix(m.Layers[0].prefix, want) {
			t.Errorf("--tower %q: %d layers, the first %s", tower, len(m.Layers), m.Layers[0].prefix)
		}
	}
}

// The shapes of other arrays show that W is inputs × outputs, whatever its name; PaddlePaddle saves it so.
func TestOrderOfWeights(t *testing.T) {
	const layer = "model.layers.0."
	square := separateOf(layer+"self_attn.", 24, 24, 24)
	for _, c := range []struct {
		name   string
		arrays shapes
		inOut  bool
	}{
		{"nothing shows it", square, false},
		{"network of PyTorch", join(square, shapes{layer + "mlp.up_proj.weight": {72, 24}}), false},
		{"half the inputs of W_Q", join(square, shapes{layer + "mlp.gate_proj.weight": {24, 12}}), false}, // Zamba
		{"network of PaddlePaddle", join(square, shapes{layer + "mlp.up_proj.weight": {24, 72}}), true},
		{"bias of PaddlePaddle", join(square, shapes{layer + "mlp.x.weight": {24, 72}, layer + "mlp.x.bias": {72}}), true},
		{"votes for both", join(square, shapes{layer + "mlp.up_proj.weight": {24, 72}, layer + "mlp.x.weight": {72, 24}, layer + "mlp.x.bias": {72}}), false},
	} {
		m, err := opened(t, "", c.arrays, Options{Heads: 4, Tokens: 16})
		simtest.Must(t, err)
		if got := m.Layers[0].order; got.inOut != c.inOut || !got.sure {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	_, err := opened(t, "", shapes{layer + "self_attn.q_proj.weight": {24, 24}, layer + "self_attn.k_proj.weight": {24, 12}},
		Options{Heads: 4, Tokens: 16})
	if err == nil || !strings.Contains(err.Error(), "--order in-out") {
		t.Errorf("grouped keys: %v", err)
	}
}

// Kernels of JAX that stack layers are refused, and --heads is never overridden.
func TestKernels(t *testing.T) {
	kernels := func(prefix string, shape ...int) shapes {
		return shapes{prefix + "query/kernel": shape, prefix + "key/kernel": shape}
	}
	for _, c := range []struct {
		name   string
		arrays shapes
		heads  int
		want   string
	}{
		{"T5X", kernels("decoder/layers/self_attention/", 24, 2, 24), 0, "one axis may be that of layers"},
		{"nn.scan", kernels("params/blocks/attn/", 2, 24, 4, 6), 0, "one axis may be that of layers"},
		{"KerasHub", kernels("layers_0/attn/", 4, 24, 6), 0, "no layer has more heads than inputs"},
		{"other heads", kernels("layers_0/attn/", 24, 4, 6), 2, "4 heads of queries"},
		{"other heads of keys", kernels("layers_0/attn/", 24, 4, 6), 4, "4 of keys"},
		{"the same heads", kernels("layers_0/attn/", 24, 4, 6), 4, ""},
	} {
		o := Options{Heads: c.heads, Tokens: 16}
		if strings.Contains(c.name, "keys") {
			o.KeyHeads = 2
		}
		_, err := opened(t, "", c.arrays, o)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// RoPE is said to be left out unless a model has other positions.
func TestPositions(t *testing.T) {
	proj := separateOf("layers.0.self_attn.", 24, 24, 24)
	learned := join(proj, shapes{"embeddings.position_embeddings.weight": {8, 24}})
	for _, c := range []struct {
		config string
		arrays shapes
		want   bool
	}{
		{"", proj, true},
		{"", learned, false},
		{"", separateOf("down_blocks.0.attentions.0.transformer_blocks.0.attn1.", 24, 24, 24), false},
		{`{"rope_theta":10000}`, learned, true},
	} {
		m, err := opened(t, c.config, c.arrays, Options{Heads: 4, Tokens: 16})
		simtest.Must(t, err)
		if got := strings.Contains(strings.Join(m.Notes, " "), "RoPE"); got != c.want {
			t.Errorf("config %q, %d arrays: RoPE is named: %v", c.config, len(c.arrays), got)
		}
	}
}
