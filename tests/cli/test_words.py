# SPDX-License-Identifier: Apache-2.0
"""What the command line answers to words that it does not know, and to none."""

import csv

import pytest


def test_no_arguments_print_help(hornbeam):
    done = hornbeam.run()
    assert done.returncode == 2 and done.stdout == ""
    for command in ("info", "ic", "run", "force", "analyze", "movie"):
        assert f"\n  {command} " in done.stderr
    assert "error" not in done.stderr


@pytest.mark.parametrize("line, said", [
    ("rum", "rum: is no command of hornbeam (did you mean run?)"),
    ("rnu", "rnu: is no command of hornbeam (did you mean run?)"),
    ("force --ic plummer -n 8 --esp 0.1", "--esp: is no option of hornbeam force (did you mean --eps?)"),
    ("run x.toml --esp 0.1", "--esp: is no option of hornbeam run (did you mean --set gravity.eps=0.1?)"),
    ("rum x.toml --eps 0.1", "rum: is no command of hornbeam (did you mean run?)"),
    ("simulate", "known: info, selftest, init, ic, run, force"),
    ("--json info", "--json: comes before the command"),
    ("ic galaxy --toomre_q 1.5 -n 100 -o a.hdf5",
     "--toomre_q: is no option of hornbeam ic galaxy (did you mean --toomre-q?)"),
    ("ic galaxy -n 100 -o a.hdf5 --tomre-q=1.5", "--tomre-q: is no option of hornbeam ic galaxy (did you mean --toomre-q?)"),
    ("ic galaxy -n 100", "hornbeam ic galaxy: -o is required"),
    ("run --eps 0.1 x.toml", "--eps: is no option of hornbeam run (write --set gravity.eps=0.1)"),
    ("run x.toml --eps=0.1", "(write --set gravity.eps=0.1)"),
    ("run x.toml --max_rung 3", "(write --set time.max_rung=3)"),
    ("run x.toml --thta 0.5", "(did you mean --set gravity.theta=0.5?)"),
    ("run x.toml --resum", "(did you mean --resume?)"),
    ("run x.toml --every 2", "--set output.every=2 or --set watchdog.every=2"),
    ("force --ic plummer -n 8 --bakend cpu", "--bakend: is no option of hornbeam force (did you mean --backend?)"),
    ("force --ic plummer -n 8 --group_size 8", "(did you mean --group-size?)"),
    ("analyze a.hdf5 --enrgy", "(did you mean --energy?)"),
    ("analyze a.hdf5 --energy --theta 1", "--theta: is no option of hornbeam analyze (it is an option of hornbeam force)"),
    ("render a.hdf5 -o a.png --zzzzzzzz", "known: "),
    ("render a.hdf5", "hornbeam render: -o is required (try hornbeam render --help)"),
    ("convert a.hdf5 b.hdf5 c.hdf5", "c.hdf5: is one argument more than hornbeam convert takes"),
])
def test_unknown_words_are_answered_with_the_nearest(hornbeam, line, said):
    assert said in hornbeam.error(2, *line.split())


def test_lists_end_where_the_file_begins(hornbeam):
    hornbeam.ok("ic", "galaxy", "-n", 3000, "-o", "g.hdf5")
    after = hornbeam.json("analyze", "g.hdf5", "--profile", "--types", "halo", "bulge", "--edges", 0.5, 1, 2)
    assert len(after["radius"]) == 2
    assert hornbeam.json("analyze", "--profile", "--edges", 0.5, 1, 2, "--types", "halo", "bulge", "g.hdf5") == after
    assert hornbeam.json("analyze", "--profile", "--edges=0.5", 1, 2, "g.hdf5", "--types=halo", "bulge") == after
    hornbeam.ok("render", "--types", "halo", "disc", "--centre", 0, -1, 0, "g.hdf5", "-o", "a.png", "--width", 64,
                "--height", 64)
    assert "edges" in hornbeam.error(2, "analyze", "--profile", "--edges", "wide", "g.hdf5")
    assert "halos" in hornbeam.error(2, "analyze", "--profile", "--types", "halos", "g.hdf5")


def test_settings_before_the_configuration(hornbeam, config):
    hornbeam.ok("run", "--set", "gravity.theta=0.5", "time.end=0.25", config())
    assert (hornbeam.folder / "out" / "run.json").exists()


def test_what_is_not_built_is_not_listed(hornbeam):
    text = hornbeam.ok("analyze", "--help")
    assert "not built" not in text


def test_tables_have_numbers_as_given(hornbeam):
    (hornbeam.folder / "p.csv").write_text("x,y,z,vx,vy,vz,m\n0.1,0,0,0,0,0,0.1\n-0.1,0,0,0,0,0,0.1\n")
    hornbeam.ok("analyze", "p.csv", "--profile", "--edges", 0.05, 0.15, "--csv", "t.csv")
    with open(hornbeam.folder / "t.csv", encoding="ascii") as file:
        cells = [cell for row in csv.DictReader(file) for cell in row.values()]
    numbers = [cell for cell in cells if cell != "p.csv"]
    assert len(numbers) > 3 and all(len(cell) <= len(repr(float(cell))) for cell in numbers), numbers


