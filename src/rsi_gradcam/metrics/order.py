"""Pixels in the order of their importance."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

First = Literal["most", "least"]


def places(L: Tensor, first: First) -> Tensor:
    """(H, W): each pixel's place in the order, from 0. Ties stand as one reads, row by row, in both orders.

    So a map of one value gives the same order twice, and nothing that is a difference of the two.
    """
    order = L.flatten().argsort(stable=True, descending=first == "most")
    return torch.empty_like(order).scatter_(0, order, torch.arange(len(order), device=L.device)).reshape(L.shape)


def leading(L: Tensor, count: int, first: First) -> Tensor:
    """(H, W) bool: the `count` pixels that come first."""
    return places(L, first) < count


def ordered(L: Tensor) -> bool:
    """Has the map more than one value?"""
    return bool(L.amax() > L.amin())
