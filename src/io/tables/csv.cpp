// SPDX-License-Identifier: Apache-2.0
// Reads text tables: the header (or the named fixed order) gives each column its place in the particles' arrays.
#include "io/tables/csv.h"

#include "io/tables/csv_header.h"
#include "memory/particles.h"

namespace hornbeam::io {
namespace {

class Table {
 public:
  Table(std::string_view text, const std::string& subject, Lacking lacking)
      : lines_(text), text_(text), subject_(subject), lacking_(lacking) {}

  Snapshot read(Columns columns) {
    snapshot_.notes.push_back("text, columns " + std::string(columns == Columns::header      ? "named by a header"
                                                             : columns == Columns::galactics ? "m x y z vx vy vz"
                                                                                             : "x y z vx vy vz m"));
    if (columns == Columns::header) {
      read_header();
    } else {
      for (const std::size_t i : fixed_columns(columns)) {
        columns_.push_back({Column::Kind::number, i, std::string(number_columns[i].name)});
      }
      read_first_fixed_line(columns);
    }
    allocate();
    std::uint64_t rows = 0;
    while (has_line_ || lines_.next(line_)) {
      has_line_ = false;
      if (line_.front() != '#') read_row(rows++);
    }
    if (expected_rows_ && *expected_rows_ != rows) {
      throw Error(subject_, "is truncated or damaged: its first line states " + std::to_string(*expected_rows_) +
                                " particles, but " + std::to_string(rows) + " follow");
    }
    if (rows == 0 && columns == Columns::header && text_.back() != '\n') fail("the file ends within its header");
    const bool open_end = rows > 0 && text_.back() != '\n' && blanks.find(text_.back()) == std::string_view::npos;
    add_if(snapshot_.notes, open_end && line_.front() != '#',
           "the last line has no newline: if the file was cut, the last number is wrong");
    snapshot_.particles.resize(rows);
    for (const FieldRow* row : assumed_) assume(snapshot_, *row);
    return std::move(snapshot_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const {
    throw Error(subject_, "line " + std::to_string(lines_.number()) + ": " + what, remedy);
  }

  /// The header is the first line, or a comment before the data that names the positions' columns.
  void read_header() {
    while (lines_.next(line_)) {
      const bool comment = line_.front() == '#';
      const std::string_view names = without_hashes(line_);
      if (names.empty()) continue;
      delimiter_ = delimiter_of(names);
      columns_.clear();
      for (const std::string& field : header_fields(names, delimiter_)) add_column(field);
      if (comment && !has(number_columns[0].name)) {
        declared_.take(names);
        continue;
      }
      double number = 0;
      if (parse_number(split(names, delimiter_).front(), number)) {
        fail("has numbers where the names of the columns are expected",
             "add a header such as x,y,z,vx,vy,vz,mass or name the order of the columns: galactics, agama");
      }
      check_columns();
      take_row_of_units();
      return find_units();
    }
    fail("has no header line with the names of the columns");
  }

  void add_column(const std::string& field) {
    columns_.push_back(column_named(field));
    if (columns_.back().unit.empty()) columns_.back().unit = declared_.of(columns_.back().given);
  }

  /// A row of units below the names, which may be a comment.
  void take_row_of_units() {
    LineReader ahead = lines_;
    std::string_view line;
    if (!ahead.next(line)) return;
    const auto units = row_of_units(without_hashes(line), delimiter_, columns_);
    if (!units) return;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].unit.empty()) columns_[c].unit = (*units)[c];
    }
    lines_ = ahead;
  }

  /// Refuses columns that stand twice and required ones that are missing; of a vector, all axes are.
  void check_columns() {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      if (column.kind == Column::Kind::ignored) {
        snapshot_.notes.push_back("column " + shown(column.name) + " is not read");
      } else if (find(column.name) != c) {
        fail("column " + column.name + " stands twice");
      }
    }
    std::string missing;
    for (const NumberColumn& number : number_columns) {
      if (has(number.name)) continue;
      const bool absent = !has_other_axis(number);
      if (absent && lacking_ == Lacking::assumed && can_be_assumed(*number.field.row)) {
        if (number.axis == 0) assumed_.push_back(number.field.row);
      } else if (!absent || number.field.row->required) {
        missing += " " + std::string(number.name);
      }
    }
    if (!missing.empty()) fail("has no column" + missing, in_brackets().value_or("needed: x y z vx vy vz mass"));
    if (has(eps_column)) snapshot_.notes.emplace_back("softening per particle from the file");
    if (!has(id_column)) snapshot_.notes.emplace_back("no ids: particles are numbered in file order");
  }

