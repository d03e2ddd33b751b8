package statedict

import (
	"maps"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// join puts arrays together.
func join(all ...shapes) shapes {
	out := shapes{}
	for _, s := range all {
		maps.Copy(out, s)
	}
	return out
}

// pair are W_Q and W_K of 4 heads of 6 with names of their own, of 24 inputs.
func pair(q, k string) shapes { return shapes{q: {24, 24}, k: {24, 24}} }

// gains are arrays of 24 numbers.
func gains(names ...string) shapes {
	out := shapes{}
	for _, n := range names {
		out[n] = []int{24}
	}
	return out
}

// The norm before attention is the one of each model's code (modeling_NAME.py of transformers unless
// a comment names another), or is said to be unknown.
func TestNormBefore(t *testing.T) {
	const hf = "model.layers.0.self_attn."
	proj := pair(hf+"q_proj.weight", hf+"k_proj.weight")
	bert := func(prefix, q, k string) shapes { return pair(prefix+q, prefix+k) }
	for _, c := range []struct {
		name, config string
		arrays       shapes
		want         string // of a sentence
	}{
		{"clip", "", join(proj, gains("model.layers.0.layer_norm1.weight", "model.layers.0.layer_norm1.bias", "model.layers.0.layer_norm2.weight")),
			"after LayerNorm, with the gain of model.layers.{}.layer_norm1.weight"},
		{"esm", `{"model_type":"esm","num_attention_heads":4}`, join(bert("encoder.layer.0.attention.self.", "query.weight", "key.weight"),
			gains("encoder.layer.0.attention.LayerNorm.weight", "encoder.layer.0.LayerNorm.weight")), "layer.{}.attention.LayerNorm.weight"},
		{"bert", "", join(bert("encoder.layer.1.attention.self.", "query.weight", "key.weight"),
			gains("encoder.layer.1.attention.output.LayerNorm.weight", "encoder.layer.1.output.LayerNorm.weight", "encoder.layer.0.output.LayerNorm.weight")),
			"with the gain of encoder.layer.{}.output.LayerNorm.weight"},
		{"distilbert", "", join(bert("transformer.layer.0.attention.", "q_lin.weight", "k_lin.weight"),
			gains("embeddings.LayerNorm.weight", "transformer.layer.0.output_layer_norm.weight", "transformer.layer.0.sa_layer_norm.weight")),
			"with the gain of embeddings.LayerNorm.weight"},
		{"bert of TensorFlow", "", join(bert("bert/encoder/layer_0/attention/self/", "query/kernel", "key/kernel"),
			gains("bert/embeddings/LayerNorm/gamma", "bert/embeddings/LayerNorm/beta", "bert/encoder/layer_0/output/LayerNorm/gamma")),
			"after LayerNorm, with the gain of bert/embeddings/LayerNorm/gamma"},
		// google-research/vision_transformer, vit_jax/models_vit.py
		{"flax", "", join(shapes{"encoderblock_0/Attention_1/query/kernel": {24, 4, 6}, "encoderblock_0/Attention_1/key/kernel": {24, 4, 6}},
			gains("encoderblock_0/LayerNorm_0/scale", "encoderblock_0/LayerNorm_0/bias", "encoderblock_0/LayerNorm_2/scale")),
			"with the gain of encoderblock_{}/LayerNorm_0/scale"},
		{"whisper of OpenAI", "", join(pair("blocks.0.attn.query.weight", "blocks.0.attn.key.weight"), gains("blocks.0.attn_ln.weight", "blocks.0.mlp_ln.weight")),
			"blocks.{}.attn_ln.weight"},
		{"transformer engine", "", join(shapes{"layers.0.self_attention.linear_qkv.weight": {72, 24}}, gains("layers.0.self_attention.linear_qkv.layer_norm_weight")),
			"linear_qkv.layer_norm_weight"},
		// lucidrains/x-transformers: norms of a layer, then its attention
		{"x-transformers", "", join(pair("layers.0.1.to_q.weight", "layers.0.1.to_k.weight"), gains("layers.0.0.0.gamma", "layers.1.0.0.gamma")),
			"after LayerNorm, with the gain of layers.{}.{}.0.gamma"},
		// karpathy/ng-video-lecture, gpt.py
		{"heads with modules of their own", "", join(shapes{"blocks.0.sa.heads.0.query.weight": {6, 24}, "blocks.0.sa.heads.0.key.weight": {6, 24}},
			gains("blocks.0.ln1.weight", "blocks.0.ln1.bias")), "with the gain of blocks.{}.ln1.weight"},
		{"names with underscores", "", join(pair("block_0_Wq", "block_0_Wk"), gains("block_0_ln1_g", "block_0_ln1_b")), "block_{}_ln1_g"},
		// nomic-ai/nomic-bert-2048, modeling_hf_nomic_bert.py
		{"nomic", `{"model_type":"nomic_bert","prenorm":false,"n_head":4}`, join(shapes{"encoder.layers.0.attn.Wqkv.weight": {72, 24}},
			gains("encoder.layers.0.norm1.weight", "encoder.layers.0.norm2.weight", "emb_ln.weight")), "with the gain of emb_ln.weight"},
		{"nomic without a config", "", join(shapes{"encoder.layers.0.attn.Wqkv.weight": {72, 24}},
			gains("encoder.layers.0.norm1.weight", "encoder.layers.0.norm2.weight", "emb_ln.weight")), "do not tell whether encoder.layers.{}.norm1.weight stands before"},
		{"bart", `{"model_type":"bart","encoder_attention_heads":4}`, join(pair("encoder.layers.1.self_attn.q_proj.weight", "encoder.layers.1.self_attn.k_proj.weight"),
			gains("encoder.layers.1.self_attn_layer_norm.weight", "encoder.layers.0.final_layer_norm.weight")), "encoder.layers.{}.final_layer_norm.weight"},
		{"olmo 2", `{"model_type":"olmo2","num_attention_heads":4,"rms_norm_eps":1e-6}`, join(proj, gains("model.layers.0.post_attention_layernorm.weight")),
			"after RMSNorm, without a gain, since the model has none before attention"},
		{"swin v2", "", join(shapes{"blocks.0.attn.qkv.weight": {72, 24}, "blocks.0.attn.logit_scale": {4, 1, 1}}, gains("blocks.0.norm1.weight")),
			"do not tell whether blocks.{}.norm1.weight stands before"},
		{"a norm of what attention gives", "", join(shapes{"blocks.0.attn.qkv.weight": {72, 24}}, gains("blocks.0.norm1.weight", "blocks.0.attn.norm.weight")),
			"with the gain of blocks.{}.norm1.weight"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Tokens: 16}
			if c.config == "" {
				o.Dimension = 6
			}
			m, err := opened(t, c.config, c.arrays, o)
			simtest.Must(t, err)
			if said := strings.Join(m.Subject, "\n"); !strings.Contains(said, c.want) {
				t.Errorf("%s\ndoes not say %q", said, c.want)
			}
		})
	}
}

