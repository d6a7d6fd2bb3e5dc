# SPDX-License-Identifier: Apache-2.0
"""Files that know their box: runs, neighbours, measures and pictures take it from there."""

import math
import shutil
import struct
import zlib

import h5py
import numpy as np
import pytest
from conftest import Hornbeam

OMEGA = 1.3143527e-4
START = '[input]\nfile = "{}"\n[time]\ndt = 20\nend = {}\n[output]\ndirectory = "{}"\n'
BOUNDARY = '[boundary]\nkind = "shear"\nsize = [60, 80, 0]\nn_ghost_x = 1\nn_ghost_y = 2\nomega = 1.3143527e-4\n'
COLLISIONS = '[collisions]\nlaw = "constant"\n'


@pytest.fixture(scope="module")
def made(request, tmp_path_factory):
    """A run in a sheet of 60 x 80 m until t = 400 s."""
    folder = tmp_path_factory.mktemp("sheet")
    hornbeam = Hornbeam(request.config.getoption("--hornbeam"), folder)
    hornbeam.ok("ic", "ring", "--units", "si", "--size-x", 60, "--size-y", 80, "--radius-min", 1, "--radius-max", 3, "-o",
                "ring.hdf5")
    (folder / "run.toml").write_text(START.format("ring.hdf5", 400, "out") + BOUNDARY + COLLISIONS)
    hornbeam.ok("run", "run.toml")
    return folder


@pytest.fixture
def sheet(made, tmp_path):
    """Its last file."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return "out/snapshot_0001.hdf5"


def boundary(path):
    with h5py.File(path) as file:
        if "Boundary" not in file.get("Hornbeam", {}):
            return None
        found = file["Hornbeam/Boundary"].attrs
        return {name: np.asarray(found[name]).tolist() for name in found}


def test_a_run_writes_its_box_and_another_takes_it_over(hornbeam, sheet, tmp_path):
    written = boundary(tmp_path / sheet)
    drift = 1.5 * OMEGA * 60 * 400
    assert written["Drift"] == pytest.approx(-(drift - 80 * math.floor(drift / 80 + 0.5)), rel=1e-12)
    assert written["Size"] == [60, 80, 0] and written["Ghosts"] == [1, 2, 0] and written["Omega"] == OMEGA
    assert h5py.File(tmp_path / sheet)["Hornbeam/Boundary"].attrs["Kind"] == b"shear"
    assert h5py.File(tmp_path / sheet)["Header"].attrs["BoxSize"] == 0
    (tmp_path / "next.toml").write_text(START.format(sheet, 800, "next") + COLLISIONS)
    printed = hornbeam.ok("run", "next.toml")
    assert "snapshot_0001.hdf5's shear box of 60 x 80 x 0, omega 0.00013143527, 1 x 2 x 0 images on either side" in printed
    assert "was made in" not in printed
    after = boundary(tmp_path / "next/snapshot_0001.hdf5")
    assert {**after, "Drift": 0} == {**written, "Drift": 0} and after["Drift"] != written["Drift"]
    (tmp_path / "own.toml").write_text(START.format(sheet, 800, "own") + BOUNDARY + COLLISIONS)
    hornbeam.ok("run", "own.toml")  # the same asked for: the same bits
    with h5py.File(tmp_path / "next/snapshot_0001.hdf5") as a, h5py.File(tmp_path / "own/snapshot_0001.hdf5") as b:
        assert np.array_equal(a["PartType2/Coordinates"], b["PartType2/Coordinates"])


def test_a_run_in_the_box_of_its_file_is_resumed_in_it(hornbeam, sheet, tmp_path):
    (tmp_path / "next.toml").write_text(START.format(sheet, 600, "next") + COLLISIONS)
    hornbeam.ok("run", "next.toml")
    hornbeam.ok("run", "next.toml", "--resume", "--set", "time.end=800")
    (tmp_path / "whole.toml").write_text(START.format(sheet, 800, "whole") + COLLISIONS)
    hornbeam.ok("run", "whole.toml")
    last = [sorted((tmp_path / folder).glob("snapshot_*"))[-1] for folder in ("next", "whole")]
    with h5py.File(last[0]) as a, h5py.File(last[1]) as b:
        assert a["Header"].attrs["Time"] == b["Header"].attrs["Time"] == 800
        assert np.array_equal(a["PartType2/Coordinates"], b["PartType2/Coordinates"])
        assert a["Hornbeam/Boundary"].attrs["Drift"] == b["Hornbeam/Boundary"].attrs["Drift"]


def test_what_a_configuration_asks_for_counts(hornbeam, sheet, tmp_path):
    """As with softening, theta and potentials: the file's way is said where this run goes another."""
    text = START.format(sheet, 800, "own")
    (tmp_path / "own.toml").write_text(text + BOUNDARY.replace("80", "90") + COLLISIONS)
    printed = hornbeam.ok("run", "own.toml")
    assert "was made in a shear box of 60 x 80 x 0, omega 0.00013143527; this run has another one" in printed
    assert boundary(tmp_path / "own/snapshot_0001.hdf5")["Size"] == [60, 90, 0]
    (tmp_path / "own.toml").write_text(text + '[boundary]\nkind = "open"\n' + COLLISIONS)
    printed = hornbeam.ok("run", "own.toml", "--overwrite")
    assert "80 x 0, omega 0.00013143527, and this run has open boundaries: to continue as before, leave [boundary] out" in printed
    assert boundary(tmp_path / "own/snapshot_0001.hdf5") is None
    (tmp_path / "own.toml").write_text(text.replace("dt", "start = 0\ndt") + COLLISIONS)
    assert "have drifted until 400 s, and time.start = 0 s moves them to other positions" in hornbeam.ok("run", "own.toml", "--overwrite")


