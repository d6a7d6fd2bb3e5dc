# SPDX-License-Identifier: Apache-2.0
"""Puts Hornbeam in the place of pytreegrav's functions of gravity, for pytreegrav's own tests: pytest -p pytreegrav_suite, which
test_pytreegrav_suite_long.py calls.

The functions have pytreegrav's names, arguments and results. Its `softening` is the radius of a spline, 2.8 times eps, and of
two lengths the larger one counts; here a pair has the root of the mean square, so that a target's length is set to give the
larger one where all sources have one length. pytreegrav leaves out sources at a target's position; here they count, so that
they are taken off again. All is in double precision, and each target accepts cells by itself."""

import warnings

import numpy as np
import pytreegrav
from pytreegrav import frontend

import hornbeam as hb

SPLINE = 2.8  # its radius of eps
TOUCH = 1e-150  # the least radius of neighbours
LEAF = 8


def _arrays(pos, m=None, softening=None):
    pos = np.atleast_2d(np.asarray(pos, float))
    m = np.zeros(len(pos)) if m is None else np.atleast_1d(np.asarray(m, float))
    return pos, m, np.zeros(len(pos)) if softening is None else np.atleast_1d(np.asarray(softening, float))


class Octree:
    """A tree of Hornbeam's with the names of pytreegrav's: particles along the curve come first, and cells then, the root first."""

    def __init__(self, pos, m, softening, quadrupole):
        self.pos, self.m, self.softening, self.HasQuads = pos, m, softening, quadrupole
        self.tree = hb.Tree(pos, m, softening / SPLINE, precision="double")
        self.NumParticles, self.HasCoincidentPoints = len(pos), bool(self.tree.count(TOUCH).any())

    def evaluate(self, names, targets, lengths, G, theta, quadrupole, direct):
        """Those of "potential", "accel" and "tidal" that are asked for, at targets or at the particles."""
        found = self._field("tidal" in names, targets, lengths, G, theta, quadrupole, direct)
        return {name: found[("accel", "potential", "tidal").index(name)] for name in names}

    def _field(self, tides, targets, lengths, G, theta, quadrupole, direct):
        options = {"softening": "spline", "order": 2 if quadrupole else 0, "expansion": 0, "theta": theta,
                   "walk": "direct" if direct else "stackless"}
        if targets is None or np.array_equal(targets, self.pos):
            return self.tree._field(None, None, G, None, options, tides)
        alike = (self.softening == self.softening[0]).all()
        eps = np.maximum(lengths, self.softening[0]) if alike else lengths
        own = np.sqrt(2 * eps**2 - self.softening[0]**2) if alike else eps
        found = self.tree._field(targets, own / SPLINE, G, None, options, tides)
        offset, index, _ = self.tree.within(TOUCH, targets=targets)
        at = np.repeat(np.arange(len(targets)), np.diff(offset))
        pair = np.sqrt((own[at]**2 + self.softening[index]**2) / 2)  # of those at the same position
        np.add.at(found[1], at, SPLINE * G * self.m[index] / pair)
        if tides:
            np.add.at(found[2], at, (32 / 3 * G * self.m[index] / pair**3)[:, None, None] * np.eye(3))
        return found

    def __getattr__(self, name):
        """What the tree's cells tell, when first asked for."""
        if name.startswith("_"):
            raise AttributeError(name)
        nodes = self.nodes = self.tree.nodes(leaf_size=LEAF)
        self.TreewalkIndices, self.NumNodes = nodes.order, self.NumParticles + len(nodes)
        self.Masses = np.concatenate([self.m[nodes.order], nodes.mass])
        self.Coordinates = np.concatenate([self.pos[nodes.order], nodes.centre_of_mass])
        self.Sizes = np.concatenate([np.zeros(self.NumParticles), nodes.edge])
        traces = np.trace(nodes.moment, axis1=1, axis2=2)
        self.Quadrupoles = np.concatenate([np.zeros((self.NumParticles, 3, 3)),
                                           3 * nodes.moment - traces[:, None, None] * np.eye(3)])
        self.FirstSubnode, self.NextBranch = self._links()
        return self.__dict__[name]

    def _links(self):
        """First part of each cell, and what comes after each particle and cell."""
        n, nodes = self.NumParticles, self.nodes
        first, after = np.full(self.NumNodes, -1), np.full(self.NumNodes, -1)
        for cell in range(len(nodes)):  # parents come before their children
            if nodes.children[cell] > 0:
                parts = n + np.arange(nodes.child[cell], nodes.child[cell] + nodes.children[cell])
            else:
                parts = np.arange(nodes.first[cell], nodes.first[cell] + nodes.count[cell])
            first[n + cell] = parts[0]
            after[parts] = [*parts[1:], after[n + cell]]
        return first, after


