"""Saves queries, keys and logits of a fresh layer, which `mcsim inspect` then judges."""

import sys

import numpy as np
import torch

from attention import Attention


@torch.no_grad()
def test_attention(to="qk.npz"):
    torch.manual_seed(1)
    layer = Attention()
    x = layer.norm(torch.randn(16, 16, 96))  # 16 texts of 16 tokens
    q, k, logits = layer.logits(x)
    np.savez(to, q=q.numpy().astype(np.float16), k=k.numpy().astype(np.float16), logits=logits.numpy())


if __name__ == "__main__":
    test_attention(*sys.argv[1:])
