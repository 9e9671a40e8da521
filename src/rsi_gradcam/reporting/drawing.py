"""All figures of a study, one after the other; what cannot be drawn is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.reporting.plates import catalogue
from rsi_gradcam.reporting.plates.base import Drawn, Plate, Skipped
from rsi_gradcam.reporting.study import Study

ORDER = (  # as in the paper
    "one_relu_net",
    "expl_map",
    "jaccard_ex",
    "shuttle",
    "soccer_ball",
    "german_shepherd_and_cat",
    "picks",
    "heatmap_int_raw",
    "heatmap_int_normal",
    "dark_heatmaps_barplots",
    "increment_in_confidence",
    "energy_ex",
    "average_energy",
    "jac",
)


def plates(names: Sequence[str] | None = None) -> tuple[Plate, ...]:
    """Figures by name or by the paper's label; all in the paper's order where none is named."""
    known = catalogue()
    if names is None:
        return tuple(known[name]() for name in sorted(known, key=place))
    labels = {kind.label: name for name, kind in known.items()}
    wanted = [labels.get(name, name) for name in names]
    for name in wanted:
        if name not in known:
            raise ConfigurationError(f"{name!r} is no figure: {did_you_mean(name, [*known, *labels])}")
    return tuple(known[name]() for name in dict.fromkeys(wanted))


def place(name: str) -> tuple[int, str]:
    """Figures that the paper does not have come last."""
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


def draw(study: Study, wanted: Sequence[Plate]) -> Iterator[Drawn | Skipped]:
    for plate in wanted:
        why = "the store has no maps yet" if not study.series and plate.needs_maps else plate.missing(study)
        if why:
            yield Skipped(plate.label, why)
        else:
            yield from plate.draw(study)
