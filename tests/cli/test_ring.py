# SPDX-License-Identifier: Apache-2.0
"""hornbeam run in a shearing sheet: a state beside REBOUND's, restarts, what cannot be."""

import csv
import math
import sys

import h5py
import numpy as np
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from ring_states import OMEGA, ORBIT, configuration, rows_of  # noqa: E402


@pytest.fixture
def ring(tmp_path):
    """Writes a configuration; times in orbits."""

    def write(edge=60, density=266.667, dt=0.002, end=0.1, extra="", **others):
        path = tmp_path / "ring.toml"
        law = {"law": "constant", "restitution": 0.5}
        path.write_text(configuration(edge, density, law, end, dt, **others) + extra)
        return path

    return write


def rows(folder):
    return rows_of(folder / "ring.csv")


def state(path):
    with h5py.File(path) as file:
        return [file["PartType2"][name][:] for name in ("Coordinates", "Velocities", "Radius", "Masses")]


def test_equal_spheres_come_to_the_state_that_rebound_finds(hornbeam, ring, tmp_path):
    """Restitution 0.5, depth 0.5 (Wisdom & Tremaine 1988, Salo 1992); REBOUND's bands, half as wide again for a box of 570 bodies."""
    hornbeam.ok("run", ring(end=12, dt=0.002, ring_every=0.25))
    found = rows(tmp_path / "ring")
    assert len(found) == 49
    mean = {name: np.mean([row[name] for row in found[24:]]) for name in found[0]}
    assert mean["optical_depth"] == pytest.approx(0.5, rel=0.01)
    assert mean["radial_dispersion"] / OMEGA == pytest.approx(2.18, rel=0.15)
    assert mean["vertical_dispersion"] / OMEGA == pytest.approx(1.47, rel=0.15)
    assert mean["filling_factor"] == pytest.approx(0.138, rel=0.15)
    assert mean["translational_viscosity"] / OMEGA == pytest.approx(0.461, rel=0.22)
    assert mean["collisional_viscosity"] / OMEGA == pytest.approx(0.367, rel=0.22)
    assert mean["collisions_per_orbit"] == pytest.approx(9.84, rel=0.08)


def test_the_measures_are_those_of_the_snapshot(hornbeam, ring, tmp_path):
    hornbeam.ok("run", ring(largest=3, end=0.3, every=0.1, ring_every=0.1))
    for number, row in enumerate(rows(tmp_path / "ring")):
        x, v, r, m = state(tmp_path / "ring" / f"snapshot_{number:04}.hdf5")
        v[:, 1] += 1.5 * OMEGA * x[:, 0]
        assert row["bodies"] == len(x)
        assert row["optical_depth"] == pytest.approx(np.sum(math.pi * r**2) / 3600, rel=1e-12)
        dispersions = [row[f"{axis}_dispersion"] for axis in ("radial", "azimuthal", "vertical")]
        assert dispersions == pytest.approx(list(np.sqrt(np.mean(v**2, axis=0))), rel=1e-9)
        assert row["filling_factor"] == pytest.approx(np.sum(math.pi * np.maximum(r**2 - x[:, 2]**2, 0)) / 3600)
        toomre = OMEGA * row["radial_dispersion"] / (3.36 * 6.6743e-11 * m.sum() / 3600)
        assert row["toomre_q"] == pytest.approx(toomre, rel=1e-4)  # G of these digits
        measured = hornbeam.json("analyze", f"ring/snapshot_{number:04}.hdf5", "--ring")["ring"]
        same = row.keys() & measured.keys()  # the table and the measure have one set of names
        assert same == {"bodies", "optical_depth", "radial_dispersion", "azimuthal_dispersion", "vertical_dispersion",
                        "filling_factor", "translational_viscosity", "gravitational_viscosity", "toomre_q"}
        for name in same:
            assert measured[name] == pytest.approx(row[name], rel=1e-6, abs=1e-12), name
        d = np.linalg.norm(x[None, :] - x[:, None], axis=2) + 99 * np.tri(len(x))
        depth = (r[None, :] + r[:, None] - d) / np.minimum(r[None, :], r[:, None])
        assert measured["overlapping_pairs"] >= np.sum(depth > 0) > 0 and measured["largest_overlap"] >= depth.max()
        assert 0 < measured["mean_overlap"] < 2
        assert 0 < measured["photometric_depth"] < 1.2 * row["optical_depth"]  # the same where bodies stand by chance
        carried = 2 / 3 * np.sum(m * v[:, 0] * v[:, 1]) / m.sum() / OMEGA
        assert row["translational_viscosity"] == pytest.approx(carried, rel=1e-6, abs=1e-12)


