# SPDX-License-Identifier: Apache-2.0
"""hornbeam run --dry-run: memory, time and the step that the particles ask for; nothing is written."""
import re

import h5py
import numpy as np
import pytest


def test_it_writes_nothing_and_suggests_a_step(hornbeam, config):
    name = config("[gravity]\neps = 0.05\n", n=3000, dt=0.5, end=8)
    out = hornbeam.ok("run", name, "--dry-run")
    assert not (hornbeam.folder / "out").exists()
    assert "dry run, nothing is written: 3000 particles on" in out and "16 steps: about 0:" in out
    assert re.search(r"memory: at most \d+(\.\d+)? [KMG]B of the host", out), out
    all_of_them, most = map(float, re.search(r"is (\S+) for all particles and (\S+) for 99 %", out).groups())
    # from the accelerations that the run's first snapshot holds
    hornbeam.ok("run", name, "--set", "time.end=0.5", "--set", "watchdog.energy=0")
    with h5py.File(hornbeam.folder / "out" / "snapshot_0000.hdf5") as file:
        size = np.linalg.norm(file["PartType1/Acceleration"][:], axis=1)
    times = np.sort(0.3 * np.sqrt(0.05 / size))
    assert np.isclose(all_of_them, times[0], rtol=0.02) and np.isclose(most, times[30], rtol=0.02)
    assert f"dt is longer than this for {np.searchsorted(times, 0.5)} particles" in out
    assert "WARNING" not in hornbeam.ok("run", name, "--dry-run", "--set", f"time.dt={times[0] / 2}")


def test_its_advice_is_in_units_of_times_and_ends_its_warning(hornbeam):
    """With [units] time a plain number in a key is one of those units, so the advice must name its own."""
    (hornbeam.folder / "u.toml").write_text('''[ic]\nmodel = "hernquist"\nn = 2000\nscale = "1 kpc"\nmass = "1e10 Msun"
[units]\nlength = "kpc"\nmass = "Msun"\nvelocity = "km/s"\ntime = "Myr"\n[gravity]\neps = "20 pc"\n[time]\ndt = 20\nend = 100\n''')
    said = hornbeam.ok("run", "u.toml", "--dry-run")
    advised = re.search(r'take time.dt = ("\S+ Myr")', said).group(1)
    assert "WARNING" not in hornbeam.ok("run", "u.toml", "--dry-run", "--set", f"time.dt={advised}")
    gone = hornbeam.error(3, "run", "u.toml", "--set", "watchdog.energy=1e-9", "--set", "watchdog.every=1")
    assert "t = 20 Myr: the energy" in gone and "take time.dt = " in gone and ' Myr"' in gone


def test_a_run_says_that_its_step_is_far_too_long(hornbeam, config):
    """Where it is longer than sqrt(eps / |a|) for many; not of a step that is a little long, nor in a run of few steps."""
    name = config("[gravity]\neps = 0.05\n", n=1000, dt=0.5, end=8)
    said = hornbeam.run("run", name, "--set", "watchdog.energy=0").stdout
    found = re.search(r"WARNING: .*dt is longer than this for (\d+) particles .* take time.dt = (\S+),", said)
    assert found and int(found[1]) > 900, said
    for change in (f"time.dt={2 * float(found[2])}", "time.end=2", 'time.steps="block"'):
        assert "dt is longer" not in hornbeam.ok("run", name, "--overwrite", "--set", "watchdog.energy=0", "--set", change)


def test_no_particles_ask_for_no_step(hornbeam):
    (hornbeam.folder / "none.csv").write_text("x,y,z,vx,vy,vz,mass\n")
    (hornbeam.folder / "none.toml").write_text('[input]\nfile = "none.csv"\n[gravity]\neps = 0.1\n[time]\ndt = 0.1\nend = 2\n')
    assert "so no step is suggested" in hornbeam.ok("run", "none.toml", "--dry-run")


def test_it_refuses_what_a_run_refuses(hornbeam, config):
    assert "longer than the whole run" in hornbeam.error(2, "run", config(n=10, dt=10, end=1), "--dry-run")


def test_steps_are_by_each_particles_own_softening(hornbeam):
    """A galaxy whose parts have different softenings: the times are the particles' own."""
    hornbeam.ok("ic", "galaxy", "-n", 3000, "-o", "g.npz")
    (hornbeam.folder / "g.toml").write_text('[input]\nfile = "g.npz"\n[time]\ndt = 0.01\nend = 1\n')
    said = hornbeam.ok("run", "g.toml", "--dry-run")
    hornbeam.ok("force", "g.npz", "-o", "f.npz")
    found = np.load(hornbeam.folder / "f.npz")
    assert len(np.unique(found["eps"])) > 2
    times = np.sort(0.3 * np.sqrt(found["eps"] / np.linalg.norm(found["acceleration"], axis=1)))
    all_of_them, most = map(float, re.search(r"is (\S+) for all particles and (\S+) for 99 %", said).groups())
    assert np.isclose(all_of_them, times[0], rtol=0.02) and np.isclose(most, times[30], rtol=0.02)


