"""One walk along the path for every method, layer and target that was asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import torch
from torch import Tensor, nn

from rsi_gradcam.capture import Camera, Look
from rsi_gradcam.inputs import NEVER, NOT_A_VIEW, is_out_of_memory
from rsi_gradcam.methods.base import IMAGE, Method, PathMethod
from rsi_gradcam.nodes import Point, Track
from rsi_gradcam.paths.base import Path
from rsi_gradcam.targets.base import BoundTarget, Target
from rsi_gradcam.watching import UNWATCHED, Watch

PIXELS_AT_ONCE = {"cpu": 4 * 224 * 224, "cuda": 32 * 224 * 224, "mps": 16 * 224 * 224}


@dataclass(frozen=True)
class Job:
    """One map to make: a method at a layer for a target."""

    key: tuple[object, ...]
    method: Method
    layer: str
    site: str
    target: int  # its place among the sweep's targets

    def track(self) -> Track:
        assert isinstance(self.method, PathMethod)
        return Track(self.method.integral, self.site, self.target)


@dataclass
class Batching:
    """How many images the model gets at once: halved when memory runs out, for good."""

    size: int

    @classmethod
    def fitting(cls, x: Tensor, wanted: int | None) -> Batching:
        pixels = PIXELS_AT_ONCE.get(x.device.type, PIXELS_AT_ONCE["cpu"])
        return cls(wanted or max(1, min(256, round(pixels / (x.shape[-2] * x.shape[-1])))))

    def chunks(self, count: int, run: Callable[[slice], None]) -> None:
        """Call `run` for slices of 0…count that fit into memory."""
        begin = 0
        while begin < count:
            end = min(begin + self.size, count)
            try:
                run(slice(begin, end))
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error) or self.size == 1:
                    raise
                self.size = max(1, min(self.size, end - begin) // 2)
                continue
            begin = end


@dataclass(frozen=True)
class Start:
    """The baselines of a group's images: one for each, or one that serves all images of the run."""

    images: Tensor
    shared: int | None  # which of the run's baselines it is, if it serves all

    def of(self, rows: Tensor) -> Tensor:
        """The baseline of each row."""
        if self.shared is None:
            return self.images[rows.to(self.images.device)]
        return self.images.expand(len(rows), -1, -1, -1)


@dataclass
class Group:
    """Images that are explained together, and what the network showed for them."""

    rows: Tensor  # their places in the user's batch
    x: Tensor
    output: object
    bound: tuple[BoundTarget, ...]  # for each target
    y: tuple[Tensor, ...]  # target -> image
    A: Mapping[str, Tensor]
    G: Mapping[tuple[str, int], Tensor]  # (site, target) -> image channel height width

    def end(self, row: int) -> Point:
        return Point(1.0, tuple(y[row] for y in self.y), at_row(self.A, row), at_row(self.G, row))


Key = TypeVar("Key", bound=Hashable)


def at_row(many: Mapping[Key, Tensor], row: int) -> dict[Key, Tensor]:
    return {key: tensor[row] for key, tensor in many.items()}


def widened(tensor: Tensor) -> Tensor:
    """Detached, and in at least float32: what sums are made of."""
    tensor = tensor.detach()
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


