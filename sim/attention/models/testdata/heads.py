#!/usr/bin/python3
"""Writes heads.csv: what NumPy finds the variance of a logit to be, at initialisation, in heads
of the ledger that are no plain ones. Each is computed step by step as its model does.

    python3 heads.py
"""
import csv

import numpy as np

TOKENS, DRAWS = 128, 24
draw = np.random.Generator(np.random.PCG64(11))


def normal(sd, *shape):
    return draw.normal(0, sd, shape)


def cut(sd, at, *shape):
    x = draw.normal(size=shape)
    while (far := np.abs(x) > at).any():
        x[far] = draw.normal(size=far.sum())
    return sd * x


def rms(x):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True))


def layernorm(x):
    return rms(x - x.mean(-1, keepdims=True))


def tokens(model):
    return rms(draw.normal(size=(TOKENS, model)))


def rotate(x, factor):
    """RoPE of token i by angles i·θ, with what YaRN multiplies cos and sin by."""
    half = x.shape[-1] // 2
    angle = np.arange(TOKENS)[:, None] * 150000.0 ** (-np.arange(half) / half)
    cos, sin = factor * np.cos(angle), factor * np.sin(angle)
    a, b = x[:, :half], x[:, half:]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def latent(model, query, key, nope, rope, sd, scale):
    x = tokens(model)
    q = rms(x @ normal(sd, model, query)) @ normal(sd, query, nope + rope)
    plain = rms(x @ normal(sd, model, key)) @ normal(sd, key, nope)
    k = np.concatenate([plain, rotate(x @ normal(sd, model, rope), 1)], -1)
    return scale * np.concatenate([q[:, :nope], rotate(q[:, nope:], 1)], -1) @ k.T


def together(model, heads, key, sd):
    """One norm over all heads; the logits of each."""
    x = tokens(model)
    q, k = rms(x @ normal(sd, model, heads * key)), rms(x @ normal(sd, model, heads * key))
    split = lambda y: y.reshape(TOKENS, heads, key).swapaxes(0, 1)
    return split(q) @ split(k).swapaxes(1, 2) / np.sqrt(key)


def plain(model, key, query_entries, key_entries, norm=lambda x: x, scale=None, rotated=None):
    x = tokens(model)
    q, k = norm(x @ query_entries(model, key)), norm(x @ key_entries(model, key))
    if rotated:
        q, k = rotate(q, rotated), rotate(k, rotated)
    return (key ** -0.5 if scale is None else scale) * q @ k.T


both = lambda entries: (entries, entries)
yarn = 0.1 * np.log(32) + 1
heads = {
    "DeepSeek-V2": lambda: latent(5120, 1536, 512, 128, 64, 0.02, 192 ** -0.5 * (0.0707 * np.log(40) + 1) ** 2),
    "OLMoE-1B-7B": lambda: together(2048, 16, 128, 0.02),
    "Persimmon-8B": lambda: plain(4096, 64, *both(lambda *s: normal(0.02, *s)), layernorm),
    "Qwen3-8B": lambda: plain(4096, 128, *both(lambda *s: normal(0.02, *s)), rms),
    "SwinV2-T, stage 1": lambda: plain(96, 32, *both(lambda *s: normal(0.02, *s)), lambda y: y / np.linalg.norm(y, axis=-1, keepdims=True), 10),
    "Gemma-3n E4B": lambda: plain(2048, 256, *both(lambda *s: normal(0.02, *s)), rms, 1),
    "BERT-base": lambda: plain(768, 64, *both(lambda *s: cut(0.02, 2, *s))),
    "OLMo-7B": lambda: plain(4096, 128, *both(lambda *s: cut(4096 ** -0.5, 3, *s))),
    "DiT-XL/2": lambda: plain(1152, 72, *both(lambda *s: draw.uniform(-1, 1, s) * np.sqrt(6 / (4 * 1152)))),
    "T5-base": lambda: plain(768, 64, lambda *s: normal((768 * 64) ** -0.5, *s), lambda *s: normal(768 ** -0.5, *s), scale=1),
    "GPT-Neo-2.7B": lambda: plain(2560, 80, lambda *s: normal((2560 * 80) ** -0.5, *s), lambda *s: normal(2560 ** -0.5, *s), scale=1),
    "MPT-7B": lambda: plain(4096, 128, *both(lambda *s: normal((2 / 4096) ** 0.5, *s))),
    "gpt-oss-120b": lambda: plain(2880, 64, *both(lambda *s: normal(0.02, *s)), rotated=yarn),
    "Gemma-2 9B": lambda: 50 * np.tanh(plain(3584, 256, *both(lambda *s: normal(0.02, *s))) / 50),
}

with open("heads.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(["model", "logit_variance", "se", f"numpy {np.__version__}"])
    for name, head in heads.items():
        found = []
        for _ in range(DRAWS):
            logits = head()
            others = ~np.eye(TOKENS, dtype=bool)
            found.append((logits[..., others] ** 2).mean())
        out.writerow([name, f"{np.mean(found):.6g}", f"{np.std(found, ddof=1) / np.sqrt(DRAWS):.3g}", ""])
