"""What still has to run, and which part of it is ours."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.store import Store

ENVIRONMENTS = {
    "torchrun": ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    "SLURM": ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
}


@dataclass(frozen=True)
class Shard:
    """The i-th of n equal parts of the work, from 1: every n-th chunk, whatever is done already."""

    number: int = 1
    count: int = 1
    by: str = ""  # who said so, if it was not the user
    local: int = 0  # its place among those on the same machine

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise ConfigurationError(f"a shard is i/n with i from 1 to n, got {self.number}/{self.count}")

    @classmethod
    def parse(cls, text: str) -> Shard:
        """
        >>> Shard.parse("2/4").has(5)
        True
        """
        form = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", text)
        if form is None:
            raise ConfigurationError(f"a shard is i/n, as 1/4, got {text!r}")
        return cls(int(form[1]), int(form[2]))

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> Shard:
        """As torchrun or SLURM says it; all of the work where neither does."""
        for by, (rank, world, local) in ENVIRONMENTS.items():
            if rank in environment and world in environment:
                numbers = (environment[rank], environment[world], environment.get(local, "0"))
                if not all(number.isdigit() for number in numbers):
                    raise ConfigurationError(f"{rank}, {world} and {local} must be whole numbers, got {numbers}")
                return cls(int(numbers[0]) + 1, int(numbers[1]), by, int(numbers[2]))
        return cls()

    def has(self, chunk: int) -> bool:
        return chunk % self.count == self.number - 1

    def device(self, name: str) -> str:
        """Processes of one machine share its graphics cards: "cuda" is each one's own."""
        return f"cuda:{self.local}" if name == "cuda" and self.by else name


def pending(store: Store, shard: Shard | None = None, *, retry: bool = False) -> list[int]:
    """The chunks that are to run: those missing, and with `retry` those in which photos failed."""
    chunks = set(store.missing())
    if retry:
        rows = store.read(("index", "error"), kinds=("photo",)).to_pylist()
        size = int(store.manifest["part_size"])
        chunks |= {row["index"] // size for row in rows if row["error"]}
    return sorted(chunk for chunk in chunks if shard is None or shard.has(chunk))
