# SPDX-License-Identifier: Apache-2.0
"""`hornbeam analyze --plot`: what each measure draws, with the data and the panels of hornbeam.plot."""

import pytest

from conftest import ROOT
from gas_tube import START
from plots import panels, plot  # noqa: F401: fixtures


def lines(axes):
    return {line.get_label(): [list(map(float, way)) for way in line.get_data()] for line in axes.lines}


def test_energies_of_a_run_and_their_error(hornbeam, config, plot):  # noqa: F811
    hornbeam.ok("run", config())
    files = [f"out/snapshot_000{k}.hdf5" for k in range(3)]
    told = hornbeam.json("analyze", *files, "--energy")
    handed, drawn = plot(*files, "--energy")
    assert handed["views"] == [] and len(drawn) == 5
    energies = lines(drawn["energy|energy"])
    assert energies["total"] == [[one["time"] for one in told], [one["total"] for one in told]]
    (times, errors), = lines(drawn["energy||relative error of the energy|"]).values()
    start = told[0]["total"]
    assert times == [0, 0.25, 0.5] and errors[0] != errors[0]  # nothing to draw at the start
    assert errors[1:] == [abs((one["total"] - start) / abs(start)) for one in told[1:]]
    momenta = lines(drawn["energy|angular momentum"])
    assert momenta["angular momentum z"][1] == [one["angular_momentum"][2] for one in told]


def test_numbers_of_one_moment_are_a_table(hornbeam, plot):  # noqa: F811
    hornbeam.ok("ic", "plummer", "-n", 100, "-o", "p.hdf5")
    _, drawn = plot("p.hdf5", "--energy", "--half-mass", in_pixels=True)
    (energy, half) = drawn.values()
    told = hornbeam.json("analyze", "p.hdf5", "--energy", "--half-mass")
    for axes, keys in ((energy, ["kinetic", "total", "virial_ratio"]), (half, ["half_mass_radius"])):
        texts = [text.get_text() for text in axes.texts]
        assert texts[0] == "p, t = 0"
        for key in keys:
            assert texts[texts.index(key.replace("_", " ")) + 1] == f"{told[key]:.5g}"


def test_profiles_and_surface_density(hornbeam, plot):  # noqa: F811
    hornbeam.ok("ic", "plummer", "-n", 4000, "-o", "a.hdf5", "--units", "pc,Msun,km/s")
    hornbeam.ok("ic", "plummer", "-n", 4000, "-o", "b.hdf5", "--units", "pc,Msun,km/s", "--seed", 2)
    handed, drawn = plot("a.hdf5", "b.hdf5", "--profile")
    assert list(drawn) == ["profile: a, t = 0 Myr|y [pc]", "profile: b, t = 0 Myr|y [pc]", "profile|density [Msun/pc³]",
                           "profile|mass [Msun]", "profile|circular velocity [km/s]"]
    told = hornbeam.json("analyze", "a.hdf5", "--profile")
    there = [(r, d) for r, d in zip(told["radius"], told["density"]) if d > 0]
    density = drawn["profile|density [Msun/pc³]"]
    assert lines(density)["a, t = 0 Myr"] == [list(way) for way in zip(*there)] and len(density.lines) == 2
    assert (density.get_xscale(), density.get_yscale()) == ("log", "log")
    view = handed["views"][0]
    cell = view["extent"] / len(view["surface_density"])
    assert sum(map(sum, view["surface_density"])) * cell**2 == pytest.approx(1, abs=0.05)  # 95 % of the mass within
    shown = drawn["profile: a, t = 0 Myr|y [pc]"].images[0]
    assert shown.get_array().tolist() == view["surface_density"]
    middle = [row[k] for row in view["surface_density"][9:11] for k in range(9, 11)]  # of 20 squares: 10 particles in one
    assert len(view["surface_density"]) == 20 and sum(middle) / 4 > 20 * sum(view["surface_density"][1]) / 20


def test_a_galaxy_is_seen_from_both_sides(hornbeam, plot):  # noqa: F811
    hornbeam.ok("ic", "galaxy", "-n", 6000, "-o", "g.hdf5")
    plots = {}
    for flags in (["--disc"], ["--bar"], ["--disc", "--bar"], []):
        _, drawn = plots["".join(flags)] = plot("g.hdf5", *flags)
        name = f"{flags[0][2:]}: " if flags else ""
        face, edge = drawn[f"{name}face on, g, t = 0|y"], drawn[f"{name}edge on, g, t = 0|z"]
        assert sum(len(axes.images) for axes in drawn.values()) == 2
        # a disc is thin from its side
        widths = []
        for axes in (face, edge):
            rows = axes.images[0].get_array().astype(float).sum(axis=(1, 2))
            widths.append((rows > 0.5 * (rows.max() + rows.min())).sum())
        assert widths[1] < 0.5 * widths[0]
    _, drawn = plots["--disc"]
    told = hornbeam.json("analyze", "g.hdf5", "--disc")["disc"]
    motions = lines(drawn["disc|velocity"])
    assert motions["rotation"] == [told["radius"], told["rotation"]] and len(motions) == 4
    _, drawn = plot("g.hdf5", "--disc", "--types", "disc")
    assert "disc: face on, g, t = 0|y" in drawn


