# SPDX-License-Identifier: Apache-2.0
"""Measures and pictures: the same numbers as `hornbeam analyze`, and known ones."""

import json
import subprocess

import numpy as np
import pytest

import hornbeam as hb


def analyze(program, folder, snapshot, *arguments):
    hb.write(folder / "s.hdf5", snapshot)
    done = subprocess.run([program, "analyze", "s.hdf5", *arguments, "--json"], cwd=folder, capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


def test_measures_are_those_of_the_command(program, tmp_path):
    sphere = hb.ic.plummer(2000, seed=2)
    told = analyze(program, tmp_path, sphere, "--energy", "--profile", "--lagrangian")
    energy, radii = hb.analysis.energy(sphere), hb.analysis.lagrangian_radii(sphere, [0.1, 0.5, 0.9])
    flat = json.dumps(told)
    assert json.dumps(energy.total) in flat and json.dumps(float(radii[1])) in flat
    assert energy.total == pytest.approx(-0.25, rel=0.05) and hb.analysis.virial_ratio(sphere) == pytest.approx(1, abs=0.1)
    profile = hb.analysis.profile(sphere)
    assert json.dumps(profile["density"].tolist()[3]) in flat and len(profile["radius"]) == 32
    assert (np.diff(profile["mass"]) >= 0).all()
    beta = hb.analysis.anisotropy(sphere, bins=8)["anisotropy"]
    assert np.median(np.abs(beta)) < 0.1 and hb.analysis.centre_of_density(sphere).shape == (3,)


@pytest.fixture(scope="module")
def galaxy():
    return hb.ic.galaxy(4000, seed=3)


def test_discs_and_groups(galaxy):
    disc = hb.analysis.disc(galaxy, bins=10)
    assert disc["rotation"].mean() > 3 * disc["vertical_dispersion"].mean()
    assert 0 <= hb.analysis.bar(galaxy, bins=10)["strength"] < 0.6
    two = hb.ic.plummer(500, seed=1) + hb.ic.plummer(300, seed=2)
    two.position[500:, 0] += 50
    found = hb.analysis.groups(two, linking_length=1.0)
    assert found["size"].tolist()[0] > 400 and found["size"].tolist()[1] > 200
    assert abs(found["position"][1, 0] - 50) < 1 and set(found["group"][:500]) <= {0, -1}


@pytest.mark.parametrize("wrong", [
    lambda s: hb.analysis.profile(s, bins=0), lambda s: hb.analysis.profile(s, edges=[2, 1]),
    lambda s: hb.analysis.lagrangian_radii(s, [2.0]), lambda s: hb.analysis.energy(s, eps=-1),
    lambda s: hb.analysis.energy(s, softening="none"), lambda s: hb.analysis.disc(s), lambda s: hb.analysis.energy(7),
    lambda s: hb.analysis.groups(s, linking_length=-1), lambda s: hb.plot.density(s, axis="w")])
def test_measures_that_cannot_be(wrong):
    with pytest.raises(hb.Error):
        wrong(hb.ic.plummer(50))


def test_pictures(galaxy, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    simulation = hb.Simulation(hb.ic.plummer(300, units="galactic"), dt=0.01, eps=0.05)
    axes = hb.plot.density(simulation)
    simulation.run(0.1)
    assert hb.plot.density(simulation).get_title() == f"t = {simulation.time * 0.977792:.4g} Gyr"
    assert axes.get_xlabel() == "x [kpc]" and axes.images[0].get_array().shape == (16, 16)
    assert len(hb.plot.profile(simulation).lines) == 1
    assert len(hb.plot.rotation(galaxy, bins=8).lines) == 4
    hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, output={"directory": "out"})
    figure = hb.plot.energy("out").figure
    figure.set_layout_engine("none")  # the arrangement of axes would take longer than drawing them
    figure.savefig("energy.png")
    hb.run(model="plummer", n=64, dt=1 / 16, end=0.5, units="galactic", output={"directory": "units"}, watchdog={"energy": 0})
    axes = hb.plot.energy("units/energy.csv")
    assert axes.get_xlabel() == "time [Gyr]" and len(axes.lines[-1].get_xdata()) > 1
    with pytest.raises(hb.Error, match="energy.csv"):
        hb.plot.energy("nowhere/energy.csv")


def told_and_found(program, path, flag, found):
    """What the command says of a file, and what Python does, number for number."""
    done = subprocess.run([program, "analyze", str(path), flag, "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)[flag[2:].replace("-", "_")]
    assert told.keys() == found.keys()
    for key, value in told.items():
        assert value == (found[key].tolist() if isinstance(found[key], np.ndarray) else found[key]), key
    return told


@pytest.mark.filterwarnings("ignore:gravity presses")
def test_a_ring(program, tmp_path):
    sim = hb.Simulation(model="ring", ic={"size_x": 60, "size_y": 60}, units="si", eps=0.1, dt=47.8,
                        boundary={"kind": "shear", "size": [60, 60, 0], "n_ghost_x": 1, "n_ghost_y": 1,
                                  "omega": 1.3143527e-4}, collisions={"law": "constant"})
    sim.step(5)
    sim.write(tmp_path / "r.hdf5")
    told = told_and_found(program, tmp_path / "r.hdf5", "--ring", hb.analysis.ring(tmp_path / "r.hdf5"))
    assert hb.analysis.ring(sim) == told
    bare = hb.Snapshot(sim.position, sim.velocity, sim.mass, radius=sim.radius, units="si", time=sim.time)
    sheet = {"size": [60, 60, 0], "n_ghost_x": 1, "n_ghost_y": 1, "omega": 1.3143527e-4}
    assert hb.analysis.ring(bare, boundary=sheet)["optical_depth"] == told["optical_depth"]
    assert hb.analysis.ring(sim, self_gravity=False)["gravitational_viscosity"] == 0
    with pytest.raises(hb.UsageError, match="sheet"):
        hb.analysis.ring(bare)
    with pytest.raises(hb.UsageError, match="speed"):
        hb.analysis.ring(bare, boundary={**sheet, "speed": 1})


def test_exact_flows(program, tmp_path):
    sim = hb.Simulation(model="sod", n=1152, dt=0.02, boundary={"kind": "periodic", "size": [2, 0.125, 0.125]},
                        gas={"eos": "ideal", "gamma": 1.4, "self_gravity": False})
    sim.run(0.1)
    sim.write(tmp_path / "s.hdf5")
    told = told_and_found(program, tmp_path / "s.hdf5", "--exact", hb.analysis.exact(tmp_path / "s.hdf5"))
    found = hb.analysis.exact(sim)
    assert found["density_error"] == told["density_error"] and len(found["x"]) == 200
    by_hand = hb.analysis.exact(sim.particles, "sod", gamma=1.4)
    assert by_hand["density_error"] == told["density_error"]
    assert hb.analysis.exact(sim.particles, "sod", gamma=1.4, pressure=2)["density_error"] > told["density_error"]
    with pytest.warns(hb.HornbeamWarning, match="are of the model sod, and are measured as sedov"):
        hb.analysis.exact(sim, "sedov")
    given = hb.Simulation(hb.ic.plummer(20), dt=0.1)
    for what in (sim.particles, given):
        with pytest.raises(hb.Error, match="without a record of their model .*made with model=... and the files of their runs have the record"):
            hb.analysis.exact(what)
    with pytest.raises(hb.Error, match="vortex, whose flow is not known"):
        hb.analysis.exact(sim.particles, "vortex")


def test_exact_flows_leave_out_what_is_not_there_and_refuse_other_gas():
    tube = hb.Simulation(model="sod", n=1152, dt=1e-4, eos="ideal", gas={"self_gravity": False})
    tube.run(1e-3)  # neither side of the contact has gas 0.03 from its ends yet
    found = hb.analysis.exact(tube)
    assert "plateau_velocity_off" not in found and "density_error" in found
    ball = hb.Simulation(model="evrard", n=500, dt=0.01, eps=0.05, eos="ideal")
    ball.run(0.01)
    assert hb.analysis.exact(ball)["kinetic"] > 0
    with pytest.raises(hb.Error, match="the gas has a mass of 1, and the model has 2"):
        hb.analysis.exact(ball, mass=2)
    with pytest.raises(hb.Error, match="received time 0.01 .give a time from 0 to 0.0012.*10 "):
        hb.analysis.exact(ball, radius=0.0025)


def test_what_an_impact_leaves(program, tmp_path):
    random = np.random.default_rng(1)
    planet = random.normal(size=(500, 3))
    disc = np.c_[20 * np.cos(np.arange(40)), 20 * np.sin(np.arange(40)), np.zeros(40)]
    circular = np.sqrt(500 / 20) * np.c_[-np.sin(np.arange(40)), np.cos(np.arange(40)), np.zeros(40)]
    body = hb.Snapshot(np.r_[planet, disc, [[50, 0, 0]]], np.r_[0 * planet, circular, [[90, 0, 0]]],
                       np.ones(541), density=np.r_[np.full(500, 1.0), np.full(41, 0.01)], family="gas",
                       internal_energy=1.0, material=np.r_[np.zeros(500), np.ones(41)])
    hb.write(tmp_path / "b.hdf5", body)
    told = told_and_found(program, tmp_path / "b.hdf5", "--disc-mass", hb.analysis.disc_mass(tmp_path / "b.hdf5"))
    assert (told["planet_mass"], told["disc_mass"], told["escaping_mass"]) == (500, 40, 1)
    assert hb.analysis.disc_mass(body, planet_density=0.5)["planet_density"] == 0.5
    with pytest.raises(hb.UsageError, match="planet_density"):
        hb.analysis.disc_mass(body, planet_density=-1)


def test_black_holes_and_half_masses(program, tmp_path):
    galaxy = hb.ic.plummer(2000) + hb.Snapshot([[3.0, 0, 0], [0, 4, 0]], [[0, 0, 1.0], [0, 0, 0]], family="black_hole")
    hb.write(tmp_path / "g.hdf5", galaxy)
    told = told_and_found(program, tmp_path / "g.hdf5", "--black-holes", hb.analysis.black_holes(galaxy))
    assert told == {"count": 2, "distance": 5, "speed": 1}
    assert hb.analysis.half_mass_radius(hb.ic.plummer(2000)) == pytest.approx(0.77, rel=0.1)


def test_energies_of_a_run_count_its_potentials(tmp_path):
    sim = hb.Simulation(hb.ic.plummer(300), dt=0.01, gravity={"softening": "spline"}, potential={"kind": "point", "mass": 5.0, "scale": 1})
    sim.write(tmp_path / "s.hdf5")
    expected = sim.energy().total
    assert hb.analysis.energy(sim).total == pytest.approx(expected, rel=1e-3)
    assert hb.analysis.energy(tmp_path / "s.hdf5").total == pytest.approx(expected, rel=1e-3)
    assert hb.analysis.energy(sim.particles).total > 0.5 * expected


def test_groups_of_a_primary_family():
    chain = np.column_stack([np.arange(20) * 0.5, np.zeros(20), np.zeros(20)])
    family = np.repeat(["halo", "gas", "halo"], [8, 4, 8])
    cloud = hb.Snapshot(chain, 0 * chain, np.ones(20), family=family)
    cloud.internal_energy = np.ones(20)
    assert len(hb.analysis.groups(cloud, 0.6, min_members=2)["size"]) == 1
    found = hb.analysis.groups(cloud, 0.6, min_members=2, primary="halo")
    assert found["size"].tolist() == [9, 9] and found["group"].tolist() == [0] * 9 + [-1] * 2 + [1] * 9
    some = hb.analysis.groups(cloud, 0.6, min_members=2, primary=["halo"], family=["halo", "gas"])
    assert some["group"].tolist() == found["group"].tolist()
    with pytest.raises(hb.Error, match="the particles are gas, halo"):
        hb.analysis.groups(cloud, 0.6, primary="star")
    with pytest.raises(hb.UsageError, match="primary: received 4"):
        hb.analysis.groups(cloud, 0.6, primary=4)


def test_groups_of_families_and_in_a_box(program, tmp_path):
    place = np.random.default_rng(2).uniform(size=(600, 3))
    cloud = hb.Snapshot(place, mass=1.0, family=np.where(np.arange(600) % 3 == 0, "star", "halo"))
    hb.write(tmp_path / "c.hdf5", cloud)
    options = {"linking_length": 0.12, "min_members": 5, "box": 1.0}
    flags = ["--groups", "--types", "star", "--linking-length", "0.12", "--min-members", "5", "--box", "1", "--json"]
    command = [program, "analyze", str(tmp_path / "c.hdf5"), *flags]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    found = hb.analysis.groups(cloud, family="star", unbind=True, **options)
    without = hb.analysis.groups(cloud, family="star", **options)
    by_member = hb.analysis.groups(cloud, family=hb.Family.star, **options)
    assert (by_member["group"] == without["group"]).all()
    with pytest.raises(hb.UsageError, match="family: received 4 .must be one of gas, halo"):
        hb.analysis.groups(cloud, family=4, **options)
    assert without["size"][:20].tolist() == told["groups"]["members"] and len(without["size"]) > 0
    assert (without["group"][cloud.family != hb.Family.star] == -1).all() and len(without["group"]) == 600
    for number, size in enumerate(without["size"]):
        assert (without["group"] == number).sum() == size
    assert (without["most_bound"] == -1).all()
    assert (cloud.family[found["most_bound"]] == hb.Family.star).all()
    assert (found["group"][found["most_bound"]] == np.arange(len(found["size"]))).all()
    assert hb.analysis.groups(cloud, 0.12, box=0)["spans_box"].sum() == 0
    with pytest.warns(hb.HornbeamWarning, match="extend beyond the box: .* are wrapped into it"):
        hb.analysis.groups(cloud, 0.12, box=0.3)


def test_radii_of_particles_on_walls_are_warned_of():
    corner = np.random.default_rng(1).normal(size=(300, 3)) * 0.03
    box = hb.Snapshot((corner + 0.5 + 0.5) % 1 - 0.5, mass=1.0, eps=0.01)
    box.boundary = {"kind": "periodic", "size": [1, 1, 1]}
    for use in (hb.analysis.half_mass_radius, hb.analysis.profile, hb.analysis.centre_of_density, hb.analysis.anisotropy):
        with pytest.warns(hb.HornbeamWarning, match="ignore that the box is periodic"):
            use(box)


def test_where_pulls_point_outwards_there_is_no_circular_velocity():
    angle = np.random.default_rng(2).random(4000) * 2 * np.pi
    radius = np.repeat([0.3, 1.0], [100, 3900])  # a light ring inside a heavy one, which pulls it outwards
    place = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * angle], 1)
    turning = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], 1)
    rings = hb.Snapshot(place, turning, np.where(radius < 0.5, 1e-6, 1.0), family="disc", eps=0.01)
    found = hb.analysis.disc(rings, edges=[0.25, 0.35, 0.95, 1.05])
    assert np.isnan(found["circular_velocity"][0]) and np.isnan(found["toomre_q"][0])
    assert found["circular_velocity"][-1] > 0


