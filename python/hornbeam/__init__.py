# SPDX-License-Identifier: Apache-2.0
"""Hornbeam: a gravitational N-body code on one parallel octree. docs/python.md begins with five lines."""

import os as _os

# Threads that spin while they wait for one another hold the cores that others need: src/cli/program.cpp has the figures.
# The OpenMP runtime asks the environment when it is loaded, and never again.
_quiet = "OMP_WAIT_POLICY" not in _os.environ and "GOMP_SPINCOUNT" not in _os.environ
if _quiet:
    _os.environ["GOMP_SPINCOUNT"] = "1000"
from . import _core  # noqa: E402

if _quiet:
    del _os.environ["GOMP_SPINCOUNT"]
_os.register_at_fork(before=_core.rest_threads, after_in_child=_core.after_fork)

from . import analysis, forces, ic, plot, rebound  # noqa: E402
from .about import __commit__, __version__, info, selftest  # noqa: E402
from .contacts import Contacts, collisions  # noqa: E402
from .device_arrays import DeviceArray, close_devices  # noqa: E402
from .errors import Error, HornbeamWarning, NoDevice, NotFinite, UsageError  # noqa: E402
from .forces import accelerations, both, potentials  # noqa: E402
from .pictures import movie, render  # noqa: E402
from .processes import ranks  # noqa: E402
from .runs import run  # noqa: E402
from .simulation import Simulation  # noqa: E402
from .snapshot import Family, Snapshot, read, write  # noqa: E402
from .tree import Tree, TreeNodes, neighbours, tidal_tensors, tree_nodes  # noqa: E402
from .view import View  # noqa: E402

__all__ = ["Contacts", "DeviceArray", "Error", "Family", "HornbeamWarning", "NoDevice", "NotFinite", "Simulation",
           "Snapshot", "Tree", "TreeNodes", "UsageError", "View", "accelerations", "analysis", "both", "close_devices", "collisions",
           "forces", "ic", "info", "movie", "neighbours", "plot", "potentials", "ranks", "read", "rebound", "render", "run", "selftest",
           "tidal_tensors", "tree_nodes", "write", "__commit__", "__version__"]


def __dir__() -> list[str]:
    """What TAB offers: not the modules that this one is made of."""
    return __all__
