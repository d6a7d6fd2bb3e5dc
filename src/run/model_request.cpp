// SPDX-License-Identifier: Apache-2.0
// Finds and draws models, see model_request.h.
#include "run/model_request.h"

#include <algorithm>

#include "hornbeam/error.h"
#include "hornbeam/io.h"

namespace hornbeam::run {

const ics::Model& find_model(const std::string& name, const std::string& subject) {
  const auto& models = ics::models();
  const auto found = std::find_if(models.begin(), models.end(), [&](const auto& model) { return model.name == name; });
  if (found != models.end()) return *found;
  std::string known;
  for (const ics::Model& model : models) known += (known.empty() ? "" : ", ") + model.name;
  throw UsageError(subject, name.empty() ? "is missing" : name + " is no model of this version", "there are " + known);
}

Snapshot draw(const ModelRequest& request, const std::filesystem::path& folder) {
  const bool counts_itself = request.model == "merger";
  if (!request.n && !counts_itself) throw UsageError(request.model, "the number of particles is missing", "give n");
  return ics::make(request.model, request.n.value_or(0), ics::Seed{request.seed}, request.options,
                   [&folder](const std::filesystem::path& file) { return read_snapshot(folder / file); });
}

}  // namespace hornbeam::run
