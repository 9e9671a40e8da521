"""One question to the network: every map of a grid from one walk, told of as it goes, and stoppable."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product

import torch
from torch import Tensor
from torch.nn import functional

from rsi_gradcam import catalog
from rsi_gradcam.errors import RSIGradCAMError
from rsi_gradcam.explaining import explain_all
from rsi_gradcam.explanation import Explanation, Forming
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.methods.base import ModelMethod
from rsi_gradcam.watching import Key, Watch
from rsi_gradcam.web.choice import Choice
from rsi_gradcam.web.limits import FORMING
from rsi_gradcam.web.networks import Loaded
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.progress import Progress


class Stopped(Exception):  # noqa: N818 - reads as the fact it states
    """The user has asked for something else, or for nothing more."""


@dataclass(frozen=True)
class Cell:
    """A map, as far as it is known."""

    version: int
    heat: Tensor | None = None  # (h, w) in 0..1, while it still moves
    explanation: Explanation | None = None
    before: float | None = None  # the probability of the class
    probability: float | None = None  # and that for the photo seen through the map
    refusal: str = ""  # why there is no map


@dataclass
class Run(Watch):
    """Its thread works; others read `cells`, whose entries are replaced, never changed."""

    choice: Choice
    loaded: Loaded
    photo: Photo
    x: Tensor  # (1, 3, H, W)
    identity: str = field(default_factory=lambda: secrets.token_hex(6))
    cells: dict[Key, Cell] = field(default_factory=dict)
    state: str = "waiting"
    fault: str = ""
    stopping: threading.Event = field(default_factory=threading.Event)
    news: threading.Event = field(default_factory=threading.Event)
    _version: int = 0

    def __post_init__(self) -> None:
        self.progress = Progress.of(self.choice)

    def start(self) -> None:
        self.state = "running"
        threading.Thread(target=self.work, name="explaining", daemon=True).start()

    def work(self) -> None:
        try:
            self.check()
            self.ask()
            self.look_through()
            self.state = "done"
        except Stopped:
            self.state = "stopped"
        except RSIGradCAMError as error:
            self.state, self.fault = "failed", str(error)
        except Exception as error:  # whatever a network of someone else's may raise
            self.state, self.fault = "failed", f"{type(error).__name__}: {str(error)[:200]}"
        finally:
            self.news.set()

    def ask(self) -> None:
        """One walk for all that share it. The others go their own ways, and what one cannot do spoils no other."""
        kinds = catalog.methods()
        alone = [name for name in self.choice.methods if issubclass(kinds[name], ModelMethod)]
        if shared := [name for name in self.choice.methods if name not in alone]:
            self.explain(shared, list(self.choice.layers))
        for name, layer in product(alone, self.choice.layers):
            try:
                self.explain([name], [layer])
            except RSIGradCAMError as error:
                for index in self.choice.classes:
                    self.put((name, layer, index), Cell(0, refusal=str(error)))

    def explain(self, methods: list[str], layers: list[str]) -> None:
        choice, network = self.choice, self.loaded.network
        explain_all(
            network.network,
            self.x,
            layers,
            methods,
            targets=list(choice.classes),
            baseline=choice.start(network.preprocess),
            forming=True,
            watch=self,
            **choice.how,  # type: ignore[arg-type]
        )

    def look_through(self) -> None:
        """What the network says of each explanation map L ⊙ I."""
        preprocess = self.loaded.network.preprocess
        pixels = preprocess.denormalise(self.x)
        made = [(key, cell, cell.explanation) for key, cell in self.cells.items() if cell.explanation]
        before = self.probabilities(self.x) if made else []
        for key, cell, e in made:
            self.check()
            seen = preprocess.normalise(upsample(e.normalised, e.size)[:, None] * pixels)
            index = int(str(key[2]))
            after = self.probabilities(seen)[index]
            self.put(key, replace(cell, before=before[index], probability=after))

    def probabilities(self, x: Tensor) -> list[float]:
        with torch.no_grad():
            found: list[float] = self.loaded.network.network(x).softmax(1)[0].tolist()
        return found

    # What the sweep tells

    def looked(self, images: int) -> None:
        self.check()
        self.progress.looked(images)
        self.news.set()

    def refined(self, error: float, maps: Mapping[Key, Tensor]) -> None:
        self.progress.refined(error)
        for key, heat in maps.items():
            self.put(key, Cell(0, heat=heat[0]))

    def made(self, key: Key, explanation: Explanation) -> None:
        self.check()
        forming = tuple(Forming(each.alphas, small(each.maps)) for each in explanation.forming)
        self.put(key, Cell(0, explanation=replace(explanation, forming=forming)))

    def check(self) -> None:
        if self.stopping.is_set():
            raise Stopped

    def put(self, key: Key, cell: Cell) -> None:
        self._version += 1
        self.cells[key] = replace(cell, version=self._version)
        self.news.set()

    @property
    def over(self) -> bool:
        return self.state in ("done", "stopped", "failed")

    def stop(self) -> None:
        self.stopping.set()


def small(maps: Tensor) -> Tensor:
    """(points, h, w), no side longer than what is shown of a map as it forms."""
    height, width = maps.shape[-2:]
    scale = FORMING / max(height, width)
    if scale >= 1:
        return maps
    return functional.adaptive_avg_pool2d(maps[:, None], (round(height * scale), round(width * scale)))[:, 0]
