// SPDX-License-Identifier: Apache-2.0
// Units by name, both ways: "kpc", "1e10 Msun" and "km/s" to numbers, and a system's units to such names. The list of
// names is that of docs/formats.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hornbeam/dimension.h"
#include "hornbeam/particles.h"

namespace hornbeam {

/// A number in cgs with its powers of length, mass and time.
struct Quantity {
  double cgs = 1.0;
  int length = 0, mass = 0, time = 0;
};

/// A product of numbers, names and powers: "kpc", "1e10 Msun", "km/s", "(km/s)^2/kpc", "m s^-1". Throws
/// UsageError(subject, ...) naming the nearest unit there is.
Quantity quantity_from(std::string_view text, const std::string& subject);

/// The same where it must be a length, mass, velocity or time: its size in cgs.
double length_from(std::string_view text, const std::string& subject);
double mass_from(std::string_view text, const std::string& subject);
double velocity_from(std::string_view text, const std::string& subject);
double time_from(std::string_view text, const std::string& subject);

/// Units of these sizes (cgs), with the gravitational constant in them.
Units physical_units(double length_cm, double mass_g, double velocity_cm_per_s);

/// "nbody" (G = 1), "galactic", "solar", "si", "cgs", "saturn".
std::vector<std::string_view> unit_systems();
/// A system by its name, or "LENGTH, MASS, VELOCITY" as "kpc, 1e10 Msun, km/s". Throws UsageError(subject, ...).
Units units_from(const std::string& text, const std::string& subject);

/// What one unit of a product of powers of length, mass and velocity is called: "kpc", "1e10 Msun", "km/s",
/// "(km/s)^2/kpc". Empty where units are not physical, or there is no power. quantity_from() reads it.
std::string unit_name(const Units& units, int length, int mass, int velocity);
/// "0.977792 Gyr": the unit of the numbers themselves. Tables and axes show times in that of shown_time().
std::string time_unit_name(const Units& units);
/// A round unit of time, "Gyr", and how many of it one unit of time of `units` is: 0.977792. Empty and 1 if units are
/// not physical.
struct ShownTime {
  std::string name;
  double per_unit = 1.0;
  /// A time as people read it: "0.5", "48.9 Myr".
  [[nodiscard]] std::string text(double time) const;
  /// The same to three digits, as a key of a configuration takes it: 0.5, "48.9 Myr" in quotation marks.
  [[nodiscard]] std::string value(double time) const;
};
/// chosen: the seconds of a unit that is chosen; 0: a round one near that of `units`.
ShownTime shown_time(const Units& units, double chosen = 0);
/// The number that a text with a unit, "500 Myr" or "-2 kpc", is in `units`. Throws UsageError(subject, ...) if it is
/// not of that dimension, or if `units` are not physical.
double number_from(std::string_view text, const Units& units, const Dimension& dimension, const std::string& subject);
/// "kpc, 1e10 Msun, km/s (G = 43007.1)", or "G = 1".
std::string described(const Units& units);

/// Whether numbers mean the same in both, within a thousandth: programs differ in what they take a solar mass for.
bool agree(const Units& a, const Units& b);
/// Snapshot in other units. Between a system with G = 1, which has no size, and physical units lengths and masses stay
/// as they stand and velocities follow G, so that an equilibrium stays one.
void convert(Snapshot& snapshot, const Units& to);

}  // namespace hornbeam
