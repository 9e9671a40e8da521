"""The maps of a photo once more on other terms, made only when a metric asks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from torch import Tensor, nn

from rsi_gradcam.controls import Control, View
from rsi_gradcam.evaluation.looking import Eye, Place
from rsi_gradcam.evaluation.randomising import randomised
from rsi_gradcam.evaluation.reading import Shot
from rsi_gradcam.methods.base import INPUT

MOST = 2 << 30  # bytes of other networks that are kept for the next photo


@dataclass(eq=False)
class Others:
    """Other networks of the same shape. They are kept for the next photo, as far as there is room."""

    eye: Eye
    kept: dict[tuple[float, int], Eye] = field(default_factory=dict)

    @cached_property
    def double(self) -> Eye:
        return self.with_module(copy.deepcopy(self.eye.module).to(self.eye.home).double())

    def randomised(self, share: float, seed: int) -> Eye:
        key = (share, seed)
        if key not in self.kept:
            size = sum(p.numel() * p.element_size() for p in self.eye.module.parameters())
            while self.kept and (len(self.kept) + 1) * size > MOST:
                del self.kept[next(iter(self.kept))]
            self.kept[key] = self.with_module(randomised(self.eye.module, self.eye.like, share, seed))
        return self.kept[key]

    def with_module(self, module: nn.Module) -> Eye:
        other = replace(self.eye, module=module)
        other.settle()
        return other


@dataclass(eq=False)
class Repeats:
    """All maps of one photo, once more. What another network says of the photo is found at once for all of them."""

    others: Others
    shot: Shot
    category: int
    seed: int
    known: dict[tuple[float, int], Mapping[Place, Tensor]] = field(default_factory=dict)

    @cached_property
    def in_double(self) -> Mapping[Place, Tensor]:
        return self.all_by(self.others.double)

    def randomised(self, share: float, seed: int) -> Mapping[Place, Tensor]:
        if (share, seed) not in self.known:
            self.known[share, seed] = self.all_by(self.others.randomised(share, seed))
        return self.known[share, seed]

    def all_by(self, eye: Eye) -> Mapping[Place, Tensor]:
        found = {place: each.raw[0] for place, each in eye.maps(self.shot.pixels, self.category).items()}
        _, activations = eye.look(self.shot.pixels)
        for place, control in controls_at(eye).items():
            if not control.boxed:
                found[place] = control.map(view(control, place, self.shot, eye, activations, self.seed))
        return found

    def of(self, place: Place, pixels: Tensor) -> Tensor:
        eye = self.others.eye
        name, layer = place
        if control := controls_at(eye).get(place):
            _, activations = eye.look(pixels)
            return control.map(view(control, place, replace(self.shot, pixels=pixels), eye, activations, self.seed))
        at = () if layer == INPUT else (layer,)
        return eye.maps(pixels, self.category, {name: eye.protocol.methods[name]}, at)[place].raw[0]


@dataclass(frozen=True, eq=False)
class Once:
    """`metrics.base.Again` for one map."""

    repeats: Callable[[], Repeats]  # made when first asked
    place: Place

    def of(self, pixels: Tensor) -> Tensor:
        return self.home(self.repeats().of(self.place, pixels))

    def in_double(self) -> Tensor:
        return self.home(self.repeats().in_double[self.place])

    def randomised(self, share: float, seed: int) -> Tensor:
        return self.home(self.repeats().randomised(share, seed)[self.place])

    def home(self, raw: Tensor) -> Tensor:
        return raw.to(self.repeats().others.eye.home)


def controls_at(eye: Eye) -> dict[Place, Control]:
    """Each control where it lies: at every layer, or once."""
    return {
        (control.name, layer): control
        for control in eye.protocol.controls
        for layer in (eye.layers if control.at_layer else (INPUT,))
    }


def view(control: Control, place: Place, shot: Shot, eye: Eye, activations: Mapping[str, Tensor], seed: int) -> View:
    """What the control looks at, beside its layer; one that is made once stands beside the first."""
    beside = activations[place[1]] if control.at_layer else next(iter(activations.values()))
    inside = None if shot.inside is None else shot.inside.to(beside.device)
    return View(shot.pixels.to(eye.like), inside, beside, seed)
