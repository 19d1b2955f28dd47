// Writes files of uniform labels and values, for runs on files.
//   make_inputs N M FOLDER     writes FOLDER/labels.u32 (below M) and FOLDER/values.u32 (below
//                              2^20)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/text/units.h"

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: make_inputs N M FOLDER\n");
    return 2;
  }
  const uint64_t n = presort::parse_count("N", words[1]);
  const uint64_t m = presort::parse_count("M", words[2]);
  const std::string folder = words[3];
  std::ofstream labels(folder + "/labels.u32", std::ios::binary);
  std::ofstream values(folder + "/values.u32", std::ios::binary);
  constexpr uint64_t kBlock = 1 << 20;
  std::vector<uint32_t> block[2];
  for (uint64_t i = 0; i < n; i += kBlock) {
    const uint64_t size = std::min(kBlock, n - i);
    block[0].resize(size);
    block[1].resize(size);
    for (uint64_t j = 0; j < size; ++j) {
      const uint64_t drawn = presort::mix64(i + j);
      block[0][j] = static_cast<uint32_t>((drawn >> 32) * m >> 32);
      block[1][j] = static_cast<uint32_t>(drawn) >> 12;
    }
    const auto bytes = static_cast<std::streamsize>(size * sizeof(uint32_t));
    labels.write(reinterpret_cast<const char*>(block[0].data()), bytes);
    values.write(reinterpret_cast<const char*>(block[1].data()), bytes);
  }
  return labels.flush() && values.flush() ? 0 : 1;
}
