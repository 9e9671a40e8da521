"""The names of the thousand ImageNet classes, in their usual order."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def imagenet_categories() -> tuple[str, ...]:
    """As torchvision has them.

    >>> imagenet_categories()[281]
    'tabby'
    """
    return tuple(resources.files(__package__).joinpath("imagenet.txt").read_text("utf-8").splitlines())