def test_ring_measures_of_the_box_of_the_file(hornbeam, sheet, tmp_path):
    text = START.format(sheet, 480, "next") + "ring_every = 40\n" + COLLISIONS
    (tmp_path / "next.toml").write_text(text)
    hornbeam.ok("run", "next.toml")
    assert len((tmp_path / "next/ring.csv").read_text().splitlines()) == 4
    found = hornbeam.json("analyze", sheet, "--ring")
    hornbeam.ok("convert", sheet, "ring.npz")
    of_archive = hornbeam.json("analyze", "ring.npz", "--ring")
    assert of_archive["ring"]["optical_depth"] == pytest.approx(found["ring"]["optical_depth"])
    assert of_archive["ring"]["photometric_depth"] == pytest.approx(found["ring"]["photometric_depth"])
    assert hornbeam.json("analyze", "ring.hdf5", "--ring")["ring"]["optical_depth"] > 0.1  # as `ic` drew it
    hornbeam.ok("convert", sheet, "ring.csv")
    assert "has no record of a shearing sheet" in hornbeam.error(1, "analyze", "ring.csv", "--ring")
    (tmp_path / "open.toml").write_text(text.replace(sheet, "ring.csv").replace("480", "40"))
    assert "sheet" in hornbeam.error(2, "run", "open.toml", "--overwrite")


def test_checkpoints_and_files_of_earlier_versions_tell_it_by_their_record(hornbeam, sheet, tmp_path):
    found = hornbeam.json("analyze", sheet, "--ring")
    assert hornbeam.json("analyze", "out/checkpoint.hdf5", "--ring")["ring"] == pytest.approx(found["ring"])
    with h5py.File(tmp_path / sheet, "r+") as file:
        del file["Hornbeam/Boundary"]
    assert hornbeam.json("analyze", sheet, "--ring") == found


def distances(path, drift):
    """Of all pairs, of nearest images in a sheet of 60 x 80."""
    with h5py.File(path) as file:
        x = file["PartType2/Coordinates"][:]
    d = x[None] - x[:, None]
    best = np.full(d.shape[:2], np.inf)
    for i in (-1, 0, 1):
        for j in (-2, -1, 0, 1, 2):
            shift = np.array([60 * i, 80 * j + i * drift, 0])
            best = np.minimum(best, ((d + shift) ** 2).sum(2))
    np.fill_diagonal(best, np.inf)
    return np.sqrt(best)


