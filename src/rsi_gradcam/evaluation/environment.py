"""On what a run was made. It decides nothing, but explains differences."""

from __future__ import annotations

import platform
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("rsi-gradcam", "torch", "numpy", "Pillow", "pyarrow")


def environment(device: str) -> dict[str, str]:
    return {
        **{name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.node(),
        "processor": processor(),
        "device": device,
        "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }


def processor() -> str:
    """Its name, where the system tells."""
    known = Path("/proc/cpuinfo")
    if known.is_file():
        for line in known.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
