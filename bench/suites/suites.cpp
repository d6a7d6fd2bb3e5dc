// SPDX-License-Identifier: Apache-2.0
// The list of benchmark suites, see suites.h.
#include "bench/suites/suites.h"

namespace hornbeam::cli {

const std::vector<Suite>& suites() {
  static const std::vector<Suite> all = {
      {"nakasato", "stackless walk: particle order, theta, brute force, backends",
       "Nakasato (2012), Radeon HD 5870 (Cypress) and 2 Xeon E5520", bench_nakasato},
      {"gasphia", "warp vote: regular, shuffled and sorted particles; theta, error and speed-up",
       "GASPHiA (Ye 2026), NVIDIA GPU not named", bench_gasphia},
      {"bonsai", "seconds by stage and error distributions of Plummer spheres",
       "Bédorf, Gaburov & Portegies Zwart (2012), GTX 480; their code ported and run on an H200", bench_bonsai},
      {"scaling", "time, rate and memory against N; distributions, particle order, threads", "", bench_scaling},
      {"peers", "other codes at the same errors",
       "Bonsai and Ryoanji on an NVIDIA H200; FDPS + PIKG and exafmm-t on 2 cores of an AMD EPYC with AVX-512",
       bench_peers},
      {"occlude", "a patch of a ring: seconds a step against N, with and without self-gravity",
       "OCCLUDE (Vincent 2014), Figs. 26 to 28; REBOUND on the same state where `import rebound` works, and REBOUND "
       "6c44115 on 1 and 2 cores of an AMD EPYC with AVX-512",
       bench_occlude},
      {"merger", "240,002 bodies of two galaxies to T = 1000: seconds, energy error, black holes, remnant",
       "Bédorf, Gaburov & Portegies Zwart (2012), GTX 480; H200: scaled by their code's rates there", bench_merger},
      {"friends", "friends of friends: seconds and rate against N, of uniform and clustered particles",
       "ArborX FDBSCAN-DenseBox on an NVIDIA A100 (Prokopenko et al. 2024, arXiv 2409.10743)", bench_friends},
      {"sph", "gas: flows with known answers and their errors against N, particles a second of each sum",
       "a plain program of the same equations in fp64 (prototype), Phantom's and SPH-EXA's tests; Shamrock on an H100",
       bench_sph},
  };
  return all;
}

}  // namespace hornbeam::cli
