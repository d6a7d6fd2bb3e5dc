# SPDX-License-Identifier: Apache-2.0
"""Hornbeam as a code of AMUSE, through its sockets: against closed forms, and in a bridge with another code.
Run where amuse-framework and mpi4py are: pip install mpi4py amuse-framework amuse-bhtree (docs/amuse.md)."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mpi4py", reason="mpi4py is not installed, which workers of AMUSE need: hornbeam.amuse is not tested")
pytest.importorskip("amuse", reason="amuse-framework is not installed: hornbeam.amuse is not tested")
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

from amuse.community.interface.gd import GravitationalDynamicsInterface  # noqa: E402
from amuse.couple.bridge import Bridge, CalculateFieldForCodesUsingReinitialize  # noqa: E402
from amuse.datamodel import Particles  # noqa: E402
from amuse.ic.plummer import new_plummer_model  # noqa: E402
from amuse.rfi.core import legacy_function  # noqa: E402
from amuse.support.exceptions import CodeException  # noqa: E402
from amuse.units import constants, nbody_system, units  # noqa: E402

from backends import BACKENDS  # noqa: E402
from hornbeam.amuse import Hornbeam, HornbeamInterface, HornbeamKick  # noqa: E402

length, speed, mass, time = (nbody_system.length, nbody_system.speed, nbody_system.mass, nbody_system.time)


@pytest.fixture
def start():
    """Codes, stopped at the end."""
    codes = []

    def one(code=Hornbeam, *arguments, **parameters):
        codes.append(code(*arguments, channel_type="sockets"))
        for name, value in parameters.items():
            setattr(codes[-1].parameters, name, value)
        return codes[-1]

    yield one
    for code in codes:
        code.stop()


def bodies(masses, positions, velocities, radius=0.0):
    found = Particles(len(masses))
    found.mass, found.position, found.velocity = masses | mass, positions | length, velocities | speed
    found.radius = radius | length
    return found


def drawn(n, converter=None, seed=3):
    return new_plummer_model(n, converter, random=np.random.RandomState(seed))


def small_sphere(total, size, place, motion, seed):
    """In equilibrium, of that mass and virial radius."""
    sphere = drawn(200, seed=seed)
    sphere.scale_to_standard()
    sphere.move_to_center()
    sphere.mass, sphere.radius = sphere.mass * total, 0 | length
    sphere.position = sphere.position * size + (place | length)
    sphere.velocity = sphere.velocity * (total / size) ** 0.5 + (motion | speed)
    return sphere


def test_particles_without_a_radius_have_none(start):
    """The default of AMUSE's own interface; in units, and by the plain call."""
    code = start()
    few = Particles(2)
    few.mass, few.velocity = [1, 2] | mass, np.zeros((2, 3)) | speed
    few.position = [[0, 0, 0], [1, 0, 0]] | length
    code.particles.add_particles(few)
    assert list(code.particles.radius.number) == [0, 0]
    with_one = bodies([1, 1], [[2, 0, 0], [3, 0, 0]], np.zeros((2, 3)), radius=0.5)
    code.particles.add_particles(with_one)
    assert list(code.particles.radius.number) == [0, 0, 0.5, 0.5]
    converted = start(Hornbeam, nbody_system.nbody_to_si(1 | units.MSun, 1 | units.AU))
    stars = Particles(2)
    stars.mass, stars.velocity, stars.position = 1 | units.MSun, np.zeros((2, 3)) | units.kms, [[0, 0, 0], [1, 0, 0]] | units.AU
    converted.particles.add_particles(stars)
    assert list(converted.particles.radius.number) == [0, 0]


def test_the_earth_goes_round(start):
    converter = nbody_system.nbody_to_si(1 | units.MSun, 1 | units.AU)
    e, a = 0.3, 1 | units.AU
    pair = Particles(2)
    pair.mass = [1, 1e-9] | units.MSun
    pair.position, pair.velocity, pair.radius = [0, 0, 0] | units.AU, [0, 0, 0] | units.kms, 0 | units.AU
    pair[1].x = a * (1 - e)
    pair[1].vy = (constants.G * pair.total_mass() / a * (1 + e) / (1 - e)) ** 0.5
    code = start(Hornbeam, converter, direct=True, timestep=0.05 | units.day)
    code.particles.add_particles(pair)
    period = 2 * np.pi * (a**3 / (constants.G * pair.total_mass())) ** 0.5
    for share in (0.37, 1.0):
        code.evolve_model(share * period)
        assert code.model_time / period == pytest.approx(share, rel=1e-12)
        mean, anomaly = 2 * np.pi * share, 2 * np.pi * share
        for _ in range(50):  # Kepler's equation
            anomaly = mean + e * np.sin(anomaly)
        way = (code.particles[1].position - code.particles[0].position).value_in(units.AU)
        expected = [np.cos(anomaly) - e, np.sqrt(1 - e**2) * np.sin(anomaly), 0]
        assert way == pytest.approx(expected, abs=3e-5)  # of a leapfrog of 7300 steps: falls with their square


