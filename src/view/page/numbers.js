// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and small vectors and matrices (columns first, as WebGL takes them).

const byId = (id) => document.getElementById(id);

function written(x, digits = 4) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) return x.toExponential(Math.max(0, digits - 2)).replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}

// 1234567 as "1,234,567"
const counted = (n) => n.toLocaleString("en");

// The largest of 1, 2, 5 times a power of ten that is at most x.
function roundLength(x) {
  const decade = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].map((factor) => factor * decade).find((length) => length <= x * (1 + 1e-9)) ?? decade;
}

// The unit of `table` ([name, cgs], the largest first) that a number of cgs units is reported in.
const unitFor = (table, cgs) => table.find(([, one]) => cgs >= one) ?? table[table.length - 1];

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, factor = 1) => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

function product(a, b) {
  const c = new Float64Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      for (let k = 0; k < 4; ++k) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return c;
}

// Value below which a share of the numbers lies.
function quantile(numbers, share) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