RING = """
[units]
system = "si"
[ic]
model = "ring"
size_x = 60
size_y = 60
[gravity]
eps = 0.1
[boundary]
kind = "shear"
size = [60, 60, 0]
omega = 1.3143527e-4
[collisions]
law = "bridges"
minimum_velocity = 1e-6
[time]
dt = 47.8
end = 95.6
[output]
directory = "ring"
every = 47.8
"""


def test_a_ring_shows_its_bodies_and_box(hornbeam, plot):  # noqa: F811
    (hornbeam.folder / "ring.toml").write_text(RING)
    hornbeam.ok("run", "ring.toml")
    files = [f"ring/snapshot_000{k}.hdf5" for k in range(3)]
    handed, drawn = plot(*files, "--ring")
    assert [view["file"] for view in handed["views"]] == [files[0], files[2]]  # the first and the last
    axes = drawn["ring: snapshot_0002, t = 95.6 s|y [m]"]
    box = axes.patches[0]
    assert (box.get_x(), box.get_y(), box.get_width(), box.get_height()) == (-30, -30, 60, 60)
    assert axes.get_xlim() == pytest.approx((-39, 39)) and axes.images[0].get_array().max() > 100
    told = hornbeam.json("analyze", *files, "--ring")
    (line,) = lines(drawn["ring|Toomre's Q"]).values()
    assert line == [[one["time"] for one in told], [one["ring"]["toomre_q"] for one in told]]
    handed, drawn = plot(*files[1:])
    assert len(drawn) == 2 and all(axes.patches for axes in drawn.values())


def test_groups_are_circles_on_the_particles(hornbeam, plot):  # noqa: F811
    rows = [f"{x + 0.1 * i},{0.1 * j},{0.1 * k},0,0,0,{mass}" for x, mass in ((0, 1), (50, 2)) for i in range(4)
            for j in range(4) for k in range(4)]
    (hornbeam.folder / "two.csv").write_text("x,y,z,vx,vy,vz,mass\n" + "\n".join(rows) + "\n")
    _, drawn = plot("two.csv", "--groups", "--linking-length", 0.2)
    found = hornbeam.json("analyze", "two.csv", "--groups", "--linking-length", 0.2)["groups"]
    picture, _, masses = drawn.values()
    assert [circle.get_center() for circle in picture.patches] == list(zip(found["x"], found["y"]))
    assert [circle.get_radius() for circle in picture.patches] == found["half_mass_radius"]
    assert lines(masses) == {"two, t = 0": [[128.0, 64.0], [1.0, 2.0]]}


def test_planets_and_what_is_left_out(hornbeam, plot):  # noqa: F811
    (hornbeam.folder / "b.csv").write_text(
        "x,y,z,vx,vy,vz,mass,density\n" + "".join(f"{0.01 * k},{0.01 * (k % 7)},0,0,0,0,1,1000\n" for k in range(60)))
    handed, drawn = plot("b.csv", "--disc-mass", "--planet-density", 1000)
    texts = [text.get_text() for axes in drawn.values() for text in axes.texts]
    told = hornbeam.json("analyze", "b.csv", "--disc-mass", "--planet-density", 1000)["disc_mass"]
    assert texts[texts.index("planet mass") + 1] == f"{told['planet_mass']:.5g}" and handed["views"] == []


def test_snapshots_without_a_measure(hornbeam, plot):  # noqa: F811
    hornbeam.ok("ic", "plummer", "-n", 300, "-o", "p.hdf5")
    handed, drawn = plot("p.hdf5")
    (axes,) = drawn.values()
    view, = handed["views"]
    assert (view["width"], view["height"], view["of"]) == (600, 600, "")
    # the same pixels as hornbeam render's
    centre = [repr(x) for x in view["centre"]]
    hornbeam.ok("render", "p.hdf5", "-o", "r.png", "--width", 600, "--height", 600, "--no-labels")
    from matplotlib import image

    theirs = (image.imread(hornbeam.folder / "r.png")[..., :3] * 255).round().astype("uint8")
    assert (axes.images[0].get_array() == theirs).all(), centre
    assert axes.get_xlim()[1] - axes.get_xlim()[0] == pytest.approx(view["extent"])


def test_what_cannot_be_asked(hornbeam):
    hornbeam.ok("ic", "plummer", "-n", 20, "-o", "p.hdf5")
    for flags in ([], ["--json"], ["--csv", "t.csv"], ["--plot", "a.png", "--json"], ["--plot", "a.png", "--csv", "t.csv"]):
        assert "received no measure" in hornbeam.error(2, "analyze", "p.hdf5", *flags)
    assert "25 files and no measure" in hornbeam.error(2, "analyze", *["p.hdf5"] * 25, "--plot", "a.png")
    assert "no particles of the family gas" in hornbeam.error(2, "analyze", "p.hdf5", "--types", "gas", "--plot", "a.png")
    assert "cannot open" in hornbeam.error(1, "analyze", "q.hdf5", "--plot", "a.png")
    assert not list(hornbeam.folder.glob("*.png")) and not list(hornbeam.folder.glob(".*"))


