// SPDX-License-Identifier: Apache-2.0
// Tables of equations of state from text files: the layout of WoMa and SWIFT, and standard SESAME (tables 201 and 301),
// as ANEOS writes it (NEW-SESAME-STD.TXT).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "core/short_numbers.h"
#include "core/shown_text.h"
#include "hornbeam/error.h"
#include "materials/law.h"

namespace hornbeam::materials {
namespace {

/// One number after the other from a text, each with its place for messages.
class Numbers {
 public:
  Numbers(const std::string& text, std::size_t at, std::string subject)
      : text_(text), at_(at), subject_(std::move(subject)) {}

  double next(const char* what) {
    const std::size_t begin = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    const double value = next_or_infinity(what);
    if (std::isfinite(value)) return value;
    at_ = begin;
    refuse(what);
  }
  double next_or_infinity(const char* what) {
    skip_blanks();
    if (at_ == text_.size())
      throw Error(subject_, std::string("is truncated within its ") + what, "copy or download it again");
    double value = 0;
    const char* const begin = text_.data() + at_ + (text_[at_] == '+' ? 1 : 0);
    auto [end, fault] = std::from_chars(begin, text_.data() + text_.size(), value);
    const bool within = end != text_.data() + text_.size();
    if (fault == std::errc{} && within && (*end == '-' || *end == '+')) {  // Fortran leaves out the E of E-100
      int power = 0;
      const auto exponent = std::from_chars(end + (*end == '+' ? 1 : 0), text_.data() + text_.size(), power);
      end = exponent.ptr;
      value *= std::pow(10.0, power);
    }
    const bool ends = end == text_.data() + text_.size() || std::isspace(static_cast<unsigned char>(*end));
    if (fault != std::errc{} || !ends || std::isnan(value)) refuse(what);
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  /// A whole number from 2 on of which the rest of the file can hold as many, two characters each.
  std::size_t count(const char* what) {
    const double value = next(what), most = static_cast<double>(text_.size() - at_) / 2;
    if (value >= 2 && value <= most && value == std::floor(value)) return static_cast<std::size_t>(value);
    throw Error(subject_, "line " + std::to_string(line()) + ": " + shortest(value) + " " + what +
                              " (must be at least 2, and at most what the file's size allows)");
  }
  /// How many words the line of the next number has.
  [[nodiscard]] std::size_t words_of_line() {
    skip_blanks();
    std::size_t words = 0;
    for (std::size_t k = at_; k < text_.size() && text_[k] != '\n'; ++k) {
      const bool begins = k == at_ || std::isspace(static_cast<unsigned char>(text_[k - 1])) != 0;
      if (begins && std::isspace(static_cast<unsigned char>(text_[k])) == 0) ++words;
    }
    return words;
  }
  std::vector<double> list(std::size_t n, const char* what) {
    std::vector<double> all(n);
    for (double& value : all) value = next(what);
    return all;
  }
  void demand(std::size_t n) const {
    if (n <= (text_.size() - at_) / 2) return;
    throw Error(subject_, "is too short for the " + std::to_string(n) + " numbers that it should have",
                "copy or download it again");
  }
  /// Words or the end must follow, or further fields of `field` numbers each, if that is not 0. More than the counts
  /// say means that one of them is wrong, and what has been read was something else.
  void demand_end(std::size_t field) {
    skip_blanks();
    const std::size_t first = line();
    std::size_t more = 0;
    for (; at_ < text_.size() && begins_number(); skip_blanks()) next("rest"), ++more;
    if (more == 0 || (field > 0 && more % field == 0)) return;
    throw Error(subject_,
                "line " + std::to_string(first) + ": " + std::to_string(more) +
                    " numbers more than its counts of densities and temperatures allow",
                "compare them with the axes");
  }

 private:
  [[noreturn]] void refuse(const char* what) const {
    throw Error(subject_, "line " + std::to_string(line()) + ": " + shown(text_.substr(at_, 20)) +
                              " is not a number of its " + what);
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  [[nodiscard]] bool begins_number() const {
    const std::size_t digit = std::min(text_.find_first_not_of("+-.", at_), text_.size() - 1);
    return std::isdigit(static_cast<unsigned char>(text_[digit])) != 0;
  }
  [[nodiscard]] std::size_t line() const {
    return 1 +
           static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

  const std::string& text_;
  std::size_t at_;
  std::string subject_;
};

/// In SI units; of row i and column k at i * columns + k.
struct FoundTable {
  std::vector<double> rho, T, u, P, c;
  double reference_density = 0;
};

std::size_t after_lines(const std::string& text, int lines) {
  std::size_t at = 0;
  for (int k = 0; k < lines && at < text.size(); ++k) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

/// Files of Hubbard and MacFarlane's materials (1980), as WoMa has them, have a line less of words. After the date come
/// limits and counts of densities and energies on one line, then pressures and temperatures.
void refuse_by_energy(Numbers& in, const std::string& subject) {
  if (in.words_of_line() != 6) return;
  throw Error(subject,
              "is a table by density and energy (HM80) without speeds of sound; tables are by density and temperature",
              "use another material (aqua, cms19-h, cd21-hhe, ss08-water) or a SESAME or ANEOS table");
}

/// 12 lines of words; the date of its version; counts, densities, temperatures; u, P, c and entropy, density by density
/// for each temperature.
FoundTable read_planetary(const std::string& text, const std::string& subject) {
  Numbers in(text, after_lines(text, 12), subject);
  refuse_by_energy(in, subject);
  in.next("date");
  FoundTable t;
  const std::size_t rows = in.count("densities"), columns = in.count("temperatures");
  in.demand(rows);
  in.demand(columns);
  in.demand(rows * columns * 4);
  t.rho = in.list(rows, "densities");
  t.T = in.list(columns, "temperatures");
  for (std::vector<double>* values : {&t.u, &t.P, &t.c}) values->resize(rows * columns);
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::vector<double>* values : {&t.u, &t.P, &t.c}) (*values)[i * columns + k] = in.next_or_infinity("states");
      in.next_or_infinity("states");
    }
  }
  in.demand_end(0);
  return t;
}

/// The slope of values[at] by x[at], over the neighbours on both sides where there are two; `step`: between them in
/// values.
double slope_at(const std::vector<double>& x, std::size_t k, const double* values, std::size_t step) {
  const std::size_t low = k > 0 ? k - 1 : k, high = std::min(k + 1, x.size() - 1);
  const double width = x[high] - x[low];
  return width > 0 ? (values[high * step] - values[low * step]) / width : 0;
}

/// c^2 = (dP / d rho)_T + T (dP / dT)^2 / (rho^2 c_V).
void find_sounds(FoundTable& t) {
  const std::size_t columns = t.T.size();
  t.c.resize(t.P.size());
  for (std::size_t i = 0; i < t.rho.size(); ++i) {
    for (std::size_t k = 0; k < columns; ++k) {
      const double stiff = slope_at(t.rho, i, &t.P[k], columns), by_T = slope_at(t.T, k, &t.P[i * columns], 1);
      const double heat = slope_at(t.T, k, &t.u[i * columns], 1), rho = t.rho[i];
      const double thermal = heat > 0 && rho > 0 ? t.T[k] * by_T * by_T / (rho * rho * heat) : 0;
      t.c[i * columns + k] = std::sqrt(std::max(stiff + thermal, 0.0));
    }
  }
}

/// Records of numbers between lines of words. 201: of which the third is the density, g/cm^3. 301: counts, densities in
/// g/cm^3, temperatures; P in GPa, u and free energy in MJ/kg, all densities for a temperature.
FoundTable read_sesame(const std::string& text, const std::string& subject) {
  const auto record = [&](const char* type) {
    for (std::size_t at = text.find("RECORD"); at != std::string::npos; at = text.find("RECORD", at + 1)) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
      if (text.substr(at, end - at).find(type) != std::string::npos) return end + 1;
    }
    throw Error(subject, std::string("has no record of type ") + type, "give a standard SESAME file with table 301");
  };
  FoundTable t;
  Numbers about(text, record("201"), subject);
  t.reference_density = 1000 * about.list(3, "record 201")[2];
  Numbers in(text, record("301"), subject);
  const std::size_t rows = in.count("densities"), columns = in.count("temperatures");
  in.demand(rows);
  in.demand(columns);
  in.demand(rows * columns * 3);
  t.rho = in.list(rows, "densities");
  t.T = in.list(columns, "temperatures");
  for (double& rho : t.rho) rho *= 1000;
  for (auto [values, unit] : {std::pair{&t.P, 1e9}, {&t.u, 1e6}}) {
    values->resize(rows * columns);
    for (std::size_t k = 0; k < columns; ++k) {
      for (std::size_t i = 0; i < rows; ++i) (*values)[i * columns + k] = unit * in.next("states");
    }
  }
  for (std::size_t k = 0; k < rows * columns; ++k)
    in.next("free energies");     // none is needed, but a file that is whole
  in.demand_end(rows * columns);  // extended files have entropies and more
  find_sounds(t);
  return t;
}

/// Ascending from 0 or more, where two may be one by the digits that a file has; a first one of 0 becomes far less than
/// the second, as logarithms are taken.
void check_axis(std::vector<double>& axis, const char* what, const std::string& subject) {
  if (axis[0] == 0) axis[0] = 1e-5 * axis[1];
  for (std::size_t k = 0; k < axis.size(); ++k) {
    if (axis[k] > 0 && (k == 0 || axis[k] >= axis[k - 1])) continue;
    throw Error(subject, std::string("its ") + what + " number " + std::to_string(k + 1) + " is " + shortest(axis[k]) +
                             ": the values must be 0 or above and not descend");
  }
  if (!(axis.back() > axis.front())) throw Error(subject, std::string("all its ") + what + " are the same");
}

/// What is not above 0 becomes a thousandth of the least that is, and all of it its logarithm.
void take_logarithms(std::vector<double>& values, const char* what, const std::string& subject) {
  double least = std::numeric_limits<double>::infinity();
  for (const double v : values) least = v > 0 ? std::min(least, v) : least;
  if (!std::isfinite(least)) throw Error(subject, std::string("no ") + what + " of its states is above 0");
  for (double& v : values) v = std::log(v > 0 ? v : 1e-3 * least);
}

/// The largest density at which matter of some 300 K is hardly pressed, 1 MPa; 0: it is a gas.
double loose_density(const FoundTable& t) {
  const std::size_t columns = t.T.size();
  const auto warm = static_cast<std::size_t>(std::upper_bound(t.T.begin(), t.T.end(), 300.0) - t.T.begin());
  const std::size_t k = std::min(std::max<std::size_t>(warm, 1), columns) - 1;
  for (std::size_t i = t.rho.size(); i-- > 0;) {
    if (t.P[i * columns + k] <= 1e6) return i > 0 && i + 1 < t.rho.size() ? t.rho[i] : 0;
  }
  return 0;
}

/// Energies ascend with temperature: where some do not, as one that is infinite, they are lowered to the next.
void sort_energies(FoundTable& t) {
  const std::size_t columns = t.T.size();
  for (std::size_t i = 0; i < t.rho.size(); ++i) {
    for (std::size_t k = columns - 1; k > 0; --k) {
      double& colder = t.u[i * columns + k - 1];
      colder = std::min(colder, t.u[i * columns + k]);
    }
  }
}

void check_finite(const FoundTable& t, const std::string& subject) {
  for (const auto& [values, what] : {std::pair{&t.u, "energy"}, {&t.P, "pressure"}, {&t.c, "sound speed"}}) {
    for (std::size_t k = 0; k < values->size(); ++k) {
      if (std::isfinite((*values)[k])) continue;
      throw Error(subject, std::string("its ") + what + " is infinite at density number " +
                               std::to_string(k / t.T.size() + 1) + " and temperature number " +
                               std::to_string(k % t.T.size() + 1));
    }
  }
}

std::string text_of(const std::filesystem::path& file) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(file, unknown);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {  // a device may have no end
    throw Error(file.string(), "is not a file", "give the text file of a table");
  }
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.good() && !in.eof()) throw Error(file.string(), "cannot be read");
  if (text.empty()) throw Error(file.string(), "is empty or does not exist");
  return text;
}

}  // namespace

