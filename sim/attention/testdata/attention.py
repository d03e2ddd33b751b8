#!/usr/bin/python3
"""Prints what PyTorch makes of scaled dot-product attention.

    python3 attention.py > attention.json

By PyTorch 1.13 in float64 from the explicit formula softmax(Q K^T scale + mask) V,
which it has no function for yet. Inputs are numbers that need no file: number() below
and its twin in the test.
"""
import json
import math

import torch

torch.set_num_threads(1)


def number(which, b, h, i, j):
    """A multiple of 1/4096 between -2 and 2."""
    return ((which * 7919 + b * 104729 + h * 1299709 + i * 15485863 + j * 32452843 + 12345) * 40503 % 65536 % 16384 - 8192) / 4096


def tensor(which, *shape):
    batches, heads, rows, columns = shape
    return torch.tensor([[[[number(which, b, h, i, j) for j in range(columns)] for i in range(rows)]
                          for h in range(heads)] for b in range(batches)], dtype=torch.float64)


def allowed(kind, heads, queries, keys):
    """What is added to the scores."""
    mask = torch.zeros(1, heads, queries, keys, dtype=torch.float64)
    for h in range(heads):
        for i in range(queries):
            for j in range(keys):
                if kind == "causal" and j > i:
                    mask[0, h, i, j] = -math.inf
                if kind == "window" and abs(i - j) > 1:
                    mask[0, h, i, j] = -math.inf
                if kind == "bias":
                    mask[0, h, i, j] = -abs(i - j) * 2.0 ** -(h + 1)
    return mask


CASES = [  # name, batches, query heads, key heads, queries, keys, d_k, d_v, scale, mask
    ("one head", 1, 1, 1, 3, 5, 4, 2, 0.5, "none"),
    ("unscaled, saturated", 1, 1, 1, 6, 8, 64, 3, 1.0, "none"),
    ("batches and heads", 2, 3, 3, 5, 5, 8, 6, 8 ** -0.5, "none"),
    ("causal", 2, 2, 2, 6, 6, 8, 8, 8 ** -0.5, "causal"),
    ("causal, more keys than queries", 1, 1, 1, 3, 5, 4, 4, 0.5, "causal"),
    ("window", 1, 2, 2, 6, 6, 4, 4, 0.5, "window"),
    ("bias that differs by head", 2, 4, 4, 5, 5, 8, 8, 8 ** -0.5, "bias"),
    ("grouped queries", 2, 4, 2, 5, 5, 8, 8, 8 ** -0.5, "causal"),
    ("multi-query", 1, 4, 1, 5, 7, 8, 8, 8 ** -0.5, "none"),
    ("one key", 1, 1, 1, 2, 1, 4, 4, 0.5, "none"),
]


def flat(t):
    return [x.hex() for x in t.detach().flatten().tolist()]


out = []
for name, batches, heads, shared, queries, keys, d, dv, scale, mask in CASES:
    q = tensor(1, batches, heads, queries, d)
    k = tensor(2, batches, shared, keys, d)
    v = tensor(3, batches, shared, keys, dv)
    each = heads // shared
    logits = q @ k.repeat_interleave(each, 1).transpose(-2, -1) * scale + allowed(mask, heads, queries, keys)
    weights = torch.softmax(logits, -1)
    blend = weights @ v.repeat_interleave(each, 1)
    out.append({"name": name, "batches": batches, "heads": heads, "shared": shared, "queries": queries, "keys": keys,
                "d_k": d, "d_v": dv, "scale": float(scale).hex(), "mask": mask, "weights": flat(weights), "blend": flat(blend)})
print(json.dumps({"torch": torch.__version__, "cases": out}, indent=0))
