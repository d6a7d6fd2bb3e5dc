# SPDX-License-Identifier: Apache-2.0
"""hornbeam force: the shape of its answer, its accuracy, and the smallest and the worst inputs."""

import json

import h5py
import numpy as np
import pytest

SECONDS = {"bound", "key", "sort", "reorder", "build", "moments", "walk", "total", "transfer"}
ERRORS = {"sampled", "acc_mean", "acc_rms", "acc_median", "acc_p90", "acc_p99", "acc_max", "promised_rms", "promised_p99",
          "promised_max", "pot_mean", "momentum"}


def write_csv(folder, rows, name="p.csv", header="x,y,z,vx,vy,vz,mass"):
    (folder / name).write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return name


def test_json_has_the_contracts_fields(hornbeam):
    answer = hornbeam.json("force", "--ic", "plummer", "-n", 5000, "--check", 5000, "--repeat", 3, "--eps", 0.01,
                           "--threads", 1, "--theta", 0.6)
    expected = {"n": 5000, "backend": "cpu", "threads": 1, "walk": "group", "mac": "offset", "theta": 0.6,
                "theta_c": 0.6, "order": 2, "expansion": 4, "softening": "plummer", "eps": 0.01,
                "eps_source": "option", "precision": "mixed"}
    assert {key: answer[key] for key in expected} == expected
    assert isinstance(answer["device"], str)
    assert set(answer["seconds"]) == SECONDS
    assert set(answer["interactions_per_particle"]) == {"particle", "cell", "expansion"}
    assert set(answer["bytes"]) == {"particles", "tree", "scratch"}
    assert answer["particles_per_second"] == pytest.approx(5000 / answer["seconds"]["total"], rel=1e-9)
    assert set(answer["error"]) == ERRORS
    assert answer["error"]["sampled"] == 5000
    assert 0 < answer["error"]["acc_mean"] < 1e-3  # truncation at theta = 0.6


def test_defaults_of_eps(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 500, "--seed", 2, "-o", "p.hdf5")
    model, file = hornbeam.json("force", "--ic", "plummer", "-n", 500, "--seed", 2), hornbeam.json("force", "p.hdf5")
    assert model["eps_source"] == "model" and file["eps_source"] == "file" and model["eps"] == file["eps"] > 0.05
    hornbeam.ok("force", "--ic", "galaxy", "-n", 500, "-o", "a.hdf5")
    hornbeam.ok("ic", "galaxy", "-n", 500, "-o", "g.hdf5")
    hornbeam.ok("force", "g.hdf5", "-o", "b.hdf5")
    with h5py.File(hornbeam.folder / "a.hdf5") as a, h5py.File(hornbeam.folder / "b.hdf5") as b:
        for name in ("Acceleration", "Softening", "Coordinates"):
            assert np.array_equal(a["PartType2"][name][:], b["PartType2"][name][:])
    none = hornbeam.json("force", "--ic", "plummer", "-n", 500, "--eps", 0)
    assert none["eps"] == 0 and none["eps_source"] == "option"
    write_csv(hornbeam.folder, [(0, 0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0, 1)])
    assert hornbeam.json("force", "p.csv")["eps_source"] == "default"
    assert "--eps 0" in hornbeam.ok("force", "--help")


