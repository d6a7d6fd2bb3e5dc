# SPDX-License-Identifier: Apache-2.0
"""Trees, neighbours and contacts of arrays that lie on a GPU, and results that lie there, too."""

from __future__ import annotations

from typing import Any

from . import _core
from .checks import number
from .device_arrays import column, converted, is_number, library_of, one_device, result_type, taken
from .errors import UsageError
from .forces import _boundary


def _arrays(**given: Any) -> dict[str, Any]:
    """Those that are to lie on a device."""
    return {name: value for name, value in given.items() if value is not None and not is_number(value)}


class Neighbours:
    """Searches on a tree that lies on a device, as _core.Neighbours."""

    def __init__(self, session: Any, library: str, wide: bool) -> None:
        self._session, self._library, self._wide = session, library, wide
        self.backend = session.backend

    def _converted(self, results: Any) -> Any:
        return tuple(converted(result, self._library) for result in results)

    def _points(self, targets: Any) -> tuple[Any, Any]:
        """(points, None), or (None, another tree)."""
        if isinstance(targets, Neighbours):
            return None, targets._session
        return (None if targets is None else taken(targets, "targets", self._session, (None, 3))), None

    def _radii(self, radii: Any) -> Any:
        return None if radii is None else taken(radii, "radius", self._session, (None,))

    def within(self, radius: float, targets: Any = None, radii: Any = None) -> Any:
        return self._converted(self._session.within(radius, self._radii(radii), *self._points(targets), self._wide))

    def nearest(self, k: int, targets: Any = None) -> Any:
        return self._converted(self._session.nearest(k, False, *self._points(targets), self._wide))

    def table(self, k: int, targets: Any = None) -> Any:
        return self._converted(self._session.nearest(k, True, *self._points(targets), self._wide)[1:])

    def count(self, radius: float, targets: Any = None, radii: Any = None) -> Any:
        return converted(self._session.count(radius, self._radii(radii), *self._points(targets)), self._library)

    def refit(self, positions: Any) -> None:
        self._session.refit(taken(positions, "positions", self._session, (None, 3)))


class Particles:
    """Those of a Tree on a device. device: backend and number; none: where the arrays are."""

    def __init__(self, positions: Any, masses: Any, eps: Any, box: tuple[float, float, float], options: dict[str, Any], *,
                 device: tuple[str, int] | None = None) -> None:
        self._options = dict(options)
        if device is None:
            device = "cuda", one_device(_arrays(positions=positions, masses=masses, eps=eps), self._options)
        self._device, self._box, self._library = device, box, library_of(positions)
        self.neighbours: Any = None
        self.forces: Any = None
        self.eps: float | None = 0.0
        session = _core.DeviceNeighbours(*device) if masses is None else _core.DeviceTree(*device)
        place = taken(positions, "positions", session, (None, 3))
        self._n, self._wide = place.shape[0], result_type(None, place)
        if masses is None:
            self.neighbours = self._searching(session, place)
            return
        mass = column(masses, "masses", session, self._n)
        lengths = None
        if eps is None or is_number(eps):
            self.eps = 0.0 if eps is None else number(eps, "eps")
        else:
            self.eps, lengths = None, column(eps, "eps", session, self._n)
        session.load(place, mass, lengths, _boundary(box, None) if any(box) else {}, self._options)
        self.forces = session

    def __len__(self) -> int:
        return self._n

    def _searching(self, session: Any, place: Any) -> Neighbours:
        session.load(place, self._box, self._options)
        return Neighbours(session, self._library, self._wide)

    def search(self) -> Neighbours:
        """The tree of neighbours, of the places that the forces' tree holds."""
        if self.neighbours is None:
            self.neighbours = self._searching(_core.DeviceNeighbours(*self._device), self.forces.positions())
        return self.neighbours

    def demand_here(self, name: str, value: Any) -> None:
        if self._device[0] == "cuda":
            one_device({"the tree": _Lies(self._device[1]), name: value}, {})

    def field(self, targets: Any, target_eps: Any, G: float, dtype: Any, options: dict[str, Any], tides: bool) -> Any:
        if target_eps is not None and targets is None:
            raise UsageError("target_eps: received no targets (give both, or neither)")
        for name, value in _arrays(targets=targets, target_eps=target_eps).items():
            self.demand_here(name, value)
        places = None if targets is None else taken(targets, "targets", self.forces, (None, 3))
        lengths = None
        if target_eps is not None and places is not None:
            lengths = column(target_eps, "target_eps", self.forces, places.shape[0])
        wide = self._wide if dtype is None else result_type(dtype, None)
        found = self.forces.evaluate(places, lengths, G, options, wide, tides)
        return tuple(converted(one, self._library) for one in found)

    def refit(self, positions: Any) -> None:
        self.demand_here("positions", positions)
        if self.forces is not None:
            self.forces.refit(taken(positions, "positions", self.forces, (None, 3)))
        if self.neighbours is not None:
            self.neighbours.refit(positions)


class _Lies:
    """Something on a CUDA device."""

    def __init__(self, device: int) -> None:
        self._device = device

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self._device


def collisions(positions: Any, radii: Any, velocities: Any, dt: Any, box: float, options: dict[str, Any], *,
               session: Any = None) -> Any:
    """hb.collisions() of arrays on a GPU."""
    if dt is not None and velocities is None:
        raise UsageError("dt: received no velocities (give both, only velocities, or neither)")
    options = dict(options)
    if session is None:
        arrays = _arrays(positions=positions, radii=radii, velocities=velocities)
        session = _core.DeviceContacts("cuda", one_device(arrays, options))
    place = taken(positions, "positions", session, (None, 3))
    radius = column(radii, "radii", session, place.shape[0])
    velocity = None if velocities is None else taken(velocities, "velocities", session, (None, 3))
    if velocity is not None and velocity.shape[0] != place.shape[0]:
        raise UsageError(f"velocities: received {velocity.shape[0]} for {place.shape[0]} positions (give one each)")
    time = 0.0 if dt is None else number(dt, "dt")
    found = session.find(place, radius, velocity, time, box, options, result_type(None, place))
    return tuple(converted(result, library_of(positions)) for result in found)
