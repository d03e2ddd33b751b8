"""Models of text."""
import math

import torch

from tiny import HEADS, K, Q, SIZE, WIDTH, case, heads, layer_norm, rms

ROOT = SIZE**-0.5


def config(model_type, G=None, **more):
    """The keys that most models of transformers have."""
    c = {"model_type": model_type, "hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": 2}
    if G:
        c["num_key_value_heads"] = G
    return {**c, **more}


def decoder(c, scale=ROOT, layers=2, block="model.layers.{}.", attn="self_attn", norm="input_layernorm", gain=None, after=None,
            **options):
    """Blocks of a norm, then attention; after changes queries and keys, as a norm of theirs does."""
    gain = gain or c.rms
    for i in range(layers):
        at = block.format(i)
        h = gain(c.x, at + norm) if norm else c.x
        q, k = c.project(h, at + attn, **options)
        if after:
            q, k = after(at + attn, q, k)
        c.record(at + attn, q, k, scale(i) if callable(scale) else scale)


def norm_of_heads(c, d=SIZE, offset=0.0, names=("q_norm", "k_norm"), kind=None):
    """A norm over the components of a head, with one gain for all heads."""
    kind = kind or c.rms
    return lambda at, q, k: (kind(q, f"{at}.{names[0]}", offset=offset), kind(k, f"{at}.{names[1]}", offset=offset))


def norm_of_all(c, names=("q_norm", "k_norm")):
    """A norm over all heads together."""
    def after(at, q, k):
        whole = lambda t: t.transpose(0, 1).reshape(t.shape[1], -1)
        return tuple(heads(c.rms(whole(t), f"{at}.{name}"), len(t)) for t, name in zip((q, k), names))
    return after


RMS, LN = {"norm": "rmsnorm"}, {"norm": "layernorm"}

# Families of Llama.


@case("llama-gqa", "transformers llama", config=config("llama", 2), **RMS)
def _(c):
    decoder(c, G=2)


@case("llama-no-config", "transformers llama", flags=["--heads", "4"], **RMS)
def _(c):
    decoder(c, G=2)


@case("llama-two-heads-flags", "transformers llama", config=config("llama", 2), flags=["--heads", "4", "--kv-heads", "2"], **RMS)
def _(c):
    decoder(c, G=2)


@case("config-of-another-width", "transformers llama", config=config("llama", 2, hidden_size=512), outcome="refused",
      refusal="hidden_size|512", **RMS)
def _(c):
    decoder(c, G=2)


@case("config-of-more-layers", "transformers llama: a shard has fewer layers than the config, so that it may be read if that is said",
      config=config("llama", 2, num_hidden_layers=12), says=["12"], refusal="layers", **RMS)
def _(c):
    decoder(c, G=2)


@case("mistral-head_dim", "transformers mistral: head_dim need not be hidden_size / heads", config=config("mistral", 2, head_dim=16), **RMS)
def _(c):
    decoder(c, scale=1 / 4, G=2, d=16)


@case("qwen2-bias", "transformers qwen2", config=config("qwen2", 2), **RMS)
def _(c):
    decoder(c, G=2, bias="qkv")


@case("qwen3-qnorm", "transformers qwen3", config=config("qwen3", 2, head_dim=16), **RMS)
def _(c):
    decoder(c, scale=1 / 4, G=2, d=16, after=norm_of_heads(c))


@case("qwen3_next-gated", "transformers qwen3_next: q_proj has of each head d_k queries, then d_k gates; gains 1 + w",
      config=config("qwen3_next", 2, head_dim=16, layer_types=["linear_attention", "full_attention"]), **RMS)
def _(c):
    at = "model.layers.1."
    c.matrix("model.layers.0.linear_attn.in_proj_qkvz.weight", 4 * WIDTH, WIDTH)
    h = c.rms(c.x, at + "input_layernorm", offset=1)
    both = c.linear(h, at + "self_attn.q_proj", 2 * 64, [s for q in Q[:4] for s in (q, 3.0)], bias=False)
    q = both.view(-1, 4, 32)[..., :16].transpose(0, 1)
    k = heads(c.linear(h, at + "self_attn.k_proj", 32, K[:2], False), 2)
    c.matrix(at + "self_attn.o_proj.weight", WIDTH, 64)
    q, k = norm_of_heads(c, offset=1)(at + "self_attn", q, k)
    c.record(at + "self_attn", q, k, 1 / 4)


@case("gemma3-qnorm-scalar", "transformers gemma3: gains 1 + w, query_pre_attn_scalar",
      config=config("gemma3_text", 2, head_dim=16, query_pre_attn_scalar=24, attn_logit_softcapping=None), **RMS)
def _(c):
    decoder(c, scale=24**-0.5, G=2, d=16, gain=lambda x, name: c.rms(x, name, offset=1), after=norm_of_heads(c, offset=1))


@case("gemma2-softcap", "transformers gemma2: 4·tanh(logit/4)", outcome="named", says=["cap"],
      config=config("gemma2", 2, head_dim=8, query_pre_attn_scalar=24, attn_logit_softcapping=4.0), **RMS)
def _(c):
    decoder(c, scale=24**-0.5, G=2, gain=lambda x, name: c.rms(x, name, offset=1))


@case("gemma2-without-cap", "transformers gemma2: null turns the cap off",
      config=config("gemma2", 2, head_dim=8, query_pre_attn_scalar=24, attn_logit_softcapping=None), **RMS)
def _(c):
    decoder(c, scale=24**-0.5, G=2, gain=lambda x, name: c.rms(x, name, offset=1))


@case("gemma3n-unscaled", "transformers gemma3n: scaling 1.0, gains w", config=config("gemma3n_text", 2, head_dim=8), **RMS)
def _(c):
    decoder(c, scale=1.0, G=2, after=norm_of_heads(c))


@case("gemma4-two-sizes", "transformers gemma4: scaling 1.0; layers of full attention have global_head_dim and no v_proj",
      config=config("gemma4_text", 2, head_dim=8, global_head_dim=16, num_global_key_value_heads=1, attention_k_eq_v=True,
                    layer_types=["sliding_attention", "full_attention"]), **RMS)
def _(c):
    for i, (d, G, v) in enumerate([(8, 2, "v_proj"), (16, 1, None)]):
        at = f"model.layers.{i}."
        q, k = c.project(c.rms(c.x, at + "input_layernorm"), at + "self_attn", G=G, d=d, v=v)
        q, k = norm_of_heads(c)(at + "self_attn", q, k)
        c.record(at + "self_attn", q, k, 1.0)


@case("granite-multiplier", "transformers granite: attention_multiplier", config=config("granite", 2, attention_multiplier=0.3,
      embedding_multiplier=12.0, residual_multiplier=0.22, logits_scaling=8.0), **RMS)
def _(c):
    decoder(c, scale=0.3, G=2)


def yarn(factor):
    return 0.1 * math.log(factor) + 1


@case("gpt-oss-yarn-sinks", "transformers gpt_oss: cos and sin times 1.3466, sinks", outcome="named", says=["sink"],
      config=config("gpt_oss", 2, head_dim=8, rope_scaling={"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0,
                    "truncate": False, "original_max_position_embeddings": 4096}), **RMS)
def _(c):
    decoder(c, scale=ROOT * yarn(32) ** 2, G=2, bias="qk")
    for i in range(2):
        c.array(f"model.layers.{i}.self_attn.sinks", HEADS)


