// SPDX-License-Identifier: Apache-2.0
// `hornbeam render` and `hornbeam movie`: pictures of snapshots.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "cli/common.h"
#include "cli/names.h"
#include "cli/output/progress.h"
#include "cli/output/python.h"
#include "device/threads.h"
#include "hornbeam/error.h"
#include "hornbeam/io.h"
#include "hornbeam/render.h"
#include "hornbeam/units.h"
#include "io/files/file.h"
#include "io/files/program.h"
#include "run/folder/pictures.h"

namespace hornbeam::cli {
namespace {

using Text = const std::string&;

struct PictureCommand {
  std::string source, output, numbers;
  bool has_axis = false;
  render::Options options;
  render::MovieOptions movie;
};

render::Axis axis_from(Text text, Text flag) {
  return among<render::Axis>({{"x", render::Axis::x}, {"y", render::Axis::y}, {"z", render::Axis::z}}, text, flag);
}

int pixels(Text text, Text flag) {
  return static_cast<int>(std::clamp<std::int64_t>(integer_from_text(text, flag), -1, 1 << 20));
}

using Picture = std::shared_ptr<PictureCommand>;
using Options = render::Options;

/// Help with the number that pictures have where none is given.
std::string help_of(const char* what, double number) { return fmt::format("{} (default: {:g})", what, number); }

/// An option of one word; set takes the options, the word and the flag.
template <class Set>
void add_flag(CLI::App& command, const Picture& picture, const char* name, const char* type, const std::string& help,
              Set set) {
  command
      .add_option_function<std::string>(
          name, [picture, set, name](Text text) { set(picture->options, text, std::string(name)); }, help)
      ->type_name(type);
}

/// One of several numbers, and no more: the file may follow.
template <class Set>
void add_numbers(CLI::App& command, const char* name, int count, const std::string& help, Set set) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [set, name](const std::vector<std::string>& words) {
            std::vector<double> numbers;
            numbers.reserve(words.size());
            for (Text word : words) numbers.push_back(number_from_text(word, name));
            set(numbers);
          },
          help)
      ->type_size(count)
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("FLOAT");
}

void add_camera_flags(CLI::App& command, const Picture& picture) {
  add_flag(command, picture, "--axis", "{x,y,z}", "axis of the line of sight (default: z)",
           [picture](Options& o, Text text, Text flag) { o.axis = axis_from(text, flag), picture->has_axis = true; });
  add_flag(command, picture, "--turn", "FLOAT",
           help_of("angle in degrees by which the view turns around this axis", Options{}.from.turn),
           [](Options& o, Text text, Text name) { o.from.turn = number_from_text(text, name); });
  add_flag(
      command, picture, "--tilt", "FLOAT",
      help_of("angle in degrees by which the view then tilts away from it; 90: from the side", Options{}.from.tilt),
      [](Options& o, Text text, Text name) { o.from.tilt = number_from_text(text, name); });
  add_flag(command, picture, "--extent", "FLOAT",
           "width of the picture in length units (default: what the visible matter fills)",
           [](Options& o, Text text, Text name) { o.extent = number_from_text(text, name); });
  add_numbers(command, "--centre", 3, "x y z in the middle of the picture (default: that of the visible matter)",
              [picture](const std::vector<double>& x) {
                picture->options.centre = Vec3{x[0], x[1], x[2]};
              });
}

void add_sphere_flags(CLI::App& command, const Picture& picture) {
  command.add_flag_callback(
      "--spheres", [picture] { picture->options.style = render::Style::spheres; },
      "draw bodies as lit spheres of their radii (default: if the file has radii and a box)");
  command.add_flag_callback(
      "--points", [picture] { picture->options.style = render::Style::points; },
      "draw the surface density, whatever the file has");
  add_numbers(
      command, "--light", 2,
      fmt::format("of spheres, where from: degrees around the axis, from the picture's right, and above the plane "
                  "(default: {:g} {:g})",
                  render::Sun{}.azimuth, render::Sun{}.height),
      [picture](const std::vector<double>& angles) {
        picture->options.sun = {angles[0], angles[1]};
      });
  add_flag(command, picture, "--perspective", "FLOAT",
           help_of("perspective of spheres: field of view in degrees; 0: seen from far away", Options{}.perspective),
           [](Options& o, Text text, Text name) { o.perspective = number_from_text(text, name); });
}

