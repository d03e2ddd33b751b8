"""Var(q.k) from Gram matrices in NumPy, float32: n queries with n keys, the
matrices divided between two threads, each with its own generator and BLAS in one
thread (NumPy samples and multiplies without the interpreter's lock).

usage: gram_numpy.py D N MATRICES threads

Prints the seconds that sampling, multiplying and the sums take.
"""
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def work(job):
    seed, d, n, matrices = job
    rng = np.random.default_rng(seed)
    q, k, s = (np.empty(shape, dtype=np.float32) for shape in ((n, d), (n, d), (n, n)))
    total = 0.0
    for _ in range(matrices):
        rng.standard_normal(dtype=np.float32, out=q)
        rng.standard_normal(dtype=np.float32, out=k)
        np.matmul(q, k.T, out=s)
        total += float(np.vdot(s, s))
    return total


def main():
    d, n, matrices = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, [(i, d, n, 1) for i in range(2)]))
        start = time.perf_counter()
        total = sum(pool.map(work, [(2 + i, d, n, matrices // 2) for i in range(2)]))
        seconds = time.perf_counter() - start
    variance = total / (2 * (matrices // 2)) / n / n
    if not 0.5 < variance / d < 2:
        raise SystemExit(f"the variance is {variance}, want about {d}")
    print(seconds)


main()
