# SPDX-License-Identifier: Apache-2.0
"""The worker behind hornbeam.amuse without AMUSE: what it answers about no particles, and that it does not outlive the
script that started it. tests/python/test_amuse.py has the rest, where AMUSE is installed."""

import socket
import subprocess
import sys
import types

import numpy as np
import pytest
from backends import BACKENDS
from conftest import direct

import hornbeam as hb

pytestmark = pytest.mark.usefixtures("open_device")

# of MPI the worker only turns the start off
without_mpi = "import sys, types; sys.modules['mpi4py'] = types.SimpleNamespace(rc=types.SimpleNamespace())"


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", types.SimpleNamespace(rc=types.SimpleNamespace()))
    from hornbeam.amuse_worker import Worker

    return Worker()


def holder():
    return types.SimpleNamespace(value="not set")


def add(worker, masses, position=0.0):
    n = len(masses)
    state = dict.fromkeys(("y", "z", "vx", "vy", "vz", "radius"), np.zeros(n))
    index = holder()
    assert worker.new_particle(index, mass=np.array(masses, float), x=np.full(n, position), **state) == 0
    return index.value


def asked(worker, call, *names, **given):
    """The status of a call, and what its holders were set to."""
    holders = {name: holder() for name in names}
    status = getattr(worker, call)(**holders, **given)
    return status, [one.value for one in holders.values()]


undefined = {"get_center_of_mass_position": ("x", "y", "z"), "get_center_of_mass_velocity": ("vx", "vy", "vz")}


@pytest.mark.parametrize("call", undefined)
@pytest.mark.parametrize("masses", [[], [0.0, 0.0]])
def test_a_centre_of_no_mass_is_an_error_code(worker, call, masses):
    add(worker, masses)
    assert asked(worker, call, *undefined[call]) == (-1, ["not set"] * len(undefined[call]))
    add(worker, [2.0], position=3.0)
    status, values = asked(worker, call, *undefined[call])
    assert status == 0 and np.isfinite(values).all()


def test_the_radius_of_all(worker):
    """0 of none, as AMUSE's codes answer; of massless ones it has no centre."""
    assert asked(worker, "get_total_radius", "radius") == (0, [0.0])
    add(worker, [0.0, 0.0])
    assert asked(worker, "get_total_radius", "radius") == (-1, ["not set"])
    add(worker, [2.0], position=3.0)
    assert asked(worker, "get_total_radius", "radius") == (0, [3.0])


def test_what_no_particles_have(worker):
    """Sums are 0, a field is 0 everywhere, and there is no first particle."""
    for call, name in (("get_total_mass", "mass"), ("get_kinetic_energy", "kinetic_energy"),
                       ("get_potential_energy", "potential_energy"), ("get_number_of_particles", "number_of_particles")):
        assert asked(worker, call, name) == (0, [0])
    points = {"eps": np.zeros(2), "x": np.ones(2), "y": np.ones(2), "z": np.ones(2), "npoints": 2}
    status, field = asked(worker, "get_gravity_at_point", "ax", "ay", "az", **points)
    assert status == 0 and np.array_equal(field, np.zeros((3, 2)))
    assert asked(worker, "get_potential_at_point", "phi", **points)[1][0].tolist() == [0, 0]
    index = np.array([0])
    for call, names in (("get_acceleration", ("ax", "ay", "az")), ("get_potential", ("potential",)), ("get_mass", ("mass",)),
                        ("get_position", ("x", "y", "z"))):
        assert asked(worker, call, *names, index_of_the_particle=index)[0] == -1
    assert asked(worker, "get_index_of_first_particle", "index_of_the_particle")[0] == -1
    assert worker.evolve_model(1.0) == 0 and asked(worker, "get_time", "time") == (0, [1.0])


def test_a_missing_index_leaves_the_others_right(worker):
    add(worker, [1.0, 2.0, 4.0])
    index = np.array([0, 7, 2])
    status, (mass,) = asked(worker, "get_mass", "mass", index_of_the_particle=index)
    assert status.tolist() == [0, -1, 0] and mass[[0, 2]].tolist() == [1, 4] and np.isnan(mass[1])
    state = {name: np.array([5.0, 6.0, 7.0]) for name in ("mass", "x", "y", "z", "vx", "vy", "vz", "radius")}
    assert worker.set_state(index, **state).tolist() == [0, -1, 0]
    status, (x, radius) = asked(worker, "get_state", "x", "radius", index_of_the_particle=index, **{
        name: holder() for name in ("mass", "y", "z", "vx", "vy", "vz")})
    assert status.tolist() == [0, -1, 0] and x[[0, 2]].tolist() == [5, 7] and radius[[0, 2]].tolist() == [5, 7]
    assert asked(worker, "get_mass", "mass", index_of_the_particle=np.array([1])) == (0, [[2]])
    status, values = asked(worker, "get_acceleration", "ax", "ay", "az", index_of_the_particle=np.array([1, 9]))
    assert status.tolist() == [0, -1] and np.isfinite([one[0] for one in values]).all()
    assert worker.delete_particle(index).tolist() == [0, -1, 0] and asked(worker, "get_total_mass", "mass") == (0, [2])


