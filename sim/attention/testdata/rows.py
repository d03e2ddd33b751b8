#!/usr/bin/python3
"""Prints what softmax makes of rows of scores, to 60 digits before rounding.

    python3 rows.py > rows.csv

By mpmath 1.2.1, from the weights themselves: no formula of package attention
is used. A line is the kind of row, its keys, the scale, then max weight,
entropy, Sum a^2, 1 - Sum a^2, |J|_F, all in Go hexadecimal floating point.
Score j of a kind is a number that float32 holds exactly; score() below says
which, and so does its twin in the test.
"""
import mpmath as mp

mp.mp.dps = 700  # weights of e^-700 beside 1 need their digits, too


def score(kind, j, n):
    scattered = j * 40503 % 65536  # of 16 bits
    if kind == "scattered":
        return mp.mpf(scattered) / 8192
    if kind == "ten thousand":
        return mp.mpf(scattered) * 20000 / 65536 - 10000
    if kind == "near ties":
        return mp.mpf(8192) + mp.mpf(scattered % 4) / 1024
    if kind == "equal":
        return mp.mpf(3)
    if kind == "two at the top":
        return mp.mpf(0) if j >= 2 else mp.mpf(40)
    if kind == "one at the top":
        return mp.mpf(300) if j == n // 2 else mp.mpf(scattered) / 65536
    raise ValueError(kind)


def hexadecimal(x):
    return float(x).hex()


def round32(x):
    import struct
    return mp.mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


for kind in ["scattered", "ten thousand", "near ties", "equal", "two at the top", "one at the top"]:
    for n in [1, 2, 3, 8, 33, 256, 1000, 4096]:
        if n > 500 and kind in ("one at the top", "two at the top"):
            continue
        scores = [round32(score(kind, j, n)) for j in range(n)]
        most = max(scores)
        for scale in [1 / 64, 0.25, 1.0]:
            e = [mp.exp((s - most) * mp.mpf(scale)) for s in scores]
            z = mp.fsum(e)
            a = [x / z for x in e]
            second = mp.fsum(x**2 for x in a)
            third = mp.fsum(x**3 for x in a)
            entropy = -mp.fsum(x * mp.log(x) for x in a)
            jacobian = mp.sqrt(second - 2 * third + second**2)
            print(",".join([kind, str(n)] + [hexadecimal(x) for x in
                  (scale, max(a), entropy, second, 1 - second, jacobian)]))
