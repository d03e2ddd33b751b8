"""One layer of multi-head attention, as small as it can be."""

import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model=96, heads=2):
        super().__init__()
        self.heads, self.d_k = heads, d_model // heads
        self.norm = nn.LayerNorm(d_model)
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)
        self.scale = 1 / math.sqrt(self.d_k)
        for projection in (self.query, self.key):
            nn.init.normal_(projection.weight, std=d_model**-0.5)

    def split(self, x):
        """[batch, rows, d_model] to [batch, heads, rows, d_k]."""
        return x.unflatten(-1, (self.heads, self.d_k)).transpose(1, 2)

    def attend(self, x):
        """Queries, keys, what goes into softmax, and what comes out of it."""
        x = self.norm(x)
        q, k = self.split(self.query(x)), self.split(self.key(x))
        logits = q @ k.transpose(-2, -1) * self.scale
        return q, k, logits, logits.softmax(-1)

    def forward(self, x):
        weights = self.attend(x)[3]
        return self.output((weights @ self.split(self.value(self.norm(x)))).transpose(1, 2).flatten(-2))
