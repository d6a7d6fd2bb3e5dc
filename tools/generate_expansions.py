#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/physics/expansion_order_P.h for P = 1..6: Cartesian Taylor expansions, unrolled term by term.

Run without arguments from the repository's root; `--check` only compares, for the tests. docs/theory.md has the equations.
"""
import pathlib
import sys

AXES = "xyz"
HEADER = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Cartesian expansions of order {p}: docs/theory.md eqs. 3 to 7.
// Included by physics/expansion.h alone.
// clang-format off
"""


def powers(order, lowest=0):
    """Multi-indices (a, b, c) with lowest <= a + b + c <= order, by order, then as xx xy xz yy yz zz."""
    return [(a, b, n - a - b) for n in range(lowest, order + 1) for a in range(n, -1, -1) for b in range(n - a, -1, -1)]


def minus(t, s):
    return tuple(i - j for i, j in zip(t, s))


def plus(t, s):
    return tuple(i + j for i, j in zip(t, s))


def below(s, t):
    return all(i <= j for i, j in zip(s, t))


def tag(t):
    return "".join(map(str, t))


def wrap(text, indent="  ", width=118):
    """Breaks one long statement at blanks."""
    lines, line = [], indent
    for word in text.split(" "):
        if len(line) + len(word) + 1 > width:
            lines.append(line.rstrip())
            line = indent + "    "
        line += word + " "
    lines.append(line.rstrip())
    return "\n".join(lines)


def sum_of(terms):
    """terms (a, b) of products a * b, and single values (a,), as one chain of fused multiply-adds."""
    singles = [t[0] for t in terms if len(t) == 1]
    products = [t for t in terms if len(t) == 2]
    text = " + ".join(singles) if singles else None
    for a, b in products:
        text = f"hb_fma({a}, {b}, {text})" if text else f"{a} * {b}"
    return text


class Derivatives:
    """Statements for D_t = d^t (r^2 + eps^2)^(-1/2), from the recursion of McMurchie & Davidson (1978)."""

    def __init__(self, order):
        self.lines, self.names = [], {}
        for t in powers(order):
            self.get(0, t)

    def get(self, m, t):
        if sum(t) == 0:
            return f"g{m}"
        if (m, t) in self.names:
            return self.names[m, t]
        axis = next(i for i in range(3) if t[i] > 0 and t[i] == max(t))
        unit = tuple(int(i == axis) for i in range(3))
        one = minus(t, unit)
        value = f"{AXES[axis]} * {self.get(m + 1, one)}"
        if t[axis] > 1:
            lower = self.get(m + 1, minus(one, unit))
            factor = t[axis] - 1
            scaled = lower if factor == 1 else f"{factor}.0f * {lower}"
            value = f"hb_fma({AXES[axis]}, {self.get(m + 1, one)}, {scaled})"
        name = f"d{m}_{tag(t)}"
        self.lines.append(f"  const real {name} = {value};")
        self.names[m, t] = name
        return name


def m2l(p):
    d = Derivatives(p)
    moments = powers(p, 2)
    out = [f"HB_FORMULA void m2l_{p}(real x, real y, real z, real eps2, real mass, const real* M, real* L) {{"]
    out.append("  const real g0 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, hb_fma(z, z, eps2))));")
    out.append("  const real step = -(g0 * g0);")
    out += [f"  const real g{k} = g{k - 1} * step" + (f" * {2 * k - 1}.0f;" if k > 1 else ";") for k in range(1, p + 1)]
    out += d.lines
    for i, k in enumerate(powers(p)):
        terms = [("mass", d.get(0, k))]
        terms += [(f"M[{j}]", d.get(0, plus(k, n))) for j, n in enumerate(moments) if sum(n) + sum(k) <= p]
        out.append(wrap(f"L[{i}] = L[{i}] - ({sum_of(terms)});"))
    if p == 1:
        out.append("  (void)M;")
    return out + ["}"]


