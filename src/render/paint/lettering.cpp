// SPDX-License-Identifier: Apache-2.0
// A stroke font and anti-aliased lines, see lettering.h.
#include "render/paint/lettering.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace hornbeam::render {
namespace {

/// Strokes as pairs of digits (x in 0..4, y in 0..8; the baseline is y = 2, capitals reach y = 8), separated by spaces.
/// Blunt corners are drawn round.
struct Glyph {
  char letter;
  std::string_view strokes;
};

constexpr std::array<Glyph, 73> glyphs{{
    {'0', "05031232434738180705"},
    {'1', "062822"},
    {'2', "07183847460242"},
    {'3', "071838474635 15354443321203"},
    {'4', "32380444"},
    {'5', "480805354443321203"},
    {'6', "473818070312324344351504"},
    {'7', "084812"},
    {'8', "25150607183847463525 25150403123243443525"},
    {'9', "031232434738180706153546"},
    {'.', "0202"},
    {',', "1201"},
    {':', "0303 0606"},
    {'+', "0545 2327"},
    {'-', "0535"},
    {'=', "0444 0646"},
    {'/', "0138"},
    {'(', "18070311"},
    {')', "08171301"},
    {'[', "18080111"},
    {']', "08181101"},
    {'A', "022842 1434"},
    {'B', "0208 082837362505 2534332202"},
    {'C', "4738180703123243"},
    {'D', "0208 082846442202"},
    {'E', "48080242 0535"},
    {'F', "480802 0535"},
    {'G', "47381807031232434525"},
    {'H', "0208 4248 0545"},
    {'I', "0208"},
    {'J', "3833221203"},
    {'K', "0208 4804 1542"},
    {'L', "080242"},
    {'M', "0208244842"},
    {'N', "02084248"},
    {'O', "05031232434738180705"},
    {'P', "0208 083847463505"},
    {'Q', "05031232434738180705 2442"},
    {'R', "0208 083847463505 2542"},
    {'S', "473818070615354443321203"},
    {'T', "0848 2822"},
    {'U', "080312324348"},
    {'V', "082248"},
    {'W', "0812253248"},
    {'X', "0842 4802"},
    {'Y', "082548 2522"},
    {'Z', "08480242"},
    {'a', "3632 3526160503122233"},
    {'b', "0802 0516263533221203"},
    {'c', "3526160503122233"},
    {'d', "3832 3526160503122233"},
    {'e', "04343526160503122233"},
    {'f', "38281712 0626"},
    {'g', "3631201001 3526160503122233"},
    {'h', "0802 0516263532"},
    {'i', "0602 0808"},
    {'j', "161100 1818"},
    {'k', "0802 3603 1432"},
    {'l', "0802"},
    {'m', "0602 05162522 25364542"},
    {'n', "0602 0516263532"},
    {'o', "04031222333526160504"},
    {'p', "0600 0516263533221203"},
    {'q', "3630 3526160503122233"},
    {'r', "0602 051626"},
    {'s', "3616051424332202"},
    {'t', "18132232 0636"},
    {'u', "0603122233 3632"},
    {'v', "062246"},
    {'w', "0612253246"},
    {'x', "0632 3602"},
    {'y', "0622 4610"},
    {'z', "06360232"},
}};

constexpr double grid = 6.0;  // grid units in the height of a capital
constexpr double gap = 1.9;   // grid units from letter to letter

struct Place {
  double x, y;
};
struct Segment {
  Place from, to;
};

double distance(const Segment& s, double x, double y) {
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  const double length2 = dx * dx + dy * dy;
  const double along =
      length2 > 0.0 ? std::clamp(((x - s.from.x) * dx + (y - s.from.y) * dy) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(x - s.from.x - along * dx, y - s.from.y - along * dy);
}

using Ink = std::array<double, 3>;
constexpr Ink light_ink{226.0, 230.0, 240.0}, dark_ink{2.0, 2.0, 6.0};

/// Blends the ink into all pixels by their distance to the nearest segment: fully up to `near`, not beyond `far`.
void draw_segments(Image& image, std::span<const Segment> segments, double near, double far, const Ink& ink,
                   double opacity) {
  double left = 1e30, right = -1e30, top = 1e30, bottom = -1e30;
  for (const Segment& s : segments) {
    left = std::min({left, s.from.x - far, s.to.x - far}), right = std::max({right, s.from.x + far, s.to.x + far});
    top = std::min({top, s.from.y - far, s.to.y - far}), bottom = std::max({bottom, s.from.y + far, s.to.y + far});
  }
  const int x0 = std::max(0, static_cast<int>(std::floor(left))), y0 = std::max(0, static_cast<int>(std::floor(top)));
  const int x1 = std::min(image.width - 1, static_cast<int>(std::ceil(std::min(right, 1e6))));
  const int y1 = std::min(image.height - 1, static_cast<int>(std::ceil(std::min(bottom, 1e6))));
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      double nearest = far;
      for (const Segment& s : segments) nearest = std::min(nearest, distance(s, x + 0.5, y + 0.5));
      const double share = opacity * std::clamp((far - nearest) / (far - near), 0.0, 1.0);
      if (!(share > 0.0)) continue;
      std::uint8_t* rgb = &image.rgb[(static_cast<std::size_t>(y) * image.width + x) * 3];
      for (int k = 0; k < 3; ++k) rgb[k] = static_cast<std::uint8_t>(std::lround(rgb[k] + share * (ink[k] - rgb[k])));
    }
  }
}

