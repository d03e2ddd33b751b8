"""Var(q.k) of independent pairs, as NumPy users write it, in chunks that stay
in the cache.

usage: direct_numpy.py DISTRIBUTION D COMPONENTS PROCESSES float64|float32

Prints the seconds that sampling and the sums take, without the start of Python.
"""
import multiprocessing
import sys
import time

import numpy as np

CHUNK = 1 << 15  # components of q in a chunk


def components(rng, distribution, shape, dtype):
    """Independent components with mean 0 and variance 1."""
    if distribution in ("normal", "sphere"):
        x = rng.standard_normal(shape, dtype=dtype)
        if distribution == "sphere":
            x *= np.sqrt(shape[1]) / np.linalg.norm(x, axis=1, keepdims=True)
        return x
    if distribution == "uniform":
        return (rng.random(shape, dtype=dtype) - dtype(0.5)) * dtype(np.sqrt(12))
    if distribution == "rademacher":
        return rng.integers(0, 2, shape, dtype=np.int8) * np.int8(2) - np.int8(1)
    if distribution == "laplace":
        return rng.laplace(0, np.sqrt(0.5), shape)
    if distribution == "triangular":
        return rng.triangular(-np.sqrt(6), 0, np.sqrt(6), shape)
    if distribution == "truncated-normal":
        x = rng.standard_normal(shape, dtype=dtype)
        while (out := np.abs(x) > 2).any():
            x[out] = rng.standard_normal(out.sum(), dtype=dtype)
        return x / dtype(np.sqrt(0.7737413035499232))
    if distribution == "student-t":
        return rng.standard_t(10, shape) * np.sqrt(0.8)
    if distribution == "bernoulli-gaussian":
        return rng.standard_normal(shape, dtype=dtype) * (rng.random(shape, dtype=dtype) < 0.1) / dtype(np.sqrt(0.1))
    raise SystemExit(f"unknown distribution {distribution}")


def work(job):
    seed, distribution, d, pairs, dtype = job
    rng = np.random.default_rng(seed)
    rows = max(1, CHUNK // d)
    total = squares = 0.0
    done = 0
    while done < pairs:
        n = min(rows, pairs - done)
        q = components(rng, distribution, (n, d), dtype)
        k = components(rng, distribution, (n, d), dtype)
        if distribution == "rademacher":
            s = np.einsum("ij,ij->i", q, k, dtype=np.int32)
        else:
            s = np.einsum("ij,ij->i", q, k)
        s = s.astype(np.float64)
        total += s.sum()
        squares += (s * s).sum()
        done += n
    return total, squares, done


def main():
    distribution, d, count, processes = sys.argv[1], int(sys.argv[2]), int(float(sys.argv[3])), int(sys.argv[4])
    dtype = {"float64": np.float64, "float32": np.float32}[sys.argv[5]]
    pairs = count // d // processes
    jobs = [(i, distribution, d, pairs, dtype) for i in range(processes)]
    start = time.perf_counter()
    if processes == 1:
        parts = [work(jobs[0])]
    else:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            parts = pool.map(work, jobs)
    seconds = time.perf_counter() - start
    n = sum(p[2] for p in parts)
    mean = sum(p[0] for p in parts) / n
    variance = sum(p[1] for p in parts) / n - mean * mean
    if not 0.5 < variance / d < 2:
        raise SystemExit(f"the variance is {variance}, want about {d}")
    print(seconds)


main()
