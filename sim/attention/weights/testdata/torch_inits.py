#!/usr/bin/python3
"""Prints moments of PyTorch's own initialisations of W_Q and W_K.

    python3 torch_inits.py > torch.csv

Each scheme is drawn by the very function or module that its users call. Tokens
are normal numbers behind torch.nn.functional.layer_norm. A line is the mean over
draws of the weights, with the standard error of that mean: of an entry's square
and fourth power, of a query's and a key's squared length over d_k, and of the
squared score over √d_k of all pairs of different tokens. Last comes the greatest
entry of all draws, which has no error.
"""
import math

import torch
from torch import nn

TOKENS = 64
SHAPES = [(512, 64, 400), (96, 8, 3000)]


def by(function, **options):
    """Head by head: a matrix of d_k rows for each of W_Q and W_K."""
    def draw(model, key):
        def one():
            w = torch.empty(key, model)
            function(w, **options)
            return w, None
        return one(), one()
    return draw


def fused(function):
    """All heads in one matrix, of which the first head is taken."""
    def draw(model, key):
        def one():
            w = torch.empty(model, model)
            function(w)
            return w[:key], None
        return one(), one()
    return draw


def linear(model, key):
    def one():
        layer = nn.Linear(model, key)
        return layer.weight, layer.bias
    return one(), one()


def attention(model, key):
    packed = nn.MultiheadAttention(model, model // key)
    w, b = packed.in_proj_weight, packed.in_proj_bias
    return (w[:key], b[:key]), (w[model:model + key], b[model:model + key])


SCHEMES = {
    "glorot-uniform": by(nn.init.xavier_uniform_),
    "glorot-normal": by(nn.init.xavier_normal_),
    "glorot-fused": fused(nn.init.xavier_uniform_),
    "torch-mha": attention,
    "he-normal": by(nn.init.kaiming_normal_),
    "he-uniform": by(nn.init.kaiming_uniform_),
    "he-fan-out": by(nn.init.kaiming_normal_, mode="fan_out"),
    "lecun-normal": by(nn.init.kaiming_normal_, nonlinearity="linear"),
    "torch-linear": linear,
    "normal-0.02": by(nn.init.normal_, std=0.02),
    "torch-truncated-0.02": by(nn.init.trunc_normal_, std=0.02),
    "orthogonal": by(nn.init.orthogonal_),
}


def measure(projections, model, key):
    x = nn.functional.layer_norm(torch.randn(TOKENS, model), (model,), eps=0.0)
    made = [nn.functional.linear(x, w, b).double() for w, b in projections]
    scores = made[0] @ made[1].T
    different = (scores ** 2).sum() - (torch.diagonal(scores) ** 2).sum()
    entries = torch.cat([w.flatten() for w, _ in projections]).double()
    return [
        (entries ** 2).mean(), (entries ** 4).mean(),
        (made[0] ** 2).mean(), (made[1] ** 2).mean(),
        different / (TOKENS * (TOKENS - 1)) / key,
        entries.abs().max(),
    ]


@torch.no_grad()
def main():
    torch.manual_seed(20250103)
    torch.set_num_threads(1)
    print(f"# PyTorch {torch.__version__}, seed 20250103, {TOKENS} tokens a draw")
    print("scheme,d_model,d_k,draws,quantity,value,se")
    names = ["entry_square", "entry_fourth", "query_variance", "key_variance", "scaled_variance"]
    for model, key, draws in SHAPES:
        for scheme, draw in SCHEMES.items():
            few = draws // 8 if scheme in ("glorot-fused", "torch-mha") and model > 256 else draws
            found = torch.tensor([measure(draw(model, key), model, key) for _ in range(few)], dtype=torch.float64)
            for i, name in enumerate(names):
                column = found[:, i]
                print(f"{scheme},{model},{key},{few},{name},{column.mean():.9g},{column.std() / math.sqrt(few):.4g}")
            print(f"{scheme},{model},{key},{few},entry_greatest,{found[:, -1].max():.9g},")


main()