@case("qwen2.5-yarn", "transformers qwen2 with YaRN, keys of transformers 4",
      config=config("qwen2", 2, rope_scaling={"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}), **RMS)
def _(c):
    decoder(c, scale=ROOT * yarn(4) ** 2, G=2, bias="qkv")


@case("qwen2.5-yarn-v5", "transformers qwen2 with YaRN, keys of transformers 5", config=config("qwen2", 2, rope_parameters={
      "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "rope_theta": 1e6}), **RMS)
def _(c):
    decoder(c, scale=ROOT * yarn(4) ** 2, G=2, bias="qkv")


def fused(c, at, rows, blocks, gain, name, bias=False):
    return c.linear(gain(c.x, at[0]), at[1] + "." + name, rows, blocks, bias)


@case("phi3-fused", "transformers phi3: qkv_proj is queries, keys, values", config=config("phi3", 2), **RMS)
def _(c):
    phi3(c, ROOT)


def phi3(c, scale, d=SIZE):
    for i in range(2):
        at = f"model.layers.{i}."
        y = fused(c, (at + "input_layernorm", at + "self_attn"), 8 * d, Q[:4] + K[:2] + [1.0, 1.0], c.rms, "qkv_proj")
        c.matrix(at + "self_attn.o_proj.weight", WIDTH, 4 * d)
        c.record(at + "self_attn", heads(y[:, : 4 * d], 4), heads(y[:, 4 * d : 6 * d], 2), scale)


@case("phi3-longrope", "transformers phi3: longrope multiplies cos and sin by √(1 + ln 32/ln 4096)",
      config=config("phi3", 2, max_position_embeddings=131072, original_max_position_embeddings=4096,
                    rope_scaling={"type": "longrope", "short_factor": [1.0] * 4, "long_factor": [2.0] * 4}), **RMS)
def _(c):
    phi3(c, ROOT * (1 + math.log(32) / math.log(4096)))


@case("phi4-longrope-partial", "transformers phi3 with partial_rotary_factor 0.5: only the first half of the components is multiplied",
      outcome="open", says=["rotat"], config=config("phi3", 2, max_position_embeddings=131072, partial_rotary_factor=0.5,
      original_max_position_embeddings=4096, rope_scaling={"type": "longrope", "short_factor": [1.0] * 2, "long_factor": [2.0] * 2}), **RMS)
def _(c):
    factor = torch.tensor([math.sqrt(1 + math.log(32) / math.log(4096))] * 4 + [1.0] * 4)
    for i in range(2):
        at = f"model.layers.{i}."
        y = fused(c, (at + "input_layernorm", at + "self_attn"), 64, Q[:4] + K[:2] + [1.0, 1.0], c.rms, "qkv_proj")
        c.record(at + "self_attn", heads(y[:, :32], 4) * factor, heads(y[:, 32:48], 2) * factor, ROOT)


@case("olmo2-no-config", "transformers olmo2: no norm before attention, one norm over all heads", flags=["--heads", "4"])
def _(c):
    decoder(c, G=2, norm=None, after=norm_of_all(c))
    for i in range(2):
        c.gain(f"model.layers.{i}.post_attention_layernorm.weight", WIDTH)


@case("olmo2-post-norm", "transformers olmo2: post_attention_layernorm is behind attention", config=config("olmo2", 2, rms_norm_eps=1e-6))
def _(c):
    decoder(c, G=2, norm=None, after=norm_of_all(c))
    for i in range(2):
        c.gain(f"model.layers.{i}.post_attention_layernorm.weight", WIDTH)


@case("olmo3-yarn-by-layer", "transformers olmo3 5.3 multiplies in all layers; the model was trained with YaRN in layers of full attention only",
      outcome="open", says=["olmo|window|sliding"], config=config("olmo3", 2, rms_norm_eps=1e-6,
      layer_types=["sliding_attention", "full_attention"], rope_scaling={"rope_type": "yarn", "factor": 8.0, "attention_factor": 1.2079441541679836,
      "original_max_position_embeddings": 8192}))
def _(c):
    decoder(c, scale=lambda i: ROOT * (1, yarn(8) ** 2)[i], G=2, norm=None, after=norm_of_all(c))


@case("olmoe-all-heads", "transformers olmoe: a norm over all heads, and one before attention", config=config("olmoe", 2, rms_norm_eps=1e-6), **RMS)
def _(c):
    decoder(c, G=2, after=norm_of_all(c))


@case("exaone4-post-norm", "transformers exaone4: no norm before attention, one for each head", config=config("exaone4", 2, rms_norm_eps=1e-6))
def _(c):
    decoder(c, G=2, norm=None, after=norm_of_heads(c))
    for i in range(2):
        c.gain(f"model.layers.{i}.post_attention_layernorm.weight", WIDTH)


@case("minimax_m2-all-heads", "transformers minimax_m2", config=config("minimax_m2", 2, head_dim=16, rms_norm_eps=1e-6, use_qk_norm=True), **RMS)
def _(c):
    decoder(c, scale=1 / 4, d=16, G=2, after=norm_of_all(c))


@case("cohere-norm-by-head", "transformers cohere: LayerNorm without a bias, of each head with a gain of its own",
      config=config("cohere", 2, use_qk_norm=True, layer_norm_eps=1e-5, logit_scale=0.0625), **LN)
def _(c):
    def after(at, q, k):
        gains = [c.array(f"{at}.{name}.weight", len(t), 8, sd=0.5, mean=1.0, blocks=sizes[: len(t)])
                 for name, t, sizes in (("q_norm", q, Q), ("k_norm", k, K))]
        return tuple(layer_norm(t, g[:, None]) for t, g in zip((q, k), gains))
    decoder(c, G=2, gain=lambda x, name: c.ln(x, name, bias=False), after=after)


@case("cohere-plain", "transformers cohere: input_layernorm takes the mean away", config=config("cohere", 2, layer_norm_eps=1e-5), **LN)
def _(c):
    decoder(c, G=2, gain=lambda x, name: c.ln(x, name, bias=False))


@case("chameleon-norm-by-head", "transformers chameleon: LayerNorm with gain and bias of each head", config=config("chameleon", 2), **RMS)
def _(c):
    def after(at, q, k):
        out = []
        for name, t, sizes in (("q_norm", q, Q), ("k_norm", k, K)):
            gain = c.array(f"{at}.{name}.weight", len(t), 8, sd=0.5, mean=1.0, blocks=sizes[: len(t)])
            out.append(layer_norm(t, gain[:, None], c.array(f"{at}.{name}.bias", len(t), 8, sd=0.3)[:, None]))
        return out
    decoder(c, G=2, after=after)


@case("stablelm-norms-list", "transformers stablelm: StableLmLayerNormPerHead, a module for each head",
      config=config("stablelm", 2, qk_layernorm=True, layer_norm_eps=1e-5), **LN)
def _(c):
    def after(at, q, k):
        return [torch.stack([c.ln(t[h], f"{at}.{name}.norms.{h}", bias=False) for h in range(len(t))])
                for name, t in (("q_layernorm", q), ("k_layernorm", k))]
    decoder(c, G=2, gain=c.ln, after=after)


@case("phi-qk-layernorm", "transformers phi: LayerNorm of all heads' components with one gain", config=config("phi", 2, qk_layernorm=True,
      layer_norm_eps=1e-5), **LN)
def _(c):
    decoder(c, G=2, gain=c.ln, bias="qkv", after=norm_of_heads(c, names=("q_layernorm", "k_layernorm"), kind=c.ln))


@case("hunyuan-norm-after-rope", "transformers hunyuan_v1_dense: norm behind RoPE, which leaves lengths",
      config=config("hunyuan_v1_dense", 2, head_dim=16, rms_norm_eps=1e-6), **RMS)
def _(c):
    decoder(c, scale=1 / 4, d=16, G=2, after=norm_of_heads(c, names=("query_layernorm", "key_layernorm")))


@case("llama4-norm-without-gain", "transformers llama4: L2 norm without an array in layers with RoPE, a temperature in those without",
      outcome="named", says=["position|temperature"], config=config("llama4_text", 2, head_dim=8, use_qk_norm=True, no_rope_layers=[1, 0],
      attn_temperature_tuning=True, rms_norm_eps=1e-5), **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.{i}."
        q, k = c.project(c.rms(c.x, at + "input_layernorm", eps=1e-5), at + "self_attn", G=2)
        if i == 0:
            q, k = rms(q, eps=1e-5), rms(k, eps=1e-5)
        c.record(at + "self_attn", q, k, ROOT)


@case("ministral3-temperature", "transformers ministral3: q times 1 + β ln(1 + ⌊position/original⌋)", outcome="named", says=["position|llama_4_scaling_beta"],
      config=config("ministral3", 2, head_dim=8, rope_parameters={"rope_type": "default", "rope_theta": 1e6, "llama_4_scaling_beta": 0.1,
      "original_max_position_embeddings": 16384}), **RMS)
def _(c):
    decoder(c, G=2)


@case("nanochat-norm-without-gain", "transformers nanochat: RMS norms without arrays", config=config("nanochat", rms_norm_eps=1e-6), **RMS)
def _(c):
    decoder(c, gain=lambda x, name: rms(x), after=lambda at, q, k: (rms(q), rms(k)))


@case("falcon_h1-multipliers", "transformers falcon_h1: key_multiplier on keys, attention_in_multiplier on the tokens",
      config=config("falcon_h1", 2, head_dim=8, key_multiplier=0.390625, attention_in_multiplier=1.5, ssm_in_multiplier=1.25), **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.{i}."
        q, k = c.project(1.5 * c.rms(c.x, at + "input_layernorm"), at + "self_attn", G=2)
        c.matrix(at + "mamba.in_proj.weight", 128, WIDTH)
        c.record(at + "self_attn", q, 0.390625 * k, ROOT)


@case("zamba2-shared", "transformers zamba2: (attention_head_dim / 2)^(-1/2); tokens twice as wide as hidden_size", width=64,
      config=config("zamba2", attention_hidden_size=64, attention_head_dim=16, num_hidden_layers=6, hybrid_layer_ids=[2],
                    layers_block_type=["mamba", "mamba", "hybrid", "mamba", "mamba", "mamba"]), **RMS)
def _(c):
    at = "model.layers.2.shared_transformer."
    q, k = c.project(c.rms(c.x, at + "input_layernorm"), at + "self_attn", d=16)
    c.gain("model.layers.2.mamba_decoder.input_layernorm.weight", WIDTH)
    c.record(at + "self_attn", q, k, 8**-0.5)


@case("jamba-hybrid", "transformers jamba: one layer of attention among those of Mamba", config=config("jamba", 2, num_hidden_layers=4,
      attn_layer_offset=1, attn_layer_period=4), **RMS)
def _(c):
    for i in (0, 2, 3):
        c.gain(f"model.layers.{i}.input_layernorm.weight", WIDTH)
        c.matrix(f"model.layers.{i}.mamba.in_proj.weight", 128, WIDTH)
    q, k = c.project(c.rms(c.x, "model.layers.1.input_layernorm"), "model.layers.1.self_attn", G=2)
    c.record("model.layers.1.self_attn", q, k, ROOT)


@case("nemotron-layernorm1p", "transformers nemotron: LayerNorm with gain 1 + w and a bias", config=config("nemotron", 2, head_dim=8, norm_eps=1e-5), **LN)
def _(c):
    decoder(c, G=2, gain=lambda x, name: c.ln(x, name, offset=1))


@case("starcoder2-layernorm", "transformers starcoder2", config=config("starcoder2", 2, use_bias=True, norm_epsilon=1e-5), **LN)
def _(c):
    decoder(c, G=2, gain=c.ln, bias="qkv")


@case("lfm2-hybrid", "transformers lfm2: operator_norm, out_proj, q_layernorm", config=config("lfm2", 2, norm_eps=1e-6,
      layer_types=["conv", "full_attention"]), **RMS)
def _(c):
    c.gain("model.layers.0.operator_norm.weight", WIDTH)
    c.matrix("model.layers.0.conv.in_proj.weight", 96, WIDTH)
    at = "model.layers.1."
    q, k = c.project(c.rms(c.x, at + "operator_norm"), at + "self_attn", G=2, o="out_proj")
    q, k = norm_of_heads(c, names=("q_layernorm", "k_layernorm"))(at + "self_attn", q, k)
    c.record(at + "self_attn", q, k, ROOT)


@case("apertus-attention_layernorm", "transformers apertus", config=config("apertus", 2, rms_norm_eps=1e-6), **RMS)
def _(c):
    decoder(c, G=2, norm="attention_layernorm", after=norm_of_heads(c))


@case("inkling-inverse-d", "transformers inkling: 1/d_k, not its root; keys pass a short convolution, k_sconv", outcome="open", says=["k_sconv"],
      config=config("inkling_text", 2, head_dim=8, rms_norm_eps=1e-6), **RMS)
def _(c):
    decoder(c, scale=1 / 8, G=2, after=norm_of_heads(c))
    for i in range(2):
        c.array(f"model.layers.{i}.self_attn.k_sconv.weight", 16, 1, 4)
    c.spec["layers"] = []  # the convolution needs an order of tokens


# GPT-2 and its kin.


def gpt2(c, scale, block="transformer.h.{}.", bias=True, linear=False):
    for i in range(2):
        at = block.format(i)
        h = c.ln(c.x, at + "ln_1", bias=bias)
        blocks = Q[:4] + K[:4] + [1.0] * 4
        w = (c.matrix if linear else c.kernel)(at + "attn.c_attn.weight", 96, WIDTH, blocks)
        y = h @ w.T + (c.array(at + "attn.c_attn.bias", 96, sd=0.4, blocks=blocks) if bias else 0)
        c.array(at + "attn.c_proj.weight", WIDTH, WIDTH, sd=0.3)
        q, k, _ = y.split(32, -1)
        c.record(at + "attn", heads(q, 4), heads(k, 4), scale(i) if callable(scale) else scale)


SMALL = {"model_type": "gpt2", "n_embd": WIDTH, "n_head": HEADS, "n_layer": 2}


@case("gpt2-conv1d", "transformers gpt2: Conv1D, inputs x outputs", config=SMALL, **LN)
def _(c):
    gpt2(c, ROOT)


@case("gpt2-unscaled", "transformers gpt2", config={**SMALL, "scale_attn_weights": False}, **LN)
def _(c):
    gpt2(c, 1.0)


@case("gpt2-by-layer", "transformers gpt2: scale_attn_by_inverse_layer_idx", config={**SMALL, "scale_attn_by_inverse_layer_idx": True}, **LN)
def _(c):
    gpt2(c, lambda i: ROOT / (i + 1))


@case("gpt2-old-names", "openai-community/gpt2: h.0 without a prefix; attn.bias is a mask", config=SMALL, **LN)
def _(c):
    gpt2(c, ROOT, block="h.{}.")
    c.array("h.0.attn.bias", 1, 1, 16, 16, sd=0.0, mean=1.0)
    c.array("h.1.attn.bias", 1, 1, 16, 16, sd=0.0, mean=1.0)


@case("nanogpt", "karpathy/nanoGPT model.py: Linear, LayerNorm without a bias", flags=["--heads", "4"], **LN)
def _(c):
    gpt2(c, ROOT, bias=False, linear=True)


@case("nanogpt-torch-compile", "karpathy/nanoGPT model.py after torch.compile", flags=["--heads", "4"], **LN)
def _(c):
    gpt2(c, ROOT, block="_orig_mod.transformer.h.{}.", bias=False, linear=True)


@case("mingpt-old", "karpathy/minGPT of 2020: blocks.0.attn.query", flags=["--heads", "4"], **LN)
def _(c):
    decoder(c, block="blocks.{}.", attn="attn", norm="ln1", gain=c.ln, q="query", k="key", v="value", o="proj", bias="qkv")


@case("lecture-gpt-heads", "karpathy/ng-video-lecture gpt.py: a module for each head, blocks.0.ln1", flags=["--heads", "1"], **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"blocks.{i}.ln1")
        for n in range(2):
            at = f"blocks.{i}.sa.heads.{n}"
            q = c.linear(h, at + ".query", 16, [Q[n]], False)[None]
            k = c.linear(h, at + ".key", 16, [K[n]], False)[None]
            c.linear(h, at + ".value", 16, None, False)
            c.record(at, q, k, 1 / 4)
        c.matrix(f"blocks.{i}.sa.proj.weight", WIDTH, WIDTH)


@case("gpt2-cross-attention", "transformers gpt2 with add_cross_attention: crossattention.c_attn is keys and values, q_attn queries",
      config={**SMALL, "add_cross_attention": True}, says=["cross"], **LN)
def _(c):
    gpt2(c, ROOT)
    for i in range(2):
        at = f"transformer.h.{i}."
        h = c.ln(c.x, at + "ln_cross_attn")
        q = h @ c.kernel(at + "crossattention.q_attn.weight", 32, 32, Q[:4]).T + c.array(at + "crossattention.q_attn.bias", 32)
        k = (c.x @ c.kernel(at + "crossattention.c_attn.weight", 64, 32, K[:4] + [1.0] * 4).T)[:, :32]
        c.record(at + "crossattention", heads(q, 4), heads(k, 4), ROOT, optional=True)


@case("gpt-j", "transformers gptj: one ln_1 feeds attention and the MLP", config={**SMALL, "model_type": "gptj", "rotary_dim": 4}, **LN)
def _(c):
    decoder(c, block="transformer.h.{}.", attn="attn", norm="ln_1", gain=c.ln, o="out_proj")


@case("gpt-neo-unscaled", "transformers gpt_neo", config={"model_type": "gpt_neo", "hidden_size": 32, "num_heads": 4, "num_layers": 2}, **LN)
def _(c):
    decoder(c, scale=1.0, block="transformer.h.{}.", attn="attn.attention", norm="ln_1", gain=c.ln, o="out_proj")


@case("opt", "transformers opt: do_layer_norm_before", config=config("opt", do_layer_norm_before=True, word_embed_proj_dim=32), **LN)
def _(c):
    decoder(c, block="model.decoder.layers.{}.", norm="self_attn_layer_norm", gain=c.ln, o="out_proj", bias="qkv")


@case("opt-350m-post-norm", "transformers opt: layer 1 is behind final_layer_norm of layer 0, layer 0 behind no norm",
      config=config("opt", do_layer_norm_before=False, word_embed_proj_dim=32), outcome="open", says=["norm"], **LN)
def _(c):
    previous = lambda x, name: layer_norm(x)  # as --norm says of a norm that is not in the file
    for i in range(2):
        at = f"model.decoder.layers.{i}."
        q, k = c.project(previous(c.x, at), at + "self_attn", o="out_proj", bias="qkv")
        c.record(at + "self_attn", q, k, ROOT)
        c.ln(c.x, at + "self_attn_layer_norm")
        gain, bias = c.gain(at + "final_layer_norm.weight", WIDTH), c.array(at + "final_layer_norm.bias", WIDTH)
        previous = lambda x, name, gain=gain, bias=bias: layer_norm(x, gain, bias)


@case("ctrl-Wq", "transformers ctrl: multi_head_attention.Wq", config={**SMALL, "model_type": "ctrl"}, **LN)
def _(c):
    decoder(c, block="transformer.h.{}.", attn="multi_head_attention", norm="layernorm1", gain=c.ln, q="Wq", k="Wk", v="Wv", o="dense", bias="qkv")


# One array of queries, keys and values.


def per_head(c, at, gain, attn, norm, bias=True, name="query_key_value"):
    """Of each head its queries, keys and values (transformers gpt_neox, bloom, persimmon, falcon-rw)."""
    blocks = [s for h in range(4) for s in (Q[h], K[h], 1.0)]
    y = c.linear(gain(c.x, at + norm), at + attn + "." + name, 96, blocks, bias)
    c.matrix(at + attn + ".dense.weight", WIDTH, WIDTH)
    q, k, _ = y.view(-1, 4, 24).chunk(3, -1)
    c.record(at + attn, q.transpose(0, 1), k.transpose(0, 1), ROOT)


@case("gpt-neox", "transformers gpt_neox", config=config("gpt_neox", rotary_pct=0.25, layer_norm_eps=1e-5), **LN)
def _(c):
    for i in range(2):
        per_head(c, f"gpt_neox.layers.{i}.", c.ln, "attention", "input_layernorm")


@case("bloom", "transformers bloom", config={"model_type": "bloom", "hidden_size": 32, "n_head": 4, "n_layer": 2}, **LN)
def _(c):
    for i in range(2):
        per_head(c, f"transformer.h.{i}.", c.ln, "self_attention", "input_layernorm")


@case("bloom-no-config", "transformers bloom", outcome="refused", refusal="layout", flags=["--heads", "4"], **LN)
def _(c):
    per_head(c, "h.0.", c.ln, "self_attention", "input_layernorm")


@case("bloom-layout-said", "transformers bloom", flags=["--heads", "4", "--layout", "interleaved"], **LN)
def _(c):
    per_head(c, "h.0.", c.ln, "self_attention", "input_layernorm")


@case("persimmon", "transformers persimmon: qk_layernorm, with a gain for all heads", config=config("persimmon", qk_layernorm=True), **LN)
def _(c):
    persimmon(c)


def persimmon(c):
    for i in range(2):
        at = f"model.layers.{i}."
        blocks = [s for h in range(4) for s in (Q[h], K[h], 1.0)]
        y = c.linear(c.ln(c.x, at + "input_layernorm"), at + "self_attn.query_key_value", 96, blocks)
        q, k, _ = y.view(-1, 4, 3, 8).unbind(2)
        q, k = c.ln(q, at + "self_attn.q_layernorm"), c.ln(k, at + "self_attn.k_layernorm")
        c.record(at + "self_attn", q.transpose(0, 1), k.transpose(0, 1), ROOT)


@case("persimmon-no-config", "transformers persimmon: the norms of queries may tell the layout", refusal="layout", flags=["--heads", "4"], **LN)
def _(c):
    persimmon(c)


@case("falcon-rw", "transformers falcon: neither multi_query nor new_decoder_architecture; (q·k + alibi)/√d_k",
      config=config("falcon", multi_query=False, new_decoder_architecture=False, alibi=True, bias=True), **LN)
def _(c):
    for i in range(2):
        per_head(c, f"transformer.h.{i}.", c.ln, "self_attention", "input_layernorm")


@case("falcon-7b-mqa", "transformers falcon: multi_query", config=config("falcon", multi_query=True, new_decoder_architecture=False), **LN)
def _(c):
    for i in range(2):
        at = f"transformer.h.{i}."
        y = c.linear(c.ln(c.x, at + "input_layernorm"), at + "self_attention.query_key_value", 48, Q[:4] + [1.3, 1.0], False)
        c.record(at + "self_attention", heads(y[:, :32], 4), heads(y[:, 32:40], 1), ROOT)


def grouped(c, at, h, name, bias=False):
    """Of each head of keys its queries, its key and its value (falcon-40b, internlm2, Megatron)."""
    y = c.linear(h, at + name, 64, [Q[0], Q[1], K[0], 1.0, Q[2], Q[3], K[1], 1.0], bias).view(-1, 2, 4, 8)
    return y[:, :, :2].reshape(-1, 4, 8).transpose(0, 1), y[:, :, 2].transpose(0, 1)


@case("falcon-40b", "transformers falcon: new_decoder_architecture", config=config("falcon", num_kv_heads=2, new_decoder_architecture=True), **LN)
def _(c):
    for i in range(2):
        at = f"transformer.h.{i}."
        q, k = grouped(c, at, c.ln(c.x, at + "ln_attn"), "self_attention.query_key_value")
        c.ln(c.x, at + "ln_mlp")
        c.record(at + "self_attention", q, k, ROOT)


@case("internlm2", "internlm/internlm2 modeling_internlm2.py: wqkv", config=config("internlm2", 2, rms_norm_eps=1e-6), **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.{i}."
        q, k = grouped(c, at, c.rms(c.x, at + "attention_norm"), "attention.wqkv")
        c.matrix(at + "attention.wo.weight", WIDTH, WIDTH)
        c.record(at + "attention", q, k, ROOT)


@case("megatron-core-te", "NVIDIA/Megatron-LM attention.py: linear_qkv with the norm inside (Transformer Engine)",
      flags=["--heads", "4", "--kv-heads", "2"], **RMS)
def _(c):
    for i in range(2):
        at = f"decoder.layers.{i}.self_attention."
        h = rms(c.x, c.gain(at + "linear_qkv.layer_norm_weight", WIDTH))
        q, k = grouped(c, at, h, "linear_qkv")
        c.matrix(at + "linear_proj.weight", WIDTH, WIDTH)
        c.record(at[:-1], q, k, ROOT)


@case("litgpt-qkv", "Lightning-AI/litgpt model.py of 2025: queries, keys, values", flags=["--heads", "4", "--kv-heads", "2"], **RMS)
def _(c):
    for i in range(2):
        at = f"transformer.h.{i}."
        y = c.linear(c.rms(c.x, at + "norm_1"), at + "attn.qkv", 64, Q[:4] + K[:2] + [1.0, 1.0], False)
        c.matrix(at + "attn.proj.weight", WIDTH, WIDTH)
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32:48], 2), ROOT)


@case("packed-heads-alone", "queries, keys, values of 4 heads and 1 of keys with --heads alone: 48 outputs would also be 4 heads of 4",
      refusal="kv-heads|d-k|inputs|head_dim", flags=["--heads", "4"])
def _(c):
    y = c.linear(c.x, "blocks.0.attn.qkv", 48, Q[:4] + [1.3, 1.0], False)
    c.record("blocks.0.attn", heads(y[:, :32], 4), heads(y[:, 32:40], 1), ROOT)


MPT = {"model_type": "mpt", "d_model": 32, "n_heads": 4, "n_layers": 2}


def mpt(c, G, scale=ROOT):
    for i in range(2):
        at = f"transformer.blocks.{i}."
        y = c.linear(c.ln(c.x, at + "norm_1", bias=False), at + "attn.Wqkv", 32 + 16 * G, Q[:4] + K[:G] + [1.0] * G, False)
        c.matrix(at + "attn.out_proj.weight", WIDTH, WIDTH)
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32 : 32 + 8 * G], G), scale)


@case("mpt", "transformers mpt", config=MPT, **LN)
def _(c):
    mpt(c, 4)


@case("mpt-gqa", "mosaicml/llm-foundry attention.py, grouped_query_attention: attn_config.kv_n_heads",
      config={**MPT, "attn_config": {"attn_type": "grouped_query_attention", "kv_n_heads": 1}}, **LN)
def _(c):
    mpt(c, 1)


@case("mpt-softmax_scale", "transformers mpt: attn_config.softmax_scale", config={**MPT, "attn_config": {"softmax_scale": 0.2}}, **LN)
def _(c):
    mpt(c, 4, 0.2)


@case("mpt-clip", "transformers mpt: attn_config.clip_qkv limits components", outcome="open", says=["clip_qkv|limited"],
      config={**MPT, "attn_config": {"clip_qkv": 1.0}}, **LN)
def _(c):
    for i in range(2):
        at = f"transformer.blocks.{i}."
        y = c.linear(c.ln(c.x, at + "norm_1", bias=False), at + "attn.Wqkv", 96, Q[:4] + K[:4] + [1.0] * 4, False).clamp(-1, 1)
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("dbrx", "transformers dbrx: norm_attn_norm.norm_1 is before attn.Wqkv", config={"model_type": "dbrx", "d_model": 32, "n_heads": 4,
      "n_layers": 2, "attn_config": {"kv_n_heads": 2, "clip_qkv": 1000.0}}, says=["clip_qkv|limited"], **LN)
def _(c):
    for i in range(2):
        at = f"transformer.blocks.{i}.norm_attn_norm."
        y = c.linear(c.ln(c.x, at + "norm_1", bias=False), at + "attn.Wqkv", 64, Q[:4] + K[:2] + [1.0] * 2, False)
        c.ln(c.x, at + "norm_2", bias=False)
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32:48], 2), ROOT)


