// SPDX-License-Identifier: Apache-2.0
// Pack operations against scalars, lane by lane. Compiled once for each instruction set; HB_CHECKS names the function.
#include "unit/simd_checks.h"

#include "device/host/kept_lanes.h"

HB_ISA_OPEN
namespace {

/// Sixteen numbers a set: ordinary ones of both signs, zeros, powers far apart.
constexpr double sets[3][16] = {{1, -2.5, 0, 3e-5, 7e8, -0.0, 0.1, -1e-20, 1e20, 5, 6.25, -7, 8.5, 9e3, -1e-3, 2},
                                {-1, 2.5, 0, 4e-5, 7e8, 0.5, 0.3, 3e-20, -3e15, 5, -6, 7.75, 8, -9e3, 1.1e-3, 2},
                                {0.7, 11, 13, -0.03, 1e-8, 0.25, 0, 1e-3, 123, -4, 6.25, 0, 1, 9, -3, 1e6}};

/// fma as the pack of this width has it: fused where there is an instruction, else rounded twice.
template <class T, int W>
T expected_fma(T a, T b, T c) {
#if defined(__FMA__)
  if (W * sizeof(T) >= 32 && W * sizeof(T) <= simd_bytes) return sizeof(T) == 4 ? fmaf(a, b, c) : fma(a, b, c);
#endif
  return a * b + c;
}

template <class T, int W>
class Checker {
 public:
  explicit Checker(PackChecks& checks) : checks_(checks) {
    for (int s = 0; s < 3; ++s) {
      for (int i = 0; i < 16; ++i) value_[s][i] = (T)sets[s][i];
    }
  }

  void run() {
    arithmetic();
    comparisons();
    roots();
    sums();
    rows_and_columns();
    kept_lanes();
  }

 private:
  using P = Pack<T, W>;

  void expect(const char* operation, int lane, double got, double expected, double tolerance = 0) {
    ++checks_.made;
    const double difference = got > expected ? got - expected : expected - got;
    if (got == expected || difference <= tolerance) return;
    if (checks_.mismatches++ == 0) checks_.first = {operation, (int)sizeof(T), W, lane, got, expected};
  }

  void arithmetic() {
    const P a = P::load(value_[0]), b = P::load(value_[1]), c = P::load(value_[2]);
    const P sum = a + b, difference = a - b, product = a * b, quotient = a / c, negative = -a, most = hb_max(a, b),
            least = hb_min(a, b), size = hb_abs(a), fused = hb_fma(a, b, c), scalar = P(T(2.5));
    T stored[W];
    a.store(stored);
    for (int i = 0; i < W; ++i) {
      const T x = value_[0][i], y = value_[1][i], z = value_[2][i];
      expect("load, store", i, stored[i], x);
      expect("+", i, sum.v[i], x + y);
      expect("-", i, difference.v[i], x - y);
      expect("*", i, product.v[i], x * y);
      if (z != 0) expect("/", i, quotient.v[i], x / z);
      expect("negation", i, negative.v[i], -x);
      expect("hb_max", i, most.v[i], x > y ? x : y);
      expect("hb_min", i, least.v[i], x < y ? x : y);
      expect("hb_abs", i, size.v[i], x < 0 ? -x : x);
      expect("hb_fma", i, fused.v[i], expected_fma<T, W>(x, y, z));
      expect("scalar", i, scalar.v[i], 2.5);
    }
  }

  void comparisons() {
    const P a = P::load(value_[0]), b = P::load(value_[1]);
    const P chosen = hb_select(a < b, a, b), both = hb_select(hb_both(a<b, b> P(T(0))), P(T(1)), P(T(0)));
    const unsigned below = mask_bits<T, W>(a < b), above = mask_bits<T, W>(a > b), same = mask_bits<T, W>(a == b);
    for (int i = 0; i < W; ++i) {
      const T x = value_[0][i], y = value_[1][i];
      expect("<", i, (below >> i) & 1u, x < y);
      expect(">", i, (above >> i) & 1u, x > y);
      expect("==", i, (same >> i) & 1u, x == y);
      expect("hb_select", i, chosen.v[i], x < y ? x : y);
      expect("hb_both", i, both.v[i], x < y && y > 0);
    }
    expect("mask bits beyond the lanes", W, W < 32 ? (below | above | same) >> W : 0u, 0);
  }