  /// What to write for a unit in brackets of another kind, "x (pc)".
  [[nodiscard]] std::optional<std::string> in_brackets() const {
    for (const Column& column : columns_) {
      const auto open = column.name.find_first_of("({");
      const bool has_unit =
          open != std::string::npos && open > 0 && column.name.find_first_of(")}") != std::string::npos;
      if (column.kind != Column::Kind::ignored || !has_unit) continue;
      const std::string name(trimmed(std::string_view(column.name).substr(0, open)));
      const std::string unit = column.name.substr(open + 1, column.name.find_first_of(")}") - open - 1);
      if (column_named(name).kind == Column::Kind::number)
        return "write \"" + name + " [" + unit + "]\" for " + shown(column.name);
    }
    return std::nullopt;
  }

  /// Where columns name units, those of x, mass and vx are the snapshot's, and others are brought to them.
  void find_units() {
    const auto unit_of = [this](std::string_view name) { return has(name) ? columns_[find(name)].unit : ""; };
    const bool any = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.unit.empty(); });
    if (!any) {
      return add_if(snapshot_.notes, !declared_.last().empty(),
                    units_not_understood + shown(declared_.last()) + ": G = 1 is assumed, unless [units] is given");
    }
    for (std::size_t i = 0; i < number_columns.size(); ++i) {
      const std::string_view name = number_columns[i].name;
      const bool needs_unit = i < required_columns || name == "radius";  // of others, older files have none
      if (needs_unit && has(name) && unit_of(name).empty()) {
        fail("column " + std::string(name) + " has no unit, but others have",
             "write \"" + std::string(name) + " [...]\"");
      }
    }
    const auto about = [&](const char* name) {
      return subject_ + ": line " + std::to_string(lines_.number()) + ": column " + name;
    };
    try {
      set_units(unit_of("x"), unit_of("mass"), unit_of("vx"), about);
    } catch (const UsageError& error) {  // of the file, not of who asks for it
      throw Error(subject_, std::string(error.what()).substr(subject_.size() + 2));
    }
  }

  template <class About>
  void set_units(const std::string& length, const std::string& mass, const std::string& velocity, const About& about) {
    const Units units =
        physical_units(length_from(length, about("x")), mass.empty() ? 1.0 : mass_from(mass, about("mass")),
                       velocity.empty() ? 1.0 : velocity_from(velocity, about("vx")));
    for (Column& column : columns_) {
      if (!column.unit.empty()) column.factor = factor_of(column, units, about(column.name.c_str()));
    }
    if (!assumed_.empty()) {  // positions alone: G has no value
      snapshot_.notes.push_back("lengths are in " + unit_name(units, 1, 0, 0) +
                                "; without units of masses and velocities the header's units define no system");
      return;
    }
    snapshot_.units = units;
    snapshot_.has_units = true;
    snapshot_.notes.push_back("units from the header: " + described(units));
  }

  [[nodiscard]] static double factor_of(const Column& column, const Units& u, const std::string& about) {
    const Dimension& d = number_columns[column.index].field.row->dimension;
    const Quantity q = quantity_from(column.unit, about);
    // a velocity is a length over a time
    if (q.length != d.length + d.velocity || q.mass != d.mass || q.time != -d.velocity) {
      throw Error(about, "'" + column.unit + "' is not a unit of this quantity",
                  "such as \"" + unit_name(u, d.length, d.mass, d.velocity) + "\"");
    }
    if (!(q.cgs > 0) || !std::isfinite(q.cgs)) throw Error(about, "'" + column.unit + "' has no size");
    const double factor = q.cgs / d.unit(u.length_cm, u.mass_g, u.velocity_cm_per_s);
    constexpr double same = 1e-14;  // products of the same factors in another order
    return std::abs(factor - 1) < same ? 1.0 : factor;
  }

  /// The first column of that name that is read; their number where there is none.
  [[nodiscard]] std::size_t find(std::string_view name) const {
    const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) {
      return column.kind != Column::Kind::ignored && column.name == name;
    });
    return static_cast<std::size_t>(found - columns_.begin());
  }
  [[nodiscard]] bool has(std::string_view name) const { return find(name) < columns_.size(); }
  [[nodiscard]] bool has_other_axis(const NumberColumn& column) const {
    return std::any_of(number_columns.begin(), number_columns.end(), [&](const NumberColumn& other) {
      return other.field.row == column.field.row && has(other.name);
    });
  }

  /// GalactICS may begin with a line of two numbers: the count of particles and the time.
  void read_first_fixed_line(Columns columns) {
    do {
      has_line_ = lines_.next(line_);
    } while (has_line_ && line_.front() == '#');
    if (!has_line_) return;
    delimiter_ = delimiter_of(line_);
    const std::vector<std::string_view> fields = split(line_, delimiter_);
    if (columns != Columns::galactics || fields.size() != 2) return;
    std::uint64_t count = 0;
    if (!parse_id(fields[0], count) || !parse_number(fields[1], snapshot_.time)) {
      fail(shown(line_) + " is neither a particle nor a number of particles and a time");
    }
    expected_rows_ = count;
    has_line_ = false;
  }

  /// Arrays for as many rows as the text can hold: one a line, and none without a digit and a delimiter in each of
  /// its required columns, so that blank lines take no memory.
  void allocate() {
    Particles& particles = snapshot_.particles;
    const auto lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n')) + 1;
    const std::size_t most = std::min(lines, (text_.size() + 1) / (2 * required_columns) + 1);
    const auto optional = std::count_if(columns_.begin(), columns_.end(), [](const Column& c) {
      return c.kind == Column::Kind::number && !number_columns[c.index].field.row->required;
    });
    memory::demand(most, memory::reading(static_cast<double>(optional) * sizeof(double)));
    particles.resize(most);
    const std::size_t n = particles.size();
    for (const Column& column : columns_) {
      Target target;
      if (column.kind == Column::Kind::number) {
        const NumberColumn& number = number_columns[column.index];
        number.field.resize(particles, n);
        target = {number.field.at(particles, 0) + number.axis, number.field.columns()};
      }
      targets_.push_back(target);
    }
  }

  void read_row(std::uint64_t row) {
    std::string_view rest = line_;
    std::string_view field;
    std::size_t c = 0;
    for (; next_field(rest, delimiter_, field); ++c) {
      if (c < columns_.size() && !read_field(row, c, field)) {
        fail("column " + shown(columns_[c].name) + ": " + shown(field) + " is not valid" + known_of(columns_[c]));
      }
    }
    if (c != columns_.size()) {
      fail("has " + std::to_string(c) + " columns instead of " + std::to_string(columns_.size()));
    }
  }

  bool read_field(std::uint64_t row, std::size_t c, std::string_view field) {
    switch (columns_[c].kind) {
      case Column::Kind::number:
        if (!parse_number(field, targets_[c].first[row * targets_[c].stride])) return false;
        targets_[c].first[row * targets_[c].stride] *= columns_[c].factor;
        return true;
      case Column::Kind::id:
        return parse_id(field, snapshot_.particles.id[row]);
      case Column::Kind::family:
        return parse_family(field, snapshot_.particles.family[row]);
      case Column::Kind::ignored:
        break;
    }
    return true;
  }

  struct Target {
    double* first = nullptr;
    std::size_t stride = 0;
  };

  LineReader lines_;
  std::string_view text_;
  const std::string& subject_;
  Lacking lacking_;
  Snapshot snapshot_;
  std::vector<const FieldRow*> assumed_;  ///< fields without columns
  std::vector<Column> columns_;
  DeclaredUnits declared_;
  std::vector<Target> targets_;
  char delimiter_ = ',';
  std::string_view line_;
  bool has_line_ = false;  ///< line_ is a row that is still to be read
  std::optional<std::uint64_t> expected_rows_;
};

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

}  // namespace

bool looks_like_text(Bytes file) {
  const Bytes start = file.first(std::min<std::size_t>(file.size(), 4096));
  return std::none_of(start.begin(), start.end(), [](std::byte b) {
    const auto c = static_cast<unsigned char>(b);
    return (c < 32 && c != '\t' && c != '\n' && c != '\r') || c == 127;
  });
}

Snapshot parse_csv(Bytes file, Columns columns, const std::string& subject, Lacking lacking) {
  if (!looks_like_text(file)) throw Error(subject, "is not text: it has control characters");
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());  // NOLINT: bytes of text
  return Table(without_byte_order_mark(text), subject, lacking).read(columns);
}

}  // namespace hornbeam::io