def ConstructTree(pos, m=None, softening=None, quadrupole=False, vel=None, compute_moments=True, morton_order=True, radix=True):
    pos, m, softening = _arrays(pos, m, softening)
    tree = Octree(pos, m, softening, quadrupole)
    frontend.warn_if_coincident_positions(tree, softening)
    return tree


def _asked(method, n, tree, device="cpu", quadrupole=False):
    """Whether sums are direct."""
    frontend.valueTestMethod(method)
    if device != "cpu":
        raise ValueError(f"device = {device}: pytreegrav's own")
    if tree is not None:
        frontend.checkTreeQuadrupoles(tree, quadrupole)
    return method == "bruteforce" or (method == "adaptive" and tree is None and n <= 1000)


def _of_particles(what):
    def function(pos, m, softening=None, G=1.0, theta=0.7, tree=None, return_tree=False, parallel=False, method="adaptive",
                 quadrupole=False, group_size=8, device="cpu"):
        pos, m, softening = _arrays(pos, m, softening)
        direct = _asked(method, len(pos), tree, device, quadrupole)
        if tree is None or direct:
            tree = Octree(pos, m, softening, quadrupole)
        found = tree.evaluate([what], pos, softening, G, theta, quadrupole, direct)[what]
        return (found, tree) if return_tree else found

    return function


def _at_targets(what):
    def function(pos_target, pos_source, m_source, softening_target=None, softening_source=None, G=1.0, theta=0.7, tree=None,
                 return_tree=False, parallel=False, method="adaptive", quadrupole=False, group_size=8):
        if tree is None and (pos_source is None or m_source is None):
            raise ValueError("Must pass either pos_source & m_source or source tree.")
        pos_target, _, softening_target = _arrays(pos_target, None, softening_target)
        direct = _asked(method, len(pos_target), tree, quadrupole=quadrupole)
        if tree is None or direct:
            tree = Octree(*_arrays(pos_source, m_source, softening_source), quadrupole)
        found = tree.evaluate([what], pos_target, softening_target, G, theta, quadrupole, direct)[what]
        return (found, tree) if return_tree else found

    return function


class Field:
    def __init__(self, pos, m, softening=None, G=1.0, theta=0.7, quadrupole=False, group_size=8, parallel=False):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.tree = ConstructTree(pos, m, softening, quadrupole)
        self.G, self.theta, self.quadrupole, self.group_size, self.parallel = G, theta, quadrupole, group_size, parallel

    def __repr__(self):
        return f"<pytreegrav.Field: {self.tree.NumParticles} particles, by {self.tree.tree!r}>"

    def evaluate(self, potential=False, accel=False, tidal=False, pos_target=None, softening_target=None, theta=None,
                 parallel=None, group_size=None):
        names = [name for name, asked in (("potential", potential), ("accel", accel), ("tidal", tidal)) if asked]
        if not names:
            raise ValueError("request at least one of potential=True, accel=True, tidal=True")
        lengths = None
        if pos_target is not None:
            pos_target, _, lengths = _arrays(pos_target, None, softening_target)
        theta = self.theta if theta is None else theta
        return self.tree.evaluate(names, pos_target, lengths, self.G, theta, self.quadrupole, False)

    def potential(self, pos_target=None, **options):
        return self.evaluate(potential=True, pos_target=pos_target, **options)["potential"]

    def accel(self, pos_target=None, **options):
        return self.evaluate(accel=True, pos_target=pos_target, **options)["accel"]

    def tidal(self, pos_target=None, **options):
        return self.evaluate(tidal=True, pos_target=pos_target, **options)["tidal"]


for _name, _ours in {"ConstructTree": ConstructTree, "Field": Field, "Potential": _of_particles("potential"),
                     "Accel": _of_particles("accel"), "TidalTensor": _of_particles("tidal"),
                     "PotentialTarget": _at_targets("potential"), "AccelTarget": _at_targets("accel"),
                     "TidalTensorTarget": _at_targets("tidal")}.items():
    setattr(pytreegrav, _name, _ours)
    setattr(frontend, _name, _ours)