def test_an_old_python_that_has_no_package(hornbeam):
    """The command brings its panels along: nothing of the package is imported."""
    text = (ROOT / "python" / "hornbeam" / "panels.py").read_text()
    assert "from ." not in text and "import hornbeam" not in text and "import _core" not in text
    assert len(text) < 100_000  # one argument of a command holds 128 KiB


def test_the_gas_is_drawn_beside_the_exact_flow(hornbeam, plot):  # noqa: F811
    (hornbeam.folder / "tube.toml").write_text(START + """[time]
dt = 0.01
end = 0.04
[output]
directory = "tube"
every = 0.04
""")
    hornbeam.ok("run", "tube.toml")
    _, drawn = plot("tube/snapshot_0001.hdf5", "--exact")
    told = hornbeam.json("analyze", "tube/snapshot_0001.hdf5", "--exact")["exact"]
    for what in ("density", "velocity", "pressure"):
        shown = lines(drawn[f"exact|{what}"])
        assert shown["exact"] == [told["x"], told[what]], what
        assert shown["snapshot_0001, t = 0.04"] == [told["mean_x"], told["mean_" + what]], what


def test_a_flow_that_falls_by_decades_is_drawn_on_a_logarithmic_scale(panels):  # noqa: F811
    import matplotlib.pyplot as plt

    for curve, scale in (([300.0, 1.0, 0.02], "log"), ([1.0, 0.4, 0.1], "linear"), ([1e-9, 3.0, 1.0], "linear"),
                         ([64.0, 64.0, 0.0], "linear"), ([-0.001, -1.6, -0.4], "linear")):
        values = {"radius": [0.1, 0.5, 0.9], "density": curve, "mean_radius": [0.2], "mean_density": [0.5]}
        _, axes = plt.subplots()
        panels.beside_exact(axes, [{"label": "a", "values": values}], "radius", "density", {})
        assert axes.get_yscale() == scale, curve


def impact_rows():
    return [{"time": time, "label": f"{time}", "values": {
        "planet_mass": 1.0, "disc_mass": 0.1 * time, "escaping_mass": 0.0, "planet_angular_momentum": [3.0, 0.0, 4.0],
        "disc_angular_momentum": [0.0, 0.0, 1.0], "escaping_angular_momentum": [0.0, 0.0, 0.0], "iterations": 3,
        "material": [100, 101], "planet_of_material": [0.3, 0.7 - 0.1 * time], "disc_of_material": [0.0, 0.1 * time]}}
            for time in (0.0, 1.0)]


def test_impacts_over_time_are_masses_by_material_and_momenta(panels):  # noqa: F811
    def drawn(rows):
        data = {"units": {"planet_angular_momentum": "kg m^2/s"}, "views": [], "measures": [{"name": "disc-mass", "rows": [
            {"file": f"s{row['label']}.hdf5", "time": row["time"], "values": row["values"]} for row in rows]}]}
        return {axes.get_ylabel(): axes for axes in panels.sheet(data).axes if axes.axison}

    over_time = drawn(impact_rows())
    assert lines(over_time["planet of material"]) == {"material 100": [[0, 1], [0.3, 0.3]],
                                                      "material 101": [[0, 1], [0.7, 0.6]]}
    assert lines(over_time["angular momentum [kg m²/s]"])["|planet angular momentum|"] == [[0, 1], [5, 5]]
    assert not {"iterations", "material"} & set(over_time)
    bars = drawn(impact_rows()[1:])["disc of material"]
    assert [bar.get_height() for bar in bars.patches] == [0, 0.1]


def test_numbers_of_a_logarithmic_radius_do_not_meet(panels):  # noqa: F811
    rows = [{"label": "a", "values": {"radius": [0.03, 0.1, 0.9], "density": [9.0, 3.0, 1.0]}}]
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4.6, 3.8))
    panels.over_radius(axes, rows, "radius", "density", {})
    figure.canvas.draw()
    labels = [text for text in (*axes.get_xticklabels(minor=True), *axes.get_xticklabels()) if text.get_text()]
    boxes = sorted((text.get_window_extent() for text in labels), key=lambda box: box.x0)
    assert len(boxes) >= 4 and all(left.x1 < right.x0 for left, right in zip(boxes, boxes[1:]))
    rows[0]["values"]["radius"] = [1.0, 1.1, 1.2]  # within a factor of 3: as it is
    figure, axes = plt.subplots()
    panels.over_radius(axes, rows, "radius", "density", {})
    assert axes.get_xscale() == "linear"


def test_bars_turn_on_where_their_angle_begins_again(panels):  # noqa: F811
    assert panels.going_on([(0, 10), (1, 90), (2, 170), (3, 70), (4, 20)]) == [(0, 10), (1, 90), (2, 170), (3, 250), (4, 200)]
    assert panels.going_on([]) == []