def test_a_plummer_sphere_keeps_its_energy(start):
    converter = nbody_system.nbody_to_si(1e4 | units.MSun, 2 | units.parsec)
    sphere = drawn(1000, converter)
    code = start(Hornbeam, converter, direct=True, epsilon_squared=(0.05 | units.parsec) ** 2,
                 timestep=5e-4 * converter.to_si(1 | time))
    code.particles.add_particles(sphere)
    theirs = sphere.kinetic_energy(), sphere.potential_energy(smoothing_length_squared=(0.05 | units.parsec) ** 2)
    assert code.kinetic_energy / theirs[0] == pytest.approx(1, rel=1e-9)
    assert code.potential_energy / theirs[1] == pytest.approx(1, rel=1e-9)
    unit = converter.to_si(1 | nbody_system.energy)
    before = (code.kinetic_energy + code.potential_energy) / unit
    assert before == pytest.approx(-0.25, abs=0.02)  # -3 pi / 64 G M^2 / a: of a thousand stars, and softened
    code.evolve_model(converter.to_si(0.05 | time))
    assert (code.kinetic_energy + code.potential_energy) / unit == pytest.approx(before, abs=1e-6)
    assert code.total_mass / (1e4 | units.MSun) == pytest.approx(1, rel=1e-12)


def test_fields_at_points(start):
    code = start(epsilon_squared=0.04 | length**2)
    code.particles.add_particles(bodies([2.0, 1.0], [[1, 0, 0], [0, 3, 0]], np.zeros((2, 3))))
    places = [0, 0, 5] | length, [0, 1, 0] | length, [0, 0, 0] | length
    for eps in (0.0, 0.5):
        found = code.get_gravity_at_point([eps] * 3 | length, *places)
        phi = code.get_potential_at_point([eps] * 3 | length, *places).value_in(speed**2)
        for k, place in enumerate(np.transpose([p.value_in(length) for p in places])):
            way = np.array([[1, 0, 0], [0, 3, 0]]) - place
            r = np.sqrt((way**2).sum(1) + 0.04 + eps**2)
            assert phi[k] == pytest.approx(-(np.array([2, 1]) / r).sum(), rel=1e-6)
            pulls = (np.array([2, 1]) / r**3) @ way
            assert [a[k].value_in(nbody_system.acceleration) for a in found] == pytest.approx(pulls, rel=1e-6, abs=1e-9)
    assert code.particles.potential_in_code[1].value_in(speed**2) == pytest.approx(-2 / np.sqrt(10.04), rel=1e-6)


def test_bodies_that_meet_stop_the_run_and_may_merge(start):
    code = start(timestep=0.01 | time)
    code.particles.add_particles(bodies([1e-9] * 3, [[-1, 0, 0], [1, 0, 0], [0, 9, 0]], [[1, 0, 0], [-1, 0, 0], [0, 0, 0]],
                                        radius=0.1))
    met = code.stopping_conditions.collision_detection
    met.enable()
    assert met.is_supported() and met.is_enabled()
    code.evolve_model(2 | time)
    assert met.is_set() and code.model_time.value_in(time) == pytest.approx(0.9, abs=0.011)
    first, second = met.particles(0)[0], met.particles(1)[0]
    assert sorted([first.x.value_in(length), second.x.value_in(length)]) == pytest.approx([-0.1, 0.1], abs=0.011)
    both = Particles(particles=[first, second])
    one = bodies([2e-9], [both.center_of_mass().value_in(length)], [both.center_of_mass_velocity().value_in(speed)], 0.126)
    code.particles.remove_particles(both)
    code.particles.add_particles(one)
    code.evolve_model(2 | time)
    assert not met.is_set() and code.model_time == 2 | time and len(code.particles) == 2
    assert code.total_mass.value_in(mass) == pytest.approx(3e-9)