def carried_by_gravity(path):
    """gravitational_viscosity by all pairs and images as far as 3 critical wavelengths or 1.5 boxes, in fp64."""
    x, _, r, m = state(path)
    with h5py.File(path) as file:
        time = file["Header"].attrs["Time"]
    G, edge = 6.6743e-11, 60
    reach = min(3 * 4 * math.pi**2 * G * m.sum() / edge**2 / OMEGA**2, 1.5 * edge)
    total = 0
    for i in range(-3, 4):
        for j in range(-4, 5):
            shift = [i * edge, j * edge - math.remainder(1.5 * OMEGA * edge * i * time, edge), 0]
            d = x[None, :] + shift - x[:, None]
            plane = np.hypot(d[..., 0], d[..., 1])
            apart = np.maximum(np.hypot(plane, d[..., 2]), r[None, :] + r[:, None])
            fade = np.clip(2 - 2 * plane / reach, 0, 1)
            total += np.sum(m[None, :] * m[:, None] * d[..., 0] * d[..., 1] / apart**3 * fade**2 * (3 - 2 * fade))
    return -G / (3 * OMEGA) * total / m.sum()


def test_gravity_carries_momentum_and_measuring_it_leaves_the_run_alone(hornbeam, ring, tmp_path):
    write = ring(largest=3, ghosts=1, gravity="true", end=0.3, every=0.1, ring_every=0.1)
    hornbeam.ok("run", write)
    for number, row in enumerate(rows(tmp_path / "ring")):
        path = tmp_path / "ring" / f"snapshot_{number:04}.hdf5"
        assert row["gravitational_viscosity"] == pytest.approx(carried_by_gravity(path), rel=1e-4)  # G of these digits
        measured = hornbeam.json("analyze", path, "--ring")["ring"]
        assert measured["gravitational_viscosity"] == pytest.approx(row["gravitational_viscosity"], rel=1e-6, abs=1e-12)
    write.write_text(write.read_text().replace("ring_every", "#"))
    hornbeam.ok("run", write, "--set", "output.directory=unmeasured")
    for one, other in zip(state(tmp_path / "ring" / "snapshot_0003.hdf5"),
                          state(tmp_path / "unmeasured" / "snapshot_0003.hdf5")):
        assert (one == other).all()
    hornbeam.ok("run", ring(largest=3, end=0.01, ring_every=0.01), "--overwrite")
    assert all(row["gravitational_viscosity"] == 0 for row in rows(tmp_path / "ring"))
    assert hornbeam.json("analyze", "ring/snapshot_0001.hdf5", "--ring")["ring"]["gravitational_viscosity"] == 0


@pytest.mark.parametrize("gravity", ["true", "false"])
def test_a_resumed_ring_goes_on_with_the_same_bits_and_rows(hornbeam, ring, tmp_path, gravity):
    write = ring(largest=3, ghosts=1, gravity=gravity, end=0.2, every=0.1, ring_every=0.06)
    whole, parts = ["--set", "output.directory=whole"], ["--set", "output.directory=parts"]
    hornbeam.ok("run", write, *whole)
    hornbeam.ok("run", write, *parts, "--set", f"time.end={0.1 * ORBIT}")
    hornbeam.ok("run", write, *parts, "--resume")
    for one, other in zip(state(tmp_path / "whole" / "snapshot_0002.hdf5"),
                          state(tmp_path / "parts" / "snapshot_0002.hdf5")):
        assert (one == other).all()
    assert rows(tmp_path / "whole") == rows(tmp_path / "parts")


def test_collisions_alone_give_the_same_bits_on_every_backend(hornbeam, ring, tmp_path):
    write = ring(largest=3, end=0.2)
    for backend in ("cpu", "opencl"):
        done = hornbeam.run("run", write, "--set", f"device.backend={backend}", "--set", f"output.directory={backend}")
        if done.returncode != 0 and "no device" in done.stderr:
            pytest.skip("SKIPPED: no OpenCL device is here")
        assert done.returncode == 0, done.stderr
    for one, other in zip(state(tmp_path / "cpu" / "snapshot_0001.hdf5"),
                          state(tmp_path / "opencl" / "snapshot_0001.hdf5")):
        assert (one == other).all()