// What is read, left out or not known of real names is said; verdicts on what is not known are
// doubts.
func TestSubject(t *testing.T) {
	const at = "model.layers.0.self_attn."
	proj := pair(at+"q_proj.weight", at+"k_proj.weight")
	unet := shapes{}
	for block, width := range map[string]int{"down_blocks.0.": 24, "down_blocks.1.": 48} {
		for module, inputs := range map[string]int{"attn1.": width, "attn2.": 768} {
			unet[block+module+"to_q.weight"], unet[block+module+"to_k.weight"] = []int{width, width}, []int{width, inputs}
		}
	}
	swin := shapes{}
	for stage, width := range map[string]int{"0": 12, "1": 24} {
		maps.Copy(swin, shapes{"layers." + stage + ".blocks.0.query.weight": {width, width}, "layers." + stage + ".blocks.0.key.weight": {width, width}})
	}
	for _, c := range []struct {
		name, config string
		arrays       shapes
		o            Options
		says, doubts []string
	}{
		{"sinks", `{"model_type":"gpt_oss","num_attention_heads":4}`, join(proj, shapes{at + "sinks": {4}, at + "v_proj.bias": {24}}), Options{},
			[]string{"Left out, next to W_Q and W_K: model.layers.{}.self_attn.sinks.", "learned by head (sinks)"}, nil},
		{"temperature", "", shapes{"blocks.0.attn.qkv.weight": {72, 24}, "blocks.0.attn.temperature": {4, 1, 1}}, Options{Heads: 4}, nil,
			[]string{"blocks.{}.attn.temperature may change q·k"}},
		{"loralib", "", join(proj, shapes{at + "q_proj.lora_A": {4, 24}}), Options{Heads: 4}, nil, []string{"lora_A is not merged"}},
		{"peft", "", shapes{at + "q_proj.base_layer.weight": {24, 24}, at + "k_proj.weight": {24, 24}, at + "q_proj.lora_A.default.weight": {4, 24}},
			Options{Heads: 4}, []string{"base_layer.weight (24 × 24)"}, []string{"lora_A.default.weight is not merged"}},
		{"square x @ W", "", pair("wq", "wk"), Options{Heads: 4}, []string{"outputs × inputs (assumed"}, []string{"say --order"}},
		{"unknown key", `{"model_type":"x","num_attention_heads":4,"logit_multiplier":2}`, proj, Options{}, nil, []string{"logit_multiplier = 2"}},
		{"norm without arrays", `{"model_type":"qwen3","num_attention_heads":4}`, proj, Options{}, nil, []string{"no array of it is found"}},
		{"norm that has none", `{"model_type":"nanochat","num_attention_heads":4}`, proj, Options{}, []string{"RMSNorm of each head, without a gain"}, nil},
		{"one input for all layers", "", join(proj, pair("model.layers.1.self_attn.q_proj.weight", "model.layers.1.self_attn.k_proj.weight"), shapes{"x": {9, 24}}),
			Options{Heads: 4, X: "x"}, nil, []string{"--x x, the input of one layer, was used for all 2"}},
		{"unet", `{"_class_name":"UNet2DConditionModel","attention_head_dim":4,"block_out_channels":[24,48]}`, unet, Options{},
			[]string{"d_k = 6, 24 inputs", "d_k = 12, 48 inputs", "2 layers of cross-attention or pooling, such as down_blocks.0.attn2.to_q.weight"}, nil},
		{"swin", `{"model_type":"swin","num_heads":[2,4],"embed_dim":12,"depths":[1,1]}`, swin, Options{},
			[]string{"of 2 heads of queries and 2 of keys, d_k = 6, 12 inputs", "of 4 heads of queries and 4 of keys, d_k = 6, 24 inputs"}, nil},
		{"one layer that cannot be read", "", join(proj, shapes{"model.layers.1.self_attn.q_proj.weight": {24, 24}}), Options{Heads: 4},
			[]string{"1 layer of", "Left out: 1 layer that cannot be read, such as this: model.layers.1.self_attn.q_proj.weight has no k_proj"}, nil},
		{"bloom without a config", "", shapes{"h.0.self_attention.query_key_value.weight": {72, 24}, "word_embeddings_layernorm.weight": {24}},
			Options{Heads: 4}, []string{"interleaved, of 4 heads"}, nil},
		{"persimmon without a config", "", shapes{at + "query_key_value.weight": {72, 24}, at + "q_layernorm.weight": {6}, at + "k_layernorm.weight": {6}},
			Options{Heads: 4}, []string{"interleaved, of 4 heads"}, nil},
		{"clip", `{"vision_config":{"num_attention_heads":4},"text_config":{"num_attention_heads":2}}`,
			join(pair("vision_model.layers.0.q_proj.weight", "vision_model.layers.0.k_proj.weight"), separateOf("text_model.layers.0.", 12, 12, 12)), Options{},
			[]string{"of 4 heads of queries", "Left out: text_model (1 layer"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Tokens = 16
			m, err := opened(t, c.config, c.arrays, c.o)
			simtest.Must(t, err)
			for _, want := range c.says {
				if said := strings.Join(m.Subject, "\n"); !strings.Contains(said, want) {
					t.Errorf("%s\ndoes not say %q", said, want)
				}
			}
			doubts := strings.Join(append(m.Doubts, m.Scales...), "\n")
			for _, want := range c.doubts {
				if !strings.Contains(doubts, want) {
					t.Errorf("doubts %q do not say %q", doubts, want)
				}
			}
			if len(c.doubts) == 0 && doubts != "" {
				t.Errorf("doubts: %s", doubts)
			}
		})
	}
}
