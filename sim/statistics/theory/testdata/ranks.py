"""Writes ranks.csv: the mean weight that softmax gives to the key of each rank.

usage: ranks.py ranks.csv        (two minutes; this file: NumPy 1.24.2, SciPy 1.10.1, Python 3.11.2)

A query and n keys have d independent standard normal components, and the logits are
q·k/d^p. Given |q| they are independent with the distribution N(0, s²), s = |q|/d^p. With
1/Z = ∫ exp(−tZ) dt, and given that the logit of rank r is x, the integral has one factor for
each of the r − 1 logits above x and of the n − r logits below x:

    E α_(r) = n·C(n−1, r−1) ∫ dx f(x) e^x ∫ dt exp(−t e^x) A(x,t)^(r−1) B(x,t)^(n−r),

where f is the density of a logit, A(x,t) = ∫_x^∞ f(y) exp(−t e^y) dy, and B(x,t) is the same
integral from −∞ to x. With t = exp(−u) both outer integrals are trapezoidal sums, which converge
faster than any power of the step. The inner ones are trapezoidal sums with the first
Euler–Maclaurin correction, accurate to about 10⁻⁹. The mean over |q|, which has the χ distribution
with d degrees of freedom, is taken by the Gauss–Legendre rule. The column `off` is the difference
between the sum of all weights and 1.
"""

import csv
import math
import sys

import numpy as np
import scipy
from scipy.special import gammaln

KEYS = 8
POINTS = [(4, 0), (4, 0.5), (4, 1), (64, 0), (64, 0.5), (64, 1), (1024, 0.5), (1024, 1)]  # at (1024, 0) it would take hours


def conditional_weights(s):
    """The mean weights of all ranks for logits of the standard deviation s."""
    h = min(0.04, 0.04 / s)
    z = np.arange(-9, 9 + h / 2, h)  # in standard deviations
    f = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    e = s * z
    total = np.zeros(KEYS)
    step = 0.1
    us = np.arange(-9 * s - 45, 9 * s + 45, step)
    for u in us:  # t = exp(−u); t·e^x = exp(x − u)
        te = np.exp(np.minimum(e - u, 50.0))
        g = f * np.exp(-te)
        slope = g * (-z - s * te)
        c = np.concatenate(([0], np.cumsum((g[1:] + g[:-1]) / 2 * h)))
        c -= h * h / 12 * (slope - slope[0])
        below, above = c, c[-1] - c
        outer = g * te * h * step  # f e^x exp(−t e^x) dx · t du
        for r in range(1, KEYS + 1):
            total[r - 1] += KEYS * math.comb(KEYS - 1, r - 1) * np.sum(outer * above ** (r - 1) * below ** (KEYS - r))
    return total


def mean(d, p):
    """The mean of conditional_weights over |q|."""
    middle, spread = math.sqrt(d), 1 / math.sqrt(2)
    low, high = max(0.0, middle - 9 * spread), middle + 9 * spread
    node, weight = np.polynomial.legendre.leggauss(40)
    q = (high + low) / 2 + (high - low) / 2 * node
    density = np.exp((d - 1) * np.log(q) - q * q / 2 - (d / 2 - 1) * math.log(2) - gammaln(d / 2))
    weight = weight * (high - low) / 2 * density
    return sum(w * conditional_weights(x / d**p) for w, x in zip(weight, q) if w > 1e-14)


with open(sys.argv[1], "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(["d_k", "p", "rank", "mean", "off"])
    for d, p in POINTS:
        weights = mean(d, p)
        off = abs(weights.sum() - 1)
        print(d, p, off, file=sys.stderr)
        for r, w in enumerate(weights, 1):
            out.writerow([d, p, r, f"{w:.8f}", f"{off:.1e}"])
print("numpy", np.__version__, "scipy", scipy.__version__, "python", sys.version.split()[0], file=sys.stderr)
