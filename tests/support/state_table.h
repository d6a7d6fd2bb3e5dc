// SPDX-License-Identifier: Apache-2.0
// Small tables of equations of state as texts, of gases whose formulas are known.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace hornbeam {

/// An ideal gas with u = 1000 T and gamma 1.4 at rho from 1e-3 to 1e5 and T from 1 to 1e7 (SI), of so many rows and
/// columns: logarithms are linear, so that what lies between the rows is exact.
struct StateTable {
  int rows = 9, columns = 8;

  [[nodiscard]] double rho(int i) const { return std::pow(10, -3 + 8.0 * i / (rows - 1)); }
  [[nodiscard]] double T(int k) const { return std::pow(10, 7.0 * k / (columns - 1)); }
  [[nodiscard]] double u(int k) const { return 1000 * T(k); }
  [[nodiscard]] double P(int i, int k) const { return 0.4 * rho(i) * u(k); }
  [[nodiscard]] double c(int k) const { return std::sqrt(1.4 * 0.4 * u(k)); }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%24.16e", value);
    return text;
  }

  /// As WoMa and SWIFT write it.
  [[nodiscard]] std::string planetary() const {
    std::string text;
    for (int k = 0; k < 12; ++k) text += "# Material of a test\n";
    text += "20220714\n" + std::to_string(rows) + " " + std::to_string(columns) + "\n";
    for (int i = 0; i < rows; ++i) text += number(rho(i));
    text += "\n";
    for (int k = 0; k < columns; ++k) text += number(T(k));
    text += "\n";
    for (int k = 0; k < columns; ++k) {
      for (int i = 0; i < rows; ++i) text += number(u(k)) + number(P(i, k)) + number(c(k)) + number(1) + "\n";
    }
    return text;
  }

  /// As ANEOS writes NEW-SESAME-STD.TXT: g/cm^3, GPa, MJ/kg, five numbers a line.
  [[nodiscard]] std::string sesame() const {
    std::string text = " INDEX      MATID =      1    NWDS =        9\n" + number(1) + number(0) + "\n" + number(201) +
                       number(301) + "\n RECORD     TYPE =  201     NWDS =        5\n" + number(70) + number(140) +
                       number(3.22) + number(1.1e12) + number(298) + "\n RECORD     TYPE =  301     NWDS =     " +
                       std::to_string(2 + rows + columns + 3 * rows * columns) + "\n";
    int written = 0;
    const auto add = [&](double value) { text += number(value) + (++written % 5 == 0 ? "\n" : ""); };
    add(rows);
    add(columns);
    for (int i = 0; i < rows; ++i) add(rho(i) / 1000);
    for (int k = 0; k < columns; ++k) add(T(k));
    for (int part = 0; part < 3; ++part) {
      for (int k = 0; k < columns; ++k) {
        for (int i = 0; i < rows; ++i) add(part == 0 ? P(i, k) / 1e9 : u(k) / 1e6);
      }
    }
    return text + "\n";
  }
};

}  // namespace hornbeam
