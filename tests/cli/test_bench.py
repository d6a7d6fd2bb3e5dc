# SPDX-License-Identifier: Apache-2.0
"""hornbeam-bench: every suite at small N measures what its paper did, keeps the paper's figures and names what it omits."""

import json

import pytest

HEAD = {"suite", "source", "version", "commit", "date", "settings", "devices", "rows", "left_out"}
SMALL = ["--backend", "cpu", "--threads", 1, "--max-n", 2048, "--repeat", 1, "--sample", 100]


def parts_of(answer, suite):
    """The rows of a suite's answer by part, and what it left out."""
    assert set(answer) == HEAD and answer["suite"] == suite
    assert answer["settings"]["max_n"] == 2048 and set(answer["devices"]) <= {"cpu"}
    parts = {}
    for row in answer["rows"]:
        assert row.get("n", 0) <= 2048 or row["part"] == "reference"
        parts.setdefault(row["part"], []).append(row)
    return parts, answer["left_out"]


def written(program, suite):
    return json.loads((program.folder / "out" / f"bench_{suite}.json").read_text())


@pytest.fixture
def measured(bench_without_plots):
    """A suite's answer by part."""

    def run(suite, *options):
        answer = bench_without_plots.json(suite, *SMALL, "-o", "out", *options)
        assert written(bench_without_plots, suite) == answer
        return parts_of(answer, suite)

    return run


def check_measured(row):
    """A row of an evaluation holds what force --json prints."""
    assert {"model", "input", "n", "backend", "device", "walk", "theta", "order", "expansion", "precision", "repeats",
            "interactions_per_particle", "particles_per_second", "bytes"} <= set(row)
    assert row["seconds"]["total"] > 0
    assert row["backend"] == "cpu" and row["threads"] == 1


def test_friends(measured):
    parts, left_out = measured("friends")
    rows = parts["friends"]
    assert len(rows) == 9 and {row["n"] for row in rows} == {1000} and len(left_out) == 1
    haloes = [row for row in rows if row["model"] == "haloes 95 %" and row["fraction"] == 0.5]
    assert haloes[0]["groups"] > 0 and haloes[0]["seconds"]["total"] > 0


def test_nakasato(bench_without_plots):
    text = bench_without_plots.ok("nakasato", *SMALL, "-o", "out")
    assert "Table 5" in text and "16.5" in text and "left out" in text and "bench_nakasato.json" in text
    assert "bench_nakasato.png" in text, "where the plot is, or how to make it"
    parts, left_out = parts_of(written(bench_without_plots, "nakasato"), "nakasato")
    for part, curve in (("unsorted", "none"), ("morton", "morton"), ("hilbert", "hilbert")):
        assert [row["n"] for row in parts[part]] == [1024, 2048]
        for row in parts[part]:
            check_measured(row)
            assert (row["walk"], row["curve"], row["order"], row["expansion"], row["mac"]) == (
                "stackless", curve, 0, 0, "offset")
            assert 0 < row["construction"] < row["seconds"]["total"]
    angles = parts["theta"]
    assert [row["theta"] for row in angles] == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    assert angles[0]["paper"] == {"n": 819200, "total": 16.5, "cache_hits": 23}
    assert angles[8]["paper"] == {"n": 819200, "total": 0.31, "cache_hits": 82}
    assert angles[0]["cache_hits"] is None, "the profiler's to fill"
    work = [sum(row["interactions_per_particle"].values()) for row in angles]
    assert work == sorted(work, reverse=True)
    assert {row["precision"] for row in parts["brute-force"]} == {"single", "mixed"}
    assert parts["brute-force"][0]["gflops"] > 0
    assert [row["label"] for row in parts["crossing"]] == ["unsorted", "morton", "hilbert", "defaults"]
    assert [row["paper"]["total"] for row in parts["cube"]] == [0.65, 0.68]
    named = " ".join(entry["what"] for entry in left_out)
    assert "819200" in named and "1048576" in named
    assert "galaxy" in parts or "Tables 6 and 7" in named or "10240" in named


def test_gasphia(measured):
    parts, left_out = measured("gasphia")
    assert [row["label"] for row in parts["order"][:3]] == ["regular", "shuffled", "tree-sorted"]
    assert [row["paper"]["walk"] for row in parts["order"][:3]] == pytest.approx([5.13e-3, 33.13e-3, 3.11e-3])
    assert [row["input"] for row in parts["order"][3:]] == ["as made", "shuffled", "sorted"]
    # the walk does not depend on the order of the particles, only its speed does
    assert len({row["interactions_per_particle"]["cell"] for row in parts["order"][:2]}) == 1
    own = [row for row in parts["theta"] if row["walk"] == "stackless"]
    assert [row["theta"] for row in own] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert own[4]["paper"]["speed_up"] == 229.57 and own[4]["paper"]["acc_max"] == 0.0711218
    for row in own:
        check_measured(row)
        assert row["speed_up"] == pytest.approx(row["brute_force"]["seconds"] / row["seconds"]["total"], rel=1e-6)
        assert row["brute_force"]["measured_n"] == row["n"] == 12**3
    errors = [row["error"]["acc_mean"] for row in own]
    assert errors == sorted(errors)
    assert any("1000000" in entry["what"] for entry in left_out)


