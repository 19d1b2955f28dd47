#include "presort/app/validate/validate_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

int read_reps(const Arguments& arguments, int usual) {
  constexpr int kQuickReps = 4;
  constexpr uint64_t kMaxReps = 1000;
  const auto text = arguments.optional("reps");
  if (!text) {
    return arguments.has("quick") ? kQuickReps : usual;
  }
  const uint64_t reps = parse_count("--reps", *text);
  if (reps < 4 || reps > kMaxReps || reps % 2 != 0) {
    throw InputError(
        fmt::format("--reps: found {}, accepted: an even number of 4 to {}", reps, kMaxReps));
  }
  return static_cast<int>(reps);
}

std::optional<double> read_limit(const Arguments& arguments, const std::string& name) {
  const auto text = arguments.optional(name);
  return text ? std::optional<double>(parse_ratio(arguments.shown(name), *text)) : std::nullopt;
}

void refuse_to_overwrite(const std::string& recording, const std::string& folder,
                         const std::string& name) {
  const std::filesystem::path target = std::filesystem::path(folder) / name;
  std::error_code error;
  if (std::filesystem::equivalent(recording, target, error) && !error) {
    throw InputError(fmt::format(
        "--replay {}: would be overwritten by the report, accepted: another folder with -o",
        recording));
  }
}

bool within_limit(const char* what, double found, std::optional<double> limit) {
  if (!limit || found <= *limit) {
    return true;
  }
  complain("{} {:.1f} % is above the limit, {:.1f} %", what, found * 100, *limit * 100);
  return false;
}

}  // namespace presort::app