@pytest.mark.parametrize("settings, part", [
    (["collisions.restitution=1.2"], "collisions.restitution"),
    (["collisions.restitution=-0.1"], "collisions.restitution"),
    (["boundary.omega=0"], "boundary.omega"),
    (["boundary.size=[60,0,0]"], "a shearing sheet is periodic"),
    (["ic.radius_min=35", "ic.radius_max=35"], "the box must be at least as large as the largest body"),
    (["ic.radius_min=0"], "ring.radius-min"),
    (["ic.radius_max=0.5"], "ring.radius-max"),
    (["time.steps=block"], "cannot be combined with a shearing sheet"),
    (["device.precision=single"], "precision = single"),
    (["gravity.walk=direct"], "walk = direct"),
    (["collisions.law=bouncy"], "collisions.law"),
    (["collisions.speed=1"], "collisions.speed"),
    (["ic.omega=1e-4"], "ic.omega: is 0.0001, and [boundary] has 0.00013143527"),
    (["boundary.size=[60,70,0]"], "ic.size-y: is 60, and [boundary] has 70"),
    (["ic.radius_min=1e-9"], "a run can have at most 2^30"),
    (["boundary.size=[60,60]"], "give x, y and z"),
    (["boundary.size=[60,-60,0]"], "boundary.size"),
    (["boundary.n_ghost_x=17"], "boundary.n_ghost_x"),
    (["boundary.n_ghost_x=1.5"], "boundary.n_ghost_x"),
    (["time.dt=-1"], "time.dt"),
    (["time.dt=8000", "time.end=80000"], "longer than a radian of the epicycles"),
    (["gravity.mac=relative"], "mac = relative"),
    (["ic.n=1000"], "whose number of bodies follows from its surface density"),
])
def test_what_cannot_be(hornbeam, ring, settings, part):
    words = [word for setting in settings for word in ("--set", setting)]
    assert part in hornbeam.error(2, "run", ring(), *words)


def test_a_ring_is_drawn_for_its_sheet(hornbeam, tmp_path):
    text = "[ic]\nmodel = \"ring\"\n[time]\ndt = 1\nend = 2\n"
    (tmp_path / "run.toml").write_text(text)
    assert "needs a shearing sheet" in hornbeam.error(2, "run", "run.toml")
    (tmp_path / "run.toml").write_text(text + "[boundary]\nkind = \"shear\"\nsize = [70, 50, 0]\nomega = 1e-3\n"
                                    "self_gravity = false\n")
    hornbeam.ok("run", "run.toml")
    x, v, _, _ = state(tmp_path / "output" / "snapshot_0000.hdf5")
    assert np.abs(x[:, 0]).max() == pytest.approx(35, rel=0.02) and np.abs(x[:, 1]).max() == pytest.approx(25, rel=0.02)
    assert v[:, 1] == pytest.approx(-1.5e-3 * x[:, 0])


def test_bodies_without_radii_and_laws_without_units(hornbeam, tmp_path):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    text = "[input]\nfile = \"p.hdf5\"\n[time]\ndt = 0.1\nend = 1\n[collisions]\nlaw = \"{}\"\n"
    (tmp_path / "run.toml").write_text(text.format("constant"))
    assert "the particles have no radii" in hornbeam.error(2, "run", "run.toml")
    (tmp_path / "run.toml").write_text(text.format("bridges"))
    assert "needs physical units, as its speeds are in cm/s" in hornbeam.error(2, "run", "run.toml")
    header = "x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],mass [kg],radius [m]\n"
    (tmp_path / "own.csv").write_text(header + "0,0,0,0.01,0,0,1,0.5\n1,0,0,-0.01,0,0,1,0.5\n")
    (tmp_path / "run.toml").write_text(text.format("bridges").replace("p.hdf5", "own.csv") + "[gravity]\neps = 0\n")
    hornbeam.ok("run", "run.toml", "--overwrite")  # whose header tells what a centimetre is
    with h5py.File(tmp_path / "output" / "snapshot_0001.hdf5") as file:
        v = file["PartType1/Velocities"][:, 0]
    assert v[1] - v[0] == pytest.approx(0.02 * 0.34 * 2**-0.234, rel=1e-4)  # gravity of kilograms is nothing
    (tmp_path / "own.csv").write_text(header.replace("radius [m]", "radius") + "0,0,0,0,0,0,1,1\n")
    assert "column radius has no unit" in hornbeam.error(1, "run", "run.toml", "--overwrite")


