"""Saves queries, keys, logits and weights of a fresh layer, which `mcsim inspect` then judges."""

import sys

import numpy as np
import torch

from attention import Attention


@torch.no_grad()
def test_attention(to="qk.npz"):
    torch.manual_seed(1)
    layer = Attention()
    x = 3 * torch.randn(16, 16, 96)  # 16 texts of 16 tokens, which the model norms by itself
    q, k, logits, weights = layer.attend(x)
    half = {name: x.numpy().astype(np.float16) for name, x in {"q": q, "k": k}.items()}
    np.savez(to, **half, logits=logits.numpy(), weights=weights.numpy())


if __name__ == "__main__":
    test_attention(*sys.argv[1:])