def test_maps_of_density_have_the_coordinates_of_the_particles():
    pytest.importorskip("matplotlib")
    cloud = hb.ic.plummer(1000, seed=1)
    cloud.position[:] += [100, 50, 0]
    left, right, low, high = hb.plot.density(cloud, extent=6).images[0].get_extent()
    assert (left, right) == pytest.approx((97, 103), abs=0.2) and (low, high) == pytest.approx((47, 53), abs=0.2)


def test_the_virial_ratio_counts_external_potentials_as_energies():
    """A circular orbit is in equilibrium, and has |W| of sum m phi (docs/analysis.md)."""
    potential = {"kind": "plummer", "mass": 1.0, "scale": 1.0}
    field = hb.forces.external(potential, [[2.0, 0, 0]])
    speed = np.sqrt(-2 * field["acceleration"][0, 0])
    sim = hb.Simulation(hb.Snapshot([[2.0, 0, 0]], [[0, speed, 0]], [3.0]), dt=0.01, eps=0.1, potential=potential, backend="cpu",
                        precision="double")
    assert hb.analysis.energy(sim).potential == pytest.approx(3 * field["potential"][0])
    assert hb.analysis.virial_ratio(sim) == pytest.approx(0.8)  # x . grad phi / |phi| = r^2 / (r^2 + 1)
