"""Var(q.k) from Gram matrices in PyTorch, float32: n queries with n keys.

usage: gram_torch.py D N MATRICES threads|inside

With "threads" the matrices are divided between two Python threads, each with its own
generator and PyTorch in one thread; with "inside" PyTorch itself uses two threads.
Prints the seconds that sampling, multiplying and the sums take.
"""
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import torch


def work(job):
    seed, d, n, matrices = job
    generator = torch.Generator().manual_seed(seed)
    q, k, s = torch.empty(n, d), torch.empty(n, d), torch.empty(n, n)
    total = 0.0
    with torch.inference_mode():
        for _ in range(matrices):
            q.normal_(generator=generator)
            k.normal_(generator=generator)
            torch.mm(q, k.t(), out=s)
            flat = s.view(-1)
            total += torch.dot(flat, flat).item()
    return total


def main():
    d, n, matrices, kind = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    workers = 2 if kind == "threads" else 1
    torch.set_num_threads(2 // workers)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, [(i, d, n, 1) for i in range(workers)]))
        start = time.perf_counter()
        total = sum(pool.map(work, [(2 + i, d, n, matrices // workers) for i in range(workers)]))
        seconds = time.perf_counter() - start
    variance = total / (workers * (matrices // workers)) / n / n
    if not 0.5 < variance / d < 2:
        raise SystemExit(f"the variance is {variance}, want about {d}")
    print(seconds)


main()