@dataclass
class Sweep:
    """The model, what is wanted of it, and the ways to ask it."""

    model: nn.Module
    camera: Camera
    targets: tuple[Target, ...]
    sites: tuple[tuple[str, ...], ...]  # for each target: where its gradient is wanted
    path: Path
    batching: Batching
    watch: Watch = UNWATCHED
    _starts: dict[Hashable, Look] = field(default_factory=dict)

    def group(self, x: Tensor, rows: Tensor) -> Group:
        """The images themselves: in full precision, with the gradients of every target."""
        with self.looking(x, half=False) as look:
            bound = tuple(target.bind(look.output, look.A, rows) for target in self.targets)
            y, A, G = self.read(look, bound, torch.arange(len(x), device=x.device))
            output = look.output.detach() if isinstance(look.output, Tensor) else look.output
        self.watch.looked(len(x))
        return Group(rows, x, output, bound, y, A, G)

    @contextlib.contextmanager
    def looking(self, images: Tensor, *, half: bool) -> Iterator[Look]:
        """A look at images. Where the model cannot do with channels last, it gets them as they come."""
        with contextlib.ExitStack() as stack:
            try:
                look = stack.enter_context(self.camera.look(images, half=half))
            except RuntimeError as error:
                if self.camera.channels_last_from == NEVER or NOT_A_VIEW not in str(error):
                    raise
                self.camera.channels_last_from = NEVER
                look = stack.enter_context(self.camera.look(images, half=half))
            yield look

    def read(
        self, look: Look, bound: Sequence[BoundTarget], rows: Tensor, *, keep: bool = False
    ) -> tuple[tuple[Tensor, ...], dict[str, Tensor], dict[tuple[str, int], Tensor]]:
        """Scores, activations and gradients of a look whose images belong to `rows` of the group."""
        y, G = [], {}
        for index, (target, sites) in enumerate(zip(bound, self.sites, strict=True)):
            if not sites:  # of no concern to this sweep, whose look may not even hold what it reads
                y.append(torch.full((len(rows),), torch.nan))
                continue
            last = index == len(bound) - 1 and not keep
            view = self.camera.gradients(look, target, rows, sites, last=last)
            y.append(widened(view.y))
            G.update({(site, index): widened(g) for site, g in view.G.items()})
        return tuple(y), {name: widened(A) for name, A in look.A.items()}, G

    def points(self, group: Group, places: Sequence[tuple[int, float]], start: Start, *, half: bool) -> list[Point]:
        """The network at each (row of the group, α); `half` for bfloat16 below the earliest layer."""
        found: list[Point] = []

        def run(part: slice) -> None:
            rows = torch.tensor([row for row, _ in places[part]], device=group.x.device)
            alpha = torch.tensor([a for _, a in places[part]], dtype=torch.float64)
            images = self.path.at(alpha.to(group.x), group.x[rows], start.of(rows), group.rows[rows])
            found.extend(self.see(group, images, rows, alpha, half=half))

        self.batching.chunks(len(places), run)
        return found

    def see(self, group: Group, images: Tensor, rows: Tensor, alpha: Tensor, *, half: bool) -> list[Point]:
        with self.looking(images, half=half) as look:
            y, A, G = self.read(look, group.bound, rows)
        self.watch.looked(len(images))
        return [
            Point(a, tuple(one[i] for one in y), at_row(A, i), at_row(G, i)) for i, a in enumerate(alpha.tolist())
        ]

    def starts(self, group: Group, start: Start, *, half: bool) -> list[Point]:
        """The beginning of each image's path. A baseline that serves all images is looked at once in the run."""
        rows = range(len(group.x))
        if start.shared is None:
            return self.points(group, [(row, 0.0) for row in rows], start, half=half)
        look = self.first_look(start, half=half)
        seen: dict[Hashable, Point] = {}
        for row in rows:
            key = tuple(target.key(row) for target in group.bound)
            if key not in seen:
                y, A, G = self.read(look, group.bound, torch.tensor([row], device=group.x.device), keep=True)
                seen[key] = Point(0.0, tuple(one[0] for one in y), at_row(A, 0), at_row(G, 0))
        return [seen[tuple(target.key(row) for target in group.bound)] for row in rows]

    def first_look(self, start: Start, *, half: bool) -> Look:
        key = (start.shared, half)
        if key not in self._starts:
            with self.looking(start.images, half=half) as look:
                self._starts[key] = look
        return self._starts[key]


def sites_of(jobs: Sequence[Job], targets: Sequence[Target]) -> tuple[tuple[str, ...], ...]:
    """Where each target's gradient is wanted."""
    return tuple(
        tuple(dict.fromkeys(job.site for job in jobs if job.target == index)) for index in range(len(targets))
    )


def layers_of(jobs: Sequence[Job], targets: Sequence[Target]) -> tuple[str, ...]:
    """Every layer that must be looked at."""
    wanted = [job.site for job in jobs] + [job.layer for job in jobs if job.layer != IMAGE]
    return tuple(dict.fromkeys([*wanted, *(layer for target in targets for layer in target.layers)]))