def test_softening_of_bodies_long_steps_and_ends_that_leave_all_numbers(hornbeam, ring, tmp_path):
    """Bodies are softened by less than their radii, a step of a hundredth of an orbit is warned of, and what leaves the
    range of numbers ends in peace."""
    hornbeam.ok("run", ring(largest=2))
    hornbeam.ok("convert", "ring/snapshot_0000.hdf5", "own.csv")
    lines = [line for line in (tmp_path / "own.csv").read_text().splitlines() if not line.startswith("#")]
    at = lines[0].split(",").index("eps [m]")
    (tmp_path / "own.csv").write_text("\n".join(",".join(w for k, w in enumerate(line.split(",")) if k != at)
                                                for line in lines) + "\n")
    own = ring(largest=2, gravity="true").read_text().split("[units]")[1]
    (tmp_path / "own.toml").write_text('[input]\nfile = "own.csv"\n[units]' + own)
    assert "eps = 0.1 is estimated for all, a tenth of the least radius" in hornbeam.ok("run", "own.toml", "--overwrite")
    long_step = hornbeam.ok("run", ring(dt=0.02), "--overwrite")
    assert "so long that bodies pass through one another" in long_step
    (tmp_path / "nan.toml").write_text(ring(ghosts=1, gravity="true").read_text().replace('[units]\nsystem = "si"\n', ""))
    done = hornbeam.run("run", "nan.toml", "--overwrite", "--set", f"time.dt={0.001 * ORBIT}")
    assert done.returncode in (1, 3) and done.stderr.startswith("hornbeam: error: ") and "WARNING" in done.stdout


def test_files_of_a_sheet_hold_no_forces_of_other_places(hornbeam, ring, tmp_path):
    for gravity in ("true", "false"):
        hornbeam.ok("run", ring(gravity=gravity, end=0.02), "--overwrite")
        with h5py.File(tmp_path / "ring" / "snapshot_0001.hdf5") as file:
            assert not {"Acceleration", "Potential"} & set(file["PartType2"])
        with open(tmp_path / "ring" / "energy.csv", newline="") as file:
            for row in csv.DictReader(file):
                assert float(next(row[name] for name in row if name.startswith("potential"))) == 0 or row["step"] == "0"


def test_another_law_is_not_resumed_without_a_word(hornbeam, ring):
    hornbeam.ok("run", ring(end=0.02))
    longer = ("--set", f"time.end={0.03 * ORBIT}", "--resume")
    changed = hornbeam.error(2, "run", "ring.toml", *longer, "--set", "collisions.restitution=0.1")
    assert "collisions/restitution: was 0.5, is 0.1" in changed
    hornbeam.ok("run", "ring.toml", *longer)


def test_measures_of_a_ring_elsewhere_are_refused_before_anything_is_lost(hornbeam, config, tmp_path):
    hornbeam.ok("run", config())
    before = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert "output.ring_every" in hornbeam.error(2, "run", config(), "--overwrite", "--set", "output.ring_every=0.1")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == before


def test_a_heavy_tail_of_radii_needs_few_bodies(hornbeam):
    printed = hornbeam.ok("ic", "ring", "--radius-min", 1e-3, "--radius-max", 10, "-o", "r.hdf5", "--size-x", 20, "--size-y",
                          20)
    assert "bodies" in printed


def test_a_moonlet_rests_among_bodies_that_make_room(hornbeam, tmp_path):
    options = ["--units", "si", "--radius-max", 2, "--size-x", 100]
    printed = hornbeam.ok("ic", "ring", *options, "--moonlet-radius", 15, "--moonlet-density", 900, "-o", "moonlet.hdf5")
    assert "a moonlet of radius 15, mass 1.27235e+07, Hill radius 25.39" in printed
    x, v, r, m = state(tmp_path / "moonlet.hdf5")
    assert r[-1] == 15 and m[-1] == pytest.approx(900 * 4 / 3 * math.pi * 15**3) and not x[-1].any() and not v[-1].any()
    assert (np.linalg.norm(x[:-1], axis=1) >= 15 + r[:-1]).all()
    assert m[:-1].sum() / 2e4 == pytest.approx(400, rel=0.01)
    hornbeam.ok("ic", "ring", *options, "--moonlet-radius", 15, "-o", "same.hdf5")
    assert state(tmp_path / "same.hdf5")[3][-1] == pytest.approx(400 * 4 / 3 * math.pi * 15**3)
    refused = hornbeam.error(2, "ic", "ring", *options, "--moonlet-radius", 49, "-o", "no.hdf5")
    assert "ring.moonlet-radius: is 49, which leaves no space for the other bodies" in refused


