#include "presort/app/build_facts.h"

#include <fmt/format.h>

#include <string_view>

#include "build_commit.h"
#include "build_options.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

std::string build_facts() {
  std::string text;
  const auto row = [&text](std::string_view name, std::string_view value) {
    if (!value.empty()) {
      text += fmt::format("{:<9} {}\n", name, value);
    }
  };
  row("compiler", io::current_provenance().compiler);
  row("build", PRESORT_BUILD_TYPE);
  row("flags", PRESORT_BUILD_FLAGS);
  row("CUDA", PRESORT_BUILD_CUDA);
  row("commit", PRESORT_BUILD_COMMIT);
  return text;
}

std::string build_identity() {
  const std::string_view commit = PRESORT_BUILD_COMMIT;
  return io::current_provenance().tool_version + (commit.empty() ? "" : " ") + std::string(commit);
}

}  // namespace presort::app
