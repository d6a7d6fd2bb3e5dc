# SPDX-License-Identifier: Apache-2.0
"""Every command but force and run: what it prints, writes and refuses."""

import csv
from pathlib import Path

import h5py
import numpy as np
import pytest

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def test_version_and_help(hornbeam):
    assert hornbeam.ok("--version").startswith("hornbeam 0.1.0")
    assert "analyze" in hornbeam.ok("--help")
    assert "--theta-c" in hornbeam.ok("force", "--help")


def test_unknown_commands_and_options_are_wrong_usage(hornbeam):
    hornbeam.error(2, "simulate")
    assert "--thta" in hornbeam.error(2, "force", "--ic", "plummer", "-n", 8, "--thta", 0.5)


def test_info(hornbeam):
    info = hornbeam.json("info")
    assert info["version"] == "0.1.0"
    cpu = [device for device in info["devices"] if device["backend"] == "cpu"]
    assert len(cpu) == 1 and cpu[0]["threads"] >= 1 and cpu[0]["memory_bytes"] > 0
    assert {"cpu", "opencl"} <= set(info["backends"]) <= {"cpu", "opencl", "cuda"}
    assert {device["backend"] for device in info["devices"]} <= set(info["backends"])
    said = hornbeam.ok("info")
    assert "cpu: " in said and "cpu: compiled in" not in said
    here = {device["backend"] for device in info["devices"]}
    for backend in info["backends"]:
        assert (f"{backend}: compiled in, no device here" in said) == (backend not in here)


def test_selftest(hornbeam):
    """One line a backend, and the table when it is requested."""
    out = hornbeam.ok("selftest", "--table")
    backends = list(dict.fromkeys(device["backend"] for device in hornbeam.json("info")["devices"]))
    verdicts = out.splitlines()[1:1 + len(backends)]
    assert [line.split()[0] for line in verdicts] == backends
    assert all(line.split()[1] == "ok" and "worst of" in line for line in verdicts)
    assert "cpu direct double" in out and "cpu group mixed" in out and "cpu vote mixed           not built" in out
    assert "differences between them" in out and "FAILED" not in out


def test_help_keeps_models_and_their_words_apart(hornbeam):
    """The site's reference reads the names off it."""
    rows = hornbeam.ok("ic", "--help").split("Models", 1)[1].splitlines()[1:]
    names = [row[2:].split("  ")[0] for row in rows if row.startswith("  ")]
    assert len(names) > 15 and "kelvin-helmholtz" in names and all(hornbeam.ok("ic", name, "--help") for name in names)


def test_ic_is_reproducible_and_has_the_models_options(hornbeam, tmp_path):
    for name in ("a.hdf5", "b.hdf5"):
        hornbeam.ok("ic", "plummer", "-n", 100, "-o", name, "--seed", 7)
    a, b = (h5py.File(tmp_path / name)["PartType1/Coordinates"][:] for name in ("a.hdf5", "b.hdf5"))
    assert a.shape == (100, 3) and np.array_equal(a, b)
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "c.hdf5", "--seed", 8)
    assert not np.array_equal(a, h5py.File(tmp_path / "c.hdf5")["PartType1/Coordinates"][:])
    assert "--pericentre" in hornbeam.ok("ic", "merger", "--help")
    assert "hernquist" in hornbeam.ok("ic", "--help")


def test_ic_refuses(hornbeam):
    assert "plummer" in hornbeam.error(2, "ic", "galaxie", "-n", 8, "-o", "x.hdf5")
    assert "model" in hornbeam.error(2, "ic", "-n", 8, "-o", "x.hdf5")
    assert "n" in hornbeam.error(2, "ic", "plummer", "-o", "x.hdf5")
    assert "-n" in hornbeam.error(2, "ic", "plummer", "-n", -5, "-o", "x.hdf5")
    assert "-n" in hornbeam.error(2, "ic", "plummer", "-n", 5.5, "-o", "x.hdf5")
    assert ".xyz" in hornbeam.error(2, "ic", "plummer", "-n", 5, "-o", "x.xyz")


