"""Products of Gram matrices in NumPy, float32, by its BLAS in one thread: n
queries with n keys of d components, and the sum of the squares.

usage: products_numpy.py N D REPEAT

Prints the seconds that the products take.
"""
import sys
import time

import numpy as np


def main():
    n, d, repeat = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rng = np.random.default_rng(1)
    q, k = (rng.standard_normal((n, d), dtype=np.float32) for _ in range(2))
    s, total = np.empty((n, n), dtype=np.float32), 0.0
    for _ in range(5):
        np.matmul(q, k.T, out=s)
    start = time.perf_counter()
    for _ in range(repeat):
        np.matmul(q, k.T, out=s)
        total += float(np.vdot(s, s))
    seconds = time.perf_counter() - start
    variance = total / repeat / n / n
    if not 0.5 < variance / d < 2:
        raise SystemExit(f"the variance is {variance}, want about {d}")
    print(seconds)


main()
