// SPDX-License-Identifier: Apache-2.0
// Finds and draws models, see model_request.h.
#include "run/config/model_request.h"

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "ics/softening.h"
#include "run/config/suggest.h"
#include "run/values/quantities.h"

namespace hornbeam::run {

const ics::Model& find_model(const std::string& name, const std::string& subject) {
  const auto& models = ics::models();
  const auto found = std::find_if(models.begin(), models.end(), [&](const auto& model) { return model.name == name; });
  if (found != models.end()) return *found;
  std::string known;
  std::vector<std::string> names;
  for (const ics::Model& model : models) {
    names.push_back(model.name);
    known += (known.empty() ? "" : ", ") + model.name;
  }
  const std::string there = "there are " + known, hint = name.empty() ? "" : suggestion(name, names);
  throw UsageError(subject, name.empty() ? "is missing" : name + " is not a known model",
                   hint.starts_with("did you mean") ? hint + " " + there : there);
}

Snapshot draw(const ModelRequest& given, const std::filesystem::path& folder) {
  ModelRequest request = given;
  take_quantities(request.units.value_or(Units{}), {}, given.model + ".", request);
  const bool counts_itself =
      request.model == "merger" || request.model == "ring" || ics::starts_from_files(request.options);
  if (!request.n && !counts_itself) throw UsageError(request.model, "the number of particles is missing", "give n");
  if (request.n && request.model == "ring") {
    throw UsageError("n", "cannot be set for a ring, whose number of bodies follows from its surface density",
                     "leave it out, and set the size, the surface density or the radii");
  }
  std::map<std::string, std::string> options = request.options;
  if (request.softens && !options.contains("galaxy1")) options.try_emplace("eps", ics::near_optimum);
  const auto read = [&](const std::filesystem::path& file) {
    Snapshot snapshot = read_snapshot(folder / file);
    settle_units(snapshot, request.units, request.of_files, (folder / file).string());
    for (std::string& note : snapshot.notes) note = file.string() + ": " + note;
    return snapshot;
  };
  return ics::make(request.model, request.n.value_or(0), ics::Seed{request.seed}, options, read,
                   request.units.value_or(Units{}));
}

}  // namespace hornbeam::run
