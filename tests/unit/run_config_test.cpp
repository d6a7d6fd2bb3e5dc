// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: what is understood, and the message for each thing that is not.
#include "run/config/config.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hornbeam/error.h"
#include "run/config/keys.h"
#include "run/config/stray_letter.h"

namespace hornbeam::run {
namespace {

constexpr const char* smallest = "[ic]\nmodel = \"plummer\"\nn = 8\n[time]\ndt = 0.5\nend = 1\n";

RunConfig parsed(const std::string& extra, const std::vector<std::string>& overrides = {}) {
  return parse_config(std::string(smallest) + extra, overrides, "a.toml");
}

/// The message of the UsageError that the text must cause.
std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_config(text, overrides, "a.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
  return "";
}

std::string refusal_of(const std::string& extra) { return refusal(smallest + extra); }

void expect_all(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Config, DefaultsAreTheDesigns) {
  const RunConfig config = parsed("");
  EXPECT_EQ(config.ic->model, "plummer");
  EXPECT_EQ(config.ic->n, 8u);
  EXPECT_EQ(config.simulation.dt, 0.5);
  EXPECT_EQ(config.end, 1.0);
  EXPECT_EQ(config.simulation.gravity.theta, 0.6);
  EXPECT_EQ(config.simulation.gravity.mac, Mac::offset);
  EXPECT_EQ(config.simulation.backend, "auto");
  EXPECT_FALSE(config.units.has_value());
  EXPECT_EQ(config.output.formats, std::vector<std::string>{"hdf5"});
}

TEST(Config, EveryGravityKeyIsRead) {
  const GravityOptions gravity =
      parsed(
          "[gravity]\ntheta = 0.5\ntheta_c = 0.4\norder = 0\nexpansion = 3\nmac = \"offset-box\"\neps = 0.1\n"
          "softening = \"spline\"\nwalk = \"stackless\"\ncurve = \"morton\"\nleaf_size = 8\ngroup_size = 32\n")
          .simulation.gravity;
  EXPECT_EQ(gravity.theta, 0.5);
  EXPECT_EQ(gravity.theta_c, 0.4);
  EXPECT_EQ(gravity.order, 0);
  EXPECT_EQ(gravity.expansion, 3);
  EXPECT_EQ(gravity.mac, Mac::offset_box);
  EXPECT_EQ(gravity.eps, 0.1);
  EXPECT_EQ(gravity.softening, Softening::spline);
  EXPECT_EQ(gravity.walk, Walk::stackless);
  EXPECT_EQ(gravity.curve, Curve::morton);
  EXPECT_EQ(gravity.leaf_size, 8);
  EXPECT_EQ(gravity.group_size, 32);
}

TEST(Config, DeviceAndOutputAreRead) {
  const RunConfig config = parsed(
      "[device]\nbackend = \"cpu\"\nthreads = 2\nprecision = \"double\"\n"
      "[output]\ndirectory = \"here\"\nevery = 0.5\ntimes = [0.1, 1]\nformats = [\"csv\", \"hdf5\"]\n");
  EXPECT_EQ(config.simulation.backend, "cpu");
  EXPECT_EQ(config.simulation.threads, 2);
  EXPECT_EQ(config.simulation.gravity.precision, Precision::fp64);
  EXPECT_EQ(config.output.directory, "here");
  EXPECT_EQ(config.output.every, 0.5);
  EXPECT_EQ(config.output.times, (std::vector<double>{0.1, 1.0}));
  EXPECT_EQ(config.output.formats, (std::vector<std::string>{"csv", "hdf5"}));
}

TEST(Config, OverridesWinOverTheFile) {
  const RunConfig config =
      parsed("[gravity]\ntheta = 0.5\n", {"gravity.theta=0.7", "gravity.mac=bh", "time.end=2", "output.directory=a b"});
  EXPECT_EQ(config.simulation.gravity.theta, 0.7);
  EXPECT_EQ(config.simulation.gravity.mac, Mac::bh);
  EXPECT_EQ(config.end, 2.0);
  EXPECT_EQ(config.output.directory, "a b");
}

TEST(Config, OverridesMustBeSectionKeyValue) {
  for (const char* text : {"theta=1", "gravity.=1", "gravity.theta", ".theta=1", ""}) {
    expect_all(refusal(smallest, {text}), {"--set", "section.key=value"});
  }
}

TEST(Config, UnknownKeysNameTheNearest) {
  expect_all(refusal_of("[gravity]\nthetta = 0.5\n"), {"a.toml: gravity.thetta", "unknown key", "theta?"});
  expect_all(refusal_of("[gravty]\ntheta = 0.5\n"), {"a.toml: gravty", "unknown section", "gravity?"});
  expect_all(refusal("[ic]\nmodel = \"merger\"\npericenter = 1\n"), {"ic.pericenter", "pericentre?"});
  expect_all(refusal_of("[output]\nevry = 1\n"), {"output.evry", "every?"});
}

TEST(Config, WrongTypesSayWhatIsWanted) {
  expect_all(refusal_of("[gravity]\ntheta = \"0.5\"\n"), {"gravity.theta", "must be a number"});
  expect_all(refusal_of("[gravity]\norder = 0.5\n"), {"gravity.order", "0.5", "whole number"});
  expect_all(refusal_of("[gravity]\nmac = 3\n"), {"gravity.mac", "string"});
  expect_all(refusal_of("[output]\ntimes = 3\n"), {"output.times", "list of numbers"});
  expect_all(refusal_of("[output]\nformats = [1]\n"), {"output.formats", "list of strings"});
  expect_all(refusal("gravity = 3\n" + std::string(smallest)), {"gravity", "must be a table"});
}

TEST(Config, ValuesOutOfRangeAreRefused) {
  expect_all(refusal("[ic]\nmodel = \"plummer\"\nn = 8\n[time]\ndt = 0\nend = 1\n"), {"time.dt", "above 0"});
  expect_all(refusal("[ic]\nmodel = \"plummer\"\nn = 8\n[time]\ndt = -1\nend = 1\n"), {"time.dt", "-1"});
  expect_all(refusal("[ic]\nmodel = \"plummer\"\nn = 8\n[time]\ndt = nan\nend = 1\n"), {"time.dt", "nan"});
  expect_all(refusal_of("[gravity]\ntheta = 2.5\n"), {"theta", "2.5"});
  expect_all(refusal_of("[gravity]\ntheta = -0.1\n"), {"theta", "-0.1"});
  expect_all(refusal_of("[gravity]\ntheta = -0.0\n"), {"gravity.theta", "-0"});
  expect_all(refusal_of("[gravity]\neps = -1\n"), {"gravity.eps", "-1"});
  expect_all(refusal_of("[gravity]\ntheta_c = -1\n"), {"gravity.theta_c", "-1"});
  expect_all(refusal_of("[gravity]\neps = inf\n"), {"gravity.eps", "inf"});
  expect_all(refusal_of("[gravity]\nmac = \"nearest\"\n"), {"gravity.mac", "nearest", "offset"});
  expect_all(refusal_of("[gravity]\nleaf_size = 0\n"), {"gravity.leaf_size", "0"});
  expect_all(refusal_of("[output]\nevery = 0\n"), {"output.every", "above 0"});
  expect_all(refusal_of("[output]\nformats = [\"csv\", \"hdf5\", \"csv\"]\n"), {"output.formats", "csv twice"});
  expect_all(refusal("[ic]\nmodel = \"plummer\"\nn = -8\n"), {"ic.n", "-8"});
}

TEST(Config, WhatIsMissingIsNamed) {
  expect_all(refusal(""), {"neither [input] nor [ic]"});
  expect_all(refusal(std::string(smallest) + "[input]\nfile = \"x\"\n"), {"both [input] and [ic]"});
  expect_all(refusal("[ic]\nmodel = \"plummer\"\n"), {"time.dt", "missing"});
  expect_all(refusal("[ic]\nmodel = \"plummer\"\n[time]\ndt = 1\n"), {"time.end", "missing"});
  expect_all(refusal("[ic]\nn = 8\n"), {"ic.model", "plummer"});
}

TEST(Config, WhatIsNotBuiltSaysWhatIs) {
  expect_all(refusal_of("[boundary]\nkind = \"cubic\"\n"), {"boundary.kind", "cubic", "open", "periodic", "shear"});
  expect_all(refusal_of("[sph]\n"), {"sph", "is not a section", "[gas]"});
  expect_all(refusal("[ic]\nmodel = \"galaxie\"\n"), {"galaxie", "galaxy"});
}

// One table for all sections: what it says of types, ranges and defaults is what the reader does.
TEST(Config, EveryKeyOfTheTableIsReadAsItSays) {
  for (const Key& key : keys()) {
    const bool is_number = key.kind == Kind::number || key.kind == Kind::integer;
    const std::string subject = key.section + "." + key.name;
    if (key.section == "potential" || key.section == "ic" || key.section == "input") continue;  // need others beside
    const std::vector<std::string> block = {"time.steps=block"};
    const auto said = [&](const std::string& value) {
      return refusal(smallest, {block.front(), subject + "=" + value});
    };
    if (is_number) expect_all(said("'x'"), {subject, "number"});
    if (is_number && std::isfinite(key.range.least)) {
      expect_all(said(fmt::format("{}", key.range.least - 1)), {subject, "must be"});
    }
    if (is_number && std::isfinite(key.range.most)) expect_all(said("2e9"), {key.name, "must be"});
    if (is_number && key.range.open) {
      const std::string bound = fmt::format("{}", key.range.least);
      expect_all(said(bound), {subject, "above " + bound});
    }
    if (!key.words.empty()) expect_all(said("thing"), {subject, "thing", std::string(key.words.front())});
    expect_all(said("{a = 1}"), {subject});
    EXPECT_NE(keys_text().find("  " + key.name + " " + key.type()), std::string::npos);
  }
}

TEST(Config, StepsAndWhatTheyTake) {
  const std::string model = "[ic]\nmodel = \"plummer\"\nn = 10\n";
  expect_all(refusal(model + "[time]\nsteps = \"individual\"\n"), {"time.steps", "individual", "block"});
  expect_all(refusal(model + "[time]\neta = 0.02\n"), {"time.eta", "shared"});
  expect_all(refusal(model + "[time]\nsteps = \"symmetrised\"\neta_change = 0.1\n"), {"time.eta_change"});
  const std::string block = model + "[time]\ndt = 0.5\nend = 1\nsteps = \"block\"\n";
  expect_all(refusal(block + "eta = 0\n"), {"time.eta", "above 0"});
  expect_all(refusal(block + "max_rung = 31\n"), {"time.max_rung", "30"});
  const SimulationOptions o =
      parse_config(block + "eta = 0.1\neta_change = 0.2\nmax_rung = 7\n", {}, "a.toml").simulation;
  EXPECT_EQ(o.steps, Steps::block);
  EXPECT_EQ(o.eta, 0.1);
  EXPECT_EQ(o.eta_change, 0.2);
  EXPECT_EQ(o.max_rung, 7);
}

TEST(Config, PotentialsOneOrSeveral) {
  EXPECT_EQ(parsed("[potential]\nkind = \"point\"\nmass = 2\n").simulation.potentials.size(), 1u);
  const std::string two =
      "[[potential]]\nkind = \"logarithmic\"\nspeed = 2\nflattening = 0.7\n"
      "[[potential]]\nkind = \"nfw\"\nmass = 3\nscale = 4\ncentre = [1, 2, 3]\nvelocity = [0, 0, 1]\n";
  const RunConfig config = parsed(two);
  ASSERT_EQ(config.simulation.potentials.size(), 2u);
  EXPECT_EQ(config.simulation.potentials[0].flattening, 0.7);
  EXPECT_EQ(config.simulation.potentials[1].centre, (Vec3{1, 2, 3}));
  EXPECT_EQ(config.watchdog.energy, 0.0);  // one moves
  expect_all(refusal_of("[potential]\n"), {"potential.kind", "miyamoto-nagai"});
  expect_all(refusal_of("[potential]\nkind = \"nfw\"\nmass = 1\n"), {"potential.scale", "is missing"});
  expect_all(refusal_of("[potential]\nkind = \"nfw\"\nmass = 1\nscale = 0\n"), {"potential.scale", "above 0"});
  expect_all(refusal_of("[potential]\nkind = \"nfw\"\nmass = 1\nscale = 1\nspeed = 3\n"), {"potential.speed"});
  expect_all(refusal_of("[potential]\nkind = \"point\"\nmass = 1\ncentre = [1, 2]\n"), {"potential.centre", "x, y"});
}

TEST(Config, Watchdogs) {
  const WatchdogPlan plan = parsed("[watchdog]\nenergy = 0.5\nrunaway = 0\ncollapse = false\nevery = 10\n").watchdog;
  EXPECT_EQ(plan.energy, 0.5);
  EXPECT_EQ(plan.runaway, 0.0);
  EXPECT_FALSE(plan.collapse);
  EXPECT_EQ(plan.every, 10);
  expect_all(refusal_of("[watchdog]\nenergy = -1\n"), {"watchdog.energy", "0 or above"});
  expect_all(refusal_of("[watchdog]\ncollapse = \"perhaps\"\n"), {"watchdog.collapse", "true or false"});
}

TEST(Config, BrokenTomlNamesThePlace) { expect_all(refusal("[ic\nmodel"), {"a.toml", "line 1"}); }

// toml++ 3.3 runs into unreachable code at many of these letters where a blank might stand
TEST(Config, KeysOfVeryManyParts) {  // toml++ ended the stack in them
  std::string deep;
  for (int k = 0; k < 1000000; ++k) deep += "a.";
  expect_all(refusal("[ic]\n" + deep + "a = 1"), {"a.toml: line 2: a key of more than 100 parts"});
  expect_all(refusal("[" + deep + "a]"), {"line 1: a key of more than 100 parts"});
  expect_all(refusal("# " + deep + "\nx = {" + deep + "a = 1}"), {"line 2: a key of more than 100 parts"});
  std::string text(200, '.'), numbers;
  for (int k = 0; k < 200; ++k) numbers += "0.5, ";
  expect_all(refusal("[ic]\nmodel = \"" + text + "\"\nnumbers = [" + numbers + "]"), {"ic.model"});
  // dots in quotes are letters, of one line and of several
  EXPECT_EQ(line_of_long_key("a = \"\"\"\n\"" + text + "\"\"\"\nb.'" + text + "' = 1"), 0u);
  EXPECT_EQ(line_of_long_key("a = '''\n'" + text + "''''\n" + deep), 3u);
}

TEST(Config, LettersBeyondAsciiStandInQuotesOrComments) {
  for (const char* letter : {"\u00e9", "\u1683", "\ufabb", "\ufefe", "\uffff", "\U0001f30c"}) {
    const std::string l = letter;
    expect_all(refusal("[ic]\nmodel" + l + " = 1"), {"a.toml: line 2: a non-ASCII letter", "quotes"});
    expect_all(refusal("# " + l + "\n[ic]\nmodel = \"a\\\"" + l + "\"\n" + l), {"line 4: a non-ASCII letter"});
    expect_all(refusal("a = '''\n'" + l + "\n'''\n" + l), {"line 4: a non-ASCII letter"});
    expect_all(refusal("a = \"\"\"\\\n " + l + "\"\"\""), {"line 2: a non-ASCII letter"});
    expect_all(refusal("a = \"\"\"b\"\"\"\"" + l), {"line 1: a non-ASCII letter"});
    expect_all(refusal("a = '''b'''''" + l), {"line 1: a non-ASCII letter"});
    // no strings begin in the midst of a number, which the parser reads to the next blank
    expect_all(refusal("a = 1.o\"" + l + "\""), {"line 1: a non-ASCII letter"});
    expect_all(refusal("a = 1='" + l), {"line 1: a non-ASCII letter"});
    expect_all(refusal("a = [0,\n1=\"" + l), {"line 2: a non-ASCII letter"});
    expect_all(refusal("a = 1[\"" + l), {"line 1: a non-ASCII letter"});
    EXPECT_EQ(line_of_stray_letter("'" + l + "' = { b = 1, \"" + l + "\" = [['" + l + "'], # [\n '" + l + "'] }"), 0u);
    EXPECT_EQ(parsed("[output]\ndirectory = 'd" + l + "' # " + l).output.directory, "d" + l);
    EXPECT_EQ(parsed("[output]\ndirectory = \"\"\"" + l + "\\\n e\"\"\"").output.directory, l + "e");
    EXPECT_EQ(parsed("", {"output.directory=" + l}).output.directory, l);
    EXPECT_EQ(parsed("", {"output.directory='" + l + "'"}).output.directory, l);
  }
  EXPECT_EQ(parse_config("\xEF\xBB\xBF" + std::string(smallest), {}, "a.toml").ic->n, 8u);  // a byte-order mark
}

TEST(Config, UnitsGiveG) {
  EXPECT_EQ(parsed("[units]\nsystem = \"nbody\"\n").units->G, 1.0);
  // G = 43007.1 in kpc, 1e10 Msun, km/s to the digits that Gadget's manual prints.
  EXPECT_NEAR(parsed("[units]\nsystem = \"galactic\"\n").units->G, 43007.1, 10.0);
  const auto units = parsed("[units]\nlength_cm = 1\nmass_g = 2\nvelocity_cm_per_s = 1\n").units;
  EXPECT_DOUBLE_EQ(units->G, 2 * 6.6743e-8);
  expect_all(refusal_of("[units]\nlength_cm = 1\n"), {"units", "mass_g"});
  expect_all(refusal_of("[units]\nsystem = \"imperial\"\n"), {"imperial", "galactic"});
}

TEST(Config, AsUnderstoodHoldsDefaultsAndReadsBack) {
  const Json json = to_json(parsed("[gravity]\neps = 0.1\n"));
  EXPECT_EQ(json["gravity"]["accuracy"], usual_accuracy);
  EXPECT_TRUE(json["gravity"]["theta"].is_null());
  const Json angles = to_json(parsed("[gravity]\norder = 2\n"));
  EXPECT_TRUE(angles["gravity"]["accuracy"].is_null());
  EXPECT_EQ(angles["gravity"]["theta"], 0.6);
  EXPECT_EQ(angles["gravity"]["theta_c"], 0.6);
  EXPECT_EQ(json["gravity"]["eps"], 0.1);
  EXPECT_EQ(json["device"]["precision"], "mixed");
  EXPECT_EQ(json["ic"]["n"], 8);
}

}  // namespace
}  // namespace hornbeam::run
