// SPDX-License-Identifier: Apache-2.0
// Turbulent gas in a periodic cube: a random field of velocities with a power law, of given Mach number.
#include <numbers>

#include "ics/gas/cube.h"

namespace hornbeam::ics {
namespace {

using std::numbers::pi;

/// One wave of the field: v += re cos(k x) - im sin(k x), k in units of 2 pi over the edge.
struct Mode {
  std::array<int, 3> k;
  Vec3 re, im;
};

struct Spectrum {
  double slope, solenoidal;
  std::int64_t least, most;

  explicit Spectrum(const Settings& s)
      : slope(s.number("slope")),
        solenoidal(s.non_negative("solenoidal")),
        least(whole_of(s, "k-min")),
        most(whole_of(s, "k-max")) {
    constexpr std::int64_t largest =
        64;  // as many waves as a second takes for a million particles, times a few hundred
    if (!(solenoidal <= 1)) throw UsageError(s.subject("solenoidal"), "is " + shown(solenoidal), "give 0 to 1");
    if (most < least || most > largest) {
      throw UsageError(s.subject("k-max"), "is " + std::to_string(most),
                       "give from k-min, " + std::to_string(least) + ", to " + std::to_string(largest));
    }
  }

  /// Of the field's waves one of each k and -k, with normal amplitudes: a fraction `solenoidal` of their power is
  /// across k, in the mean, and the rest along k.
  [[nodiscard]] std::vector<Mode> draw(Seed seed) const {
    Random random(seed, 0);
    std::vector<Mode> modes;
    const auto reach = static_cast<int>(most);
    for (int a = 0; a <= reach; ++a) {
      for (int b = -reach; b <= reach; ++b) {
        for (int c = -reach; c <= reach; ++c) {
          const bool is_half = a > 0 || b > 0 || (b == 0 && c > 0);
          const int k2 = a * a + b * b + c * c;
          if (!is_half || k2 < least * least || k2 > most * most) continue;
          const double size = std::pow(static_cast<double>(k2), -slope / 4);
          modes.push_back({{a, b, c}, amplitude({a, b, c}, size, random), amplitude({a, b, c}, size, random)});
        }
      }
    }
    return modes;
  }

 private:
  /// Two of three directions are across k.
  [[nodiscard]] Vec3 amplitude(const std::array<int, 3>& k, double size, Random& random) const {
    Vec3 drawn{};
    double along = 0, k2 = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      drawn[d] = size * random.normal();
      along += drawn[d] * k[d];
      k2 += k[d] * k[d];
    }
    const double across = std::sqrt(solenoidal / 2), lengthways = std::sqrt(1 - solenoidal);
    for (std::size_t d = 0; d < 3; ++d) {
      const double part = along / k2 * k[d];
      drawn[d] = across * (drawn[d] - part) + lengthways * part;
    }
    return drawn;
  }
};

/// cos and sin of k x for k from -most to most.
class Turns {
 public:
  Turns(double angle, int most) : most_(most), cos_(2 * most + 1), sin_(2 * most + 1) {
    for (int k = -most; k <= most; ++k) {
      cos_[k + most] = std::cos(k * angle);
      sin_[k + most] = std::sin(k * angle);
    }
  }
  [[nodiscard]] double c(int k) const { return cos_[k + most_]; }
  [[nodiscard]] double s(int k) const { return sin_[k + most_]; }

 private:
  int most_;
  std::vector<double> cos_, sin_;
};

Vec3 field_at(const Vec3& at, double edge, const std::vector<Mode>& modes, int most) {
  const Turns x(2 * pi * at[0] / edge, most), y(2 * pi * at[1] / edge, most), z(2 * pi * at[2] / edge, most);
  Vec3 v{};
  for (const Mode& mode : modes) {
    const auto& [a, b, c] = mode.k;
    const double xy_c = x.c(a) * y.c(b) - x.s(a) * y.s(b), xy_s = x.s(a) * y.c(b) + x.c(a) * y.s(b);
    const double cosine = xy_c * z.c(c) - xy_s * z.s(c), sine = xy_s * z.c(c) + xy_c * z.s(c);
    for (std::size_t d = 0; d < 3; ++d) v[d] += mode.re[d] * cosine - mode.im[d] * sine;
  }
  return v;
}

/// At rest on the whole, of that rms speed.
void scale_to(std::vector<Vec3>& velocity, double speed) {
  take_mean_out(velocity);
  double squares = 0;
  for (const Vec3& v : velocity) {
    for (const double along : v) squares += along * along / static_cast<double>(velocity.size());
  }
  const double factor = squares > 0 ? speed / std::sqrt(squares) : 0;
  for (Vec3& v : velocity) {
    for (double& along : v) along *= factor;
  }
}

Snapshot draw_turbulence(const Request& request) {
  const Settings& s = request.settings;
  const double edge = s.positive("edge"), sound = s.positive("sound-speed"), gamma = index_of(s);
  const Spectrum spectrum(s);
  const std::vector<Mode> modes = spectrum.draw(request.seed);
  const std::vector<Vec3> places = places_in_cube(request, "turbulence", edge);
  Snapshot snapshot;
  add_gas(snapshot, places, s.positive("mass") / static_cast<double>(places.size()), sound * sound / (gamma - 1));
  std::vector<Vec3>& velocity = snapshot.particles.velocity;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places.size(); ++i) {
    velocity[i] = field_at(places[i], edge, modes, static_cast<int>(spectrum.most));
  }
  scale_to(velocity, s.non_negative("mach") * sound);
  fill_box(snapshot, {edge, edge, edge});
  return snapshot;
}

}  // namespace

Entry turbulence() {
  return {{"turbulence",
           "Turbulent gas of uniform density in a periodic cube (edge 1, G = M = 1): velocities of random waves",
           {measured(a_length, {"edge", "1", "edge length of the cube"}),
            measured(a_mass, {"mass", "1", "total mass"}),
            measured_apart(a_velocity, {"sound-speed", "0.1", "isothermal sound speed (P / rho)^1/2 of the gas"}),
            {"mach", "8", "rms speed in sound speeds"},
            {"slope", "4", "the power of one wave goes as 1 / k^slope: 4 of shocks (Burgers), 3.667 of Kolmogorov"},
            {"k-min", "1", "least wave number, in waves along the edge", "INT"},
            {"k-max", "8", "largest wave number, at most 64", "INT"},
            {"solenoidal", "0.6666666666666667",
             "fraction of the power in waves without divergence; 2/3: as directions have it"},
            {"gamma", "1.6666666666666667", "adiabatic index, as gas.gamma"},
            lattice_option("glass"),
            eps_option()}},
          draw_turbulence,
          [](const Settings& s, std::size_t n) { return eps_of_uniform(0.5 * s.positive("edge"), n); }};
}

}  // namespace hornbeam::ics