def monomials(p, kind):
    """Statements for x^t / t! of all t up to order p, each from the one before; kind is the type they have."""
    lines, names = [], {(0, 0, 0): None}
    for t in powers(p, 1):
        axis = next(i for i in range(3) if t[i] > 0 and t[i] == max(t))
        one = minus(t, tuple(int(i == axis) for i in range(3)))
        name = f"t{tag(t)}"
        factor = AXES[axis] if names[one] is None else f"{names[one]} * {AXES[axis]}"
        if t[axis] > 1:
            # a division would cost as much as the rest of the statement; halves and quarters are exact in every precision
            inverse = f"1.0 / {t[axis]}.0"
            factor += f" * {1.0 / t[axis]}f" if t[axis] in (2, 4) else (
                f" * HB_C({inverse})" if kind == "real" else f" * ((sum_t)({inverse}))")
        lines.append(f"  const {kind} {name} = {factor};")
        names[t] = name
    return lines, names


def p2m(p):
    lines, names = monomials(p, "sum_t")
    out = [f"HB_SUM_FORMULA void p2m_{p}(sum_t mass, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {{"]
    if p < 2:
        return out + ["  (void)mass, (void)dx, (void)dy, (void)dz, (void)M;", "}"]
    out += [f"  const sum_t {a} = -d{a};" for a in AXES] + lines
    out += [f"  M[{i}] = hb_fma(mass, {names[t]}, M[{i}]);" for i, t in enumerate(powers(p, 2))]
    return out + ["}"]


def m2m(p):
    lines, names = monomials(p, "sum_t")
    moments = powers(p, 2)
    out = [f"HB_SUM_FORMULA void m2m_{p}(sum_t mass, const sum_t* C, sum_t dx, sum_t dy, sum_t dz, sum_t* M) {{"]
    if p < 2:
        return out + ["  (void)mass, (void)C, (void)dx, (void)dy, (void)dz, (void)M;", "}"]
    out += [f"  const sum_t {a} = -d{a};" for a in AXES] + lines
    for i, t in enumerate(moments):
        terms = [(f"C[{i}]",), ("mass", names[t])]
        terms += [(f"C[{j}]", names[minus(t, s)]) for j, s in enumerate(moments) if s != t and below(s, t) and sum(s) < sum(t)]
        out.append(wrap(f"M[{i}] = M[{i}] + {sum_of(terms)};"))
    return out + ["}"]


def l2p(p):
    """Potential and acceleration at (x, y, z) from L; the monomials carry 1/t!."""
    lines, names = monomials(p, "real")
    index = {t: i for i, t in enumerate(powers(p))}
    out = [f"HB_FORMULA void l2p_{p}(const real* L, real x, real y, real z, real* acc) {{"] + lines

    def derivative(axis):
        unit = tuple(int(i == axis) for i in range(3)) if axis is not None else (0, 0, 0)
        terms = []
        for t in powers(p):
            lower = minus(t, unit)
            if min(lower) >= 0:
                terms.append((f"L[{index[t]}]", names[lower]) if names[lower] else (f"L[{index[t]}]",))
        return sum_of(terms)

    for axis in range(3):
        out.append(wrap(f"acc[{axis}] = acc[{axis}] - ({derivative(axis)});"))
    out.append(wrap(f"acc[3] = acc[3] + {derivative(None)};"))
    return out + ["}"]


def source(p):
    parts = [m2l(p), l2p(p), p2m(p), m2m(p)]
    return HEADER.format(p=p) + "\n" + "\n\n".join("\n".join(part) for part in parts) + "\n"


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "src" / "physics"
    stale = []
    for p in range(1, 7):
        path = folder / f"expansion_order_{p}.h"
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != source(p):
                stale.append(path.name)
        else:
            path.write_text(source(p))
    if stale:
        sys.exit("out of date, run tools/generate_expansions.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
