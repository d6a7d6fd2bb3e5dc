#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long hb.accelerations takes beside `hornbeam force`, which times the evaluation alone; with --pytreegrav also
beside pytreegrav at equal errors. Both of a pair are timed in turn, as others may use the machine meanwhile.

    PYTHONPATH=build/python .venv/bin/python3 bench/python.py build/hornbeam [--pytreegrav] [--json FILE] [N ...]
"""

import argparse
import json
import resource
import subprocess
import time

import numpy as np

import hornbeam as hb


def in_turn(calls, times):
    """Of each: the median of its seconds by the clock, and of its seconds of the processors."""
    taken = np.zeros((times, len(calls), 2))
    for row in taken:
        for call, seconds in zip(calls, row):
            clock, processors = time.perf_counter(), time.process_time()
            call()
            seconds[:] = time.perf_counter() - clock, time.process_time() - processors
    return np.median(taken, axis=0)


def errors_of(acceleration, exact):
    """Of |a - a_direct| / |a_direct|."""
    each = np.linalg.norm(acceleration - exact, axis=1) / np.linalg.norm(exact, axis=1)
    return {"median": np.median(each), "mean": each.mean(), "rms": np.sqrt((each**2).mean()), "p99": np.percentile(each, 99)}


def settings():
    """Of hb.accelerations, each family from coarse to fine: the default's order and expansion, and monopoles in expansions
    of order 3, which are the quicker ones where errors of 1e-3 will do."""
    for order, expansion, share, most in ((2, 4, 1.0, 1.3), (0, 3, 0.82, 1.0)):
        thetas = np.arange(most, 0.15, -0.05).round(2).tolist()
        yield [{"theta": theta, "theta_c": round(min(share * theta, 1.0), 3), "order": order, "expansion": expansion}
               for theta in thetas]


def as_good(position, mass, sample, exact, wanted):
    """The quickest of the coarsest of each family whose mean, rms and 99 % errors are at most those."""
    found = []
    for family in settings():
        for chosen in family:
            def ours(chosen=chosen):
                return hb.accelerations(position, mass, backend="cpu", **chosen)

            errors = errors_of(ours()[sample], exact)
            if all(errors[name] <= wanted[name] for name in ("mean", "rms", "p99")):
                found.append((in_turn((ours,), 5)[0][1], chosen, ours, errors))
                break
    if not found:
        raise SystemExit(f"nothing is as good as {wanted}")
    return min(found, key=lambda one: one[0])[1:]


def beside_pytreegrav(position, mass, times):
    """Without softening, which the two do not have in common."""
    import pytreegrav

    sample = np.random.default_rng(1).choice(len(mass), min(len(mass), 10_000), replace=False)
    exact = hb.accelerations(position, mass, targets=position[sample], walk="direct", precision="double",
                             backend="cpu")
    rows = []
    for theta, quadrupole in ((0.75, False), (0.75, True), (0.5, False), (0.5, True)):
        def theirs():
            return pytreegrav.Accel(position, mass, theta=theta, parallel=True, method="tree", quadrupole=quadrupole)

        wanted = errors_of(theirs()[sample], exact)
        chosen, ours, found = as_good(position, mass, sample, exact, wanted)
        seconds = in_turn((theirs, ours), times)
        ratio = seconds[0] / seconds[1]
        rows.append({"theta": theta, "quadrupole": quadrupole, "errors": wanted, "seconds": seconds[0].tolist(),
                     "hornbeam": chosen, "hornbeam_errors": found, "hornbeam_seconds": seconds[1].tolist(),
                     "ratio": ratio.tolist()})
        print(f"  pytreegrav theta {theta} {'quadrupole' if quadrupole else 'monopole'}: {seconds[0, 0]:.4g} s, errors rms "
              f"{wanted['rms']:.1e}, 99 % {wanted['p99']:.1e}; hornbeam {chosen}: {seconds[1, 0]:.4g} s, "
              f"{found['rms']:.1e}, {found['p99']:.1e}; ratio {ratio[0]:.1f} by the clock, {ratio[1]:.1f} of processors",
              flush=True)
    return rows


def beside_the_program(program, position, mass, eps, n, times):
    """A call, and what `hornbeam force` says of an evaluation alone, in turn, five times; by the clock, and in seconds of
    the processors, which others' work changes less: of the program those that more evaluations take more."""
    def call():
        hb.accelerations(position, mass, eps, backend="cpu")

    def force(repeats):
        command = [program, "force", "--ic", "plummer", "-n", n, "--seed", 1, "--eps", eps, "--repeat", repeats,
                   "--backend", "cpu", "--json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = json.loads(subprocess.run([str(word) for word in command], capture_output=True, check=True).stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return told["seconds"]["total"], used

    call()
    pairs = []
    for _ in range(5):
        here, here_used = in_turn((call,), times)[0]
        (_, once), (there, often) = force(1), force(1 + times)
        pairs.append((here, there, here_used, (often - once) / times))
    here, there, here_used, there_used = np.median(pairs, axis=0)
    more = np.median([[row[0] / row[1] - 1, row[2] / row[3] - 1] for row in pairs], axis=0)
    print(f"N = {n}: hb.accelerations {1e3 * here:.4g} ms, hornbeam force {1e3 * there:.4g} ms, medians of pairs: "
          f"{100 * more[0]:.2g} % more; of processors {1e3 * here_used:.4g} and {1e3 * there_used:.4g} ms, "
          f"{100 * more[1]:.2g} % more", flush=True)
    return {"call": here, "force": there, "call_processors": here_used, "force_processors": there_used,
            "more": more.tolist()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("n", nargs="*", type=int, default=[1000, 100_000, 1_000_000])
    parser.add_argument("--pytreegrav", action="store_true")
    parser.add_argument("--json", help="file to write the numbers to")
    asked = parser.parse_intermixed_args()
    rows = []
    for n in asked.n:
        sphere = hb.ic.plummer(n, seed=1)
        position, mass, eps = sphere.position.copy(), sphere.mass.copy(), float(sphere.eps[0])
        times = 100 if n <= 10_000 else 5
        rows.append({"n": n, **beside_the_program(asked.program, position, mass, eps, n, times)})
        if asked.pytreegrav:
            rows[-1]["pytreegrav"] = beside_pytreegrav(position, mass, 5)
        if asked.json:
            with open(asked.json, "w") as file:
                json.dump({"commit": hb.__commit__, "device": hb.info()["devices"][0], "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
