#!/usr/bin/python3
"""Writes samples.json: what NumPy makes of queries and keys that samples_test.go makes, too.

    python3 samples.py

Component number i of an array is (i·a mod 65537)/65536 − ½, less its power of three, plus a mean.
"""
import functools
import json

import numpy as np

LEVELS = {"hard": -1, "none": 0, "root": 0.5, "d_k": 1}


def array(a, rows, d, mean):
    u = (np.arange(1, rows * d + 1, dtype=np.int64) * a % 65537) / 65536 - 0.5
    return (2 * u - u ** 3 + mean).reshape(rows, d)


def crossed(q, k):
    s = q @ k.T
    m, n = s.shape
    h = (s - s.mean()) ** 2
    rest = h - h.mean(1)[:, None] - h.mean(0) + h.mean()
    both = (rest ** 2).sum() / ((m - 1) * (n - 1)) / (m * n)
    few = min(m, n)  # as many cells of rows
    rows, columns = (np.array([x[b * len(x) // few:(b + 1) * len(x) // few].mean() for b in range(few)]) for x in (h.mean(1), h.mean(0)))
    square = max((rows + columns).var(ddof=1) / few - both, (rows.var(ddof=1) + columns.var(ddof=1)) / few / 2)
    return {"variance": unbiased(s), "se": np.sqrt(square), **both_sides(q, k, s)}


def paired(q, k):
    s = (q * k).sum(1)
    return {"variance": s.var(ddof=1), "se": max(((s - s.mean()) ** 2).std(ddof=1) / np.sqrt(len(s)), s.var(ddof=1) * np.sqrt(2 / (len(s) - 1))), **both_sides(q, k, s)}


def unbiased(s):
    m, n = s.shape
    return (s ** 2).mean() - (s.sum() ** 2 - (s.sum(1) ** 2).sum() - (s.sum(0) ** 2).sum() + (s ** 2).sum()) / (m * (m - 1) * n * (n - 1))


def both_sides(q, k, s):
    return {"mean": s.mean(), "square": (s.var() if s.ndim == 1 else unbiased(s)) / (q ** 2).mean() / (k ** 2).mean() + s.mean() ** 2 / (q ** 2).mean() / (k ** 2).mean(), "query_variance": q.var(), "key_variance": k.var(),
            "cosine": s.mean() / np.sqrt((q ** 2).sum(1).mean() * (k ** 2).sum(1).mean())}


@functools.cache
def limit(n):
    """E sum(a^2) of softmax of n normal logits with standard deviation sqrt(2 ln n), as the integral over t of
    n t E[e^2x exp(-t e^x)] E[exp(-t e^x)]^(n-1)."""
    x = np.linspace(-12, 12, 2001)
    normal = np.exp(-x ** 2 / 2) / np.sqrt(2 * np.pi) * (x[1] - x[0])
    x = np.sqrt(2 * np.log(n)) * x
    logs = np.arange(-60, 60, 0.05)
    t = np.exp(logs)[:, None]
    with np.errstate(over="ignore"):
        least = np.exp(-t * np.exp(x))
    inside = n * t[:, 0] ** 2 * (least * np.exp(2 * x) @ normal) * (least @ normal) ** (n - 1)
    return inside.sum() * 0.05


def softmax(q, k, scale, bias):
    s = q @ k.T
    seen = np.isfinite(bias)
    rows, variances, dead, limits = [], [], 0, []
    for vector, x, b, may in zip(q, s, bias, seen):
        n = may.sum()
        if n < 2:
            continue
        e = np.exp(scale * x[may] + b[may] - (scale * x[may] + b[may]).max())
        w = e / e.sum()
        variances.append(x[may].var())
        limits.append(limit(n))
        if (w ** 2).sum() > limit(n):
            jacobian = np.linalg.norm(np.diag(w) - np.outer(w, w))
            dead += scale * np.linalg.norm(vector) * np.sqrt((k ** 2).mean()) * jacobian < 2.0 ** -8 * np.sqrt(n - 1) / n
        rows.append([w.max(), w.max() * n, -(w * np.log(np.maximum(w, 1e-300))).sum() / np.log(n), (w ** 2).sum(), w[0]])
    rows = np.array(rows)
    return {"max_weight_times_keys": rows[:, 1].mean(), "entropy_ratio": rows[:, 2].mean(),
            "effective_keys": 1 / rows[:, 3].mean(), "first_key_weight": rows[:, 4].mean(), "effective_keys_limit": 1 / np.mean(limits),
            "dead_share": dead / len(rows), "row_logit_sd": scale * np.sqrt(np.mean(variances)), "max_logit": scale * s[seen].max()}


cases = []
for m, n, d, mean_q, mean_k in ((5, 4, 3, 0, 0), (40, 40, 16, 0, 0), (37, 60, 8, 0.5, -0.3), (60, 33, 64, 4, 2), (50, 50, 130, 0.1, 0)):
    q, k = array(40503, m, d, mean_q), array(30011, n, d, mean_k)
    masks = {"none": np.zeros((m, n)), "causal": np.where(np.tril(np.ones((m, n), bool)), 0, -np.inf)}
    cases.append({"queries": m, "keys": n, "d_k": d, "q_mean": mean_q, "k_mean": mean_k, "crossed": crossed(q, k),
                  "paired": paired(q[:min(m, n)], k[:min(m, n)]),
                  "softmax": {name: {level: softmax(q, k, d ** -float(p), bias) for level, p in LEVELS.items()} for name, bias in masks.items()}})
json.dump({"numpy": np.__version__, "cases": cases}, open("samples.json", "w"), indent=1)
