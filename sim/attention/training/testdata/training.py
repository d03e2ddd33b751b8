"""Gradients and losses of the models of sim/attention/training by PyTorch's autograd and optimisers.

usage: /usr/bin/python3 training.py > training.json

Written by PyTorch 1.13 of Debian in float64; the version stands in the file. Numbers of a
seed come from a hash, which the test makes again: they are exact in float32.
"""

import json
import math
import sys

import numpy as np
import torch

TOKENS, VALUES, KEYS, SEQUENCES = 16, 8, 8, 32
D = 20  # where no two of √16/d_k, 1/√d_k and 1/d_k are equal, as they are at 16
torch.set_default_dtype(torch.float64)


def numbers(seed, count):
    n = np.arange(count, dtype=np.uint64) + np.uint64(seed * 1000003 + 1)
    with np.errstate(over="ignore"):
        z = n * np.uint64(0x9E3779B97F4A7C15)
        z ^= z >> np.uint64(30)
        z *= np.uint64(0xBF58476D1CE4E5B9)
        z ^= z >> np.uint64(27)
    return 3.5 * ((z >> np.uint64(44)).astype(np.float64) / 2**20 - 0.5)


def make(seed, case):
    sizes = [("tokens", (SEQUENCES, KEYS, TOKENS)), ("query", (TOKENS, D)), ("key", (TOKENS, D)),
             ("query1", (TOKENS, D)), ("key1", (TOKENS, D)), ("value", (TOKENS, VALUES)),
             ("output", (VALUES, VALUES)), ("additive", (D,))]
    x, at, out = numbers(seed, sum(math.prod(s) for _, s in sizes)), 0, {}
    for name, shape in sizes:
        out[name] = torch.tensor(x[at:at + math.prod(shape)].reshape(shape))
        at += math.prod(shape)
    half = TOKENS - VALUES
    if case["variant"] == "copying":
        out["tokens"][:, :, :half] = math.sqrt(half) * torch.eye(KEYS)
    else:
        fall = 1 / torch.arange(1, half + 1)
        out["tokens"][:, :, :half] *= fall * math.sqrt(half / (fall**2).sum())
    gain = D ** case["gain"] / math.sqrt(TOKENS)
    for name in ("query", "key", "query1", "key1"):
        out[name] *= gain
    out["value"] /= math.sqrt(TOKENS)
    out["output"] /= math.sqrt(VALUES)
    out["additive"] /= math.sqrt(D)
    return out


def loss_of(w, case):
    variant = case["variant"]
    tokens = w["tokens"]
    asked = torch.arange(SEQUENCES) % KEYS
    chosen = tokens[torch.arange(SEQUENCES), asked]
    half = TOKENS - VALUES
    asking = torch.zeros(SEQUENCES, TOKENS)
    asking[:, :half] = math.sqrt(2) * chosen[:, :half]
    wanted, values = chosen[:, half:], tokens[:, :, half:]
    scale = {"half-root": 1 / math.sqrt(D / 2), "mup": 4 / D, "additive-scores": 1}.get(variant, D ** -case["exponent"])
    seen = tokens
    if variant == "two-layers":
        whole = torch.cat([tokens, asking[:, None]], 1)
        s = (whole @ w["query1"]) @ (whole @ w["key1"]).transpose(1, 2)
        whole = whole + torch.softmax(s * scale, -1) @ whole
        seen, asking = whole[:, :KEYS], whole[:, KEYS]
    q, k = asking @ w["query"], seen @ w["key"]
    if variant == "qk-norm":
        q = q / q.pow(2).mean(-1, keepdim=True).sqrt()
        k = k / k.pow(2).mean(-1, keepdim=True).sqrt()
    if variant == "additive-scores":
        s = torch.tanh(q[:, None] + k) @ w["additive"]
    else:
        s = (k @ q[:, :, None])[:, :, 0]
    logits = s * scale
    if variant == "soft-cap":
        logits = case["cap"] * torch.tanh(logits / case["cap"])
    alpha = torch.softmax(logits, -1)[:, None]
    out = (alpha @ (tokens @ w["value"]) @ w["output"] if case["all"] else alpha @ values)[:, 0]
    return (out - wanted).pow(2).mean()


def run(case):
    result = dict(case, gradients=[], losses=[])
    for seed in range(2):
        w = make(seed, case)
        own = ["query", "key"] + (["query1", "key1"] if case["variant"] == "two-layers" else [])
        rest = ["value", "output"] if case["all"] else []
        for name in own + rest:
            w[name].requires_grad_()
        groups = [{"params": [w[n] for n in own], "lr": case["rate"]}]
        if rest:
            groups.append({"params": [w[n] for n in rest], "lr": case["rest"]})
        step = torch.optim.Adam(groups, eps=1e-8) if case["adam"] else torch.optim.SGD(groups, lr=1)
        losses = []
        for t in range(case["steps"] + 1):
            step.zero_grad()
            loss = loss_of(w, case)
            losses.append(loss.item())
            if t == case["steps"]:
                break
            loss.backward()
            if t == 0 and seed == 0:
                result["gradients"] = [w[n].grad.flatten().tolist() for n in own + rest]
            step.step()
        result["losses"].append(losses)
    return result


def case(variant="plain", exponent=0.5, gain=0.0, adam=False, all=False, rate=0.5, rest=0.0, steps=20, cap=0.0):
    return dict(variant=variant, exponent=exponent, gain=gain, adam=adam, all=all, rate=rate, rest=rest, steps=steps,
                cap=cap)


cases = [
    case(steps=100), case(adam=True, rate=0.015625, steps=100),
    case(exponent=0.0, rate=0.03125), case(exponent=1.0, rate=8.0),
    case(exponent=0.0, adam=True, rate=0.00390625), case(exponent=1.0, adam=True, rate=0.0625),
    case(exponent=0.0, gain=-0.25, rate=0.125), case(gain=0.25, rate=0.125),
    case(all=True, rest=0.5), case(all=True, adam=True, rate=0.015625, rest=0.015625),
    case(exponent=0.0, all=True, rate=0.03125, rest=0.5), case(exponent=1.0, all=True, rate=8.0, rest=0.5),
    case(exponent=0.0, adam=True, all=True, rate=0.00390625, rest=0.015625),
    case(exponent=1.0, adam=True, all=True, rate=0.0625, rest=0.015625),
    case("copying"), case("two-layers"), case("qk-norm"), case("additive-scores"), case("half-root", rate=0.25), case("mup", exponent=1.0),
    case("soft-cap", cap=2.0), case("soft-cap", cap=2.0, adam=True, rate=0.015625),
]
json.dump({"torch": torch.__version__, "d_k": D, "cases": [run(c) for c in cases]}, sys.stdout)
