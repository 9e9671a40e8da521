"""Asking so that what one method cannot do costs no other its map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from rsi_gradcam.cli.answer import Answer, once
from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.question import Question
from rsi_gradcam.cli.ranked import NotFinite
from rsi_gradcam.errors import RSIGradCAMError
from rsi_gradcam.methods.base import INPUT, Method, ModelMethod


@dataclass(frozen=True)
class Refusal:
    """A method that has no map at a layer, and why."""

    method: Method
    layer: str
    error: RSIGradCAMError


@dataclass
class Asking:
    """One photo, all methods and layers: from one walk where it can be, the methods that take their own apart."""

    question: Question
    photo: Photo
    device: str
    refusals: list[Refusal] = field(default_factory=list)

    def answers(self) -> list[Answer]:
        """In the order of what was asked for; an error where there is none at all."""
        methods, layers = self.question.plan.methods, self.question.layers
        own = [each for each in methods if isinstance(each, ModelMethod)]
        shared = [each for each in methods if each not in own]
        found = self.ask(shared, layers) if shared else []
        for method, layer in product(own, layers):
            found += self.ask([method], [layer])
        if not found:
            raise self.refusals[0].error
        places = [INPUT, *layers]
        found.sort(key=lambda each: (methods.index(each.explanation.method), places.index(each.explanation.layer)))
        return once(found)

    def ask(self, methods: Sequence[Method], layers: Sequence[str]) -> list[Answer]:
        """All together; if that cannot be, each method, and then each layer, by itself."""
        try:
            return self.question.about(methods, layers).ask([self.photo], self.device)[0]
        except NotFinite:
            raise
        except RSIGradCAMError as error:
            if len(methods) == len(layers) == 1:
                self.refusals.append(Refusal(methods[0], layers[0], error))
                return []
        parts = [([method], layers) for method in methods] if len(methods) > 1 else [(methods, [a]) for a in layers]
        return [answer for part in parts for answer in self.ask(*part)]
