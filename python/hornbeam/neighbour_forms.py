# SPDX-License-Identifier: Apache-2.0
"""Rows of neighbours in other forms: pairs, sparse matrices and the edges of graphs. Arrays stay where they lie, on the
host or on a GPU, and of the library that they are of."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np

from .device_arrays import library_of
from .errors import UsageError


def _library(array: Any, name: str) -> Any:
    """The module with NumPy's functions for such arrays."""
    library = library_of(array)
    if library in ("jax", "jaxlib"):
        import jax.numpy

        return jax.numpy
    if library not in ("numpy", "torch", "cupy"):
        raise UsageError(f"{name}: received positions of {library}, whose functions are unknown (give arrays of NumPy, PyTorch, "
                         "CuPy or JAX, or use within())")
    return sys.modules[library]


def _rows(offset: Any, entries: int, name: str) -> Any:
    """The row of each entry."""
    xp = _library(offset, name)
    if xp is np:
        return np.repeat(np.arange(len(offset) - 1), np.diff(offset.astype(np.int64)))
    if library_of(offset) == "torch":
        return xp.repeat_interleave(xp.diff(offset), output_size=entries)
    return xp.searchsorted(offset[1:], xp.arange(entries, dtype=offset.dtype), side="right")


def _wide(array: Any) -> Any:
    """As int64, by which all libraries index."""
    return array.long() if library_of(array) == "torch" else array.astype(np.int64)


def pairs(found: Any, once: bool) -> Any:
    """(pairs, distance): row and neighbour, of shape (M, 2); once: those alone whose first is the lower."""
    offset, index, distance = found
    xp = _library(offset, "pairs")
    first, second = _wide(_rows(offset, len(index), "pairs")), _wide(index)
    if once:
        kept = first < second
        first, second, distance = first[kept], second[kept], distance[kept]
    return xp.stack([first, second], 1), distance


def edge_index(found: Any) -> Any:
    """(edges, distance): edges of shape (2, M) from each neighbour to the row that it is in."""
    offset, index, distance = found
    xp = _library(offset, "edge_index")
    return xp.stack([_wide(index), _wide(_rows(offset, len(index), "edge_index"))]), distance


def sparse(found: Any, columns: int, form: str) -> Any:
    """A matrix of distances, a row for each target: SciPy's, CuPy's or PyTorch's."""
    if form not in ("csr", "coo"):
        raise UsageError(f"form: received {form!r} (must be csr or coo)")
    offset, index, distance = found
    library, shape = library_of(offset), (len(offset) - 1, columns)
    if library == "torch":
        torch = sys.modules["torch"]
        made = torch.sparse_csr_tensor(offset, _wide(index), distance, shape, check_invariants=False)
        return made if form == "csr" else made.to_sparse_coo()
    if library not in ("numpy", "cupy"):
        raise UsageError(f"sparse: received positions of {library} (give arrays of NumPy, CuPy or PyTorch, or use within())")
    try:
        kinds = importlib.import_module("scipy.sparse" if library == "numpy" else "cupyx.scipy.sparse")
    except ImportError as error:
        raise UsageError(f"sparse: SciPy is not installed ({error}) (install it, or use within())") from error
    large = max(len(index), columns) > np.iinfo(np.int32).max
    kind = np.int64 if large else np.int32
    made = kinds.csr_matrix((distance, index.astype(kind), offset.astype(kind)), shape=shape)
    return made if form == "csr" else made.tocoo()
