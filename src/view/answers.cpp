// SPDX-License-Identifier: Apache-2.0
// What the server of the live view says to those whom the gate admits; see server.h.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "hornbeam/error.h"
#include "hornbeam/view_page.h"
#include "render/paint/labels.h"
#include "view/failure.h"
#include "view/server.h"

namespace hornbeam::view {
namespace {

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

Answer json_answer(unsigned status, const Json& json) {
  Answer answer;
  answer.status = status;
  answer.type = "application/json";
  answer.body.push_back(shared(json.dump(-1, ' ', false, Json::error_handler_t::replace)));
  return answer;
}

Answer error_answer(unsigned status, const std::string& text) { return json_answer(status, {{"error", text}}); }

/// The page may run what is in it, and ask this server; nothing else.
Answer page() {
  const std::string nonce = random_token();
  std::string text(view_page);
  constexpr std::string_view mark = "NONCE";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + nonce.size())) {
    text.replace(at, mark.size(), nonce);
  }
  Answer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body.push_back(shared(std::move(text)));
  answer.header.emplace_back("Content-Security-Policy",
                             fmt::format("default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; "
                                         "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
                                         "frame-ancestors 'none'",
                                         nonce));
  return answer;
}

std::string word_of(const Question& question, const char* name) {
  const auto found = question.query.find(name);
  return found == question.query.end() ? std::string() : found->second;
}

/// A whole number of the query; nothing where it is not there.
std::optional<std::uint64_t> number_of(const Question& question, const char* name) {
  const auto found = question.query.find(name);
  if (found == question.query.end()) return {};
  const std::string& text = found->second;
  std::uint64_t number = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (trouble != std::errc() || end != text.data() + text.size()) {
    throw UsageError(name, "received " + text, "must be a whole number");
  }
  return number;
}

Json units_of_labels() {
  const auto list = [](const auto& units) {
    Json all = Json::array();
    for (const render::LabelUnit& unit : units) all.push_back({unit.name, unit.cgs});
    return all;
  };
  return {{"lengths", list(render::label_lengths)}, {"times", list(render::label_times)}};
}

std::optional<Answer> frame_answer(Source& source, const Question& question) {
  FrameWish wish;
  wish.colour = word_of(question, "colour");
  wish.after = number_of(question, "after").value_or(0);
  if (const auto index = number_of(question, "index")) wish.index = static_cast<std::size_t>(*index);
  const std::optional<FrameFound> found = source.frame(wish);
  if (!found) return {};
  Answer answer;
  answer.type = "application/octet-stream";
  answer.body = message_of(*found->frame, word_of(question, "bodies"), found->more);
  return answer;
}

Answer control_answer(Source& source, const Question& question) {
  const std::string what = word_of(question, "do");
  if (what == "pause") {
    source.control(Control::pause);
  } else if (what == "go-on") {
    source.control(Control::go_on);
  } else if (what == "step") {
    source.control(Control::step);
  } else {
    throw UsageError("do", "received " + what, "must be pause, go-on or step");
  }
  return json_answer(200, source.state());
}

std::optional<Answer> answer_to(Source& source, const Question& question) {
  const bool looks = question.method == "GET" || question.method == "HEAD";
  const bool orders = question.path == "/control";
  if (orders ? question.method != "POST" : !looks) {
    Answer answer = error_answer(405, question.method + " is not allowed for " + question.path);
    answer.header.emplace_back("Allow", orders ? "POST" : "GET, HEAD");
    return answer;
  }
  if (question.path == "/") return page();
  if (question.path == "/frame") return frame_answer(source, question);
  if (question.path == "/energy") return json_answer(200, source.energy());
  if (orders) return control_answer(source, question);
  if (question.path != "/state") return error_answer(404, question.path + ": this page does not exist");
  Json state = source.state();
  state["units_of_labels"] = units_of_labels();
  return json_answer(200, state);
}

}  // namespace

Answer text_answer(unsigned status, std::string text) {
  Answer answer;
  answer.status = status;
  answer.body.push_back(shared(std::move(text)));
  return answer;
}

std::optional<Answer> answered(Source& source, const Question& question) {
  try {
    return answer_to(source, question);
  } catch (const UsageError& error) {  // what cannot be asked
    return error_answer(400, error.what());
  } catch (const Error& error) {  // a file that is damaged, or removed by now
    return error_answer(422, error.what());
  } catch (...) {  // no memory, and what no one has thought of
    std::optional<Answer> told;
    tell_failure([&](std::string_view text) { told = error_answer(422, std::string(text)); });
    return told;
  }
}

}  // namespace hornbeam::view