std::string words_of(const auto& names) { return fmt::format("{{{}}}", fmt::join(names, ",")); }

template <class Enum>
Enum named(const auto& names, Text text, Text flag) {
  std::map<std::string, Enum> known;
  for (std::size_t k = 0; k < names.size(); ++k) known.emplace(names[k], static_cast<Enum>(k));
  return among<Enum>(known, text, flag);
}

render::Field& field_of(Options& options) { return options.field ? *options.field : options.field.emplace(); }

/// "z=0": a plane across that axis.
void set_slice(PictureCommand& command, Text text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw UsageError("--slice", "received " + text, "write AXIS=POSITION, as in z=0");
  const render::Axis axis = axis_from(text.substr(0, equals), "--slice");
  if (command.has_axis && command.options.axis != axis) {
    throw UsageError("--slice", "is seen along its own axis", "leave out --axis");
  }
  command.options.axis = axis;
  field_of(command.options).slice = number_from_text(text.substr(equals + 1), "--slice");
}

void add_colour_flags(CLI::App& command, const Picture& picture) {
  const auto limit = [&](const char* name, std::optional<double> render::Field::*which, const char* help) {
    add_flag(command, picture, name, "FLOAT", help,
             [which](Options& o, Text text, Text flag) { field_of(o).*which = number_from_text(text, flag); });
  };
  limit("--vmin", &render::Field::low, "of a field, the number at the lower end of the colours (default: the least)");
  limit("--vmax", &render::Field::high, "the number at their upper end (default: the largest)");
  add_flag(command, picture, "--scale", "{log,linear}",
           "scale of the field's colours (default: log; velocities: linear)", [](Options& o, Text text, Text flag) {
             field_of(o).scale = among<render::Scale>(
                 {{"log", render::Scale::logarithmic}, {"linear", render::Scale::linear}}, text, flag);
           });
  static const std::string colours = words_of(render::colour_map_names);
  add_flag(command, picture, "--cmap", colours.c_str(),
           "colour map of the field (default: inferno; vx, vy, vz: coolwarm)", [](Options& o, Text text, Text flag) {
             field_of(o).colours = named<render::ColourMap>(render::colour_map_names, text, flag);
           });
}

void add_field_flags(CLI::App& command, const Picture& picture) {
  static const std::string quantities = words_of(render::gas_quantity_names);
  add_flag(command, picture, "--field", quantities.c_str(),
           "field of the gas by its kernel: column density, or mean by mass along the line of sight (default: density, "
           "if there is only gas)",
           [](Options& o, Text text, Text flag) {
             field_of(o).quantity = named<render::GasQuantity>(render::gas_quantity_names, text, flag);
           });
  add_flag(command, picture, "--slice", "AXIS=POSITION",
           "plane on which the field is drawn, such as z=0, in place of the line of sight",
           [picture](Options&, Text text, Text) { set_slice(*picture, text); });
  add_colour_flags(command, picture);
  command.add_flag_callback(
      "--shade", [picture] { field_of(picture->options).shaded = true; },
      "darken the field's colours where less gas is along the line of sight");
  add_flag(
      command, picture, "--mu", "FLOAT",
      fmt::format(
          "mean molecular weight for the temperature of ideal gas (default: the run's gas.mean_weight, otherwise {:g})",
          render::usual_molecular_weight),
      [](Options& o, Text text, Text flag) { o.gas.mean_molecular_weight = number_from_text(text, flag); });
}

void add_picture_flags(CLI::App& command, const Picture& picture) {
  add_flag(command, picture, "--width", "INT", help_of("pixels", Options{}.width),
           [](Options& o, Text text, Text name) { o.width = pixels(text, name); });
  add_flag(command, picture, "--height", "INT", help_of("pixels", Options{}.height),
           [](Options& o, Text text, Text name) { o.height = pixels(text, name); });
  add_camera_flags(command, picture);
  add_flag(
      command, picture, "--decades", "FLOAT",
      help_of(
          "number of decades of surface density from full brightness to black; largest number for a logarithmic field",
          Options{}.decades),
      [](Options& o, Text text, Text name) { o.decades = number_from_text(text, name); });
  add_flag(command, picture, "--gamma", "FLOAT",
           help_of("exponent of the brightness; above 1 darkens the faint parts", Options{}.gamma),
           [](Options& o, Text text, Text name) { o.gamma = number_from_text(text, name); });
  add_sphere_flags(command, picture);
  add_field_flags(command, picture);
  command
      .add_option_function<std::vector<std::string>>(
          "--types",
          [picture](const std::vector<std::string>& names) {
            for (Text name : names) picture->options.families.push_back(family_from_text(name));
          },
          "the particles to show (default: all)")
      ->allow_extra_args(false)
      ->type_name(family_words());
  add_flag(command, picture, "--threads", "INT", "number of CPU threads; 0: all cores (default: 0)",
           [](Options&, Text text, Text name) {
             const auto count = static_cast<int>(integer_from_text_in(0, 1 << 20, text, name));
             if (count == 0) return;
             check_threads(count, name + " = " + text);
             omp_set_num_threads(count);
           });
  command.add_flag_callback(
      "--no-labels", [picture] { picture->options.labels = false; }, "leave out scale bar, time and legend");
}

