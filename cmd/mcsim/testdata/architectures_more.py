"""Rarer models, files without a config.json, and layers that are no softmax of q·k."""
import math

import torch

from architectures_other import FOUR, PACKED, packed
from architectures_text import BART, BERT, CROSS, LN, RMS, ROOT, SELF, SMALL, bart, config, decoder, gpt2, norm_of_all, norm_of_heads, post_norm
from tiny import K, Q, WIDTH, case, heads, layer_norm, rms

# Without a config.json names must not be trusted with what only the config tells.


@case("gemma2-no-config", "transformers gemma2 without config.json: gains are 1 + w, the scale may be another",
      outcome="open", says=["gain|1 \\+|config|assumed"], flags=FOUR, **RMS)
def _(c):
    decoder(c, G=2, gain=lambda x, name: c.rms(x, name, offset=1))
    for i in range(2):
        for name in ("post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"):
            c.gain(f"model.layers.{i}.{name}.weight", WIDTH, 0.0)


@case("t5-no-config",
      "transformers t5 without config.json: SelfAttention and relative_attention_bias are T5's, which has no scale",
      outcome="open", says=["assumed|config|relative_attention_bias"], flags=FOUR, **RMS)
def _(c):
    decoder(c, scale=1.0, block="encoder.block.{}.layer.0.", attn="SelfAttention", norm="layer_norm", q="q", k="k",
        v="v", o="o")
    c.array("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 4)


@case("bart-no-config",
      "transformers bart without config.json: names are those of mBART, which norms before attention", outcome="open",
      says=["norm"], flags=FOUR, **LN)
def _(c):
    bart(c)


@case("fairseq-no-config", "fairseq transformer_layer.py: encoder.normalize_before is not in the file",
      outcome="open", says=["norm"], flags=FOUR, **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"encoder.layers.{i - 1}.final_layer_norm") if i else layer_norm(c.x)
        q, k = c.project(h, f"encoder.layers.{i}.self_attn", o="out_proj", bias="qkv")
        c.record(f"encoder.layers.{i}.self_attn", q, k, ROOT)
        c.ln(c.x, f"encoder.layers.{i}.self_attn_layer_norm")


@case("wav2vec2-no-config",
      "transformers wav2vec2 without config.json: layer_norm is after attention unless do_stable_layer_norm",
      outcome="open", says=["norm"], flags=FOUR, **LN)
def _(c):
    post_norm(c, "wav2vec2.encoder.layers.{}.", "attention", "wav2vec2.encoder.layers.{}.final_layer_norm",
        "wav2vec2.encoder.layer_norm", ("q_proj", "k_proj", "v_proj", "out_proj"), bias="qkv")
    for i in range(2):
        c.ln(c.x, f"wav2vec2.encoder.layers.{i}.layer_norm")


@case("llama-original", "meta-llama/llama model.py: layers.0.attention.wq, attention_norm", flags=[*FOUR,
      "--kv-heads", "2"], **RMS)
def _(c):
    decoder(c, block="layers.{}.", attn="attention", norm="attention_norm", G=2, q="wq", k="wk", v="wv", o="wo")


@case("torchvision-vit", "pytorch/vision vit.py: encoder.layers.encoder_layer_0.self_attention.in_proj_weight, ln_1",
      flags=FOUR, **LN)
def _(c):
    for i in range(2):
        at = f"encoder.layers.encoder_layer_{i}."
        h = c.ln(c.x, at + "ln_1")
        y = h @ c.matrix(at + "self_attention.in_proj_weight", 96, 32,
            PACKED).T + c.array(at + "self_attention.in_proj_bias", 96, sd=0.4)
        c.matrix(at + "self_attention.out_proj.weight", 32, 32)
        c.ln(c.x, at + "ln_2")
        c.record(at + "self_attention", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("torchvision-swinv2", "pytorch/vision swin_transformer.py: features.1.0.attn.logit_scale", outcome="open",
      says=["logit_scale"], refusal="logit_scale", flags=FOUR)
def _(c):
    for i in range(2):
        at = f"features.1.{i}."
        y = c.linear(c.x, at + "attn.qkv", 96, PACKED, False)
        bias = c.array(at + "attn.qkv.bias", 96, sd=0.4)
        y = y + torch.cat([bias[:32], torch.zeros(32), bias[64:]])  # the code sets that of keys to 0
        scale = torch.exp(c.array(at + "attn.logit_scale", 4, 1, 1, sd=1.5, mean=2.0).clamp(max=math.log(100)))
        unit = lambda t: torch.nn.functional.normalize(t, dim=-1)
        c.record(at + "attn", unit(heads(y[:, :32], 4)) * scale, unit(heads(y[:, 32:64], 4)), 1.0)


@case("mosaic-bert",
      "mosaicml/mosaicbert bert_layers.py: attention.self.Wqkv; after mlp.layernorm of the layer before",
      outcome="open", says=["norm"], config=BERT, **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"bert.encoder.layer.{i - 1}.mlp.layernorm" if i else "bert.embeddings.LayerNorm")
        y = c.linear(h, f"bert.encoder.layer.{i}.attention.self.Wqkv", 96, PACKED)
        c.record(f"bert.encoder.layer.{i}.attention.self", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)
        c.ln(c.x, f"bert.encoder.layer.{i}.attention.output.LayerNorm")


@case("open_lm-in_proj",
      "mlfoundations/open_lm model.py: attention.in_proj; q_norm is LayerNorm of all heads together", flags=FOUR,
      outcome="open", says=["norm"], refusal="in_proj|named", **LN)
def _(c):
    for i in range(2):
        at = f"layers.{i}."
        y = c.linear(c.ln(c.x, at + "attention_norm", bias=False), at + "attention.in_proj", 96, PACKED, False)
        q, k = c.ln(y[:, :32], at + "attention.q_norm", bias=False), c.ln(y[:, 32:64], at + "attention.k_norm",
            bias=False)
        c.record(at + "attention", heads(q, 4), heads(k, 4), ROOT)


# Hybrids and layers that are no softmax.


@case("minimax-lightning",
      "transformers minimax: layers of linear attention have qkv_proj, output_gate and norm; that of softmax q_proj",
      config=config("minimax", 2, layer_types=["linear_attention", "full_attention"]),
      says=["layers.0|linear|qkv_proj|output_gate"], **RMS)
def _(c):
    c.gain("model.layers.0.input_layernorm.weight", WIDTH)
    c.matrix("model.layers.0.self_attn.qkv_proj.weight", 96, 32)
    c.matrix("model.layers.0.self_attn.output_gate.weight", 32, 32)
    c.gain("model.layers.0.self_attn.norm.weight", 32)
    q, k = c.project(c.rms(c.x, "model.layers.1.input_layernorm"), "model.layers.1.self_attn", G=2)
    c.record("model.layers.1.self_attn", q, k, ROOT)


@case("gated-deltanet",
      "fla-org/flash-linear-attention gated_deltanet.py: q_proj and k_proj before convolutions, A_log; no softmax",
      outcome="open", says=["conv1d|A_log|linear"], refusal="conv1d|A_log|linear|softmax",
      config=config("gated_deltanet", num_heads=4, head_dim=8), **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.{i}."
        c.project(c.rms(c.x, at + "attn_norm"), at + "attn")
        for name in "qkv":
            c.array(f"{at}attn.{name}_conv1d.weight", 32, 1, 4)
        c.array(at + "attn.A_log", 4)


@case("rwkv-no-queries", "transformers rwkv: receptance, key and value; nothing is a query", config=config("rwkv"),
      outcome="refused", refusal="named|rwkv", **LN)
def _(c):
    for name in ("receptance", "key", "value", "output"):
        c.matrix(f"rwkv.blocks.0.attention.{name}.weight", 32, 32)


@case("mamba-no-attention", "transformers mamba: in_proj is none of queries", config=config("mamba"),
      outcome="refused", refusal="named|mamba", **RMS)
def _(c):
    c.matrix("backbone.layers.0.mixer.in_proj.weight", 96, 32)
    c.matrix("backbone.layers.0.mixer.x_proj.weight", 34, 48)


@case("nemotron_h-mixer", "transformers nemotron_h: backbone.layers.1.mixer.q_proj, norm", config=config("nemotron_h",
      2, head_dim=8, num_hidden_layers=3, hybrid_override_pattern="M*-"), **RMS)
def _(c):
    for i in (0, 2):
        c.gain(f"backbone.layers.{i}.norm.weight", WIDTH)
    c.matrix("backbone.layers.0.mixer.in_proj.weight", 128, WIDTH)
    q, k = c.project(c.rms(c.x, "backbone.layers.1.norm"), "backbone.layers.1.mixer", G=2)
    c.record("backbone.layers.1.mixer", q, k, ROOT)


@case("granitemoehybrid", "transformers granitemoehybrid: attention_multiplier in the layers of attention",
      config=config("granitemoehybrid", 2, attention_multiplier=0.2, num_hidden_layers=2, layer_types=["mamba",
      "attention"]), **RMS)
def _(c):
    c.gain("model.layers.0.input_layernorm.weight", WIDTH)
    c.matrix("model.layers.0.mamba.in_proj.weight", 128, WIDTH)
    q, k = c.project(c.rms(c.x, "model.layers.1.input_layernorm"), "model.layers.1.self_attn", G=2)
    c.record("model.layers.1.self_attn", q, k, 0.2)


@case("recurrent_gemma",
      "transformers recurrent_gemma: temporal_pre_norm with gain 1 + w, temporal_block.q_proj; logits_soft_cap is of the output",
      config=config("recurrent_gemma", 1, logits_soft_cap=30.0, partial_rotary_factor=0.5, num_hidden_layers=3,
      block_types=["recurrent", "recurrent", "attention"]), **RMS)
def _(c):
    for i in (0, 1):
        c.gain(f"model.layers.{i}.temporal_pre_norm.weight", WIDTH, 0.0)
        c.matrix(f"model.layers.{i}.temporal_block.linear_y.weight", 32, WIDTH)
    at = "model.layers.2."
    q, k = c.project(c.rms(c.x, at + "temporal_pre_norm", offset=1), at + "temporal_block", G=1)
    c.record(at + "temporal_block", q, k, ROOT)


@case("diffllama", "transformers diffllama: the difference of two softmaxes (lambda_q1, ...)", outcome="named",
      says=["lambda|differ"], config=config("diffllama", 2), **RMS)
def _(c):
    decoder(c, G=2)
    for i in range(2):
        for name in ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"):
            c.array(f"model.layers.{i}.self_attn.{name}", 8)


@case("doge-dynamic-mask", "transformers doge: a mask of A and dt_proj is added", outcome="named",
      says=["dt_proj|\\.A\\b|mask"], config=config("doge", 2), **RMS)
def _(c):
    decoder(c, G=2, after=norm_of_heads(c))
    for i in range(2):
        c.array(f"model.layers.{i}.self_attn.A", 2)
        c.matrix(f"model.layers.{i}.self_attn.dt_proj.weight", 2, 16)


# More models of text.


@case("phimoe-mscale", "transformers phimoe: short_mscale and long_mscale multiply cos and sin",
      config=config("phimoe", 2, max_position_embeddings=131072, original_max_position_embeddings=4096,
      rope_scaling={"type": "longrope", "short_factor": [1.0] * 4, "long_factor": [2.0] * 4, "short_mscale": 1.25,
      "long_mscale": 1.25, "original_max_position_embeddings": 4096}, rms_norm_eps=1e-5), **LN)
def _(c):
    decoder(c, scale=ROOT * 1.25**2, G=2, gain=c.ln, bias="qkv")


@case("phi-partial-rotary", "transformers phi: partial_rotary_factor does not matter without a scaling of RoPE",
      config=config("phi", partial_rotary_factor=0.5, layer_norm_eps=1e-5), **LN)
def _(c):
    decoder(c, gain=c.ln, bias="qkv", o="dense")


@case("mimo_v2-sinks-by-layer",
      "XiaomiMiMo/MiMo-V2-Flash: layers with a window have attention_sink_bias and other heads of keys",
      outcome="named", says=["sink"], config=config("mimo_v2_flash", 1, head_dim=8, v_head_dim=4,
      swa_num_attention_heads=4, swa_num_key_value_heads=2, swa_head_dim=8, hybrid_layer_pattern=[0, 1],
      add_swa_attention_sink_bias=True, attention_value_scale=0.707), **RMS)
def _(c):
    for i, G in enumerate((1, 2)):
        at = f"model.layers.{i}."
        q, k = c.project(c.rms(c.x, at + "input_layernorm"), at + "self_attn", G=G, v=None, o=None)
        c.record(at + "self_attn", q, k, ROOT)
    c.array("model.layers.1.self_attn.attention_sink_bias", 4)


@case("step3p5-groups", "stepfun-ai/Step-3.5-Flash: num_attention_groups are heads of keys; gains 1 + w",
      config=config("step3p5", head_dim=8, num_attention_groups=2), **RMS)
def _(c):
    decoder(c, G=2, gain=lambda x, name: c.rms(x, name, offset=1), after=norm_of_heads(c, offset=1))


@case("t5gemma-cap", "transformers t5gemma: pre_self_attn_layernorm with gain 1 + w, a cap", outcome="named",
      says=["cap"], config={"model_type": "t5gemma", "encoder": {"model_type": "t5_gemma_module", "hidden_size": 32,
      "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "num_hidden_layers": 2,
      "query_pre_attn_scalar": 24, "attn_logit_softcapping": 50.0}}, **RMS)
def _(c):
    decoder(c, scale=24**-0.5, block="model.encoder.layers.{}.", norm="pre_self_attn_layernorm", gain=lambda x,
        name: c.rms(x, name, offset=1), G=2)


@case("cpmant", "transformers cpmant: self_att.self_attention.project_q, layernorm_before_attention; dim_head",
      config=config("cpmant", dim_head=16), refusal="project_q|named", **RMS)
def _(c):
    decoder(c, scale=1 / 4, d=16, block="cpmant.encoder.layers.{}.self_att.", attn="self_attention",
        norm="layernorm_before_attention", q="project_q", k="project_k", v="project_v", o="attention_out")


@case("plamo2-norm-by-head",
      "pfnet/plamo-2 modeling_plamo.py: mixer.qkv_proj, q_weight and k_weight are gains by head; pre_mixer_norm 1 + w",
      config=config("plamo2", 2, hidden_size_per_head=8), outcome="open", says=["q_weight|k_weight"],
      refusal="q_weight|heads|d-k", **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.layers.{i}."
        y = c.linear(c.rms(c.x, at + "pre_mixer_norm", offset=1), at + "mixer.qkv_proj", 64,
            Q[:4] + K[:2] + [1.0] * 2, False)
        gains = [c.array(f"{at}mixer.{name}_weight", n, 8, sd=0.5, mean=1.0, blocks=s[:n]) for name, n, s in (("q", 4,
            Q), ("k", 2, K))]
        c.record(at + "mixer", rms(heads(y[:, :32], 4), gains[0][:, None]), rms(heads(y[:, 32:48], 2), gains[1][:,
            None]), ROOT)


@case("bigcode-multi-head", "transformers gpt_bigcode: without multi_query of each head queries, keys, values",
      config={**SMALL, "model_type": "gpt_bigcode", "multi_query": False}, **LN)
def _(c):
    for i in range(2):
        at = f"transformer.h.{i}."
        y = c.linear(c.ln(c.x, at + "ln_1"), at + "attn.c_attn", 96, [s for h in range(4) for s in (Q[h], K[h], 1.0)])
        q, k, _ = y.view(-1, 4, 24).split(8, -1)
        c.record(at + "attn", q.transpose(0, 1), k.transpose(0, 1), ROOT)


@case("bark-sub-config", "transformers bark: att_proj, layernorm_1; a config for each of three models",
      config={"model_type": "bark", "semantic_config": {"model_type": "semantic", "hidden_size": 32, "num_heads": 4,
      "num_layers": 2}}, flags=FOUR, **LN)
def _(c):
    for i in range(2):
        at = f"semantic.layers.{i}."
        y = c.linear(c.ln(c.x, at + "layernorm_1", bias=False), at + "attn.att_proj", 96, PACKED, False)
        c.matrix(at + "attn.out_proj.weight", 32, 32)
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("electra-small",
      "transformers electra: embeddings of another width go through embeddings_project, so that layer 0 is after no norm",
      outcome="open", says=["norm|cannot be read"], config={**BERT, "model_type": "electra", "embedding_size": 16},
      **LN)
def _(c):
    c.gain("electra.embeddings.LayerNorm.weight", 16)
    c.array("electra.embeddings.LayerNorm.bias", 16)
    c.matrix("electra.embeddings_project.weight", 32, 16)
    for i in range(2):
        h = c.ln(c.x, "electra.encoder.layer.0.output.LayerNorm") if i else c.x
        at = f"electra.encoder.layer.{i}.attention.self"
        c.record(at, *c.project(h, at, q="query", k="key", v="value", o=None, bias="qkv"), ROOT)


@case("roberta_prelayernorm", "transformers roberta_prelayernorm: attention.LayerNorm is before attention",
      config={**BERT, "model_type": "roberta-prelayernorm"}, **LN)
def _(c):
    decoder(c, block="roberta_prelayernorm.encoder.layer.{}.", attn="attention.self", norm="attention.LayerNorm",
        gain=c.ln, q="query", k="key", v="value", o=None, bias="qkv")


@case("megatron-bert", "transformers megatron_bert: attention.ln", config={**BERT, "model_type": "megatron-bert"},
      **LN)
def _(c):
    decoder(c, block="bert.encoder.layer.{}.", attn="attention.self", norm="attention.ln", gain=c.ln, q="query",
        k="key", v="value", o=None, bias="qkv")
    for i in range(2):
        c.ln(c.x, f"bert.encoder.layer.{i}.ln")


@case("xlm-roberta-xl", "transformers xlm_roberta_xl: attention.self_attn_layer_norm", config={**BERT,
      "model_type": "xlm-roberta-xl"}, **LN)
def _(c):
    decoder(c, block="roberta.encoder.layer.{}.", attn="attention.self", norm="attention.self_attn_layer_norm",
        gain=c.ln, q="query", k="key", v="value", o=None, bias="qkv")


@case("layoutlmv3-bias-scaled",
      "transformers layoutlmv3: (q·k + positions)/√d_k; of text alone, since images go through layoutlmv3.LayerNorm, too",
      config={**BERT, "model_type": "layoutlmv3", "has_relative_attention_bias": True,
      "has_spatial_attention_bias": True}, **LN)
def _(c):
    post_norm(c, "layoutlmv3.encoder.layer.{}.", "attention.self", "layoutlmv3.encoder.layer.{}.output.LayerNorm",
        "layoutlmv3.embeddings.LayerNorm", SELF, bias="qkv")
    c.gain("layoutlmv3.LayerNorm.weight", WIDTH)


@case("funnel-relative", "transformers funnel: q_head without a bias; r_w_bias and products of positions",
      outcome="open", says=["position|r_w_bias"], refusal="r_w_bias|q_head|named", config={"model_type": "funnel",
      "d_model": 32, "n_head": 4, "d_head": 8, "block_sizes": [2]})
def _(c):
    for i in range(2):
        at = f"funnel.encoder.blocks.0.{i}.attention"
        q, k = c.project(c.x, at, q="q_head", k="k_head", v="v_head", o="post_proj", bias="kv")
        w = c.array(at + ".r_w_bias", 4, 8, sd=0.5)
        c.array(at + ".r_kernel", 32, 4, 8)
        c.record(at, q + w[:, None], k, ROOT)  # the code multiplies both q and r_w_bias by the scale


@case("reformer-shared", "transformers reformer: query_key is shared, keys are divided by their length",
      outcome="open", says=["root mean square|hash|reformer|length"], refusal="query_key|named",
      config={"model_type": "reformer", "hidden_size": 32, "num_attention_heads": 4, "attention_head_size": 8,
      "attn_layers": ["lsh"], "num_hidden_layers": 1}, **LN)
def _(c):
    at = "reformer.encoder.layers.0.attention."
    q = heads(c.linear(c.ln(c.x, at + "layer_norm"), at + "self_attention.query_key", 32, Q[:4], False), 4)
    c.matrix(at + "self_attention.value.weight", 32, 32)
    c.record(at + "self_attention", q, rms(q), ROOT)


@case("musicgen-prenorm", "transformers musicgen: no biases; encoder_attn takes keys of the text",
      config={"model_type": "musicgen_decoder", "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2},
      says=CROSS, **LN)
def _(c):
    decoder(c, block="model.decoder.layers.{}.", norm="self_attn_layer_norm", gain=c.ln, o="out_proj")
    for i in range(2):
        at = f"model.decoder.layers.{i}."
        q, k = c.project(c.ln(c.x, at + "encoder_attn_layer_norm"), at + "encoder_attn", o="out_proj")
        c.record(at + "encoder_attn", q, k, ROOT, optional=True)


@case("mllama-cross-norms", "transformers mllama: cross_attn has norms of each head, self_attn none",
      config={"model_type": "mllama_text_model", "hidden_size": 32, "num_attention_heads": 4,
      "num_key_value_heads": 2, "num_hidden_layers": 3, "cross_attention_layers": [1]}, says=["cross_attn"], **RMS)
def _(c):
    for i in (0, 2):
        at = f"model.layers.{i}."
        c.record(at + "self_attn", *c.project(c.rms(c.x, at + "input_layernorm"), at + "self_attn", G=2), ROOT)
    at = "model.layers.1."
    q, k = c.project(c.rms(c.x, at + "input_layernorm"), at + "cross_attn", keys=c.x, G=2)
    c.record(at + "cross_attn", *norm_of_heads(c)(at + "cross_attn", q, k), ROOT, optional=True)


@case("blenderbot-small", "transformers blenderbot_small: as BART", config={"model_type": "blenderbot-small", **BART},
      says=CROSS, **LN)
def _(c):
    bart(c)


@case("xglm", "transformers xglm: attention_heads, num_layers", config={"model_type": "xglm", "d_model": 32,
      "attention_heads": 4, "num_layers": 2, "scale_embedding": True}, **LN)
def _(c):
    decoder(c, block="model.layers.{}.", norm="self_attn_layer_norm", gain=c.ln, o="out_proj", bias="qkv")


# More models of images.


@case("internvl-all-heads", "transformers internvl: use_qk_norm is RMS over all heads together",
      config=config("internvl_vision", use_qk_norm=True, norm_type="layer_norm"), **LN)
def _(c):
    decoder(c, block="vision_tower.encoder.layer.{}.", attn="attention", norm="layernorm_before", gain=c.ln,
        o="projection_layer", after=norm_of_all(c))


@case("janus-all-heads", "transformers janus: use_qk_norm is LayerNorm over all heads together",
      config={"model_type": "janus", "vision_config": config("janus_vision_model", use_qk_norm=True)}, **LN)
def _(c):
    def after(at, q, k):
        whole = lambda t: t.transpose(0, 1).reshape(t.shape[1], -1)
        return [heads(c.ln(whole(t), f"{at}.{name}"), 4) for t, name in ((q, "q_norm"), (k, "k_norm"))]
    decoder(c, block="vision_model.encoder.layers.{}.", norm="layer_norm1", gain=c.ln, o="projection_layer",
        bias="qkv", after=after)


@case("aimv2-rms", "transformers aimv2: rms_norm1; the head has keys and a token of its own",
      config=config("aimv2_vision_model", qkv_bias=False), says=["head"], **RMS)
def _(c):
    decoder(c, block="encoder.layers.{}.", attn="attention", norm="rms_norm1", o="out_proj")
    c.matrix("head.k_proj.weight", 32, 32)
    c.matrix("head.v_proj.weight", 32, 32)
    c.array("head.cls_token", 1, 1, 32)


@case("timm-cait-class",
      "timm cait.py: blocks with talking heads, proj_l mixes logits of heads; blocks_token_only has q and k",
      outcome="open", says=["proj_l|blocks_token_only"], flags=FOUR, refusal="proj_l", **LN)
def _(c):
    for i in range(2):
        packed(c, f"blocks.{i}.")
        c.matrix(f"blocks.{i}.attn.proj_l.weight", 4, 4)
    c.spec["layers"] = []  # the heads' logits are mixed before softmax


@case("timm-pvt_v2-kv", "timm pvt_v2.py: q apart, kv of keys and values", flags=FOUR, refusal="kv|has no k", **LN)
def _(c):
    for i in range(2):
        at = f"stages.0.blocks.{i}."
        h = c.ln(c.x, at + "norm1")
        q = heads(c.linear(h, at + "attn.q", 32, Q[:4]), 4)
        k = heads(c.linear(h, at + "attn.kv", 64, K[:4] + [1.0] * 4)[:, :32], 4)
        c.record(at + "attn", q, k, ROOT)


@case("detr-positions",
      "transformers detr: positions are added to what q_proj and k_proj take; norms after attention",
      config={"model_type": "detr", "d_model": 32, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
      "encoder_layers": 2, "decoder_layers": 0})
def _(c):
    for i in range(2):
        at = f"model.encoder.layers.{i}."
        c.record(at + "self_attn", *c.project(c.x, at + "self_attn", o="out_proj", bias="qkv"), ROOT)
        c.gain(at + "self_attn_layer_norm.weight", 32)
        c.gain(at + "final_layer_norm.weight", 32)


@case("efficientvit-conv-qkv", "timm maxxvit.py: qkv is a convolution of width 1, head by head", flags=FOUR,
      refusal="shape|layout|conv")
def _(c):
    at = "stages.0.blocks.0.attn_block.attn"
    w = c.array(at + ".qkv.weight", 96, 32, 1, 1, sd=0.3, blocks=[s for h in range(4) for s in (Q[h], K[h], 1.0)])
    q, k, _ = (c.x @ w[:, :, 0, 0].T).view(-1, 4, 24).split(8, -1)
    c.record(at, q.transpose(0, 1), k.transpose(0, 1), ROOT)


@case("esmc-layernorm_qkv",
      "evolutionaryscale/esm attention.py: layernorm_qkv.0 and .1; q_ln over all heads together", flags=FOUR,
      outcome="right", refusal="named|layernorm_qkv", **LN)
def _(c):
    for i in range(2):
        at = f"transformer.blocks.{i}.attn."
        y = c.linear(c.ln(c.x, at + "layernorm_qkv.0"), at + "layernorm_qkv.1", 96, PACKED, False)
        q, k = c.ln(y[:, :32], at + "q_ln", bias=False), c.ln(y[:, 32:64], at + "k_ln", bias=False)
        c.record(at[:-1], heads(q, 4), heads(k, 4), ROOT)


# One layer each: what a part of the config, or of a name, could be taken for.


@case("bart-heads-by-side", "transformers bart: encoder_attention_heads and decoder_attention_heads differ",
      says=["encoder_attn|cross"], config={"model_type": "bart", **BART, "encoder_layers": 1, "decoder_layers": 1,
      "decoder_attention_heads": 2})
def _(c):
    for side, H, d in (("encoder", 4, 8), ("decoder", 2, 16)):
        at = f"model.{side}.layers.0.self_attn"
        c.record(at, *c.project(c.x, at, H=H, d=d, o="out_proj", bias="qkv"), d**-0.5)
    at = "model.decoder.layers.0.encoder_attn"
    c.record(at, *c.project(c.x, at, H=2, d=16, o="out_proj", bias="qkv"), 1 / 4, optional=True)


@case("deepseek-head_dim-of-rope",
      "transformers 4 and 5 write head_dim = qk_rope_head_dim into the config of DeepSeek-V3",
      config={**config("deepseek_v3", 4), "num_hidden_layers": 1, "kv_lora_rank": 16, "q_lora_rank": None,
      "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8, "head_dim": 4}, **RMS)
def _(c):
    at = "model.layers.0.self_attn"
    h = c.rms(c.x, "model.layers.0.input_layernorm")
    q = heads(c.linear(h, at + ".q_proj", 48, Q[:4], False), 4)
    both = c.linear(h, at + ".kv_a_proj_with_mqa", 20, None, False)
    k = heads(c.linear(c.rms(both[:, :16], at + ".kv_a_layernorm"), at + ".kv_b_proj", 64, [s for k in K[:4]
        for s in (k, 1.0)], False), 4)
    c.record(at, q, torch.cat([k[..., :8], both[:, 16:].expand(4, -1, -1)], -1), 12**-0.5)


@case("mistral-head_dim-null", "transformers mistral: head_dim null is hidden_size / heads", config=config("mistral",
      2, head_dim=None, num_hidden_layers=1, sliding_window=None, rope_scaling=None), **RMS)
def _(c):
    decoder(c, layers=1, G=2)


@case("gemma3-vision-larger",
      "transformers gemma3: gains of the vision tower are w, those of text 1 + w; query_pre_attn_scalar is of text",
      says=["language_model"], config={"model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
      "hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "num_hidden_layers": 1,
      "query_pre_attn_scalar": 24}, "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 32,
      "num_attention_heads": 4, "num_hidden_layers": 2}}, **LN)
def _(c):
    decoder(c, block="vision_tower.vision_model.encoder.layers.{}.", norm="layer_norm1", gain=c.ln, o="out_proj",
        bias="qkv")
    for name, n in (("q_proj", 16), ("k_proj", 8), ("v_proj", 8)):
        c.matrix(f"language_model.model.layers.0.self_attn.{name}.weight", n, 16)


@case("llava-granite-text", "transformers llava_next with text of Granite: attention_multiplier is of text alone",
      says=["language_model"], config={"model_type": "llava_next", "text_config": {"model_type": "granite",
      "hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1, "attention_multiplier": 0.3},
      "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 32, "num_attention_heads": 4,
      "num_hidden_layers": 1}}, **LN)
def _(c):
    decoder(c, layers=1, block="vision_tower.vision_model.encoder.layers.{}.", norm="layer_norm1", gain=c.ln,
        o="out_proj", bias="qkv")
    for name in ("q_proj", "k_proj"):
        c.matrix(f"language_model.model.layers.0.self_attn.{name}.weight", 16, 16)


@case("qwen2-audio-tower", "transformers qwen2_audio: audio_config has the names of Whisper", says=["language_model"],
      config={"model_type": "qwen2_audio", "audio_config": {"model_type": "qwen2_audio_encoder", "d_model": 32,
      "encoder_attention_heads": 4, "encoder_layers": 2}, "text_config": {"model_type": "qwen2", "hidden_size": 16,
      "num_attention_heads": 2, "num_hidden_layers": 1}}, **LN)
def _(c):
    decoder(c, block="audio_tower.layers.{}.", norm="self_attn_layer_norm", gain=c.ln, o="out_proj", bias="qv")
    for name in ("q_proj", "k_proj"):
        c.matrix(f"language_model.model.layers.0.self_attn.{name}.weight", 16, 16)


@case("musicgen-with-t5", "transformers musicgen: text_encoder is T5, whose scale is 1, decoder has 1/√d_k",
      says=["text_encoder"], config={"model_type": "musicgen", "text_encoder": {"model_type": "t5", "d_model": 16,
      "d_kv": 8, "num_heads": 2, "num_layers": 1}, "decoder": {"model_type": "musicgen_decoder", "hidden_size": 32,
      "num_attention_heads": 4, "num_hidden_layers": 1}}, **LN)
def _(c):
    decoder(c, layers=1, block="decoder.model.decoder.layers.{}.", norm="self_attn_layer_norm", gain=c.ln,
        o="out_proj")
    for name in "qk":
        c.matrix(f"text_encoder.encoder.block.0.layer.0.SelfAttention.{name}.weight", 16, 16)


@case("sam-original", "facebookresearch/segment-anything image_encoder.py: attn.rel_pos_h adds q·R, unscaled",
      outcome="named", says=["rel_pos"], flags=FOUR, **LN)
def _(c):
    packed(c, "image_encoder.blocks.0.")
    c.array("image_encoder.blocks.0.attn.rel_pos_h", 27, 8)
    c.array("image_encoder.blocks.0.attn.rel_pos_w", 27, 8)


@case("dit-adaln", "facebookresearch/DiT models.py: norm1 without weights, then changed by adaLN_modulation",
      flags=FOUR, **LN)
def _(c):
    y = c.linear(layer_norm(c.x), "blocks.0.attn.qkv", 96, PACKED)
    c.matrix("blocks.0.adaLN_modulation.1.weight", 192, 32)
    c.record("blocks.0.attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("sd-original-names", "CompVis/latent-diffusion attention.py: input_blocks.1.1.transformer_blocks.0.attn1",
      flags=FOUR, says=["attn2"], **LN)
def _(c):
    at = "model.diffusion_model.input_blocks.1.1.transformer_blocks.0."
    c.record(at + "attn1", *c.project(c.ln(c.x, at + "norm1"), at + "attn1", q="to_q", k="to_k", v="to_v",
        o="to_out.0"), ROOT)
    c.matrix(at + "attn2.to_q.weight", 32, 32)
    c.matrix(at + "attn2.to_k.weight", 32, 24)


@case("flux-original-names",
      "black-forest-labs/flux layers.py: img_attn.norm.query_norm.scale; single blocks pack qkv with the MLP",
      flags=FOUR, says=["linear1|single_blocks|txt_attn"], refusal="query_norm|norm|named")
def _(c):
    for part in ("img_attn", "txt_attn"):
        at = f"double_blocks.0.{part}"
        y = c.linear(c.x, at + ".qkv", 96, PACKED)
        q, k = (rms(heads(y[:, i : i + 32], 4), c.gain(f"{at}.norm.{name}.scale", 8)) for i, name in ((0,
            "query_norm"), (32, "key_norm")))
        c.record(at, q, k, ROOT, optional=part == "txt_attn")
    c.matrix("single_blocks.0.linear1.weight", 224, 32)


@case("auraflow-norm-without-gain",
      "diffusers auraflow_transformer_2d.py: qk_norm fp32_layer_norm, which has no arrays", outcome="open",
      says=["norm"], config={"_class_name": "AuraFlowTransformer2DModel", "num_attention_heads": 4,
      "attention_head_dim": 8, "num_mmdit_layers": 1})
def _(c):
    at = "joint_transformer_blocks.0.attn"
    q, k = c.project(c.x, at, q="to_q", k="to_k", v="to_v", o="to_out.0")
    c.record(at, layer_norm(q), layer_norm(k), ROOT)


@case("wan-across-heads",
      "diffusers transformer_wan.py: norm_q is RMS over all heads together; attn2 is cross-attention",
      config={"_class_name": "WanTransformer3DModel", "num_attention_heads": 4, "attention_head_dim": 8,
      "num_layers": 1, "qk_norm": "rms_norm_across_heads"})
def _(c):
    at = "blocks.0.attn1"
    q, k = c.project(c.x, at, q="to_q", k="to_k", v="to_v", o="to_out.0", bias="qkv")
    c.record(at, *norm_of_all(c, ("norm_q", "norm_k"))(at, q, k), ROOT)


@case("lumina2-length",
      "diffusers attention_processor.py: the scale grows with √(log of the length); norms of each head",
      outcome="open", says=["norm|length"], config={"_class_name": "Lumina2Transformer2DModel",
      "num_attention_heads": 4, "num_kv_heads": 2, "hidden_size": 32, "num_layers": 1})
def _(c):
    at = "layers.0.attn"
    q, k = c.project(c.x, at, q="to_q", k="to_k", v="to_v", o="to_out.0", G=2)
    c.record(at, *norm_of_heads(c, names=("norm_q", "norm_k"))(at, q, k), ROOT)


@case("to_q-to_kv", "lucidrains perceiver_pytorch.py: to_q, and to_kv of keys and values", flags=FOUR,
      refusal="to_kv|to_k|named")
def _(c):
    at = "layers.0.0.fn"
    q = heads(c.linear(c.x, at + ".to_q", 32, Q[:4], False), 4)
    k = heads(c.linear(c.x, at + ".to_kv", 64, K[:4] + [1.0] * 4, False)[:, :32], 4)
    c.record(at, q, k, ROOT)


@case("vae-conv-attention", "CompVis/taming-transformers model.py: q and k are convolutions of width 1, one head",
      flags=["--heads", "1"], refusal="shape|conv")
def _(c):
    made = [(c.x @ c.array(f"decoder.mid.attn_1.{name}.weight", 32, 32, 1, 1, sd=0.3)[:, :, 0, 0].T)[None]
        for name in "qk"]
    c.record("decoder.mid.attn_1", *made, 32**-0.5)


@case("nanochat-original",
      "karpathy/nanochat gpt.py: c_q and c_k; norms of queries and keys without arrays and factors of 1.2," " which no file tells",
      flags=FOUR, outcome="said", says=["assumed"], refusal="named|c_q", **RMS)
def _(c):
    at = "transformer.h.0.attn"
    q, k = c.project(rms(c.x), at, q="c_q", k="c_k", v="c_v", o="c_proj")
    c.record(at, 1.2 * rms(q), 1.2 * rms(k), ROOT)


@case("fp8-weights", "DeepSeek-V3: F8_E4M3 with weight_scale_inv", outcome="refused", refusal="F8|quantis",
      config=config("llama", num_hidden_layers=1), **RMS)
def _(c):
    for name in ("q_proj", "k_proj"):
        c.array(f"model.layers.0.self_attn.{name}.weight", 32, 32, kind="F8_E4M3")
        c.array(f"model.layers.0.self_attn.{name}.weight_scale_inv", 1, 1)


@case("plamo-tiled-keys", "pfnet/plamo-13b modeling_plamo.py: keys are repeated as a whole, head h uses head h mod 2",
      config={"model_type": "plamo", "hidden_size": WIDTH, "num_attention_heads": 4, "num_key_value_heads": 2,
      "num_hidden_layers": 1, "rms_norm_eps": 1e-6}, **RMS)
def _(c):
    at = "model.layers.layers.0."
    q, k = c.project(c.rms(c.x, at + "norm"), at + "self_attn", G=2)
    c.record(at + "self_attn", q, torch.cat([k, k]), ROOT)


@case("gpt2-in-a-sequence", "sentence-transformers: modules have numbers, the model's is 0; transformers gpt2",
      config={**SMALL, "scale_attn_by_inverse_layer_idx": True}, **LN)
def _(c):
    gpt2(c, lambda i: ROOT / (i + 1), block="0.transformer.h.{}.")


@case("paddle-grouped", "PaddlePaddle nn.Linear: weight is inputs x outputs", config=config("llama",
      num_hidden_layers=1, num_key_value_heads=2), **RMS)
def _(c):
    at = "model.layers.0."
    y = c.rms(c.x, at + "input_layernorm")
    q = y @ c.kernel(at + "self_attn.q_proj.weight", 32, WIDTH, Q[:4]).T
    k = y @ c.kernel(at + "self_attn.k_proj.weight", 16, WIDTH, K[:2]).T
    c.kernel(at + "mlp.up_proj.weight", 64, WIDTH)
    c.record(at + "self_attn", heads(q, 4), heads(k, 2), ROOT)


@case("ia3-not-merged", "huggingface/peft tuners/ia3/layer.py: keys are multiplied by ia3_l", outcome="named",
      says=["ia3_l"], config=config("llama", num_hidden_layers=1), **RMS)
def _(c):
    at = "model.layers.0."
    y = c.rms(c.x, at + "input_layernorm")
    q, k = c.project(y, at + "self_attn", k="k_proj.base_layer")
    c.gain(at + "self_attn.k_proj.ia3_l.default", 32)
    c.record(at + "self_attn", q, k, ROOT)


@case("bert-pruned", "transformers bert: pruned_heads of config.json are not in the weights; d_k is 8", outcome="open",
      says=["pruned"], config={**BERT, "num_hidden_layers": 1})
def _(c):
    at = "encoder.layer.0.attention.self"
    c.record(at, *c.project(c.x, at, q="query", k="key", v="value", o="", H=2, bias="qkv"), ROOT)


@case("vit-qkv_bias", "a bias whose name is that of its matrix with an underscore", flags=FOUR)
def _(c):
    at = "blocks.0.attn"
    y = c.x @ c.matrix(at + ".qkv.weight", 96, WIDTH, PACKED).T + c.array(at + ".qkv_bias", 96, sd=0.4)
    c.record(at, heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)