def test_bonsai(measured):
    parts, left_out = measured("bonsai")
    assert {(row["theta"], row["expansion"]) for row in parts["stages"]} == {(0.5, 0), (0.5, 4), (0.75, 0), (0.75, 4)}
    for row in parts["stages"]:
        check_measured(row)
    assert {row["theta"] for row in parts["errors"]} == {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}
    for row in parts["errors"]:
        distribution = row["distribution"]
        assert distribution["fraction"][0] == 1 and distribution["fraction"] == sorted(distribution["fraction"])[::-1]
        assert distribution["error"] == sorted(distribution["error"])
        assert row["error"]["acc_median"] == distribution["error"][distribution["fraction"].index(0.5)]
        assert row["error"]["acc_p99"] == distribution["error"][distribution["fraction"].index(0.01)]
    assert {row["theta"]: row["paper"]["acc_median"] for row in parts["reference"]}[0.75] == 6.8e-4
    assert any("67108864" in entry["what"] for entry in left_out)


def test_scaling(measured):
    parts, _ = measured("scaling")
    assert [row["n"] for row in parts["size"]] == [1024] * 3
    shapes = {row["model"]: row for row in parts["distribution"]}
    assert {"plummer", "two-clusters", "outlier", "cold-clumps", "coincident", "ring", "lattice"} <= set(shapes)
    plummer = shapes["plummer"]["seconds"]["total"] / shapes["plummer"]["n"]
    for row in shapes.values():
        check_measured(row)
        assert row["relative"] == pytest.approx(row["seconds"]["total"] / row["n"] / plummer, rel=1e-6)
        assert row["bytes_per_particle"] == pytest.approx(sum(row["bytes"].values()) / row["n"])
    assert [row["input"] for row in parts["order"][:3]] == ["as made", "shuffled", "sorted"]
    assert parts["threads"][0]["threads"] == 1


def test_occlude(bench):
    text = bench.ok("occlude", *SMALL, "--end", 0.003, "-o", "out")
    if "no plot" not in text:
        assert (bench.folder / "out" / "bench_occlude.png").stat().st_size > 10000
    parts, left_out = parts_of(written(bench, "occlude"), "occlude")
    assert [row["edge"] for row in parts["set-a"]] == [200] and [row["edge"] for row in parts["set-b"]] == [50]
    assert [row["edge"] for row in parts["collisions"]] == [200]
    for row in parts["set-a"] + parts["set-b"] + parts["collisions"]:
        assert row["backend"] == "cpu" and row["threads"] == 1 and row["repeats"] == 1 and row["collisions_a_step"] > 0
        assert row["seconds"]["total"] >= row["seconds"]["walk"] + row["seconds"]["collisions"] > 0
        if "rebound" in row:  # where the Python has it: the same bodies from the same state
            assert row["rebound"]["n"] == row["n"]
            assert row["rebound"]["collisions"] == pytest.approx(row["collisions_a_step"], rel=0.5)
            assert row["times_faster"] == pytest.approx(row["rebound"]["seconds"] / row["seconds"]["total"])
        else:
            assert any("pip install rebound" in entry["why"] for entry in left_out)
    assert parts["set-a"][0]["paper"]["seconds_2_threads"] == 0.0037 and parts["set-a"][0]["theta"] == 0.70711
    assert parts["set-a"][0]["seconds"]["walk"] > parts["collisions"][0]["seconds"]["walk"] == 0
    assert [row["orbits"] for row in parts["places"]] == [0, 0.003]
    assert all(len(row["x"]) == len(row["y"]) == len(row["radius"]) == row["n"] for row in parts["places"])
    assert parts["places"][0]["x"] != parts["places"][1]["x"]
    assert {entry["why"] for entry in left_out if entry["what"].startswith("set")} == {"beyond --max-n 2048"}


