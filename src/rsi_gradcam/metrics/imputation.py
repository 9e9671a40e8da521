"""Linear imputation: pixels that are missing as weighted means of their neighbours, all at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from rsi_gradcam.errors import MissingExtra

BESIDE, ACROSS = 1 / 6, 1 / 12  # the weights of the neighbours by an edge, and by a corner


def impute(x: Tensor, missing: Tensor) -> Tensor:
    """(colours, H, W) with the `missing` (H, W) bool filled in: Σ_n w_n x_n = x_i Σ_n w_n, over the neighbours n.

    Each colour by itself; a neighbour beyond the rim has no weight. At least one pixel must be known.
    """
    gone = missing.flatten().cpu().numpy()
    if not gone.any():
        return x
    W = neighbours(*missing.shape)[gone]
    known = x.flatten(1).double().cpu().numpy().T  # (H·W, colours)
    found = solved(W[:, gone], np.asarray(W.sum(1)).ravel(), W[:, ~gone] @ known[~gone])
    filled = x.flatten(1).clone()
    filled[:, missing.flatten()] = torch.from_numpy(found.T).to(filled)
    return filled.reshape(x.shape)


def solved(W: Any, total: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(total · 1 − W)⁻¹ right; the matrix is symmetric and positive definite."""
    _, sparse, linalg = scipy()
    matrix = (sparse.diags(total) - W).tocsc()
    options = {"SymmetricMode": True}
    factors = linalg.splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    answer: np.ndarray = factors.solve(right)
    return answer


@lru_cache(maxsize=4)
def neighbours(height: int, width: int) -> Any:
    """(H·W, H·W) sparse: the weight of each pixel for each."""
    _, sparse, _ = scipy()
    down, along = (sparse.eye(n, k=1) + sparse.eye(n, k=-1) for n in (height, width))
    sideways = BESIDE * (sparse.kron(sparse.eye(height), along) + sparse.kron(down, sparse.eye(width)))
    return (sideways + ACROSS * sparse.kron(down, along)).tocsr()


def scipy() -> tuple[Any, Any, Any]:
    try:
        import scipy.sparse  # noqa: PLC0415 - an optional extra
        import scipy.sparse.linalg  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("metric road", "evaluation") from missing
    return scipy, scipy.sparse, scipy.sparse.linalg
