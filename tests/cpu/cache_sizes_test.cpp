#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "presort/cpu/memory/private_cache.h"

namespace presort::cpu::cache_sizes_test {

TEST_CASE("cache sizes are read as /sys writes them") {
  CHECK(parse_cache_size("512") == 512);
  CHECK(parse_cache_size("32768K") == uint64_t{32} << 20);
  CHECK(parse_cache_size("2M") == uint64_t{2} << 20);
  CHECK(parse_cache_size("1G") == uint64_t{1} << 30);
  CHECK(parse_cache_size("0K") == 0);
}

TEST_CASE("other texts are no cache size") {
  for (const char* text : {"", "K", "-1K", " 1K", "1k", "1KB", "1.5M", "0x10",
                           "99999999999999999999", "18014398509481984K"}) {
    CAPTURE(text);
    CHECK(parse_cache_size(text) == 0);
  }
}

TEST_CASE("the shared cache is that of one processor, not the sum of a socket's") {
  const CacheSizes sizes = cache_sizes();
  CHECK(sizes.private_bytes == private_cache_bytes());
  CHECK(sizes.private_bytes > 0);
  uint64_t announced = 0;
  const std::filesystem::path caches = "/sys/devices/system/cpu/cpu0/cache";
  for (int index = 0; std::filesystem::exists(caches / ("index" + std::to_string(index)));
       ++index) {
    const std::filesystem::path cache = caches / ("index" + std::to_string(index));
    int level = 0;
    uint64_t number = 0;
    char unit = 0;
    std::ifstream(cache / "level") >> level;
    std::ifstream(cache / "size") >> number >> unit;
    announced = level == 3 && unit == 'K' ? number << 10 : announced;
  }
  CHECK(sizes.last_level_bytes == announced);
}

}  // namespace presort::cpu::cache_sizes_test
