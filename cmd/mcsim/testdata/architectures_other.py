"""Models of images, sound and more than one kind, other libraries than transformers, and files that are no weights."""
import math

import torch

from architectures_text import BART, LN, RMS, ROOT, SELF, SMALL, bart, config, decoder, fused, norm_of_heads, post_norm
from tiny import HEADS, K, Q, SIZE, WIDTH, case, heads, layer_norm, rms

FOUR = ["--heads", "4"]
PACKED = Q[:4] + K[:4] + [1.0] * 4


def packed(c, at, attn="attn", name="qkv", norm="norm1", gain=None, bias=True, H=HEADS, d=SIZE, after=None):
    """Queries, keys and values, each of all heads."""
    x = (gain or c.ln)(c.x, at + norm) if norm else c.x
    y = c.linear(x, f"{at}{attn}.{name}", 3 * H * d, Q[:H] + K[:H] + [1.0] * H, bias)
    c.matrix(f"{at}{attn}.proj.weight", H * d, H * d)
    q, k = heads(y[:, : H * d], H), heads(y[:, H * d : 2 * H * d], H)
    if after:
        q, k = after(at + attn, q, k)
    c.record(at + attn, q, k, d**-0.5)


# One tower of images.


@case("timm-vit", "timm vision_transformer.py", flags=FOUR, **LN)
def _(c):
    for i in range(2):
        packed(c, f"blocks.{i}.")


@case("timm-vit-config", "timm vision_transformer.py; config.json as timm writes it does not say the heads", flags=FOUR,
      config={"architecture": "vit_tiny_patch16_224", "num_classes": 1000, "num_features": 32,
              "pretrained_cfg": {"crop_pct": 0.9, "mean": [0.5, 0.5, 0.5]}}, **LN)
def _(c):
    for i in range(2):
        packed(c, f"blocks.{i}.")


@case("timm-vit-qk-norm", "timm vision_transformer.py with qk_norm: LayerNorm of each head", flags=FOUR, **LN)
def _(c):
    for i in range(2):
        packed(c, f"blocks.{i}.", after=norm_of_heads(c, kind=c.ln))


@case("timm-beit-q_bias", "timm beit.py: q_bias and v_bias, none of keys; relative positions are added", flags=FOUR, **LN)
def _(c):
    for i in range(2):
        at = f"blocks.{i}."
        y = c.linear(c.ln(c.x, at + "norm1"), at + "attn.qkv", 96, PACKED, False)
        q_bias = c.array(at + "attn.q_bias", 32, sd=0.4)
        c.array(at + "attn.v_bias", 32)
        c.array(at + "attn.relative_position_bias_table", 9, 4)
        c.record(at + "attn", heads(y[:, :32] + q_bias, 4), heads(y[:, 32:64], 4), ROOT)


@case("timm-eva-separate", "timm eva.py, qkv_fused false: q_proj and v_proj have a bias, k_proj has none", flags=FOUR, **LN)
def _(c):
    decoder(c, block="blocks.{}.", attn="attn", norm="norm1", gain=c.ln, bias="qv", o="proj")


def stages(c, layers, names, norm):
    """Layers of several widths, of which no x fits all: the heads are counted. Each is (prefix of the block, of attention, width, heads)."""
    for block, attention, width, H in layers:
        for name in names:
            c.matrix(f"{block}{attention}.{name}.weight", width * (3 if name == "qkv" else 1), width)
        c.gain(block + norm + ".weight", width)
        c.count(block + attention, H)


COUNTED = {"norm": None, "outcome": "said"}


@case("timm-swin-two-widths", "timm swin_transformer.py: width and heads grow by stage", flags=["--d-k", "8"], **COUNTED)
def _(c):
    stages(c, [("layers.0.blocks.0.", "attn", 16, 2), ("layers.1.blocks.0.", "attn", 32, 4), ("layers.1.blocks.1.", "attn", 32, 4)], ["qkv"], "norm1")


@case("swin-hf-two-widths", "transformers swin: num_heads is a list by stage", config={"model_type": "swin", "embed_dim": 16, "num_heads": [2, 4],
      "depths": [1, 2], "hidden_size": 32}, **COUNTED)
def _(c):
    at = "encoder.layers.{}.blocks.{}."
    stages(c, [(at.format(0, 0), "attention.self", 16, 2), (at.format(1, 0), "attention.self", 32, 4), (at.format(1, 1), "attention.self", 32, 4)],
           ["query", "key", "value"], "layernorm_before")


@case("segformer-two-widths", "transformers segformer: lists by stage; heads of another size in each", config={"model_type": "segformer",
      "hidden_sizes": [16, 40], "num_attention_heads": [1, 5], "depths": [1, 1], "sr_ratios": [1, 1]}, **COUNTED)
def _(c):
    stages(c, [("segformer.encoder.block.0.0.", "attention.self", 16, 1), ("segformer.encoder.block.1.0.", "attention.self", 40, 5)],
           ["query", "key", "value"], "layer_norm_1")