@pytest.mark.parametrize("name", ["a.hdf5", "a.tipsy", "a.gadget", "a.csv"])
def test_convert_there_and_back_keeps_particles(hornbeam, name):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "start.hdf5")
    assert "50 particles" in hornbeam.ok("convert", "start.hdf5", name)
    hornbeam.ok("convert", name, "end.hdf5")
    with h5py.File(hornbeam.folder / "start.hdf5") as start, h5py.File(hornbeam.folder / "end.hdf5") as end:
        for field in ("Coordinates", "Velocities"):
            a, b = start["PartType1"][field][:], end["PartType1"][field][:]
            np.testing.assert_allclose(b, a, rtol=1e-6, atol=1e-6)  # Tipsy and Gadget hold 32-bit floats


def test_convert_takes_formats_by_name(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 5, "-o", "a.hdf5")
    hornbeam.ok("convert", "a.hdf5", "unknown.dat", "--to", "csv")
    hornbeam.ok("convert", "unknown.dat", "b.tipsy", "--from", "csv")
    assert "dat" in hornbeam.error(2, "convert", "a.hdf5", "other.dat")
    assert "nosuch" in hornbeam.error(2, "convert", "a.hdf5", "other.dat", "--to", "nosuch")


def test_analyze_measures_a_plummer_sphere(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 20000, "-o", "p.hdf5")
    energy = hornbeam.json("analyze", "p.hdf5", "--energy")
    assert set(energy) == {"time", "kinetic", "potential", "total", "momentum", "angular_momentum", "virial_ratio"}
    # E = -1/4 in Henon units; sampling noise of 20,000 particles is about 1 %.
    assert energy["total"] == pytest.approx(-0.25, rel=0.03)
    assert energy["virial_ratio"] == pytest.approx(1.0, rel=0.03)
    assert len(energy["momentum"]) == len(energy["angular_momentum"]) == 3
    radii = hornbeam.json("analyze", "p.hdf5", "--lagrangian")
    assert dict(zip(radii["fractions"], radii["radii"]))[0.5] == pytest.approx(0.7686, rel=0.03)
    profile = hornbeam.json("analyze", "p.hdf5", "--profile")
    assert set(profile) == {"radius", "density", "mass", "circular_velocity"}
    # Cumulative; the outermost shell lies within the radius of all but a thousandth of the mass.
    assert 0.99 < profile["mass"][-1] <= 1.0 and profile["mass"] == sorted(profile["mass"])
    assert "virial_ratio" in hornbeam.ok("analyze", "p.hdf5", "--energy")


def test_analyze_of_several_files_is_a_list(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "a.hdf5")
    hornbeam.ok("ic", "plummer", "-n", 60, "-o", "b.hdf5")
    assert [set(e) >= {"kinetic"} for e in hornbeam.json("analyze", "a.hdf5", "b.hdf5", "--energy")] == [True, True]


def test_ic_draws_galaxies(hornbeam):
    assert "--toomre-q" in hornbeam.ok("ic", "galaxy", "--help")
    hornbeam.ok("ic", "galaxy", "-n", 1001, "-o", "g.hdf5", "--black-hole-mass", 0.01, "--disc-number", 300)
    with h5py.File(hornbeam.folder / "g.hdf5") as file:
        counts = {name: len(file[name]["ParticleIDs"]) for name in file if name.startswith("PartType")}
    assert counts == {"PartType1": 600, "PartType2": 300, "PartType3": 100, "PartType5": 1}  # halo : bulge = 6 : 1
    assert "disc-number" in hornbeam.error(2, "ic", "galaxy", "-n", 9, "-o", "g.hdf5", "--disc-number", "few")
    hornbeam.ok("ic", "merger", "-n", 2000, "-o", "m.hdf5", "--pericentre", 3, "--separation", 20)
    with h5py.File(hornbeam.folder / "m.hdf5") as file:
        assert len(file["PartType2"]["ParticleIDs"]) == 600
    assert "n" in hornbeam.error(2, "ic", "merger", "-o", "m.hdf5", "--pericentre", 3, "--separation", 20)
    for model in [["galaxy"], ["merger", "--pericentre", 3, "--separation", 20]]:
        hornbeam.ok("ic", *model, "-n", 2000, "-o", "random.hdf5", "--quiet", "false")
        assert "true or false" in hornbeam.error(2, "ic", *model, "-n", 2000, "-o", "g.hdf5", "--quiet", "maybe")


