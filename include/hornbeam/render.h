// SPDX-License-Identifier: Apache-2.0
// Pictures of snapshots: the surface density of each family in its own colours with its stars over it, bodies as lit
// spheres, or a quantity of the gas, as PNG, contact sheet or movie.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/gas.h"
#include "hornbeam/particles.h"

namespace hornbeam::render {

/// The axis along which one looks: z shows x to the right and y up, y shows x and z, x shows y and z.
enum class Axis { x, y, z };

/// From where: degrees by which the viewer walks around the axis, then leans down from it. 90 of tilt show its side.
struct Direction {
  double turn = 0.0, tilt = 0.0;
};

/// Where the light of spheres comes from, degrees: around the axis, counterclockwise from the picture's right before it
/// is tilted, and above the plane.
struct Sun {
  double azimuth = 145.0, height = 35.0;
};

/// What the picture covers.
struct Camera {
  Vec3 centre{};
  double extent = 1.0;  ///< width of the picture through the centre, length units
  Axis axis = Axis::z;
  Direction from{};
  double perspective = 0.0;  ///< of spheres: angle that the picture is wide, degrees; 0: parallel
};

/// What is drawn: bodies as spheres where the file has their radii and their box, else surface density.
enum class Style { by_file, points, spheres };

/// What is mapped of gas with its own kernel. density: of a projection column density, mass per area; all others are
/// means along the line of sight, by mass.
enum class GasQuantity { density, internal_energy, temperature, pressure, speed, vx, vy, vz };
inline constexpr std::array<std::string_view, 8> gas_quantity_names{
    "density", "internal-energy", "temperature", "pressure", "speed", "vx", "vy", "vz"};

/// As matplotlib's of these names.
enum class ColourMap { inferno, viridis, magma, coolwarm, gray };
inline constexpr std::array<std::string_view, 5> colour_map_names{"inferno", "viridis", "magma", "coolwarm", "gray"};

/// by_quantity: linear for velocities, else logarithmic.
enum class Scale { by_quantity, logarithmic, linear };

/// A picture of a quantity of the gas, with a bar that shows its colours.
struct Field {
  GasQuantity quantity = GasQuantity::density;
  std::optional<double> slice;       ///< where along the options' axis the gas is cut; none: seen through
  Scale scale = Scale::by_quantity;  ///< logarithmic: over the options' decades at most
  std::optional<double> low, high;   ///< of the colours, in the bar's unit; else what the picture holds
  std::optional<ColourMap> colours;  ///< else inferno, of velocities along an axis coolwarm
  bool shaded = false;               ///< as dark as there is little gas along the line of sight
};

constexpr double usual_molecular_weight = 0.6;  ///< of ionised gas

/// What a run's gas was, as its files say.
struct GasModel {
  SphKernel kernel = SphKernel::wendland_c2;
  double gamma = 5.0 / 3.0;  ///< of temperature and pressure of ideal gas
  /// Of temperature of ideal gas, in proton masses; none: the usual.
  std::optional<double> mean_molecular_weight;
  /// Of gas that is not, temperature and pressure are those that the particles have; none: where they have any.
  std::optional<bool> is_ideal;
};

/// For each family the surface density (mass per area) shown at full brightness; 0: nothing to show.
using Brightness = std::array<double, family_count>;

struct Options {
  int width = 1600, height = 1200;  ///< pixels, 16 to 16384
  Axis axis = Axis::z;
  Direction from{};
  double perspective = 0.0;  ///< of spheres, degrees from 0 (parallel) to 150
  Style style = Style::by_file;
  std::optional<Sun> sun;        ///< of spheres; else from the upper left, or past the viewer who leans down
  std::optional<Vec3> centre;    ///< otherwise the middle of the particles, of spheres that of their box
  std::optional<double> extent;  ///< width of the picture, length units, > 0; else what the visible matter fills
  std::vector<Family> families;  ///< those to show; empty: all
  double decades = 3.0;          ///< dynamic range: from full brightness down to black, > 0
  double gamma = 1.0;            ///< above 1 darkens the faint parts, below 1 lifts them, > 0
  std::optional<Field> field;    ///< none: light
  GasModel gas;
  bool labels = true;  ///< scale bar, time, and on larger pictures a legend with the surface density
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< (height, width, 3), sRGB, top row first
};

/// Throws UsageError(subject, ...) with the families that are there, where there is none that the options name.
void refuse_absent_families(const Particles& particles, const Options& options, const std::string& subject);

/// The values of a picture of a quantity.
struct FieldMap {
  int width = 0, height = 0;
  std::vector<double> value;  ///< (height, width), top row first; not a number where there is no gas
  std::string quantity;       ///< "column density"
  std::string unit;           ///< "Msun/pc^2"; empty where G = 1
};

/// The same options, with a field of column density where a snapshot is of nothing but gas that has flowed, and they
/// ask for nothing else.
Options settled(Options options, const Snapshot& snapshot);

/// That of the options' field. Throws UsageError where the snapshot has no gas, or not what the quantity is made of.
FieldMap field_map(const Snapshot& snapshot, const Options& options, const Camera& camera);
/// The least and the largest number that colours show.
std::array<double, 2> field_range(const FieldMap& map, const Options& options);
/// Writes the numbers as a NumPy array (height, width).
void write_npy(const std::filesystem::path& path, const FieldMap& map);

/// Returns the camera of a snapshot: as the options set it, or around the stars, disc, bulge and gas, or around the
/// halo. Of spheres in a box it is as wide as the box, with images beyond it.
Camera frame(const Snapshot& snapshot, const Options& options);
/// The brightness that shows the snapshot best by itself.
Brightness exposure(const Particles& particles, const Options& options, const Camera& camera);

/// One picture. Throws UsageError for options out of range.
Image draw(const Snapshot& snapshot, const Options& options);
/// The same with a given camera and brightness, which hold over all pictures of a movie.
Image draw(const Snapshot& snapshot, const Options& options, const Camera& camera, const Brightness& brightness);

/// Pictures side by side, `columns` in a row; all must have the size of the first.
Image contact_sheet(const std::vector<Image>& pictures, int columns);

/// Throws UsageError where the name does not end in .png: asked before a picture is drawn.
void refuse_other_pictures(const std::filesystem::path& path);
/// The same of .npy, for the values of a picture.
void refuse_other_numbers(const std::filesystem::path& path);

/// Writes next to `path`, then renames. Throws Error(path, ...).
void write_png(const std::filesystem::path& path, const Image& image);

/// How snapshots are read: io's read_snapshot, or anything else.
using Loader = std::function<Snapshot(const std::filesystem::path&)>;

/// The files named `snapshot_*` in a folder, in the order of their numbers; where they are there in several formats,
/// HDF5, otherwise one of each number.
/// Throws Error where there are none.
std::vector<std::filesystem::path> snapshot_files(const std::filesystem::path& directory);

struct MovieOptions {
  std::optional<int> frames_per_second;         ///< else 24, or fewer so that the movie lasts 5 seconds
  std::optional<std::filesystem::path> ffmpeg;  ///< otherwise the one on PATH
  bool keep_frames = false;                     ///< otherwise they are removed once a movie is made of them
};

/// Draws every snapshot with one camera and brightness into the folder `<output without extension>_frames`. ffmpeg
/// joins them to an MP4, WebM or GIF, by the extension. Without ffmpeg it writes a contact sheet `<output without
/// extension>.png`. Returns one sentence that says which. `progress` is called after each picture with the number of
/// pictures done and of all. Throws UsageError for other names.
std::string movie(const std::vector<std::filesystem::path>& snapshots, const std::filesystem::path& output,
                  const Loader& load, const Options& options, const MovieOptions& how = {},
                  const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace hornbeam::render