def test_merger_goes_on_after_its_limit(measured, bench):
    parts, left_out = measured("merger", "--runs", "theta-0.5", "--end", 0.5, "--wall-limit", 0.001)
    row = parts["merger"][0]
    assert row["finished"] is False and 0 <= row["time"] < 0.5 and "the same command" in left_out[-1]["why"]
    options = ["--runs", "theta-0.5", "direct", "block-0.75", "--end", 0.5]
    parts, left_out = measured("merger", *options)  # goes on with the first
    rows = {row["label"]: row for row in parts["merger"]}
    assert list(rows) == ["theta-0.5", "direct", "block-0.75"]
    assert [row["walk"] for row in rows.values()] == ["group", "direct", "group"]
    assert [row["theta"] for row in rows.values()] == [0.5, 0, 0.75]
    assert [row["steps"] for row in rows.values()] == ["shared", "shared", "block"]
    for row in rows.values():
        assert row["n"] == 2018 and row["eps"] == 0.1 and row["time"] == row["end"] == 0.5 and row["finished"] is True
        assert row["energy"]["time"] == [0] and row["black_holes"]["time"] == [0, 0.5] and row["passages"] == []
        assert 170 < row["black_holes"]["distance"][0] < 200
        assert 0 < row["energy_error"] < 1e-2 and row["wall_seconds"] > 0
        assert [profile["time"] for profile in row["profiles"]] == [0.5]
        assert row["profiles"][0]["mass"] == sorted(row["profiles"][0]["mass"])
    assert "paper" not in rows["direct"]
    assert rows["theta-0.5"]["paper"]["gtx480_seconds"] == 12687 and rows["theta-0.5"]["paper"]["asked_seconds"] == 110
    assert {row["label"]: row["against"] for row in parts["agreement"]} == {
        "theta-0.5": "direct", "block-0.75": "direct"}
    for row in parts["agreement"]:
        assert row["since"] == 0 and row["until"] == 0.5 and 0 <= row["distance"] < 0.1
        assert row["profile"]["time"] == 0.5 and row["profile"]["mass"] < 0.2
    assert (bench.folder / "out" / "bench_merger_picture.png").stat().st_size > 0
    assert len(left_out) == 1 and "240002" in left_out[0]["what"]
    again, _ = measured("merger", *options)
    assert again["merger"] == parts["merger"], "what is done is not done again"


def test_merger_refuses(bench):
    assert "did you mean theta-0" in bench.error(2, "merger", "--runs", "theta-0.7", *SMALL)
    assert "--end" in bench.error(2, "merger", "--end", 0, *SMALL)
    assert "--max-n" in bench.error(2, "merger", "--max-n", 40)


def test_sph(bench_without_plots):
    small = ["--backend", "cpu", "--threads", 1, "--max-n", 1200, "--repeat", 1]
    answer = bench_without_plots.json("sph", *small, "-o", "out")
    assert set(answer) == HEAD and set(answer["devices"]) == {"cpu"}
    flows = [row for row in answer["rows"] if row["part"] == "flows"]
    assert {row["test"] for row in flows} == {"sod"}, "the others begin at more particles"
    by_measure = {row["measure"]: row for row in flows}
    first = by_measure["density_error"]
    assert first["n"] == 1152 and first["steps"] > 10 and first["rate"] > 0 and first["seconds"]["total"] > 0
    for row in flows:  # the page's prototype beside each, and what is asked for
        assert row["paper"]["of"] == "prototype" and row["asked"] == f"<= {1.15 * row['paper']['value']:.4g}"
        assert row["met"] == ("met" if row["value"] <= 1.15 * row["paper"]["value"] else "missed")
    assert by_measure["density_error"]["met"] == "met"
    named = " ".join(entry["what"] for entry in answer["left_out"])
    assert "sedov, 256^3" in named and "kelvin-helmholtz" in named and "noh, 16000000" in named
    text = bench_without_plots.ok("sph", *small[:4], "--max-n", 100, "--quick", "-o", "quick")
    assert "Shamrock" in text and "not with --quick" in text and "beyond --max-n 100" in text
    answer = bench_without_plots.json("sph", *small[:4], "--repeat", 1, "--quick", "--runs", "debris", "-o", "debris")
    rows = [row for row in answer["rows"] if row["part"] == "debris"]
    assert [row["debris"] for row in rows] == [0, 1, 5, 20, 1, 5, 20], "of one size, then the means of its sizes"
    assert all(row["seconds"]["step"] > 0 for row in rows[:4])
    for row, mean in zip(rows[1:4], rows[4:]):
        assert row["over"] == row["seconds"]["step"] / rows[0]["seconds"]["step"]
        assert row["over_bounded"] == row["seconds"]["step"] / row["bounded"]["step"]
        assert mean["over"] == pytest.approx(row["over"]) and mean["to"] == row["n"] == 8192
        assert "met" not in mean, "one size is no mean"


def test_peers(measured):
    parts, left_out = measured("peers")
    assert parts == {}, "the smallest comparison has 10,000 particles"
    assert left_out == [{"part": "cpu", "what": "N = 10000, 100000, 1000000, 10000000", "why": "beyond --max-n 2048"}]


def test_wrong_usage(bench):
    said = bench.error(2, "linpack")
    assert "linpack" in said and "nakasato, gasphia, bonsai, scaling, peers, occlude, merger" in said
    assert "--max-n" in bench.error(2, "nakasato", "--max-n", 0)
    assert "--repeat" in bench.error(2, "nakasato", "--repeat", 0)
    assert "--sample" in bench.error(2, "nakasato", "--sample", -1)
    assert "vulkan" in bench.error(2, "nakasato", "--backend", "vulkan")
    (bench.folder / "file").write_text("")
    assert "file" in bench.error(1, "scaling", *SMALL, "-o", "file")
