#!/usr/bin/python3
"""Prints known answers for the package stream, from an independent source.

    python3 reference.py > reference.json

Philox4x64-10 comes from numpy.random.Philox (numpy 1.24.2), xoshiro128++ is
transcribed from the text of Blackman and Vigna, ACM TOMS 47 (2021), and the
rest follows the comment of the package: the state of a lane is the first two
words of Philox4x64-10 under the key (seed, first eight bytes of the SHA-256
of the cell's id, little-endian) and the counter (block, lane, attempt, use),
each word split with its low half first.
"""
import hashlib
import json
import sys

import numpy

MASK = 0xFFFFFFFF
LANES, SOURCE = 0, 1  # uses


def philox(key, counter):
    """numpy increments the counter before it hashes, so it starts one lower."""
    number = sum(w << (64 * i) for i, w in enumerate(counter))
    start = (number - 1) % (1 << 256)
    g = numpy.random.Philox(key=key[0] | key[1] << 64, counter=start)
    return [int(w) for w in g.random_raw(4)]


def rotl(x, k):
    return ((x << k) | (x >> (32 - k))) & MASK


def xoshiro(s, count):
    s, out = list(s), []
    for _ in range(count):
        out.append((rotl((s[0] + s[3]) & MASK, 7) + s[0]) & MASK)
        t = (s[1] << 9) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 11)
    return out


def lane(seed, cell, attempt, block, number, use, count):
    digest = hashlib.sha256(cell.encode()).digest()
    key = (seed, int.from_bytes(digest[:8], "little"))
    h = philox(key, (block, number, attempt, use))
    return xoshiro([h[0] & MASK, h[0] >> 32, h[1] & MASK, h[1] >> 32], count)


def source(seed, cell, attempt, block, count):
    """The words of the lanes in turn, two to a number, the earlier one low."""
    rounds = (2 * count + 15) // 16
    lanes = [lane(seed, cell, attempt, block, i, SOURCE, rounds) for i in range(16)]
    words = [lanes[i][r] for r in range(rounds) for i in range(16)]
    return [words[2 * i] | words[2 * i + 1] << 32 for i in range(count)]


def main():
    points = [
        (7, "variance/normal/d_k=64", 0, 0),
        (7, "variance/normal/d_k=64", 0, 8191),
        (7, "variance/normal/d_k=64", 1, 0),
        (2**53, "health/student-t(10)", 0, 2**40 + 3),
        (2**64 - 1, "", 2**64 - 1, 2**64 - 1),
    ]
    lanes = [
        dict(seed=str(s), cell=c, attempt=str(a), block=str(b), lane=i,
             words=lane(s, c, a, b, i, LANES, 6))
        for s, c, a, b in points for i in (0, 1, 15)
    ]
    sources = [
        dict(seed=str(s), cell=c, attempt=str(a), block=str(b),
             numbers=[str(n) for n in source(s, c, a, b, 20)])
        for s, c, a, b in points[:2]
    ]
    json.dump(dict(numpy=numpy.__version__, python=sys.version.split()[0],
                   xoshiro=xoshiro([1, 2, 3, 4], 10),
                   lanes=lanes, sources=sources),
              sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
