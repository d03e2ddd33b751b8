#!/usr/bin/env python3
"""Softmax of n independent N(0, sigma^2) logits: softmax.csv.

usage: softmax.py > softmax.csv        (about ten minutes; this file: mpmath 1.2.1, Python 3.11.2)

Composite Gauss-Legendre quadrature at 25 digits; all rules and ranges differ
from the Go program's. Sums of powers come from 1/Z^k =
int t^(k-1) e^(-tZ) dt / Gamma(k), the maximum from the distribution of the largest
logit s and 1/Z = int e^(-tZ) dt with Z = 1 + sum e^(r-s) over the others.
The columns that follow from others (1 - A, the Jacobian) are differences here
and direct integrals in the Go program; the entropy is E ln Z - sigma^2 (1 - A)
here and a direct integral in the Go program.
"""
import sys
from mpmath import mp, mpf, exp, ncdf, npdf, fdot, euler

mp.dps = 25
KEYS = [2, 3, 8, 64, 1024, 4096]
SIGMAS = ["0.01", "0.1", "1", "2", "4", "8", "22.6", "100", "1000"]


def legendre(m):
    """Nodes and weights of the m-point rule on [-1, 1], by Newton's method."""
    out = []
    for i in range(m):
        x = mp.cos(mp.pi * (i + mpf(3) / 4) / (m + mpf(1) / 2))
        for _ in range(10):
            p, q = mpf(1), mpf(0)
            for k in range(1, m + 1):
                p, q = ((2 * k - 1) * x * p - (k - 1) * q) / k, p
            d = m * (x * p - q) / (x * x - 1)
            x -= p / d
        out.append((x, 2 / ((1 - x * x) * d * d)))
    return out


RULE = legendre(14)


def composite(a, b, width):
    """Nodes and weights on [a, b] in panels no wider than width."""
    a, b = mpf(a), mpf(b)
    n = max(1, int(mp.ceil((b - a) / width)))
    half = (b - a) / (2 * n)
    return [(a + half * (2 * i + 1 + x), half * w) for i in range(n) for x, w in RULE]


def sums(sigma):
    """For each n: A, E sum a^3, E sum a^4, E sum_{i != j} a_i^2 a_j^2, E ln Z."""
    total = {n: [mpf(0)] * 6 for n in KEYS}
    for u, wu in composite(-10 * sigma - 4, 10 * sigma + 58, max(mpf("0.8"), sigma / 4)):
        low, high = max(u - 50, -10 * sigma), min(u + mpf("4.2"), 10 * sigma)
        if high <= low:
            phi = [ncdf(high / sigma)] + [mpf(0)] * 4
        else:
            phi = [ncdf(low / sigma)] + [mpf(0)] * 4
            for s, ws in composite(low, high, min(mpf("1.25"), sigma * mpf("1.25"))):
                x = exp(s - u)
                term = ws * exp(-x) * npdf(s, 0, sigma)
                for k in range(5):
                    phi[k] += term
                    term *= x
        for n in KEYS:
            if phi[0] ** n < mpf(10) ** -22:
                continue
            t = total[n]
            t[0] += wu * n * phi[2] * phi[0] ** (n - 1)
            t[1] += wu * n * phi[3] * phi[0] ** (n - 1) / 2
            t[2] += wu * n * phi[4] * phi[0] ** (n - 1) / 6
            t[3] += wu * n * (n - 1) * phi[2] ** 2 * phi[0] ** (n - 2) / 6
            t[4] += wu * u * n * phi[1] * phi[0] ** (n - 1)
            t[5] += wu * n * phi[1] * phi[0] ** (n - 1)
    return total


def maxima(sigma):
    """For each n: E max and E max^2."""
    total = {n: [mpf(0)] * 3 for n in KEYS}
    depth = min(mpf(50), 20 * sigma)
    inner = composite(-depth, 0, min(mpf(2), 2 * sigma))
    times = composite(-48, mpf("4.1"), mpf("1.6"))  # of ln t
    kernel = [[exp(-exp(tau + y)) for y, _ in inner] for tau, _ in times]
    weight = [(w * exp(tau - exp(tau)), exp(tau)) for tau, w in times]
    for z, wz in composite(-9, 9, mpf("0.6")):
        s = sigma * z
        density = [w * npdf(s + y, 0, sigma) for y, w in inner]
        below = ncdf((s - depth) / sigma)
        live = [n for n in KEYS if n * ncdf(z) ** (n - 1) * npdf(z) > mpf(10) ** -16]
        if not live:
            continue
        for row, (w, t) in zip(kernel, weight):
            psi = below + fdot(zip(row, density))
            for n in live:
                term = wz * npdf(z) * w * n * psi ** (n - 1)
                total[n][0] += term
                total[n][1] += term * t
    return total


def main():
    print("keys,sigma,max_weight,max_square,collision,cube,fourth,collision_square,log_sum,entropy,jacobian_square")
    for text in (sys.argv[1:] or SIGMAS):
        sigma = mpf(text)
        s, m = sums(sigma), maxima(sigma)
        for n in KEYS:
            a, cube, fourth, pair, u, one = s[n]
            assert abs(one - 1) < mpf(10) ** -14, one
            logz = u - euler
            entropy = logz - sigma ** 2 * (1 - a)
            values = [m[n][0], m[n][1], a, cube, fourth, pair + fourth, logz, entropy, a - 2 * cube + pair + fourth]
            print(n, text, *[mp.nstr(v, 16) for v in values], sep=",", flush=True)


main()
