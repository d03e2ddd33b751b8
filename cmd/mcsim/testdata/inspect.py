#!/usr/bin/python3
"""Writes inspect.npz, and in inspect.json what NumPy makes of it.

    python3 inspect.py

Two heads of queries share one head of keys, and query i sees the keys 0 to i.
"""
import json

import numpy as np

draw = np.random.Generator(np.random.PCG64(5))
q, k, v = draw.normal(size=(2, 5, 16)), draw.normal(size=(1, 5, 16)) * 1.5, draw.normal(size=(1, 5, 3))
np.savez("inspect.npz", Q=q, K=k.astype(np.float32), V=v, allowed=np.tril(np.ones((5, 5), dtype=bool)))
k = k.astype(np.float32).astype(float)

seen = np.tril(np.ones((5, 5), dtype=bool))
scores = q @ np.swapaxes(k, -2, -1)
rows = [(s, m) for head in scores for s, m in zip(head, seen)]


def effect(scale):
    most, ratio, survival, even = [], [], [], []
    for s, m in rows:
        if m.sum() < 2:
            continue
        e = np.exp(scale * (s[m] - s[m].max()))
        w, n = e / e.sum(), m.sum()
        most.append(w.max())
        even.append(w.max() * n)
        ratio.append(-(w * np.log(w)).sum() / np.log(n))
        survival.append((1 - (w ** 2).sum()) / (1 - 1 / n))
    return {"max_weight_q50": np.median(most), "entropy_ratio_q50": np.median(ratio), "gradient_survival_q50": np.median(survival),
            "max_weight_times_keys": np.mean(even), "logit_sd": scale * np.sqrt(np.mean([s[m].var() for s, m in rows if m.sum() > 1]))}


cosine = scores / np.linalg.norm(q, axis=-1)[..., None] / np.linalg.norm(k, axis=-1)[:, None, :]
weights = np.where(seen, np.exp(scores / 4 - np.where(seen, scores / 4, -np.inf).max(-1, keepdims=True)), 0)
weights /= weights.sum(-1, keepdims=True)
everything = np.concatenate([s[m] for s, m in rows])
json.dump({"numpy": np.__version__,
           "scores": {"score_mean": everything.mean(), "score_variance": everything.var(), "score_variance_over_d_k": everything.var() / 16,
                      "score_variance_within_row": np.mean([s[m].var() for s, m in rows if m.sum() > 1]),
                      "mean_cosine": cosine[:, seen].mean()},
           "query": {"component_mean": q.mean(), "component_variance": q.var()}, "key": {"component_mean": k.mean(), "component_variance": k.var()},
           "scales": [effect(1), effect(1 / 4), effect(1 / 16)],
           "weights": weights.reshape(-1, 5).tolist(), "output": (weights @ v).reshape(-1, 3).tolist()},
          open("inspect.json", "w"), indent=1)
print("numpy", np.__version__)