std::shared_ptr<Material::Law> table_of(const std::filesystem::path& file, const std::string& asked, const FromSi& si) {
  const std::string subject = file.string(), text = text_of(file);
  const bool is_sesame = text.find("RECORD") < 4096;
  FoundTable t = is_sesame ? read_sesame(text, subject) : read_planetary(text, subject);
  check_axis(t.rho, "densities", subject);
  check_axis(t.T, "temperatures", subject);
  sort_energies(t);
  check_finite(t, subject);
  auto made = std::make_shared<Material::Law>();
  made->id = id_named(asked);
  made->name = material_name(made->id);
  made->reference_density = si.density * (is_sesame ? t.reference_density : loose_density(t));
  made->law.kind = HB_EOS_TABLE;
  made->law.rows = static_cast<int>(t.rho.size());
  made->law.columns = static_cast<int>(t.T.size());
  take_logarithms(t.u, "energy", subject);
  take_logarithms(t.P, "pressure", subject);
  take_logarithms(t.c, "sound speed", subject);
  const auto add = [&](const std::vector<double>& logs, double unit) {
    for (const double value : logs) made->table.push_back(value + std::log(unit));
  };
  for (std::vector<double>* axis : {&t.rho, &t.T}) {
    for (double& value : *axis) value = std::log(value);
  }
  add(t.rho, si.density);
  add(t.u, si.energy);
  add(t.P, si.pressure);
  add(t.c, si.speed);
  add(t.T, 1);
  return made;
}

}  // namespace hornbeam::materials
