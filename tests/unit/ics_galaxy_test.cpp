// SPDX-License-Identifier: Apache-2.0
// The drawn galaxy: masses, families, equilibrium, bits, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "hornbeam/analysis.h"
#include "hornbeam/error.h"
#include "hornbeam/ics.h"
#include "ics/galaxies/galaxy.h"

namespace hornbeam {
namespace {

using Given = std::map<std::string, std::string>;

Snapshot galaxy(std::size_t n, const Given& options = {}, std::uint64_t seed = 1) {
  return ics::make("galaxy", n, ics::Seed{seed}, options);
}

struct Part {
  std::size_t count = 0;
  double mass = 0.0;
};

std::map<Family, Part> parts(const Particles& p) {
  std::map<Family, Part> all;
  for (std::size_t i = 0; i < p.size(); ++i) {
    ++all[p.family[i]].count;
    all[p.family[i]].mass += p.mass[i];
  }
  return all;
}

TEST(DrawnGalaxy, HasItsPartsMassesAndNumbers) {
  const Particles p = galaxy(20001, {{"black-hole-mass", "0.01"}}).particles;
  auto all = parts(p);
  ASSERT_EQ(p.size(), 20001u);
  EXPECT_EQ(all[Family::disc].count, 6000u);
  EXPECT_EQ(all[Family::bulge].count, 2000u);
  EXPECT_EQ(all[Family::halo].count, 12000u);
  EXPECT_EQ(all[Family::black_hole].count, 1u);
  EXPECT_NEAR(all[Family::disc].mass, 1.0, 1e-11);
  EXPECT_NEAR(all[Family::bulge].mass, 0.5, 1e-11);
  EXPECT_NEAR(all[Family::halo].mass, 6.0, 1e-11);
  EXPECT_EQ(all[Family::black_hole].mass, 0.01);
  for (std::size_t i = 0; i < p.size(); ++i) ASSERT_EQ(p.id[i], i);
}

TEST(DrawnGalaxy, TakesNumbersOfItsParts) {
  const Given split = {{"disc-number", "300"}, {"halo-number", "500"}};
  auto all = parts(galaxy(1000, split).particles);
  EXPECT_EQ(all[Family::disc].count, 300u);
  EXPECT_EQ(all[Family::halo].count, 500u);
  EXPECT_EQ(all[Family::bulge].count, 200u);
  all = parts(galaxy(1000, {{"bulge-mass", "0"}}).particles);
  EXPECT_EQ(all[Family::disc].count, 333u);  // 3 : 6
  EXPECT_EQ(all.count(Family::bulge), 0u);
  EXPECT_EQ(galaxy(0).particles.size(), 0u);
}

TEST(DrawnGalaxy, RestsAtTheOriginInVirialEquilibrium) {
  const Snapshot start = galaxy(20000);
  const Energies e = analysis::energies(start);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(e.momentum[k], 0.0, 1e-13);  // rounding of 20,000 terms
  EXPECT_GT(e.angular_momentum[2], 1.5);                               // the disc turns counter-clockwise
  // scatter of K and W at this N: 0.5 %
  EXPECT_NEAR(analysis::virial_ratio(e), 1.0, 0.015);
}

TEST(DrawnGalaxy, IsReproducible) {
  const auto same = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
  };
  const Particles one = galaxy(60000).particles;
  EXPECT_FALSE(same(one.position, galaxy(60000, {}, 2).particles.position));
#ifdef _OPENMP
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
#endif
  const Particles again = galaxy(60000).particles;  // of one thread
#ifdef _OPENMP
  omp_set_num_threads(before);
#endif
  EXPECT_TRUE(same(one.position, again.position));
  EXPECT_TRUE(same(one.velocity, again.velocity));
}

TEST(DrawnGalaxy, CirclesAsItsFieldPulls) {
  const ics::Galaxy model{ics::galaxy_shape(ics::Settings({"galaxy", "", ics::galaxy_options()}, {}))};
  const std::vector<double> edges = {0.8, 1.2, 1.6, 2.0, 2.5, 3.0, 3.5, 4.0};
  const analysis::DiscProfile disc = analysis::disc_profile(galaxy(200000), 0.0, 20, edges);
  ASSERT_EQ(disc.radius.size(), 7u);
  for (std::size_t i = 0; i < disc.radius.size(); ++i) {
    const double R = disc.radius[i];
    SCOPED_TRACE(R);
    const ics::DiscMotion& motion = model.disc_motion();
    // some 10,000 stars and 50,000 grains inside: 0.5 %; the mean over a ring's width and height: 0.5 %
    EXPECT_NEAR(disc.circular_velocity[i] / motion.circular_velocity(R), 1.0, 0.015);
    EXPECT_NEAR(disc.rotation[i] / motion.mean_rotation(R, 0.05), 1.0, 0.01);
    // n^(-1/2) = 1 % and the change over a ring, whose stars crowd at its inner edge
    EXPECT_NEAR(disc.radial_dispersion[i] / motion.radial_dispersion(R), 1.0, 0.05);
    EXPECT_NEAR(disc.azimuthal_dispersion[i] / motion.azimuthal_dispersion(R), 1.0, 0.06);
    EXPECT_NEAR(disc.vertical_dispersion[i] / motion.vertical_dispersion(R, 0.05), 1.0, 0.05);
    EXPECT_NEAR(disc.surface_density[i] / model.disc().surface_density(R), 1.0, 0.05);
    EXPECT_NEAR(disc.scale_height[i], 0.1, 0.001);                  // a quiet start: 0.2 %, and the axis that is found
    EXPECT_NEAR(disc.toomre_q[i] / motion.toomre_q(R), 1.0, 0.12);  // slopes of a curve with 0.5 % scatter
    EXPECT_GT(motion.toomre_q(R), 1.45);
  }
}

TEST(DrawnGalaxy, CanDoWithoutAnyPart) {
  for (const Given& options : {Given{{"disc-mass", "0"}}, Given{{"halo-mass", "0"}, {"bulge-mass", "0"}},
                               Given{{"halo-mass", "0"}}, Given{{"disc-mass", "0"}, {"bulge-mass", "0"}}}) {
    const Snapshot start = galaxy(5000, options);
    ASSERT_EQ(start.particles.size(), 5000u);
    // scatter at this N; a disc alone has a thick, hot centre that its Jeans moments describe to some per cent
    EXPECT_NEAR(analysis::virial_ratio(analysis::energies(start)), 1.0, 0.05);
  }
}

std::string refusal(std::size_t n, const Given& options) {
  try {
    galaxy(n, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(DrawnGalaxy, RefusesWhatMakesNoSense) {
  EXPECT_EQ(refusal(10, {{"disc-mass", "-1"}}), "galaxy.disc-mass: received -1 (must be a finite number, 0 or above)");
  EXPECT_EQ(refusal(10, {{"halo-scale", "0"}}), "galaxy.halo-scale: received 0 (must be a finite number above 0)");
  EXPECT_EQ(
      refusal(10, {{"halo-inner-slope", "2.5"}}),
      "galaxy.halo-inner-slope: received 2.5 (must be in [0, 2); at 2 and above the central potential is infinite)");
  EXPECT_EQ(refusal(10, {{"bulge-outer-slope", "0.5"}}),
            "galaxy.bulge-outer-slope: received 0.5 (must be above the inner slope)");
  EXPECT_EQ(
      refusal(10, {{"disc-height", "0.001"}}),
      "galaxy.disc-height: received 0.001 (must be from 0.005 to 2 of disc-scale, 1; anything thicker is not a disc)");
  EXPECT_EQ(refusal(10, {{"q-radius", "9"}}),
            "galaxy.q-radius: is larger than disc-truncation (give a radius inside the disc)");
  EXPECT_EQ(refusal(10, {{"quiet", "1"}}), "galaxy.quiet: received 1 (must be true or false)");
  EXPECT_EQ(refusal(10, {{"disc-number", "1.5"}}), "galaxy.disc-number: received 1.5 (must be a whole number)");
  EXPECT_EQ(refusal(10, {{"disc-number", "5"}, {"disc-mass", "0"}}),
            "galaxy.disc-number: the part has particles and no mass (give it a mass, or 0 particles)");
  EXPECT_EQ(refusal(10, {{"disc-number", "11"}}),
            "galaxy.n: received 10 (must be the sum of the particles of all parts and the black hole, 11)");
  EXPECT_EQ(refusal(2, {}),
            "galaxy.bulge-number: is 0, though the part has mass (give a larger n, or set bulge-mass to 0)");
  EXPECT_EQ(refusal(10, {{"disc-mass", "0"}, {"bulge-mass", "0"}, {"halo-mass", "0"}}),
            "galaxy.disc-mass: no part has mass (give the disc, the bulge, the halo or the gas a mass)");
  EXPECT_EQ(refusal(100, {{"halo-inner-slope", "0"}, {"black-hole-mass", "0.5"}}).substr(0, 44),
            "galaxy.halo: no isotropic equilibrium exists");
}

}  // namespace
}  // namespace hornbeam
