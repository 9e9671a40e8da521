"""`rsi-gradcam methods`: the ways of making a map."""

from __future__ import annotations

from rsi_gradcam.cli import options


def methods(
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """List the methods: name, what each does, and the extra it needs, if any."""
    from rsi_gradcam import catalog
    from rsi_gradcam.cli.listing import listing

    listing(
        [
            {"name": name, "what": kind.summary, "extra": getattr(kind, "requires", None)}
            for name, kind in catalog.methods().items()
        ],
        json=json,
    )
