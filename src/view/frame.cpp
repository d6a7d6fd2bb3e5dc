// SPDX-License-Identifier: Apache-2.0
// From a snapshot to a frame and its message, see frame.h.
#include "view/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "core/fields.h"
#include "hornbeam/units.h"
#include "render/paint/colour.h"
#include "render/paint/labels.h"
#include "view/thinning.h"

namespace hornbeam::view {
namespace {

using Places = std::vector<std::uint32_t>;

/// Fields that colours may show: of one sign, and worth looking at.
constexpr std::array<std::string_view, 6> coloured_fields{"density",  "internal_energy",  "temperature",
                                                          "pressure", "smoothing_length", "mass"};
constexpr std::string_view speed = "speed";

/// The array of each place, as `part` makes it of the place.
template <class T, int columns = 1, class Part>
FrameArray array_of(const char* name, const char* type, const Places& places, Part part) {
  auto bytes = std::make_shared<std::string>(places.size() * columns * sizeof(T), '\0');
  char* to = bytes->data();
  for (const std::uint32_t place : places) {
    const std::array<T, columns> row = part(place);
    std::memcpy(to, row.data(), sizeof row);
    to += sizeof row;
  }
  return {name, type, columns, std::move(bytes)};
}

/// Positions in fp32 are counted from here, so that they are fine wherever the particles are.
Vec3 middle_of(const std::vector<Vec3>& position, const Places& places) {
  Vec3 middle{};
  for (const std::uint32_t i : places) {
    for (int k = 0; k < 3; ++k) middle[k] += position[i][k];
  }
  for (double& x : middle) x /= static_cast<double>(std::max<std::size_t>(places.size(), 1));
  return middle;
}

FrameArray positions(const std::vector<Vec3>& position, const Places& places, const Vec3& origin) {
  return array_of<float, 3>("position", "f32", places, [&](std::uint32_t i) {
    const Vec3& x = position[i];
    return std::array{static_cast<float>(x[0] - origin[0]), static_cast<float>(x[1] - origin[1]),
                      static_cast<float>(x[2] - origin[2])};
  });
}

/// The values of a colour: empty where there is none of that name.
FrameArray values(const Particles& p, const std::string& colour, const Places& places) {
  if (colour == speed) {
    return array_of<std::uint16_t>("value", "u16", places, [&](std::uint32_t i) {
      const Vec3& v = p.velocity[i];
      return std::array{half_of(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))};
    });
  }
  FrameArray found;
  for_each_array(p, [&](const auto& array, const FieldRow& row) {
    using T = typename std::decay_t<decltype(array)>::value_type;
    if constexpr (std::is_same_v<T, double>) {
      if (colour != row.name) return;
      found = array_of<std::uint16_t>("value", "u16", places,
                                      [&](std::uint32_t i) { return std::array{half_of(array[i])}; });
    }
  });
  return found;
}

FrameArray ids(const std::vector<std::uint64_t>& id, const Places& places) {
  const bool wide = std::any_of(places.begin(), places.end(), [&](std::uint32_t i) { return id[i] >> 32 != 0; });
  if (!wide) {
    return array_of<std::uint32_t>("id", "u32", places,
                                   [&](std::uint32_t i) { return std::array{static_cast<std::uint32_t>(id[i])}; });
  }
  return array_of<std::uint32_t, 2>("id", "u32", places, [&](std::uint32_t i) {
    return std::array{static_cast<std::uint32_t>(id[i]), static_cast<std::uint32_t>(id[i] >> 32)};
  });
}

std::vector<FrameArray> bodies_of(const Particles& p, const Places& places) {
  std::vector<FrameArray> bodies{ids(p.id, places),
                                 array_of<std::uint8_t>("family", "u8", places, [&](std::uint32_t i) {
                                   return std::array{static_cast<std::uint8_t>(p.family[i])};
                                 })};
  if (!p.radius.empty()) {
    bodies.push_back(array_of<float>("radius", "f32", places,
                                     [&](std::uint32_t i) { return std::array{static_cast<float>(p.radius[i])}; }));
  }
  return bodies;
}

/// FNV-1a by words of eight bytes.
std::string key_of(const std::vector<FrameArray>& arrays) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const FrameArray& array : arrays) {
    const std::string& bytes = *array.bytes;
    for (std::size_t k = 0; k < bytes.size(); k += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + k, std::min<std::size_t>(8, bytes.size() - k));
      hash = (hash ^ word) * 0x100000001b3U;
      hash ^= hash >> 29;
    }
    hash = (hash ^ bytes.size()) * 0x100000001b3U;
  }
  return fmt::format("{:016x}", hash);
}

/// In the units of one colour: "Msun/pc^3"; empty where G = 1.
std::string unit_of_colour(const Units& units, const std::string& colour) {
  if (colour == speed) return unit_name(units, 0, 0, 1);
  std::string unit;
  for_each_field([&](const auto& field) {
    const Dimension& d = field.row.dimension;
    if (colour == field.row.name) unit = unit_name(units, d.length, d.mass, d.velocity);
  });
  return colour == "temperature" ? "K" : unit;
}

Json colours_json(const Snapshot& snapshot) {
  Json all = Json::array();
  for (const std::string& colour : colours_of(snapshot.particles)) {
    all.push_back({{"name", colour}, {"unit", unit_of_colour(snapshot.units, colour)}});
  }
  return all;
}