@case("openclip-two-heads-sizes", "two stacks of one width without a config: --heads is of both", flags=FOUR, says=["text"], **LN)
def _(c):
    for i in range(2):
        packed(c, f"visual.blocks.{i}.")
    for name in ("q_proj", "k_proj"):
        c.matrix(f"text.layers.0.self_attn.{name}.weight", 32, 32)


@case("swin-hf-list-heads", "transformers swin: a list of one stage", config={"model_type": "swin", "embed_dim": 32, "num_heads": [4], "depths": [2],
      "hidden_size": 32}, **LN)
def _(c):
    decoder(c, block="encoder.layers.0.blocks.{}.", attn="attention.self", norm="layernorm_before", gain=c.ln, bias="qkv", **IMAGES)
    c.array("encoder.layers.0.blocks.0.attention.self.relative_position_bias_table", 9, 4)


@case("swinv2-timm-cosine", "timm swin_transformer_v2.py: cosine times exp(min(logit_scale, ln 100)); norm1 is behind attention", outcome="open",
      says=["logit_scale"], refusal="logit_scale", flags=FOUR)
def _(c):
    for i in range(2):
        at = f"layers.0.blocks.{i}."
        y = c.linear(c.x, at + "attn.qkv", 96, PACKED, False)
        q_bias = c.array(at + "attn.q_bias", 32, sd=0.4)
        c.array(at + "attn.v_bias", 32)
        scale = torch.exp(c.array(at + "attn.logit_scale", 4, 1, 1, sd=1.5, mean=2.0).clamp(max=math.log(100)))
        c.ln(c.x, at + "norm1")
        unit = lambda t: torch.nn.functional.normalize(t, dim=-1)
        c.record(at + "attn", unit(heads(y[:, :32] + q_bias, 4)) * scale, unit(heads(y[:, 32:64], 4)), 1.0)


@case("swinv2-hf-cosine", "transformers swinv2: as timm's, config with lists", outcome="open", says=["logit_scale"], refusal="logit_scale",
      config={"model_type": "swinv2", "embed_dim": 32, "num_heads": [4], "depths": [2], "hidden_size": 32})
def _(c):
    for i in range(2):
        at = f"swinv2.encoder.layers.0.blocks.{i}.attention.self"
        q, k = c.project(c.x, at, q="query", k="key", v="value", o=None, bias="q")
        scale = torch.exp(c.array(at + ".logit_scale", 4, 1, 1, sd=1.5, mean=2.0).clamp(max=math.log(100)))
        unit = lambda t: torch.nn.functional.normalize(t, dim=-1)
        c.record(at, unit(q) * scale, unit(k), 1.0)


@case("pvt-reduced-keys", "transformers pvt: keys are behind a convolution of tokens and a norm of their own", outcome="open",
      says=["sequence_reduction|layer_norm"], refusal="sequence_reduction|layer_norm", flags=[],
      config={"model_type": "pvt", "hidden_sizes": [32], "num_attention_heads": [4], "depths": [1], "sequence_reduction_ratios": [2]}, **LN)
def _(c):
    at = "pvt.encoder.block.0.0."
    c.project(c.ln(c.x, at + "layer_norm_1"), at + "attention.self", q="query", k="key", v="value", o=None, bias="qkv")
    c.array(at + "attention.self.sequence_reduction.weight", 32, 32, 2, 2)
    c.ln(c.x, at + "attention.self.layer_norm")


@case("cvt-stage-width", "transformers cvt: embed_dim^(-1/2); queries and keys are behind convolutions", outcome="open",
      says=["conv"], refusal="conv", config={"model_type": "cvt", "embed_dim": [32], "num_heads": [4], "depth": [1]}, **LN)
def _(c):
    at = "cvt.encoder.stages.0.layers.0."
    c.project(c.ln(c.x, at + "layernorm_before"), at + "attention.attention", q="projection_query", k="projection_key", v="projection_value", o=None, bias="qkv")
    for name in ("query", "key", "value"):
        c.array(at + f"attention.attention.convolution_projection_{name}.convolution_projection.convolution.weight", 32, 1, 3, 3)


@case("levit-batch-norm", "transformers levit: of each head keys of key_dim, values of twice as much; a batch norm behind the matrix", outcome="open",
      says=["batch_norm"], refusal="batch_norm|queries_keys_values|named",
      config={"model_type": "levit", "hidden_sizes": [32], "num_attention_heads": [4], "key_dim": [8], "attention_ratio": [2], "depths": [1]})
