package statedict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// TestNumberOfLayer checks the titles of layers, and their numbers, by which GPT-2 divides the
// scale.
func TestNumberOfLayer(t *testing.T) {
	for _, c := range []struct {
		name, prefix, other string
		titles              []string
		divisors            [2]float64 // of the scale 1/√d_k: 1 + the number of the layer
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
			arrays := join(newSeparate(c.prefix, 24, 24, 24), newSeparate(c.other, 24, 24, 24))
			m, err := open(t, `{"num_attention_heads":4,"scale_attn_by_inverse_layer_idx":true}`, arrays,
				Options{Tokens: 16})
			simtest.Must(t, err)
			var titles []string
			for i, l := range m.Layers {
				titles = append(titles, l.Title)
				if want := 1 / math.Sqrt(6) / c.divisors[i]; math.Abs(l.Scale/want-1) > 1e-12 {
					t.Errorf("layer %s has the scale %v, want %v", l.Title, l.Scale, want)
				}
			}
			if !slices.Equal(titles, c.titles) {
				t.Errorf("the titles are %q, want %q", titles, c.titles)
			}
		})
	}
}

// TestCopies checks that a copy of a model is a separate tower, which is used only if it is
// requested.
func TestCopies(t *testing.T) {
	arrays := join(newSeparate("ema_model.layers.0.self_attn.", 24, 24, 24),
		newSeparate("model.layers.0.self_attn.", 24, 24, 24))
	for tower, want := range map[string]string{"": "model.layers.0", "ema": "ema_model.layers.0"} {
		m, err := open(t, "", arrays, Options{Heads: 4, Tokens: 16, Tower: tower})
		simtest.Must(t, err)
		if len(m.Layers) != 1 || !strings.HasPrefix(m.Layers[0].prefix, want) {
			t.Errorf("--tower %q: got %d layers, the first in %s, want 1 in %s", tower, len(m.Layers),
				m.Layers[0].prefix, want)
		}
	}
}

// TestOrderOfWeights checks that the order of a square W_Q is found by the shapes of other arrays.
// In files of PaddlePaddle, W is inputs × outputs.
func TestOrderOfWeights(t *testing.T) {
	const layer = "model.layers.0."
	square := newSeparate(layer+"self_attn.", 24, 24, 24)
	for _, c := range []struct {
		name   string
		arrays shapes
		inOut  bool
	}{
		{"nothing shows it", square, false},
		{"network of PyTorch", join(square, shapes{layer + "mlp.up_proj.weight": {72, 24}}), false},
		{"half the inputs of W_Q", join(square, shapes{layer + "mlp.gate_proj.weight": {24, 12}}), false}, // Zamba
		{"network of PaddlePaddle", join(square, shapes{layer + "mlp.up_proj.weight": {24, 72}}), true},
		{"bias of PaddlePaddle", join(square, shapes{layer + "mlp.x.weight": {24, 72}, layer + "mlp.x.bias": {72}}),
			true},
		{"votes for both", join(square, shapes{layer + "mlp.up_proj.weight": {24, 72}, layer + "mlp.x.weight": {72, 24},
			layer + "mlp.x.bias": {72}}), false},
	} {
		m, err := open(t, "", c.arrays, Options{Heads: 4, Tokens: 16})
		simtest.Must(t, err)
		if got := m.Layers[0].order; got.inOut != c.inOut || !got.isSure {
			t.Errorf("%s: the order is %v (sure: %v), want in-out: %v, sure", c.name, got, got.isSure, c.inOut)
		}
	}
	_, err := open(t, "", shapes{layer + "self_attn.q_proj.weight": {24, 24}, layer +
		"self_attn.k_proj.weight": {24, 12}},
		Options{Heads: 4, Tokens: 16})
	if err == nil || !strings.Contains(err.Error(), "--order in-out") {
		t.Errorf("the error for W_K with fewer inputs than W_Q is %v, want one with --order in-out", err)
	}
}
