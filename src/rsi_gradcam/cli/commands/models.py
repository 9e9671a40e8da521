"""`rsi-gradcam models`: the networks that can be asked for by name."""

from __future__ import annotations

from typing import Annotated

import typer

from rsi_gradcam.cli import options


def models(
    part: Annotated[str, typer.Argument(metavar="[PART]", help="Only names that hold this.")] = "",
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """List the networks known by name: built in, and torchvision's and timm's where these are installed."""
    from rsi_gradcam.cli.listing import listing
    from rsi_gradcam.cli.terminal import working
    from rsi_gradcam.errors import ModelError, did_you_mean
    from rsi_gradcam.zoo import names

    with working("asking torchvision and timm"):
        known = [(name, source) for source, names_of_one in names().items() for name in names_of_one]
    found = [(name, source) for name, source in known if part.lower() in name.lower()]
    if not found:
        raise ModelError(f"no network's name holds {part!r}: {did_you_mean(part, [name for name, _ in known])}")
    listing([{"name": name, "source": source} for name, source in found], json=json)