def test_analyze_measures_galaxies(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 20000, "-o", "g.hdf5")
    measured = hornbeam.json("analyze", "g.hdf5", "--disc", "--bar", "--half-mass", "--edges", 0.5, 1.5, 2.5)
    assert measured["disc"]["radius"] == [1.0, 2.0] and len(measured["bar"]["amplitude"]) == 2
    # 2,500 stars and more in a ring: 3 % of their height, and no bar
    assert measured["disc"]["scale_height"] == pytest.approx([0.1, 0.1], rel=0.1)
    assert measured["bar"]["strength"] < 0.06
    assert "toomre_q" in hornbeam.ok("analyze", "g.hdf5", "--disc")
    halo = hornbeam.json("analyze", "g.hdf5", "--half-mass", "--types", "halo")
    assert halo["half_mass_radius"] > 1.3 * measured["half_mass_radius"]
    sphere = hornbeam.json("analyze", "g.hdf5", "--anisotropy", "--types", "bulge", "halo", "--edges", 0.5, 2)
    assert abs(sphere["anisotropy"]["beta"][0]) < 0.1  # isotropic, some 4,000 particles
    assert "black holes: the file has 0" in hornbeam.error(1, "analyze", "g.hdf5", "--black-holes")
    assert "--types" in hornbeam.error(2, "analyze", "g.hdf5", "--profile", "--types", "halos")
    assert "edges" in hornbeam.error(2, "analyze", "g.hdf5", "--profile", "--edges", 2, 1)


def test_analyze_writes_tables(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 3000, "-o", "g.hdf5")
    hornbeam.ok("analyze", "g.hdf5", "g.hdf5", "--disc", "--edges", 0.5, 1, 2, 3, "--csv", "disc.csv")
    with open(hornbeam.folder / "disc.csv", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 and rows[0]["file"] == "g.hdf5" and float(rows[0]["disc_radius"]) == 0.75
    hornbeam.ok("analyze", "g.hdf5", "--energy", "--csv", "energy.csv")
    header = (hornbeam.folder / "energy.csv").read_text().splitlines()[0]
    assert header.startswith("file,time,kinetic") and "angular_momentum_z" in header
    assert "lengths" in hornbeam.error(2, "analyze", "g.hdf5", "--disc", "--profile", "--csv", "both.csv")


def test_analyze_refuses(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 5, "-o", "a.hdf5")
    assert "--energy" in hornbeam.error(2, "analyze", "a.hdf5")
    assert "whose flow is not known" in hornbeam.error(1, "analyze", "a.hdf5", "--exact")
    assert "--eps" in hornbeam.error(2, "analyze", "a.hdf5", "--energy", "--eps", -1)
    assert "none.hdf5" in hornbeam.error(1, "analyze", "none.hdf5", "--energy")


def test_render(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 500, "-o", "a.hdf5")
    hornbeam.ok("render", "a.hdf5", "-o", "a.png", "--width", 64, "--height", 48, "--axis", "x", "--types", "halo",
                "--centre", 0, 0, 0, "--extent", 4, "--decades", 2, "--gamma", 1.5, "--no-labels")
    assert (hornbeam.folder / "a.png").read_bytes().startswith(PNG_SIGNATURE)
    assert "--axis" in hornbeam.error(2, "render", "a.hdf5", "-o", "a.png", "--axis", "q")
    assert "--types" in hornbeam.error(2, "render", "a.hdf5", "-o", "a.png", "--types", "stars")
    hornbeam.error(2, "render", "a.hdf5", "-o", "a.png", "--width", -4)


def test_render_says_which_types_there_are(hornbeam):
    """It drew a black picture without a word."""
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "a.hdf5")
    assert "a.hdf5: has no particles of the family disc (it has halo)" in hornbeam.error(
        2, "render", "a.hdf5", "-o", "a.png", "--types", "disc")
    assert not (hornbeam.folder / "a.png").exists()
    (hornbeam.folder / "run").mkdir()
    (hornbeam.folder / "a.hdf5").rename(hornbeam.folder / "run" / "snapshot_0000.hdf5")
    assert "(it has halo)" in hornbeam.error(2, "movie", "run", "-o", "m.mp4", "--types", "gas", "star")
    assert not (hornbeam.folder / "m_frames").exists()


def test_movie_needs_snapshots(hornbeam):
    (hornbeam.folder / "empty").mkdir()
    assert "empty" in hornbeam.error(1, "movie", "empty", "-o", "m.mp4")


@pytest.fixture
def snapshots(hornbeam):
    """The name of a folder of three."""
    (hornbeam.folder / "run").mkdir()
    for i in range(3):
        hornbeam.ok("ic", "plummer", "-n", 100, "--seed", i, "-o", f"run/snapshot_{i:04}.hdf5")
    return "run"


