#!/usr/bin/python3
"""Prints E x^2, x^4, ... x^12 of the distributions as moments.csv holds them.

    python3 moments.py > moments.csv

The moments are integrals of the densities by mpmath 1.2.1 in 30 digits. The
densities must agree with those of scipy 1.10.1 to 1e-12 (Python 3.11.2).
"""
import mpmath as mp
import scipy.stats as st

mp.mp.dps = 30
ORDERS = (2, 4, 6, 8, 10, 12)
SQRT3, SQRT6, B = mp.sqrt(3), mp.sqrt(6), 1 / mp.sqrt(2)
CUT = mp.erf(mp.sqrt(2))  # P(|z| < 2)


def phi(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def variance_of_cut():
    return mp.quad(lambda x: x * x * phi(x) / CUT, [-2, 0, 2])


def student(nu):
    c = mp.gamma((nu + 1) / mp.mpf(2)) / mp.sqrt(nu * mp.pi) / mp.gamma(nu / mp.mpf(2))
    return lambda x: c * (1 + x * x / nu) ** (-(nu + 1) / mp.mpf(2))


def integral(pdf, k, hi):
    return 2 * mp.quad(lambda x: x**k * pdf(x), [0, 1, hi] if hi != mp.inf else [0, 1, 4, 16, 64, mp.inf])


def line(name, moments):
    print(name + "," + ",".join(mp.nstr(m, 20) if mp.isfinite(m) else "inf" for m in moments))


def continuous(name, pdf, hi, scale2, frozen, ends=mp.inf):
    for x in (0.1, 0.5, 1.0, 1.5):
        assert abs(frozen.pdf(x) / pdf(x) - 1) < 1e-12, (name, x)
    out = []
    for k in ORDERS:
        m = integral(pdf, k, hi) / mp.mpf(scale2) ** (k // 2) if k < ends else mp.inf
        out.append(m)
    line(name, out)


def main():
    print("distribution,m2,m4,m6,m8,m10,m12")
    continuous("normal", phi, mp.inf, 1, st.norm())
    continuous("uniform", lambda x: 1 / (2 * SQRT3), SQRT3, 1, st.uniform(-(3**0.5), 2 * 3**0.5))
    line("rademacher", [mp.mpf(v) for v in (1, 1, 1, 1, 1, 1)])
    continuous("laplace", lambda x: mp.exp(-x / B) / (2 * B), mp.inf, 1, st.laplace(0, 0.5**0.5))
    continuous("triangular", lambda x: (SQRT6 - x) / 6, SQRT6, 1, st.triang(0.5, -(6**0.5), 2 * 6**0.5))
    continuous("truncated-normal", lambda x: phi(x) / CUT, 2, variance_of_cut(), st.truncnorm(-2, 2))
    for nu in (9, 10, 20, 100):
        continuous("student-t(%d)" % nu, student(nu), mp.inf, mp.mpf(nu) / (nu - 2), st.t(nu), nu)
    line("student-t(5)", [1, 9] + 4 * [mp.inf])
    line("student-t(6)", [1, 6] + 4 * [mp.inf])
    line("student-t(3)", [1] + 5 * [mp.inf])
    for p in (0.1, 0.5):
        share = mp.mpf(p)  # the float64 number, as the program has it
        line("bernoulli-gaussian(%g)" % p,
             [share * integral(phi, k, mp.inf) / share ** (k // 2) for k in ORDERS])


main()
