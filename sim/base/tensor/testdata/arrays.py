#!/usr/bin/python3
"""Writes arrays.npz, and in arrays.json what NumPy says it holds.

    python3 arrays.py
"""
import json

import numpy as np

base = np.array([[0, 1, -2.5], [1 / 3, 65504, 6e-8]])
arrays = {"one": np.float64(2.5), "vector": np.arange(5.0), "fortran": np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)),
          "not_finite": np.array([np.inf, -np.inf, np.nan]), "truth": np.array([[True, False], [False, True]])}
for kind in ("<f2", "<f4", "<f8", ">f2", ">f4", ">f8"):
    arrays["real" + kind.replace("<", "_little_").replace(">", "_big_")] = base.astype(kind)
for kind in ("i1", "<i2", ">i4", "<i8", "u1", "<u2", "<u4", ">u8"):
    arrays["whole_" + kind.strip("<>")] = np.array([0, 1, 100, -1 if "i" in kind else 200]).astype(kind)
np.savez_compressed("arrays.npz", **arrays)
json.dump({name: {"Type": np.asarray(a).dtype.str, "Shape": list(np.asarray(a).shape),
                  "Data": [float(x).hex() for x in np.asarray(a).flatten()]} for name, a in arrays.items()},
          open("arrays.json", "w"), indent=0)
print("numpy", np.__version__)