def test_all_pairs_that_meet_are_reported(start):
    code = start(timestep=1 / 128 | time)
    places = [[x, 0.008 * (k % 2), 0] for k, x in enumerate((-101.0, -100, -0.5, 0.5, 100, 101))]
    code.particles.add_particles(bodies([1e-12] * 6, places, [[2, 0, 0], [-2, 0, 0]] * 3, radius=0.01))
    met = code.stopping_conditions.collision_detection
    met.enable()
    code.evolve_model(1 | time)
    assert met.particles(0).x.number.round(1).tolist() == [-100.5, 0, 100.5] and len(met.particles(1)) == 3
    code.evolve_model(0.4 | time)
    assert not met.is_set() and code.model_time == 0.4 | time  # they touch still


def test_a_missing_index():
    code = HornbeamInterface(channel_type="sockets")
    state = dict(x=0, y=0, z=0, vx=0, vy=0, vz=0)  # the radius is 0 where it is not given
    assert [code.new_particle(mass=m, **state)["__result"] for m in (1, 2)] == [0, 0]
    for call in ("get_index_of_next_particle", "get_mass", "get_state"):
        assert getattr(code, call)(7)["__result"] == -1
    found = code.get_mass([0, 7, 1])
    assert found["mass"][[0, 2]].tolist() == [1, 2] and found["__result"].tolist() == [0, -1, 0]
    code.stop()


def test_answers_have_the_names_of_amuse():
    """Of the calls of AMUSE's own interface, in its order, whatever the worker calls them."""
    code = HornbeamInterface(channel_type="sockets")
    code.new_particle([1.0, 2.0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0])
    for call in dir(GravitationalDynamicsInterface):
        if not call.startswith("get_") or not isinstance(getattr(GravitationalDynamicsInterface, call), legacy_function):
            continue
        theirs, ours = (getattr(one, call).specification for one in (GravitationalDynamicsInterface, HornbeamInterface))
        for kind in ("input_parameters", "output_parameters"):
            assert [p.name for p in getattr(ours, kind)] == [p.name for p in getattr(theirs, kind)], call
        if call != "get_indices_of_colliding_particles":
            answer = getattr(code, call)(*[0] * len(theirs.input_parameters))
            assert answer["__result"] == 0 and list(answer.keys())[:-1] == [p.name for p in theirs.output_parameters]
    assert code.set_eps2(0.25) == 0 and code.get_eps2()["epsilon_squared"] == 0.25
    code.stop()


def test_papers_to_cite(start):
    start()
    assert "AMUSE-Hornbeam" in HornbeamInterface.all_literature_references_string()
    assert "Barnes, J. & Hut, P., 1986" in HornbeamInterface.all_literature_references_string()


def test_what_leaves_a_box_stops_the_run(start):
    code = start(timestep=0.125 | time, stopping_conditions_out_of_box_size=2 | length)
    inside = code.particles.add_particles(bodies([1e-9] * 3, [[0, 0, 0], [1, 0, 0], [0, 0, 1.5]],
                                                 [[0, 0, 0], [-1, 0, 0], [0, 0, 1]]))
    left = code.stopping_conditions.out_of_box_detection
    left.enable()
    code.evolve_model(2 | time)
    assert left.is_set() and code.model_time.value_in(time) == pytest.approx(0.625, abs=1e-9)
    assert len(left.particles(0)) == 1 and left.particles(0)[0] == inside[2]


@pytest.mark.parametrize("direct", [False, True])
def test_bodies_meet_in_sums_over_all_pairs(start, direct):
    """Two unsoftened bodies fall together from rest: they touch when the two-body problem says."""
    code = start(timestep=1e-3 | time, direct=direct)
    code.particles.add_particles(bodies([0.5, 0.5], [[-0.5, 0, 0], [0.5, 0, 0]], [[0, 0, 0]] * 2, radius=0.1))
    met = code.stopping_conditions.collision_detection
    met.enable()
    code.evolve_model(2 | time)
    x = 0.2  # of the distance at the start; GM = 1
    fall = (np.arccos(np.sqrt(x)) + np.sqrt(x * (1 - x))) / np.sqrt(2)
    assert met.is_set() and code.model_time.value_in(time) == pytest.approx(fall, abs=2e-3)


def test_a_velocity_that_is_none_is_mended(start):
    code = start(epsilon_squared=0.01 | length**2)
    code.particles.add_particles(drawn(10))
    code.evolve_model(0.1 | time)
    kept = code.particles[0].velocity
    code.particles[0].velocity = [np.nan, 0, 0] | speed
    with pytest.raises(CodeException, match="velocity x = nan: must be finite"):
        code.evolve_model(0.2 | time)
    code.particles[0].velocity = kept
    code.evolve_model(0.2 | time)
    assert code.model_time == 0.2 | time and np.isfinite(code.particles.ax.number).all()


