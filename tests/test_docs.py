"""The docs are true: every Python block runs, every command runs, every method in a table is there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rsi_gradcam import catalog

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
NOT_RUN_HERE = ("make", "pip")  # what runs these tests, and what made their environment


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(page.read_text()) if found == kind]


def commands(page: Path) -> list[str]:
    lines = [line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    return [line.split("  #")[0].strip() for line in lines if not line.startswith(NOT_RUN_HERE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the photos that the docs speak of."""
    skimage = pytest.importorskip("skimage")
    from PIL import Image

    made = tmp_path_factory.mktemp("docs")
    data = Path(skimage.__file__).parent / "data"
    shutil.copy(data / "coffee.png", made / "coffee.png")
    shutil.copy(data / "chelsea.png", made / "cat.png")
    Image.open(data / "coffee.png").convert("RGB").save(made / "photo.jpg")
    return made


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name)
def test_the_python_of_a_page_runs(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    spoken: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, name(page), "exec"), spoken)


@pytest.mark.parametrize(
    ("page", "command"), [(page, command) for page in PAGES for command in commands(page)], ids=lambda each: str(each)
)
def test_a_command_of_the_docs_runs(page: Path, command: str, folder: Path) -> None:
    program, *rest = shlex.split(command)
    assert program == "rsi-gradcam", command
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        [str(Path(sys.executable).parent / program), *rest],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("method", sorted(catalog.methods()))
def test_a_method_in_the_readme_is_described_as_it_describes_itself(method: str) -> None:
    rows = [line for line in (ROOT / "README.md").read_text().splitlines() if line.startswith(f"| `{method}` |")]
    for row in rows:
        assert catalog.methods()[method].summary in row


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_pictures_of_a_page_are_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target
