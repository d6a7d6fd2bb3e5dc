// SPDX-License-Identifier: Apache-2.0
// Bash: three tables as functions, and below them what looks words up in these.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/completion.h"

namespace hornbeam::cli {
namespace {

constexpr const char* bash_head = R"bash(# Completion of bash for hornbeam, made by `hornbeam completion bash`.
# source <(hornbeam completion bash)
)bash";

// Words come from the line itself: COMP_WORDS breaks them at = and :. The answer is what stands behind the last such
// sign.
constexpr const char* bash_engine = R"bash(
# Whether $2 can be a further one of what $1 lists.
_hornbeam_is_one_of() {
  [[ " $1 " == *" $2 "* ]] || { [[ $1 == *@settings* && $2 == *=* ]]; }
}

# What $1 lists, as words that begin with $2.
_hornbeam_matches() {
  local word
  for word in $1; do
    case $word in
      +|@text) ;;
      @files) [[ $1 == @files || $1 == '+ @files' ]] || compgen -f -- "$2" ;;
      @folders) compgen -d -- "$2" ;;
      @settings)
        if [[ $2 == *=* ]]; then
          compgen -P "${2%%=*}=" -W "$(_hornbeam_setting_words "${2%%=*}")" -- "${2#*=}"
        else
          compgen -S = -W "$(_hornbeam_settings)" -- "$2"
        fi ;;
      *) [[ $word == "$2"* ]] && printf '%s\n' "$word" ;;
    esac
  done
}

_hornbeam() {
  local IFS=$' \t\n' line="${COMP_LINE:0:COMP_POINT}" current='' command='' open='' more='' list='' prefix='' word
  local -a words
  local -i at=1 place=1 i n
  read -a words <<< "$line"
  n=${#words[@]}
  if [[ $line != *[[:blank:]] ]]; then
    n=n-1
    current="${words[n]}"
  fi
  while (( at < n )) && _hornbeam_is_one_of "$(_hornbeam_commands "$command")" "${words[at]}"; do
    command="${command:+$command }${words[at]}"
    at=at+1
  done
  for (( i = at; i < n; ++i )); do
    word="${words[i]}"
    if [[ -n $open ]]; then # its value
      more=''
      [[ $(_hornbeam_takes "$command" "$open") == +* ]] && more="$open"
      open=''
    elif [[ $word == -* ]]; then
      more=''
      list="$(_hornbeam_takes "$command" "${word%%=*}")"
      if [[ -n $list && $word != *=* ]]; then open="$word"; fi
      if [[ $list == +* && $word == *=* ]]; then more="${word%%=*}"; fi
    elif [[ -z $more ]] || ! _hornbeam_is_one_of "$(_hornbeam_takes "$command" "$more")" "$word"; then
      more=''
      place=place+1
    fi
  done
  if [[ -n $open ]]; then
    list="$(_hornbeam_takes "$command" "$open")"
  elif [[ $current == -*=* ]]; then
    list="$(_hornbeam_takes "$command" "${current%%=*}")"
    prefix="${current%%=*}="
    current="${current#*=}"
  else
    list="$(_hornbeam_takes "$command" "$place")"
    if (( at == n )); then
      word="$(_hornbeam_commands "$command")"
      list="$list${word:+ $word}"
    fi
    if [[ -n $more ]]; then list="$(_hornbeam_takes "$command" "$more") $list"; fi
    if [[ $current == -* ]]; then list="$(_hornbeam_options "$command")"; fi
  fi
  IFS=$'\n'
  COMPREPLY=($(IFS=$' \t\n'; _hornbeam_matches "$list" "$current"))
  if (( ${#COMPREPLY[@]} == 0 )) && [[ $list != *@files* ]]; then
    compopt +o default +o bashdefault 2> /dev/null
  elif [[ $list == *@* && $list != *@settings* ]]; then
    compopt -o filenames 2> /dev/null
  fi
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2> /dev/null; fi
  prefix="$prefix$current"
  if [[ $prefix == *=* && $COMP_WORDBREAKS == *=* ]]; then
    prefix="${current%"${current##*=}"}"
    COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
  else
    prefix="${prefix%"$current"}"
    COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
  fi
}

complete -o bashdefault -o default -F _hornbeam hornbeam
)bash";

std::string listed(const Taken& taken) {
  const std::string sign = taken.several ? "+ " : "";
  switch (taken.kind) {
    case Taken::Kind::nothing:
      return "";
    case Taken::Kind::words:
      return sign + fmt::format("{}", fmt::join(taken.words, " "));
    case Taken::Kind::file:
      return sign + "@files";
    case Taken::Kind::folder:
      return sign + "@folders";
    case Taken::Kind::setting:
      return sign + "@settings";
    case Taken::Kind::text:
      break;
  }
  return sign + "@text";
}

/// A function that prints the second of the pair whose first its arguments are.
class LookUp {
 public:
  explicit LookUp(const std::string& name) : text_(fmt::format("\n{}() {{\n  case \"$*\" in\n", name)) {}
  /// pattern: what may stand behind the key
  void add(const std::string& key, const std::string& value, const char* pattern = "") {
    if (!value.empty()) text_ += fmt::format("    '{}'{}) echo '{}' ;;\n", key, pattern, value);
  }
  [[nodiscard]] std::string text() const { return text_ + "  esac\n}\n"; }

 private:
  std::string text_;
};

}  // namespace

std::string bash_completion(const Command& program, const std::vector<Setting>& settings) {
  LookUp commands("_hornbeam_commands"), options("_hornbeam_options"), takes("_hornbeam_takes"),
      words("_hornbeam_setting_words");
  for_each_command(program, [&](const Command& command) {
    std::string names, flags;
    for (const Command& inner : command.commands) {
      names += (names.empty() ? "" : " ") + inner.name.substr(inner.name.rfind(' ') + 1);
    }
    commands.add(command.name, names);
    for (const Taken& option : command.options) {
      for (const std::string& name : option.names) {
        flags += (flags.empty() ? "" : " ") + name;
        takes.add(command.name + " " + name, listed(option));
      }
    }
    options.add(command.name, flags);
    for (std::size_t i = 0; i < command.places.size(); ++i) {
      const Taken& place = command.places[i];
      const bool goes_on = place.several;  // the last place is that of all further words
      takes.add(command.name + " " + (goes_on ? "" : std::to_string(i + 1)), listed(place), goes_on ? "[1-9]*" : "");
    }
  });
  std::string names;
  for (const Setting& setting : settings) {
    names += " " + setting.name;
    words.add(setting.name, fmt::format("{}", fmt::join(setting.words, " ")));
  }
  return bash_head + commands.text() + options.text() + takes.text() +
         fmt::format("\n_hornbeam_settings() {{\n  echo '{}'\n}}\n", names.substr(1)) + words.text() + bash_engine;
}

}  // namespace hornbeam::cli