@pytest.mark.parametrize("name, usual", [("parsec", "pc"), ("Parsecs", "pc"), ("kiloparsec", "kpc"), ("astronomical_unit", "AU")])
def test_units_by_other_names_are_read(hornbeam, name, usual):
    assert f"in {usual}, Msun" in hornbeam.ok("ic", "plummer", "-n", 8, "-o", "p.hdf5", "--units", f"{name},solMass,km s-1")


@pytest.mark.parametrize("name, usual", [("KPC", "kpc"), ("PC", "pc")])
def test_units_by_other_names_are_answered_with_those_that_are_read(hornbeam, name, usual):
    said = hornbeam.error(2, "ic", "plummer", "-n", 8, "-o", "p.hdf5", "--units", f"{name},Msun,km/s")
    assert f"received the unknown unit '{name}' (did you mean {usual}?)" in said


def test_a_unit_in_round_brackets_is_answered_with_square_ones(hornbeam):
    (hornbeam.folder / "p.csv").write_text("x (pc),y (pc),z (pc),vx,vy,vz,m\n0.1,0,0,0,0,0,0.1\n")
    said = hornbeam.error(1, "analyze", "p.csv", "--energy")
    assert said == "p.csv: line 1: has no column x y z (write \"x [pc]\" for 'x (pc)')"


def test_tables_have_units_and_one_system(hornbeam):
    for name, units in {"kpc": "galactic", "pc": "pc,Msun,km/s", "one": "nbody"}.items():
        hornbeam.ok("ic", "plummer", "-n", 8, "-o", f"{name}.hdf5", "--units", units)
    hornbeam.ok("analyze", "pc.hdf5", "pc.hdf5", "--energy", "--csv", "t.csv")
    heading, *rows = (hornbeam.folder / "t.csv").read_text().splitlines()
    assert "time [Myr]" in heading and "kinetic [Msun (km/s)^2]" in heading and len(rows) == 2
    assert "momentum_x [Msun km/s]" in heading and "virial_ratio" in heading and "virial_ratio [" not in heading
    hornbeam.ok("analyze", "one.hdf5", "--energy", "--csv", "t.csv")
    assert "[" not in (hornbeam.folder / "t.csv").read_text()
    said = hornbeam.error(2, "analyze", "pc.hdf5", "kpc.hdf5", "--energy", "--csv", "mixed.csv")
    assert said.startswith("--csv: pc.hdf5 is in pc, Msun, km/s") and "kpc.hdf5 in kpc, 1e10 Msun, km/s" in said
    assert not (hornbeam.folder / "mixed.csv").exists()
    assert hornbeam.error(2, "analyze", "pc.hdf5", "one.hdf5", "--half-mass", "--plot", "p.png").startswith("--plot: ")


def test_units_of_tipsy_are_short(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 8, "-o", "p.tipsy", "--units", "galactic")
    text = hornbeam.ok("analyze", "p.tipsy", "--energy")
    assert "units: kpc, 1e10 Msun, 207.387 km/s (G = 1)" in text and "[1e10 Msun (207.387 km/s)^2]" in text


@pytest.mark.parametrize("settings, said", [
    (["system=galactic", "length=kpc", "mass=Msun"], "has both system and length, mass (keep one of them)"),
    (["length=kpc", "length_cm=1"], "has both length and length_cm (keep one of them)"),
    (["length=kpc", "mass=Msun"], "has only length, mass (give system; or length, mass and velocity (or time)"),
    (["of_files=convert"], "does not define the units (give system;"),
])
def test_units_that_do_not_go_together(hornbeam, config, settings, said):
    assert f"run.toml: units: {said}" in hornbeam.error(2, "run", config(), *[f"--set=units.{text}" for text in settings])


def test_what_is_missing_is_named(hornbeam, config):
    said = hornbeam.error(2, "run", config(), "--set", "potential.kind=nfw", "potential.mass=1")
    assert said == "run.toml: potential.scale: is missing (give it a number)"
    assert "must be above 0" in hornbeam.error(2, "run", config(), "--set", "potential.kind=nfw", "potential.mass=1",
                                              "potential.scale=0")


def test_failures_name_what_was_typed(hornbeam, config):
    hornbeam.ok("ic", "plummer", "-n", 200, "-o", "p.hdf5")
    assert hornbeam.error(1, "analyze", "p.hdf5", "--bar", "--json").startswith("p.hdf5: --bar: ")
    hornbeam.ok("run", config())
    said = hornbeam.ok("convert", "out/snapshot_0001.hdf5", "p.txt", "--to", "galactics")
    assert "galactics: the time is not stored" in said and "csv" not in said
