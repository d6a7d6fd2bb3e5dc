// SPDX-License-Identifier: Apache-2.0
// Names of the run library that the commands use as their own.
#pragma once

#include "run/config/keys.h"
#include "run/config/model_request.h"
#include "run/config/suggest.h"
#include "run/records/figures.h"

namespace hornbeam::cli {

using run::draw;
using run::eps_in_use;
using run::find_model;
using run::integer_from_text;
using run::integer_from_text_in;
using run::Key;
using run::keys;
using run::ModelRequest;
using run::most_particles;
using run::number_from_text;
using run::set_from_text;
using run::softening_line;
using run::suggestion;
using run::to_json;

}  // namespace hornbeam::cli
