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


def latent(x, low=True):  # modeling_deepseek_v3.py, DeepseekV3Attention
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
    low_k, k_rope = both.split([rkv, rope], -1)
    k = F.linear(rms(low_k, w[P.format(0) + "kv_a_layernorm.weight"]), w[P.format(0) + "kv_b_proj.weight"])
    k_nope = k.view(T, H, nope + v).transpose(0, 1)[:, :, :nope]
    return w, split(q, H), torch.cat([k_nope, k_rope.expand(H, T, rope)], -1)


def flax(x):  # a Dense of Flax: inputs × outputs
    w = {"layer_0/self_attn.query.kernel": rand(D, H * d), "layer_0/self_attn.key.kernel": rand(D, H * d)}
    q, k = (split(x @ m, H) for m in w.values())
    return w, q, k


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
for name, (make, args, config) in CASES.items():
    x = torch.randn(T, D)
    w, q, k = make(x, **args)
    folder = name.replace(" ", "_")
    os.makedirs(folder, exist_ok=True)
    save(folder + "/model.safetensors", w | {"x": x})
    json.dump(config, open(folder + "/config.json", "w"))
    s = q @ k.transpose(1, 2)
    n = T
    # The unbiased variance over pairs that share neither a query nor a key.
    S, R, C = (s**2).sum((1, 2)), s.sum(2), s.sum(1)
    apart = (s.sum((1, 2)) ** 2 - (R**2).sum(1) - (C**2).sum(1) + S) / (n * (n - 1)) ** 2
    # The weights of a head by least squares, of MLA by its matrices without the norms between.
    def weights(y):
        return torch.linalg.lstsq(torch.cat([x, torch.ones(T, 1)], 1), y).solution[:D]

    if make is latent:
        kva, kvb = w[P.format(0) + "kv_a_proj_with_mqa.weight"], w[P.format(0) + "kv_b_proj.weight"]
        kvb = (kvb * w[P.format(0) + "kv_a_layernorm.weight"]).view(H, -1, kvb.shape[1])[:, :6]
        wk = [torch.cat([b @ kva[:8], kva[8:]]).T for b in kvb]
        wq = w.get(P.format(0) + "q_proj.weight")
        if wq is None:
            wq = w[P.format(0) + "q_b_proj.weight"] * w[P.format(0) + "q_a_layernorm.weight"] @ w[P.format(0) + "q_a_proj.weight"]
        wq = [m.T for m in wq.view(H, -1, D)]
    else:
        wq, wk = [weights(y) for y in q], [weights(y) for y in k]
    squares = [torch.linalg.svdvals(a @ b.T) ** 2 for a, b in zip(wq, wk)]
    ratio = [None if args.get("norm") else (v.sum() ** 2 / (v**2).sum()).item() for v in squares]
    held.append({"Participation": ratio, "Name": name, "Folder": folder, "Heads": H, "Dimension": q.shape[-1],
                 "Mean": s.mean((1, 2)).tolist(), "Variance": (S / n**2 - apart).tolist(), "Largest": s.amax((1, 2)).tolist(),
                 "Query": q[0, 0].tolist(), "Key": k[-1, -1].tolist()})
json.dump(held, open("layouts.json", "w"), indent=0)
