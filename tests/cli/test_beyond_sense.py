# SPDX-License-Identifier: Apache-2.0
"""Options that would take more memory, or time, than anybody has: errors in one line."""

import pytest
from test_memory import data_limit, run_file

from conftest import not_sanitized

pytestmark = not_sanitized


@pytest.mark.parametrize("arguments, says", [
    (("ic", "plummer", "-n", "1e12", "-o", "x.hdf5"), "memory: 1000000000000 particles need about 81000 GB"),
    (("ic", "galaxy", "-n", "1e12", "-o", "x.hdf5"), "memory: 1000000000000 particles need about"),
    (("ic", "merger", "--pericentre", 1, "--separation", 10, "-n", "1e12", "-o", "x.hdf5"),
     "memory: 1000000000000 particles need about"),
    (("ic", "galaxy", "--disc-number", "1e12", "--bulge-number", 1, "--halo-number", 1, "-n", 1000000000002, "-o",
      "x.hdf5"), "memory: 1000000000002 particles need about"),
    (("force", "--ic", "plummer", "-n", "1e12"), "memory: 1000000000000 particles need about"),
    (("force", "--ic", "plummer", "-n", 2147483648), "particles"),
])
def test_too_many_particles(hornbeam, arguments, says):
    assert says in hornbeam.error(1, *arguments)


def test_too_many_particles_of_a_run(hornbeam):
    name = run_file(hornbeam.folder, "many.toml", n="1e12")
    assert hornbeam.error(1, "run", name).startswith("memory: 1000000000000 particles need about ")
    assert not (hornbeam.folder / "out_many.toml").exists()


@pytest.mark.parametrize("arguments, says", [
    (("--check", "1e12"), "--check: received 1e12 (must be a whole number from 1 to 1073741824)"),
    (("--repeat", "1e12"), "--repeat: received 1e12 (must be a whole number from 1 to 1000000)"),
    (("--leaf-size", "1e9"), "leaf_size = 1e+09: must be from 1 to 1024"),
    (("--group-size", "1e9"), "group_size = 1e+09: must be from 1 to 1024"),
    (("--leaf-size", "1e12"), "--leaf-size: received 1000000000000"),
])
def test_numbers_beyond_sense(hornbeam, arguments, says):
    assert hornbeam.error(2, "force", "--ic", "plummer", "-n", 10, *arguments).startswith(says)


def test_steps_and_pictures_beyond_sense(hornbeam):
    deep = run_file(hornbeam.folder, "deep.toml", "block", n=10)
    (hornbeam.folder / deep).write_text((hornbeam.folder / deep).read_text().replace("max_rung = 1", "max_rung = 1e9"))
    assert "time.max_rung: received 1000000000 (must be from 0 to 30)" in hornbeam.error(2, "run", deep)
    hornbeam.ok("ic", "plummer", "-n", 10, "-o", "snapshot_0.hdf5")
    for side in ("--width", "--height"):
        assert "must be 16 to 16384 pixels" in hornbeam.error(2, "render", "snapshot_0.hdf5", "-o", "p.png", side, "1e9")
        assert "must be 16 to 16384 pixels" in hornbeam.error(2, "movie", ".", "-o", "m.mp4", side, "1e9")
    large = ("render", "snapshot_0.hdf5", "-o", "p.png", "--width", 16384, "--height", 16384)
    assert "the picture's maps" in hornbeam.error(1, *large, preexec_fn=data_limit(500))


def test_wide_galaxies_cost_no_more_than_others(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 100, "--disc-truncation", "1e50", "--halo-truncation", "1e10", "-o", "x.hdf5",
                preexec_fn=data_limit(1000))


@pytest.mark.parametrize("option, value, says", [
    ("toomre-q", "1e10", "galaxy.disc: its stars would not be bound"),
    ("toomre-q", "1e4", "galaxy.disc: its stars would not be bound"),
    ("disc-height", "1e4", "galaxy.disc-height: received 1e4 (must be from 0.005 to 2 of disc-scale"),
    ("disc-scale", "1e-10", "galaxy.disc-height: received 0.1 (must be from 0.005 to 2 of disc-scale"),
    ("disc-taper", "1e10", "galaxy.disc-taper: received 1e10 (must be at least 0.02 of disc-scale, and at most half"),
    ("disc-truncation", "1e-10", "galaxy.disc-truncation: received 1e-10 (must be at least 0.04"),
    ("bulge-scale", "1e-50", "galaxy: its lengths range from 1e-50"),
    ("halo-mass", "1e300", "galaxy.halo-mass: received 1e300 (must be 0, or from 1e-60 to 1e60 in size"),
])
def test_galaxies_beyond_sense(hornbeam, option, value, says):
    text = hornbeam.error(2, "ic", "galaxy", "-n", 100, f"--{option}", value, "-o", "x.hdf5",
                          preexec_fn=data_limit(1000))
    assert text.startswith(says), text
    assert not (hornbeam.folder / "x.hdf5").exists()


@pytest.mark.parametrize("model, option", [("plummer", "mass"), ("plummer", "scale"), ("hernquist", "scale"),
                                           ("uniform-sphere", "virial"), ("uniform-cube", "edge"), ("lattice", "edge")])
@pytest.mark.parametrize("value", ["1e300", "5e-324", "nan", "inf", "-1"])
def test_models_beyond_sense(hornbeam, model, option, value):
    text = hornbeam.error(2, "ic", model, "-n", 64, f"--{option}={value}", "-o", "x.hdf5")
    assert text.startswith(f"{model}.{option}: received {value} (must be "), text
