# SPDX-License-Identifier: Apache-2.0
"""Pictures on axes, a bar while a simulation runs, and what notebooks are given to show."""

import io
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb

PNG = b"\x89PNG\r\n\x1a\n"
SHEET = {"kind": "shear", "size": [40, 30, 0], "n_ghost_x": 1, "n_ghost_y": 1, "omega": 1.0}


@pytest.fixture
def plt():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed: plots are not tested")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def save(figure, path):
    """As it is: matplotlib's arrangement of the axes would take longer than drawing them."""
    figure.set_layout_engine("none")
    figure.savefig(path)


@pytest.fixture(scope="module")
def galaxy():
    """For all, as halos and discs take longer to make than to draw."""
    return hb.ic.galaxy(2000, seed=2, units="galactic")


@pytest.fixture
def ring():
    place = np.random.default_rng(1).uniform(-0.5, 0.5, (60, 3)) * [40, 30, 0]
    velocity = np.c_[np.zeros(60), -1.5 * place[:, 0], np.zeros(60)]
    return hb.Simulation(hb.Snapshot(place, velocity, 1e-6, radius=1.0), dt=0.01, eps=0.1, boundary=SHEET,
                         collisions={"law": "constant"})


def test_a_ring_shows_its_box_and_images(plt, ring):
    axes = hb.plot.ring(ring)
    box = axes.patches[0]
    assert (box.get_x(), box.get_y(), box.get_width(), box.get_height()) == (-20, -15, 40, 30)
    low, high = axes.get_xlim()
    assert high - low == pytest.approx(52, rel=1e-6)
    image = axes.images[0].get_array()
    beyond = np.linspace(low, high, image.shape[1])
    lit = image.max(axis=(0, 2)) > 60
    assert lit[np.abs(beyond) < 20].any() and lit[np.abs(beyond) > 21].any()  # images of the box, too
    with pytest.raises(hb.UsageError, match="no radius"):
        hb.plot.ring(hb.ic.plummer(10))
    with pytest.raises(hb.UsageError, match="no box"):
        hb.plot.ring(hb.Snapshot([[0, 0, 0]], radius=1.0))


def test_a_galaxy_face_on_and_edge_on(plt, galaxy, tmp_path):
    face, edge = hb.plot.galaxy(galaxy, extent=12)
    assert (face.get_xlabel(), face.get_ylabel(), edge.get_ylabel()) == ("x [kpc]", "y [kpc]", "z [kpc]")
    rows = [axes.images[0].get_array().astype(float).sum(axis=(1, 2)) for axes in (face, edge)]
    thick = [(profile > 0.5 * (profile.max() + profile.min())).sum() for profile in rows]
    assert thick[1] < 0.5 * thick[0]  # the disc is thin from its side
    save(face.figure, tmp_path / "galaxy.png")
    hb.write(tmp_path / "g.hdf5", galaxy)
    assert hb.plot.picture(tmp_path / "g.hdf5", family="disc", aspect=2).images[0].get_array().shape == (400, 800, 3)
    assert hb.plot.density(galaxy, extent=10, family=["disc", "bulge"]).get_xlim() == pytest.approx((-5, 5), abs=0.2)


@pytest.mark.parametrize("wrong, said", [
    (lambda s: hb.plot.picture(s, axis="w"), "axis"), (lambda s: hb.plot.picture(s, style="comic"), "style"),
    (lambda s: hb.plot.picture(s, extent=-1), "extent"), (lambda s: hb.plot.picture(s, centre=[1, 2]), "centre"),
    (lambda s: hb.plot.picture(s, family="planet"), "planet"), (lambda s: hb.plot.picture(s, family="gas"), "gas"),
    (lambda s: hb.plot.galaxy(s, ax=[1]), "two"), (lambda s: hb.plot.png(s, width=1), "1 by 1200|width|size|pixels"),
    (lambda s: hb.plot.picture("nowhere.hdf5"), "nowhere")])
def test_pictures_that_cannot_be(plt, wrong, said):
    with pytest.raises(hb.Error, match=said):
        wrong(hb.ic.plummer(50))


def test_one_drawing_for_all(plt, galaxy, tmp_path):
    look = {"axis": "y", "extent": 9, "decades": 4}
    shown = hb.plot.picture(galaxy, pixels=100, family=["disc", "halo"], **look).images[0].get_array()
    assert np.array_equal(shown, hb.render(galaxy, width=100, height=100, types=["disc", "halo"], labels=False, **look))
    hb.render(galaxy, tmp_path / "galaxy.png", width=120, height=90, **look)
    assert hb.plot.png(galaxy, 120, 90, **look) == (tmp_path / "galaxy.png").read_bytes()


