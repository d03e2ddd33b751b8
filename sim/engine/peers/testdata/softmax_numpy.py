"""Softmax of rows of scores in NumPy, float32, one thread, in chunks:
greatest weight, entropy, sum of squared weights and squared Frobenius norm of
the Jacobian of every row.

usage: softmax_numpy.py KEYS SCORES CHUNK weights|sums

With "weights" they are computed from the weights, as NumPy users write it; with
"sums" from sums over the exponentials, without a new array in the loop. Prints
the seconds for the given number of scores, which are sampled before.
"""
import sys
import time

import numpy as np


def main():
    keys, count, chunk = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rows = max(1, chunk // keys)
    scores = np.random.default_rng(1).standard_normal((rows, keys), dtype=np.float32)
    x, e, squares = np.empty_like(scores), np.empty_like(scores), np.empty_like(scores)
    repeats = max(1, count // scores.size)

    def weights():
        shifted = scores - scores.max(axis=1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        p = np.exp(logs)
        second = (p * p).sum(axis=1)
        return p.max(axis=1), -(p * logs).sum(axis=1), second, second - 2 * (p * p * p).sum(axis=1) + second * second

    def sums():
        np.subtract(scores, scores.max(axis=1, keepdims=True), out=x)
        np.exp(x, out=e)
        z = e.sum(axis=1)
        entropy = np.log(z) - np.einsum("ij,ij->i", e, x) / z
        np.multiply(e, e, out=squares)
        second = squares.sum(axis=1) / (z * z)
        third = np.einsum("ij,ij->i", squares, e) / (z * z * z)
        return 1 / z, entropy, second, second - 2 * third + second * second

    compute = {"weights": weights, "sums": sums}[sys.argv[4]]
    for _ in range(2):
        compute()
    start = time.perf_counter()
    for _ in range(repeats):
        max_weight, entropy, second, jacobian = compute()
    seconds = time.perf_counter() - start
    if not (0 < jacobian.min() and entropy.max() <= np.log(keys) + 1e-4 and max_weight.max() <= 1 and second.max() <= 1):
        raise SystemExit("a statistic of a row is out of its range")
    print(seconds * count / (repeats * scores.size))


main()