def heating(hornbeam, halo_number, **more):
    (hornbeam.folder / "g.toml").write_text(f"""[ic]\nmodel = "galaxy"\nn = {5000 + halo_number}\ndisc_number = 4000
bulge_number = 1000\nhalo_number = {halo_number}\neps = 0.05\n[time]\ndt = 0.01\nend = 1\n""")
    said = hornbeam.ok("run", "g.toml", "--dry-run", *(f"--set={key}={value}" for key, value in more.items()))
    words = re.search(r"heating: particles of the halo, (\S+) each, raise sigma_z of the disc at R = (\S+) from (\S+) to (\S+) until", said)
    return said, *map(float, words.groups())


def test_heating_of_a_disc(hornbeam):
    """It goes with the mass of a halo particle and with time, and says how many particles would keep the disc thin."""
    few, mass, radius, before, after = heating(hornbeam, 1000)
    many, tenth, _, _, later = heating(hornbeam, 10000)
    assert mass == 6 / 1000 and tenth == 6 / 10000 and 1.4 < radius < 1.9  # half of an exponential disc: 1.68 scales
    ratio = (after**2 - before**2) / (later**2 - before**2)
    assert 7 < ratio < 13  # 10, but for the halo's chance in the shell
    _, _, _, _, longer = heating(hornbeam, 1000, **{"time.end": 4})
    assert (longer**2 - before**2) / (after**2 - before**2) == pytest.approx(4, rel=0.1)  # three digits are printed
    # Chandrasekhar's rate by hand: the halo is Hernquist's of mass 6 and scale 2.5, whose dispersion is some v_c / sqrt(2)
    density = 6 * 2.5 / (2 * np.pi * radius * (radius + 2.5) ** 3)
    speed = np.sqrt(6 * radius / (radius + 2.5) ** 2 + 1 / radius)  # and half of the disc and the bulge, roughly
    rate = 0.6 * density * mass * np.log(radius / 0.05) * 5.59 / (speed / np.sqrt(2))
    assert (after**2 - before**2) / rate == pytest.approx(1, abs=0.35)
    assert "WARNING: the disc thickens" in heating(hornbeam, 1000, **{"time.end": 40})[0]
    assert "WARNING: the disc thickens" not in many


def test_no_heating_without_disc_or_halo(hornbeam, config):
    assert "heating" not in hornbeam.ok("run", config("[gravity]\neps = 0.05\n"), "--dry-run")


def test_it_is_no_resume(hornbeam, config):
    for other in ("--resume", "--overwrite", "--resume-or-start"):
        assert "--dry-run" in hornbeam.error(2, "run", config(), "--dry-run", other)


def test_block_steps(hornbeam, config):
    out = hornbeam.ok("run", config("[gravity]\neps = 0.05\n"), "--dry-run", "--set", "time.steps=block")
    assert "step: 0.3 sqrt(eps / |a|) is" in out and "WARNING: dt" not in out and "steps of different lengths" in out


GALAXY = '''[units]
system = "galactic"
[ic]
model = "galaxy"
n = 3000
disc_mass = 4
bulge_mass = 1
halo_mass = 60
disc_scale = 3
disc_height = 0.3
bulge_scale = 0.6
bulge_truncation = 6
halo_scale = 25
halo_truncation = 250
[time]
dt = "1 Myr"
end = "2 Myr"
'''


@pytest.mark.parametrize("settings, warnings", [
    (["ic.eps=0.1"], []),
    (["ic.eps=100"], ["the softening, 100, exceeds the radius", "the softening of the disc, 100, exceeds its height, 0.29"]),
    (["ic.eps=0.1", "ic.black_hole_mass=4e-4"], ["the black hole has only 0.0"]),
    (["ic.halo_mass=0", "potential.kind=nfw", "potential.m200=100", "potential.c=10"], ["it is not in balance and will contract"]),
])
def test_galaxies_that_do_not_last(hornbeam, settings, warnings):
    (hornbeam.folder / "g.toml").write_text(GALAXY)
    said = hornbeam.ok("run", "g.toml", "--dry-run", *(word for setting in settings for word in ("--set", setting)))
    for part in ("exceeds the radius", "exceeds its height", "the black hole has only", "not in balance"):
        assert (part in said) == any(part in text for text in warnings), said
    assert all(text in said for text in warnings), said
