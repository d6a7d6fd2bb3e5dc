# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions: their text is the library's, SUBJECT: what happened (what to do)."""

import os
import sys
import warnings

from . import _core


class Error(RuntimeError):
    """A failure while doing what was asked."""


class UsageError(Error, ValueError):
    """A request that can never be met: unknown names, values out of range, arrays of the wrong shape."""


class NotFinite(Error):
    """An evaluation or a simulation has got non-finite values; the text names a particle."""


class NoDevice(UsageError):
    """The backend or device requested by name does not exist."""


class HornbeamWarning(UserWarning):
    """Something was left out or looks wrong, and work went on."""


def warn_of(notes):
    """Those of the library's notes that warn, to whoever called the package."""
    level, frame, package = 2, sys._getframe(1), os.path.join(os.path.dirname(__file__), "")
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    for note in notes:
        if note.startswith("WARNING: "):
            warnings.warn(note.removeprefix("WARNING: "), HornbeamWarning, stacklevel=level)


_core.set_errors(Error, UsageError, NotFinite, NoDevice)
