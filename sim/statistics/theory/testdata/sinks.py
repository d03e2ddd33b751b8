#!/usr/bin/env python3
"""Writes sinks.csv: the mean weight of a sink with the logit b in a row of attention.

usage: sinks.py > sinks.csv            (NumPy 1.24.2, SciPy 1.10.1, Python 3.11.2)

For one and two keys it is a quadrature over the logits given |q|, and over |q|. For more keys it
is the mean over ten blocks of rows that NumPy samples; the column `se` is its standard error from
the variance of the rows.
"""
import numpy as np
from scipy import integrate, stats

POINTS = [(d, b) for d in (2, 4, 64) for b in (-3.0, 0.0, 4.0)]
z, wz = np.polynomial.hermite_e.hermegauss(120)
wz = wz / np.sqrt(2 * np.pi)


def conditional_mean(n, sigma, b):
    s = sigma * z
    if n == 1:
        return np.sum(wz / (1 + np.exp(s - b)))
    return wz @ (1 / (1 + np.exp(s[:, None] - b) + np.exp(s[None, :] - b))) @ wz


def exact(n, d, b):
    lo, hi = stats.chi.ppf([1e-16, 1], d)
    hi = stats.chi.isf(1e-18, d)
    f = lambda r: stats.chi.pdf(r, d) * conditional_mean(n, r / np.sqrt(d), b)
    return integrate.quad(f, 0 if d < 8 else lo, hi, epsabs=1e-13, epsrel=1e-12, limit=400)[0]


print("keys,d_k,sink,mean,se")
for n in (1, 2):
    for d, b in POINTS:
        print(f"{n},{d},{b:g},{exact(n, d, b):.12f},0")
generator = np.random.default_rng(20261125)
for n, rows in ((8, 400000), (64, 40000), (1024, 2000)):
    for d, b in POINTS:
        means = []
        for _ in range(10):
            r = np.sqrt(generator.chisquare(d, size=rows) / d)
            s = r[:, None] * generator.standard_normal((rows, n))
            means.append((1 / (1 + np.exp(s - b).sum(axis=1))))
        w = np.concatenate(means)
        print(f"{n},{d},{b:g},{w.mean():.8f},{w.std(ddof=1) / np.sqrt(w.size):.2e}")
