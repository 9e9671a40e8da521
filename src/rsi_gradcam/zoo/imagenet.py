"""The thousand ImageNet classes, in their usual order: that of their synsets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType


@cache
def imagenet_categories() -> tuple[str, ...]:
    """As torchvision has them.

    >>> imagenet_categories()[281]
    'tabby'
    """
    return tuple(resources.files(__package__).joinpath("imagenet.txt").read_text("utf-8").splitlines())


@cache
def imagenet_synsets() -> tuple[str, ...]:
    """What the classes are called in the files of ImageNet.

    >>> imagenet_synsets()[281]
    'n02123045'
    """
    return tuple(resources.files(__package__).joinpath("imagenet_synsets.txt").read_text("utf-8").split())


@cache
def synset_indices() -> Mapping[str, int]:
    """The index of each class by its synset."""
    return MappingProxyType({synset: index for index, synset in enumerate(imagenet_synsets())})
