"""Saves attention with mcsim_hook and checks what is saved. Needs PyTorch.

usage: test_hook.py FOLDER writes calls.npz, watched.npz and arrays.npz, which a test then inspects.
"""

import math
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import mcsim_hook


def attend(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    """Stands for scaled_dot_product_attention, which PyTorch has from version 2 on."""
    logits = q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        logits = logits.masked_fill(torch.ones(logits.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
    return logits.softmax(-1) @ v


class Attention(nn.Module):
    """Attention that computes its scores itself."""

    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj = nn.Linear(64, 64, bias=False), nn.Linear(64, 32, bias=False)
        for projection in (self.q_proj, self.k_proj):
            nn.init.normal_(projection.weight, std=64**-0.5)

    def forward(self, x):
        q = self.q_proj(x).unflatten(-1, (4, 16)).transpose(1, 2)
        k = self.k_proj(x).unflatten(-1, (2, 16)).transpose(1, 2).repeat_interleave(2, dim=1)
        return (q @ k.transpose(-2, -1) / 4).softmax(-1)


@torch.no_grad()
def main(folder):
    torch.manual_seed(1)
    if not hasattr(functional, "scaled_dot_product_attention"):
        functional.scaled_dot_product_attention = attend
    original = functional.scaled_dot_product_attention

    q, k, v = (torch.randn(20, 3, 600, 16) for _ in range(3))
    with mcsim_hook.save(f"{folder}/calls.npz"):
        output = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.25)
    assert functional.scaled_dot_product_attention is original
    assert torch.equal(output, original(q, k, v, is_causal=True))
    saved = np.load(f"{folder}/calls.npz")
    assert sorted(saved) == [f"layer{i}.{name}" for i in (0, 1) for name in ("causal", "k", "q", "scale")]
    assert saved["layer1.q"].shape == (mcsim_hook.MAX_TEXTS, 3, mcsim_hook.MAX_ROWS, 16)
    np.testing.assert_allclose(saved["layer0.k"], k[:16, :, :512].numpy(), rtol=2**-11, atol=2**-24)
    assert saved["layer0.scale"] == 16**-0.5 and saved["layer1.scale"] == 0.25

    model = nn.ModuleDict({"block": nn.ModuleDict({"attention": Attention()})})
    with mcsim_hook.save(f"{folder}/watched.npz") as recorder:
        handles = mcsim_hook.watch(recorder, model, "attention", "q_proj", "k_proj", heads=4, key_heads=2)
        model["block"]["attention"](torch.randn(16, 24, 64))
        for handle in handles:
            handle.remove()
    saved = np.load(f"{folder}/watched.npz")
    assert saved["layer0.q"].shape == (16, 4, 24, 16) and saved["layer0.k"].shape == (16, 2, 24, 16)

    with mcsim_hook.save(f"{folder}/arrays.npz") as recorder:  # as JAX calls it, with NumPy's arrays
        q, k = (np.random.default_rng(seed).normal(size=(8, 2, 40, 16)) for seed in (1, 2))
        logits = q @ np.swapaxes(k, -2, -1) / 4
        recorder.add(q, k, scale=0.25, logits=logits)
    with mcsim_hook.save(f"{folder}/lse.npz") as recorder:
        k = np.random.default_rng(3).normal(size=(20, 2, 600, 16))
        logits = k @ np.swapaxes(k, -2, -1) / 4 * np.where(np.eye(600), 0, 1)
        hidden = np.triu(np.full((600, 600), -np.inf), 1)
        recorder.add_lse(np.log(np.exp(logits + hidden).sum(-1)), keys=600, causal=True)
    saved = np.load(f"{folder}/lse.npz")
    assert saved["layer0.lse"].shape == (mcsim_hook.MAX_TEXTS, 2, mcsim_hook.MAX_ROWS)
    assert saved["layer0.lse_keys"] == 600 and saved["layer0.causal"] == 1

    for wrong in (lambda recorder: None, lambda recorder: mcsim_hook.watch(recorder, model, "mlp", "q", "k", 1)):
        try:
            with mcsim_hook.save(f"{folder}/none.npz") as recorder:
                wrong(recorder)
        except (RuntimeError, ValueError):
            continue
        raise AssertionError("a file without layers was saved")


if __name__ == "__main__":
    main(*sys.argv[1:])
