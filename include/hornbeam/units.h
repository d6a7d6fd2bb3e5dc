// SPDX-License-Identifier: Apache-2.0
// Units by name, both ways: "kpc", "1e10 Msun" and "km/s" to numbers, and a system's units to such names. The list of
// names is that of docs/formats.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
/// "0.977792 Gyr".
std::string time_unit_name(const Units& units);
/// "kpc, 1e10 Msun, km/s (G = 43007.1)", or "G = 1".
std::string described(const Units& units);

/// Whether numbers mean the same in both, within a thousandth: programs differ in what they take a solar mass for.
bool agree(const Units& a, const Units& b);
/// Snapshot in other units. Between a system with G = 1, which has no size, and physical units lengths and masses stay
/// as they stand and velocities follow G, so that an equilibrium stays one.
void convert(Snapshot& snapshot, const Units& to);

}  // namespace hornbeam
