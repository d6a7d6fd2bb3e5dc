# SPDX-License-Identifier: Apache-2.0
"""What carries a unit is converted or refused wherever something enters, whichever package made it. Small classes stand
for those of unyt, pint, pynbody and others here; test_carried_units_long.py has the packages themselves."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.carried_units import unit_of

pytest.importorskip("astropy.units", reason="astropy is not installed: values with units are not tested")
from astropy import units as u  # noqa: E402
from astropy.table import Column, MaskedColumn  # noqa: E402


class Units(np.ndarray):
    """As unyt and pynbody have it: an array with .units."""

    def __new__(cls, values, units):
        made = np.array(values, float).view(cls)
        made.units = units
        return made

    def __array_finalize__(self, other):
        self.units = getattr(other, "units", None)


class Unit(np.ndarray):
    """As astropy has it: an array with .unit."""

    def __new__(cls, values, unit):
        made = np.array(values, float).view(cls)
        made.unit = unit
        return made

    def __array_finalize__(self, other):
        self.unit = getattr(other, "unit", None)


class Magnitude:
    """As pint has it: no array, but NumPy takes it for one, and drops the unit."""

    def __init__(self, values, units):
        self.magnitude, self.units = np.array(values, float), units

    def __array__(self, dtype=None, copy=None):
        return np.array(self.magnitude, dtype)

    def __float__(self):
        return float(self.magnitude)


def as_list(values, unit):
    return [Units(one, unit) for one in np.array(values, float)] if np.ndim(values) else Units(values, unit)


def nested(values, unit):
    return [[Magnitude(one, unit) for one in row] for row in values] if np.ndim(values) == 2 else as_list(values, unit)


def column(values, unit):
    return Column(values, unit=unit) if np.ndim(values) else Unit(values, unit)


def masked_column(values, unit):
    return MaskedColumn(values, unit=unit) if np.ndim(values) else Units(values, unit)


MAKERS = [Units, Unit, Magnitude, as_list, nested, column, masked_column]
every = pytest.mark.parametrize("make", MAKERS)
PLACE, MYR = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 2, 0]]), 0.001022712165  # kpc / (km/s)


def galactic(n=3):
    return hb.ic.plummer(n, seed=1, units="galactic")


@every
def test_arrays_are_converted(make):
    made = hb.Snapshot(make(PLACE, "Mpc"), make(PLACE * 1000, "m/s"), make([1e10, 2e10, 3e10], "Msun"), units="galactic",
                       eps=make(10, "pc"), time=make(1, "Myr"), box_size=make(0.1, "Mpc"))
    assert made.position == pytest.approx(1000 * PLACE) and made.velocity == pytest.approx(PLACE)
    assert made.mass == pytest.approx([1, 2, 3]) and made.eps == pytest.approx([0.01] * 3)
    assert made.time == pytest.approx(MYR, rel=1e-6) and made.box_size == pytest.approx(100)
    made.boundary = {"kind": "periodic", "size": make([1, 2, 3], "Mpc")}
    assert made.boundary["size"] == pytest.approx([1000, 2000, 3000])
    given = {"position": make(PLACE, "Mpc"), "velocity": make(PLACE, "km/s"), "mass": make([1e10] * 3, "Msun")}
    sim = hb.Simulation(given, units="galactic", dt=make(1, "Myr"), eps=make([1, 2, 3], "pc"))
    assert sim.position == pytest.approx(1000 * PLACE) and sim.eps == pytest.approx([1e-3, 2e-3, 3e-3])


@every
def test_assignments_to_a_simulation_and_times_are_converted(make):
    sim = hb.Simulation(galactic(), dt=1e-4, eps=0.05)
    sim.run(make(1, "Myr"))
    assert sim.time == pytest.approx(MYR, abs=1.01e-4)
    times = []
    sim.run(make(2, "Myr"), callback=lambda s: times.append(s.time), every=make(0.5, "Myr"))
    assert len(times) in (2, 3) and np.diff(times)[0] == pytest.approx(0.5 * MYR, abs=2.01e-4)
    assert sim.at(make(times[-1] / MYR, "Myr")).time == pytest.approx(times[-1], rel=1e-6)
    sim.mass, sim.position, sim.velocity[0, 0] = make([1e10] * 3, "Msun"), make(PLACE, "Mpc"), 0
    assert sim.mass == pytest.approx([1] * 3) and sim.position == pytest.approx(1000 * PLACE)
    sim.add({"position": make([[1.0, 2, 3]], "Mpc"), "velocity": make([[0.0, 0, 0]], "m/s"), "mass": make([1e10], "Msun")})
    assert sim.position[-1] == pytest.approx([1000, 2000, 3000])


@every
def test_options_of_runs_and_models_are_converted(make, tmp_path):
    potential = {"kind": "point", "mass": make(1e10, "Msun"), "centre": make([1, 0, 0], "Mpc"), "scale": make(1, "pc")}
    told = hb.Simulation(galactic(), dt=make(1, "Myr"), eps=make(1, "pc"), theta=make(0.5, ""), potential=potential,
                         boundary={"kind": "periodic", "size": make([1, 1, 1], "Mpc")}).options
    assert told["time"]["dt"] == pytest.approx(MYR, rel=1e-6) and told["gravity"]["eps"] == pytest.approx(1e-3)
    assert told["potential"][0]["mass"] == pytest.approx(1) and told["potential"][0]["centre"] == pytest.approx([1000, 0, 0])
    assert told["boundary"]["size"] == pytest.approx([1000] * 3) and told["gravity"]["theta"] == 0.5
    assert hb.ic.plummer(20, units="galactic", mass=make(1e9, "Msun")).mass.sum() == pytest.approx(0.1)
    drawn = hb.Simulation(model="plummer", n=20, ic={"scale": make(100, "pc")}, units="galactic", dt=1e-3)
    assert float(drawn.options["ic"]["scale"]) == pytest.approx(0.1)
    ran = hb.run(_file(tmp_path), end=make(2, "Myr"),
                 output={"times": make([1, 2], "Myr"), "directory": str(tmp_path / "o")})
    assert ran["totals"]["time"] == pytest.approx(2 * MYR, abs=1.01e-4)


def _file(folder):
    (folder / "run.toml").write_text('[ic]\nmodel = "plummer"\nn = 20\n[units]\nsystem = "galactic"\n[time]\ndt = 1e-4\nend = 1\n')
    return folder / "run.toml"


@every
def test_forces_are_in_units(make):
    acceleration, potential = hb.both(make(PLACE[:2], "kpc"), make([1e10, 1e10], "Msun"), eps=make(0, "pc"))
    assert acceleration[0, 0].to_value("km2 / (s2 kpc)") == pytest.approx(-10752.3, rel=1e-4)
    assert potential[0].to_value("km2 / s2") == pytest.approx(-21504.6, rel=1e-4)
    far = hb.potentials(make(PLACE[:1] * 0, "kpc"), make([1e10], "Msun"), targets=make([[4000.0, 0, 0]], "pc"))
    assert far[0].to_value("km2 / s2") == pytest.approx(-43009.2 / 4, rel=1e-4)


@every
def test_measures_and_pictures_take_lengths(make):
    cloud = hb.ic.plummer(200, seed=1, units="galactic")
    edges = hb.analysis.profile(cloud, edges=make([500, 1000, 2000], "pc"))["radius"]
    assert edges == pytest.approx(hb.analysis.profile(cloud, edges=[0.5, 1, 2])["radius"])
    assert hb.analysis.energy(cloud, eps=make(1000, "pc")).potential == hb.analysis.energy(cloud, eps=1.0).potential
    size = {"width": 40, "height": 30}
    assert np.array_equal(hb.render(cloud, extent=make(3000, "pc"), **size), hb.render(cloud, extent=3.0, **size))


REFUSED = {
    "position, G = 1": lambda make: hb.Snapshot(make(PLACE, "kpc")),
    "position, a time": lambda make: hb.Snapshot(make(PLACE, "s"), units="galactic"),
    "mass, a length": lambda make: setattr(galactic(), "mass", make([1, 1, 1], "kpc")),
    "id": lambda make: setattr(galactic(), "id", make([1, 2, 3], "kpc")),
    "family": lambda make: setattr(galactic(), "family", make([1, 1, 1], "kpc")),
    "select": lambda make: galactic().select(make([1, 2], "kpc")),
    "gamma": lambda make: setattr(galactic(), "gamma", make(1.4, "kpc")),
    "dt, G = 1": lambda make: hb.Simulation(hb.ic.plummer(9), dt=make(1, "Myr")),
    "until, G = 1": lambda make: hb.Simulation(hb.ic.plummer(9), dt=1e-3, eps=1).run(make(1, "Myr")),
    "until, a length": lambda make: hb.Simulation(galactic(), dt=1e-3, eps=1).run(make(1, "kpc")),
    "every, a length": lambda make: hb.Simulation(galactic(), dt=1e-3, eps=1).run(1, callback=print, every=make(1, "kpc")),
    "step": lambda make: hb.Simulation(galactic(), dt=1e-3, eps=1).step(make(1, "Myr")),
    "theta": lambda make: hb.Simulation(galactic(), dt=1e-3, theta=make(0.5, "kpc")),
    "theta of forces": lambda make: hb.accelerations(PLACE, 1, theta=make(0.5, "kpc")),
    "masses alone": lambda make: hb.accelerations(PLACE, make([1, 1, 1], "Msun")),
    "positions alone": lambda make: hb.accelerations(make(PLACE, "kpc"), 1),
    "eps alone": lambda make: hb.accelerations(PLACE, 1, eps=make(1, "pc")),
    "box alone": lambda make: hb.accelerations(PLACE, 1, box=make(10, "pc")),
    "boundary of forces": lambda make: hb.accelerations(PLACE, 1, boundary={"kind": "periodic", "size": make([9, 9, 9], "pc")}),
    "tree": lambda make: hb.Tree(make(PLACE, "kpc")),
    "masses of a tree": lambda make: hb.Tree(PLACE, make([1, 1, 1], "Msun")),
    "radius of neighbours": lambda make: hb.Tree(PLACE).within(make(1, "kpc")),
    "neighbours": lambda make: hb.neighbours(make(PLACE, "kpc"), radius=1),
    "radius": lambda make: hb.neighbours(PLACE, radius=make(1, "kpc")),
    "nearest": lambda make: hb.neighbours(PLACE, nearest=make(1, "kpc")),
    "box of neighbours": lambda make: hb.neighbours(PLACE, radius=1, box=make(10, "kpc")),
    "collisions": lambda make: hb.collisions(make(PLACE, "kpc"), 0.1),
    "radii": lambda make: hb.collisions(PLACE, make([1, 1, 1], "kpc")),
    "dt of collisions": lambda make: hb.collisions(PLACE, 0.1, velocities=PLACE, dt=make(1, "Myr")),
    "a unit that is none": lambda make: hb.Snapshot(make(PLACE, "kiloparsnips"), units="galactic"),
}


@every
@pytest.mark.parametrize("what", REFUSED)
def test_units_that_cannot_be_are_refused(make, what):
    """With the argument's name, what came, and what to write; never taken as bare numbers."""
    try:
        bare = make([1, 1, 1], "kiloparsnips" if "none" in what else "kpc")
    except ValueError:  # of a Column with such a unit
        pytest.skip("astropy makes no such column")
    assert unit_of(bare) is not None
    with pytest.raises(hb.UsageError, match=r"received .*\((give|must be)|received plain numbers"):
        REFUSED[what](make)