def test_steps_are_counted(start):
    code = start(timestep=0.25 | time)
    code.particles.add_particles(drawn(10))
    limit = code.stopping_conditions.number_of_steps_detection
    limit.enable()
    code.parameters.stopping_conditions_number_of_steps = 3
    code.evolve_model(1.9 | time)  # in steps of 1.9 / 8
    assert limit.is_set() and code.model_time.value_in(time) == pytest.approx(3 * 1.9 / 8)
    limit.disable()
    code.evolve_model(1.9 | time)
    assert not limit.is_set() and code.model_time == 1.9 | time
    assert not code.stopping_conditions.pair_detection.is_supported()


def test_particles_in_and_out(start):
    code = start(epsilon_squared=0.01 | length**2)
    sphere = drawn(30)
    inside = code.particles.add_particles(sphere)
    assert (inside.position - sphere.position).lengths().max() == 0 | length
    code.evolve_model(0.1 | time)
    code.particles.remove_particle(inside[7])
    more = code.particles.add_particles(bodies([0.5], [[4, 0, 0]], [[0, 1, 0]], 0.2))
    assert len(code.particles) == 30 and code.particles[-1].mass == 0.5 | mass and more[0].radius == 0.2 | length
    code.particles[3].velocity = [0, 0, 7] | speed
    code.particles[3].mass = 0.25 | mass
    code.evolve_model(0.2 | time)
    assert code.particles[3].vz > 5 | speed and code.particles[3].mass == 0.25 | mass
    channel = code.particles.new_channel_to(sphere)
    channel.copy_attributes(["x", "vz"])
    assert sphere[3].vz == code.particles[3].vz


def test_what_was_copied_can_be_copied_back(start):
    code = start(epsilon_squared=0.01 | length**2)
    code.particles.add_particles(drawn(10))
    copied = code.particles.copy()
    copied.vx += 1 | speed
    copied.copy_values_of_all_attributes_to(code.particles)
    assert (code.particles.vx == copied.vx).all()
    assert code.particles.ax.number == pytest.approx(copied.ax.number, rel=1e-5)  # fp32


def test_what_the_worker_refuses(start):
    code = start(timestep=-1 | time)
    code.particles.add_particles(drawn(5))
    with pytest.raises(CodeException, match="timestep: received -1.0"):
        code.evolve_model(1 | time)
    code.parameters.timestep = 0.1 | time
    code.parameters.backend = "abacus"
    with pytest.raises(CodeException, match="abacus"):
        code.evolve_model(1 | time)


class LogarithmicHalo:
    """A galaxy with a flat rotation curve of speed 1, as a field for bridges."""

    def get_gravity_at_point(self, eps, x, y, z):
        r2 = x**2 + y**2 + z**2
        return [-(1 | speed**2) * way / r2 for way in (x, y, z)]

    def get_potential_at_point(self, eps, x, y, z):
        return 0.5 * (1 | speed**2) * np.log((x**2 + y**2 + z**2).value_in(length**2))


def test_a_cluster_in_a_galaxy(start):
    """Its centre goes round in 2 pi R / v, and it stays together."""
    code = start(epsilon_squared=4e-6 | length**2, timestep=0.05 | time)
    code.particles.add_particles(small_sphere(1e-4, 0.05, [10, 0, 0], [0, 1, 0], 5))
    bridge = Bridge(timestep=0.1 | time)
    bridge.add_system(code, (LogarithmicHalo(),))
    quarter = 5 * np.pi
    bridge.evolve_model(quarter | time)
    centre = code.particles.center_of_mass().value_in(length)
    assert centre == pytest.approx([0, 10, 0], abs=0.02)
    assert code.particles.center_of_mass_velocity().value_in(speed) == pytest.approx([-1, 0, 0], abs=0.02)
    assert code.model_time.value_in(time) == pytest.approx(quarter, abs=0.1)


