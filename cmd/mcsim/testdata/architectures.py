"""Writes architectures.json, the cases of architectures_test.go: python3 architectures.py [NAME...]

Each case is written from the code of its model, which its source names: transformers is
src/transformers/models/NAME/modeling_NAME.py of huggingface/transformers 4.58 and 5.3, diffusers and
timm are of August 2026. Computed with PyTorch 1.13 and NumPy 1.24. With names it writes only those cases,
to the standard output. The cases are in architectures_text.py and architectures_other.py.
"""
import json
import pathlib
import sys

import tiny
import architectures_text  # noqa: F401, these register their cases
import architectures_other  # noqa: F401

names = [c.spec["name"] for c, _ in tiny.CASES]
assert len(set(names)) == len(names), "two cases have one name"
lines = []
for c, fill in tiny.CASES:
    if sys.argv[1:] and c.spec["name"] not in sys.argv[1:]:
        continue
    fill(c)
    if c.spec["norm"] is None:  # without --x, the tokens are not in the file
        c.spec["arrays"] = [a for a in c.spec["arrays"] if a[0] != "x"]
    lines.append(json.dumps({key: value for key, value in c.spec.items() if value not in ([], "")}, separators=(",", ":")))
text = "[\n" + ",\n".join(lines) + "\n]\n"
if sys.argv[1:]:
    print(text)
else:
    pathlib.Path(__file__).with_suffix(".json").write_text(text)
