#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills the cache hit rates that a profiler alone knows into what `hornbeam-bench nakasato` (or gasphia) measured.

Usage: bench/cache_hits.py bench_nakasato.json [PROGRAM [NCU]]      (needs an NVIDIA GPU and Nsight Compute)
For each row on cuda whose paper gives a rate, the walk's kernel is profiled once by
    ncu --csv --clock-control none --metrics l1tex__t_sector_hit_rate.pct,lts__t_sector_hit_rate.pct -k walk_WALK PROGRAM ...
and `cache_hits` becomes {"l1": per cent, "l2": per cent}. Rows of shuffled input stay null: `force` cannot draw them.
"""
import csv
import json
import pathlib
import subprocess
import sys

METRICS = {"l1tex__t_sector_hit_rate.pct": "l1", "lts__t_sector_hit_rate.pct": "l2"}
OPTIONS = ["theta", "mac", "order", "expansion", "eps", "softening", "walk", "curve", "precision", "leaf_size"]


def wants_rates(row):
    return ("cache_hits" in row and row["cache_hits"] is None and row["backend"] == "cuda"
            and (row["input"] == "as made" or row["curve"] != "none"))


def profile(row, program, ncu):
    """The hit rates of the walk's first launch."""
    options = [text for key in OPTIONS for text in ("--" + key.replace("_", "-"), str(row[key]))]
    # the card's clocks are left as they are: the rates do not depend on them
    command = [ncu, "--csv", "--clock-control", "none", "--metrics", ",".join(METRICS), "-k", f"walk_{row['walk']}", "-c", "1",
               program, "force", "--ic", row["model"], "-n", str(row["n"]), "--backend", "cuda", *options]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    lines = run.stdout.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        sys.exit(f"{' '.join(command)}\nno kernel was profiled:\n{run.stdout[-2000:]}")
    table = csv.DictReader(line for line in lines[begin:] if line.startswith('"'))
    return {METRICS[entry["Metric Name"]]: float(entry["Metric Value"]) for entry in table
            if entry["Metric Name"] in METRICS}


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    program = sys.argv[2] if len(sys.argv) > 2 else str(pathlib.Path(__file__).resolve().parents[1] / "build" / "hornbeam")
    ncu = sys.argv[3] if len(sys.argv) > 3 else "ncu"
    data = json.loads(path.read_text())
    for row in data["rows"]:
        if not wants_rates(row):
            continue
        row["cache_hits"] = profile(row, program, ncu)
        print(f"{row['part']} {row['model']} N = {row['n']}, {row['curve']}, theta {row['theta']}: "
              f"{row['cache_hits']}, the paper {row['paper']['cache_hits']}", flush=True)
        path.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