  void roots() {
    // over all of fp32's normal numbers but those whose squares of roots overflow, then 0 and negative numbers
    for (int exponent = -37; exponent <= 37; ++exponent) {
      T x[W];
      double power = 1;
      for (int k = 0; k < (exponent < 0 ? -exponent : exponent); ++k) power *= exponent < 0 ? 0.1 : 10.0;
      for (int i = 0; i < W; ++i) x[i] = (T)(power * (1 + 9.0 * i / W));
      const P root = hb_rsqrt0(P::load(x)), rough = hb_rough_rsqrt0(P::load(x)), square = hb_sqrt(P::load(x));
      for (int i = 0; i < W; ++i) {
        const double exact = 1 / sqrt((double)x[i]);
        // an estimate of 11 bits or more and one Newton step; correctly rounded root and quotient in fp64: 1 ulp
        expect("hb_rsqrt0", i, root.v[i], exact, exact * (sizeof(T) == 4 ? 3e-7 : 3e-16));
        expect("hb_rough_rsqrt0", i, rough.v[i], exact, exact * (sizeof(T) == 4 ? 4e-4 : 3e-16));
        expect("hb_sqrt", i, square.v[i], hb_sqrt(x[i]));
      }
    }
    const P none = hb_rsqrt0(P(T(0))), negative = hb_rsqrt0(P(T(-1))), least = hb_rsqrt0(P(T(1e-39)));
    const P rough_none = hb_rough_rsqrt0(P(T(0)));
    for (int i = 0; i < W; ++i) {
      expect("hb_rsqrt0 of 0", i, none.v[i], 0);
      expect("hb_rough_rsqrt0 of 0", i, rough_none.v[i], 0);
      expect("hb_rsqrt0 of -1", i, negative.v[i], 0);
      // below fp32's normal numbers either the root or 0, but a number
      expect("hb_rsqrt0 of 1e-39", i, least.v[i], least.v[i] == 0 ? 0.0 : 3.16228e19, 1e15);
    }
  }

  void sums() {
    T numbers[W];
    for (int i = 0; i < W; ++i) numbers[i] = (T)(i * i + 1);  // exact in any order
    double sum = 0;
    for (const T x : numbers) sum += x;
    expect("reduce_add", 0, reduce_add(P::load(numbers)), sum);
    P rows[W];
    T sums[W];
    for (int r = 0; r < W; ++r) {
      for (int i = 0; i < W; ++i) rows[r].v[i] = T(1) / (T)(1 + 7 * r + 3 * i * i);  // rounded: order tells
      sums[r] = reduce_add(rows[r]);
    }
    const P each = reduce_add_each(rows);
    for (int r = 0; r < W; ++r) expect("reduce_add_each", r, each.v[r], sums[r]);
  }

  void rows_and_columns() {
    P rows[W];
    for (int r = 0; r < W; ++r) {
      for (int i = 0; i < W; ++i) rows[r].v[i] = (T)(100 * r + i);
    }
    transpose(rows);
    for (int r = 0; r < W; ++r) {
      for (int i = 0; i < W; ++i) expect("transpose", i, rows[r].v[i], 100 * i + r);
    }
  }

  void kept_lanes() {
    for (const unsigned bits : {0u, 1u, 2u, 0xa5a5u, 0x5a5au, 0x8000u, 0xffffu}) {
      const unsigned which = bits & ((1u << W) - 1u);
      T kept[W] = {};
      append_kept<W>(which, value_[0], kept);
      for (int i = 0, at = 0; i < W; ++i) {
        if ((which >> i & 1u) != 0) expect("append_kept", i, kept[at++], value_[0][i]);
      }
    }
  }

  PackChecks& checks_;
  T value_[3][16] = {};
};

template <class T, int W>
void check(PackChecks& checks) {
  Checker<T, W>(checks).run();
}

}  // namespace
HB_ISA_CLOSE

namespace hornbeam {

PackChecks HB_CHECKS() {
  PackChecks checks;
  mixed::check<float, 4>(checks);
  mixed::check<float, 8>(checks);
  mixed::check<double, 2>(checks);
  mixed::check<double, 4>(checks);
  mixed::check<double, 8>(checks);
#if defined(__AVX512F__)
  mixed::check<float, 16>(checks);  // no wider than the machine's registers
#endif
  return checks;
}

}  // namespace hornbeam
