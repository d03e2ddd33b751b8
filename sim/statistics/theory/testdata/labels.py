# Proportions of concentrated rows, of dead rows and of idle targets, and the mean and the mean
# square of the gradient of a target, a key chosen before the rows are sampled. A simulation of 10^6
# rows with NumPy. A row has one query and eight keys with standard normal components, and its scores
# are divided by d_k^p. The limit of concentration is E sum(alpha^2) of eight normal logits with
# sigma = sqrt(2 ln 8), by SciPy's quadrature of 1/Z^2 = int t exp(-tZ) dt.
import sys

import numpy as np
import scipy
from scipy.integrate import quad

KEYS, ROWS, BLOCK = 8, 1_000_000, 50_000
print("numpy", np.__version__, "scipy", scipy.__version__, file=sys.stderr)
sigma = np.sqrt(2 * np.log(KEYS))
x, w = np.polynomial.hermite_e.hermegauss(300)
w = w / w.sum()


def moment(k, u):  # E[x^k exp(-x)], x = exp(s - u)
    y = np.exp(sigma * x - u)
    return np.sum(w * y**k * np.exp(-y))


limit = KEYS * quad(lambda u: moment(2, u) * moment(0, u) ** (KEYS - 1), -40, 60, limit=2000, epsabs=1e-12)[0]
print("limit", limit, file=sys.stderr)
rng = np.random.default_rng(20261127)
print("d_k,p,concentrated,dead,idle,target,target_square")
for d in (8, 16, 32, 64, 128, 512):
    for p in (0, 0.5):
        sums = np.zeros(5)
        for _ in range(ROWS // BLOCK):
            size = np.sqrt(rng.chisquare(d, BLOCK)) * d**-p
            s = rng.standard_normal((BLOCK, KEYS)) * size[:, None]
            peak = s.argmax(1)
            e = np.exp(s - s.max(1, keepdims=True))
            z = e.sum(1)
            a = e / z[:, None]
            others = np.where(np.arange(KEYS) == peak[:, None], 0, e).sum(1) / z
            rest = np.where(np.arange(KEYS) == peak[:, None], others[:, None], 1 - a)  # 1 - alpha
            square = a * rest
            # ||J||^2 is sum (a(1-a))^2 and sum a_i^2 a_j^2 over different keys, without cancellation
            pairs = a**2
            b = np.where(np.arange(KEYS) == peak[:, None], 0, pairs)
            cross = 2 * pairs.max(1) * b.sum(1) + b.sum(1) ** 2 - (b**2).sum(1)
            norm = (square**2).sum(1) + cross
            gradient = size * np.sqrt(norm)
            concentrated = pairs.sum(1) > limit
            dead = concentrated & (gradient < 2**-8 * np.sqrt(KEYS - 1) / KEYS)
            target = size * square[:, 0]
            idle = target < 2**-8 * (KEYS - 1) / KEYS**2
            sums += [concentrated.sum(), dead.sum(), idle.sum(), target.sum(), (target**2).sum()]
        print(d, p, *("%.7g" % v for v in sums / ROWS), sep=",")