def test_neighbours_across_the_walls_of_a_sheet(hornbeam, sheet, tmp_path):
    r = distances(tmp_path / sheet, boundary(tmp_path / sheet)["Drift"])
    found = hornbeam.json("neighbours", sheet, "--radius", 12.5, "-o", "n.npz")
    assert found["neighbours"] == (r <= 12.5).sum() and found["box_x"] == 60 and found["box_y"] == 80
    with np.load(tmp_path / "n.npz") as n:
        for i in range(len(r)):
            assert np.array_equal(n["index"][n["offset"][i]:n["offset"][i + 1]], np.flatnonzero(r[i] <= 12.5))
    counts = hornbeam.json("neighbours", sheet, "--radius", 12.5, "--counts")
    assert counts["neighbours"] == found["neighbours"] and counts["count"] == found["count"]
    nearest = hornbeam.json("neighbours", sheet, "--nearest", 5)
    assert nearest["distance"]["mean"] == pytest.approx(np.sort(r, axis=1)[:, :5].mean(), rel=1e-12)
    assert "at most half the least edge of the shearing box, 30" in hornbeam.error(2, "neighbours", sheet, "--radius", 31)
    assert "farther than half the least edge" in hornbeam.error(2, "neighbours", sheet, "--nearest", len(r) - 1)
    assert "shearing box of 60 x 80 x 0" in hornbeam.ok("neighbours", sheet, "--radius", 3)
    alone = hornbeam.json("neighbours", sheet, "--radius", 12.5, "--box", 0)
    assert alone["neighbours"] < found["neighbours"]


@pytest.mark.parametrize("size", [(4, 3, 2), (4, 3, 0), (0, 0, 3)])
def test_neighbours_in_boxes_of_unequal_edges(hornbeam, tmp_path, size):
    """A pair counts once, by its nearest image, also beyond half of an edge, and wherever the file's particles are."""
    x = np.random.default_rng(6).uniform(-2, 2, (150, 3)) * [1, 0.75, 0.5]
    np.savez(tmp_path / "x.npz", position=x, velocity=0 * x, mass=np.full(150, 1 / 150))
    (tmp_path / "run.toml").write_text(f'[input]\nfile = "x.npz"\n[gravity]\neps = 0.1\n[time]\ndt = 1e-9\nend = 1e-9\n'
                                       f'[boundary]\nkind = "periodic"\nsize = {list(size)}\n')
    hornbeam.ok("run", "run.toml")
    path = "output/snapshot_0001.hdf5"
    with h5py.File(tmp_path / path) as file:
        x = file["PartType1/Coordinates"][:]
    d = x[None] - x[:, None]
    for k, edge in enumerate(size):
        d[..., k] -= edge * np.round(d[..., k] / edge) if edge else 0
    r = np.sqrt((d**2).sum(2))
    np.fill_diagonal(r, np.inf)
    for radius in (0.3, 1.6):
        found = hornbeam.json("neighbours", path, "--radius", radius, "-o", "n.npz")
        assert found["neighbours"] == (r <= radius).sum() and [found[f"box_{k}"] for k in "xyz"] == list(size)
        with np.load(tmp_path / "n.npz") as n:
            assert np.array_equal(n["index"], np.nonzero(r <= radius)[1])
            assert np.allclose(n["distance"], r[r <= radius], rtol=1e-12)
        assert hornbeam.json("neighbours", path, "--radius", radius, "--counts")["count"] == found["count"]
    nearest = hornbeam.json("neighbours", path, "--nearest", 149)
    assert nearest["distance"]["most"] == pytest.approx(r[r < np.inf].max(), rel=1e-12)
    assert f"periodic box of {size[0]} x {size[1]} x {size[2]}" in hornbeam.ok("neighbours", path, "--radius", 1)


def test_periodic_cubes_stand_where_other_codes_have_them(hornbeam, tmp_path):
    hornbeam.ok("ic", "uniform-cube", "-n", 300, "-o", "cube.hdf5")
    (tmp_path / "run.toml").write_text('[input]\nfile = "cube.hdf5"\n[gravity]\neps = 0.1\n[time]\ndt = 0.01\nend = 0.02\n'
                                       '[boundary]\nkind = "periodic"\nsize = [1, 1, 1]\nn_ghost_x = 1\n')
    hornbeam.ok("run", "run.toml")
    path = "output/snapshot_0001.hdf5"
    with h5py.File(tmp_path / path) as file:
        assert file["Header"].attrs["BoxSize"] == 1 and file["Parameters"].attrs["BoxSize"] == 1
        x = file["PartType1/Coordinates"][:]
    d = x[None] - x[:, None]
    d -= np.round(d)
    expected = (np.sqrt((d**2).sum(2)) <= 0.2).sum() - len(x)
    assert hornbeam.json("neighbours", path, "--radius", 0.2)["neighbours"] == expected
    hornbeam.ok("convert", path, "cube.gadget", "--to", "gadget2-double")
    assert hornbeam.json("neighbours", "cube.gadget", "--radius", 0.2)["neighbours"] == expected
    (tmp_path / "next.toml").write_text('[input]\nfile = "cube.gadget"\n[gravity]\neps = 0.1\n[time]\ndt = 0.01\nend = 0.03\n'
                                        '[output]\ndirectory = "next"\n')
    assert "cube.gadget has a BoxSize of 1, and this run has open boundaries" in hornbeam.ok("run", "next.toml")