def _(c):
    at = "levit.encoder.stages.0.layers.0.module.attention"
    name = "levit.encoder.stages.0.layers.0.module.queries_keys_values."
    y = c.linear(c.x, name + "linear", 128, [s for n in range(4) for s in (Q[n], K[n], 1.0, 1.0)], False)
    mean, var = c.array(name + "batch_norm.running_mean", 128), c.array(name + "batch_norm.running_var", 128, sd=0.5, mean=1.0)
    y = (y - mean) / torch.sqrt(var + 1e-5) * c.gain(name + "batch_norm.weight", 128) + c.array(name + "batch_norm.bias", 128)
    q, k, _ = y.view(-1, 4, 32).split([8, 8, 16], -1)
    c.record(at, q.transpose(0, 1), k.transpose(0, 1), ROOT)


@case("hiera-growing", "transformers hiera: the first block of a stage doubles the width; heads by stage",
      config={"model_type": "hiera", "embed_dim": 32, "embed_dim_multiplier": 2.0, "num_heads": [4, 8], "depths": [1, 1], "query_stride": [1, 1]},
      **LN)
def _(c):
    packed(c, "hiera.encoder.stages.0.layers.0.", norm="layernorm_before")
    at = "hiera.encoder.stages.1.layers.0."
    sizes = Q[:4] + Q[:4] + K[:4] + K[:4] + [1.0] * 8
    y = c.linear(c.ln(c.x, at + "layernorm_before"), at + "attn.qkv", 192, sizes)
    c.record(at + "attn", heads(y[:, :64], 8), heads(y[:, 64:128], 8), ROOT, optional=True)


@case("xcit-channels", "timm xcit.py: attention between channels, cosine times temperature", outcome="open", says=["temperature"], refusal="temperature", flags=FOUR)
def _(c):
    for i in range(2):
        c.linear(c.x, f"blocks.{i}.attn.qkv", 96, PACKED)
        c.array(f"blocks.{i}.attn.temperature", 4, 1, 1, sd=0.2, mean=1.0)


IMAGES = {"q": "query", "k": "key", "v": "value", "o": None}


@case("deit-hf", "transformers deit 4: attention.attention.query; layernorm_before", config=config("deit", image_size=224, patch_size=16, qkv_bias=True), **LN)
def _(c):
    decoder(c, block="deit.encoder.layer.{}.", attn="attention.attention", norm="layernorm_before", gain=c.ln, bias="qkv", **IMAGES)


@case("beit-hf", "transformers beit: keys have no bias", config=config("beit", image_size=224, layer_scale_init_value=0.1), **LN)
def _(c):
    decoder(c, block="beit.encoder.layer.{}.", attn="attention.attention", norm="layernorm_before", gain=c.ln, bias="qv", **IMAGES)


@case("dinov2-hf", "transformers dinov2: norm1", config=config("dinov2", layerscale_value=1.0), **LN)
def _(c):
    decoder(c, block="dinov2.encoder.layer.{}.", attn="attention.attention", norm="norm1", gain=c.ln, bias="qkv", **IMAGES)


@case("dinov3-no-key-bias", "transformers dinov3_vit: key_bias false", config=config("dinov3_vit", key_bias=False, query_bias=True), **LN)
def _(c):
    decoder(c, block="layer.{}.", attn="attention", norm="norm1", gain=c.ln, bias="qv")


@case("vit-mae-decoder", "transformers vit_mae: a decoder of another width, decoder_num_attention_heads",
      config=config("vit_mae", decoder_hidden_size=16, decoder_num_attention_heads=2, decoder_num_hidden_layers=1), says=["decoder"], **LN)
def _(c):
    decoder(c, block="vit.encoder.layer.{}.", attn="attention.attention", norm="layernorm_before", gain=c.ln, bias="qkv", **IMAGES)
    for name in ("query", "key", "value"):
        c.matrix(f"decoder.decoder_layers.0.attention.attention.{name}.weight", 16, 16)
    c.gain("decoder.decoder_layers.0.layernorm_before.weight", 16)


