"""Seconds that PyTorch takes for the steps of sim/attention/training's plain model, on one thread.

usage: /usr/bin/python3 speed.py bmm|eager d_k adam|sgd seeds steps

bmm trains all seeds at once, with products of batches; eager trains them one after the
other. Both take x_q·(W_Q·W_Kᵀ)·x_k through the small matrix in the middle, which is faster
than queries and keys are, and take gradients by autograd and steps by torch.optim.
"""

import sys
import time

import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
TOKENS, VALUES, KEYS, SEQUENCES = 16, 8, 8, 32
way, d, adam, seeds, steps = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "adam", int(sys.argv[4]), int(sys.argv[5])


def train(batch):
    """Trains so many seeds at once; a batch of none is one seed without that index."""
    shape = (batch,) if batch else ()
    tokens = torch.randn(*shape, SEQUENCES, KEYS, TOKENS)
    asked = torch.arange(SEQUENCES) % KEYS
    chosen = tokens[..., torch.arange(SEQUENCES), asked, :]
    asking = torch.cat([2**0.5 * chosen[..., :VALUES], torch.zeros_like(chosen[..., VALUES:])], -1)
    wanted, values = chosen[..., VALUES:], tokens[..., VALUES:].contiguous()
    query = (torch.randn(*shape, TOKENS, d) / 4).requires_grad_()
    key = (torch.randn(*shape, TOKENS, d) / 4).requires_grad_()
    rate = 0.01 if adam else 1.0
    optimiser = (torch.optim.Adam if adam else torch.optim.SGD)([query, key], lr=rate)
    for _ in range(steps):
        optimiser.zero_grad()
        if batch:
            y = torch.bmm(asking, torch.bmm(query, key.transpose(1, 2)))
            s = torch.bmm(tokens.reshape(-1, KEYS, TOKENS), y.reshape(-1, TOKENS, 1)).squeeze(-1)
            alpha = torch.softmax(s / d**0.5, -1)
            out = torch.bmm(alpha[:, None], values.reshape(-1, KEYS, VALUES)).reshape(wanted.shape)
            loss = (out - wanted).pow(2).mean((1, 2)).sum()
        else:
            y = asking @ (query @ key.T)
            s = torch.bmm(tokens, y[:, :, None]).squeeze(-1)
            alpha = torch.softmax(s / d**0.5, -1)
            out = torch.bmm(alpha[:, None], values).squeeze(1)
            loss = (out - wanted).pow(2).mean()
        loss.backward()
        optimiser.step()


train(seeds if way == "bmm" else 0)  # what is done once is done
begun = time.perf_counter()
if way == "bmm":
    train(seeds)
else:
    for _ in range(seeds):
        train(0)
print(time.perf_counter() - begun)
