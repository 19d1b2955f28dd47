#include "presort/cpu/memory/private_cache.h"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string>

#include "presort/core/base/checked.h"

namespace presort::inline v0::cpu {
namespace {

// First line of a file of the first processor's cache `index`; "" if there is none.
std::string cache_line(int index, const char* file) {
  std::ifstream in("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/" + file);
  std::string line;
  std::getline(in, line);
  return line;
}

uint64_t third_level_bytes() {
  constexpr int kMostCaches = 16;  // caches of one processor: three or four, and those of code
  for (int index = 0; index < kMostCaches; ++index) {
    if (cache_line(index, "level") == "3") {
      return parse_cache_size(cache_line(index, "size").c_str());
    }
  }
  return 0;
}

}  // namespace

uint64_t private_cache_bytes() {
  constexpr uint64_t kUnknown = uint64_t{1} << 20;
  static const uint64_t bytes = [] {
    const long found = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return found > 0 ? static_cast<uint64_t>(found) : kUnknown;
  }();
  return bytes;
}

CacheSizes cache_sizes() {
  static const CacheSizes sizes{private_cache_bytes(), third_level_bytes()};
  return sizes;
}

uint64_t parse_cache_size(const char* text) {
  if (std::isdigit(static_cast<unsigned char>(*text)) == 0) {
    return 0;
  }
  char* end = nullptr;
  const uint64_t number = std::strtoull(text, &end, 10);
  const std::string unit = end;
  const uint64_t scale = unit.empty()  ? 1
                         : unit == "K" ? uint64_t{1} << 10
                         : unit == "M" ? uint64_t{1} << 20
                         : unit == "G" ? uint64_t{1} << 30
                                       : 0;
  return scale == 0 || saturating_multiply(number, scale) == UINT64_MAX ? 0 : number * scale;
}

}  // namespace presort::cpu