@case("vit-pytorch-norm-inside", "lucidrains/vit-pytorch vit.py: norm and to_qkv are in one module", flags=FOUR, **LN)
def _(c):
    for i in range(2):
        at = f"transformer.layers.{i}.0."
        y = c.linear(c.ln(c.x, at + "norm"), at + "to_qkv", 96, PACKED, False)
        c.matrix(at + "to_out.0.weight", WIDTH, WIDTH)
        c.record(at[:-1], heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("sam-relative-positions", "transformers sam: the encoder adds q·rel_pos, unscaled; the mask decoder halves the width in cross-attention",
      outcome="named", says=["rel_pos|position", "decoder"], config={"model_type": "sam",
      "vision_config": {"hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 3, "use_rel_pos": True},
      "mask_decoder_config": {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1, "attention_downsample_rate": 2}}, **LN)
def _(c):
    for i in range(3):
        at = f"vision_encoder.layers.{i}."
        packed(c, at, norm="layer_norm1")
        c.array(at + "attn.rel_pos_h", 27, 8)
        c.array(at + "attn.rel_pos_w", 27, 8)
    at = "mask_decoder.transformer.layers.0."
    for attention, n in (("self_attn", 16), ("cross_attn_token_to_image", 8)):
        for name in ("q_proj", "k_proj", "v_proj"):
            c.matrix(f"{at}{attention}.{name}.weight", n, 16)


# Two towers.


def clip_tower(c, prefix, layers, width=48, H=6, record=True):
    for i in range(layers):
        at = f"{prefix}.encoder.layers.{i}."
        if record:
            q, k = c.project(c.ln(c.x, at + "layer_norm1"), at + "self_attn", H=H, o="out_proj", bias="qkv")
            c.record(at + "self_attn", q, k, ROOT)
        else:
            c.gain(at + "layer_norm1.weight", width)
            for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
                c.matrix(f"{at}self_attn.{name}.weight", width, width)


TOWERS = {"text_config": {"model_type": "clip_text_model", "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2},
          "vision_config": {"model_type": "clip_vision_model", "hidden_size": 48, "num_attention_heads": 6, "num_hidden_layers": 2},
          "logit_scale_init_value": 2.6592, "projection_dim": 32}


@case("clip-hf-two-towers", "transformers clip: heads by the tower", config={"model_type": "clip", **TOWERS}, width=48, says=["text"], **LN)
def _(c):
    clip_tower(c, "text_model", 2, 32, 4, record=False)
    clip_tower(c, "vision_model", 2)


@case("siglip-two-towers", "transformers siglip: the vision tower ends with an nn.MultiheadAttention", config={"model_type": "siglip", **TOWERS},
      width=48, says=["text", "head"], **LN)
def _(c):
    clip_tower(c, "text_model", 2, 32, 4, record=False)
    clip_tower(c, "vision_model", 2)
    c.matrix("vision_model.head.attention.in_proj_weight", 144, 48)  # its queries are a probe, not tokens
    c.array("vision_model.head.attention.in_proj_bias", 144)


@case("clip-openai-two-towers", "openai/CLIP model.py: the visual transformer is wider", width=48, flags=["--heads", "6"], says=["transformer.resblocks"], **LN)
def _(c):
    for prefix, width in (("visual.transformer", 48), ("transformer", 32)):
        for i in range(2):
            at = f"{prefix}.resblocks.{i}."
            if width == 48:
                y = clip_in_proj(c, at, 6)
                c.record(at + "attn", heads(y[:, :48], 6), heads(y[:, 48:96], 6), ROOT)
            else:
                c.matrix(at + "attn.in_proj_weight", 96, 32)
                c.gain(at + "ln_1.weight", 32)


def clip_in_proj(c, at, H):
    h = c.ln(c.x, at + "ln_1")
    blocks = Q[:H] + K[:H] + [1.0] * H
    bias = c.array(at + "attn.in_proj_bias", 24 * H, sd=0.4, blocks=blocks)
    c.matrix(at + "attn.out_proj.weight", 8 * H, 8 * H)
    return h @ c.matrix(at + "attn.in_proj_weight", 24 * H, 8 * H, blocks).T + bias


@case("clip-openai-in_proj", "openai/CLIP model.py, one tower; open_clip writes the same names", flags=FOUR, **LN)
def _(c):
    for i in range(2):
        y = clip_in_proj(c, f"transformer.resblocks.{i}.", 4)
        c.record(f"transformer.resblocks.{i}.attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("qwen2-vl-two-towers", "transformers qwen2_vl: text by the top level, vision with embed_dim and num_heads", width=48, says=["visual"],
      config={"model_type": "qwen2_vl", "hidden_size": 48, "num_attention_heads": 6, "num_key_value_heads": 2, "num_hidden_layers": 2,
              "vision_config": {"model_type": "qwen2_vl", "depth": 2, "embed_dim": 40, "num_heads": 5, "hidden_size": 48}}, **RMS)
def _(c):
    decoder(c, H=6, G=2, bias="qkv")
    for i in range(2):
        c.matrix(f"visual.blocks.{i}.attn.qkv.weight", 120, 40)
        c.gain(f"visual.blocks.{i}.norm1.weight", 40)


@case("qwen2.5-vl-v5-towers", "transformers qwen2_5_vl 5: text_config and vision_config; the vision tower is the larger here",
      says=["language_model"], config={"model_type": "qwen2_5_vl",
      "text_config": {"model_type": "qwen2_5_vl_text", "hidden_size": 48, "num_attention_heads": 6, "num_key_value_heads": 2, "num_hidden_layers": 1},
      "vision_config": {"model_type": "qwen2_5_vl", "depth": 4, "hidden_size": 32, "num_heads": 4, "out_hidden_size": 48}}, **RMS)
def _(c):
    for i in range(4):
        packed(c, f"model.visual.blocks.{i}.", gain=c.rms)
    at = "model.language_model.layers.0."
    c.gain(at + "input_layernorm.weight", 48)
    for name, n in (("q_proj", 48), ("k_proj", 16), ("v_proj", 16)):
        c.matrix(f"{at}self_attn.{name}.weight", n, 48)


@case("llava-same-width", "transformers llava: a text tower and a vision tower of one width, with other heads", says=["vision"],
      config={"model_type": "llava", "text_config": {"model_type": "llama", "hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": 2,
              "num_hidden_layers": 2}, "vision_config": {"model_type": "clip_vision_model", "hidden_size": 32, "num_attention_heads": 2,
              "num_hidden_layers": 1}}, **RMS)
def _(c):
    decoder(c, block="language_model.model.layers.{}.", G=2)
    clip_tower(c, "vision_tower.vision_model", 1, 32, 2, record=False)


@case("blip-vision-qkv", "transformers blip: self_attn.qkv", config={"model_type": "blip", "vision_config": {"model_type": "blip_vision_model",
      "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2}, "text_config": {"model_type": "blip_text_model", "hidden_size": 16,
      "num_attention_heads": 2, "num_hidden_layers": 1}}, says=["text"], **LN)
def _(c):
    for i in range(2):
        packed(c, f"vision_model.encoder.layers.{i}.", attn="self_attn", norm="layer_norm1")
    for name in ("query", "key", "value"):
        c.matrix(f"text_decoder.bert.encoder.layer.0.attention.self.{name}.weight", 16, 16)


@case("trocr-encoder-decoder", "transformers vision_encoder_decoder: configs encoder and decoder", says=["decoder"],
      config={"model_type": "vision-encoder-decoder",
              "encoder": {"model_type": "vit", "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 3},
              "decoder": {"model_type": "trocr", "d_model": 16, "decoder_attention_heads": 2, "decoder_layers": 1}}, **LN)
def _(c):
    decoder(c, layers=3, block="encoder.encoder.layer.{}.", attn="attention.attention", norm="layernorm_before", gain=c.ln, bias="qkv", **IMAGES)
    for attention in ("self_attn", "encoder_attn"):
        for name in ("q_proj", "k_proj", "v_proj"):
            c.matrix(f"decoder.model.decoder.layers.0.{attention}.{name}.weight", 16, 16 if attention == "self_attn" or name == "q_proj" else 32)


# Sound.


@case("wav2vec2-post-norm", "transformers wav2vec2: behind final_layer_norm of the layer before, the first behind encoder.layer_norm",
      config=config("wav2vec2", do_stable_layer_norm=False), **LN)
def _(c):
    post_norm(c, "wav2vec2.encoder.layers.{}.", "attention", "wav2vec2.encoder.layers.{}.final_layer_norm", "wav2vec2.encoder.layer_norm",
              ("q_proj", "k_proj", "v_proj", "out_proj"), bias="qkv")
    for i in range(2):
        c.ln(c.x, f"wav2vec2.encoder.layers.{i}.layer_norm")


@case("wav2vec2-stable", "transformers wav2vec2: do_stable_layer_norm", config=config("wav2vec2", do_stable_layer_norm=True), **LN)
def _(c):
    decoder(c, block="wav2vec2.encoder.layers.{}.", attn="attention", norm="layer_norm", gain=c.ln, bias="qkv", o="out_proj")
    for i in range(2):
        c.ln(c.x, f"wav2vec2.encoder.layers.{i}.final_layer_norm")


@case("wav2vec2-conformer-relative", "transformers wav2vec2_conformer: (q + pos_bias_u)·k + (q + pos_bias_v)·position", outcome="open",
      says=["pos_bias|position"], config=config("wav2vec2-conformer", position_embeddings_type="relative"), **LN)
def _(c):
    for i in range(2):
        at = f"encoder.layers.{i}."
        q, k = c.project(c.ln(c.x, at + "self_attn_layer_norm"), at + "self_attn", q="linear_q", k="linear_k", v="linear_v", o="linear_out", bias="qkv")
        u = c.array(at + "self_attn.pos_bias_u", 4, 8, sd=0.5)
        c.array(at + "self_attn.pos_bias_v", 4, 8, sd=0.5)
        c.matrix(at + "self_attn.linear_pos.weight", 32, 32)
        c.record(at + "self_attn", q + u[:, None], k, ROOT)


@case("speecht5-relative", "transformers speecht5: the encoder adds q·pe_k; norms behind attention", outcome="named", says=["position|pe_k"],
      config={"model_type": "speecht5", "hidden_size": 32, "encoder_attention_heads": 4, "encoder_layers": 2, "decoder_attention_heads": 4, "decoder_layers": 0}, **LN)
def _(c):
    at = "speecht5.encoder.wrapped_encoder."
    post_norm(c, at + "layers.{}.", "attention", at + "layers.{}.final_layer_norm", at + "layer_norm", ("q_proj", "k_proj", "v_proj", "out_proj"), bias="qkv")
    c.array(at + "embed_positions.pe_k.weight", 16, 8)
    for i in range(2):
        c.ln(c.x, f"{at}layers.{i}.layer_norm")


@case("whisper-openai", "openai/whisper model.py: attn_ln, cross_attn_ln, encoder.ln_post; keys have no bias", says=["cross_attn"], flags=FOUR, **LN)
def _(c):
    names = dict(q="query", k="key", v="value", o="out", bias="qv")
    decoder(c, block="encoder.blocks.{}.", attn="attn", norm="attn_ln", gain=c.ln, **names)
    keys = c.ln(c.x, "encoder.ln_post")
    for i in range(2):
        at = f"decoder.blocks.{i}."
        q, k = c.project(c.ln(c.x, at + "attn_ln"), at + "attn", **names)
        c.record(at + "attn", q, k, ROOT)
        q, k = c.project(c.ln(c.x, at + "cross_attn_ln"), at + "cross_attn", keys=keys, **names)
        c.record(at + "cross_attn", q, k, ROOT, optional=True)


@case("timesfm-per-dim-scale", "transformers timesfm: each component of q times softplus(scaling)·1.4427/√d_k", outcome="open", says=["scaling|softplus"],
      refusal="scaling", config=config("timesfm", head_dim=8), **RMS)
def _(c):
    for i in range(2):
        at = f"decoder.layers.{i}."
        q, k = c.project(c.rms(c.x, at + "input_layernorm"), at + "self_attn", bias="qkv")
        c.record(at + "self_attn", q * torch.nn.functional.softplus(c.array(at + "self_attn.scaling", 8)) * 1.442695041, k, ROOT)


# diffusers, and models that it reads.


@case("sd-unet-cross", "diffusers attention.py, BasicTransformerBlock: attn2 takes keys of another width; attention_head_dim is the number of heads",
      config={"_class_name": "UNet2DConditionModel", "attention_head_dim": 4, "block_out_channels": [32], "cross_attention_dim": 24}, says=["attn2"], **LN)
def _(c):
    for i in range(2):
        at = f"down_blocks.0.attentions.{i}.transformer_blocks.0."
        q, k = c.project(c.ln(c.x, at + "norm1"), at + "attn1", q="to_q", k="to_k", v="to_v", o="to_out.0")
        c.record(at + "attn1", q, k, ROOT)
        c.gain(at + "norm2.weight", WIDTH)
        c.matrix(at + "attn2.to_q.weight", 32, 32)
        c.matrix(at + "attn2.to_k.weight", 32, 24)


@case("flux-joint", "diffusers transformer_flux.py: RMS of each head; add_q_proj and add_k_proj are those of the text", says=["add_q_proj|add_k_proj|norm_added"],
      config={"_class_name": "FluxTransformer2DModel", "num_attention_heads": 4, "attention_head_dim": 8, "num_layers": 1, "num_single_layers": 1})
def _(c):
    names = dict(q="to_q", k="to_k", v="to_v", bias="qkv")
    for block, o in (("transformer_blocks.0", "to_out.0"), ("single_transformer_blocks.0", None)):
        q, k = c.project(c.x, block + ".attn", o=o, **names)
        q, k = norm_of_heads(c, names=("norm_q", "norm_k"))(block + ".attn", q, k)
        c.record(block + ".attn", q, k, ROOT)
    at = "transformer_blocks.0.attn"
    c.project(c.x, at, q="add_q_proj", k="add_k_proj", v="add_v_proj", o="to_add_out")
    c.gain(at + ".norm_added_q.weight", 8)
    c.gain(at + ".norm_added_k.weight", 8)


@case("sd3-joint-qkv", "Stability-AI/sd3.5 mmditx.py: qkv of x_block and of context_block, ln_q", flags=FOUR)
def _(c):
    for part in ("context_block", "x_block"):
        packed(c, f"model.diffusion_model.joint_blocks.0.{part}.", norm=None, after=norm_of_heads(c, names=("ln_q", "ln_k")))


@case("pixart-adaln", "diffusers pixart_transformer_2d.py: norm1 without weights, changed by the timestep",
      config={"_class_name": "PixArtTransformer2DModel", "num_attention_heads": 4, "attention_head_dim": 8, "num_layers": 1}, says=["attn2"])
def _(c):
    at = "transformer_blocks.0."
    q, k = c.project(c.x, at + "attn1", q="to_q", k="to_k", v="to_v", o="to_out.0", bias="qkv")
    c.record(at + "attn1", q, k, ROOT)
    q, k = c.project(c.x, at + "attn2", q="to_q", k="to_k", v="to_v", o="to_out.0", bias="qkv")
    c.record(at + "attn2", q, k, ROOT, optional=True)


# Modules of PyTorch.


def in_proj(c, at, x):
    y = x @ c.matrix(at + ".in_proj_weight", 96, 32, PACKED).T + c.array(at + ".in_proj_bias", 96, sd=0.4)
    c.matrix(at + ".out_proj.weight", 32, 32)
    return heads(y[:, :32], 4), heads(y[:, 32:64], 4)


@case("torch-multihead-attention", "pytorch nn/modules/activation.py: in_proj_weight; checked with nn.MultiheadAttention itself", flags=FOUR)
def _(c):
    q, k = in_proj(c, "attention", c.x)
    c.record("attention", q, k, ROOT)


@case("torch-encoder-layer", "pytorch nn/modules/transformer.py: norm1 is before attention if norm_first", flags=FOUR)
def _(c):
    for i in range(2):
        at = f"layers.{i}."
        c.record(at + "self_attn", *in_proj(c, at + "self_attn", c.x), ROOT)
        c.matrix(at + "linear1.weight", 64, 32)
        c.ln(c.x, at + "norm1")


@case("torch-encoder-layer-norm", "pytorch nn/modules/transformer.py with norm_first: names do not tell it", outcome="open", says=["norm_first|norm1"],
      flags=FOUR, **LN)
def _(c):
    for i in range(2):
        at = f"layers.{i}."
        c.record(at + "self_attn", *in_proj(c, at + "self_attn", c.ln(c.x, at + "norm1")), ROOT)
        c.matrix(at + "linear1.weight", 64, 32)


@case("torch-decoder-layer", "pytorch nn/modules/transformer.py: multihead_attn is cross-attention", says=["multihead_attn"], flags=FOUR)
def _(c):
    for i in range(2):
        at = f"layers.{i}."
        c.record(at + "self_attn", *in_proj(c, at + "self_attn", c.x), ROOT)
        c.record(at + "multihead_attn", *in_proj(c, at + "multihead_attn", c.x), ROOT, optional=True)
        c.matrix(at + "linear1.weight", 64, 32)


@case("x-transformers", "lucidrains/x-transformers x_transformers.py: layers.0 is attention, layers.1 feeds forward; gamma", flags=FOUR, **LN)
def _(c):
    for i in (0, 2):
        at = f"attn_layers.layers.{i}."
        h = layer_norm(c.x, c.gain(at + "0.0.gamma", WIDTH))
        q, k = c.project(h, at + "1", q="to_q", k="to_k", v="to_v", o="to_out")
        c.record(at + "1", q, k, ROOT)
        c.gain(f"attn_layers.layers.{i + 1}.0.0.gamma", WIDTH)


# JAX, TensorFlow, Keras and NumPy: inputs x outputs.

def kernels(c, x, at, four=False, ends=("kernel", "bias"), names=("query", "key"), separator="/"):
    """Queries and keys of two kernels, inputs x outputs, or inputs x heads x d_k."""
    made = []
    for name, sizes in zip(names, (Q, K)):
        base = at + separator + name + separator
        if four:
            w = c.array(base + ends[0], 32, 4, 8, sd=0.3, axis=1, blocks=sizes[:4]).reshape(32, 32)
            b = c.array(base + ends[1], 4, 8, sd=0.4, blocks=sizes[:4]).reshape(32)
        else:
            w, b = c.kernel(base + ends[0], 32, 32, sizes[:4]).T, c.array(base + ends[1], 32, sd=0.4)
        made.append(heads(x @ w + b, 4))
    return made


@case("flax-heads-kernel", "google-research/vision_transformer models_vit.py: kernels of inputs x heads x d_k, LayerNorm_0/scale", **LN)
def _(c):
    for i in range(2):
        at = f"Transformer/encoderblock_{i}/"
        h = c.ln(c.x, at + "LayerNorm_0", parts=("/scale", "/bias"))
        c.array(at + "MultiHeadDotProductAttention_1/out/kernel", 4, 8, 32, sd=0.3)
        c.record(at + "MultiHeadDotProductAttention_1", *kernels(c, h, at + "MultiHeadDotProductAttention_1", True), ROOT)
        c.ln(c.x, at + "LayerNorm_2", parts=("/scale", "/bias"))


@case("flax-bert-dots", "transformers 4 modeling_flax_bert.py: kernels of inputs x outputs", flags=FOUR, config=config("bert"), **LN)
def _(c):
    for i in range(2):
        name = f"bert.encoder.layer.{i - 1}.output.LayerNorm" if i else "bert.embeddings.LayerNorm"
        h = c.ln(c.x, name, parts=(".scale", ".bias"))
        at = f"bert.encoder.layer.{i}.attention.self"
        c.record(at, *kernels(c, h, at, separator="."), ROOT)


@case("tf-bert-checkpoint", "google-research/bert modeling.py: bert/encoder/layer_0, gamma and beta", flags=FOUR, **LN)
def _(c):
    for i in range(2):
        name = f"bert/encoder/layer_{i - 1}/output/LayerNorm" if i else "bert/embeddings/LayerNorm"
        h = c.ln(c.x, name, parts=("/gamma", "/beta"))
        at = f"bert/encoder/layer_{i}/attention/self"
        c.record(at, *kernels(c, h, at), ROOT)


@case("keras-einsum-kernel", "keras multi_head_attention.py: query/kernel of inputs x heads x key_dim")
def _(c):
    for i in range(2):
        at = f"block_{i}/multi_head_attention"
        c.record(at, *kernels(c, c.x, at, True), ROOT)


@case("haiku-w", "google-deepmind/dm-haiku examples: h0_attn/query/w, h0_ln_1/scale and offset", flags=FOUR, refusal="named|query/w", **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"transformer/h{i}_ln_1", parts=("/scale", "/offset"))
        at = f"transformer/h{i}_attn"
        c.record(at, *kernels(c, h, at, ends=("w", "b")), ROOT)


@case("t5x-unscaled", "google/flaxformer dense_attention.py: no scale; --scale says so", flags=[*FOUR, "--scale", "1"], **RMS)
def _(c):
    for i in range(2):
        at = f"target/encoder/layers_{i}/"
        h = rms(c.x, c.gain(at + "pre_attention_layer_norm/scale", 32))
        made = [heads(h @ c.kernel(f"{at}attention/{name}/kernel", 32, 32, s[:4]).T, 4) for name, s in (("query", Q), ("key", K))]
        c.record(at + "attention", *made, 1.0)


@case("numpy-x-at-w-grouped", "code from scratch: Q = x @ wq; W_K is not square", flags=FOUR)
def _(c):
    for i in range(2):
        q = heads(c.x @ c.kernel(f"layers.{i}.wq", 32, 32, Q[:4]).T, 4)
        k = heads(c.x @ c.kernel(f"layers.{i}.wk", 16, 32, K[:2]).T, 2)
        c.record(f"layers.{i}", q, k, ROOT)


@case("numpy-x-at-w-narrow", "code from scratch: Q = x @ W_q, 32 inputs and 16 outputs", flags=[*FOUR, "--wq", "block_{}_Wq", "--wk", "block_{}_Wk"])
def _(c):
    for i in range(2):
        made = [heads(c.x @ c.kernel(f"block_{i}_{name}", 16, 32, s[:4]).T, 4) for name, s in (("Wq", Q), ("Wk", K))]
        c.kernel(f"block_{i}_Wo", 32, 16)
        c.record(f"block_{i}_", *made, 0.5)


@case("numpy-x-at-w-square", "code from scratch with square W: the order that is taken is said, since nothing tells it", outcome="said",
      says=["outputs|inputs"], flags=[*FOUR, "--wq", "block_{}_Wq", "--wk", "block_{}_Wk"])
def _(c):
    for i in range(2):
        for name, s in (("Wq", Q), ("Wk", K)):
            c.kernel(f"block_{i}_{name}", 32, 32, s[:4])


@case("numpy-order-said", "code from scratch with square W, and --order",
      flags=[*FOUR, "--wq", "block_{}_Wq", "--wk", "block_{}_Wk", "--order", "in-out"])
def _(c):
    for i in range(2):
        made = [heads(c.x @ c.kernel(f"block_{i}_{name}", 32, 32, s[:4]).T, 4) for name, s in (("Wq", Q), ("Wk", K))]
        c.record(f"block_{i}_", *made, ROOT)


@case("numpy-order-by-mlp", "code from scratch with square W: the matrices that widen tell the order", flags=FOUR)
def _(c):
    for i in range(2):
        made = [heads(c.x @ c.kernel(f"layers.{i}.{name}", 32, 32, s[:4]).T, 4) for name, s in (("wq", Q), ("wk", K))]
        c.kernel(f"layers.{i}.w1", 128, 32)
        c.array(f"layers.{i}.b1", 128)
        c.kernel(f"layers.{i}.w2", 32, 128)
        c.record(f"layers.{i}", *made, ROOT)


# Files that are no weights. They are inspected without --x.


@case("two-arrays-of-integers", "huggingface/candle voices.safetensors: tokens and mask", norm=None, outcome="refused", refusal="tokens|integers|named")
def _(c):
    c.array("tokens", 4, 16, kind="I64")
    c.array("mask", 4, 16, kind="U8")


@case("two-unknown-arrays", "two arrays whose names say nothing", norm=None, outcome="refused", refusal="--q|named")
def _(c):
    c.array("inputs", 20, 32)
    c.array("y", 20, 32)


@case("mel-filters", "openai/whisper assets/mel_filters.npz: mel_80 and mel_128", norm=None, outcome="refused", refusal="--q|named|queries")
def _(c):
    c.array("mel_80", 80, 201)
    c.array("mel_128", 128, 201)


@case("git-lfs-pointer", "git-lfs: a file that was not fetched", norm=None, outcome="refused", refusal="lfs")
def _(c):
    c.spec["text"] = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d7a" * 16 + "\nsize 548105171\n"


@case("html-page", "a page saved in place of the file", norm=None, outcome="refused", refusal="html|web")
def _(c):
    c.spec["text"] = "<!DOCTYPE html>\n<html><head><title>Not found</title></head><body>Not found</body></html>\n"
