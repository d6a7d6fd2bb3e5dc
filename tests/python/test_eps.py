# SPDX-License-Identifier: Apache-2.0
"""Softening: of the option, of each particle, written to, brought along, and far from one in size."""

import copy
import pickle

import numpy as np
import pytest

import hornbeam as hb

SPHERE = hb.ic.plummer(300, seed=1)


def soft(**options):
    return hb.Simulation(SPHERE, dt=1 / 64, eps=0.02, **options)


@pytest.mark.parametrize("write", [lambda s: s.eps.fill(0.2), lambda s: s.eps.__setitem__(slice(100), 0.2),
                                   lambda s: setattr(s, "eps", np.linspace(0.01, 0.2, 300))])
def test_lengths_that_were_written_to_go_through_copies_and_checkpoints(write, tmp_path):
    first = soft()
    write(first)
    first.step()
    assert first.softening.endswith("(the particles' own)") and first.options["gravity"]["eps"] is None
    first.checkpoint(tmp_path / "state.hdf5")
    for other in (copy.deepcopy(first), pickle.loads(pickle.dumps(first)), hb.Simulation.resume(tmp_path / "state.hdf5")):
        assert np.array_equal(other.eps, first.eps)
        other.step(4)
        again = hb.Simulation.resume(tmp_path / "state.hdf5")
        again.step(4)
        assert np.array_equal(other.position, again.position)
    first.step(4)
    assert np.array_equal(other.position, first.position)


def test_the_option_goes_before_what_particles_bring_along():
    one = soft()
    with pytest.warns(hb.HornbeamWarning, match="the option eps, 0.02, replaces"):
        one.add(hb.ic.plummer(50, seed=3))
    assert (one.eps == 0.02).all() and "0.02 (option)" in one.softening
    one.eps[:9] = 0.3
    own = hb.ic.plummer(20, seed=4)
    one.add(own)
    assert one.eps[0] == 0.3 and (one.eps[-20:] == own.eps).all() and "option" not in one.softening
    estimated = hb.Simulation({"position": SPHERE.position, "mass": SPHERE.mass}, dt=0.1)
    estimated.add({"position": [[9, 9, 9]], "mass": [0.1], "eps": [0.7]})
    assert estimated.eps[-1] == 0.7


def direct(x, eps):
    apart = x - x[:, None]
    near = (apart**2).sum(2) + (eps**2 + eps[:, None] ** 2) / 2
    return (apart / (near * np.sqrt(near))[..., None]).sum(1)


@pytest.mark.parametrize("backend", ["cpu", "opencl"])
@pytest.mark.parametrize("scale", [1e-50, 1e-37, 1.0, 1e37, 1e50, 1e100])
def test_each_length_counts_at_any_scale(backend, scale):
    if backend not in [device["backend"] for device in hb.info()["devices"]]:
        pytest.skip(f"no {backend} here")
    x, eps = np.random.default_rng(1).random((60, 3)), np.linspace(0.01, 0.3, 60)
    exact = direct(x, eps)
    most = np.abs(exact).max()
    for found in (hb.accelerations(x * scale, scale**2, eps * scale, backend=backend, theta=0.2),
                  hb.Tree(x * scale, scale**2, eps * scale, backend=backend).accelerations(theta=0.2),
                  hb.accelerations(x * scale, scale**2, eps * scale, targets=x * scale, target_eps=eps * scale, backend=backend,
                                   theta=0.2)):
        assert np.abs(found - exact).max() < 1e-4 * most  # theta's; those that are lost have errors of 1


def test_what_is_no_change_of_lengths_changes_no_words():
    own = hb.Simulation(SPHERE, dt=1 / 64)
    before = own.softening
    own.velocity[:] *= 0.5
    own.step()
    own.remove([0, 5])
    assert own.softening == before and "(file)" in before
    own.particles.eps[:5] = 0.4
    own.particles = own.particles  # as they were written to
    assert own.eps[0] == 0.4 and "the particles' own" in own.softening
    with pytest.warns(hb.HornbeamWarning, match="have no eps, so nothing is softened"):
        own.particles = {"position": SPHERE.position, "mass": SPHERE.mass}
    assert "eps 0 " in own.softening


def test_lengths_that_cannot_be_are_refused():
    one = soft()
    other = SPHERE.copy()
    other.eps[3] = np.nan
    with pytest.raises(hb.Error, match="eps"):
        one.particles = other
    assert (one.eps == 0.02).all()
