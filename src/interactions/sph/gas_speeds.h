// SPDX-License-Identifier: Apache-2.0
// The internal unit of gas's speeds: with it squares and cubes of them stay far inside the range of fp32.
#pragma once

#include "device/kernels/language.h"
#include "hornbeam/particles.h"

HB_OPEN

/// Internal speed per speed: a power of two, which changes no digits, that brings the speeds of gas near 1; `most`: one
/// that they may come to.
pos_t speed_unit_of(const Particles& particles, double most);

HB_CLOSE
