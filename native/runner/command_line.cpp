#include "runner/command_line.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gflags/gflags.h>

#include "runner/file_errors.h"

namespace vgfio {
namespace {

// Levenshtein distance, for "did you mean".
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

Status unknown_flag(const std::string& name) {
  std::vector<gflags::CommandLineFlagInfo> flags;
  gflags::GetAllFlags(&flags);
  std::string nearest;
  size_t least = name.size() / 2 + 1;
  for (const auto& flag : flags) {
    const size_t changes = distance(name, flag.name);
    if (changes >= least) continue;
    least = changes;
    nearest = flag.name;
  }
  return Status::invalid("unknown flag --" + name +
                         (nearest.empty() ? "; see --help" : "; did you mean --" + nearest + "?"));
}

struct Argument {
  std::string name;
  std::optional<std::string> value;
};

// "--name=value" or "-name"; nothing for what is no flag.
std::optional<Argument> split(std::string_view text) {
  if (text.size() < 2 || text[0] != '-') return std::nullopt;
  text.remove_prefix(text[1] == '-' ? 2 : 1);
  const size_t equals = text.find('=');
  Argument argument{std::string(text.substr(0, equals)), std::nullopt};
  if (equals != std::string_view::npos) argument.value = text.substr(equals + 1);
  return argument;
}

std::optional<gflags::CommandLineFlagInfo> find_flag(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  if (gflags::GetCommandLineFlagInfo(name.c_str(), &info)) return info;
  return std::nullopt;
}

// Completes a flag given without a value; `next` is the following argument.
Status complete(Argument& argument, const char* next, bool& took_next) {
  auto flag = find_flag(argument.name);
  if (!flag && argument.name.rfind("no", 0) == 0 && !argument.value) {
    const std::string positive = argument.name.substr(2);
    flag = find_flag(positive);
    if (flag && flag->type == "bool") {
      argument = {positive, "false"};
      return {};
    }
    flag.reset();
  }
  if (!flag) return unknown_flag(argument.name);
  if (argument.value) return {};
  if (flag->type == "bool") {
    argument.value = "true";
    return {};
  }
  if (next == nullptr) return Status::invalid("--" + argument.name + " needs a value");
  argument.value = next;
  took_next = true;
  return {};
}

Status set_flag(const Argument& argument) {
  const std::string type = find_flag(argument.name)->type;
  if (!gflags::SetCommandLineOption(argument.name.c_str(), argument.value->c_str()).empty()) {
    return {};
  }
  return Status::invalid("--" + argument.name + " takes a value of type " + type + ", not " +
                         quote(*argument.value));
}

}  // namespace

Result<CommandLine> parse_command_line(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    auto argument = split(argv[i]);
    if (!argument || argument->name.empty()) {
      return Status::invalid("unexpected argument " + quote(argv[i]) +
                             "; flags are written --name=value");
    }
    const std::string& name = argument->name;
    if (name == "h" || name == "help" || name == "helpfull" || name == "helpshort") {
      return CommandLine::kHelp;
    }
    if (name == "version") return CommandLine::kVersion;
    bool took_next = false;
    VGFIO_RETURN_IF_ERROR(complete(*argument, i + 1 < argc ? argv[i + 1] : nullptr, took_next));
    if (took_next) ++i;
    VGFIO_RETURN_IF_ERROR(set_flag(*argument));
  }
  return CommandLine::kRun;
}

}  // namespace vgfio
