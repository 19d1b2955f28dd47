#include "presort/io/machine/provenance.h"

#include <sys/utsname.h>

#include <ctime>

#include "presort/core/text/display_text.h"

namespace presort::inline v0::io {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

std::string utc_date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char buffer[32];
  const size_t length = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return std::string(buffer, length);
}

}  // namespace

Provenance current_provenance() {
  utsname system{};
  const bool known = uname(&system) == 0;
  return {
      .tool_version = PRESORT_VERSION,
      .host = known ? with_hidden_replaced(system.nodename) : "unknown",
      .compiler = compiler(),
      .date = utc_date(),
      .kernel = known ? with_hidden_replaced(std::string(system.sysname) + " " + system.release)
                      : "unknown",
  };
}

std::vector<std::pair<std::string, std::string>> provenance_pairs(const Provenance& provenance) {
  return {
      {"toolVersion", provenance.tool_version},
      {"host", provenance.host},
      {"compiler", provenance.compiler},
      {"date", provenance.date},
      {"kernel", provenance.kernel},
  };
}

}  // namespace presort::io