def test_all_pairs_that_meet_are_reported_once(worker):
    """Three pairs at t = 0.49, and another one at t = 1, which a second body comes to."""
    n = 7
    state = {name: np.zeros(n) for name in ("z", "vy", "vz")}
    state["y"] = 0.008 * (np.arange(n) % 2)
    x = np.array([-101.0, -100, -0.5, 0.5, 100, 101, 104])
    vx = np.array([2.0, -2, 2, -2, 2, -2, -4])
    assert worker.new_particle(holder(), mass=np.full(n, 1e-12), x=x, vx=vx, radius=np.full(n, 0.01), **state) == 0
    worker.set_time_step(1 / 128)
    worker.enable_stopping_condition(0)
    reported = []
    for _ in range(20):
        worker.evolve_model(1.0)
        if not worker.met:
            break
        reported.append(sorted(pair for _, pair in worker.met))
    assert reported[0] == [(0, 1), (2, 3), (4, 5)] and worker.time == 1.0
    later = [pair for pairs in reported[1:] for pair in pairs]
    assert len(set(later)) == len(later) and not set(later) & set(reported[0])


@pytest.mark.parametrize("dt", [1 / 2048, 1 / 128])
def test_bodies_that_throw_one_another_off_touch_no_third(worker, dt):
    """Two bodies come together at the end of a step, where their unsoftened gravity is without bound: what they would do with
    their speeds after it has not happened."""
    n = 7
    state = dict.fromkeys(("y", "z", "vy", "vz"), np.zeros(n))
    worker.values.update(direct=True, time_step=dt)
    worker.new_particle(holder(), mass=np.full(n, 1e-8), x=np.array([-101.0, -100, -0.5, 0.5, 100, 101, 104]),
                        vx=np.array([2.0, -2, 2, -2, 2, -2, -4]), radius=np.full(n, 1e-4), **state)
    worker.enable_stopping_condition(0)
    worker.evolve_model(1.0)
    assert worker.time == pytest.approx(0.25, abs=dt) and sorted(pair for _, pair in worker.met) == [(0, 1), (2, 3), (4, 5)]


def test_the_next_of_the_last_is_code_1(worker):
    def following(k):
        return asked(worker, "get_index_of_next_particle", "index_of_the_next_particle", index_of_the_particle=k)

    add(worker, [1.0, 2.0, 4.0])
    worker.delete_particle(np.array([1]))
    assert [following(k) for k in (0, 2, 1, 7)] == [(0, [2]), (1, [-1]), (-1, [-1]), (-1, [-1])]


def flying(worker, x, vx, mass=1e-12):
    """Particles along x, in steps of 1/8."""
    zeros = dict.fromkeys(("y", "z", "vy", "vz", "radius"), np.zeros(len(x)))
    worker.new_particle(holder(), mass=np.full(len(x), mass), x=np.array(x), vx=np.array(vx), **zeros)
    worker.set_time_step(1 / 8)


@pytest.mark.parametrize("of_mass", [False, True])
def test_a_particle_that_leaves_the_box_stops_the_run(worker, of_mass):
    """The box is a sphere about the origin, or about the centre of mass; whatever is beyond it is reported."""
    flying(worker, [-3.0, 10.0, 20.0, 22.0], [0.0, 0.0, 1.0, 1.0])
    worker.set_stopping_condition_out_of_box_parameter(11.0 if of_mass else 20.45)
    worker.set_stopping_condition_out_of_box_use_center_of_mass_parameter(of_mass)
    assert worker.enable_stopping_condition(5) == 0
    worker.evolve_model(4.0)
    if of_mass:  # the centre is at 12.25 + t / 2
        assert worker.time == 1 / 8 and worker.met == [(5, (0,))]
    else:
        assert worker.time == 1 / 8 and worker.met == [(5, (3,))]
        worker.delete_particle(np.array([3]))
        worker.evolve_model(4.0)
        assert worker.time == 1 / 2 and worker.met == [(5, (2,))]
    worker.disable_stopping_condition(5)
    worker.evolve_model(4.0)
    assert worker.time == 4.0 and not worker.met


