"""A rectangle, by its edges."""

from __future__ import annotations

from typing import NamedTuple

Size = tuple[int, int]


class Box(NamedTuple):
    """Edges in pixels, not pixel centres: a whole photo is (0, 0, width, height)."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @classmethod
    def whole(cls, size: Size) -> Box:
        """All of an image of this width and height."""
        return cls(0.0, 0.0, float(size[0]), float(size[1]))

    def carried(self, source: Box, target: Box) -> Box:
        """The same box, where `source` is laid upon `target`.

        >>> Box(1, 1, 2, 2).carried(Box(0, 0, 4, 4), Box(0, 0, 8, 4))
        Box(left=2.0, top=1.0, right=4.0, bottom=2.0)
        """
        across, down = target.width / source.width, target.height / source.height
        return Box(
            target.left + (self.left - source.left) * across,
            target.top + (self.top - source.top) * down,
            target.left + (self.right - source.left) * across,
            target.top + (self.bottom - source.top) * down,
        )

    def within(self, other: Box) -> Box:
        """The part inside `other`; without area if there is none."""
        return Box(
            min(max(self.left, other.left), other.right),
            min(max(self.top, other.top), other.bottom),
            min(max(self.right, other.left), other.right),
            min(max(self.bottom, other.top), other.bottom),
        )
