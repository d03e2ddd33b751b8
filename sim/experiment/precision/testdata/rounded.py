"""Writes rounded.csv: float32 numbers, and what they become in float16 and bfloat16.

usage: rounded.py rounded.csv        (this file: PyTorch 1.13.0, Python 3.11.2)

The numbers are of every size: random bits, the middles between neighbours of either format
with the next numbers of float32 on both sides, and those about the greatest.
"""

import random
import struct
import sys

import torch


def float32(bits):
    return struct.unpack("f", struct.pack("I", bits))[0]


random.seed(1)
bits = [0, 1, 0x477FE000, 0x477FEFFF, 0x477FF000, 0x477FF001, 0x7F7F0000, 0x7F7F7FFF, 0x7F7F8000, 0x7F7FFFFF]
for _ in range(400):
    bits.append(random.randrange(0x7F800000))
    middle = random.randrange(0x7F80) << 16 | 0x8000  # of bfloat16
    bits += [middle - 1, middle, middle + 1]
    middle = random.randrange(0x38800000, 0x47800000) >> 13 << 13 | 0x1000  # of float16
    bits += [middle - 1, middle, middle + 1]
    middle = struct.unpack("I", struct.pack("f", (random.randrange(1024) + 0.5) * 2**-24))[0]  # of subnormal ones
    bits += [middle - 1, middle, middle + 1]
bits += [b | 0x80000000 for b in random.sample(bits, 400)]

x = torch.tensor([float32(b) for b in bits], dtype=torch.float32)
with open(sys.argv[1], "w") as out:
    out.write("x,float16,bfloat16\n")
    for row in zip(x.double().tolist(), x.half().double().tolist(), x.bfloat16().double().tolist()):
        out.write(",".join(repr(v) for v in row) + "\n")
