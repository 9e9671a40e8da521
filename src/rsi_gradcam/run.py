"""One call of `explain_all`: what is wanted is sorted, looked at group by group, and made explanations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from rsi_gradcam.baselines.base import Baseline
from rsi_gradcam.capture import Camera
from rsi_gradcam.errors import TargetError
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.inputs import channels_last_from
from rsi_gradcam.integrate import integrate
from rsi_gradcam.layers import is_cut, name_of
from rsi_gradcam.methods.base import IMAGE, INPUT, EndpointMethod, Method, ModelMethod, PathMethod, Scene
from rsi_gradcam.outcome import Outcome, explanation_of, of_integrals, of_map
from rsi_gradcam.paths.base import Path
from rsi_gradcam.precision import holds_half, may_run_half
from rsi_gradcam.settings import Settings
from rsi_gradcam.sweep import Batching, Group, Job, Start, Sweep, layers_of, sites_of
from rsi_gradcam.targets.base import Layer, Target
from rsi_gradcam.walks import ImageWalk, LayerWalk, Walk
from rsi_gradcam.wanted import Wanted, completeness
from rsi_gradcam.watching import UNWATCHED, Key, Watch


@dataclass(frozen=True)
class Wish:
    """What was asked for: each method at each layer for each target."""

    layers: Mapping[str, str]  # as asked for -> the dotted name
    methods: Mapping[object, Method]  # as asked for -> the method
    targets: Mapping[object, Target]  # as asked for -> the target
    several: bool  # are targets a part of the keys?

    def jobs(self) -> tuple[tuple[Job, ...], tuple[Target, ...]]:
        """The maps to make, each once, and the targets that they speak of."""
        jobs: dict[Key, Job] = {}
        targets: dict[Target, int] = {}
        for asked, method in self.methods.items():
            for named, layer in self.layers.items():
                for name, target in self.targets.items():
                    wanted = method.explained(target, layer)
                    site = method.site(layer)
                    at = layer if wanted is not target else site  # a neuron's map belongs to the neuron's layer
                    place = INPUT if at == IMAGE else named
                    key = (asked, place, name) if self.several else (asked, place)
                    jobs[key] = Job(key, method, at, site, targets.setdefault(wanted, len(targets)))
        return tuple(jobs.values()), tuple(targets)


@dataclass
class Run:
    """A wish, fulfilled for one batch of images."""

    model: nn.Module
    x: Tensor
    wish: Wish
    baseline: Baseline
    path: Path
    settings: Settings
    watch: Watch = UNWATCHED
    _baselines: list[Tensor] = field(default_factory=list)

    def explanations(self) -> dict[Key, Explanation]:
        self.jobs, targets = self.wish.jobs()
        self.targets = tuple(target.located(self.inside) for target in targets)
        for target in self.targets:
            target.check(len(self.x))
        self.path.check(self.x)
        self.batching = Batching.fitting(self.x, self.settings.batch_size)
        found: dict[Key, list[Outcome]] = {job.key: [] for job in self.jobs}
        with contextlib.ExitStack() as stack:
            self.open(stack)

            def explain_group(part: slice) -> None:
                rows = torch.arange(len(self.x), device=self.x.device)[part]
                outcomes = []  # all of them, or none
                for job, outcome in self.outcomes(self.ends.group(self.x[part], rows)):
                    outcomes.append((job, outcome))
                    if part.stop >= len(self.x):
                        self.watch.made(job.key, self.explanation(job, [*found[job.key], outcome]))
                for job, outcome in outcomes:
                    found[job.key].append(outcome)

            self.batching.chunks(len(self.x), explain_group)
        return {job.key: self.explanation(job, found[job.key]) for job in self.jobs}

    def inside(self, layer: Layer) -> str:
        """The name of a layer that a target reads."""
        name = name_of(layer, self.model, self.x)
        if name == IMAGE:
            raise TargetError("a unit belongs to a layer of the model, not to its input: name one of its layers")
        return name

    def open(self, stack: contextlib.ExitStack) -> None:
        """The sweeps: over the images themselves, along their path, and one for each layer that is moved."""
        on_path = [job for job in self.jobs if isinstance(job.method, PathMethod)]
        self.moving_image = tuple(job for job in on_path if job.method.walk == "image")
        moving_layer = [job for job in on_path if job.method.walk == "layer"]
        self.moving_layer = {
            layer: tuple(job for job in moving_layer if job.layer == layer)
            for layer in dict.fromkeys(job.layer for job in moving_layer)
        }
        self.cuts = {
            (site, target): is_cut(self.model, site, self.x, self.targets[target])
            for site, target in dict.fromkeys((job.site, job.target) for job in on_path)
        }
        self.ends = self.sweep(stack, self.jobs)
        if self.moving_image:
            self.along = self.sweep(stack, self.moving_image)
        self.above = {layer: self.sweep(stack, jobs) for layer, jobs in self.moving_layer.items()}

    def may_be_half(self) -> bool:
        """May the path's lower part run in bfloat16? Only where the tolerance counts what that costs."""
        layers = self.along.camera.layers
        return (
            self.settings.tolerance is not None
            and self.settings.precision == "auto"
            and may_run_half(self.model, self.x, layers)
            and holds_half(self.model, self.x, layers)
        )

    def sweep(self, stack: contextlib.ExitStack, jobs: Sequence[Job]) -> Sweep:
        used = {job.target for job in jobs}
        wanted = [target for index, target in enumerate(self.targets) if index in used]
        camera = Camera(self.model, layers_of(jobs, wanted), channels_last_from(self.model, self.x))
        stack.enter_context(camera.open())
        return Sweep(
            self.model, camera, self.targets, sites_of(jobs, self.targets), self.path, self.batching, self.watch
        )

    def baselines(self) -> list[Tensor]:
        """One for each path that is averaged over; made when first needed."""
        if not self._baselines:
            made = [part.images(self.x, self.model) for part in self.baseline.parts()]
            self._baselines = [each.clone() if each.is_inference() else each for each in made]
        return self._baselines

    def starts_of(self, group: Group) -> list[Start]:
        """The baselines of the group's images."""
        if not self.path.from_baseline:
            return [Start(group.x, None)]
        return [
            Start(each, index) if len(each) == 1 else Start(each[group.rows], None)
            for index, each in enumerate(self.baselines())
        ]

    def outcomes(self, group: Group) -> Iterator[tuple[Job, Outcome]]:
        """Those that are there already first, those that take longest last."""
        for job in self.jobs:
            if isinstance(job.method, EndpointMethod):
                A, G = group.A[job.site], group.G[job.site, job.target]
                with torch.autocast(A.device.type, enabled=False):
                    signed, weights = job.method.localize(A, G), job.method.weights(A, G)
                yield job, of_map(job, group, signed, weights, 1)
        if self.moving_image:
            half = self.may_be_half()
            walks: list[Walk] = [ImageWalk(self.along, group, start, half=half) for start in self.starts_of(group)]
            yield from self.integrated(walks, self.moving_image, group)
        for layer, jobs in self.moving_layer.items():
            moved: list[Walk] = [self.layer_walk(layer, group, start) for start in self.starts_of(group)]
            yield from self.integrated(moved, jobs, group)
        for job in self.jobs:
            if isinstance(job.method, ModelMethod):
                yield job, of_map(job, group, *self.by_model(job, job.method, group))

    def layer_walk(self, layer: str, group: Group, start: Start) -> LayerWalk:
        sweep = self.above[layer]
        starts = ImageWalk(sweep, group, start).starts()
        return LayerWalk(sweep, group, layer, torch.stack([start.A[layer] for start in starts]))

    def integrated(self, walks: Sequence[Walk], jobs: tuple[Job, ...], group: Group) -> Iterator[tuple[Job, Outcome]]:
        moved = isinstance(walks[0], LayerWalk)
        # a layer's own path starts at the layer
        cuts = {(job.site, job.target): True for job in jobs} if moved else self.cuts
        wanted = Wanted.by(jobs, cuts, self.settings, self.watch)
        found = integrate(walks, wanted)
        for index, job in enumerate(jobs):
            track, whole = wanted.index(job.track()), wanted.index(completeness(job))
            yield job, of_integrals(job, group, found, index, track, whole)

    def by_model(self, job: Job, method: ModelMethod, group: Group) -> tuple[Tensor, None, int]:
        bound = group.bound[job.target]

        def score(inputs: Tensor, rows: Tensor) -> Tensor:
            with self.ends.looking(inputs, half=False) as look:
                y = bound.pull(look.output, look.A, rows).y
            self.watch.looked(len(inputs))
            return y

        def baseline(row: int) -> Tensor:
            start, alone = self.starts_of(group)[0].of(torch.tensor([row])), slice(row, row + 1)
            return self.path.at(group.x.new_zeros(1), group.x[alone], start, group.rows[alone])

        scene = Scene(
            self.model,
            group.x,
            job.layer,
            group.A[job.site],
            group.G[job.site, job.target],
            group.output,
            bound.labels(),
            group.y[job.target],
            score,
            baseline,
            self.batching.size,
        )
        signed, passes = method.localize(scene)
        return signed, None, passes

    def explanation(self, job: Job, outcomes: Sequence[Outcome]) -> Explanation:
        on_path = isinstance(job.method, PathMethod)
        cut = self.cuts[job.site, job.target] if on_path else None
        return explanation_of(
            job, outcomes, self.targets[job.target], (self.x.shape[-2], self.x.shape[-1]), self.settings, cut
        )
