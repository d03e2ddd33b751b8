package modelconfig

import (
	"fmt"
	"strings"
	"testing"
)

// Layers of every config get the d_k that transformers gives them, and parts with other heads are named.
func TestLayerScores(t *testing.T) {
	for _, c := range []struct{ name, config, want, open string }{
		// modeling_perceiver.py: qk_channels // num_heads
		{"perceiver", `{"model_type":"perceiver","d_model":768,"d_latents":1280,"qk_channels":256,"num_self_attention_heads":8}`, "32", ""},
		{"decoder with other heads", `{"model_type":"bart","d_model":64,"encoder_attention_heads":4,"decoder_attention_heads":8}`, "16",
			"its decoder has 8 heads"},
		{"heads of each layer", `{"model_type":"laguna","head_dim":16,"num_hidden_layers":2,"num_attention_heads_per_layer":[4,6]}`, "16", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, err := mustParse(t, c.config).LayerScores()
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			open := strings.Join(all[0].Scores.Open, "; ")
			if got := fmt.Sprint(all[0].Dimension); got != c.want || (c.open == "") != (open == "") || !strings.Contains(open, c.open) {
				t.Errorf("d_k = %s, %q; want %s, %q", got, open, c.want, c.open)
			}
		})
	}
	for name, config := range map[string]string{
		"query_pre_attn_scalar of 0": `{"model_type":"gemma2","head_dim":16,"num_attention_heads":4,"query_pre_attn_scalar":0}`,
		"multiplier below 0":         `{"model_type":"granite","head_dim":16,"num_attention_heads":4,"attention_multiplier":-0.1}`,
		"half a head":                `{"hidden_size":64,"num_attention_heads":4.5}`,
		"a billion layers":           `{"hidden_size":64,"num_attention_heads":4,"num_hidden_layers":1e9}`,
	} {
		if all, err := mustParse(t, config).LayerScores(); err == nil {
			t.Errorf("%s: %v", name, all)
		}
	}
}
