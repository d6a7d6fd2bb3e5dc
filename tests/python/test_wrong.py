# SPDX-License-Identifier: Apache-2.0
"""Every public function against everything that it cannot take: an hb.Error that names the argument, never a crash, never
a number. And what it takes in another form gives what the plain form gives."""

import array
import decimal
import fractions
import re
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb

N = 5
POSITION = np.random.default_rng(1).normal(size=(N, 3))
MASS = np.ones(N)


def with_one(value, shape):
    values = np.ones(shape) + np.arange(np.prod(shape)).reshape(shape)
    values.flat[-2] = value
    return values


def masked(values):
    found = np.ma.masked_array(values.copy())
    found[-1] = np.ma.masked
    return found


def not_numbers(shape):
    """Arrays of the right shape, of a kind that is no real number."""
    return {"complex": np.ones(shape, complex), "object": np.ones(shape, object), "none": np.full(shape, None),
            "text": np.ones(shape).astype(str), "bytes": np.ones(shape).astype("S"), "bool": np.ones(shape, bool),
            "dates": np.zeros(shape, "M8[s]"), "durations": np.zeros(shape, "m8[s]"), "void": np.zeros(shape, "V8"),
            "structured": np.zeros(shape, [("x", float)]), "beyond 64 bits": np.full(shape, 2**70).tolist(),
            "masked": masked(np.ones(shape)), "dict": {"a": 1}, "set": {1.0}, "function": len, "thing": object(),
            "word": "abc", "ragged": [[1, 2, 3], [4, 5]], "generator": (one for one in [1.0])}


NOT_FINITE = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
VECTORS = {**not_numbers((N, 3)), "two columns": POSITION[:, :2], "four": np.ones((N, 4)), "flat": POSITION.ravel(),
           "cube": POSITION[..., None], "no columns": np.ones((N, 0)), "0-d": np.array(1.0), "number": 3.0,
           **{name: with_one(value, (N, 3)) for name, value in NOT_FINITE.items()}}
NUMBERS = {**not_numbers((N,)), "column": MASS[:, None], "row": MASS[None], "short": MASS[:4], "long": np.ones(10**6),
           "one": [1.0], "empty": [], "complex number": 1j, "truth": True,
           **{name: with_one(value, (N,)) for name, value in NOT_FINITE.items()}}
LENGTHS = {**NUMBERS, "negative": -MASS, "a negative number": -1.0, "nan itself": np.nan, "inf itself": np.inf}


def simulation(**options):
    return hb.Simulation(hb.Snapshot(POSITION), **{"dt": 0.1, "eps": 0.1, **options})


def assigned(name):
    def use(value):
        made = simulation()
        setattr(made, name, value)
        made.step()

    return use


def of_snapshot(name):
    return lambda value: simulation_of({"position": POSITION, name: value})


def simulation_of(particles):
    return hb.Simulation(particles, dt=0.1, **({} if "eps" in particles else {"eps": 0.1}))


ARRAYS = [
    ("positions", lambda v: hb.both(v, 1.0), VECTORS), ("positions", lambda v: hb.accelerations(v, MASS), VECTORS),
    ("positions", lambda v: hb.potentials(v, 1.0), VECTORS), ("positions", hb.Tree, VECTORS),
    ("positions", lambda v: hb.neighbours(v, 1.0), VECTORS),
    ("targets", lambda v: hb.both(POSITION, MASS, targets=v), VECTORS),
    ("position", lambda v: simulation_of({"position": v}), VECTORS), ("position", assigned("position"), VECTORS),
    ("position", lambda v: hb.analysis.profile({"position": v}), VECTORS),
    ("position", lambda v: simulation().add({"position": v, "mass": 1.0}), VECTORS),
    ("velocity", of_snapshot("velocity"), VECTORS), ("velocity", assigned("velocity"), VECTORS),
    ("spin", of_snapshot("spin"), VECTORS),
    ("masses", lambda v: hb.both(POSITION, v), LENGTHS), ("eps", lambda v: hb.both(POSITION, MASS, v), LENGTHS),
    ("target_eps", lambda v: hb.both(POSITION, MASS, MASS, targets=POSITION, target_eps=v), LENGTHS),
    ("mass", of_snapshot("mass"), LENGTHS), ("mass", assigned("mass"), LENGTHS), ("eps", of_snapshot("eps"), LENGTHS),
    ("eps", assigned("eps"), LENGTHS), ("radius", of_snapshot("radius"), LENGTHS),
    ("internal_energy", of_snapshot("internal_energy"), NUMBERS),
    ("fractions", lambda v: hb.analysis.lagrangian_radii({"position": POSITION}, v), not_numbers((N,))),
]
# names that the library has for them
SAID = {"positions": "position", "masses": "mass", "targets": "position", "target_eps": "softening", "eps": "softening"}


