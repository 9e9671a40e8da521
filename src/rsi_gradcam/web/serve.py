"""Opening the page: on this machine alone, unless it is told otherwise, and without a word to anyone."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.zoo import DEFAULT

if TYPE_CHECKING:
    import gradio as gr

LOOPBACK = "127.0.0.1"
FONTS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Ubuntu", "sans-serif")
MONO = ("ui-monospace", "Consolas", "monospace")


@dataclass(frozen=True)
class Serving:
    """How the page is opened."""

    host: str = LOOPBACK
    port: int | None = None  # None: the first that is free from 7860
    browser: bool = True
    model: str = DEFAULT
    weights: Path | None = None
    stores: tuple[Path, ...] = ()

    def blocks(self) -> gr.Blocks:
        """The page, with its network loaded."""
        quiet()
        try:
            from rsi_gradcam.web.page import page  # noqa: PLC0415 - what it needs is an extra
        except ImportError as error:
            raise MissingExtra("the page", "app") from error
        from rsi_gradcam.web.explorer import Explorer  # noqa: PLC0415
        from rsi_gradcam.web.networks import Networks  # noqa: PLC0415
        from rsi_gradcam.web.stores import Stores  # noqa: PLC0415

        networks, known = Networks(self.model, self.weights), Stores(self.stores)
        known.check()
        networks.get(self.model)
        return page(Explorer(networks, stores=known))

    @contextmanager
    def opened(self) -> Iterator[tuple[gr.Blocks, str]]:
        """The page while it is served, and its address. What is uploaded to it goes with it."""
        self.check_place()
        with tempfile.TemporaryDirectory(prefix="rsi-gradcam-") as folder:
            os.environ["GRADIO_TEMP_DIR"] = folder
            blocks = self.blocks()
            _, address, _ = self.launch(blocks)
            try:
                yield blocks, str(address)
            finally:
                blocks.close(verbose=False)

    def check_place(self) -> None:
        """An error where nothing can be opened there: before a network is loaded for it."""
        try:
            family, kind, _, _, place = socket.getaddrinfo(self.host, self.port or 0, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(place)
        except OSError as error:
            raise self.closed(error) from error

    def closed(self, error: OSError) -> ConfigurationError:
        why = error.strerror or error
        return ConfigurationError(
            f"the page cannot be opened at {self.host}:{self.port or 7860} ({why}): choose another --port or --host"
        )

    def launch(self, blocks: gr.Blocks) -> Any:
        import gradio as gr  # noqa: PLC0415
        from starlette.middleware import Middleware  # noqa: PLC0415

        from rsi_gradcam.web.admission import Admission, is_loopback  # noqa: PLC0415
        from rsi_gradcam.web.guard import Guard  # noqa: PLC0415
        from rsi_gradcam.web.limits import UPLOAD_BYTES, WAITING  # noqa: PLC0415
        from rsi_gradcam.web.viewer import style  # noqa: PLC0415

        admission = Admission(is_loopback(self.host), Path(os.environ["GRADIO_TEMP_DIR"]))
        blocks.queue(max_size=WAITING, api_open=False, default_concurrency_limit=4)
        try:
            return blocks.launch(
                server_name=self.host,
                server_port=self.port,
                inbrowser=self.browser,
                share=False,
                quiet=True,
                prevent_thread_lock=True,
                max_file_size=UPLOAD_BYTES,
                allowed_paths=[],
                blocked_paths=[str(Path.cwd()), str(Path.home())],
                footer_links=[],
                ssr_mode=False,
                pwa=False,
                mcp_server=False,
                enable_monitoring=False,
                show_error=False,
                theme=gr.themes.Default(primary_hue="blue", font=FONTS, font_mono=MONO),
                css=style(),
                app_kwargs={
                    "middleware": [Middleware(Guard, admission=admission)],
                    "docs_url": None,
                    "redoc_url": None,
                    "openapi_url": None,
                },
            )
        except OSError as error:
            raise self.closed(error) from error


def quiet() -> None:
    """Before Gradio is imported: it tells nobody that it runs."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["DO_NOT_TRACK"] = "1"
    os.environ["GRADIO_RUN_HISTORY"] = "False"  # nor does it keep what was looked at
