"""Var(q.k) of independent normal pairs in PyTorch, float32, in chunks.

usage: direct_torch.py normal D COMPONENTS THREADS CHUNK

Prints the seconds that sampling and the sums take, without the start of Python.
"""
import sys
import time

import torch


def main():
    d, count = int(sys.argv[2]), int(float(sys.argv[3]))
    torch.set_num_threads(int(sys.argv[4]))
    rows = max(1, int(sys.argv[5]) // d)
    pairs = count // d
    total = squares = 0.0
    done = 0
    start = time.perf_counter()
    while done < pairs:
        n = min(rows, pairs - done)
        s = (torch.randn(n, d) * torch.randn(n, d)).sum(1).double()
        total += s.sum().item()
        squares += (s * s).sum().item()
        done += n
    seconds = time.perf_counter() - start
    mean = total / done
    variance = squares / done - mean * mean
    if not 0.5 < variance / d < 2:
        raise SystemExit(f"the variance is {variance}, want about {d}")
    print(seconds)


main()