@case("baichuan-w_pack", "baichuan-inc/Baichuan-7B modeling_baichuan.py", config=config("baichuan"), **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.{i}."
        y = c.linear(c.rms(c.x, at + "input_layernorm"), at + "self_attn.W_pack", 96, Q[:4] + K[:4] + [1.0] * 4, False)
        c.record(at + "self_attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("chatglm2", "THUDM/chatglm2-6b modeling_chatglm.py: queries, keys, values; multi_query_group_num",
      config={"model_type": "chatglm", "hidden_size": 32, "num_attention_heads": 4, "num_layers": 2, "multi_query_attention": True,
              "multi_query_group_num": 2, "kv_channels": 8, "apply_query_key_layer_scaling": True}, **RMS)
def _(c):
    for i in range(2):
        at = f"transformer.encoder.layers.{i}."
        y = c.linear(c.rms(c.x, at + "input_layernorm"), at + "self_attention.query_key_value", 64, Q[:4] + K[:2] + [1.0] * 2)
        c.record(at + "self_attention", heads(y[:, :32], 4), heads(y[:, 32:48], 2), ROOT)


@case("qwen-v1", "Qwen/Qwen-7B modeling_qwen.py: c_attn is Linear; logn beyond seq_length", outcome="named", says=["logn|position"],
      config=config("qwen", kv_channels=8, use_logn_attn=True, seq_length=2048, scale_attn_weights=True), **RMS)
def _(c):
    for i in range(2):
        at = f"transformer.h.{i}."
        y = c.linear(c.rms(c.x, at + "ln_1"), at + "attn.c_attn", 96, Q[:4] + K[:4] + [1.0] * 4)
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("starcoder-mqa", "transformers gpt_bigcode: multi_query", config={**SMALL, "model_type": "gpt_bigcode", "multi_query": True}, **LN)
def _(c):
    bigcode(c, ROOT)


def bigcode(c, scale):
    for i in range(2):
        at = f"transformer.h.{i}."
        y = c.linear(c.ln(c.x, at + "ln_1"), at + "attn.c_attn", 48, Q[:4] + [1.3, 1.0])
        c.record(at + "attn", heads(y[:, :32], 4), heads(y[:, 32:40], 1), scale)


@case("starcoder-unscaled", "transformers gpt_bigcode: scale_attn_weights",
      config={**SMALL, "model_type": "gpt_bigcode", "multi_query": True, "scale_attn_weights": False}, **LN)
def _(c):
    bigcode(c, 1.0)


@case("codegen-four-parts", "transformers codegen: four parts of heads, each queries, values, keys", outcome="right", refusal="codegen|parts",
      width=64, config={"model_type": "codegen", "n_embd": 64, "n_head": 8, "n_layer": 1, "rotary_dim": 8}, **LN)
def _(c):
    sizes = Q[:4] + Q[:4]
    blocks = [s for p in range(4) for s in (*sizes[2 * p : 2 * p + 2], 1.0, 1.0, *(K + K)[2 * p : 2 * p + 2])]
    y = c.linear(c.ln(c.x, "transformer.h.0.ln_1"), "transformer.h.0.attn.qkv_proj", 192, blocks, False)
    q, _, k = y.view(-1, 4, 48).split(16, -1)
    split = lambda t: t.reshape(-1, 8, 8).transpose(0, 1)
    c.record("transformer.h.0.attn", split(q), split(k), ROOT)


@case("openelm-by-layer", "apple/OpenELM modeling_openelm.py: lists of heads, another number in each layer; a norm of each head",
      config={"model_type": "openelm", "model_dim": 32, "num_query_heads": [2, 4], "num_kv_heads": [1, 2], "head_dim": 8,
              "num_transformer_layers": 2, "normalize_qk_projections": True}, **RMS)
def _(c):
    for i, (H, G) in enumerate([(2, 1), (4, 2)]):
        at = f"transformer.layers.{i}."
        y = c.linear(c.rms(c.x, at + "attn_norm"), at + "attn.qkv_proj", 8 * (H + 2 * G), Q[:H] + K[:G] + [1.0] * G, False)
        q, k = heads(y[:, : 8 * H], H), heads(y[:, 8 * H : 8 * (H + G)], G)
        c.record(at + "attn", *norm_of_heads(c)(at + "attn", q, k), ROOT)


@case("phi3small-mup", "microsoft/Phi-3-small modeling_phi3_small.py: mup_attn_multiplier/d_k; grouped query_key_value",
      config=config("phi3small", 2, mup_attn_multiplier=2.0, mup_use_scaling=True, layer_norm_epsilon=1e-5), **LN)
def _(c):
    for i in range(2):
        at = f"model.layers.{i}."
        q, k = grouped(c, at, c.ln(c.x, at + "input_layernorm"), "self_attn.query_key_value", True)
        c.record(at + "self_attn", q, k, 2 / 8)


# Multi-head latent attention: 4 heads of 8 components and 4 with RoPE, latent vectors of 24 and 16.

LATENT = config("deepseek_v3", 4, q_lora_rank=24, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=8, rms_norm_eps=1e-6)
NAMES = ("q_a_proj", "q_a_layernorm", "q_b_proj", "kv_a_proj_with_mqa", "kv_a_layernorm", "kv_b_proj")


def latent(c, scale, block="model.layers.{}.", attn="self_attn", norm="input_layernorm", names=NAMES, low=True, rope=1.0):
    q_a, q_norm, q_b, kv_a, kv_norm, kv_b = names
    for i in range(2):
        at = block.format(i) + attn
        h = c.rms(c.x, block.format(i) + norm)
        queries = c.rms(c.linear(h, f"{at}.{q_a}", 24, None, False), f"{at}.{q_norm}") if low else h
        q = heads(c.linear(queries, f"{at}.{q_b if low else 'q_proj'}", 48, Q[:4], False), 4)
        both = c.linear(h, f"{at}.{kv_a}", 20, None, False)
        nope = c.linear(c.rms(both[:, :16], f"{at}.{kv_norm}"), f"{at}.{kv_b}", 64, [s for k in K[:4] for s in (k, 1.0)], False)
        turn = torch.tensor([1.0] * 8 + [rope] * 4)
        k = torch.cat([heads(nope, 4)[..., :8], both[:, 16:].expand(4, -1, -1)], -1)
        c.record(at, q * turn, k * turn, scale)


TWELVE = 12**-0.5
DEEP = {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}


@case("deepseek-v3-mscale", "transformers deepseek_v3: scaling times m², m of mscale_all_dim", config={**LATENT, "rope_scaling": DEEP}, **RMS)
def _(c):
    latent(c, TWELVE * yarn(40) ** 2)


@case("deepseek-v3-rope_parameters", "transformers deepseek_v3, keys of transformers 5",
      config={**LATENT, "rope_parameters": {**DEEP, "rope_type": "yarn", "rope_theta": 1e4}}, **RMS)
def _(c):
    latent(c, TWELVE * yarn(40) ** 2)


@case("deepseek-lite-no-q-latent", "transformers deepseek_v3 with q_lora_rank null", config={**LATENT, "q_lora_rank": None}, **RMS)
def _(c):
    latent(c, TWELVE, low=False)


@case("deepseek-v2-mscale", "transformers deepseek_v2 5.3 leaves m² out, deepseek-ai's own modeling_deepseek.py does not", outcome="open",
      says=["mscale|ln 40"], config={**LATENT, "model_type": "deepseek_v2", "rope_scaling": {**DEEP, "mscale": 0.707, "mscale_all_dim": 0.707}}, **RMS)
def _(c):
    latent(c, TWELVE * (1 + 0.0707 * math.log(40)) ** 2)


@case("deepseek-inference-names", "deepseek-ai/DeepSeek-V3 inference/model.py: wq_a, wkv_b", flags=["--heads", "4"], refusal="wq_a|wkv|named", **RMS)
def _(c):
    latent(c, TWELVE, block="layers.{}.", attn="attn", norm="attn_norm", names=("wq_a", "q_norm", "wq_b", "wkv_a", "kv_norm", "wkv_b"))


@case("minicpm3-longrope", "openbmb/MiniCPM3-4B modeling_minicpm.py: longrope multiplies only the components with RoPE", outcome="open",
      says=["rotat"], config={**LATENT, "model_type": "minicpm3", "max_position_embeddings": 131072, "scale_emb": 12, "scale_depth": 1.4,
      "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 2, "long_factor": [1.0] * 2, "original_max_position_embeddings": 4096}}, **RMS)
def _(c):
    latent(c, TWELVE, rope=math.sqrt(1 + math.log(32) / math.log(4096)))


@case("longcat-latent-factors", "transformers longcat_flash: latent vectors times √(hidden_size/rank), the rotated key not", outcome="open",
      says=["latent"], config={**LATENT, "model_type": "longcat_flash", "num_layers": 2, "mla_scale_q_lora": True, "mla_scale_kv_lora": True}, **RMS)
def _(c):
    for i in range(2):
        at = f"model.layers.0.self_attn.{i}"
        h = c.rms(c.x, f"model.layers.0.input_layernorm.{i}")
        low = c.rms(c.linear(h, at + ".q_a_proj", 24, None, False), at + ".q_a_layernorm")
        q = heads(c.linear(low, at + ".q_b_proj", 48, Q[:4], False), 4) * (32 / 24) ** 0.5
        both = c.linear(h, at + ".kv_a_proj_with_mqa", 20, None, False)
        low = c.rms(both[:, :16], at + ".kv_a_layernorm") * (32 / 16) ** 0.5
        k = heads(c.linear(low, at + ".kv_b_proj", 64, [s for k in K[:4] for s in (k, 1.0)], False), 4)[..., :8]
        c.record(at, q, torch.cat([k, both[:, 16:].expand(4, -1, -1)], -1), TWELVE)


@case("kimi_linear-nope", "moonshotai/Kimi-Linear modeling_kimi.py: layers of MLA without RoPE among those of linear attention (KDA)",
      config={**LATENT, "model_type": "kimi_linear", "num_hidden_layers": 3, "q_lora_rank": None, "mla_use_nope": True,
              "linear_attn_config": {"kda_layers": [1], "full_attn_layers": [2, 3], "num_heads": 4, "head_dim": 8}},
      outcome="right", refusal="q_conv|conv1d|A_log|linear", says=["layers.0|linear|conv"], **RMS)
def _(c):
    for name in ("q_proj", "k_proj", "v_proj"):
        c.matrix(f"model.layers.0.self_attn.{name}.weight", 32, 32)
        c.array(f"model.layers.0.self_attn.{name[0]}_conv1d.weight", 32, 1, 4)
    c.gain("model.layers.0.input_layernorm.weight", WIDTH)
    c.array("model.layers.0.self_attn.A_log", 1, 1, 4, 1)
    for i in (1, 2):
        at = f"model.layers.{i}.self_attn"
        h = c.rms(c.x, f"model.layers.{i}.input_layernorm")
        q = heads(c.linear(h, at + ".q_proj", 48, Q[:4], False), 4)
        both = c.linear(h, at + ".kv_a_proj_with_mqa", 20, None, False)
        k = heads(c.linear(c.rms(both[:, :16], at + ".kv_a_layernorm"), at + ".kv_b_proj", 64, [s for k in K[:4] for s in (k, 1.0)], False), 4)
        c.record(at, q, torch.cat([k[..., :8], both[:, 16:].expand(4, -1, -1)], -1), TWELVE)


# Low-rank updates that are not merged, and quantised weights.


@case("lora-peft", "huggingface/peft: base_layer beside lora_A and lora_B", outcome="open", says=["lora"], refusal="lora",
      config=config("llama", 2), **RMS)
def _(c):
    lora(c, ".base_layer", ".lora_A.default", ".lora_B.default")


@case("lora-loralib", "microsoft/LoRA loralib/layers.py: weight beside lora_A and lora_B, not merged", outcome="open", says=["lora"],
      refusal="lora", config=config("llama", 2), **RMS)
def _(c):
    lora(c, "", ".lora_A", ".lora_B", weight="")


def lora(c, base, a, b, weight=".weight"):
    for i in range(2):
        at = f"model.layers.{i}."
        h = c.rms(c.x, at + "input_layernorm")
        made = []
        for name, n, sizes in (("q_proj", 4, Q), ("k_proj", 2, K)):
            y = c.linear(h, f"{at}self_attn.{name}{base}", 8 * n, sizes[:n], False)
            down = c.matrix(f"{at}self_attn.{name}{a}{weight}", 4, WIDTH)
            made.append(heads(y + 2 * h @ down.T @ c.matrix(f"{at}self_attn.{name}{b}{weight}", 8 * n, 4).T, n))
        c.record(at + "self_attn", *made, ROOT)


@case("gptq-int32", "AutoGPTQ: qweight", outcome="refused", refusal="quantis|qweight|named", config=config("llama", 2), **RMS)
def _(c):
    for name in ("q_proj", "k_proj"):
        c.array(f"model.layers.0.self_attn.{name}.qweight", 4, 32, kind="I32")
        c.array(f"model.layers.0.self_attn.{name}.scales", 1, 32)


# Encoders and decoders with both.

BERT = config("bert", layer_norm_eps=1e-5)


def post_norm(c, at, attention, previous, first, names, scale=ROOT, **options):
    """Layers behind the norm that ends the layer before; the first is behind that of the embeddings."""
    for i in range(2):
        h = c.ln(c.x, previous.format(i - 1) if i else first)
        q, k = c.project(h, (at + attention).format(i), **dict(zip("qkvo", names)), **options)
        c.record((at + attention).format(i), q, k, scale)


SELF = ("query", "key", "value", None)


@case("bert", "transformers bert: norms behind attention", config=BERT, **LN)
def _(c):
    post_norm(c, "encoder.layer.{}.", "attention.self", "encoder.layer.{}.output.LayerNorm", "embeddings.LayerNorm", SELF, bias="qkv")


@case("roberta", "transformers roberta", config={**BERT, "model_type": "roberta"}, **LN)
def _(c):
    post_norm(c, "roberta.encoder.layer.{}.", "attention.self", "roberta.encoder.layer.{}.output.LayerNorm", "roberta.embeddings.LayerNorm", SELF, bias="qkv")


@case("bert-relative_key_query", "transformers bert 4: position_embedding_type adds products of distance_embedding", outcome="named",
      says=["distance_embedding|position"], config={**BERT, "position_embedding_type": "relative_key_query"}, **LN)
def _(c):
    post_norm(c, "encoder.layer.{}.", "attention.self", "encoder.layer.{}.output.LayerNorm", "embeddings.LayerNorm", SELF, bias="qkv")
    for i in range(2):
        c.array(f"encoder.layer.{i}.attention.self.distance_embedding.weight", 31, 8)


@case("distilbert", "transformers distilbert", config={"model_type": "distilbert", "dim": 32, "n_heads": 4, "n_layers": 2}, **LN)
def _(c):
    post_norm(c, "distilbert.transformer.layer.{}.", "attention", "distilbert.transformer.layer.{}.output_layer_norm", "distilbert.embeddings.LayerNorm",
              ("q_lin", "k_lin", "v_lin", "out_lin"), bias="qkv")


@case("mpnet", "transformers mpnet: attention.attn.q; a bias of positions", config={**BERT, "model_type": "mpnet"}, **LN)
def _(c):
    post_norm(c, "encoder.layer.{}.", "attention.attn", "encoder.layer.{}.output.LayerNorm", "embeddings.LayerNorm", ("q", "k", "v", "o"), bias="qkv")


@case("xlm", "transformers xlm: attentions.0.q_lin, layer_norm2", config={"model_type": "xlm", "emb_dim": 32, "n_heads": 4, "n_layers": 2}, **LN)
def _(c):
    post_norm(c, "transformer.attentions.{}", "", "transformer.layer_norm2.{}", "transformer.layer_norm_emb", ("q_lin", "k_lin", "v_lin", "out_lin"), bias="qkv")


@case("albert-shared", "transformers albert: one layer for all", config=config("albert", embedding_size=16, num_hidden_layers=12, num_hidden_groups=1))
def _(c):
    at = "albert.encoder.albert_layer_groups.0.albert_layers.0.attention"
    q, k = c.project(c.x, at, q="query", k="key", v="value", o="dense", bias="qkv")
    c.gain(at + ".LayerNorm.weight", WIDTH)
    c.gain("albert.encoder.albert_layer_groups.0.albert_layers.0.full_layer_layer_norm.weight", WIDTH)
    c.record(at, q, k, ROOT)


@case("esm2-prenorm", "transformers esm: attention.LayerNorm is before attention.self", config={**BERT, "model_type": "esm"}, **LN)
def _(c):
    decoder(c, block="esm.encoder.layer.{}.", attn="attention.self", norm="attention.LayerNorm", gain=c.ln, q="query", k="key", v="value", o=None, bias="qkv")
    for i in range(2):
        c.ln(c.x, f"esm.encoder.layer.{i}.LayerNorm")


@case("deberta-v2-disentangled", "transformers deberta_v2: 1/√(3 d_k), c2p and p2c add products of positions", outcome="named", says=["position|c2p"],
      config={**BERT, "model_type": "deberta-v2", "pos_att_type": "p2c|c2p", "relative_attention": True, "share_att_key": True}, **LN)
def _(c):
    post_norm(c, "deberta.encoder.layer.{}.", "attention.self", "deberta.encoder.layer.{}.output.LayerNorm", "deberta.embeddings.LayerNorm",
              ("query_proj", "key_proj", "value_proj", None), scale=24**-0.5, bias="qkv")


@case("deberta-in_proj", "transformers deberta: in_proj of each head queries, keys, values; q_bias", outcome="open", refusal="deberta|in_proj|layout|bias",
      says=["position|c2p"], config={**BERT, "model_type": "deberta", "pos_att_type": ["c2p", "p2c"], "relative_attention": True}, **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"deberta.encoder.layer.{i - 1}.output.LayerNorm" if i else "deberta.embeddings.LayerNorm")
        at = f"deberta.encoder.layer.{i}.attention.self"
        y = c.linear(h, at + ".in_proj", 96, [s for n in range(4) for s in (Q[n], K[n], 1.0)], False).view(-1, 4, 24)
        bias = c.array(at + ".q_bias", 32, sd=0.4).view(4, 1, 8)
        c.array(at + ".v_bias", 32)
        c.record(at, y[..., :8].transpose(0, 1) + bias, y[..., 8:16].transpose(0, 1), 24**-0.5)


@case("xlnet-3d", "transformers xlnet: q and k are inputs x heads x d_k; r_w_bias is added to q, positions add products", outcome="open",
      says=["position|r_w_bias"], refusal="shape|rel_attn|xlnet", config={"model_type": "xlnet", "d_model": 32, "n_head": 4, "n_layer": 2, "d_head": 8})
def _(c):
    for i in range(2):
        at = f"transformer.layer.{i}.rel_attn"
        made = [torch.einsum("ih,hnd->nid", c.x, c.array(f"{at}.{name}", 32, 4, 8, sd=0.3, axis=1, blocks=s[:4]))
                for name, s in (("q", Q), ("k", K), ("v", K), ("r", K))]
        bias = c.array(at + ".r_w_bias", 4, 8, sd=0.5)
        c.array(at + ".r_r_bias", 4, 8, sd=0.5)
        c.record(at, made[0] + bias[:, None], made[1], ROOT)


@case("mobilebert-bottleneck", "transformers mobilebert: queries come from bottleneck.attention, of true_hidden_size", outcome="open",
      says=["norm|bottleneck"], refusal="hidden_size|bottleneck|inputs",
      config=config("mobilebert", hidden_size=64, true_hidden_size=32, intra_bottleneck_size=32, normalization_type="no_norm"))
def _(c):
    for i in range(2):
        at = f"mobilebert.encoder.layer.{i}."
        c.matrix(at + "bottleneck.attention.dense.weight", 32, 64)
        c.gain(at + "bottleneck.attention.LayerNorm.weight", 32)
        c.record(at + "attention.self", *c.project(c.x, at + "attention.self", q="query", k="key", v=None, o=None, bias="qkv"), ROOT)


@case("convbert-head_ratio", "transformers convbert: half as many heads as the config says, of half the size",
      config=config("convbert", num_attention_heads=4, head_ratio=2, conv_kernel_size=9, embedding_size=32))
def _(c):
    for i in range(2):
        at = f"convbert.encoder.layer.{i}.attention.self"
        c.array(at + ".key_conv_attn_layer.depthwise.weight", 32, 1, 9)
        c.record(at, *c.project(c.x, at, q="query", k="key", v="value", o=None, H=2, bias="qkv"), ROOT)


@case("longformer-global", "transformers longformer: query_global and key_global make those of global tokens", says=["query_global|global"],
      config={**BERT, "model_type": "longformer", "attention_window": [8, 8]}, **LN)
def _(c):
    post_norm(c, "longformer.encoder.layer.{}.", "attention.self", "longformer.encoder.layer.{}.output.LayerNorm", "longformer.embeddings.LayerNorm", SELF, bias="qkv")
    for i in range(2):
        for name in ("query_global", "key_global", "value_global"):
            c.matrix(f"longformer.encoder.layer.{i}.attention.self.{name}.weight", 32, 32)


@case("squeezebert-conv", "transformers squeezebert: Conv1d of width 1 in q_groups groups", refusal="shape|group|conv",
      config={**BERT, "model_type": "squeezebert", "q_groups": 4, "k_groups": 4})
def _(c):
    for i in range(2):
        at = f"transformer.encoder.layers.{i}.attention"
        made = []
        for name, s in (("query", Q), ("key", K)):
            w = c.array(f"{at}.{name}.weight", 32, 8, 1, sd=0.6, blocks=s[:4])
            bias = c.array(f"{at}.{name}.bias", 32, sd=0.4)
            made.append(heads(torch.nn.functional.conv1d(c.x.T[None], w, bias, groups=4)[0].T, 4))
        c.record(at, *made, ROOT)


@case("modernbert", "transformers modernbert: layer 0 has no attn_norm and is behind that of the embeddings",
      config=config("modernbert", norm_eps=1e-5), **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"model.layers.{i}.attn_norm" if i else "model.embeddings.norm", bias=False)
        y = c.linear(h, f"model.layers.{i}.attn.Wqkv", 96, Q[:4] + K[:4] + [1.0] * 4, False)
        c.matrix(f"model.layers.{i}.attn.Wo.weight", WIDTH, WIDTH)
        c.record(f"model.layers.{i}.attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)


@case("nomic-bert-postnorm", "nomic-ai/nomic-bert-2048 modeling_hf_nomic_bert.py: prenorm false; norm2 of the layer before, emb_ln first",
      config={"model_type": "nomic_bert", "n_embd": 32, "n_head": 4, "n_layer": 2, "prenorm": False, "layer_norm_epsilon": 1e-5}, **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"encoder.layers.{i - 1}.norm2" if i else "emb_ln")
        c.ln(c.x, f"encoder.layers.{i}.norm1")
        y = c.linear(h, f"encoder.layers.{i}.attn.Wqkv", 96, Q[:4] + K[:4] + [1.0] * 4, False)
        c.matrix(f"encoder.layers.{i}.attn.out_proj.weight", WIDTH, WIDTH)
        c.record(f"encoder.layers.{i}.attn", heads(y[:, :32], 4), heads(y[:, 32:64], 4), ROOT)
    c.ln(c.x, "encoder.layers.1.norm2")


T5 = {"d_model": 32, "num_heads": 4, "d_kv": 8, "num_layers": 2, "num_decoder_layers": 2}


@case("t5-unscaled", "transformers t5 (encoder)", config={"model_type": "t5", **T5}, **RMS)
def _(c):
    decoder(c, scale=1.0, block="encoder.block.{}.layer.0.", attn="SelfAttention", norm="layer_norm", q="q", k="k", v="v", o="o")


@case("t5-cross", "transformers t5: EncDecAttention takes its keys behind encoder.final_layer_norm", config={"model_type": "t5", **T5},
      says=["EncDecAttention|cross"], **RMS)
def _(c):
    names = dict(zip("qkvo", "qkvo"))
    decoder(c, scale=1.0, block="encoder.block.{}.layer.0.", attn="SelfAttention", norm="layer_norm", **names)
    decoder(c, scale=1.0, block="decoder.block.{}.layer.0.", attn="SelfAttention", norm="layer_norm", **names)
    keys = c.rms(c.x, "encoder.final_layer_norm")
    for i in range(2):
        at = f"decoder.block.{i}.layer.1."
        q, k = c.project(c.rms(c.x, at + "layer_norm"), at + "EncDecAttention", keys=keys, **names)
        c.record(at + "EncDecAttention", q, k, 1.0, optional=True)


@case("longt5-unscaled", "transformers longt5: LocalSelfAttention", config={"model_type": "longt5", "encoder_attention_type": "local", **T5}, **RMS)
def _(c):
    decoder(c, scale=1.0, block="encoder.block.{}.layer.0.", attn="LocalSelfAttention", norm="layer_norm", q="q", k="k", v="v", o="o")


BART = {"d_model": 32, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_layers": 2, "decoder_layers": 2, "num_hidden_layers": 2}


def bart(c, embeddings=True, pre=False, cross=True, prefix="model."):
    """Layers of an encoder and a decoder, behind the norm before them (post-norm) or their own (pre-norm)."""
    options = {"o": "out_proj", "bias": "qkv"}
    for side in ("encoder", "decoder"):
        previous = f"{prefix}{side}.layernorm_embedding"
        for i in range(2):
            at = f"{prefix}{side}.layers.{i}."
            own = at + "self_attn_layer_norm"
            if pre:
                h = c.ln(c.x, own)
            elif i or embeddings:
                h = layer_norm(c.x, c.gain(previous + ".weight", WIDTH), c.array(previous + ".bias", WIDTH, sd=0.3))
            else:
                h = layer_norm(c.x)  # as --norm says of a norm that is not in the file
            q, k = c.project(h, at + "self_attn", **options)
            c.record(at + "self_attn", q, k, ROOT)
            previous = at + "final_layer_norm"
            if not pre:
                middle = c.ln(c.x, own)
            if side == "decoder" and cross:
                before = c.ln(c.x, at + "encoder_attn_layer_norm")
                q, k = c.project(before if pre else middle, at + "encoder_attn", keys=keys, **options)
                c.record(at + "encoder_attn", q, k, ROOT, optional=True)
        if side == "encoder":
            keys = c.ln(c.x, f"{prefix}encoder.layer_norm" if pre else previous)
        elif not pre:
            c.ln(c.x, previous)


CROSS = ["encoder_attn|cross"]


@case("bart-postnorm", "transformers bart", config={"model_type": "bart", **BART}, says=CROSS, **LN)
def _(c):
    bart(c)


@case("bart-encoder", "transformers bart without a decoder", config={"model_type": "bart", **BART, "decoder_layers": 0}, **LN)
def _(c):
    for i in range(2):
        h = c.ln(c.x, f"encoder.layers.{i - 1}.final_layer_norm" if i else "encoder.layernorm_embedding")
        q, k = c.project(h, f"encoder.layers.{i}.self_attn", o="out_proj", bias="qkv")
        c.ln(c.x, f"encoder.layers.{i}.self_attn_layer_norm")
        c.record(f"encoder.layers.{i}.self_attn", q, k, ROOT)


@case("marian-postnorm", "transformers marian: as BART, without a norm of the embeddings", outcome="open", says=["norm"],
      config={"model_type": "marian", **BART}, **LN)
def _(c):
    bart(c, embeddings=False)


@case("mbart-prenorm", "transformers mbart", config={"model_type": "mbart", **BART}, says=CROSS, **LN)
def _(c):
    bart(c, pre=True)


@case("pegasus-prenorm", "transformers pegasus", config={"model_type": "pegasus", **BART}, says=CROSS, **LN)
def _(c):
    bart(c, pre=True)


@case("m2m_100-prenorm", "transformers m2m_100", config={"model_type": "m2m_100", **BART}, says=CROSS, **LN)
def _(c):
    bart(c, pre=True)


@case("whisper-hf", "transformers whisper: pre-norm; keys of encoder_attn are behind encoder.layer_norm", config={"model_type": "whisper", **BART},
      says=CROSS, **LN)
def _(c):
    bart(c, pre=True)