@pytest.mark.parametrize("name, use, values", ARRAYS, ids=[f"{i}-{row[0]}" for i, row in enumerate(ARRAYS)])
def test_arrays_that_cannot_be(name, use, values):
    for kind, value in values.items():
        with pytest.raises(hb.Error) as told:
            use(value)
        said = str(told.value)
        assert name in said or SAID.get(name, name) in said or "particle" in said, (kind, said)
        assert len(said) < 400, (kind, said)


SINGLE = {"nan": np.nan, "inf": np.inf, "negative": -1, "word": "a", "truth": True, "complex": 1j, "list": [1, 2],
          "one": [1.0], "array": np.ones(3), "beyond 64 bits": 2**70, "dict": {1: 2}, "bytes": b"a", "thing": object(),
          "decimal": decimal.Decimal("0.5"), "fraction": fractions.Fraction(1, 2), "null": "a\0b", "half": "\ud800",
          "truth of NumPy": np.bool_(True), "half a number": 0.5}


def without(*names):
    return {name: value for name, value in SINGLE.items() if name not in names}


def tree():
    return hb.Tree(POSITION)


def snapshot(**fields):
    return hb.Snapshot(POSITION, **fields)


REAL = without("half a number", "beyond 64 bits")
SIGNED = without("half a number", "beyond 64 bits", "negative")
WHOLE, TEXT, FUNCTION = SINGLE, without("word", "null"), without()
PATH = without("word", "bytes")
OPTION = without("half a number", "decimal", "fraction", "beyond 64 bits")
SINGLES = [
    ("G", lambda v: hb.both(POSITION, MASS, G=v), SIGNED),
    ("dtype", lambda v: hb.both(POSITION, MASS, dtype=v), SINGLE),
    ("dtype", lambda v: hb.both(POSITION, MASS, dtype=v), {"ints": int, "texts": "S8", "complex": complex, "truth": bool}),
    ("boundary", lambda v: hb.both(POSITION, MASS, boundary=v), SINGLE),
    ("box", lambda v: hb.Tree(POSITION, v), REAL), ("radius", lambda v: tree().within(v), REAL),
    ("radius", lambda v: tree().count(v), REAL), ("nearest", lambda v: tree().nearest(v), WHOLE),
    ("radius", lambda v: hb.neighbours(POSITION, v), REAL),
    ("nearest", lambda v: hb.neighbours(POSITION, nearest=v), WHOLE),
    ("theta", lambda v: hb.both(POSITION, MASS, theta=v), OPTION),
    ("order", lambda v: hb.both(POSITION, MASS, order=v), WHOLE),
    ("threads", lambda v: hb.both(POSITION, MASS, threads=v), WHOLE),
    ("walk", lambda v: hb.both(POSITION, MASS, walk=v), SINGLE),
    ("backend", lambda v: hb.both(POSITION, MASS, backend=v), SINGLE),
    ("device", lambda v: hb.Tree(POSITION, device=v), {**WHOLE, "absent": 7}),
    ("time", lambda v: snapshot(time=v), SIGNED), ("box_size", lambda v: snapshot(box_size=v), REAL),
    ("units", lambda v: snapshot(units=v), SINGLE), ("units", lambda v: snapshot().convert(v), SINGLE),
    ("unit", lambda v: snapshot().unit(v), SINGLE), ("select", lambda v: snapshot().select(v), without("list")),
    ("particles", hb.analysis.centre_of_density, SINGLE), ("path", hb.read, PATH),
    ("format", lambda v: hb.read("x", v), SINGLE),
    ("path", lambda v: hb.write(v, snapshot()), PATH), ("format", lambda v: hb.write("x", snapshot(), v), SINGLE),
    ("particles", lambda v: hb.write("x.hdf5", v), SINGLE),
    ("step", lambda v: simulation().step(v), without("truth of NumPy")),
    ("until", lambda v: simulation().run(v), without("negative", "half a number", "beyond 64 bits")),
    ("callback", lambda v: simulation().run(0.2, v), FUNCTION),
    ("every", lambda v: simulation().run(0.2, len, v), REAL),
    ("time", lambda v: simulation().at(v), SIGNED), ("remove", lambda v: simulation().remove(v), without("list")),
    ("particles", lambda v: simulation().add(v), SINGLE), ("particles", assigned("particles"), SINGLE),
    ("path", lambda v: simulation().write(v), PATH), ("format", lambda v: simulation().write("x", v), SINGLE),
    ("path", lambda v: simulation().checkpoint(v), PATH), ("path", hb.Simulation.resume, PATH),
    ("toml", hb.Simulation.from_toml, SINGLE), ("folder", lambda v: hb.Simulation.from_toml("", v), PATH),
    ("path", hb.Simulation.from_file, PATH), ("path", hb.run, PATH),
    ("tell", lambda v: hb.run("x.toml", tell=v), FUNCTION),
    ("resume", lambda v: hb.run("x.toml", resume=v), without("truth", "truth of NumPy")),
    ("units", lambda v: simulation(units=v), SINGLE), ("boundary", lambda v: simulation(boundary=v), SINGLE),
    ("potential", lambda v: simulation(potential=v), SINGLE), ("dt", lambda v: simulation(dt=v), OPTION),
    ("eps", lambda v: simulation(eps=v), OPTION), ("n", hb.ic.plummer, WHOLE),
    ("seed", lambda v: hb.ic.plummer(4, v), WHOLE), ("units", lambda v: hb.ic.plummer(4, units=v), SINGLE),
    ("model", lambda v: hb.ic.model(v, 4), SINGLE), ("scale", lambda v: hb.ic.hernquist(4, scale=v), OPTION),
    ("eps", lambda v: hb.analysis.energy(snapshot(), v), REAL),
    ("softening", lambda v: hb.analysis.energy(snapshot(), None, v), SINGLE),
    ("threads", lambda v: hb.analysis.energy(snapshot(), threads=v), WHOLE),
    ("bins", lambda v: hb.analysis.profile(snapshot(), v), WHOLE),
    ("edges", lambda v: hb.analysis.profile(snapshot(), edges=v), without("list")),
    ("linking_length", lambda v: hb.analysis.groups(snapshot(), v), REAL),
    ("min_members", lambda v: hb.analysis.groups(snapshot(), 1.0, min_members=v), WHOLE),
    ("unbind", lambda v: hb.analysis.groups(snapshot(), 1.0, unbind=v), without("truth", "truth of NumPy")),
    ("threads", lambda v: hb.analysis.groups(snapshot(), 1.0, threads=v), WHOLE),
    ("backend", lambda v: hb.analysis.groups(snapshot(), 1.0, backend=v), SINGLE),
]


