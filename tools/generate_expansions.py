#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/physics/expansion_order_P.h for P = 1..6 and transfer/transfer_order_P.h for P = 4..6: Cartesian Taylor
expansions, unrolled term by term.

Run without arguments from the repository's root; `--check` only compares, for the tests. docs/theory.md has the equations.
"""
import math
import pathlib
import sys

AXES = "xyz"
HEADER = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Cartesian expansions of order {p}: docs/theory.md eqs. 3 to 7.
// Included by physics/expansion.h alone.
// clang-format off
"""
TRANSFERS = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/generate_expansions.py; do not edit. Expansions of order {p} from cell to cell: docs/hierarchy.md
// eqs. 1 to 5. Included by physics/transfer.h alone.
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


def thin(order, lowest=0):
    """Multi-indices with c < 2, which fix the others of a harmonic function: by order, without z first."""
    return [(a, n - a - c, c) for n in range(lowest, order + 1) for c in (0, 1) for a in range(n - c, -1, -1)]


class Harmonics:
    """Statements for the derivatives D_t of 1 / r with c < 3, t up to order p; those with c = 2 are two others' sum."""

    def __init__(self, p):
        self.lines, self.p = [], p
        self.lines.append("  const real d0_00 = hb_rsqrt0(hb_fma(x, x, hb_fma(y, y, z * z)));")
        self.lines.append("  const real step = -(d0_00 * d0_00);")
        for k in range(1, p + 1):
            self.lines.append(f"  const real d{k}_00 = d{k - 1}_00 * step" + (f" * {2 * k - 1}.0f;" if k > 1 else ";"))
        for n in range(1, p + 1):
            for a in range(n, -1, -1):
                for m in range(p - n + 1):
                    self.step(m, a, n - a)
        for n in range(p):
            self.lines += [f"  const real z1_{a}{n - a} = z * d1_{a}{n - a};" for a in range(n, -1, -1)]
        for n in range(1, p - 1):
            self.lines += [f"  const real z2_{a}{n - a} = -d0_{a + 2}{n - a} - d0_{a}{n - a + 2};" for a in range(n, -1, -1)]

    def step(self, m, a, b):
        axis, one, two, k = ("x", (a - 1, b), (a - 2, b), a - 1) if a >= b else ("y", (a, b - 1), (a, b - 2), b - 1)
        upper, lower = f"d{m + 1}_{one[0]}{one[1]}", f"d{m + 1}_{two[0]}{two[1]}"
        value = f"{axis} * {upper}"
        if k > 0:
            value = f"hb_fma({axis}, {upper}, {lower if k == 1 else f'{k}.0f * {lower}'})"
        self.lines.append(f"  const real d{m}_{a}{b} = {value};")

    @staticmethod
    def name(t):
        return f"d0_{t[0]}{t[1]}" if t[2] == 0 else f"z{t[2]}_{t[0]}{t[1]}"


def m2l_thin(p):
    d = Harmonics(p)
    moments = thin(p, 2)
    out = [f"HB_FORMULA void m2l_thin_{p}(real x, real y, real z, real mass, const real* T, real* L) {{"] + d.lines
    for i, k in enumerate(thin(p)):
        terms = [("mass", d.name(k))]
        terms += [(f"T[{j}]", d.name(plus(k, n))) for j, n in enumerate(moments) if sum(n) + sum(k) <= p]
        out.append(wrap(f"L[{i}] = L[{i}] - ({sum_of(terms)});"))
    return out + ["}"]


def lowered(t):
    """The two indices whose sum, with the other sign, is one with c >= 2."""
    return (t[0] + 2, t[1], t[2] - 2), (t[0], t[1] + 2, t[2] - 2)


def thin_moments(p):
    """Moments whose contraction with harmonic derivatives is that of M: those of c >= 2 go to others."""
    parts = {t: {t: 1} for t in powers(p, 2)}
    for t in sorted(parts, key=lambda t: -t[2]):
        if t[2] >= 2:
            for to in lowered(t):
                for source, factor in parts[t].items():
                    parts[to][source] = parts[to].get(source, 0) - factor
    index = {t: i for i, t in enumerate(powers(p, 2))}
    out = [f"HB_FORMULA void thin_moments_{p}(const real* M, real* T) {{"]
    for i, t in enumerate(thin(p, 2)):
        text = f"M[{index[t]}]"
        for source, factor in parts[t].items():
            if source != t:
                scaled = f"M[{index[source]}]" if abs(factor) == 1 else f"{abs(factor)}.0f * M[{index[source]}]"
                text += (" + " if factor > 0 else " - ") + scaled
        out.append(wrap(f"T[{i}] = {text};"))
    return out + ["}"]


