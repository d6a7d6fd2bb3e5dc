# SPDX-License-Identifier: Apache-2.0
"""Gas that is at one place, or of masses, energies and lengths far from all others: it runs, or an error says what to
look for. No error of valid or absurd input asks to report a fault."""
import pytest

CONFIG = """
[input]
file = "gas.csv"
[gas]
eos = "ideal"
[gravity]
eps = 0.01
[time]
dt = 0.01
end = 0.02
[output]
directory = "out"
"""
DENSITY = "no density, because sums of masses there overflow precision "
STEPS = "time.dt: gas "
PULL = "gravity is finite there, but sums over the gas are not"
WHAT_TO_DO = ("check for ", "take ", "give ")


def row(place=(0.5, 0.5, 0.5), velocity=(0, 0, 0), mass=0.01, energy=1.0):
    return ",".join(map(repr, (*place, *velocity, mass))) + f",gas,{energy!r}"


def run(hornbeam, tmp_path, rows, *options):
    names = "x,y,z,vx,vy,vz,mass,family,internal_energy\n"
    (tmp_path / "gas.csv").write_text(names + "\n".join(rows) + "\n")
    (tmp_path / "gas.toml").write_text(CONFIG)
    sets = [word for option in options for word in ("--set", option)]
    return hornbeam.run("run", "gas.toml", "--backend", "cpu", *sets)


def cloud(n, size=1.0, **what):
    return [row(tuple(size * (1 + (i * step) % 7) / 7 for step in (1, 3, 5)), **what) for i in range(n)]


AT_ONE_PLACE = [row()] * 100
CASES = {
    "one place": (AT_ONE_PLACE, [], None),
    "one place, block steps": (AT_ONE_PLACE, ["time.steps=block"], None),
    "one place at 1e-100": ([row((1e-100,) * 3)] * 100, [], PULL),
    "one place in single": (AT_ONE_PLACE, ["device.precision=single"], PULL),
    "one place, all that move": ([row(velocity=(i % 7, i % 5, i % 3)) for i in range(100)], [], STEPS),
    "one place, one of much energy": ([row(energy=1e30)] + AT_ONE_PLACE, [], ""),
    "a mass of 1e100": ([row(mass=1e100), *cloud(100)], [], DENSITY),
    "a mass of 1e300 in double": ([row(mass=1e300), *cloud(100)], ["device.precision=double"], ""),
    "masses of 1e300 in single": (cloud(20, mass=1e300), ["device.precision=single"], DENSITY),
    "masses of 1e-310 in single": (cloud(100, mass=1e-310), ["device.precision=single"], DENSITY),
    "a mass of 1e-300": ([row(mass=1e-300), *cloud(100)], [], DENSITY),
    "a place at 1e150": ([row((1e150, 0, 0)), *cloud(100)], [], ""),
    "energies of 1e300": (cloud(100, energy=1e300), [], ""),
    "one at 1e-30 of much energy": ([row((1e-30,) * 3, energy=1e30)] * 10, ["gravity.eps=0"], ""),
}


@pytest.mark.parametrize("case", CASES)
def test_gas_at_the_limits_runs_or_says_what_to_look_for(hornbeam, tmp_path, case):
    """None: it runs; a text: what the error says, "" for whatever."""
    rows, options, expected = CASES[case]
    done = run(hornbeam, tmp_path, rows, *options)
    said = done.stdout + done.stderr
    assert "report" not in said.split("error: ")[-1] and "fault" not in said
    if expected is None:
        assert done.returncode == 0, said
    elif done.returncode != 0:
        error = done.stderr.split("error: ")[-1]
        assert expected in error and any(what in error for what in WHAT_TO_DO), said
