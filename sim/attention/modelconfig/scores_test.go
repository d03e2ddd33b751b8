package modelconfig

import (
	"math"
	"testing"
)

// mustParse parses the text of a config.json.
func mustParse(t *testing.T, text string) *Config {
	t.Helper()
	c, err := parse("config.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFactor compares the factor that configs give with the formula of the model, which the test
// evaluates with Go's math package.
func TestFactor(t *testing.T) {
	yarn := func(f float64) float64 { return 1 + 0.1*math.Log(f) } // factor of cos and sin
	for _, c := range []struct {
		name, config     string
		layer, dimension int
		want             float64
	}{
		{"llama", `{"model_type":"llama"}`, 0, 128, 1 / math.Sqrt(128)},
		{"t5 leaves the scale to its initialisation", `{"model_type":"t5"}`, 0, 64, 1},
		{"longt5", `{"model_type":"longt5"}`, 0, 16, 1},
		{"gemma2 27b", `{"model_type":"gemma2","query_pre_attn_scalar":144}`, 0, 128, 1.0 / 12},
		{"gemma3 without the key", `{"model_type":"gemma3_text"}`, 0, 128, 1.0 / 16},
		{"gemma3n", `{"model_type":"gemma3n_text"}`, 0, 256, 1},
		{"granite", `{"model_type":"granite","attention_multiplier":0.0078125}`, 0, 128, 1.0 / 128},
		{"granite without the key", `{"model_type":"granite"}`, 0, 64, 1},
		{"gpt2 unscaled", `{"model_type":"gpt2","scale_attn_weights":false}`, 0, 64, 1},
		{"gpt2 by depth", `{"model_type":"gpt2","scale_attn_by_inverse_layer_idx":true}`, 11, 64, 0.125 / 12},
		{"gpt-oss", `{"model_type":"gpt_oss","rope_scaling":{"rope_type":"yarn","factor":32.0,
			"original_max_position_embeddings":4096,"beta_fast":32.0,"beta_slow":1.0,"truncate":false}}`, 0, 64,
			0.125 * yarn(32) * yarn(32)},
		{"qwen2.5 with yarn", `{"model_type":"qwen2","rope_scaling":{"type":"yarn","factor":4.0,
			"original_max_position_embeddings":32768}}`, 0, 128, yarn(4) * yarn(4) / math.Sqrt(128)},
		{"attention_factor in the config", `{"model_type":"qwen2","rope_parameters":{"rope_type":"yarn","factor":4.0,
			"attention_factor":1.5}}`, 0, 64, 2.25 / 8},
		{"deepseek v3 of transformers 4", `{"model_type":"deepseek_v3","qk_rope_head_dim":64,"qk_nope_head_dim":128,
			"rope_scaling":{"type":"yarn","factor":40,"mscale":1.0,"mscale_all_dim":1.0}}`, 0, 192,
			yarn(40) * yarn(40) / math.Sqrt(192)},
		{"deepseek v3 of transformers 5", `{"model_type":"deepseek_v3","qk_rope_head_dim":64,"qk_nope_head_dim":128,
			"rope_parameters":{"rope_type":"yarn","factor":40,"mscale":1.0,"mscale_all_dim":1.0}}`, 0, 192,
			yarn(40) * yarn(40) / math.Sqrt(192)},
		{"phi-3 128k", `{"model_type":"phi3","max_position_embeddings":131072,"original_max_position_embeddings":4096,
			"rope_scaling":{"type":"longrope","short_factor":[1],"long_factor":[2]}}`, 0, 96,
			(1 + math.Log(32)/math.Log(4096)) / math.Sqrt(96)},
		{"olmo 3, layer with a window", `{"model_type":"olmo3","layer_types":["sliding_attention","full_attention"],
			"rope_scaling":{"rope_type":"yarn","factor":8,"attention_factor":1.2079441541679836}}`, 0, 128,
			1 / math.Sqrt(128)},
		{"olmo 3, full layer", `{"model_type":"olmo3","layer_types":["sliding_attention","full_attention"],
			"rope_scaling":{"rope_type":"yarn","factor":8,"attention_factor":1.2079441541679836}}`, 1, 128,
			yarn(8) * yarn(8) / math.Sqrt(128)},
		{"parameters by type of layer",
			`{"model_type":"x","layer_types":["full_attention","sliding_attention"],"rope_parameters":{
			"full_attention":{"rope_type":"yarn","factor":8},"sliding_attention":{"rope_type":"default"}}}`, 1, 64,
			0.125},
		{"falcon-h1", `{"model_type":"falcon_h1","key_multiplier":0.390625,"attention_in_multiplier":2.0}`, 0, 64,
			0.390625 / 8 * 4},
		{"zamba2", `{"model_type":"zamba2"}`, 0, 160, 1 / math.Sqrt(80)},
		{"phi-3-small", `{"model_type":"phi3small","mup_attn_multiplier":1.0,"mup_use_scaling":true}`, 0, 128,
			1.0 / 128},
		{"btlm", `{"model_type":"btlm","mup_scale_qk_dot_by_d":true}`, 0, 80, 1.0 / 80},
		{"mpt with a scale", `{"model_type":"mpt","attn_config":{"softmax_scale":0.02}}`, 0, 64, 0.02},
		{"deberta-v2", `{"model_type":"deberta-v2","pos_att_type":["p2c","c2p"]}`, 0, 64, 1 / math.Sqrt(192)},
		{"nested text",
			`{"model_type":"llava","text_config":{"model_type":"granite","attention_multiplier":0.5,
			"num_attention_heads":4}}`, 0, 64, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := mustParse(t, c.config).ForArray("model.layers.0.self_attn.q_proj.weight")
			s := config.Scores(c.layer, c.dimension)
			if math.Abs(s.Factor()/c.want-1) > 1e-12 {
				t.Errorf("factor: got %v, want %v; the scores are: %s", s.Factor(), c.want, s)
			}
			if len(s.Unused) > 0 {
				t.Errorf("keys that are not understood: %v; want none", s.Unused)
			}
		})
	}
}
