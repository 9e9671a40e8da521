"""Being told how `explain_all` goes on, and stopping it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from torch import Tensor

if TYPE_CHECKING:
    from rsi_gradcam.explanation import Explanation

Key = tuple[object, ...]


class Watch:
    """Inherit from it what is to be heard: it is called by the thread that explains, between looks at the network.

    Whatever a method raises ends the work at once and comes out of `explain_all`; the model is left as it was.
    Where memory runs out and the work begins anew with fewer images, things may be told twice.
    """

    def looked(self, images: int) -> None:
        """The network was shown so many more images."""

    def refined(self, error: float, maps: Mapping[Key, Tensor]) -> None:
        """With a tolerance: the largest estimated error so far, and the normalised maps (images, h, w) by then."""

    def made(self, key: Key, explanation: Explanation) -> None:
        """One explanation is finished. Grad-CAM and its like come first, then what needs the path, then the slow."""


UNWATCHED = Watch()
