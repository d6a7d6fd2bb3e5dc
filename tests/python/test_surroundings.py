# SPDX-License-Identifier: Apache-2.0
"""What particles know beside their fields, their box and the gamma of their gas: on the way through simulations, runs,
files and sums of snapshots; and who is told where it is not the run's."""

import copy
import json
import pickle
import warnings

import numpy as np
import pytest

import hornbeam as hb

FLOWS = {"eos": "ideal", "self_gravity": False}
TUBE = {"kind": "periodic", "size": [2, 0.125, 0.125]}


def told(use):
    """The HornbeamWarnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use()
    return [str(one.message) for one in caught]


def one_of(use, words):
    said = told(use)
    assert len(said) == 1 and words in said[0], said


def test_the_box_and_gamma_of_a_snapshot_can_be_seen_and_set():
    tube = hb.ic.sod(144, gamma=1.4)
    assert tube.boundary == TUBE and tube.gamma == 1.4
    assert tube.box_size == 0 and "in a periodic box of 2 x 0.125 x 0.125" in repr(tube)
    assert hb.ic.plummer(9).boundary is None and hb.ic.plummer(9).gamma is None
    blast = hb.ic.sedov(512)
    blast.box_size = 2
    assert blast.boundary["size"] == [2, 2, 2] and hb.Simulation(blast, dt=0.1, gas=FLOWS).particles.box_size == 2
    blast.box_size = 0
    assert blast.boundary is None
    blast.boundary, blast.gamma = {"kind": "periodic", "size": [1, 1, 0]}, 1.2
    elsewhere, stiffer = blast.copy(), blast.copy()
    assert elsewhere == blast
    elsewhere.boundary, stiffer.gamma = None, 1.4
    assert elsewhere != blast and stiffer != blast
    assert hb.Simulation(blast, dt=0.1, gas={**FLOWS, "gamma": 1.2}).options["boundary"]["size"] == [1, 1, 0]
    for wrong in (1, float("nan"), "much"):
        with pytest.raises(hb.UsageError, match="gamma"):
            blast.gamma = wrong
    with pytest.raises(hb.UsageError, match="shearing sheet"):
        hb.ic.ring(units="si", size_x=20, size_y=20).box_size = 3


def test_joined_snapshots_keep_what_one_knows_and_tell_where_both_differ():
    tube, star = hb.ic.sod(144), hb.Snapshot([[0, 0, 0]], eps=0.1)
    for both in (tube + star, star + tube):
        assert both.boundary["size"] == TUBE["size"] and both.gamma == 5 / 3
    one_of(lambda: tube + hb.ic.sod(144, gamma=1.4), "the gas of the second has gamma 1.4")
    one_of(lambda: tube + hb.ic.sedov(512), "the second has a different box")
    one_of(lambda: hb.ic.plummer(9) + hb.Snapshot([[0, 0, 0]]), "particles of the second have no eps, and get 0")
    one_of(lambda: star + hb.Snapshot([[0, 0, 0]], eps=0.1, time=2), "the second has the time 2, not 0")
    gas = {"family": "gas", "eps": 0.1}
    one_of(lambda: hb.Snapshot([[0, 0, 0]], internal_energy=1.0, **gas) + hb.Snapshot([[1, 0, 0]], **gas),
           "internal energies are dropped")


def test_simulations_tell_of_particles_that_come_in_and_belong_elsewhere():
    run = hb.Simulation(hb.ic.sod(144), dt=0.01, gas=FLOWS)

    def become(particles):
        run.particles = particles

    one_of(lambda: become(hb.ic.sod(144, gamma=1.4)), "was made with gamma 1.4, and this run's has 1.66")
    one_of(lambda: become(hb.ic.sedov(512)), "in a periodic box of 1 x 1 x 1; this run has another one")
    assert told(lambda: become(hb.ic.sedov(512))) == []  # once
    stars = hb.Simulation(hb.ic.plummer(50), dt=0.01)

    def some_are_gas():
        stars.family[:5] = hb.Family.gas
        stars.energy()

    one_of(some_are_gas, "5 particles of the family gas, and no [gas] eos")
    cloud, made = hb.ic.evrard(300), []
    one_of(lambda: made.append(hb.Simulation(cloud, dt=0.01, gas={"eos": "ideal", "max_smoothing_length": 0.05})),
           "limits H of 300 of 300 gas particles")
    cloud.position[7] = [1e8, 0, 0]
    one_of(lambda: made.append(hb.Simulation(cloud, dt=0.01, gas={"eos": "ideal"})),
           "299 particles of the gas cannot have the requested neighbours")
    first = made[0]
    assert told(lambda: (first.step(), first.run(0.03))) == []
    with pytest.raises(hb.UsageError, match="until: received 0.01, and the time is 0.03"):
        first.run(0.01)


def test_what_was_said_of_a_start_is_not_said_of_what_came_of_it():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = hb.Simulation(hb.ic.sod(144), dt=0.01, gas=FLOWS, boundary={"kind": "open"})
    assert told(lambda: hb.Simulation(first.particles, dt=0.01, gas=FLOWS)) == []
    second = hb.Simulation(hb.Simulation(hb.ic.sod(144), dt=0.01, gas=FLOWS).particles, dt=0.01, gas=FLOWS)
    assert sum("periodic box" in note for note in second.notes) == 1


def test_runs_into_folders_warn_and_go_on_in_the_box_they_took(tmp_path, h5py):
    """Also where they are resumed more than once, as run.json and checkpoints name the box."""
    options = {"model": "sod", "n": 144, "dt": 0.01, "gas": FLOWS, "output": {"directory": str(tmp_path / "run"), "every": 0.02}}
    alone = {"boundary": {**TUBE, "n_ghost_x": 0}, "gas": {"eos": "ideal"}}
    one_of(lambda: hb.run(**{**options, **alone}, end=0.01), "the gas of the periodic box attracts itself")
    hb.run(**options, end=0.02, overwrite=True)
    for end in (0.04, 0.06):
        found = hb.run(**options, end=end, resume=True)
        assert found["configuration"]["boundary"]["size"] == TUBE["size"]
    asked = {**options, "boundary": TUBE, "output": {"directory": str(tmp_path / "asked"), "every": 0.02}}
    hb.run(**asked, end=0.06)
    last = [h5py.File(tmp_path / name / "snapshot_0003.hdf5") for name in ("run", "asked")]
    assert (last[0]["PartType0/Coordinates"][:] == last[1]["PartType0/Coordinates"][:]).all()
    heavy = {**options, **alone, "overwrite": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert hb.run(**heavy, end=0.01)["configuration"]["watchdog"]["energy"] == 0  # walls: not conserved


def test_checkpoints_and_galaxies_in_files_know_gamma(tmp_path):
    run = hb.Simulation(hb.ic.sod(144, gamma=1.4), dt=0.01, gas={**FLOWS, "gamma": 1.4})
    run.checkpoint(tmp_path / "run.hbc")
    one_of(lambda: hb.Simulation(tmp_path / "run.hbc", dt=0.01, gas=FLOWS), "was made with gamma 1.4")
    kinds = {"disc_mass": 0, "bulge_mass": 0, "halo_number": 40, "gas_number": 60, "gas_mass": 0.1}  # discs take seconds
    galaxy = hb.ic.galaxy(100, **kinds, gas_gamma=1.4)
    hb.write(tmp_path / "soft.hdf5", galaxy)
    galaxy.gamma = 5 / 3
    hb.write(tmp_path / "usual.hdf5", galaxy)
    orbit = {"pericentre": 1, "separation": 10}
    merged = hb.ic.merger(galaxy1=str(tmp_path / "soft.hdf5"), **orbit)
    assert merged.gamma == 1.4 and merged.boundary is None
    one_of(lambda: hb.ic.merger(galaxy1=str(tmp_path / "soft.hdf5"), galaxy2=str(tmp_path / "usual.hdf5"), **orbit),
           "the gas of the second has gamma 1.6666666666666667, not gamma 1.4")


@pytest.mark.parametrize("attribute, value", [("Gamma", float("nan")), ("Gamma", -1.4), ("Gamma", float("inf")),
                                              ("MeanMolecularWeight", -2.0), ("NeighbourNumber", float("nan"))])
def test_damaged_parameters_of_gas_are_told_and_not_taken(tmp_path, attribute, value, h5py):
    hb.write(tmp_path / "tube.hdf5", hb.ic.sod(144))
    with h5py.File(tmp_path / "tube.hdf5", "a") as file:
        file["Parameters"].attrs[attribute] = value
    found = hb.read(tmp_path / "tube.hdf5")
    assert any(f"attribute {attribute} of Parameters" in note for note in found.notes)
    assert found.gamma == (None if attribute == "Gamma" else 5 / 3)


def test_other_programs_parameters_do_no_harm(tmp_path, h5py):
    hb.write(tmp_path / "tube.hdf5", hb.ic.sod(144, gamma=1.4))
    with h5py.File(tmp_path / "tube.hdf5", "a") as file:
        file["Parameters"].attrs["KernelName"] = "quartic"  # as h5py writes text, of any length
        file["Parameters"].attrs["EquationOfState"] = "ideal"
    assert hb.read(tmp_path / "tube.hdf5").gamma == 1.4
    assert hb.analysis.energy(tmp_path / "tube.hdf5").thermal > 0
    with h5py.File(tmp_path / "tube.hdf5", "a") as file:
        file["Parameters"].attrs["EquationOfState"] = 3.0
    assert hb.read(tmp_path / "tube.hdf5").gamma is None


@pytest.mark.parametrize("ending", ["hdf5", "npz", "csv"])
def test_pictures_and_exact_flows_know_what_gas_is_not_ideal(tmp_path, ending):
    run = hb.Simulation(model="sod", n=144, dt=0.01, gas={"eos": "isothermal", "sound_speed": 1, "self_gravity": False})
    run.run(0.02)
    assert run.internal_energy == pytest.approx(1.5)  # c^2 / (gamma - 1), whatever the start had
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hb.HornbeamWarning)  # of what a .csv does not hold
        run.write(tmp_path / f"last.{ending}")
    hb.render(tmp_path / f"last.{ending}", field="pressure", slice="z=0", numbers=tmp_path / "p.npy", width=64, height=16)
    shown, own = np.load(tmp_path / "p.npy"), run.pressure
    assert np.nanmin(shown) == pytest.approx(own.min(), rel=0.02)  # ideal gas of these energies: 0.100
    if ending == "hdf5":
        for what in (run, tmp_path / "last.hdf5"):
            with pytest.raises(hb.Error, match="gas with eos isothermal, and the known flow of sod is of ideal gas"):
                hb.analysis.exact(what)
    assert hb.read(tmp_path / f"last.{ending}").gamma in (None, 5 / 3)


def test_exact_flows_refuse_unknown_options():
    run = hb.Simulation(model="sod", n=144, dt=0.01, gas=FLOWS)
    run.run(0.02)
    with pytest.raises(hb.UsageError, match="unknown option pressur of sod .did you mean pressure"):
        hb.analysis.exact(run, pressur=2)
    wave = hb.Simulation(model="sound-wave", n=3456, dt=0.01, gas=FLOWS)
    wave.run(0.02)
    assert json.dumps(hb.analysis.exact(wave, model="sound_wave")["amplitude"])  # the name that hb.ic has


def test_energies_tell_of_images_that_pull():
    boxed = hb.Simulation(hb.ic.uniform_cube(100), dt=0.01, eps=0.1,
                          boundary={"kind": "periodic", "size": [1, 1, 1], "n_ghost_x": 1})
    one_of(lambda: hb.analysis.energy(boxed), "do not include the images of the run's box")


def test_tipsy_gives_energies_back_whatever_else_particles_hold(tmp_path):
    """Its temperatures are read as energies of ideal gas: those of what gas is now, not of temperatures before."""
    gas = {"eos": "barotropic", "sound_speed": 1.0, "critical_density": 1e-5, "self_gravity": False}
    run = hb.Simulation(hb.ic.sod(144, units="galactic"), dt=0.01, gas=gas)
    run.step(2)
    ideal = hb.Simulation(hb.ic.sod(144, units="galactic"), dt=0.01, gas=FLOWS)
    ideal.step(2)
    hotter = ideal.particles.copy()
    hotter.internal_energy = 3 * hotter.internal_energy
    for particles in (run.particles, hotter):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", hb.HornbeamWarning)  # of what Tipsy does not hold
            hb.write(tmp_path / "gas.tipsy", particles)
        back = hb.read(tmp_path / "gas.tipsy")
        back.convert("galactic")
        assert np.sort(back.internal_energy) == pytest.approx(np.sort(particles.internal_energy), rel=1e-5)
    assert any("eos, barotropic, is not stored" in said for said in told(lambda: hb.write(tmp_path / "b.tipsy", run.particles)))


def test_archives_keep_the_mean_weight_of_temperatures(tmp_path):
    gas = {**FLOWS, "gamma": 1.4, "mean_weight": 1.3}
    run = hb.Simulation(hb.ic.sod(1152, gamma=1.4, units="galactic"), dt=0.01, gas=gas)
    run.step(2)
    options = {"field": "temperature", "slice": "z=0", "width": 64, "height": 16}
    shown = {}
    for ending in ("hdf5", "npz", "csv"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", hb.HornbeamWarning)  # of what a .csv does not hold
            run.write(tmp_path / f"gas.{ending}")
        hb.render(tmp_path / f"gas.{ending}", numbers=tmp_path / "t.npy", **options)
        shown[ending] = np.load(tmp_path / "t.npy")
    np.testing.assert_allclose(shown["npz"], shown["hdf5"], rtol=1e-12)
    assert np.nanmedian(shown["csv"]) == pytest.approx(np.median(shown["hdf5"]), rel=0.02)  # it has no box, nor images
    bare = hb.read(tmp_path / "gas.csv")
    bare.temperature = bare.pressure = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hb.HornbeamWarning)
        hb.write(tmp_path / "bare.csv", bare)
    one_of(lambda: hb.render(tmp_path / "bare.csv", **options), "drawn as ideal gas with gamma 1.66667")
    with pytest.raises(hb.Error, match="has pressures that differ from those of ideal gas with gamma 1.66667"):
        hb.analysis.exact(tmp_path / "gas.csv", model="sod")


def test_boxes_that_cannot_be_and_those_of_simulations_are_refused():
    cloud = hb.ic.plummer(9)
    for wrong in ({"kind": "periodic", "size": [1, -1, 1]}, {"kind": "periodic", "size": [float("nan"), 1, 1]},
                  {"kind": "periodic"}, {"kind": "shear", "size": [1, 1, 0]}):
        with pytest.raises(hb.UsageError, match="boundary"):
            cloud.boundary = wrong
    run = hb.Simulation(hb.ic.sod(144), dt=0.01, gas=FLOWS)
    for name, value in (("boundary", None), ("gamma", 1.4), ("box_size", 3)):
        with pytest.raises(hb.UsageError, match=f"{name}: belongs to the simulation"):
            setattr(run.particles, name, value)


def test_joins_tell_of_other_eos_and_take_what_one_does_not_know():
    tube = hb.ic.sod(144, gamma=1.4)
    iso = hb.Simulation(hb.ic.sod(144), dt=0.01, gas={"eos": "isothermal", "sound_speed": 1, "self_gravity": False})
    one_of(lambda: tube + iso.particles, "the gas of the second has eos isothermal, not gamma 1.4")
    unknown = hb.ic.sod(144)
    unknown.gamma = None
    assert unknown.gamma is None and (unknown + tube).gamma == 1.4 and (tube + unknown).gamma == 1.4
    bodies = hb.Snapshot([[0, 0, 0]], radius=1.0, eps=0.1)
    one_of(lambda: bodies + hb.Snapshot([[3, 0, 0]], eps=0.1), "particles of the second have no radius, and get 0")
    cube = hb.ic.sedov(512)
    plain = hb.Snapshot([[0, 0, 0]], eps=0.1, box_size=1.0)
    for both in (lambda: cube + plain, lambda: plain + cube):
        assert told(both) == [] and both().boundary["size"] == [1, 1, 1]


def test_units_and_G_go_through_pickles_to_the_last_bit(tmp_path):
    place = np.random.default_rng(1).random((9, 3))
    np.savez(tmp_path / "own.npz", pos=place, vel=0 * place, mass=np.ones(9), G=2.5)
    odd = hb.Snapshot(place, mass=1.0, units="1.23456789012345e21 cm, 1.1e33 g, 1e5 cm/s")
    for one in (hb.read(tmp_path / "own.npz"), odd, hb.ic.plummer(9, units="galactic")):
        for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            assert other == one and other.G == one.G and other.units == one.units
            (one + other).copy()
        run = hb.Simulation(one, dt=1e-3, eps=0.1)
        run.add({"position": [[5, 5, 5]], "mass": [1.0]})
        assert len(run) == 10 and run.G == one.G
    assert hb.Snapshot(place, units="galactic") != hb.Snapshot(place, units="si")
    assert hb.Snapshot(place) != hb.Snapshot(place, box_size=1.0)


def test_units_of_a_simulation_stay():
    run = hb.Simulation(hb.ic.plummer(50, units="solar"), dt=1e-4, eps=0.1)
    with pytest.raises(hb.UsageError, match="convert: these particles belong to a simulation"):
        run.particles.convert("cgs")


@pytest.mark.parametrize("box, said", [
    ({"size": [1, 1, 1]}, "kind is missing"), ({"kind": "open", "size": [1, 1, 1]}, "size is not a property of a box of kind open"), ({"kind": "periodic", "size": [1, 1, 1], "omega": 1.0}, "omega is not a property"),
    ({"kind": "shear", "size": [1, 1, 0], "omega": 1.0, "self_gravity": False}, "self_gravity is not a property")])
def test_boxes_keep_what_they_are_told(box, said):
    cloud = hb.ic.plummer(9)
    with pytest.raises(hb.UsageError, match=said):
        cloud.boundary = box
    cloud.boundary = {"kind": "open"}
    assert cloud.boundary is None


def test_cubes_by_number_alone_that_differ_are_told():
    one, other = hb.Snapshot(np.zeros((2, 3)), box_size=1.0), hb.Snapshot(np.ones((2, 3)), box_size=2.0)
    one_of(lambda: one + other, "the second has a different box")


def test_gas_of_other_runs_is_told(tmp_path):
    polytrope = hb.Simulation(hb.ic.sod(144), dt=0.01, gas={"eos": "polytrope", "constant": 1.0, "gamma": 1.4, "self_gravity": False})
    one_of(lambda: hb.Simulation(polytrope.particles, dt=0.01, gas={**FLOWS, "gamma": 1.4}), 'made with gas.eos = "polytrope"')
    sphere = {"sound_speed": 10, "mean_weight": 2.3, "eos": "isothermal", "self_gravity": False}
    cloud = hb.ic.evrard(300, units="galactic")
    cold = hb.Simulation(cloud, dt=1e-4, gas=sphere)
    expected = 2.3 * 1.67262192e-24 * (10e5) ** 2 / 1.380649e-16
    assert cold.temperature == pytest.approx(expected, rel=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hb.HornbeamWarning)  # that the eos is not stored
        cold.write(tmp_path / "cold.npz")
        hb.write(tmp_path / "cold.tipsy", hb.read(tmp_path / "cold.npz"))
    assert hb.read(tmp_path / "cold.npz").gamma == 5 / 3
    back = hb.read(tmp_path / "cold.tipsy")
    back.convert("galactic")
    assert back.internal_energy == pytest.approx(1.5 * 10**2, rel=1e-3)
    assert "dMeanMolWeight = 2.3" in (tmp_path / "cold.param").read_text()
    warm = hb.Simulation(cloud, dt=1e-4, gas={"eos": "ideal", "mean_weight": 2.3})
    one_of(lambda: hb.Simulation(warm.particles, dt=1e-4, gas={"eos": "ideal"}), "made with gas.mean_weight = 2.3")