def test_steps_back_undo_steps(worker):
    """A leapfrog is reversible: to rounding of its sums."""
    flying(worker, [-1.0, 1.0, 0.3], [0.1, -0.1, 0.0], mass=0.5)
    worker.values.update(eps2=0.01, direct=True)
    worker.evolve_model(1.0)
    there = worker.particles.position.copy()
    with pytest.raises(ValueError, match="is_time_reversed_allowed"):
        worker.evolve_model(0.25)
    worker.set_is_time_reversed_allowed(True)
    worker.evolve_model(-1.0)
    assert worker.time == -1.0 and not np.allclose(worker.particles.position, [[-1, 0, 0], [1, 0, 0], [0.3, 0, 0]], atol=0.01)
    worker.evolve_model(0.0)
    assert np.allclose(worker.particles.position, [[-1, 0, 0], [1, 0, 0], [0.3, 0, 0]], atol=1e-12)
    worker.evolve_model(1.0)
    assert np.allclose(worker.particles.position, there, atol=1e-12)


def test_particles_that_were_all_removed(worker):
    index = add(worker, [1.0, 2.0])
    assert worker.delete_particle(index) == 0
    assert asked(worker, "get_center_of_mass_position", "x", "y", "z")[0] == -1
    assert asked(worker, "get_total_mass", "mass") == (0, [0])