def test_piles_do_not_sink(hornbeam, ring, tmp_path):
    """Spheres of 900 kg/m^3 that gather under their own gravity, on steps and with a speed as docs/collisions.md asks for."""
    text = ring(edge=16, density=2400, ghosts=1, gravity="true", dt=0.001, end=0.6).read_text()
    soft = text.replace("[units]", "particle_density = 900\n[units]").replace("restitution = 0.5", "restitution = 0.1")
    least = next(line for line in text.splitlines() if line.startswith("minimum_velocity"))
    (tmp_path / "ring.toml").write_text(soft.replace(least, "minimum_velocity = 2e-3"))
    hornbeam.ok("run", "ring.toml", "--threads", 1)
    begun = hornbeam.json("analyze", "ring/snapshot_0001.hdf5", "--ring")["ring"]
    assert begun["largest_overlap"] > 0.1 and begun["overlapping_pairs"] > begun["bodies"] / 2
    hard = soft[soft.index("[units]"):].replace(least, "minimum_velocity = 4e-2")
    hard = hard.replace("end = ", f"end = {0.8 * ORBIT} #").replace("dt = ", f"dt = {0.0002 * ORBIT} #")
    hard = hard.replace("\nevery = ", f"\nevery = {0.1 * ORBIT} #").replace('directory = "ring"', 'directory = "hard"')
    (tmp_path / "hard.toml").write_text('[input]\nfile = "ring/snapshot_0001.hdf5"\n' + hard)
    hornbeam.ok("run", "hard.toml", "--threads", 1)
    ended = hornbeam.json("analyze", "hard/snapshot_0002.hdf5", "--ring")["ring"]
    assert ended["largest_overlap"] < 0.05 and ended["mean_overlap"] < 0.01
    assert ended["overlapping_pairs"] > ended["bodies"] / 4


def test_a_snapshot_of_no_sheet_is_no_ring(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 50, "-o", "p.hdf5")
    assert "has no record of a shearing sheet" in hornbeam.error(1, "analyze", "p.hdf5", "--ring")


def test_a_model_says_what_it_drew_and_files_keep_the_radii(hornbeam, tmp_path):
    printed = hornbeam.ok("ic", "ring", "--radius-max", 4, "--units", "si", "-o", "ring.hdf5")
    assert "optical depth 0.34" in printed and "critical wavelength 61" in printed
    hornbeam.ok("convert", "ring.hdf5", "ring.csv")
    hornbeam.ok("convert", "ring.csv", "back.hdf5")
    for one, other in zip(state(tmp_path / "ring.hdf5"), state(tmp_path / "back.hdf5")):
        assert one == pytest.approx(other, rel=1e-12)


def test_what_reads_its_snapshots_says_what_they_leave_out(hornbeam, ring, tmp_path):
    hornbeam.ok("run", ring())
    printed = hornbeam.ok("analyze", "ring/snapshot_0001.hdf5", "--energy")
    assert "do not include the images of the run's box" in printed
    (tmp_path / "next.toml").write_text('[input]\nfile = "ring/snapshot_0001.hdf5"\n[time]\ndt = 1\nend = 13000\n'
                                        '[watchdog]\nenergy = 0\n[output]\ndirectory = "next"\n')
    printed = hornbeam.ok("run", "next.toml", "--set", "time.dt=4000")
    assert "snapshot_0001.hdf5's shear box of 60 x 60 x 0" in printed and "was made with collisions" in printed


def test_piles_that_will_sink_are_warned_of_and_noise_has_no_pitch(hornbeam, ring):
    ring(edge=16, density=400, ghosts=0, gravity="true", dt=0.001, end=0.002)
    out = hornbeam.ok("run", "ring.toml", "--threads", 1)
    assert out.count("WARNING: gravity will press resting bodies into one another: collisions.minimum_velocity = ") == 1
    assert "m^2/s" in hornbeam.ok("analyze", "ring/snapshot_0001.hdf5", "--ring")
    assert "gravity will press" not in hornbeam.ok("run", "ring.toml", "--threads", 1, "--overwrite",
                                                "--set", "collisions.minimum_velocity=4e-3")
    ring(edge=16, density=400, ghosts=0, gravity="false", dt=0.001, end=0.002)
    assert "gravity will press" not in hornbeam.ok("run", "ring.toml", "--threads", 1, "--overwrite")
    found = hornbeam.json("analyze", "ring/snapshot_0001.hdf5", "--ring")["ring"]
    assert found["wake_pitch"] is None and "wake_contrast" in found
    assert "wake_pitch" not in hornbeam.ok("analyze", "ring/snapshot_0001.hdf5", "--ring")
    hornbeam.ok("analyze", "ring/snapshot_0001.hdf5", "--ring", "--csv", "ring.csv")