/// The line through a, b, c near b: a curve where it turns by less than a right angle, otherwise the corner.
void add_corner(std::vector<Place>& line, const Place& a, const Place& b, const Place& c) {
  const double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
  const double u = std::hypot(ux, uy), v = std::hypot(vx, vy);
  if (!(ux * vx + uy * vy > 0.3 * u * v)) {
    line.push_back(b);
    return;
  }
  const double cut = std::min({0.5 * u, 0.5 * v, 1.0});
  const Place p{b.x - cut * ux / u, b.y - cut * uy / u}, q{b.x + cut * vx / v, b.y + cut * vy / v};
  constexpr int pieces = 4;
  for (int i = 0; i <= pieces; ++i) {
    const double t = i / static_cast<double>(pieces), s = 1.0 - t;
    line.push_back({s * s * p.x + 2 * s * t * b.x + t * t * q.x, s * s * p.y + 2 * s * t * b.y + t * t * q.y});
  }
}

void add_stroke(std::vector<Segment>& segments, std::span<const Place> corners, double x, double y, double unit) {
  std::vector<Place> line{corners.front()};
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) add_corner(line, corners[i - 1], corners[i], corners[i + 1]);
  const double dx = corners.back().x - corners.front().x, dy = corners.back().y - corners.front().y;
  if (corners.size() > 3 && dx == 0.0 && dy == 0.0) {  // a ring, which starts at its corner
    line.erase(line.begin());
    add_corner(line, corners[corners.size() - 2], corners.front(), corners[1]);
    line.push_back(line.front());
  } else {
    line.push_back(corners.back());
  }
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const auto on_picture = [&](const Place& p) { return Place{x + p.x * unit, y - (p.y - 2.0) * unit}; };
    segments.push_back({on_picture(line[i]), on_picture(line[i + 1])});
  }
}

std::vector<Segment> segments_of(std::string_view strokes, double x, double y, double unit) {
  std::vector<Segment> segments;
  std::vector<Place> corners;
  for (std::size_t i = 0; i < strokes.size(); i += 2) {
    if (strokes[i] == ' ') {
      add_stroke(segments, corners, x, y, unit);
      corners.clear();
      ++i;
    }
    corners.push_back({static_cast<double>(strokes[i] - '0'), static_cast<double>(strokes[i + 1] - '0')});
  }
  if (!corners.empty()) add_stroke(segments, corners, x, y, unit);
  return segments;
}

/// Calls visit(strokes, x, rise, scale) for each letter, places in grid units; returns where the text ends.
template <typename Visit>
double for_each_letter(std::string_view text, const Visit& visit) {
  double x = 0.0, rise = 0.0, scale = 1.0;
  for (const char letter : text) {
    if (letter == '^') {
      rise = 2.9, scale = 0.68;
      continue;
    }
    if (letter != '-' && letter != '+' && (letter < '0' || letter > '9')) rise = 0.0, scale = 1.0;
    const auto glyph = std::find_if(glyphs.begin(), glyphs.end(), [=](const Glyph& g) { return g.letter == letter; });
    double width = 1.2;  // of a blank
    if (glyph != glyphs.end()) {
      width = 0.0;
      for (std::size_t i = 0; i < glyph->strokes.size(); i += 2) {
        if (glyph->strokes[i] == ' ') ++i;
        width = std::max(width, static_cast<double>(glyph->strokes[i] - '0'));
      }
      visit(glyph->strokes, x, rise, scale);
    }
    x += (width + gap) * scale;
  }
  return x - (text.empty() ? 0.0 : gap);
}

}  // namespace

void draw_stroke(Image& image, double x0, double y0, double x1, double y1, double width, double opacity) {
  const Segment segment{{x0, y0}, {x1, y1}};
  draw_segments(image, {&segment, 1}, 0.5 * width, 0.5 * width + 3.0, dark_ink, 0.5 * opacity);
  draw_segments(image, {&segment, 1}, 0.5 * width - 0.5, 0.5 * width + 0.5, light_ink, opacity);
}

void draw_shade(Image& image, double x0, double y0, double x1, double y1, double softness) {
  const auto inside = [softness](double at, double low, double high) {
    const double t = std::clamp(std::min(at - low, high - at) / softness + 0.5, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
  };
  const auto pixel = [](double at, int size) { return std::clamp(static_cast<int>(at), 0, size); };
  for (int y = pixel(y0 - softness, image.height); y < pixel(y1 + softness, image.height); ++y) {
    for (int x = pixel(x0 - softness, image.width); x < pixel(x1 + softness, image.width); ++x) {
      const double kept = 1.0 - 0.6 * inside(x + 0.5, x0, x1) * inside(y + 0.5, y0, y1);
      std::uint8_t* rgb = &image.rgb[(static_cast<std::size_t>(y) * image.width + x) * 3];
      for (int k = 0; k < 3; ++k) rgb[k] = static_cast<std::uint8_t>(kept * rgb[k]);
    }
  }
}

void draw_text(Image& image, std::string_view text, double x, double y, double height) {
  const double unit = height / grid;
  std::vector<std::vector<Segment>> letters;
  for_each_letter(text, [&](std::string_view strokes, double place, double rise, double scale) {
    letters.push_back(segments_of(strokes, x + place * unit, y - rise * unit, scale * unit));
  });
  const double pen = std::max(0.4 * unit, 0.5);
  for (const auto& letter : letters) draw_segments(image, letter, pen, pen + 1.4 * unit, dark_ink, 0.5);
  for (const auto& letter : letters) draw_segments(image, letter, pen - 0.5, pen + 0.5, light_ink, 0.9);
}

double text_width(std::string_view text, double height) {
  return for_each_letter(text, [](std::string_view, double, double, double) {}) * height / grid;
}

}  // namespace hornbeam::render
