# SPDX-License-Identifier: Apache-2.0
"""What `hornbeam init` writes: it runs, says every key there is, and says what holds without them."""

import json
import re

import pytest

KINDS = ("galaxy", "merger", "cluster", "ring", "mydata")
PLACEHOLDER = re.compile(r"^\[?(FLOAT|INT|WORD|PATH|LENGTH|MASS|VELOCITY|TIME|FAMILY)(,\.\.\.\])?$")


# What stands beside some words of another key alone.
CONDITIONAL = {"time.eta", "time.eta_change", "time.max_rung", "units.of_files", "boundary.n_ghost_x",
               "boundary.n_ghost_y", "boundary.n_ghost_z", "boundary.omega_z", "boundary.self_gravity",
               "collisions.restitution", "collisions.scale", "collisions.exponent", "collisions.minimum_velocity",
               "collisions.detection", "collisions.tangential_restitution", "collisions.friction",
               "gas.gamma", "gas.self_gravity", "gas.softening", "gas.kernel", "gas.neighbours", "gas.max_smoothing_length",
               "gas.tolerance", "gas.courant",
               "gas.force_step", "gas.viscosity", "gas.alpha", "gas.alpha_min", "gas.alpha_start", "gas.beta",
               "gas.conductivity", "gas.gammas", "gas.densities", "gas.materials", "gas.mean_weight", "gas.limiter",
               "gas.reconstruct", "gas.bias_correction",
               "output.groups_linking_length", "output.groups_linking_fraction", "output.groups_linking_density",
               "output.groups_min_members", "output.groups_unbind", "output.groups_types", "output.groups_primary_types"}


def short(kind):
    """Settings that make the run of a test of what takes a minute."""
    settings = {"ic.n": 600, "time.end": 0.002, "time.dt": 0.0005, "output.every": 0.001, "output.energy_every": 0.001}
    if kind in ("ring", "mydata"):
        del settings["ic.n"], settings["output.energy_every"]
    if kind == "mydata":
        settings.update({"time.dt": 0.0625, "time.end": 0.125, "output.every": 0.0625})
    if kind == "ring":
        settings.update({"time.dt": 40, "time.end": 80, "output.every": 40})
    return [f"--set={key}={value}" for key, value in settings.items()]


def write(hornbeam, kind):
    said = hornbeam.ok("init", kind)
    if kind == "mydata":
        hornbeam.ok("ic", "plummer", "-n", 200, "--units", "pc,Msun,km/s", "--mass", 1000, "-o", "mydata.csv")
    return said, (hornbeam.folder / f"{kind}.toml").read_text()


def configuration(hornbeam, file, kind):
    quick = ["--set=ic.disc_mass=0"] if kind == "merger" else []  # discs take longer to draw than all else
    hornbeam.ok("run", file, *short(kind), *quick, "--overwrite")
    return json.loads((hornbeam.folder / "output" / kind / "run.json").read_text())


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_writes_runs(hornbeam, kind):
    said, text = write(hornbeam, kind)
    assert f"snapshot_*.hdf5 --{'ring' if kind == 'ring' else 'energy'}" in said
    assert f"hornbeam run {kind}.toml" in said and f"hornbeam movie output/{kind}" in said
    run = hornbeam.ok("run", f"{kind}.toml", *short(kind))
    bodies = {"mydata": "200", "ring": "1441"}.get(kind, "600")
    assert f"{bodies} particles" in run and "WARNING" not in run
    assert len(list((hornbeam.folder / "output" / kind).glob("snapshot_*.hdf5"))) == 3
    for line in text.splitlines():
        assert len(line) <= 120, line
        assert not line or line.startswith("#") or "#" in line, f"not explained: {line}"


@pytest.mark.parametrize("kind", ("merger", "cluster", "mydata"))  # a ring does not keep its energy: other defaults
def test_keys_commented_out_say_what_holds(hornbeam, kind):
    _, text = write(hornbeam, kind)
    lines, section, seen = [], "", set()
    for line in text.splitlines():
        heading = re.match(r"(?:# )?\[(\w+)\]", line)
        section = heading[1] if heading else section
        key = re.match(r"# (\w+) = (\[.*?\]|\S+)", line)
        if section == "potential" or line.startswith("# [units]") or not (key or heading):
            lines.append(line)
        elif heading:
            lines.append(line.removeprefix("# "))
        elif PLACEHOLDER.match(key[2]) or f"{section}.{key[1]}" in CONDITIONAL:
            lines.append(line)
        else:
            lines.append(line.removeprefix("# "))
            seen.add(f"{section}.{key[1]}")
    assert {"gravity.mac", "output.formats", "device.threads", "watchdog.energy", "output.snapshots"} <= seen, seen
    (hornbeam.folder / "all.toml").write_text("\n".join(lines) + "\n")
    asked = configuration(hornbeam, "all.toml", kind)["configuration"]
    told = configuration(hornbeam, f"{kind}.toml", kind)["configuration"]
    for key in [name for name in asked.get("ic", {}) if name not in told["ic"]]:
        del asked["ic"][key]  # a model's own defaults
    assert asked == told


def test_every_key_of_the_table_is_there(hornbeam):
    _, text = write(hornbeam, "galaxy")
    table = hornbeam.ok("run", "--help").split("CONFIG.toml:", 1)[1]
    keys, section = [], ""
    for line in table.splitlines():
        heading = re.match(r"\[(\w+)\]", line)
        section = heading[1] if heading else section
        key = re.match(r"  (\w+) ", line)
        keys += [(section, key[1])] if key and section != "input" else []
    assert len(keys) > 50
    parts = dict(re.findall(r"^(?:# )?\[(\w+)\](.*?)(?=^(?:# )?\[\w+\]|\Z)", text, re.M | re.S))
    for section, key in keys:
        assert re.search(rf"^(# )?{key} = ", parts[section], re.M), f"{section}.{key}"
    for option in re.findall(r"  --([\w-]+) ", hornbeam.ok("ic", "galaxy", "--help")):
        name = option.replace("-", "_")
        if name not in ("seed", "units"):
            assert re.search(rf"^(# )?{name} = ", parts["ic"], re.M), name


def test_a_name_of_ones_own(hornbeam):
    said = hornbeam.ok("init", "cluster", "my cluster.toml")
    assert "hornbeam run 'my cluster.toml'" in said
    assert 'directory = "output/cluster"' in (hornbeam.folder / "my cluster.toml").read_text()
    hornbeam.ok("init", "cluster", "old.toml")
    assert 'directory = "output/old"' in (hornbeam.folder / "old.toml").read_text()


def test_a_file_is_not_replaced_unasked(hornbeam):
    (hornbeam.folder / "ring.toml").write_text("mine")
    assert hornbeam.error(1, "init", "ring").startswith("ring.toml: exists already (replace it with --overwrite")
    assert (hornbeam.folder / "ring.toml").read_text() == "mine"
    hornbeam.ok("init", "ring", "--overwrite")
    assert "mine" != (hornbeam.folder / "ring.toml").read_text()
    assert hornbeam.error(1, "init", "ring", "none/ring.toml").startswith("none/ring.toml: ")


def test_unknown_kinds_are_answered_with_the_nearest(hornbeam):
    assert hornbeam.error(2, "init", "galaxi") == "init galaxi: is no known kind of configuration (did you mean galaxy?)"
    assert "known: galaxy, merger, cluster, ring, mydata" in hornbeam.error(2, "init", "supernova")
    assert "KIND is required" in hornbeam.error(2, "init")