void add_colour(Frame& frame, const Particles& p, const std::string& colour, const Places& places) {
  if (std::find(frame.colours.begin(), frame.colours.end(), colour) == frame.colours.end()) return;
  frame.places.push_back(values(p, colour, places));
  frame.colour = colour;
  frame.about["colour"] = colour;
}

/// Each family that is there, with its number, its light and what its bodies reflect.
Json families_json(const Particles& p) {
  std::array<std::size_t, family_count> count{};
  for (const Family family : p.family) ++count[static_cast<std::size_t>(family)];
  Json all = Json::array();
  for (int k = 0; k < family_count; ++k) {
    const bool alone = static_cast<Family>(k) == Family::halo && count[k] == p.size();
    const render::Look look = alone ? render::Look::lone_halo : static_cast<render::Look>(k);
    all.push_back(
        {{"name", family_names[k]},
         {"count", count[k]},
         {"light", render::light_of(look, 1)},
         {"powers", render::powers_of(look)},
         {"tint", render::tint_of(look)},
         {"surface", {render::surface_of(static_cast<Family>(k), 0), render::surface_of(static_cast<Family>(k), 1)}}});
  }
  return all;
}

Json box_json(const Snapshot& snapshot) {
  const Boundary& b = snapshot.boundary;
  if (b.kind == BoundaryKind::open && b.size == Vec3{}) return nullptr;
  return {{"kind", name(b.kind)}, {"size", b.size}};
}

Json units_of(const Units& units) {
  Json json = units_json(units);
  if (!units.physical) return json;
  json["length_cm"] = units.length_cm;
  json["time_s"] = units.length_cm / units.velocity_cm_per_s;
  return json;
}

std::shared_ptr<const std::string> padding(std::size_t size) {
  return std::make_shared<const std::string>((4 - size % 4) % 4, '\0');
}

}  // namespace

std::uint16_t half_of(double value) {
  if (!(value > 0)) return 0;
  const double most = std::numeric_limits<float>::max();
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(std::min(value, most))) >> 16);
}

std::vector<std::string> colours_of(const Particles& particles) {
  std::vector<std::string> names;
  for (const std::string_view name : coloured_fields) {
    for_each_array(particles, [&](const auto& array, const FieldRow& row) {
      using T = typename std::decay_t<decltype(array)>::value_type;
      if (std::is_same_v<T, double> && name == row.name && !array.empty()) names.emplace_back(name);
    });
  }
  if (particles.size() > 0) names.emplace_back(speed);
  return names;
}

bool Frame::shows(const std::string& wanted) const {
  if (wanted == colour) return true;
  return colour.empty() && std::find(colours.begin(), colours.end(), wanted) == colours.end();
}

std::size_t Frame::bytes() const {
  std::size_t sum = 0;
  for (const FrameArray& array : places) sum += array.bytes->size();
  for (const FrameArray& array : bodies) sum += array.bytes->size();
  return sum;
}

Frame make_frame(const Snapshot& snapshot, const std::string& colour, std::size_t most) {
  const Particles& p = snapshot.particles;
  const Places places = shown_places(p, most);
  const Vec3 origin = middle_of(p.position, places);
  Frame frame;
  frame.places.push_back(positions(p.position, places, origin));
  frame.bodies = bodies_of(p, places);
  frame.bodies_key = key_of(frame.bodies);
  frame.colours = colours_of(p);
  frame.about = {{"time", snapshot.time},
                 {"n", p.size()},
                 {"shown", places.size()},
                 {"origin", origin},
                 {"families", families_json(p)},
                 {"colours", colours_json(snapshot)},
                 {"colour", Json()},
                 {"units", units_of(snapshot.units)},
                 {"box", box_json(snapshot)}};
  add_colour(frame, p, colour, places);
  return frame;
}

Frame recoloured(const Frame& frame, const Snapshot& snapshot, const std::string& colour, std::size_t most) {
  Frame other = frame;
  other.places.resize(1);  // positions
  other.colour.clear();
  other.about["colour"] = Json();
  add_colour(other, snapshot.particles, colour, shown_places(snapshot.particles, most));
  return other;
}

std::vector<std::shared_ptr<const std::string>> message_of(const Frame& frame, std::string_view has_bodies,
                                                           const Json& more) {
  std::vector<const FrameArray*> sent;
  for (const FrameArray& array : frame.places) sent.push_back(&array);
  if (has_bodies != frame.bodies_key) {
    for (const FrameArray& array : frame.bodies) sent.push_back(&array);
  }
  const std::size_t rows = frame.about["shown"].get<std::size_t>();
  Json about = frame.about;
  about["bodies"] = frame.bodies_key;
  about.update(more);
  for (const FrameArray* array : sent) {
    about["arrays"].push_back(
        {{"name", array->name}, {"type", array->type}, {"rows", rows}, {"columns", array->columns}});
  }
  std::string text = about.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((4 - text.size() % 4) % 4, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string head = "HBV1";
  head.append(reinterpret_cast<const char*>(&length), sizeof length);
  std::vector<std::shared_ptr<const std::string>> parts{std::make_shared<const std::string>(head + text)};
  for (const FrameArray* array : sent) {
    parts.push_back(array->bytes);
    parts.push_back(padding(array->bytes->size()));
  }
  return parts;
}

}  // namespace hornbeam::view