void render_file(PictureCommand& command) {
  io::refuse_same_file(command.output, {command.source});
  render::refuse_other_pictures(command.output);
  if (!command.numbers.empty()) {
    render::refuse_other_numbers(command.numbers);
    io::refuse_same_file(command.numbers, {command.source, command.output});
  }
  const Snapshot snapshot = run::read_for_picture(command.source);
  run::settle_gas(command.options, snapshot.gas, read_record(command.source), command.source);
  command.options = render::settled(command.options, snapshot);
  render::refuse_absent_families(snapshot.particles, command.options, command.source);
  const render::Image image = render::draw(snapshot, command.options);
  if (!command.numbers.empty()) {
    const render::Camera camera = render::frame(snapshot, command.options);
    render::write_npy(command.numbers, render::field_map(snapshot, command.options, camera));
  }
  render::write_png(command.output, image);
  fmt::print("{}: {} at time {}\n", command.output, run::counted(snapshot.particles.size(), "particle"),
             shown_time(snapshot.units).text(snapshot.time));
  print_notes(snapshot.notes);
  const std::string assumed = run::assumed_gas_note(command.options, snapshot.particles);
  if (!assumed.empty()) print_notes({assumed});
}

void render_movie(PictureCommand& command) {
  const auto files = render::snapshot_files(command.source);
  run::settle_gas(command.options, {}, read_record(files.front()), files.front().string());
  const bool terminal = is_terminal();
  const auto tell = [terminal](std::size_t done, std::size_t all) {
    if (!terminal) return;
    fmt::print("\r{}{}", fitted({{fmt::format("picture {} of {}", done, all), 1}}, line_width()),
               done == all ? "\n" : "");
    std::fflush(stdout);
  };
  render::MovieOptions how = command.movie;
  if (!io::find_program("ffmpeg")) how.ffmpeg = ffmpeg_of_python(command.output + ".log");
  fmt::print("{}\n", render::movie(files, command.output, run::read_for_picture, command.options, how, tell));
}

}  // namespace

void add_render(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "render",
      "Picture of a snapshot: surface density by particle type, and stars; bodies as lit spheres; fields of gas");
  const auto picture = std::make_shared<PictureCommand>();
  command->add_option("FILE", picture->source, "snapshot")->required()->type_name("PATH");
  command->add_option("-o", picture->output, "PNG file to write")->required()->type_name("PATH");
  add_picture_flags(*command, picture);
  command
      ->add_option("--numbers", picture->numbers,
                   "file .npy to write the values of the field to, a NumPy array (height, width)")
      ->type_name("PATH");
  command->callback([picture] { render_file(*picture); });
}

void add_movie(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("movie", "Movie of a run's snapshots (a contact sheet without ffmpeg or imageio-ffmpeg)");
  const auto picture = std::make_shared<PictureCommand>();
  command->add_option("DIR", picture->source, "folder with snapshots")->required()->type_name("PATH");
  command->add_option("-o", picture->output, "file to write: .mp4, .webm or .gif")->required()->type_name("PATH");
  add_picture_flags(*command, picture);
  command
      ->add_option_function<std::string>(
          "--fps", [picture](Text text) { picture->movie.frames_per_second = pixels(text, "--fps"); },
          "pictures a second (default: 24, or fewer so that it lasts 5 seconds)")
      ->type_name("INT");
  command->add_flag("--keep-frames", picture->movie.keep_frames,
                    "keep the single pictures, in a folder whose name ends in _frames");
  command->callback([picture] { render_movie(*picture); });
}

}  // namespace hornbeam::cli
