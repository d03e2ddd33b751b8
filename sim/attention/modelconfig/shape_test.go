package modelconfig

import (
	"fmt"
	"strings"
	"testing"
)

// Heads, heads of keys and d_k are those of the layer that an array belongs to, by
// configuration_NAME.py and modeling_NAME.py of transformers unless a comment names another source.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		name, config, array string
		width               int
		want                string // heads, heads of keys, d_k
	}{
		{"llama", `{"num_attention_heads":8,"num_key_value_heads":2,"head_dim":64}`, "model.layers.0.self_attn.q_proj.weight", 512, "8 2 64"},
		{"text of llava", `{"text_config":{"num_attention_heads":8},"vision_config":{"num_attention_heads":4}}`, "language_model.model.layers.0.q_proj", 64, "8 0 0"},
		{"vision of llava", `{"text_config":{"num_attention_heads":8},"vision_config":{"num_attention_heads":4}}`, "model.vision_tower.layers.0.q_proj", 64, "4 0 0"},
		{"vision of Qwen2-VL", `{"num_attention_heads":12,"vision_config":{"num_heads":16,"embed_dim":1280}}`, "visual.blocks.0.attn.qkv.weight", 1280, "16 0 0"},
		{"a tower that says nothing", `{"num_attention_heads":12,"vision_config":{"hidden_size":16}}`, "vision_model.layers.0.q_proj", 16, "0 0 0"},
		{"towers within a tower", `{"thinker_config":{"text_config":{"num_attention_heads":6},"audio_config":{"encoder_attention_heads":5}},"talker_config":{"num_attention_heads":3}}`,
			"thinker.audio_tower.layers.0.self_attn.q_proj.weight", 16, "5 0 0"},
		{"text within a tower", `{"thinker_config":{"text_config":{"num_attention_heads":6}},"talker_config":{"num_attention_heads":3}}`, "thinker.model.layers.0.q_proj", 16, "6 0 0"},
		{"encoder and decoder", `{"encoder":{"num_attention_heads":6},"decoder":{"num_attention_heads":3}}`, "decoder.bert.encoder.layer.0.attention.self.query.weight", 16, "3 0 0"},
		{"whisper", `{"encoder_attention_heads":6,"decoder_attention_heads":4}`, "model.decoder.layers.0.self_attn.q_proj.weight", 16, "4 0 0"},
		{"moonshine", `{"encoder_num_attention_heads":6,"decoder_num_attention_heads":4,"decoder_num_key_value_heads":2}`, "model.decoder.layers.0.q_proj", 16, "4 2 0"},
		{"predictor of V-JEPA 2", `{"num_attention_heads":4,"pred_num_attention_heads":2}`, "predictor.layer.0.attention.query", 16, "2 0 0"},
		{"enformer", `{"heads":4,"attn_dim_key":8}`, "transformer.0.to_q", 16, "4 0 8"},
		{"prophetnet", `{"num_encoder_attention_heads":6,"num_decoder_attention_heads":4}`, "prophetnet.encoder.layers.0.query_proj.weight", 16, "6 0 0"},
		{"t5", `{"num_heads":6,"d_kv":64}`, "encoder.block.0.layer.0.SelfAttention.q.weight", 512, "6 0 64"},
		{"mpt", `{"n_heads":16,"attn_config":{"kv_n_heads":4}}`, "transformer.blocks.0.attn.Wqkv.weight", 64, "16 4 0"},
		{"swin", `{"num_heads":[3,6],"embed_dim":96,"depths":[2,2],"hidden_size":192}`, "encoder.layers.1.blocks.0.attention.self.query.weight", 192, "6 0 0"},
		{"segformer", `{"num_attention_heads":[1,2],"hidden_sizes":[32,64]}`, "encoder.block.0.0.attention.self.query.weight", 64, "2 0 0"},
		{"openelm", `{"num_query_heads":[12,16],"num_kv_heads":[3,4],"head_dim":64}`, "transformer.layers.1.attn.qkv_proj.weight", 64, "16 4 64"},
		{"falcon", `{"model_type":"falcon","num_attention_heads":71,"multi_query":true}`, "h.0.query_key_value.weight", 64, "71 1 0"},
		{"chatglm", `{"model_type":"chatglm","num_attention_heads":32,"multi_query_attention":true,"multi_query_group_num":2}`, "layers.0.query_key_value", 64, "32 2 0"},
		{"gemma 4, full layer", `{"num_attention_heads":8,"head_dim":256,"global_head_dim":512,"layer_types":["sliding_attention","full_attention"]}`, "layers.1.q_proj", 64, "8 0 512"},
		{"inkling, layer with a window", `{"num_attention_heads":8,"swa_num_attention_heads":4,"layer_types":["sliding_attention"]}`, "layers.0.q_proj", 64, "4 0 0"},
		// huggingface/diffusers, unet_2d_condition.py
		{"unet", `{"_class_name":"UNet2DConditionModel","attention_head_dim":[5,10],"block_out_channels":[320,640]}`, "down_blocks.1.attn1.to_q.weight", 640, "10 0 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := mustParse(t, c.config).For(c.array).Shape(c.array, c.width)
			if got := fmt.Sprint(s.Heads, s.KeyHeads, s.Dimension); got != c.want || err != nil {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}

// A value of a wrong kind, a width that no stage has, and a list that is too short are errors.
func TestShapeErrors(t *testing.T) {
	for config, want := range map[string]string{
		`{"num_attention_heads":"four"}`:                                    "num_attention_heads is a string",
		`{"num_attention_heads":[2,4],"hidden_sizes":[8,16]}`:               "widths 8 16, and layers.5.q_proj takes 32",
		`{"num_query_heads":[2,4]}`:                                         "none is that of layer 5",
		`{"num_attention_heads":4,"vocab_size":"x","hidden_sizes":[1,"x"]}`: "list of numbers",
	} {
		if _, err := mustParse(t, config).Shape("layers.5.q_proj", 32); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not say %q", config, err, want)
		}
	}
}

// Norms stand where the code of a model has them: modeling_NAME.py of transformers.
func TestNormPlace(t *testing.T) {
	for config, want := range map[string]string{
		`{"model_type":"llama"}`:                               NormBefore,
		`{"model_type":"bert"}`:                                NormAfter,
		`{"model_type":"bart"}`:                                NormAfter,
		`{"model_type":"olmo2"}`:                               NormResidual,
		`{"model_type":"swinv2"}`:                              NormResidual,
		`{"model_type":"opt","do_layer_norm_before":false}`:    NormAfter,
		`{"model_type":"opt","do_layer_norm_before":true}`:     NormBefore,
		`{"model_type":"nomic_bert","prenorm":false}`:          NormAfter,
		`{"model_type":"hubert","do_stable_layer_norm":true}`:  NormBefore,
		`{"model_type":"hubert","do_stable_layer_norm":false}`: NormAfter,
		`{"model_type":"a model of one's own"}`:                "",
	} {
		if got := mustParse(t, config).NormPlace(); got != want {
			t.Errorf("%s: %q, not %q", config, got, want)
		}
	}
}

// Gains are 1 + weight in the models whose code says so.
func TestPlusOne(t *testing.T) {
	for name, want := range map[string]bool{"gemma": true, "gemma2": true, "gemma3_text": true, "gemma3n_text": false, "gemma4_text": false,
		"qwen3": false, "qwen3_next": true, "nemotron": true, "llama": false} {
		if got := mustParse(t, `{"model_type":"`+name+`"}`).PlusOne(); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
