"""Writes tensors.safetensors with PyTorch's numbers in every type that is read, and tensors.json:
what each holds, as hexadecimal float64. The container is written by hand after the format's
description (huggingface/safetensors, README.md). Made with Debian's PyTorch 1.13.0."""

import json
import struct

import torch

torch.manual_seed(3)
x = torch.randn(2, 3, 5, dtype=torch.float64) * 3
types = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
         "I8": torch.int8, "U8": torch.uint8, "I16": torch.int16, "I32": torch.int32, "I64": torch.int64, "BOOL": torch.bool}
header, data, held = {"__metadata__": {"format": "pt"}}, b"", {}
for name, t in types.items():
    y = (x.abs() if name == "U8" else x).to(t)
    y.view(-1)[0] = 2**-7 if y.is_floating_point() else 1
    raw = (y.view(torch.int16) if t == torch.bfloat16 else y).numpy().tobytes()
    header[name.lower()] = {"dtype": name, "shape": list(y.shape), "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
    held[name.lower()] = {"Type": name, "Shape": list(y.shape), "Data": [v.hex() for v in y.double().flatten().tolist()]}
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
open("tensors.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + data)
json.dump(held, open("tensors.json", "w"), indent=0)
