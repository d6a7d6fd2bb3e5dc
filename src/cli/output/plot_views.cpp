// SPDX-License-Identifier: Apache-2.0
// Pictures for plots, see plot_views.h.
#include "cli/output/plot_views.h"

#include <algorithm>

#include "hornbeam/analysis.h"
#include "hornbeam/io.h"
#include "hornbeam/render.h"
#include "hornbeam/units.h"
#include "run/folder/pictures.h"
#include "run/records/record.h"

namespace hornbeam::cli {
namespace {

constexpr int side = 600;  ///< pixels of a panel

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

/// The views of one snapshot, one after the other.
class Views {
 public:
  Views(const Snapshot& snapshot, const std::string& file, const std::vector<Family>& families)
      : snapshot_(snapshot), file_(file), families_(families) {}

  void add_ring() {
    add_picture("ring", run::view_of_ring(snapshot_), "");
    list_.back()["box"] = {snapshot_.boundary.size[0], snapshot_.boundary.size[1]};
  }
  void add_galaxy(const std::string& of) {
    render::Options options;
    options.axis = render::Axis::z;
    add_picture(of, options, "face on");
    options.axis = render::Axis::y;
    add_picture(of, options, "edge on");
  }
  void add_picture(const std::string& of, render::Options options, const std::string& title) {
    options.width = options.height = side;
    options.labels = false;
    options.families = families_;
    run::settle_gas(options, snapshot_.gas, read_record(file_), file_);
    options = render::settled(options, snapshot_);
    render::refuse_absent_families(snapshot_.particles, options, file_);
    const render::Camera camera = render::frame(snapshot_, options);
    const render::Image image = render::draw(snapshot_, options);
    const std::string axis = options.axis == render::Axis::z ? "z" : "y";
    add({{"panel", "picture"},
         {"of", of},
         {"title", title},
         {"axis", axis},
         {"rgb", hexadecimal(image.rgb)},
         {"width", image.width},
         {"height", image.height},
         {"centre", camera.centre},
         {"extent", camera.extent}});
  }
  void add_density(const std::string& of) {
    const auto map = analysis::surface_density(snapshot_.particles, 2, families_);
    Json rows = Json::array();
    for (auto row = map.value.begin(); row != map.value.end(); row += map.bins) {
      rows.push_back(std::vector<double>(row, row + map.bins));
    }
    add({{"panel", "density"},
         {"of", of},
         {"title", ""},
         {"axis", "z"},
         {"surface_density", std::move(rows)},
         {"centre", map.centre},
         {"extent", map.width}});
  }
  Json list() && { return std::move(list_); }

 private:
  void add(Json view) {
    view["file"] = file_;
    view["time"] = snapshot_.time * shown_time(snapshot_.units).per_unit;
    list_.push_back(std::move(view));
  }

  const Snapshot& snapshot_;
  const std::string& file_;
  const std::vector<Family>& families_;
  Json list_ = Json::array();
};

void add_default(Views& views, const Snapshot& snapshot) {
  const Vec3& box = snapshot.boundary.size;
  const auto& family = snapshot.particles.family;
  if (!snapshot.particles.radius.empty() && box[0] > 0 && box[1] > 0) return views.add_ring();
  if (std::find(family.begin(), family.end(), Family::disc) != family.end()) return views.add_galaxy("");
  views.add_picture("", {}, "");
}

}  // namespace

Json plot_views(Snapshot& snapshot, const std::string& file, const std::vector<std::string>& flags,
                const std::vector<Family>& families) {
  const auto asked = [&](const char* flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); };
  run::settle_from_record(snapshot, file);
  Views views(snapshot, file, families);
  if (flags.empty()) add_default(views, snapshot);
  if (asked("--profile")) views.add_density("profile");
  if (asked("--disc") || asked("--bar")) views.add_galaxy(asked("--disc") ? "disc" : "bar");
  if (asked("--ring")) views.add_ring();
  if (asked("--groups")) views.add_picture("groups", {}, "");
  return std::move(views).list();
}

}  // namespace hornbeam::cli