def test_masked_values_with_units_are_refused():
    masked = MaskedColumn([1.0, 2, 3], unit="Msun", mask=[True, False, True])
    with pytest.raises(hb.UsageError, match="mass: received 2 masked values"):
        galactic().mass = masked


def test_what_carries_no_unit_is_as_before():
    for value in (1, 1.5, True, None, "kpc", [1, 2], (1.0,), [[1, 2, 3]], np.ones(3), np.float32(1), np.ma.ones(3), {},
                  np.array([1, "x"], object), galactic(), Column([1, 2]), Units([1], None), Magnitude(1, None).__class__,
                  b"", range(3), np.ones(2, "datetime64[s]")):
        assert unit_of(value) is None, repr(value)
    made = galactic()
    made.mass = Column([1.0, 2, 3])
    assert made.mass.tolist() == [1, 2, 3]
    made.id = Units([7, 8, 9], "dimensionless").astype(int)
    assert made.id.tolist() == [7, 8, 9]


def test_lists_of_several_units():
    made = galactic()
    made.mass = [Units(1e10, "Msun"), Magnitude(1.98840987e40, "kg"), Unit(1e7, "1000 Msun")]
    assert made.mass == pytest.approx([1, 1, 1], rel=1e-4)
    with pytest.raises(hb.UsageError, match="mass: received"):
        made.mass = [Units(1e10, "Msun"), Units(1, "kpc"), Units(1, "Msun")]
    with pytest.raises(hb.UsageError, match="mass: received"):
        made.mass = [Units(1e10, "Msun"), 1.0, 2.0]


def test_units_that_stand_elsewhere_are_no_less_units():
    """On subclasses of NumPy's numbers and of lists, in `attrs` as of h5py, and within arrays of objects."""
    class Length(np.float64):
        unit = "pc"

    class Rows(list):
        units = "kpc"

    class Dataset:
        def __init__(self, values, units):
            self.values, self.attrs = np.asarray(values, float), {"units": units}

        def __array__(self, dtype=None, copy=None):
            return self.values

    rows = [[1.0, 0, 0], [0, 1.0, 0]]
    masses = np.empty(2, dtype=object)
    masses[:] = [1e10 * u.Msun, 2e10 * u.Msun]
    for positions in (Rows(rows), Dataset(rows, "kpc"), np.array(rows) * u.kpc):
        snapshot = hb.Snapshot(positions, np.zeros((2, 3)) * u.km / u.s, masses, units="galactic")
        assert snapshot.position.tolist() == rows and snapshot.mass == pytest.approx([1, 2])
    pair = hb.Snapshot(rows, np.zeros((2, 3)), [1.0, 1.0], units="galactic")
    assert hb.Simulation(pair, dt=0.001, eps=Length(100)).options["gravity"]["eps"] == pytest.approx(0.1)
