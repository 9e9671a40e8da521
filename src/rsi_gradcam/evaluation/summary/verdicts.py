"""What the table says, in sentences. Nothing is called better without an interval that excludes 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rsi_gradcam import controls
from rsi_gradcam.evaluation.summary.measure import Place
from rsi_gradcam.evaluation.summary.pairs import Outcome, Pair, bounds_of
from rsi_gradcam.evaluation.summary.rows import Row

OPEN: Mapping[Outcome, tuple[str, str]] = {  # how sentences on what is not decided begin, and why it is not
    "none": ("no difference seen", ""),
    "unclear": ("unclear", ", the interval excludes 0 but the corrected test or the ranks do not agree"),
    "unknown": ("cannot be told", ", one picture gives neither interval nor test"),
}


@dataclass(frozen=True)
class Contest:
    """All comparisons of one number at one layer."""

    what: str  # "energy at block5"
    better: str
    layer: str
    pairs: Sequence[Pair]
    means: Mapping[Place, float]

    def between_methods(self) -> list[Pair]:
        return [pair for pair in self.pairs if not pair.second.control]

    def against(self, control: Place) -> list[Pair]:
        return [pair for pair in self.pairs if pair.second == control]

    def controls(self) -> list[Place]:
        return list(dict.fromkeys(pair.second for pair in self.pairs if pair.second.control))

    def nearest(self, pairs: Sequence[Pair]) -> Pair:
        """The one whose method has the best mean."""
        sign = 1 if self.better == "higher" else -1
        return max(pairs, key=lambda pair: sign * self.means[pair.first])


def verdicts_of(rows: Sequence[Row], pairs: Sequence[Pair], configuration: Mapping[str, Any]) -> list[str]:
    """Where a control wins first, then what the boxes allow, then which method is better, then where none is."""
    contests = list(contests_of(rows, pairs, configuration["layers"]))
    return [
        *(line for contest in contests for line in control_wins(contest)),
        *bound(rows, configuration),
        *(line for contest in contests for line in methods_won(contest)),
        *(line for contest in contests for line in open_cases(contest)),
    ]


def contests_of(rows: Sequence[Row], pairs: Sequence[Pair], layers: Mapping[str, str]) -> Iterator[Contest]:
    """Of numbers of which more or less is better."""
    judged = [pair for pair in pairs if pair.better != "neither"]
    for layer, column in dict.fromkeys((pair.layer, pair.column) for pair in judged):
        own = [pair for pair in judged if (pair.layer, pair.column) == (layer, column)]
        means = {row.place: row.mean for row in rows if row.column == column}
        yield Contest(f"{column} at {layers.get(layer, layer)}", own[0].better, layer, own, means)


def control_wins(contest: Contest) -> Iterator[str]:
    """A sentence for each control that beats a method."""
    for control in contest.controls():
        against = contest.against(control)
        beaten = [pair for pair in against if pair.outcome == "second"]
        if not beaten:
            continue
        every = len(beaten) == len(against) > 1
        best = contest.nearest(beaten)
        whom = "every method" if every else listed(pair.first.method for pair in beaten)
        of = f" of {best.first.method}" if len(beaten) > 1 else ""
        yield (
            f"{title(control)} beats {whom} in {contest.what}: {number(contest.means[control])} against "
            f"{number(contest.means[best.first])}{of} ({evidence(best, turned=True)})"
        )


def methods_won(contest: Contest) -> Iterator[str]:
    for pair in contest.between_methods():
        if pair.outcome in ("first", "second"):
            turned = pair.outcome == "second"
            names = (pair.first.method, pair.second.method)
            winner, loser = names[::-1] if turned else names
            yield f"{winner} is better than {loser} in {contest.what} ({evidence(pair, turned=turned)})"


def open_cases(contest: Contest) -> Iterator[str]:
    """One sentence for all pairs that do not differ, one for all that are unclear, one for those without interval."""
    for outcome, (begin, why) in OPEN.items():
        found = [pair for pair in contest.pairs if pair.outcome == outcome]
        if found:
            yield f"{begin} in {contest.what}{why}: {'; '.join(grouped(found))}"


def is_open(said: str) -> bool:
    """Does a verdict say that something was not seen, or cannot be said?"""
    return said.startswith(tuple(begin for begin, _ in OPEN.values()))


def telling(pairs: Sequence[Pair]) -> list[Pair]:
    """Without those of a number that is the same for all who are compared at a layer."""
    differing = {(pair.layer, pair.column) for pair in pairs if not pair.even}
    return [pair for pair in pairs if (pair.layer, pair.column) in differing]


def grouped(pairs: Sequence[Pair]) -> Iterator[str]:
    """Pairs of methods with their interval; then of each method the controls, by name."""
    for pair in pairs:
        if not pair.second.control:
            yield f"{pair.first.method} and {pair.second.method} ({difference(pair)})"
    for method in dict.fromkeys(pair.first for pair in pairs if pair.second.control):
        names = listed(title(pair.second) for pair in pairs if pair.second.control and pair.first == method)
        yield f"{method.method} against {names}"


def bound(rows: Sequence[Row], configuration: Mapping[str, Any]) -> Iterator[str]:
    """What the controls that were told the boxes reach, where boxes are asked for."""
    boxed = [each["name"] for each in configuration["metrics"] if each["boxed"]]
    for name in bounds_of(configuration):
        own = [row for row in rows if row.method == name and row.metric in boxed and row.n]
        if own:
            reached = ", ".join(f"{row.column} {number(row.mean)}" for row in own)
            yield f"{title(own[0].place)} is a bound and no rival: {reached}"


def evidence(pair: Pair, *, turned: bool) -> str:
    """The difference with its interval, the corrected p, the effect; `turned`: of the second over the first."""
    effect = -pair.effect if turned else pair.effect
    p = f"p = {pair.p_holm:.2g}" if pair.p_holm >= 1e-4 else "p < 0.0001"
    return f"{difference(pair, turned=turned)}, {p}, r = {number(effect)}"


def difference(pair: Pair, *, turned: bool = False) -> str:
    ends, sign = (pair.interval[::-1], -1) if turned else (pair.interval, 1)
    said = f"difference {number(sign * pair.difference)}"
    return f"{said}, {number(sign * ends[0])} to {number(sign * ends[1])}" if pair.interval.exists else said


def title(place: Place) -> str:
    known = controls.catalogue().get(place.method)
    return known.title if known else f"the control {place.method}"


def number(value: float) -> str:
    return f"{value + 0.0:.3g}".replace("-", "−")


def listed(names: Iterable[str]) -> str:
    """
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
