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
    ("rum x.toml --eps 0.1", "rum: is no command of hornbeam (did you mean run?)"),
    ("simulate", "known: info, selftest, ic, run, force"),
    ("--json info", "--json: stands where the command should"),
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
    ("analyze a.hdf5 --energy --theta 1", "--theta: is no option of hornbeam analyze (it is one of hornbeam force)"),
    ("render a.hdf5 -o a.png --zzzzzzzz", "known: "),
    ("render a.hdf5", "hornbeam render: -o is required (try hornbeam render --help)"),
    ("convert a.hdf5 b.hdf5 c.hdf5", "c.hdf5: is more than hornbeam convert takes"),
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
    assert "not built" not in text and "--ring" not in text and "--groups" not in text


def test_tables_have_numbers_as_given(hornbeam):
    (hornbeam.folder / "p.csv").write_text("x,y,z,vx,vy,vz,m\n0.1,0,0,0,0,0,0.1\n-0.1,0,0,0,0,0,0.1\n")
    hornbeam.ok("analyze", "p.csv", "--profile", "--edges", 0.05, 0.15, "--csv", "t.csv")
    with open(hornbeam.folder / "t.csv", encoding="ascii") as file:
        cells = [cell for row in csv.DictReader(file) for cell in row.values()]
    numbers = [cell for cell in cells if cell != "p.csv"]
    assert len(numbers) > 3 and all(len(cell) <= len(repr(float(cell))) for cell in numbers), numbers