@pytest.mark.parametrize("block", [False, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_worker_computes_on_the_chosen_device(worker, field, backend, block):
    """Steps, energies and fields are those of the CPU, to the rounding of fp32."""
    draw = np.random.default_rng(6)
    place, masses, points = draw.normal(size=(500, 3)), draw.uniform(0.5, 1.5, 500) / 500, draw.normal(size=(40, 3))
    state = {"mass": masses, **dict(zip("xyz", place.T))}
    found = {}
    for name in ("cpu", backend):
        worker.begin()
        worker.values.update(eps2=0.01, time_step=1 / 64, block_steps=block, backend=name, device=0)
        index = holder()
        worker.new_particle(index, **state, **dict.fromkeys(("vx", "vy", "vz", "radius"), np.zeros(500)))
        worker.evolve_model(0.5)
        assert worker.simulation.backend.split(" ")[0] == name
        field.begin()
        field.values.update(eps2=0.01, backend=name, device=0)
        field.new_particle(holder(), **state)
        found[name] = [np.transpose(asked(worker, "get_position", "x", "y", "z", index_of_the_particle=index.value)[1]),
                       asked(worker, "get_potential_energy", "potential_energy")[1][0], *at_points(worker, points),
                       *at_points(field, points)]
    for here, there in zip(found["cpu"], found[backend]):
        assert np.linalg.norm(here - there) < 1e-3 * np.linalg.norm(here)  # trees differ in their groups at theta = 0.6


def test_a_device_that_is_not_there(worker):
    add(worker, [1, 1])
    worker.values.update(backend=BACKENDS[-1], device=99)
    with pytest.raises(hb.Error, match="99"):
        worker.evolve_model(1.0)


@pytest.fixture
def field(worker):
    from hornbeam.amuse_worker import FieldWorker

    return FieldWorker()


def at_points(worker, places, eps=0.0):
    """Accelerations (n, 3) and potentials (n)."""
    points = {"eps": np.full(len(places), eps), **dict(zip("xyz", np.transpose(places))), "npoints": len(places)}
    pull = np.transpose(asked(worker, "get_gravity_at_point", "ax", "ay", "az", **points)[1])
    return pull, asked(worker, "get_potential_at_point", "phi", **points)[1][0]


def test_fields_of_particles_that_are_put_there(field):
    """Against sums over all pairs, before and after particles are changed, added and removed: a tree follows them."""
    draw = np.random.default_rng(6)
    place, masses, points = draw.normal(size=(500, 3)), draw.uniform(0.5, 1.5, 500), draw.normal(size=(40, 3))
    field.values.update(eps2=0.01)
    index = holder()
    field.new_particle(index, mass=masses, **dict(zip("xyz", place.T)))

    def check(eps=0.0):
        pull, phi = direct(place, masses, np.hypot(0.1, eps), points)
        found = at_points(field, points, eps)
        # at theta = 0.6: the tree's own error
        assert np.linalg.norm(found[0] - pull) < 1e-3 * np.linalg.norm(pull) and np.allclose(found[1], phi, rtol=1e-3)
        energy = asked(field, "get_potential_energy", "potential_energy")[1][0]
        assert energy == pytest.approx(0.5 * (masses * direct(place, masses, 0.1)[1]).sum(), rel=1e-3)

    check()
    check(eps=0.3)
    masses[:250] *= 4
    assert field.set_mass(index.value[:250], mass=masses[:250]) == 0
    check()
    place[7] = [9.0, 0, 0]
    assert field.set_position(index.value[7:8], x=[9.0], y=[0.0], z=[0.0]) == 0
    check()
    field.delete_particle(index.value[:100])
    field.new_particle(holder(), mass=masses[:50], **dict(zip("xyz", place[:50].T + 1)))
    place, masses = np.concatenate([place[100:], place[:50] + 1]), np.concatenate([masses[100:], masses[:50]])
    check()
    field.values.update(opening_angle=0.0)
    field.recommit_parameters()
    assert np.allclose(at_points(field, points)[0], direct(place, masses, 0.1, points)[0], rtol=1e-5)  # fp32
    field.cleanup_code()
    assert not at_points(field, points)[0].any() and asked(field, "get_potential_energy", "potential_energy") == (0, [0.0])


def test_the_field_of_a_code_follows_its_particles(worker):
    flying(worker, [0.0, 1.0], [0.0, 1.0], mass=0.5)
    here = [[0.0, 2.0, 0.0]]
    assert at_points(worker, here)[1] == pytest.approx(-0.25 - 0.5 / 5**0.5, rel=1e-6)
    worker.set_position(np.array([1]), x=[0.0], y=[4.0], z=[0.0])
    assert at_points(worker, here)[1] == pytest.approx(-0.5, rel=1e-6)
    before = worker.evolve_model(1.0), at_points(worker, here)[1]
    apart = np.linalg.norm(worker.particles.position - here, axis=1)
    assert before[1] == pytest.approx(-(0.5 / apart).sum(), rel=1e-6) and apart[1] > 2.1


def begun(code):
    """A process in which a worker is connected to this one, as AMUSE's script of a worker connects it; it runs `code`."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        start = f"""
{without_mpi}
import socket, numpy as np
from hornbeam.amuse_worker import connection as waits, start_worker
waits._seconds_to_end = waits._seconds_of_a_message = 0.2
worker = start_worker()
connection = socket.create_connection(("127.0.0.1", {server.getsockname()[1]}))
{code}
"""
        process = subprocess.Popen([sys.executable, "-c", start], stderr=subprocess.PIPE)
        script, _ = server.accept()
    return process, script


computing = """
zeros = np.zeros(3)
state = dict(mass=zeros + 1, x=np.array([1., 0, 0]), y=np.array([0, 1., 0]), z=zeros, vx=zeros, vy=zeros, vz=zeros)
worker.values.update({"eps2": 0.01, "time_step": 1e-3, "threads": 1, "backend": "cpu", **VALUES})
worker.new_particle(types.SimpleNamespace(), **state, radius=zeros)
connection.sendall(b"b")
CALL
"""
# a call without steps
many_points = "while True: worker.field(*np.ones((4, 100_000)))"


@pytest.mark.parametrize("values, call", [("{}", "worker.evolve_model(1e8)"), ("{'direct': True}", many_points),
                                          ("{'block_steps': True}", "worker.evolve_model(1e8)"),
                                          ("{'direct': True}", "worker.evolve_model(1e8)")])
def test_a_worker_that_computes_ends_with_its_script(values, call):
    """The connection closes when the script is killed, too."""
    process, script = begun(computing.replace("VALUES", values).replace("CALL", call))
    try:
        with script:
            script.settimeout(60)
            assert script.recv(1) == b"b"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.15)
        assert process.wait(10) == 1
    finally:
        process.kill()
        process.communicate()


def test_a_worker_ends_with_the_call_that_was_given_up():
    """After Ctrl-C AMUSE's script sends another call, to stop the worker, and would wait for the first one to end."""
    call = "assert connection.recv(4) == b'call'\nworker.evolve_model(1e8)"
    process, script = begun(computing.replace("VALUES", "{}").replace("CALL", call))
    try:
        with script:
            script.settimeout(60)
            assert script.recv(1) == b"b"
            script.sendall(b"call")
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.6)
            script.sendall(b"stop")
            assert process.wait(10) == 1
    finally:
        process.kill()
        process.communicate()


def test_a_worker_that_waits_ends_as_it_likes():
    """AMUSE's loop finds the connection closed by itself."""
    process, script = begun("while connection.recv(1): pass\nsys.exit(7)")
    script.close()
    assert process.wait(10) == 7
    process.communicate()
