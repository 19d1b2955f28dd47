#include "presort/cpu/memory/private_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "presort/core/base/checked.h"

namespace presort::inline v0::cpu {
namespace {

// First line of a short file of /sys; longer ones are cut. Without memory from the heap, which could be
// refused.
struct Line {
  std::array<char, 32> text{};  // ends with '\0'
};

// The line of a file of the first processor's cache `index`; "" if there is none.
Line cache_line(int index, const char* file) {
  std::array<char, 96> path{};
  std::snprintf(path.data(), path.size(), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index,
                file);
  Line line;
  const int in = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (in < 0) {
    return line;
  }
  const ssize_t bytes = ::read(in, line.text.data(), line.text.size() - 1);
  ::close(in);
  const auto end = line.text.begin() + std::max<ssize_t>(bytes, 0);
  std::fill(std::find(line.text.begin(), end, '\n'), line.text.end(), '\0');
  return line;
}

uint64_t third_level_bytes() {
  constexpr int kMostCaches = 16;  // caches of one processor: three or four, and those of code
  for (int index = 0; index < kMostCaches; ++index) {
    if (std::string_view(cache_line(index, "level").text.data()) == "3") {
      return parse_cache_size(cache_line(index, "size").text.data());
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
  const std::string_view unit = end;
  const uint64_t scale = unit.empty()  ? 1
                         : unit == "K" ? uint64_t{1} << 10
                         : unit == "M" ? uint64_t{1} << 20
                         : unit == "G" ? uint64_t{1} << 30
                                       : 0;
  return scale == 0 || saturating_multiply(number, scale) == UINT64_MAX ? 0 : number * scale;
}

}  // namespace presort::cpu
