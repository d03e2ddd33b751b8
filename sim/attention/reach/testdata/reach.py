#!/usr/bin/python3
"""Writes reach.csv: moments of the weight of a key beside n independent directions, by SciPy.

    /usr/bin/python3 reach.py > reach.csv

SciPy 1.10.1 integrates over t in place of ln t, and over the angle in place of its cosine.
"""
import numpy as np
import scipy
from scipy import integrate, special

print("# SciPy " + scipy.__version__ + "\nn,d,a,b,mean,square,cube")
for n, d, a, b in [(63, 64, 8, 8), (1023, 64, 8, 8), (63, 128, 128**0.5, 128**0.5), (1023, 128, 128**0.5, 128**0.5),
                   (1, 2, 3, 3), (7, 3, 5, 5), (40959, 128, 128**0.5, 128**0.5), (31, 16, 16, 16), (8, 64, 8, 0),
                   (1024, 64, 8, 4), (1048575, 512, 512**0.5, 512**0.5), (5, 1, 2, 2)]:
    x, w = special.roots_legendre(4000)
    theta, w = (x + 1) * np.pi / 2, w * np.sin((x + 1) * np.pi / 2)**(d - 2.0) if d > 1 else w
    c = np.cos(theta)
    if d == 1:
        c, w = np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    w = w / w.sum()
    ratio = np.exp(a * c - b)
    scale = 1 / (1 + n * (w @ ratio))  # of t

    def integrand(u, k):
        t = u * scale
        return scale * t**(k - 1) / special.gamma(k) * np.exp(
            -t + n * np.log1p(w @ np.expm1(-t * ratio)))
    m = [sum(integrate.quad(integrand, lo, hi, args=(k,), epsabs=0, epsrel=1e-12, limit=500)[0]
             for lo, hi in [(0, 1), (1, 5), (5, 50), (50, 45 / scale if scale < 0.9 else 60)]) for k in (1, 2, 3)]
    print(",".join([str(n), str(d), repr(float(a)), repr(float(b))] + [repr(x) for x in m]))
