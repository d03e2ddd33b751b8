"""Tiny state dicts whose arrays a formula gives, so that Go writes the same files without them.

A number of an array is block * (mean + sd * u), rounded to float32, where u is uniform in [-1, 1)
and comes from splitmix64 of the number's index and a seed, the CRC-32 of the case's and the array's names. A block is a factor of equal
slices along an axis: it gives every head a size of its own. Logits are computed in float64.
"""
import zlib

import numpy as np
import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)

WIDTH, TOKENS, HEADS, SIZE = 32, 20, 4, 8  # d_model, tokens, heads, d_k, unless a case says otherwise
Q = [0.6, 1.0, 1.5, 2.2, 0.8, 1.8]  # sizes of the heads of queries
K = [1.0, 1.6, 1.2, 1.9, 0.7, 1.4]  # and of keys
CASES = []


def uniform(seed, count):
    """Numbers of splitmix64 (Steele, Lea and Flood 2014), as multiples of 2**-52 in [-1, 1)."""
    z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1


def heads(x, n):
    """n x tokens x d_k of tokens x (n * d_k)."""
    return x.view(x.shape[0], n, -1).transpose(0, 1)


def rms(x, gain=None, eps=1e-6):
    x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return x if gain is None else x * gain


def layer_norm(x, gain=None, bias=None, eps=1e-5):
    x = F.layer_norm(x, x.shape[-1:], eps=eps)
    x = x if gain is None else x * gain
    return x if bias is None else x + bias


class Case:
    """One state dict, and what its architecture makes of the tokens x."""

    def __init__(self, name, source, config=None, norm="none", outcome="right", says=(), refusal="", flags=(), width=WIDTH):
        self.spec = {"name": name, "source": source, "outcome": outcome, "says": list(says), "refusal": refusal,
                     "flags": list(flags), "norm": norm, "config": config, "arrays": [], "layers": []}
        self.width = width
        self.x = self.array("x", TOKENS, width, sd=2.5, mean=0.5)

    def array(self, name, *shape, sd=1.0, mean=0.0, axis=0, blocks=None, kind=None):
        assert all(a[0] != name for a in self.spec["arrays"]), f"two arrays are named {name}"
        seed = zlib.crc32((self.spec["name"] + "/" + name).encode())
        sd = round(sd, 4)
        values = mean + sd * uniform(seed, int(np.prod(shape))).reshape(shape)
        if blocks:
            along = [1] * len(shape)
            along[axis] = shape[axis]
            values = np.repeat(blocks, shape[axis] // len(blocks)).reshape(along) * values
        blocks = [int(b) if b == int(b) else b for b in blocks or []]
        recipe = [name, list(shape), sd, mean, axis, blocks, kind]
        while not recipe[-1]:
            recipe.pop()
        self.spec["arrays"].append(recipe)
        return torch.from_numpy(values.astype(np.float32).astype(np.float64))

    def gain(self, name, n, mean=1.0, blocks=None):
        return self.array(name, n, sd=0.5, mean=mean, blocks=blocks)

    def matrix(self, name, rows, columns, blocks=None):
        """outputs x inputs, with outputs of variance near the blocks' squares for inputs of variance 1."""
        return self.array(name, rows, columns, sd=(3 / columns) ** 0.5, blocks=blocks)

    def kernel(self, name, rows, columns, blocks=None):
        """inputs x outputs, as Conv1D and JAX have them; returned as outputs x inputs."""
        return self.array(name, columns, rows, sd=(3 / columns) ** 0.5, axis=1, blocks=blocks).T

    def linear(self, x, name, rows, blocks=None, bias=True, weight=".weight"):
        y = x @ self.matrix(name + weight, rows, x.shape[-1], blocks).T
        return y + self.array(name + ".bias", rows, sd=0.4, blocks=blocks) if bias else y

    def rms(self, x, name, offset=0.0, eps=1e-6):
        """RMSNorm whose gain is offset + weight."""
        return rms(x, offset + self.gain(name + ".weight", x.shape[-1], 1 - offset), eps)

    def ln(self, x, name, bias=True, offset=0.0, eps=1e-5, parts=(".weight", ".bias")):
        gain = offset + self.gain(name + parts[0], x.shape[-1], 1 - offset)
        return layer_norm(x, gain, self.array(name + parts[1], x.shape[-1], sd=0.3) if bias else None, eps)

    def project(self, x, at, q="q_proj", k="k_proj", v="v_proj", o="o_proj", H=HEADS, G=None, d=SIZE, bias="", keys=None):
        """Queries (H heads) and keys (G heads) of separate arrays; the file also gets those of values and outputs."""
        keys, G = x if keys is None else keys, G or H
        queries = heads(self.linear(x, at + "." + q, H * d, Q[:H], "q" in bias), H)
        made = heads(self.linear(keys, at + "." + k, G * d, K[:G], "k" in bias), G)
        if v:
            self.linear(keys, at + "." + v, G * d, None, "v" in bias)
        if o:
            self.matrix(at + "." + o + ".weight", x.shape[-1], H * d)
        return queries, made

    def record(self, at, q, k, scale, optional=False):
        """Takes the logits of a layer as the truth: each head's mean and unbiased variance.

        The variance is the U-statistic of pairs that share neither query nor key: the mean square less an
        unbiased estimate of the squared mean.
        """
        scores = scale * (q @ k.repeat_interleave(len(q) // len(k), 0).transpose(1, 2))
        n, m = scores.shape[1:]
        layer = {"of": at, "heads": []}
        for s in scores:
            mean = s.mean()
            t = s - mean
            apart = (t.sum(1) ** 2).sum() + (t.sum(0) ** 2).sum() - (t**2).sum()
            variance = (t**2).mean() + apart / (n * (n - 1) * m * (m - 1))
            layer["heads"].append([float(f"{mean:.6g}"), float(f"{variance:.6g}")])
        if optional:
            layer["optional"] = True
        self.spec["layers"].append(layer)

    def count(self, at, H):
        """Says only how many heads a layer has."""
        self.spec["layers"].append({"of": at, "heads": [[0, 0]] * H})


def case(name, source, **options):
    """Registers a case and the function that fills it."""
    def add(fill):
        CASES.append((Case(name, source, **options), fill))
        return fill
    return add