def program(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


SMALL = ("--width", 64, "--height", 48)


@pytest.mark.parametrize("name", ["m.mp4", "m.webm", "m.gif"])
def test_movie(hornbeam, snapshots, name):
    out = hornbeam.ok("movie", snapshots, "-o", name, *SMALL)
    # With ffmpeg a movie, else a contact sheet.
    if "contact sheet" in out:
        assert (hornbeam.folder / "m_sheet.png").exists() and "imageio-ffmpeg" in out
        return
    begins = {"m.mp4": b"ftyp", "m.webm": b"\x1aE\xdf\xa3", "m.gif": b"GIF89a"}[name]
    assert begins in (hornbeam.folder / name).read_bytes()[:12]


def test_movie_with_the_ffmpeg_of_imageio(hornbeam, snapshots):
    """None on PATH: a python3 that has the package stands there and names another."""
    given = hornbeam.folder / "far away" / "ffmpeg-9"
    program(given, 'echo "$@" > asked; for last; do :; done; echo encoded > "$last"')
    program(hornbeam.folder / "bin" / "python3", f'echo noise; echo; echo "{given}"')
    out = hornbeam.ok("movie", snapshots, "-o", "m.mp4", *SMALL, env={"PATH": str(hornbeam.folder / "bin")})
    assert "wrote m.mp4 (3 frames)" in out and (hornbeam.folder / "m.mp4").read_text() == "encoded\n"
    assert "-framerate 3/5 " in (hornbeam.folder / "asked").read_text()  # 5 seconds
    assert not (hornbeam.folder / "m.mp4.log").exists()
    program(hornbeam.folder / "bin" / "python3", "echo No module named imageio_ffmpeg; exit 1")
    out = hornbeam.ok("movie", snapshots, "-o", "n.gif", *SMALL, env={"PATH": str(hornbeam.folder / "bin")})
    # the source tree's own Python may have it
    assert "wrote n.gif" in out or ("n_sheet.png" in out and "pip install imageio-ffmpeg" in out)


def test_names_of_pictures_and_their_formats_agree(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "a.hdf5")
    assert "a.jpg: pictures are written as PNG (name it a.png)" in hornbeam.error(2, "render", "a.hdf5", "-o", "a.jpg")
    assert not (hornbeam.folder / "a.jpg").exists()
    hornbeam.ok("render", "a.hdf5", "-o", "A.PNG", *SMALL)
    (hornbeam.folder / "run").mkdir()
    (hornbeam.folder / "a.hdf5").rename(hornbeam.folder / "run" / "snapshot_0000.hdf5")
    for name in ("m.jpg", "m", "m.avi"):
        message = hornbeam.error(2, "movie", "run", "-o", name, *SMALL)
        assert "MP4, WebM or GIF (name it m.mp4)" in message
        assert not (hornbeam.folder / "m_frames").exists()


COMMANDS = [("force",), ("run",), ("render",), ("movie",), ("analyze",), ("convert",), ("neighbours",),
            ("ic", "plummer"), ("ic", "galaxy"), ("ic", "merger")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_says_what_options_take(hornbeam, command):
    text = hornbeam.ok(*command, "--help")
    assert "TEXT" not in text, text
    if command == ("force",):
        for said in ("--theta FLOAT", "--order INT", "--eps FLOAT", "--softening {plummer,spline}", "--seed INT",
                     "--walk {group,stackless,vote,direct}", "--precision {mixed,single,double}"):
            assert said in text, text


def test_bench_is_a_program_of_its_own(hornbeam, bench):
    assert "hornbeam-bench" in hornbeam.error(2, "bench", "scaling")
    text = bench.ok("--help")
    assert "TEXT" not in text and "--max-n INT" in text, text
    assert bench.ok("--version").startswith("hornbeam-bench ")
    assert "--max-n" in bench.run().stderr and bench.run().returncode == 2


def test_page_of_the_configuration_is_the_table(hornbeam):
    said = hornbeam.ok("run", "--help").split("CONFIG.toml:\n")[1].strip("\n")
    page = (Path(__file__).resolve().parents[2] / "docs" / "configuration.md").read_text()
    assert page.split("```text\n")[1].split("\n```")[0] == said, "put what `hornbeam run --help` says into the page"
    for section in ("time", "output", "watchdog", "units", "potential"):
        assert f"[{section}]" in said
    assert "max_rung INT" in said and "0 to 30" in said and "directory PATH" in said