@pytest.mark.parametrize("name, use, values", SINGLES, ids=[f"{i}-{row[0]}" for i, row in enumerate(SINGLES)])
def test_values_that_cannot_be(name, use, values, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, value in values.items():
        with pytest.raises(hb.Error) as told:
            use(value)
        assert len(str(told.value)) > 10 and len(str(told.value)) < 1000, kind
    assert not list(tmp_path.iterdir())  # nothing was written on the way


def simulation_with(key, value):
    options = {"time.dt": 0.1, "gravity.eps": 0.1, key: value}
    return hb.Simulation(hb.Snapshot(POSITION), **options)


@pytest.mark.parametrize("key", sorted({f"{row[0]}.{row[1]}" for row in hb._core.option_table()
                                        if row[0] not in ("output", "watchdog")}))
def test_options_of_no_kind_are_refused(key):
    """Of each row of the table: what no kind of option takes."""
    for value in (1j, object(), {1: 2}, b"a", "\ud800", "a\0b", [[1, [2]]], np.ones((2, 2, 2)), np.nan):
        with pytest.raises(hb.Error):
            simulation_with(key, value)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_other_forms_of_arrays_give_the_same():
    random = np.random.default_rng(3)
    position, mass = random.normal(size=(60, 3)), random.uniform(1, 2, 60)
    wide = np.zeros((60, 7))
    wide[:, 1:7:2] = position
    expected = hb.both(position, mass, 0.1)
    frozen = position.copy()
    frozen.flags.writeable = False

    class Holder:
        def __init__(self, values):
            self.values = values

        def __array__(self, dtype=None, copy=None):
            return self.values

    forms = [position.tolist(), tuple(map(tuple, position)), np.asfortranarray(position), wide[:, 1:7:2],
             position[::-1][::-1], position.astype(">f8"), position.astype(np.longdouble), frozen, np.matrix(position),
             np.ma.masked_array(position), memoryview(position), Holder(position), list(position)]
    for form in forms:
        found = hb.both(form, mass, 0.1)
        assert type(found[0]) is np.ndarray and (found[0] == expected[0]).all() and (found[1] == expected[1]).all()
        made = hb.Snapshot(form, mass=mass)
        assert (made.position == position).all() and type(made.position) is np.ndarray
        assert (hb.Tree(form).nearest(2)[1] == hb.Tree(position).nearest(2)[1]).all()
    for form in (mass.tolist(), array.array("d", mass), mass.astype(">f8"), np.ma.masked_array(mass), mass[::-1][::-1]):
        assert (hb.potentials(position, form, 0.1) == expected[1]).all()
    for kind in (np.float16, np.float32, ">f4", np.int8, np.uint16, np.int64, np.uint64):
        few = np.arange(30).reshape(10, 3).astype(kind)
        assert (hb.potentials(few, 1) == hb.potentials(few.astype(float), 1.0)).all()
    assert (hb.Snapshot(position, id=np.arange(60, dtype=">u2")).id == np.arange(60)).all()


@pytest.mark.parametrize("library", ["pandas", "torch"])
def test_arrays_of_other_libraries(library):
    other = pytest.importorskip(library)
    make = {"pandas": lambda values: (other.DataFrame if values.ndim == 2 else other.Series)(values),
            "torch": lambda values: other.from_numpy(values.copy())}[library]
    found = hb.both(make(POSITION), make(MASS), 0.1)
    assert (found[0] == hb.accelerations(POSITION, MASS, 0.1)).all()
    assert (hb.Snapshot(make(POSITION), mass=make(MASS)).position == POSITION).all()
    bad = {"pandas": lambda: other.DataFrame({"x": ["a"] * N, "y": 1.0, "z": 2.0}),
           "torch": lambda: other.from_numpy(POSITION.copy()).requires_grad_()}[library]
    with pytest.raises(hb.UsageError, match="positions"):
        hb.both(bad(), MASS)


def test_results_are_of_the_kind_that_was_asked_for():
    for kind in (np.float32, np.float64, "f4", np.longdouble, np.float16):
        acceleration, potential = hb.both(POSITION, MASS, 0.1, dtype=kind)
        assert acceleration.dtype == potential.dtype == np.dtype(kind)


def test_units_are_not_mixed():
    galactic, solar, plain = hb.ic.plummer(20, units="galactic"), hb.ic.plummer(20, units="solar"), hb.Snapshot(POSITION)
    simulation = hb.Simulation(galactic, dt=1e-4, eps=0.1)

    def swap():
        simulation.particles = solar

    for wrong in (lambda: galactic + solar, lambda: simulation.add(solar), swap):
        with pytest.raises(hb.UsageError, match=r"units: received particles in AU, Msun, AU/yr .* together with others in kpc"):
            wrong()
    assert len(simulation) == 20 and simulation.units == galactic.units
    assert (galactic + plain).units == galactic.units == (plain + galactic).units  # arrays without units are in those beside
    solar.convert("galactic")
    simulation.add(solar)
    simulation.add({"position": [[1, 2, 3]], "mass": [0.1], "eps": 0.1})
    assert len(simulation) == 41 and simulation.G == galactic.G
    with pytest.raises(hb.UsageError, match="convert: these particles belong to a simulation"):
        simulation.particles.convert("si")
    simulation.step()
    assert abs(simulation.position[-1, 2] - 3) < 0.1 and simulation.units == galactic.units


def test_other_particles_are_of_the_present_time():
    simulation = hb.Simulation(hb.ic.plummer(50), dt=1 / 32, eps=0.1)
    simulation.run(0.25)
    simulation.particles = hb.ic.plummer(40)
    assert simulation.time == 0.25 and len(simulation) == 40 and simulation.steps == 8
    simulation.particles.time = 3.0  # which is asked for
    simulation.step()
    assert simulation.time == 3 + 1 / 32


def test_attributes_that_are_not_there_are_refused():
    for what in (snapshot(), simulation()):
        with pytest.raises(AttributeError, match="did you mean position?"):
            what.positon = POSITION
        with pytest.raises(AttributeError):
            what.positon


def test_nothing_at_all():
    nobody = hb.Snapshot(np.zeros((0, 3)))
    simulation = hb.Simulation(nobody, dt=0.1, eps=0.1)
    simulation.run(1.0)
    assert len(simulation) == 0 and simulation.energy().total == 0 and simulation.position.shape == (0, 3)
    assert hb.both([], [])[0].shape == (0, 3) and len(nobody + nobody) == 0 and hb.analysis.energy(nobody).total == 0
    for measure in (hb.analysis.centre_of_density, hb.analysis.profile, hb.analysis.disc, hb.analysis.groups):
        with pytest.raises(hb.Error):
            measure(nobody)
    simulation.add({"position": POSITION})
    simulation.step()
    assert len(simulation) == N


def test_too_many_are_told_and_not_tried():
    for many in (10**12, 2**63 - 1):
        with pytest.raises(hb.Error, match="particles need about"):
            hb.ic.plummer(many)
    with pytest.raises(hb.Error, match="cores"):
        hb.both(POSITION, MASS, threads=10**6)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_messages_of_any_bytes(tmp_path):
    """Of files whose text or name is no Unicode."""
    name = tmp_path.joinpath("table.txt")
    name.write_bytes(b"\n" * 12 + b"\xff\xfe 1 2 3 4 5 6 7 8 9")
    with pytest.raises(hb.Error, match=r"line 13: '\?\? 1 2"):
        simulation(gas={"eos": "materials", "materials": [f"forsterite={name}"]}, units="si")
    with pytest.raises(hb.Error, match="caf.*csv"):
        hb.read(bytes(tmp_path) + b"/caf\xe9.csv")


def test_objects_that_were_never_made():
    for use in (lambda: hb.Simulation.__new__(hb.Simulation).step(), lambda: hb.Snapshot.__new__(hb.Snapshot).position,
                lambda: hb._core.Simulation.__new__(hb._core.Simulation).step(1)):
        with pytest.raises((AttributeError, TypeError)):
            use()


def said_by(call):
    with pytest.raises(hb.Error) as raised:
        call()
    return str(raised.value)


def test_messages_name_keywords_and_not_flags(tmp_path):
    folder, known = tmp_path / "run", {"model": "plummer", "n": 20, "dt": 0.1, "end": 0.1}
    output = {"output": {"directory": str(folder)}}
    assert "without resume=True" in said_by(lambda: hb.run(**known, **output, resume=True))
    hb.run(**known, **output)
    assert "continue it with resume=True, replace it with overwrite=True" in said_by(lambda: hb.run(**known, **output))
    assert "allow_changes=True" in said_by(lambda: hb.run(**{**known, "dt": 0.05}, **output, resume=True))
    assert 'give units="Rearth' in said_by(lambda: hb.ic.planet(10))
    assert said_by(lambda: hb.ic.galaxy(10, disc_mass=-1)).startswith("galaxy.disc_mass: ")
    (tmp_path / "a.tipsy").write_bytes(b"\x89HDF\r\n\x1a\n" * 9)
    assert "format=hdf5" in said_by(lambda: hb.read(tmp_path / "a.tipsy"))


@pytest.mark.parametrize("name", ["--resume", "a --from hdf5", "b (--overwrite)", "run --resume", "--units si, --width",
                                  "name another format with --from", "(run without --resume)", "galaxy.disc-mass",
                                  "--overwrite: would remove x"])
def test_paths_in_messages_stay_as_they_are(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    known = {"model": "plummer", "n": 20, "dt": 0.1, "end": 0.1, "output": {"directory": name}}
    assert name in said_by(lambda: hb.read(name))
    assert said_by(lambda: hb.run(**known, resume=True)) == (
        f"{name}: does not exist, so there is no checkpoint to resume from (run without resume=True)")
    hb.run(**known)
    assert said_by(lambda: hb.run(**known)).startswith(f"{name}: has files of an earlier run (continue it with resume=True, ")
    Path("c " + name).write_bytes(b"\x89HDF\r\n\x1a\n" * 9)
    assert said_by(lambda: hb.read("c " + name, format="tipsy")).startswith(f"c {name}: ")
    Path(name, "snapshot_0000.hdf5").write_bytes(b"")
    assert name in said_by(lambda: hb.read(Path(name, "snapshot_0000.hdf5")))


def test_all_flags_in_messages_of_the_library_have_keywords():
    root = Path(__file__).parents[2]
    if not (root / "python/src").is_dir():  # a wheel is tried where they cannot be seen
        pytest.skip("of the repository's sources, which are not here")
    known = set(re.findall(r'", "(--[a-z-]+)", "', (root / "python/src/keywords.cpp").read_text()))
    named = set()
    for file in (root / "src").rglob("*.cpp"):
        if file.relative_to(root / "src").parts[0] != "cli":
            for line in file.read_text().splitlines():
                if not line.lstrip().startswith("//"):
                    named |= {flag for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line)
                              for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)}
    # --set is of text that the package writes itself, --help in a description
    assert named - {"--set", "--help"} == known


