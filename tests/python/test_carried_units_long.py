# SPDX-License-Identifier: Apache-2.0
"""Arrays and numbers with units of the packages themselves: unyt (yt's), swiftsimio's, pint's, pynbody's, xarray's, AMUSE's.
test_carried_units.py has all ways in, with small classes in their place."""

import numpy as np
import pytest

import hornbeam as hb

pytest.importorskip("astropy.units", reason="astropy is not installed: values with units are not tested")
PLACE, MYR = np.array([[1.0, 0, 0], [-1, 0, 0]]), 0.001022712165  # kpc / (km/s)


def of_unyt(values, unit):
    return pytest.importorskip("unyt").unyt_array(values, unit)


def of_yt(values, unit):
    unyt = pytest.importorskip("unyt")
    registry = unyt.UnitRegistry()
    registry.add("code_length", float(unyt.Mpc.base_value), unyt.dimensions.length)
    return unyt.unyt_array(values, "code_length" if unit == "Mpc" else unit, registry=registry)


def of_swiftsimio(values, unit):
    objects = pytest.importorskip("swiftsimio").objects
    made = objects.cosmo_array if np.ndim(values) else objects.cosmo_quantity
    return made(values, pytest.importorskip("unyt").Unit(unit), comoving=False, scale_factor=0.5, scale_exponent=1)


def of_pint(values, unit):
    names = {"Mpc": "megaparsec", "Myr": "megayear", "Msun": "1.98840987e30 kilogram"}
    registry = pytest.importorskip("pint").UnitRegistry()
    return np.asarray(values) * registry(names.get(unit, unit))


def of_pynbody(values, unit):
    return pytest.importorskip("pynbody").array.SimArray(values, {"Msun": "Msol", "km/s": "km s**-1"}.get(unit, unit))


def of_xarray(values, unit):
    return pytest.importorskip("xarray").DataArray(values, attrs={"units": unit})


def of_amuse(values, unit):
    units = pytest.importorskip("amuse.units.units")
    return values | {"Mpc": units.Mpc, "Myr": units.Myr, "Msun": units.MSun, "km/s": units.kms}[unit]


@pytest.mark.parametrize("make", [of_unyt, of_yt, of_swiftsimio, of_pint, of_pynbody, of_xarray, of_amuse])
def test_values_of_a_package_are_converted_or_refused(make):
    made = hb.Snapshot(make(PLACE, "Mpc"), make(PLACE, "km/s"), make(np.array([1e10, 2e10]), "Msun"), units="galactic")
    assert made.position == pytest.approx(1000 * PLACE, rel=1e-9) and made.velocity == pytest.approx(PLACE)
    assert made.mass == pytest.approx([1, 2], rel=1e-3)  # packages have other solar masses
    sim = hb.Simulation(made, dt=1e-4, eps=50)
    sim.run(make(1, "Myr"))
    assert sim.time == pytest.approx(MYR, abs=1.01e-4)
    assert hb.Simulation(made, dt=make(1, "Myr"), eps=50).options["time"]["dt"] == pytest.approx(MYR, rel=1e-4)
    acceleration = hb.accelerations(make(PLACE, "Mpc"), make(np.array([1e10, 1e10]), "Msun"))
    assert acceleration[0, 0].to_value("km2 / (s2 Mpc)") == pytest.approx(-10.7523, rel=1e-3)
    for wrong in (lambda: hb.Snapshot(make(PLACE, "Mpc")), lambda: hb.Tree(make(PLACE, "Mpc")),
                  lambda: hb.Snapshot(make(PLACE, "Myr"), units="galactic"),
                  lambda: setattr(made, "id", make(np.array([1, 2]), "Myr"))):
        with pytest.raises(hb.UsageError, match="received .* in "):
            wrong()


def test_the_hubble_constant_is_no_hour():
    """h is astropy's hour, and yt's Hubble constant."""
    unyt = pytest.importorskip("unyt")
    registry = unyt.UnitRegistry()
    registry.add("h", 0.7, unyt.dimensions.dimensionless)
    made = hb.Snapshot(unyt.unyt_array(PLACE, "Mpc/h", registry=registry), units="galactic")
    assert made.position == pytest.approx(1000 / 0.7 * PLACE, rel=1e-6)


def test_comoving_lengths_are_refused():
    made = pytest.importorskip("swiftsimio").objects.cosmo_array
    comoving = made(PLACE, pytest.importorskip("unyt").Mpc, comoving=True, scale_factor=0.5, scale_exponent=1)
    with pytest.raises(hb.UsageError, match="comoving Mpc.*to_physical"):
        hb.Snapshot(comoving, units="galactic")
    assert hb.Snapshot(comoving.to_physical(), units="galactic").position == pytest.approx(500 * PLACE)
    pynbody = pytest.importorskip("pynbody")
    with pytest.raises(hb.UsageError, match="in a Mpc h.*in_units"):
        hb.Snapshot(pynbody.array.SimArray(PLACE, "a Mpc h**-1"), units="galactic")


def test_ids_of_other_packages_keep_their_bits():
    ids = np.array([2**60 + 1, 5])
    made = hb.Snapshot(PLACE)
    made.id = pytest.importorskip("unyt").unyt_array(ids, "dimensionless")
    assert made.id.tolist() == ids.tolist()
    made.id = pytest.importorskip("pynbody").array.SimArray(ids)
    assert made.id.tolist() == ids.tolist()
