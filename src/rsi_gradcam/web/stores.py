"""The evaluations that were named when the page was started: no other folder is ever opened."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rsi_gradcam.errors import ConfigurationError, MissingExtra

if TYPE_CHECKING:
    from rsi_gradcam.reporting.study import Study

RESAMPLES = 500  # for the intervals: on a page one does not wait for 2000


@dataclass
class Stores:
    """By their places in the list, so that no path comes from the page."""

    folders: Sequence[Path] = ()
    _studies: dict[int, Study] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    reading: threading.Lock = field(default_factory=threading.Lock)  # held while a study's tables are made

    def names(self) -> list[str]:
        return [folder.name or str(folder) for folder in self.folders]

    def check(self) -> None:
        """An error where a folder holds no evaluation: before the page is opened."""
        for place in range(len(self.folders)):
            self.study(place)

    def study(self, place: object) -> Study:
        if type(place) is not int or not 0 <= place < len(self.folders):
            raise ConfigurationError("no such evaluation: choose one of the list")
        with self._lock:
            if place not in self._studies:
                self._studies[place] = opened(self.folders[place])
            return self._studies[place]


def opened(folder: Path) -> Study:
    try:
        from rsi_gradcam.evaluation.store import Store  # noqa: PLC0415 - what it needs is an extra
        from rsi_gradcam.reporting.study import Study  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("looking at evaluations", "evaluation") from error
    return Study(Store.open(folder), resamples=RESAMPLES)
