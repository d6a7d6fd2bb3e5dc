# SPDX-License-Identifier: Apache-2.0
"""hb.render and hb.movie: the bytes of `hornbeam render`, and what is refused."""

import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb

SMALL = {"width": 64, "height": 48}


def pixels_of(png):
    """Of a PNG of 8 bits without interlacing, whose rows are filtered."""
    data, at, found, packed = png.read_bytes(), 8, {}, b""
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        found[kind], at = data[at + 8:at + 8 + length], at + 12 + length
    width, height = (int.from_bytes(found[b"IHDR"][k:k + 4], "big") for k in (0, 4))
    return width, height, len(zlib.decompress(packed))


@pytest.fixture(scope="module")
def gas(tmp_path_factory):
    """The folder of a short run of gas, which tests read."""
    folder = tmp_path_factory.mktemp("run") / "gas"
    hb.run(model="sod", n=144, dt=0.02, end=0.04, boundary={"kind": "periodic", "size": [2, 0.125, 0.125]}, eos="ideal",
           gas={"self_gravity": False}, output={"directory": str(folder), "every": 0.02})
    return folder


def by_command(program, folder, *arguments):
    subprocess.run([program, "render", *arguments, "-o", "theirs.png", "--width", "64", "--height", "48"], cwd=folder,
                   check=True, capture_output=True)
    return (folder / "theirs.png").read_bytes()


def test_pictures_are_those_of_the_command(program, tmp_path):
    sphere = hb.ic.plummer(400, seed=2)
    hb.write(tmp_path / "s.hdf5", sphere)
    flags = ("s.hdf5", "--axis", "y", "--turn", "20", "--extent", "3", "--centre", "0.1", "0", "0", "--no-labels")
    same = {"axis": "y", "turn": 20, "extent": 3, "centre": (0.1, 0, 0), "labels": False, **SMALL}
    theirs = by_command(program, tmp_path, *flags)
    for what in (sphere, tmp_path / "s.hdf5"):
        seen = hb.render(what, tmp_path / "ours.png", **same)
        assert (tmp_path / "ours.png").read_bytes() == theirs
        assert seen.shape == (48, 64, 3) and seen.dtype == np.uint8 and seen.max() > 100
    assert pixels_of(tmp_path / "ours.png")[:2] == (64, 48)
    assert not np.array_equal(seen, hb.render(sphere, **{**same, "turn": 50}))


def test_gas_and_spheres_too(program, tmp_path, gas):
    last = sorted(gas.glob("snapshot_*.hdf5"))[-1]
    theirs = by_command(program, tmp_path, str(last), "--slice", "y=0", "--field", "pressure", "--vmin", "0.05", "--cmap", "gray")
    hb.render(last, tmp_path / "ours.png", slice="y=0", field="pressure", vmin=0.05, cmap="gray", **SMALL)
    assert (tmp_path / "ours.png").read_bytes() == theirs
    hb.render(last, numbers=tmp_path / "ours.npy", field="density", **SMALL)
    by_command(program, tmp_path, str(last), "--field", "density", "--numbers", "theirs.npy")
    assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()
    assert np.load(tmp_path / "ours.npy").shape == (48, 64)
    with pytest.raises(hb.UsageError, match="received none"):
        hb.render(hb.ic.plummer(9), numbers=tmp_path / "none.npy", **SMALL)
    with pytest.raises(hb.UsageError, match="ours.csv: numbers are written as a NumPy array .*ours.npy"):
        hb.render(last, numbers=tmp_path / "ours.csv", **SMALL)
    bodies = hb.Snapshot([[0, 0, 0], [3, 0, 0]], radius=1.0)
    assert not np.array_equal(hb.render(bodies, style="spheres", light=(0, 60), **SMALL), hb.render(bodies, **SMALL))
    as_file = hb.render(last, field="pressure", **SMALL)
    assert (hb.render(hb.read(last), field="pressure", **SMALL) == as_file).all()
    unknown = hb.read(last)
    unknown.gamma = unknown.pressure = None
    with pytest.raises(hb.UsageError, match="equation of state"):
        hb.render(unknown, field="pressure", **SMALL)


def test_a_simulation_is_drawn_with_its_own_gas():
    tube = dict(model="sod", n=144, boundary={"kind": "periodic", "size": [2, 0.125, 0.125]}, dt=0.01)
    ideal = hb.Simulation(eos="ideal", gas={"self_gravity": False}, **tube)
    ideal.step()
    assert hb.render(ideal, field="pressure", **SMALL).max() > 100
    other = hb.Simulation(eos="isothermal", gas={"self_gravity": False, "sound_speed": 1.0}, **tube)
    other.step()
    assert hb.render(other, field="pressure", **SMALL).max() > 100  # as the simulation has it