def figure_of_command(program, folder, *arguments):
    """What `hornbeam analyze --plot` hands to a Python, drawn here: tests/cli have that Python draw each measure."""
    kept = folder / "handed.json"
    (folder / "bin").mkdir(exist_ok=True)
    python = folder / "bin" / "python3"
    python.write_text(f'#!/bin/sh\ncp "$3" "{kept}"\n: > "$4"\n')
    python.chmod(0o755)
    copy = folder / "hornbeam"  # away from the build folder, beside which another Python may stand
    copy.write_bytes(Path(program).read_bytes())
    copy.chmod(0o755)
    subprocess.run([copy, "analyze", *map(str, arguments), "--plot", folder / "a.png"], check=True, capture_output=True,
                   env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"})
    return hb.panels.sheet(json.loads(kept.read_text())).axes


def test_the_command_draws_the_same_panels(plt, program, galaxy, tmp_path):
    hb.write(tmp_path / "g.hdf5", galaxy)
    face, edge, *_ = figure_of_command(program, tmp_path, tmp_path / "g.hdf5")
    for theirs, ours in zip((face, edge), hb.plot.galaxy(galaxy, pixels=600)):
        assert np.array_equal(theirs.images[0].get_array(), ours.images[0].get_array())
        assert np.allclose(theirs.get_xlim(), ours.get_xlim(), rtol=1e-14) and theirs.get_ylabel() == ours.get_ylabel()
    drawn = figure_of_command(program, tmp_path, tmp_path / "g.hdf5", "--disc", "--profile")
    velocities = next(axes for axes in drawn if axes.get_ylabel().startswith("velocity"))
    density = next(axes for axes in drawn if axes.get_ylabel().startswith("density"))
    ours = hb.plot.rotation(tmp_path / "g.hdf5")
    assert velocities.get_ylabel() == ours.get_ylabel() == "velocity [km/s]"
    for one, other in zip(velocities.lines, ours.lines, strict=True):
        assert np.array_equal(one.get_data(), other.get_data()) and one.get_label() == other.get_label()
    ours = hb.plot.profile(tmp_path / "g.hdf5")
    assert np.array_equal(density.lines[0].get_data(), ours.lines[0].get_data())
    assert (density.get_xlabel(), density.get_ylabel()) == (ours.get_xlabel(), ours.get_ylabel())
    surface = drawn[0].images[0].get_array()
    ours = hb.plot.density(galaxy, bins=len(surface))
    assert np.array_equal(surface, ours.images[0].get_array()) and drawn[0].get_xlim() == ours.get_xlim()


def test_the_command_draws_the_same_ring(plt, program, ring, tmp_path):
    ring.write(tmp_path / "r.hdf5")
    theirs, ours = figure_of_command(program, tmp_path, tmp_path / "r.hdf5")[0], hb.plot.ring(ring, pixels=600)
    save(theirs.figure, tmp_path / "r.png")
    assert np.array_equal(theirs.images[0].get_array(), ours.images[0].get_array())
    assert theirs.patches[0].get_bbox().bounds == ours.patches[0].get_bbox().bounds


def test_surface_density_is_the_mass_of_squares():
    place = np.random.default_rng(3).normal(size=(500, 3))
    cloud = hb.Snapshot(place, mass=np.linspace(1, 2, 500), family=["star"] * 300 + ["gas"] * 200)
    for axis, (i, j) in {"z": (0, 1), "y": (0, 2), "x": (1, 2)}.items():
        found = hb.analysis.surface_density(cloud, axis, extent=3, bins=20)
        edges = np.linspace(-1.5, 1.5, 21)
        away = place - found["centre"]
        mass, _, _ = np.histogram2d(away[:, i], away[:, j], bins=(edges, edges), weights=cloud.mass)
        assert np.allclose(found["surface_density"], mass.T / 0.15**2, rtol=1e-12) and found["extent"] == 3
    stars = hb.analysis.surface_density(cloud, bins=10, family="star")
    cell = stars["extent"] / 10
    assert stars["surface_density"].sum() * cell**2 <= cloud.mass[:300].sum()
    radius = np.sort(np.linalg.norm(place[:300] - stars["centre"], axis=1))
    assert stars["extent"] == pytest.approx(2.1 * radius[int(0.95 * 299)])
    for n, bins in ((500, 16), (40_000, 63), (700_000, 256)):  # some 10 in a square, and no more squares
        many = hb.Snapshot(np.random.default_rng(3).random((n, 3)))
        assert hb.analysis.surface_density(many)["surface_density"].shape == (bins, bins)
    for wrong in ({"axis": "w"}, {"bins": 0}, {"extent": 0.0}, {"extent": float("inf")}, {"family": "halo"}, {"family": "stars"}):
        with pytest.raises(hb.UsageError):
            hb.analysis.surface_density(cloud, **wrong)


def test_what_notebooks_show():
    sim = hb.Simulation(hb.ic.plummer(200), dt=0.01)
    for what in (sim, sim.particles):
        told = what._repr_html_()
        assert what._repr_png_().startswith(PNG) and "hornbeam.S" in told
        assert "&lt;" in told and "data:image/png;base64" in told
    assert "img" not in hb.Snapshot(np.zeros((0, 3)))._repr_html_()
    sim.close()
    assert "closed" in sim._repr_html_() and sim._repr_png_() is None


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_where_it_is_asked_for(monkeypatch):
    sim = hb.Simulation(hb.ic.plummer(50), dt=1 / 64)
    monkeypatch.setattr("sys.stderr", quiet := io.StringIO())
    sim.run(0.5)
    assert quiet.getvalue() == ""
    sim.run(1.0, progress=True)
    lines = quiet.getvalue().splitlines()
    assert 8 <= len(lines) <= 12 and lines[-1].startswith(f"[{'#' * 20}] 100 %  t = 1 of 1, 32 steps")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    seen = []
    sim.run(2.0, callback=lambda s: seen.append(s.time), every=0.25, progress=True)
    assert seen == [1.25, 1.5, 1.75, 2.0] and terminal.getvalue().count("\n") == 1
    assert "\r[" in terminal.getvalue() and " 64 steps" in terminal.getvalue()
    stops = iter([True, False])
    sim.run(3.0, callback=lambda s: next(stops), progress=True)
    assert sim.time == 2.0 + 2 / 64


def test_a_bar_changes_no_bits():
    one, other = (hb.Simulation(hb.ic.plummer(100), dt=1 / 64) for _ in range(2))
    one.run(0.3)
    other.run(0.3, progress=True)
    assert one.particles == other.particles
