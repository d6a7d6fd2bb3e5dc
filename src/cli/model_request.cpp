// SPDX-License-Identifier: Apache-2.0
// Finds and draws models, see model_request.h.
#include "cli/model_request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/io.h"

namespace hornbeam::cli {

const ics::Model& find_model(const std::string& name, const std::string& subject) {
  const auto& models = ics::models();
  const auto found = std::find_if(models.begin(), models.end(), [&](const auto& model) { return model.name == name; });
  if (found != models.end()) return *found;
  std::string known;
  for (const ics::Model& model : models) known += (known.empty() ? "" : ", ") + model.name;
  throw UsageError(subject, name.empty() ? "is missing" : name + " is no model of this version", "there are " + known);
}

namespace {

/// Refuses more particles than this machine could hold, rather than be stopped half-way through drawing them.
void check_memory(std::size_t n) {
  // position, velocity, mass, id, family: hornbeam/particles.h
  constexpr double bytes_each = 2 * sizeof(Vec3) + sizeof(double) + sizeof(std::uint64_t) + sizeof(Family);
  const double had = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  const double needed = bytes_each * static_cast<double>(n);
  if (needed <= had) return;
  throw Error(
      "n = " + std::to_string(n),
      fmt::format("the particles need {:.1f} GB of memory and this machine has {:.1f} GB", needed * 1e-9, had * 1e-9),
      fmt::format("draw at most {:.0f}", had / bytes_each));
}

}  // namespace

Snapshot draw(const ModelRequest& request, const std::filesystem::path& folder) {
  const bool counts_itself = request.model == "merger";
  if (!request.n && !counts_itself) throw UsageError(request.model, "the number of particles is missing", "give n");
  if (request.n) check_memory(*request.n);
  return ics::make(request.model, request.n.value_or(0), ics::Seed{request.seed}, request.options,
                   [&folder](const std::filesystem::path& file) { return read_snapshot(folder / file); });
}

}  // namespace hornbeam::cli
