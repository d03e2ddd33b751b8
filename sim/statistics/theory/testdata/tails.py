"""Writes tails.csv: P(|q·k| > t) for two vectors of d independent standard normal components.

usage: tails.py tails.csv        (this file: mpmath 1.2.1, Python 3.11.2)

For even d, q·k is the difference of two gamma variables of shape m = d/2, since its
characteristic function is (1 + t²)^(−m) = (1 − it)^(−m) (1 + it)^(−m). Given the second,
the first exceeds t + y with the probability e^(−t−y) Σ_{j<m} (t+y)^j/j!, and the mean over y is a
finite sum. For odd d the density |x|^ν K_ν(|x|)/(√π Γ(d/2) 2^ν), ν = (d − 1)/2, is integrated.
"""

import sys

import mpmath as mp

mp.mp.dps = 25


def even(m, t):
    below, power, terms = mp.mpf(0), mp.mpf(1), []
    for k in range(m):  # Σ_{i≤k} t^i/i!
        below += power
        terms.append(below)
        power *= t / (k + 1)
    total, weight = mp.mpf(0), mp.power(2, -m)
    for i in range(m):  # E y^i e^(−y)/i! = (m)_i / (i! 2^(m+i))
        total += weight * terms[m - 1 - i]
        weight *= mp.mpf(m + i) / (2 * (i + 1))
    return 2 * mp.exp(-t) * total


def odd(d, t):
    nu = mp.mpf(d - 1) / 2
    density = lambda x: mp.power(x, nu) * mp.besselk(nu, x) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(d) / 2) * mp.power(2, nu))
    return 2 * mp.quad(density, [t, t + 1, t + 2, t + 5, t + 10, t + 30, t + 100])


with open(sys.argv[1], "w") as out:
    out.write("d_k,limit,tail\n")
    for d in [2, 4, 16, 64, 80, 256]:
        for sigmas in ["0.01", "0.5", "1", "3", "5", "8", "20"]:
            t = mp.mpf(sigmas) * mp.sqrt(d)
            t = mp.mpf(float(t))
            out.write(f"{d},{float(t)!r},{mp.nstr(even(d // 2, t), 16)}\n")
    for d, t in [(4, 464), (16, 464), (64, 464), (4096, 464), (16384, 464), (1, 1), (1, 10), (3, 5)]:
        tail = odd(d, mp.mpf(t)) if d % 2 else even(d // 2, mp.mpf(t))
        out.write(f"{d},{float(t)!r},{mp.nstr(tail, 16)}\n")
