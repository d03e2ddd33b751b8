"""Saves the queries and keys of attention layers, which `mcsim inspect FILE` then judges.

    with mcsim_hook.save("qk.npz"):
        model(batch)

saves each call of torch.nn.functional.scaled_dot_product_attention during one forward pass, as one
layer. For attention that computes its scores itself, give the recorder that `save` returns its arrays:

    with mcsim_hook.save("qk.npz") as recorder:
        handles = mcsim_hook.watch(recorder, model, "attention", query="q_proj", key="k_proj", heads=12)
        ...                          # or, within the module: recorder.add(q, k, logits=logits)

JAX has no hooks. Call `recorder.add` from the jitted function:

    jax.debug.callback(recorder.add, q, k, ordered=True)

Of flash attention that returns only log-sum-exps (softmax_lse), save these: recorder.add_lse(lse, keys).

The file needs NumPy only. It has float16 arrays layer0.q, layer0.k, …, of texts × heads × rows × d_k,
and small arrays with the scale and the kind of mask.
"""

import contextlib
import os

import numpy as np

MAX_TEXTS, MAX_ROWS, MAX_LAYERS = 16, 512, 256
MAX_BYTES = 1 << 30  # of all arrays together, in memory and in the file


class Recorder:
    """Collects layers in the order of the calls of `add`."""

    def __init__(self):
        self.arrays, self.layers, self.dropped, self.bytes = {}, 0, 0, 0

    def add(self, q, k, scale=None, causal=False, masked=False, logits=None):
        """Adds a layer. q and k are texts × heads × rows × d_k; axes before rows may be missing.

        scale is the factor of q·k (default: it is not saved), causal whether query i sees only keys
        0 to i, masked whether another mask is applied. logits is the input of softmax. Of each array the
        first MAX_TEXTS texts and MAX_ROWS rows are kept, and of a model the first MAX_LAYERS layers that
        fit in MAX_BYTES.
        """
        layer = {"q": _first_rows(q), "k": _first_rows(k), "scale": scale, "causal": causal or None,
                 "masked": masked or None}
        if logits is not None:
            layer["logits"] = _first_rows(logits)[..., :MAX_ROWS].astype(np.float32)
        self._add_layer(layer)

    def add_lse(self, lse, keys, causal=False):
        """Adds a layer of which only lse is known: log Σ exp(logit) of each row, texts × heads × rows.

        keys is the number of keys that the last row sees, and causal whether each row sees one key
        more than the row before it. The last MAX_ROWS rows are kept.
        """
        lse = _to_numpy(lse)
        texts = (slice(MAX_TEXTS),) if lse.ndim == 3 else ()
        self._add_layer({"lse": lse[texts][..., -MAX_ROWS:], "lse_keys": keys, "causal": causal or None})

    def _add_layer(self, layer):
        """Adds the arrays and numbers of a layer, except those that are None."""
        size = sum(getattr(array, "nbytes", 0) for array in layer.values())
        if self.layers == MAX_LAYERS or self.bytes + size > MAX_BYTES:
            self.dropped += 1
            return
        self.bytes += size
        for name, array in layer.items():
            if array is None:
                continue
            if np.ndim(array) == 0:
                array = np.full((1, 1), float(array))
            self.arrays[f"layer{self.layers}.{name}"] = array
        self.layers += 1


def _to_numpy(x):
    """Returns a NumPy array of a tensor of PyTorch or an array of JAX."""
    if hasattr(x, "detach"):
        x = x.detach().to("cpu").float().numpy()
    return np.asarray(x, dtype=np.float32)


def _first_rows(x):
    """Returns the first rows of the first texts. Numbers that float16 cannot hold stay in float32."""
    x = x[:MAX_TEXTS] if x.ndim == 4 else x
    x = _to_numpy(x[..., :MAX_ROWS, :])
    largest = np.abs(x, where=np.isfinite(x), out=np.zeros_like(x)).max(initial=0)
    return x.astype(np.float16) if 1e-2 < largest < 6e4 else x


@contextlib.contextmanager
def save(path):
    """Saves the calls of scaled_dot_product_attention inside the block to the .npz file at path."""
    recorder = Recorder()
    try:
        from torch.nn import functional
    except ImportError:  # JAX or NumPy: only recorder.add is used
        functional = None
    original = getattr(functional, "scaled_dot_product_attention", None)

    def attend(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
        scale = options.get("scale")
        factor = query.shape[-1] ** -0.5 if scale is None else scale
        recorder.add(query, key, scale=factor, causal=is_causal, masked=attn_mask is not None)
        return original(query, key, value, attn_mask, dropout_p, is_causal, **options)

    if original is not None:
        functional.scaled_dot_product_attention = attend
    try:
        yield recorder
    finally:
        if original is not None:
            functional.scaled_dot_product_attention = original
    if recorder.layers == 0:
        raise RuntimeError("no call of scaled_dot_product_attention was seen: use watch or recorder.add")
    part = f"{path}.part"
    with open(part, "wb") as file:
        np.savez(file, **recorder.arrays)
    os.replace(part, path)
    if recorder.dropped:
        print(f"{path}: {recorder.layers} layers; {recorder.dropped} further calls are not saved")


def watch(recorder, model, module, query, key, heads, key_heads=None):
    """Adds the outputs of two projections of each module whose name ends with `module`.

    query and key are the names of the projections in the module, and heads the number of heads in
    their outputs (texts × rows × heads·d_k). Rotations and norms of q and k after the projections are
    not seen. Returns the handles, whose method remove ends it.
    """
    handles = []
    for name, part in model.named_modules():
        if name != module and not name.endswith("." + module):
            continue
        seen = {}

        def keep(_, __, output, seen=seen, which=None, count=None):
            seen[which] = output.unflatten(-1, (count, -1)).transpose(1, 2)
            if len(seen) == 2:
                recorder.add(seen.pop("q"), seen.pop("k"))

        for which, projection, count in (("q", query, heads), ("k", key, key_heads or heads)):
            hook = lambda m, i, o, which=which, count=count, keep=keep: keep(m, i, o, which=which, count=count)
            handles.append(getattr(part, projection).register_forward_hook(hook))
    if not handles:
        raise ValueError(f"no module is named {module}")
    return handles