def test_defaults_are_the_library_s(program):
    """The numbers that the docstring and the command's help name; None stands for each."""
    defaults = hb._core.picture_defaults()
    lines = {line.strip().split("  ")[0]: line for line in hb.render.__doc__.splitlines() if "(default: " in line}
    told = {name: line.split("(default: ")[1].split(")")[0] for name, line in lines.items()}
    assert told["width, height"] == f"{defaults['width']}, {defaults['height']}"
    for name in ("perspective", "decades", "gamma", "mu"):
        assert float(told[name].split(",")[0]) == defaults[name]
    said = " ".join(subprocess.run([program, "render", "--help"], capture_output=True, text=True, check=True).stdout.split())
    assert "--width INT pixels (default: 1600)" in said and "(default: the run's gas.mean_weight, otherwise 0.6)" in said and "(default: 145 35)" in said
    sphere = hb.ic.plummer(30)
    plain = hb.render(sphere)
    assert plain.shape == (defaults["height"], defaults["width"], 3)
    small = hb.render(sphere, **SMALL)
    of_spheres = {"light", "perspective"}
    given = {name: value for name, value in defaults.items() if name not in {*SMALL, *of_spheres}}
    assert np.array_equal(small, hb.render(sphere, **SMALL, **given))
    assert np.array_equal(small, hb.render(sphere, **SMALL, **dict.fromkeys(hb.pictures._names[2:])))
    assert np.array_equal(small, hb.render(sphere, **SMALL, shade=False))


@pytest.fixture
def no_ffmpeg(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.mark.parametrize("scale, decades", [(1e-200, 3), (1e-320, 3), (1e300, 3), (1, 1e-300), (1, 1e300)])
def test_legends_have_no_numbers_where_there_are_none(scale, decades):
    places = np.random.default_rng(1).normal(size=(50, 3)) * scale
    assert hb.render(hb.Snapshot(places), width=600, height=450, decades=decades).shape == (450, 600, 3)


def test_without_ffmpeg_a_movie_is_a_sheet(gas, tmp_path, no_ffmpeg):
    told = []
    with pytest.warns(hb.HornbeamWarning, match="contact sheet"):
        made = hb.movie(gas, tmp_path / "flow.mp4", tell=lambda *counts: told.append(counts), **SMALL)
    assert made == tmp_path / "flow_sheet.png" and pixels_of(made)[0] >= 62
    assert told == [(1, 3), (2, 3), (3, 3)] and len(list((tmp_path / "flow_frames").iterdir())) == 3


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="there is no shell here")
def test_a_movie_of_some_files(gas, tmp_path, monkeypatch):
    """With a program in ffmpeg's place that tells what it was asked for."""
    tool = tmp_path / "bin" / "ffmpeg"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\nfor last in "$@"; do :; done\necho "$@" > "$last"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    files = sorted(gas.glob("snapshot_*.hdf5"))[:2]
    made = hb.movie(files, tmp_path / "two.mp4", fps=7, field="vx", **SMALL)
    assert made == tmp_path / "two.mp4" and " 7 " in made.read_text()
    assert not (tmp_path / "two_frames").exists()
    hb.movie(files, tmp_path / "two.mp4", keep_frames=True, field="vx", **SMALL)
    assert len(list((tmp_path / "two_frames").iterdir())) == 2
    hb.movie(files[:1], tmp_path / "two.mp4", keep_frames=True, field="vx", **SMALL)  # without those of the longer one
    assert len(list((tmp_path / "two_frames").iterdir())) == 1


def test_what_tell_raises_ends_the_movie(gas, tmp_path, no_ffmpeg):
    def stop(done, _):
        raise RuntimeError(f"after {done}")

    with pytest.raises(RuntimeError, match="after 1"):
        hb.movie(gas, tmp_path / "flow.gif", tell=stop, **SMALL)


@pytest.mark.parametrize("options, said", [
    ({"axis": "w"}, "axis: received 'w'"), ({"tilte": 3}, "unknown option tilte .*tilt"), ({"width": 3.5}, "width"),
    ({"width": 4}, "picture size"), ({"centre": (1, 2)}, "centre: .*3 finite numbers"), ({"turn": "much"}, "turn"),
    ({"types": "disk"}, "types: received 'disk' .*disc"), ({"types": ["disc"]}, "no particles of the family disc"),
    ({"slice": "z"}, "AXIS=POSITION"), ({"slice": "z=0", "axis": "x"}, "its own axis"), ({"field": "mass"}, "field"),
    ({"field": "density"}, "no gas"), ({"cmap": "jet"}, "cmap"), ({"extent": -1}, "extent"), ({"turn": float("nan")}, "turn"),
    ({"style": "spheres"}, "radi")])
def test_pictures_that_cannot_be(options, said):
    with pytest.raises(hb.UsageError, match=said):
        hb.render(hb.ic.plummer(50), **{**SMALL, **options})


def test_files_that_cannot_be(tmp_path):
    sphere = hb.ic.plummer(50)
    with pytest.raises(hb.UsageError, match="PNG"):
        hb.render(sphere, tmp_path / "s.jpg", **SMALL)
    with pytest.raises(hb.Error, match="no-such.hdf5"):
        hb.render("no-such.hdf5", **SMALL)
    with pytest.raises(hb.Error, match="snapshot_"):
        hb.movie(tmp_path, tmp_path / "m.mp4")
    hb.write(tmp_path / "snapshot_0000.hdf5", sphere)
    for path, options, said in (("m.avi", {}, "m.avi"), ("m.mp4", {"fps": 0}, "frames per second"), ("m.mp4", {"fps": 2.5}, "fps")):
        with pytest.raises(hb.UsageError, match=said):
            hb.movie(tmp_path, tmp_path / path, **{**SMALL, **options})
