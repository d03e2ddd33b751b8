#!/usr/bin/python3
"""Prints values of ln, exp, pow, the normal quantile and the normal tail.

    python3 reference.py > reference.csv

Each line is a function, its arguments and its value, as Go hexadecimal
floating point. The values are rounded from 50 digits of mpmath 1.2.1
(Python 3.11.2); the arguments are float64 and exact. Those of the tail and
the quantile were also held against scipy 1.10.1 (stats.norm.sf, special.ndtri)
to a relative 1e-12.
"""
import random

import mpmath
import scipy.special
import scipy.stats

mpmath.mp.dps = 50
random.seed(20250101)


def tail(x):
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def quantile(p):
    """Solves Phi(z) = p from scipy's answer by Newton's method in 50 digits."""
    z = mpmath.mpf(float(scipy.special.ndtri(float(p))))
    for _ in range(6):
        phi = mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)
        z -= (mpmath.erfc(-z / mpmath.sqrt(2)) / 2 - p) / phi
    return z


def show(name, args, value):
    print(",".join([name] + [float(a).hex() for a in args] + [float(value).hex()]))


def span(lo, hi, n):
    """n numbers between lo and hi, evenly spread in their logarithm."""
    ratio = hi / lo
    return [lo * ratio ** random.random() for _ in range(n)]


print("function,arguments…,value")
logs = [5e-324, 1e-310, 2.2250738585072014e-308, 0.5, 2.0, 10.0, 0.75, 1.7976931348623157e308]
logs += span(1e-300, 1e300, 60) + span(0.5, 2, 60)
logs += [1 + s * 2.0**-k for k in (2, 10, 30, 52) for s in (1, -1)]
logs += [float(2**k) for k in (3, 6, 12, 20)] + [2**0.5, 2**0.5 / 2, 0.7071067811865475]
for x in logs:
    show("log", [x], mpmath.log(mpmath.mpf(x)))
exps = [1.0, -1.0, 0.5, -0.5, 709.78, -708.0, 700.0, -700.0, 1e-300, -1e-17, 0.34657359027997264, 0.3465735902799727]
exps += [random.uniform(-708, 709) for _ in range(60)] + [random.uniform(-2, 2) for _ in range(60)]
for x in exps:
    show("exp", [x], mpmath.exp(mpmath.mpf(x)))
for d in [2, 3, 8, 64, 100, 512, 1000, 4096, 2**20]:
    for p in [0, 0.5, 1, 1.5, -0.5, -1, -2, 4, 0.25, 0.75, 1 / 3, 2 / 3, -1 / 3, 1 - 2 / 3, 1 - 2 * 0.3, 4 / 3, 0.1, -3.7, 8]:
        show("pow", [d, p], mpmath.mpf(d) ** mpmath.mpf(p))
for x in span(1e-3, 1e3, 30):
    y = random.uniform(-8, 8)
    show("pow", [x, y], mpmath.mpf(x) ** mpmath.mpf(y))
quantiles = [0.5, 0.975, 0.025, 0.95, 0.05, 0.995, 1e-6, 5e-7, 1e-6 / 140, 1e-15, 1e-20, 1e-100, 1e-300, 0.4999, 0.49999999, 0.500001]
quantiles += span(1e-16, 0.5, 40) + [random.random() for _ in range(40)]
for p in quantiles:
    z = quantile(mpmath.mpf(p))
    assert z == 0 or abs(z / float(scipy.special.ndtri(p)) - 1) < 1e-12, p
    show("quantile", [p], z)
tails = [0.0, 1e-9, 0.5, 1.0, 1.4999, 1.5, 1.5001, 1.959963984540054, 2.0, 3.0, 5.0, 8.0, 20.0, 37.0]
tails += [random.uniform(0, 6) for _ in range(40)] + [random.uniform(6, 37) for _ in range(20)]
for x in tails:
    t = tail(mpmath.mpf(x))
    assert abs(t / float(scipy.stats.norm.sf(x)) - 1) < 1e-12, x
    show("tail", [x], t)