@pytest.mark.parametrize("name", ["galaxy.disc-mass", "galaxy.disc-mass-2"])
def test_a_file_may_be_called_as_an_option_is(name):
    for use in (lambda: hb.write(name, snapshot()), lambda: hb.render(snapshot(), name), lambda: hb.read(name)):
        assert said_by(use).startswith(f"{name}: ")


@pytest.mark.parametrize("use, said", [
    (lambda: hb.Simulation(dt=0.1), 'received no particles (give a Snapshot'),
    (lambda: hb.Simulation(None, dt=0.1, eps=0.1), 'received no particles (give a Snapshot'),
    (lambda: hb.Simulation("kelvin-helmholtz", dt=0.1), "hb.ic.kelvin_helmholtz(n)"),
    (lambda: hb.Simulation(snapshot(), timestep=0.1), "did you mean dt?"),
    (lambda: hb.Simulation(model="galaxy", n=10, dt=0.1, disc_mass=5), 'write ic={"disc_mass": 5}'),
    (lambda: hb.Simulation(snapshot(), dt=0.1, softening=0.02), "the softening length is eps"),
    (lambda: snapshot().select("galaxy"), "select: received 'galaxy' (must be one of gas, halo")])
def test_what_newcomers_write_is_told_what_they_mean(use, said):
    assert said in said_by(use)
