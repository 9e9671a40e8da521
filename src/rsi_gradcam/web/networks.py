"""The networks that the page has loaded."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rsi_gradcam.web.limits import NETWORKS
from rsi_gradcam.zoo import DEFAULT, Network, load, names


@dataclass(frozen=True)
class Loaded:
    """A network, and its layers as they are offered."""

    name: str
    weights: Path | None
    network: Network

    @cached_property
    def layers(self) -> list[tuple[str, str]]:
        """(what is shown, the module's path), those with a friendly name first, the last of them foremost."""
        friendly = {path: name for name, path in self.network.layers.items()}
        shown = []
        for layer in self.network.spatial_layers():
            name = friendly.get(layer.name)
            title = f"{name} ({layer.name})" if name and name != layer.name else layer.name
            shown.append((f"{title} · {'×'.join(map(str, layer.shape))}", layer.name, layer.name in friendly))
        foremost = [(title, path) for title, path, named in reversed(shown) if named]
        return foremost + [(title, path) for title, path, named in reversed(shown) if not named]


@dataclass
class Networks:
    """The one of the start stays; of others the last few."""

    start: str = DEFAULT
    weights: Path | None = None
    _loaded: OrderedDict[str, Loaded] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, name: str) -> Loaded:
        with self._lock:
            if name not in self._loaded:
                weights = self.weights if name == self.start else None
                self._loaded[name] = Loaded(name, weights, load(name, weights=weights))
            self._loaded.move_to_end(name)
            others = [each for each in self._loaded if each != self.start]
            for each in others[:-NETWORKS]:
                del self._loaded[each]
            return self._loaded[name]

    def names(self) -> list[str]:
        """All that can be chosen, the start's first."""
        known = (name for of_one in names().values() for name in of_one)
        return list(dict.fromkeys([self.start, *known]))