def whole_expansion(p):
    place = {t: i for i, t in enumerate(powers(p))}
    at = {t: i for i, t in enumerate(thin(p))}
    out = [f"HB_FORMULA void whole_expansion_{p}(const real* T, real* L) {{"]
    for t in sorted(powers(p), key=lambda t: t[2]):
        value = f"T[{at[t]}]" if t[2] < 2 else "-" + " - ".join(f"L[{place[s]}]" for s in lowered(t))
        out.append(f"  L[{place[t]}] = {value};")
    return out + ["}"]


def l2l(p):
    """Adds an expansion L about a point at (x, y, z) from its own."""
    lines, names = monomials(p, "real")
    index = {t: i for i, t in enumerate(powers(p))}
    out = [f"HB_FORMULA void l2l_{p}(const real* L, real x, real y, real z, real* G) {{"] + lines
    for s in powers(p):
        terms = [(f"L[{index[s]}]",)]
        terms += [(f"L[{index[plus(s, t)]}]", names[t]) for t in powers(p - sum(s), 1)]
        out.append(wrap(f"G[{index[s]}] = G[{index[s]}] + {sum_of(terms)};"))
    return out + ["}"]


def legendre(n):
    """Coefficients of x^n, x^(n - 2), ... of the Legendre polynomial P_n."""
    return [(-1) ** k * math.comb(n, k) * math.comb(2 * n - 2 * k, n) / 2**n for k in range(n // 2 + 1)]


def trace(tensor):
    """Of a symmetric tensor's components, as sums {moment: factor}; their order is less by two."""
    n = sum(next(iter(tensor)))
    out = {}
    for s in powers(n - 2, n - 2):
        total = {}
        for axis in range(3):
            for moment, factor in tensor[plus(s, tuple(2 * int(i == axis) for i in range(3)))].items():
                total[moment] = total.get(moment, 0) + factor
        out[s] = total
    return out


def factorials(t):
    return math.prod(math.factorial(i) for i in t)


def powers_of_moments(p):
    """P[n] = squared power of order n."""
    index = {t: i for i, t in enumerate(powers(p, 2))}
    out = [f"HB_FORMULA void squared_powers_{p}(const real* M, real* P) {{"]
    for n in range(2, p + 1):
        tensor = {t: {t: factorials(t)} for t in powers(n, n)}
        total = []
        for k, weight in enumerate(legendre(n)):
            order = n - 2 * k
            terms = []
            for s, parts in tensor.items():
                name = f"q{n}_{k}_{tag(s)}"
                value = " + ".join(f"M[{index[t]}]" if f == 1 else f"{f}.0f * M[{index[t]}]" for t, f in parts.items())
                out.append(wrap(f"const real {name} = {value};"))
                times = math.factorial(order) // factorials(s)
                terms.append((name, name if times == 1 else f"({times}.0f * {name})"))
            out.append(wrap(f"const real n{n}_{k} = {sum_of(terms)};"))
            total.append((f"HB_C({weight!r})", f"n{n}_{k}"))
            if order >= 2:
                tensor = trace(tensor)
        out.append(wrap(f"P[{n}] = {sum_of(total)};"))
    return out + ["}"]


def source(p):
    parts = [m2l(p), l2p(p), p2m(p), m2m(p)]
    return HEADER.format(p=p) + "\n" + "\n\n".join("\n".join(part) for part in parts) + "\n"


def transfers(p):
    parts = [m2l_thin(p), thin_moments(p), whole_expansion(p), l2l(p), powers_of_moments(p)]
    return TRANSFERS.format(p=p) + "\n" + "\n\n".join("\n".join(part) for part in parts) + "\n"


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "src" / "physics"
    stale = []
    texts = {f"expansion_order_{p}.h": source(p) for p in range(1, 7)}
    texts.update({f"transfer/transfer_order_{p}.h": transfers(p) for p in range(4, 7)})
    for name, text in texts.items():
        path = folder / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    if stale:
        sys.exit("out of date, run tools/generate_expansions.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
