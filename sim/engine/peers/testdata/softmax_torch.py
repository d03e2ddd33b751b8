"""Softmax of rows of scores in PyTorch, float32, one thread, in chunks:
greatest weight, entropy, sum of squared weights and squared Frobenius norm of
the Jacobian of every row.

usage: softmax_torch.py KEYS SCORES CHUNK weights|sums

With "weights" they are computed from the weights, as PyTorch users write it; with
"sums" from sums over the exponentials, without a new array in the loop. Prints
the seconds for the given number of scores, which are sampled before.
"""
import math
import sys
import time

import torch


def main():
    keys, count, chunk = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rows = max(1, chunk // keys)
    scores = torch.randn(rows, keys)
    x, e, squares = torch.empty_like(scores), torch.empty_like(scores), torch.empty_like(scores)
    repeats = max(1, count // scores.numel())

    def weights():
        logs = torch.log_softmax(scores, 1)
        p = logs.exp()
        second = (p * p).sum(1)
        return p.amax(1), -(p * logs).sum(1), second, second - 2 * (p * p * p).sum(1) + second * second

    def sums():
        torch.sub(scores, scores.amax(1, keepdim=True), out=x)
        torch.exp(x, out=e)
        z = e.sum(1)
        x.mul_(e)
        entropy = z.log() - x.sum(1) / z
        torch.mul(e, e, out=squares)
        second = squares.sum(1) / (z * z)
        squares.mul_(e)
        third = squares.sum(1) / (z * z * z)
        return 1 / z, entropy, second, second - 2 * third + second * second

    compute = {"weights": weights, "sums": sums}[sys.argv[4]]
    with torch.inference_mode():
        for _ in range(2):
            compute()
        start = time.perf_counter()
        for _ in range(repeats):
            max_weight, entropy, second, jacobian = compute()
        seconds = time.perf_counter() - start
    if not (0 < jacobian.min() and entropy.max() <= math.log(keys) + 1e-4 and max_weight.max() <= 1 and second.max() <= 1):
        raise SystemExit("a statistic of a row is out of its range")
    print(seconds * count / (repeats * scores.numel()))


main()