def pixels(path):
    """A PNG of three bytes a pixel, its lines as differences from their neighbours."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        at += 12 + size
    assert (depth, colour) == (8, 2)
    packed, last, image = zlib.decompress(packed), bytes(3 + 3 * width), []
    for y in range(0, len(packed), 1 + 3 * width):
        kind, line = packed[y], bytearray(3)  # each line begins with a pixel of nothing
        for x, difference in enumerate(packed[y + 1:y + 1 + 3 * width]):
            left, above, corner = line[x], last[x + 3], last[x]
            paeth = min((left, above, corner), key=lambda near: abs(left + above - corner - near)) if kind == 4 else 0
            line.append((difference + (0, left, above, (left + above) // 2, paeth)[kind]) % 256)
        image.append(line[3:])
        last = line
    return np.array(image).reshape(height, width, 3) / 255


def test_pictures_of_a_sheet_are_filled_with_spheres(hornbeam, sheet, tmp_path):
    size = ("--width", 240, "--height", 200, "--no-labels")
    hornbeam.ok("render", sheet, "-o", "above.png", *size)
    hornbeam.ok("render", sheet, "-o", "aside.png", *size, "--tilt", 70, "--turn", 20, "--perspective", 40)
    hornbeam.ok("render", sheet, "-o", "light.png", *size, "--light", -40, 20)
    hornbeam.ok("render", sheet, "-o", "points.png", *size, "--points", "--tilt", 60)
    above, light = pixels(tmp_path / "above.png"), pixels(tmp_path / "light.png")
    assert (above != light).any()
    for edge in (above[:25], above[-25:], above[:, :30], above[:, -30:]):
        assert edge.max() > 0.5  # images beyond the walls
    # The picture is as wide as the box is high in it: 96 m in 240 pixels, so what is 60 m to the right is 150 pixels on,
    # lower by how far the box there has drifted.
    drop = round(-boundary(tmp_path / sheet)["Drift"] * 200 / 80) % 200
    left, right = above[:, :80].sum(2), above[:, 150:230].sum(2)
    rows = np.arange(40, 160)
    inner = [row for row in rows if 10 <= (row + drop) % 200 < 190]
    match = np.mean([np.corrcoef(left[row], right[(row + drop) % 200])[0, 1] for row in inner])
    wrong = np.mean([np.corrcoef(left[row], right[(row + drop + 50) % 200])[0, 1] for row in inner])
    assert match > 0.8 and wrong < 0.4


def test_pictures_say_what_they_cannot_draw(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    assert "have no radii" in hornbeam.error(2, "render", "p.hdf5", "-o", "p.png", "--spheres")
    assert "applies only to bodies that are drawn as spheres" in hornbeam.error(2, "render", "p.hdf5", "-o", "p.png", "--light", 0, 3)
    assert "perspective" in hornbeam.error(2, "render", "p.hdf5", "-o", "p.png", "--perspective", 30)
    hornbeam.ok("render", "p.hdf5", "-o", "p.png", "--tilt", 30, "--width", 64, "--height", 48)


def test_movies_of_a_sheet_show_spheres(hornbeam, sheet, tmp_path):
    hornbeam.ok("movie", "out", "-o", "ring.gif", "--width", 64, "--height", 48, "--no-labels", "--keep-frames")
    assert pixels(tmp_path / "ring_frames/frame_00000.png")[:8].max() > 0.5  # beyond the wall


def test_force_says_what_it_leaves_out(hornbeam, made):
    newest = max((made / "out").glob("snapshot_*.hdf5"))
    note = "forces do not include the images of the run's box"
    assert note in hornbeam.ok("force", newest, "--eps", 1)
    assert note in hornbeam.json("force", newest, "--eps", 1)["notes"]
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "stars.hdf5")
    assert note not in hornbeam.ok("force", "stars.hdf5")