def test_two_codes_in_a_bridge(start):
    """Two spheres, each in a code of its own, go round one another as two points do. BHTree's default angle of 0.75 pushes
    its own sphere by 0.01 within this time, which is all of what is allowed; with 0.3 it is 1e-4."""
    code = pytest.importorskip("amuse.community.bhtree.interface", reason="amuse-bhtree is not installed").BHTree
    round_speed = 0.5 * 0.1**0.5  # of two points of mass 0.1 at a distance of 2
    systems = {}
    for side, made in ((1, Hornbeam), (-1, code)):
        systems[side] = start(made, epsilon_squared=4e-4 | length**2, timestep=0.01 | time, opening_angle=0.3)
        systems[side].particles.add_particles(small_sphere(0.1, 0.05, [side, 0, 0], [0, side * round_speed, 0], 4 + side))
    ours, theirs = systems[1], systems[-1]
    bridge = Bridge(timestep=0.05 | time)
    bridge.add_system(ours, (theirs,))
    bridge.add_system(theirs, (ours,))
    bridge.evolve_model(0.2 * np.pi / round_speed | time)
    for side, system in systems.items():
        found = system.particles.center_of_mass().value_in(length)
        assert found == pytest.approx([side * np.cos(0.2 * np.pi), side * np.sin(0.2 * np.pi), 0], abs=0.005)


def test_a_kick_code_between_two_codes(start):
    """As the bridge above, with the fields of both summed by HornbeamKick, which has its own particles."""
    spheres = {side: small_sphere(0.1, 0.05, [side, 0, 0], [0, side * 0.5 * 0.1**0.5, 0], 4 + side) for side in (1, -1)}
    systems, kicks = {}, {}
    for side, sphere in spheres.items():
        systems[side] = start(epsilon_squared=4e-4 | length**2, timestep=0.01 | time)
        systems[side].particles.add_particles(sphere)
        kicks[side] = start(HornbeamKick, epsilon_squared=4e-4 | length**2)
    bridge = Bridge(timestep=0.05 | time)
    for side, system in systems.items():
        bridge.add_system(system, (CalculateFieldForCodesUsingReinitialize(kicks[-side], (systems[-side],)),))
    bridge.evolve_model(0.2 * np.pi / (0.5 * 0.1**0.5) | time)
    for side, system in systems.items():
        found = system.particles.center_of_mass().value_in(length)
        assert found == pytest.approx([side * np.cos(0.2 * np.pi), side * np.sin(0.2 * np.pi), 0], abs=0.01)


@pytest.mark.parametrize("backend", BACKENDS)
def test_codes_on_a_chosen_device(start, backend):
    """By the parameters of both codes; a device that is not there is an error of the worker."""
    sphere, energies = new_plummer_model(200), []
    for name in ("cpu", backend):
        code = start(epsilon_squared=0.01 | length**2, timestep=1 / 64 | time, backend=name)
        code.particles.add_particles(sphere)
        code.evolve_model(0.25 | time)
        kick = start(HornbeamKick, epsilon_squared=0.01 | length**2, backend=name)
        kick.particles.add_particles(sphere)
        energies.append([one.potential_energy.number for one in (code, kick)])
    assert energies[1] == pytest.approx(energies[0], rel=1e-4)  # trees differ in their groups
    with pytest.raises(CodeException, match="99"):
        code = start(backend=backend, device=99)
        code.particles.add_particles(sphere)
        code.evolve_model(0.25 | time)


def test_a_kick_code_in_units(start):
    converter = nbody_system.nbody_to_si(1 | units.MSun, 1 | units.AU)
    code = start(HornbeamKick, converter)
    sun = Particles(1)
    sun.mass, sun.position = 1 | units.MSun, [[0, 0, 0]] | units.AU
    code.particles.add_particles(sun)
    unit = constants.G * (1 | units.MSun) / (1 | units.AU) ** 2
    for x, expected in ((0, -1.0), (3, 0.25)):
        code.particles.position = [[x, 0, 0]] | units.AU
        ax = code.get_gravity_at_point(0 | units.AU, 1 | units.AU, 0 | units.AU, 0 | units.AU)[0]
        assert ax / unit == pytest.approx(expected, rel=1e-6)  # fp32
    assert code.particles.x[0] / (3 | units.AU) == pytest.approx(1) and code.potential_energy == 0 * code.potential_energy


def test_the_page_runs(tmp_path):
    """docs/amuse.md, from its first block to its last: a cluster goes round a galaxy at 8 kpc."""
    root = Path(__file__).resolve().parents[2]
    sys.path.insert(0, str(root / "tools"))
    import run_page

    names = run_page.run(root / "docs" / "amuse.md", tmp_path)
    assert names["bridge"].model_time.value_in(units.Myr) == pytest.approx(10) and len(names["stars"]) == 1000