def test_unsoftened_twins_are_said(hornbeam):
    rows = [(k // 2, 0, 0, 0, 0, 0, 1) for k in range(8)] + [(0, 5, 0, 0, 0, 0, 1)]
    write_csv(hornbeam.folder, rows)
    twins = "8 of 9 unsoftened particles have exactly the position of another one: these do not attract one another"
    assert twins in hornbeam.ok("force", "p.csv") and twins in hornbeam.json("force", "p.csv")["notes"][0]
    assert "exactly the position" not in hornbeam.ok("force", "p.csv", "--eps", 0.1)
    start = '[input]\nfile = "p.csv"\n[gravity]\neps = {}\n[time]\ndt = 0.001\nend = 0.001\n[output]\ndirectory = "out"\n'
    for eps, said in ((0, True), (0.1, False)):
        (hornbeam.folder / "t.toml").write_text(start.format(eps))
        assert (twins in hornbeam.ok("run", "t.toml", "--overwrite")) == said


def test_every_flag_reaches_the_evaluation(hornbeam):
    answer = hornbeam.json("force", "--ic", "plummer", "-n", 1000, "--theta", 0.5, "--theta-c", 0.4, "--mac", "bh",
                           "--order", 0, "--expansion", 0, "--eps", 0.1, "--softening", "spline", "--walk",
                           "stackless", "--curve", "morton", "--precision", "double", "--leaf-size", 8,
                           "--group-size", 16, "--backend", "cpu", "--device", 0, "--seed", 3)
    expected = {"theta": 0.5, "theta_c": 0.4, "mac": "bh", "order": 0, "expansion": 0, "eps": 0.1,
                "softening": "spline", "walk": "stackless", "curve": "morton", "precision": "double", "leaf_size": 8,
                "group_size": 16, "backend": "cpu"}
    assert {key: answer[key] for key in expected} == expected


def test_output_holds_forces_in_input_order(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 300, "-o", "p.hdf5")
    hornbeam.ok("force", "p.hdf5", "--walk", "direct", "--precision", "double", "--eps", 0.1, "-o", "f.hdf5")
    with h5py.File(hornbeam.folder / "f.hdf5") as file, h5py.File(hornbeam.folder / "p.hdf5") as start:
        halo = file["PartType1"]
        x, m = halo["Coordinates"][:], halo["Masses"][:] if "Masses" in halo else np.full(300, 1 / 300)
        assert np.array_equal(x, start["PartType1/Coordinates"][:])
        d = x[None, :, :] - x[:, None, :]
        r2 = (d**2).sum(axis=2) + 0.1**2
        weights = m[None, :] / r2**1.5
        np.testing.assert_allclose(halo["Acceleration"][:], (weights[:, :, None] * d).sum(axis=1), rtol=1e-5, atol=1e-6)
        inverse = m[None, :] / np.sqrt(r2)
        np.fill_diagonal(inverse, 0.0)
        np.testing.assert_allclose(halo["Potential"][:], -inverse.sum(axis=1), rtol=1e-5)


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("walk", ["group", "stackless", "direct"])
def test_fewest_particles(hornbeam, n, walk):
    answer = hornbeam.json("force", "--ic", "uniform-cube", "-n", n, "--walk", walk, "--check", 5)
    assert answer["n"] == n
    assert answer["error"]["sampled"] == n


def test_two_particles_pull_each_other(hornbeam):
    write_csv(hornbeam.folder, [(0, 0, 0, 0, 0, 0, 1), (2, 0, 0, 0, 0, 0, 3)])
    hornbeam.ok("force", "p.csv", "-o", "f.hdf5")
    with h5py.File(hornbeam.folder / "f.hdf5") as file:
        np.testing.assert_allclose(file["PartType1/Acceleration"][:], [[0.75, 0, 0], [-0.25, 0, 0]], atol=1e-7)


def test_massless_tracers_feel_but_do_not_pull(hornbeam):
    write_csv(hornbeam.folder, [(0, 0, 0, 0, 0, 0, 1), (2, 0, 0, 0, 0, 0, 0)])
    hornbeam.ok("force", "p.csv", "-o", "f.hdf5")
    with h5py.File(hornbeam.folder / "f.hdf5") as file:
        np.testing.assert_allclose(file["PartType1/Acceleration"][:], [[0, 0, 0], [-0.25, 0, 0]], atol=1e-7)


def test_all_at_one_point(hornbeam):
    write_csv(hornbeam.folder, [(1, 2, 3, 0, 0, 0, 1)] * 500)
    hornbeam.ok("force", "p.csv", "--eps", 0.5, "-o", "f.hdf5")
    with h5py.File(hornbeam.folder / "f.hdf5") as file:
        assert np.all(file["PartType1/Acceleration"][:] == 0)
        np.testing.assert_allclose(file["PartType1/Potential"][:], -499 / 0.5, rtol=1e-6)


def test_one_particle_far_away_costs_no_accuracy(hornbeam):
    rng = np.random.default_rng(1)
    rows = [(*x, 0, 0, 0, 1) for x in rng.normal(size=(2000, 3))]
    write_csv(hornbeam.folder, [*rows, (1e12, 0, 0, 0, 0, 0, 1)])
    error = hornbeam.json("force", "p.csv", "--check", 2001)["error"]
    assert error["acc_mean"] < 2e-3  # as without it: truncation at theta = 0.6


@pytest.mark.parametrize("bad", ["nan", "inf", "-inf"])
def test_coordinates_that_are_no_numbers_name_the_particle(hornbeam, bad):
    write_csv(hornbeam.folder, [(0, 0, 0, 0, 0, 0, 1)] * 7 + [(0, bad, 0, 0, 0, 0, 1)])
    assert "7" in hornbeam.error(1, "force", "p.csv")


@pytest.mark.parametrize("rows, flags, parts", [
    # masses whose sum overflows, a place beyond single precision, a pull beyond double precision between unsoftened
    ([(0, 0, 0, 0, 0, 0, 1e308), (1, 0, 0, 0, 0, 0, 1e308)], (), ["particle 0", "masses", "units"]),
    ([(0, 0, 0, 0, 0, 0, 1), (1e39, 0, 0, 0, 0, 0, 1)], ("--precision", "single"), ["particle 1", "single", "double"]),
    ([(0, 0, 0, 0, 0, 0, 1), (1e-120, 0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0, 1)], ("--precision", "double"),
     ["particle 0", "1e-120 away", "eps"]),
])
def test_forces_that_are_no_numbers_name_the_particle_and_the_cause(hornbeam, rows, flags, parts):
    write_csv(hornbeam.folder, rows)
    for more in ([], ["--check", 2], ["--json"], ["-o", "f.hdf5"]):
        message = hornbeam.error(1, "force", "p.csv", *flags, *more)
        assert all(part in message for part in ["p.csv: ", "non-finite", *parts]), message
    assert not (hornbeam.folder / "f.hdf5").exists()


def test_negative_mass_names_the_particle(hornbeam):
    write_csv(hornbeam.folder, [(0, 0, 0, 0, 0, 0, 1)] * 4 + [(1, 0, 0, 0, 0, 0, -2)])
    message = hornbeam.error(1, "force", "p.csv")
    assert "4" in message and "-2" in message


@pytest.mark.parametrize("flags, part", [
    (("--theta", 2.5), "theta"),
    (("--theta", -0.5), "theta"),
    (("--theta", "nan"), "--theta"),
    (("--theta", "-0"), "--theta"),
    (("--theta", "wide"), "--theta"),
    (("--theta-c", -1), "--theta-c"),
    (("--theta-c", 1.5), "theta_c"),
    (("--eps", -1), "--eps"),
    (("--order", 1), "order"),
    (("--expansion", 7), "expansion"),
    (("--mac", "nearest"), "nearest"),
    (("--backend", "cpu", "--walk", "vote"), "vote"),
    (("--backend", "vulkan"), "vulkan"),
    (("--backend", "cuda", "--device", 99), "cuda"),
    (("--backend", "opencl", "--device", 99), "99"),
    (("--device", 99), "99"),
    (("--check", 0), "--check"),
    (("--repeat", 0), "--repeat"),
    (("--leaf-size", 0), "--leaf-size"),
])
def test_flags_out_of_range_are_wrong_usage(hornbeam, flags, part):
    assert part in hornbeam.error(2, "force", "--ic", "plummer", "-n", 10, *flags)


def test_every_device_of_this_machine_gives_the_forces_of_the_cpu(hornbeam):
    found = []
    for backend in dict.fromkeys(device["backend"] for device in hornbeam.json("info")["devices"]):
        done = hornbeam.run("force", "--ic", "plummer", "-n", 500, "--eps", 0.05, "--backend", backend, "--walk",
                            "direct", "--check", 500, "--json")
        assert done.returncode == 0, done.stderr  # PoCL's compiler talks on standard error
        answer = json.loads(done.stdout)
        assert answer["backend"] == backend
        assert answer["error"]["acc_max"] < 1e-4  # rounding of fp32 pairs where accelerations nearly cancel
        found.append(backend)
    assert "cpu" in found


def test_one_source_is_needed(hornbeam):
    assert "FILE" in hornbeam.error(2, "force")
    assert "FILE" in hornbeam.error(2, "force", "a.hdf5", "--ic", "plummer", "-n", 5)
    assert "none.tipsy" in hornbeam.error(1, "force", "none.tipsy")
