"""Writes a small state dict in every layout that is read, with activations x, and the queries and
keys that PyTorch makes of them as each model's code does (the file is named beside each; those of
Hugging Face are src/transformers/models/NAME/modeling_NAME.py). Positions are left out.

    python3 layouts.py

Made with Debian's PyTorch 1.13.0 and NumPy 1.24.2."""

import json
import os
import struct

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(36)
torch.set_default_dtype(torch.float64)
D, H, d, T = 24, 4, 6, 40
P = "model.layers.{}.self_attn."


def rand(*shape):
    return torch.randn(*shape) / D**0.5


def rms(x, gain=None, eps=1e-6):
    x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return x if gain is None else x * gain


def split(x, heads):
    return x.view(T, heads, -1).transpose(0, 1)


def expand(k, heads):
    return k.repeat_interleave(heads // k.shape[0], 0)


def separate(x, kv=H, bias=False, norm=None):  # modeling_llama.py, modeling_qwen3.py, modeling_olmo2.py
    w = {P.format(0) + "q_proj.weight": rand(H * d, D), P.format(0) + "k_proj.weight": rand(kv * d, D)}
    if bias:
        w |= {P.format(0) + "q_proj.bias": rand(H * d), P.format(0) + "k_proj.bias": rand(kv * d)}
    q, k = (F.linear(x, w[P.format(0) + n + "_proj.weight"], w.get(P.format(0) + n + "_proj.bias")) for n in "qk")
    if norm == "whole":
        w |= {P.format(0) + "q_norm.weight": rand(H * d) + 1, P.format(0) + "k_norm.weight": rand(kv * d) + 1}
        q, k = rms(q, w[P.format(0) + "q_norm.weight"]), rms(k, w[P.format(0) + "k_norm.weight"])
    q, k = split(q, H), split(k, kv)
    if norm in ("head", "plus one"):
        w |= {P.format(0) + "q_norm.weight": rand(d) + 1, P.format(0) + "k_norm.weight": rand(d) + 1}
        one = norm == "plus one"  # modeling_gemma3.py: x·(1 + weight)
        q, k = rms(q, w[P.format(0) + "q_norm.weight"] + one), rms(k, w[P.format(0) + "k_norm.weight"] + one)
    if norm == "layer":  # modeling_cohere.py: LayerNorm of each head, without a bias
        w |= {P.format(0) + "q_norm.weight": rand(H, d) + 1, P.format(0) + "k_norm.weight": rand(kv, d) + 1}
        q = F.layer_norm(q, (d,), eps=1e-6) * w[P.format(0) + "q_norm.weight"][:, None]
        k = F.layer_norm(k, (d,), eps=1e-6) * w[P.format(0) + "k_norm.weight"][:, None]
    return w, q, expand(k, H)


def in_proj(x):  # torch/nn/modules/activation.py, MultiheadAttention; its own weights
    m = nn.MultiheadAttention(D, H)
    nn.init.normal_(m.in_proj_bias)
    q, k, _ = F.linear(x, m.in_proj_weight, m.in_proj_bias).chunk(3, -1)
    q, k = split(q, H), split(k, H)
    # The module itself gives softmax(q·k/√d_k): its logarithms are these logits but for a constant.
    weights = m(x[:, None], x[:, None], x[:, None], average_attn_weights=False)[1][0]
    logits = q @ k.transpose(1, 2) / d**0.5
    assert torch.allclose(weights.log(), logits.log_softmax(-1), atol=1e-9)
    return {"layer.0.attn.in_proj_weight": m.in_proj_weight, "layer.0.attn.in_proj_bias": m.in_proj_bias}, q, k


def c_attn(x):  # modeling_gpt2.py, Conv1D: x @ weight + bias
    w = {"h.0.attn.c_attn.weight": rand(D, 3 * D), "h.0.attn.c_attn.bias": rand(3 * D)}
    q, k, _ = (x @ w["h.0.attn.c_attn.weight"] + w["h.0.attn.c_attn.bias"]).split(D, -1)
    return w, split(q, H), split(k, H)


def neox(x):  # modeling_gpt_neox.py: view(heads, 3·head_size).chunk(3)
    n = "gpt_neox.layers.0.attention.query_key_value."
    w = {n + "weight": rand(3 * H * d, D), n + "bias": rand(3 * H * d)}
    q, k, _ = F.linear(x, w[n + "weight"], w[n + "bias"]).view(T, H, 3 * d).transpose(0, 1).chunk(3, -1)
    return w, q, k


def grouped(x, kv=2):  # modeling_internlm2.py: rearrange(b q (h gs d)), gs = 2 + groups
    n = "model.layers.0.attention.wqkv.weight"
    w = {n: rand((H + 2 * kv) * d, D)}
    y = F.linear(x, w[n]).view(T, kv, H // kv + 2, d)
    return w, y[:, :, : H // kv].reshape(T, H, d).transpose(0, 1), expand(y[:, :, -2].transpose(0, 1), H)


def fused(x, kv=2):  # modeling_phi3.py: qkv_proj, queries then keys then values
    n = P.format(0) + "qkv_proj.weight"
    w = {n: rand((H + 2 * kv) * d, D)}
    y = F.linear(x, w[n])
    return w, split(y[:, : H * d], H), expand(split(y[:, H * d : (H + kv) * d], kv), H)


def multi_query(x):  # modeling_falcon.py, multi_query: fused_qkv.view(heads + 2, d), the last two are key and value
    n = "transformer.h.0.self_attention.query_key_value.weight"
    w = {n: rand((H + 2) * d, D)}
    y = F.linear(x, w[n]).view(T, H + 2, d).transpose(0, 1)
    return w, y[:-2], expand(y[-2:-1], H)


def latent(x, low=True, bias=False):  # modeling_deepseek_v3.py, DeepseekV3Attention
    rq, rkv, nope, rope, v = 10, 8, 6, 4, 5
    w = {P.format(0) + "kv_a_proj_with_mqa.weight": rand(rkv + rope, D), P.format(0) + "kv_a_layernorm.weight": rand(rkv) + 1,
         P.format(0) + "kv_b_proj.weight": rand(H * (nope + v), rkv)}
    if low:
        w |= {P.format(0) + "q_a_proj.weight": rand(rq, D), P.format(0) + "q_a_layernorm.weight": rand(rq) + 1,
              P.format(0) + "q_b_proj.weight": rand(H * (nope + rope), rq)}
        a = rms(F.linear(x, w[P.format(0) + "q_a_proj.weight"]), w[P.format(0) + "q_a_layernorm.weight"])
        q = F.linear(a, w[P.format(0) + "q_b_proj.weight"])
    else:
        w |= {P.format(0) + "q_proj.weight": rand(H * (nope + rope), D)}
        q = F.linear(x, w[P.format(0) + "q_proj.weight"])
    both = F.linear(x, w[P.format(0) + "kv_a_proj_with_mqa.weight"])
    if bias:  # attention_bias
        w |= {P.format(0) + "q_a_proj.bias": rand(rq), P.format(0) + "kv_a_proj_with_mqa.bias": rand(rkv + rope)}
        a = F.linear(x, w[P.format(0) + "q_a_proj.weight"], w[P.format(0) + "q_a_proj.bias"])
        q = F.linear(rms(a, w[P.format(0) + "q_a_layernorm.weight"]), w[P.format(0) + "q_b_proj.weight"])
        both = both + w[P.format(0) + "kv_a_proj_with_mqa.bias"]
    low_k, k_rope = both.split([rkv, rope], -1)
    k = F.linear(rms(low_k, w[P.format(0) + "kv_a_layernorm.weight"]), w[P.format(0) + "kv_b_proj.weight"])
    k_nope = k.view(T, H, nope + v).transpose(0, 1)[:, :, :nope]
    return w, split(q, H), torch.cat([k_nope, k_rope.expand(H, T, rope)], -1)


def flax(x):  # a Dense of Flax: inputs × outputs
    w = {"layer_0/self_attn.query.kernel": rand(D, H * d), "layer_0/self_attn.key.kernel": rand(D, H * d)}
    q, k = (split(x @ m, H) for m in w.values())
    return w, q, k


def bias_of_queries(x):  # huggingface/pytorch-image-models, timm/models/beit.py: cat((q_bias, k_bias of 0, v_bias))
    w = {"blocks.0.attn.qkv.weight": rand(3 * D, D), "blocks.0.attn.q_bias": rand(D), "blocks.0.attn.v_bias": rand(D)}
    bias = torch.cat((w["blocks.0.attn.q_bias"], torch.zeros(D), w["blocks.0.attn.v_bias"]))
    q, k, _ = F.linear(x, w["blocks.0.attn.qkv.weight"], bias).reshape(T, 3, H, d).permute(1, 2, 0, 3).unbind(0)
    return w, q, k


def other_values(x):  # torch/nn/modules/activation.py, where values have another width; its own weights
    m = nn.MultiheadAttention(D, H, vdim=10)
    nn.init.normal_(m.in_proj_bias)
    q, k = (split(F.linear(x, w, b), H) for w, b in zip((m.q_proj_weight, m.k_proj_weight), m.in_proj_bias.chunk(3)))
    weights = m(x[:, None], x[:, None], torch.randn(T, 1, 10), average_attn_weights=False)[1][0]
    assert torch.allclose(weights.log(), (q @ k.transpose(1, 2) / d**0.5).log_softmax(-1), atol=1e-9)
    return {"layer.0.attn." + n: p for n, p in m.named_parameters() if "out_proj" not in n}, q, k


def bigcode(x, kv=H):  # modeling_gpt_bigcode.py: by head, or, with multi_query, queries and one key and value
    n = "transformer.h.0.attn.c_attn."
    w = {n + "weight": rand((H + 2 * kv) * d, D), n + "bias": rand((H + 2 * kv) * d)}
    y = F.linear(x, w[n + "weight"], w[n + "bias"])
    if kv == 1:
        q, key_value = y.split((H * d, 2 * d), dim=1)
        return w, split(q, H), expand(key_value[None, :, :d], H)
    q, key_value = y.view(T, H, 3 * d).transpose(0, 1).split((d, 2 * d), dim=2)
    return w, q, key_value[:, :, :d]


def list_of_norms(x, kv=2):  # modeling_stablelm.py, StableLmLayerNormPerHead
    w, q, k = separate(x, kv)
    q, k = q.clone(), k[:: H // kv].clone()
    for n, heads in (("q", q), ("k", k)):
        for h in range(len(heads)):
            gain = w[P.format(0) + f"{n}_layernorm.norms.{h}.weight"] = rand(d) + 1
            heads[h] = F.layer_norm(heads[h], (d,), gain, eps=1e-5)
    return w, q, expand(k, H)


def persimmon(x):  # modeling_persimmon.py: view(heads, 3, d), LayerNorm of queries and keys
    n = "model.layers.0.self_attn."
    w = {n + "query_key_value.weight": rand(3 * D, D), n + "query_key_value.bias": rand(3 * D)}
    y = F.linear(x, w[n + "query_key_value.weight"], w[n + "query_key_value.bias"]).view(T, H, 3, d)
    w |= {n + f"{s}_layernorm.{part}": rand(d) + (part == "weight") for s in "qk" for part in ("weight", "bias")}
    q, k = (F.layer_norm(y[:, :, i], (d,), w[n + f"{s}_layernorm.weight"], w[n + f"{s}_layernorm.bias"], 1e-5).transpose(0, 1) for i, s in enumerate("qk"))
    return w, q, k


def flax_heads(x):  # flax/linen/attention.py, MultiHeadDotProductAttention: kernels of inputs × heads × d_k
    n = "params/encoder/attention/"
    w = {n + s + "/kernel": rand(D, H, d) for s in ("query", "key")} | {n + s + "/bias": rand(H, d) for s in ("query", "key")}
    q, k = (torch.einsum("td,dhk->htk", x, w[n + s + "/kernel"]) + w[n + s + "/bias"][:, None] for s in ("query", "key"))
    return w, q, k


def bert(x):  # modeling_bert.py, BertSelfAttention, behind the norm of the embeddings
    n = "bert.encoder.layer.0.attention.self."
    w = {n + s + part: rand(*shape) for s in ("query", "key") for part, shape in ((".weight", (D, D)), (".bias", (D,)))}
    q, k = (split(F.linear(x, w[n + s + ".weight"], w[n + s + ".bias"]), H) for s in ("query", "key"))
    return w, q, k


def scaled_cosine(x):  # huggingface/pytorch-image-models, timm/models/swin_transformer_v2.py: F.normalize, logit_scale of each head
    n, logs = "layers.0.blocks.0.attn.", torch.tensor([0.5, 1.5, 4.0, 6.0])
    w = {n + "qkv.weight": rand(3 * D, D), n + "logit_scale": logs.view(H, 1, 1)}
    q, k, _ = F.linear(x, w[n + "qkv.weight"]).view(T, 3, H, d).permute(1, 2, 0, 3).unbind(0)
    factor = logs.clamp(max=torch.log(torch.tensor(100.0))).exp()
    return w, F.normalize(q, dim=-1) * factor[:, None, None], F.normalize(k, dim=-1)


def gated(x, kv=2):  # modeling_qwen3_next.py: q_proj(x).view(heads, 2·d).chunk(2)
    w = {P.format(0) + "q_proj.weight": rand(2 * H * d, D), P.format(0) + "k_proj.weight": rand(kv * d, D)}
    q, _ = F.linear(x, w[P.format(0) + "q_proj.weight"]).view(T, H, 2 * d).transpose(0, 1).chunk(2, -1)
    return w, q, expand(split(F.linear(x, w[P.format(0) + "k_proj.weight"]), kv), H)


def packed(x, name="transformer.blocks.0.attn.Wqkv.weight", kv=1):  # modeling_mpt.py: queries, then keys, then values
    w = {name: rand((H + 2 * kv) * d, D)}
    y = F.linear(x, w[name])
    return w, split(y[:, : H * d], H), expand(split(y[:, H * d : (H + kv) * d], kv), H)


def by_layer(x):  # apple/OpenELM modeling_openelm.py: lists of heads of queries and of keys
    w, q, k = {}, [], []
    for i, (heads, kv) in enumerate(((2, 1), (4, 2))):
        n = f"transformer.layers.{i}.attn.qkv_proj.weight"
        w[n] = rand((heads + 2 * kv) * d, D)
        y = F.linear(x, w[n])
        q.append(split(y[:, : heads * d], heads))
        k.append(expand(split(y[:, heads * d : (heads + kv) * d], kv), heads))
    return w, torch.cat(q), torch.cat(k)


def times_w(x, names=("block_0_Wq", "block_0_Wk"), kv=H, more=()):  # x @ W of NumPy, with b next to it
    w = {names[0]: rand(D, H * d), names[1]: rand(D, kv * d)}
    q, k = split(x @ w[names[0]], H), expand(split(x @ w[names[1]], kv), H)
    return w | {n: torch.zeros(*shape) for n, shape in more}, q, k


def haiku(x):  # google-deepmind/dm-haiku, haiku/_src/attention.py: Linear, x @ w + b
    w = {f"net/~/h0_attn/{s}/{p}": rand(*shape) for s in ("query", "key") for p, shape in (("w", (D, D)), ("b", (D,)))}
    q, k = (split(x @ w[f"net/~/h0_attn/{s}/w"] + w[f"net/~/h0_attn/{s}/b"], H) for s in ("query", "key"))
    return w, q, k


def own_names(x):  # deepseek-ai/DeepSeek-V3, inference/model.py: the names of modeling_deepseek_v3.py are others
    names = {"kv_a_proj_with_mqa": "wkv_a", "kv_a_layernorm": "kv_norm", "kv_b_proj": "wkv_b", "q_a_proj": "wq_a", "q_a_layernorm": "q_norm", "q_b_proj": "wq_b"}
    w, q, k = latent(x)
    return {"layers.0.attn." + names[n.split(".")[-2]] + ".weight": m for n, m in w.items()}, q, k


def two_towers(x, tower="text"):  # modeling_qwen2_vl.py: the vision tower has a packed array and heads of its own
    text, q, k = separate(x, 2)
    vision, qv, kv = packed(x, "visual.blocks.0.attn.qkv.weight", H)
    return text | vision, *((q, k) if tower == "text" else (qv, kv))


def crossed(x):  # modeling_whisper.py: encoder_attn takes keys of the encoder, so it is left out
    w, q, k = separate(x)
    w = {"model.decoder.layers.0.self_attn." + n.split("self_attn.")[1]: m for n, m in w.items()}
    return w | {f"model.decoder.layers.0.encoder_attn.{s}_proj.weight": rand(D, D) for s in "qk"}, q, k


CASES = {
    "separate": (separate, {}, {"num_attention_heads": H, "model_type": "llama"}),
    "bias": (separate, {"bias": True}, {"num_attention_heads": H}),
    "grouped keys": (separate, {"kv": 2}, {"num_attention_heads": H, "num_key_value_heads": 2}),
    "norm of heads": (separate, {"norm": "head", "kv": 2}, {"model_type": "qwen3"}),
    "norm with one": (separate, {"norm": "plus one"}, {"model_type": "gemma3_text", "num_attention_heads": H, "query_pre_attn_scalar": d}),
    "norm of all": (separate, {"norm": "whole", "kv": 2}, {"model_type": "olmo2", "num_attention_heads": H, "num_key_value_heads": 2}),
    "layernorm of heads": (separate, {"norm": "layer"}, {"model_type": "cohere", "num_attention_heads": H}),
    "in_proj": (in_proj, {}, {"n_head": H}),
    "c_attn": (c_attn, {}, {"n_head": H, "model_type": "gpt2"}),
    "neox": (neox, {}, {"num_attention_heads": H, "model_type": "gpt_neox"}),
    "grouped": (grouped, {}, {"num_attention_heads": H, "num_key_value_heads": 2, "model_type": "internlm2"}),
    "fused": (fused, {}, {"num_attention_heads": H, "num_key_value_heads": 2, "model_type": "phi3"}),
    "multi-query": (multi_query, {}, {"num_attention_heads": H, "multi_query": True, "model_type": "falcon"}),
    "mla": (latent, {}, {"num_attention_heads": H, "model_type": "deepseek_v3"}),
    "mla without a latent of queries": (latent, {"low": False}, {"num_attention_heads": H}),
    "flax": (flax, {}, {"num_heads": H}),
    "bias of queries": (bias_of_queries, {}, {"num_heads": H}),
    "other values": (other_values, {}, {"num_heads": H}),
    "bigcode": (bigcode, {}, {"n_head": H, "multi_query": False, "model_type": "gpt_bigcode"}),
    "bigcode multi-query": (bigcode, {"kv": 1}, {"n_head": H, "multi_query": True, "model_type": "gpt_bigcode"}),
    "list of norms": (list_of_norms, {}, {"num_attention_heads": H, "num_key_value_heads": 2, "layer_norm_eps": 1e-5, "model_type": "stablelm"}),
    "persimmon": (persimmon, {}, {"num_attention_heads": H, "layer_norm_eps": 1e-5, "model_type": "persimmon"}),
    "mla with biases": (latent, {"bias": True}, {"num_attention_heads": H, "model_type": "deepseek_v3"}),
    "behind layernorm": (separate, {"bias": True, "behind": "layernorm"}, {"num_attention_heads": H}),
    "behind rmsnorm": (separate, {"kv": 2, "behind": "rmsnorm"}, {"num_attention_heads": H, "num_key_value_heads": 2, "model_type": "gemma"}),
    "flax heads": (flax_heads, {}, {}),
    "bert": (bert, {"behind": "layernorm", "norm at": "bert.embeddings.LayerNorm"}, {"num_attention_heads": H, "model_type": "bert"}),
    "mla behind rmsnorm": (latent, {"behind": "rmsnorm"}, {"num_attention_heads": H, "model_type": "deepseek_v3"}),
    "scaled cosine": (scaled_cosine, {}, {}),
    "gated queries": (gated, {}, {"num_attention_heads": H, "num_key_value_heads": 2, "head_dim": d, "model_type": "qwen3_next"}),
    "nested number of keys": (packed, {}, {"n_heads": H, "d_model": D, "attn_config": {"kv_n_heads": 1}, "model_type": "mpt"}),
    "heads alone": (packed, {"name": "layers.0.attn.qkv.weight"}, {}, {"Heads": H}),
    "heads by layer": (by_layer, {}, {"num_query_heads": [2, 4], "num_kv_heads": [1, 2], "head_dim": d, "model_dim": D, "model_type": "openelm"}),
    "inputs by outputs, said": (times_w, {}, {}, {"Heads": H, "Order": "in-out"}),
    "inputs by outputs, by a bias": (times_w, {"more": (("block_0_W1", (D, 4 * D)), ("block_0_b1", (4 * D,)))}, {}, {"Heads": H}),
    "inputs by outputs, by shared keys": (times_w, {"names": ("wq", "wk"), "kv": 2}, {}, {"Heads": H}),
    "haiku": (haiku, {}, {}, {"Heads": H}),
    "mla with names of its own": (own_names, {}, {"n_heads": H}),
    "text of two towers": (two_towers, {}, {"num_attention_heads": H, "num_key_value_heads": 2, "vision_config": {"num_heads": H, "embed_dim": D}}, {"Tower": "model."}),
    "vision of two towers": (two_towers, {"tower": "vision"}, {"num_attention_heads": 2, "vision_config": {"num_heads": H, "embed_dim": D}}, {"Tower": "visual"}),
    "cross-attention": (crossed, {}, {"decoder_attention_heads": H, "encoder_attention_heads": 2, "d_model": D, "model_type": "whisper"}),
}


def save(path, arrays):
    header, data = {}, b""
    for name, t in arrays.items():
        raw = t.detach().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F64", "shape": list(t.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)


held = []
for name, (make, args, config, *options) in CASES.items():
    x = torch.randn(T, D)
    behind, inputs, gain, norm = args.pop("behind", None), x, torch.ones(D), {}
    at = args.pop("norm at", "model.layers.0.input_layernorm")
    if behind:  # the norm before attention: LayerNorm of torch.nn, RMSNorm of modeling_llama.py, of Gemma with 1 + weight
        norm = {at + ".weight": rand(D) + 1}
        gain = norm[at + ".weight"] + (config.get("model_type") == "gemma")
        if behind == "layernorm":
            norm[at + ".bias"] = rand(D)
            inputs = F.layer_norm(x, (D,), gain, norm[at + ".bias"], 1e-6)
        else:
            inputs = rms(x, gain)
    w, q, k = make(inputs, **args)
    folder = name.replace(",", "").replace(" ", "_")
    os.makedirs(folder, exist_ok=True)
    save(folder + "/model.safetensors", w | norm | {"x": x})
    json.dump(config, open(folder + "/config.json", "w"))
    s = q @ k.transpose(1, 2)
    n = T
    # The unbiased variance over pairs that share neither a query nor a key.
    S, R, C = (s**2).sum((1, 2)), s.sum(2), s.sum(1)
    apart = (s.sum((1, 2)) ** 2 - (R**2).sum(1) - (C**2).sum(1) + S) / (n * (n - 1)) ** 2
    # The weights of a head by least squares, of MLA by its matrices without the norms between.
    def weights(y):
        return torch.linalg.lstsq(torch.cat([inputs, torch.ones(T, 1)], 1), y).solution[:D]

    # What a norm before them leaves of weights: its gain, and of LayerNorm no mean over the inputs.
    def left(a):
        a = gain[:, None] * a
        return a - a.mean(0) if behind == "layernorm" else a

    if make is latent:
        kva, kvb = w[P.format(0) + "kv_a_proj_with_mqa.weight"], w[P.format(0) + "kv_b_proj.weight"]
        kvb = (kvb * w[P.format(0) + "kv_a_layernorm.weight"]).view(H, -1, kvb.shape[1])[:, :6]
        wk = [torch.cat([b @ kva[:8], kva[8:]]).T for b in kvb]
        wq = w.get(P.format(0) + "q_proj.weight")
        if wq is None:
            wq = w[P.format(0) + "q_b_proj.weight"] * w[P.format(0) + "q_a_layernorm.weight"] @ w[P.format(0) + "q_a_proj.weight"]
        wq = [m.T for m in wq.view(H, -1, D)]
    elif behind and make is not bert:
        wq, wk = (expand(w[P.format(0) + n + "_proj.weight"].view(-1, d, D).transpose(1, 2), H) for n in "qk")
    elif make is bert:
        wq, wk = (w["bert.encoder.layer.0.attention.self." + n + ".weight"].view(H, d, D).transpose(1, 2) for n in ("query", "key"))
    else:
        wq, wk = [weights(y) for y in q], [weights(y) for y in k]
    squares = [torch.linalg.svdvals(left(a) @ left(b).T) ** 2 for a, b in zip(wq, wk)]
    ratio = [None if args.get("norm") or make in (list_of_norms, persimmon, scaled_cosine, own_names) else (v.sum() ** 2 / (v**2).sum()).item() for v in squares]
    held.append({"Participation": ratio, "Name": name, "Norm": behind or "", "Folder": folder, "Heads": len(q), "Options": options[0] if options else {}, "Dimension": q.shape[-1],
                 "Mean": s.mean((1, 2)).tolist(), "Variance": (S / n**2 - apart).tolist(), "Largest": s.amax((1, 2)).tolist(),
                 "Query": q[0, 0].tolist(), "Key": k[-1, -1].tolist()})
json.dump(held, open("layouts.json", "w"), indent=0)
