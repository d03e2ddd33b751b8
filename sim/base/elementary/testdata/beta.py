#!/usr/bin/python3
"""Prints values of ln Γ and of the regularised incomplete beta function.

    python3 beta.py > beta.csv

Nothing but the exact integers and the 60 digits of Python 3's decimal module
is used: Γ(n) = (n−1)!, Γ(n + ½) = (2n)! √π/(4^n n!), and, for whole a and b,
I_x(a, b) = Σ_{j≥a} C(a+b−1, j) x^j (1−x)^{a+b−1−j}, the chance of at least a
successes in a+b−1 trials. Arguments are float64 and exact; a line is a
function, its arguments and its value in Go hexadecimal floating point.
"""
import math
import random
from decimal import Decimal, getcontext

getcontext().prec = 60
random.seed(20250102)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


def show(name, args, value):
    print(",".join([name] + [float(a).hex() for a in args] + [float(value).hex()]))


def log_gamma(twice):
    n = twice // 2
    if twice % 2 == 0:
        return Decimal(math.factorial(n - 1)).ln()
    return (Decimal(math.factorial(2 * n)) * PI.sqrt() / (Decimal(4) ** n * math.factorial(n))).ln()


def beta(x, a, b):
    n, x = a + b - 1, Decimal(x)
    if a > b:
        return 1 - sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a))
    return sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a, n + 1))


print("function,arguments…,value")
for twice in list(range(1, 41)) + [100, 101, 400, 999, 2000, 2**16, 2**16 + 1]:
    show("loggamma", [twice / 2], log_gamma(twice))
points = [(1, 1), (1, 9), (9, 1), (2, 3), (17, 5), (951, 50), (50, 951), (500, 501), (1, 1000), (1000, 1), (1900, 101)]
for a, b in points:
    mean = a / (a + b)
    sd = math.sqrt(a * b / (a + b + 1)) / (a + b)
    for z in [-6, -3.29, -1, 0, 0.3, 1.96, 5]:
        x = mean + z * sd
        if 0 < x < 1:
            show("beta", [x, a, b], beta(x, a, b))
