# SPDX-License-Identifier: Apache-2.0
"""Which Hornbeam this is, what it can compute on, and whether that computes right."""

from __future__ import annotations

from typing import Any

from . import _core
from .errors import Error

__version__ = _core.version
__commit__ = _core.commit


def info() -> dict[str, Any]:
    """Version, commit, the backends that are compiled in, and the devices that are here, as `hornbeam info --json`."""
    return {"version": __version__, "commit": __commit__, "backends": _core.built_backends(), "devices": _core.devices()}


def selftest() -> dict[str, Any]:
    """A small force sum on every device, walk and precision, each against direct summation in double precision, as
    `hornbeam selftest`. Returns {"evaluations": [{backend, label, difference, tolerance, good}], "not_built": [label],
    "failures": 0}; raises Error where one is beyond its tolerance."""
    done = _core.selftest()
    if done["failures"]:
        bad = ", ".join(f"{e['label']}: {e['difference']:.1e}, at most {e['tolerance']:.0e}"
                        for e in done["evaluations"] if not e["good"])
        raise Error(f"selftest: {done['failures']} of {len(done['evaluations'])} evaluations exceed their "
                    f"tolerance: {bad} (report it with hornbeam.info())")
    return done
