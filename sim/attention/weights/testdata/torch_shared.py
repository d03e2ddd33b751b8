#!/usr/bin/python3
"""Prints moments of W_Q and W_K that PyTorch draws for heads that share keys.

    python3 torch_shared.py > shared.csv

A layer has as many heads of queries as heads says, and kv_heads of keys and values. By
glorot-fused, W_Q and W_K are matrices of their own, with as many outputs as their heads
have components; by torch-mha they are parts of one packed matrix, as in_proj_weight is.
Both are drawn by torch.nn.init.xavier_uniform_, which counts the outputs itself. A line is
the mean over draws, with its standard error: of the squared entries of the first head's
W_Q and of its W_K, and of the squared score over √d_k of pairs of different tokens behind
layer_norm.
"""
import math

import torch
from torch import nn

TOKENS = 64
LAYERS = [(64, 8, 8, 2, 3000), (64, 8, 8, 1, 3000), (48, 16, 4, 2, 3000)]  # d_model, d_k, heads, kv_heads, draws


def fused(model, key, heads, shared):
    w_q, w_k = torch.empty(heads * key, model), torch.empty(shared * key, model)
    nn.init.xavier_uniform_(w_q)
    nn.init.xavier_uniform_(w_k)
    return w_q[:key], w_k[:key]


def packed(model, key, heads, shared):
    w = torch.empty((heads + 2 * shared) * key, model)
    nn.init.xavier_uniform_(w)
    return w[:key], w[heads * key:(heads + 1) * key]


def measure(w_q, w_k, model, key):
    x = nn.functional.layer_norm(torch.randn(TOKENS, model), (model,), eps=0.0)
    scores = (x @ w_q.T).double() @ (x @ w_k.T).double().T
    different = (scores ** 2).sum() - (torch.diagonal(scores) ** 2).sum()
    return [(w_q.double() ** 2).mean(), (w_k.double() ** 2).mean(), different / (TOKENS * (TOKENS - 1)) / key]


@torch.no_grad()
def main():
    torch.manual_seed(20250107)
    torch.set_num_threads(1)
    print(f"# PyTorch {torch.__version__}, seed 20250107, {TOKENS} tokens a draw")
    print("scheme,d_model,d_k,heads,kv_heads,quantity,value,se")
    for model, key, heads, shared, draws in LAYERS:
        for scheme, draw in {"glorot-fused": fused, "torch-mha": packed}.items():
            found = torch.tensor([measure(*draw(model, key, heads, shared), model, key) for _ in range(draws)], dtype=torch.float64)
            for i, name in enumerate(["query_entry_square", "key_entry_square", "scaled_variance"]):
                column = found[:, i]
                print(f"{scheme},{model},{key},{heads},{shared},{name},{column.mean():.9g},{column.std() / math.sqrt(draws):.4g}")


main()
